// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Aperture

extension RealBrowser {
    @Suite struct ConcurrencyTests {
        @Test func aCancelledWaitEndsAndTheTabGoesOn() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                // Cancelled before, while and after it starts.
                for pause in [nil, Duration.zero, .milliseconds(100)] {
                    let wait = Task {
                        try await tab.wait(
                            text: "never", timeout: .seconds(3600))
                    }
                    if let pause {
                        try await Task.sleep(for: pause)
                    }
                    wait.cancel()
                    await #expect(throws: CancellationError.self) {
                        try await wait.value
                    }
                }
                #expect(try await tab.snapshot().title == "Orders")
            }
        }

        @Test func aCancelledCallThatBlocksIsNotWaitedFor() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let call = Task {
                    try await tab.evaluate(
                        "new Promise(() => {})", timeout: .seconds(3600))
                }
                try await Task.sleep(for: .milliseconds(100))
                call.cancel()
                await #expect(throws: CancellationError.self) {
                    try await call.value
                }
                #expect(try await tab.snapshot().title == "Orders")
            }
        }

        @Test func manyTabsWorkAtOnce() async throws {
            try await withBrowser { browser, site in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let tab = try await browser.open(url: site.url())
                            for line in 1...3 {
                                let page = try await tab.snapshot()
                                let result = try await tab.click(
                                    page.ref("Add line", role: "button"))
                                #expect(
                                    result.diff?.text.contains("Line \(line)")
                                        == true)
                            }
                            try await tab.close()
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test func closingEndsCallsUnderWay() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let calls = [
                    Task {
                        await code {
                            try await tab.wait(
                                text: "never", timeout: .seconds(3600))
                        }
                    },
                    Task {
                        await code {
                            _ = try await tab.evaluate(
                                "new Promise(() => {})",
                                timeout: .seconds(3600))
                        }
                    },
                ]
                try await Task.sleep(for: .milliseconds(100))
                await browser.close()
                for call in calls {
                    #expect(await call.value == .closed)
                }
            }
        }

        @Test func whatWasReadOutlivesTheBrowser() async throws {
            let site = try Site()
            defer { site.stop() }
            let (tab, page) = try await openAndForgetTheBrowser(site)
            // The tab keeps its browser.
            #expect(try await tab.snapshot().title == "Orders")
            await tab.browser.close()
            #expect(page.text.contains("Add line"))
            #expect(page.nodes.last != nil)
            #expect(await code { _ = try await tab.snapshot() } == .closed)
        }

        private func openAndForgetTheBrowser(
            _ site: Site
        ) async throws -> (Tab, Snapshot) {
            let browser = try await Browser.launch(launchOptions())
            let tab = try await browser.open(url: site.url())
            return (tab, try await tab.snapshot())
        }

        @Test func aBrowserThatIsDroppedIsClosed() async throws {
            let (pid, handle) = try await launchAndDrop()
            try await waitUntil { handle.value == nil }
            try await waitUntil { kill(pid_t(pid), 0) != 0 }
        }

        private struct Weak: @unchecked Sendable {
            weak var value: Browser?
        }

        private func launchAndDrop() async throws -> (Int64, Weak) {
            let browser = try await Browser.launch(launchOptions())
            let tab = try await browser.open()
            _ = try await tab.snapshot()
            return (try #require(browser.processID), Weak(value: browser))
        }

        @Test func roundsLeaveNothingBehind() async throws {
            let site = try Site()
            defer { site.stop() }
            try await round(site)
            let before = try await settledDescriptors()
            for _ in 0..<5 {
                try await round(site)
            }
            #expect(try await settledDescriptors() == before)
        }

        /// Open descriptors of this process, once handles that are released
        /// on other threads have gone; 0 where that is not known.
        private func settledDescriptors() async throws -> Int {
            var last = -1
            var seen = 0
            try await waitUntil {
                let count = descriptors()
                seen = count == last ? seen + 1 : 0
                last = count
                return seen == 100
            }
            return last
        }

        private func descriptors() -> Int {
            let folder = "/proc/self/fd"
            let entries = try? FileManager.default.contentsOfDirectory(
                atPath: folder)
            return entries?.count ?? 0
        }

        private func round(_ site: Site) async throws {
            let browser = try await Browser.launch(launchOptions())
            let events = await browser.events
            let tab = try await browser.open(url: site.url())
            let page = try await tab.snapshot()
            try await tab.click(page.ref("Add line", role: "button"))
            await browser.close()
            for await _ in events {}
        }
    }
}

/// Waits for something that happens soon after, such as a release on another
/// thread.
private func waitUntil(_ holds: () -> Bool) async throws {
    for _ in 0..<3000 {
        if holds() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw Missing(what: "what was waited for")
}
