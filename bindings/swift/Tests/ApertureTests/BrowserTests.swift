// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Aperture

extension RealBrowser {
    @Suite struct BrowserTests {
        @Test func launchedItSaysWhatItIsAndClosedItIsGone() async throws {
            let browser = try await Browser.launch(launchOptions())
            #expect(browser.version.contains("Chrom"))
            #expect(browser.endpoint?.hasPrefix("ws://") == true)
            let pid = try #require(browser.processID)
            #expect(kill(pid_t(pid), 0) == 0)
            try browser.checkState()

            await browser.close()
            #expect(kill(pid_t(pid), 0) != 0)
            #expect(
                await code { try browser.checkState() } == .closed)
            #expect(
                await code { _ = try await browser.open() } == .closed)
            #expect(
                await code { _ = try await browser.tabs() } == .closed)
            await browser.close()
        }

        @Test func whatCannotStartSaysWhy() async throws {
            let nowhere = LaunchOptions(
                executable: "/nowhere/chromium", noSandbox: true)
            #expect(
                await code { _ = try await Browser.launch(nowhere) }
                    == .notFound)
            #expect(
                await code { _ = try await Browser.attach(to: "127.0.0.1:1") }
                    == .connect)
            #expect(
                await code { _ = try await Browser.attach(to: "a\0b") }
                    == .invalid)
        }

        @Test(.enabled(if: geteuid() == 0))
        func theSandboxIsNeverTurnedOffUnasked() async throws {
            #expect(
                await code { _ = try await Browser.launch() } == .sandbox)
        }

        @Test func tabsAreListedAndFoundAgain() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let listed = try await browser.tabs()
                let info = try #require(listed.first { $0.id == tab.id })
                #expect(info.url == site.url())
                #expect(info.title == "Orders")
                #expect(info.isOwn)
                #expect(!info.isCrashed)
                #expect(info.openerID == nil)

                let same = try await browser.tab(id: tab.id)
                #expect(same.id == tab.id)
                #expect(
                    await code { _ = try await browser.tab(id: "none") }
                        == .notFound)

                try await tab.close()
                #expect(
                    await code { _ = try await tab.snapshot() } == .closed)
                try await tab.close()
            }
        }

        @Test func anAttachedBrowserStays() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let second = try await Browser.attach(
                    to: try #require(browser.endpoint))
                #expect(second.processID == nil)
                let foreign = try await second.tab(id: tab.id)
                #expect(try await foreign.snapshot().title == "Orders")
                #expect(await code { try await foreign.close() } == .foreign)
                await second.close()
                #expect(try await tab.snapshot().title == "Orders")
            }
        }

        @Test func whatHappensIsToldToEveryReader() async throws {
            try await withBrowser { browser, site in
                let first = await browser.events
                let second = await browser.events
                let tab = try await browser.open(url: site.url())
                let page = try await tab.snapshot()
                try await tab.click(page.ref("Show note"))
                for events in [first, second] {
                    var seen: [BrowserEvent.Kind] = []
                    for await event in events where event.tabID == tab.id {
                        seen.append(event.kind)
                        if event.kind == .dialogOpened {
                            #expect(event.dialog?.kind == .alert)
                            #expect(event.dialog?.message == "A note")
                            break
                        }
                    }
                    #expect(seen.first == .tabOpened)
                    #expect(seen.contains(.tabNavigated))
                }
                let third = await browser.events
                await browser.close()
                for await _ in third {}
            }
        }

        @Test func aKilledBrowserEndsEveryCall() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let events = await browser.events
                let waits = (0..<4).map { _ in
                    Task {
                        await code {
                            try await tab.wait(
                                text: "never", timeout: .seconds(60))
                        }
                    }
                }
                kill(pid_t(try #require(browser.processID)), SIGKILL)
                for wait in waits {
                    #expect(await wait.value == .gone)
                }
                for await _ in events {}
                #expect(
                    await code { _ = try await tab.snapshot() } == .gone)
            }
        }

        @Test func aDownloadGoesWhereItWasAllowedTo() async throws {
            try await withBrowser { browser, site in
                let folder = FileManager.default.temporaryDirectory
                    .appendingPathComponent(UUID().uuidString)
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                try await browser.setDownloadDirectory(folder.path)
                let events = await browser.events
                let tab = try await browser.open(url: site.url())
                let page = try await tab.snapshot()
                try await tab.click(page.ref("Get file"))
                for await event in events {
                    guard let download = event.download,
                        download.state != .running
                    else { continue }
                    #expect(download.state == .complete)
                    #expect(download.name == "file.bin")
                    #expect(download.size == 8)
                    #expect(download.sha256?.count == 64)
                    let path = try #require(download.path)
                    #expect(
                        FileManager.default.contents(atPath: path)
                            == Data("aperture".utf8))
                    break
                }
            }
        }

        @Test func thePolicyHoldsAndCanBeTakenBack() async throws {
            try await withBrowser { browser, site in
                try await browser.setPolicy(Policy(denyHosts: ["127.0.0.1"]))
                #expect(
                    await code { _ = try await browser.open(url: site.url()) }
                        == .blocked)
                try await browser.setPolicy(nil)
                let tab = try await browser.open(url: site.url())
                #expect(try tab.info().url == site.url())
            }
        }
    }
}
