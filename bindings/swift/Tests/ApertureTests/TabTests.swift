// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Aperture

/// Tests that start Chromium, one after the other.
@Suite(.serialized, .timeLimit(.minutes(2))) enum RealBrowser {}

extension RealBrowser {
    @Suite struct TabTests {
        @Test func aPageIsReadActedOnAndReadAgain() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let page = try await tab.snapshot()
                #expect(page.title == "Orders")
                #expect(page.url == site.url())
                #expect(page.text.contains("Add line"))
                #expect(page.tokenEstimate > 0)

                let ref = try page.ref("Add line", role: "button")
                #expect(page.find(ref: ref)?.name == "Add line")
                #expect(page.nodes.first?.depth == 0)
                #expect(page.nodes.contains { $0.role == "heading" })
                #expect(page.find("no such text") == nil)
                #expect(page.find("Add line", role: "link") == nil)
                #expect(page.find(ref: "e000000") == nil)
                #expect(
                    page.nodes.contains {
                        $0.href?.hasSuffix("/other.html") == true
                    })

                let result = try await tab.click(ref)
                #expect(!result.outcome.isEmpty)
                #expect(result.effects.contains { $0.kind == .change })
                let diff = try #require(result.diff)
                #expect(!diff.isEmpty)
                #expect(!diff.isReset)
                #expect(diff.fromID == page.id)
                #expect(diff.text.contains("Line 1"))
                #expect(
                    diff.operations.contains {
                        $0.kind == "+" && $0.line.contains("Line 1")
                    })
                let after = try #require(result.snapshot)
                #expect(diff.toID == after.id)

                let told = try await tab.diff()
                #expect(told.isEmpty)
                #expect(told.volatileCount == 0)
                #expect(told.fromID == after.id)
                #expect(try await tab.diff(resetPercent: 1).isEmpty)

                let again = try await tab.snapshot()
                #expect(try after.diff(to: again).isEmpty)
                #expect(try !page.diff(to: again).isEmpty)
            }
        }

        @Test func fieldsTakeTextAndOptions() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let page = try await tab.snapshot()
                let customer = try page.ref("Customer", role: "textbox")
                try await tab.type("Ada", into: customer)
                try await tab.type(" Lovelace", into: customer)
                var value = try await tab.snapshot().find(ref: customer)?.value
                #expect(value == "Ada Lovelace")
                try await tab.fill(customer, with: "Grace")
                try await tab.press("End", on: customer)
                try await tab.press("Backspace")
                value = try await tab.snapshot().find(ref: customer)?.value
                #expect(value == "Grac")
                let colour = try page.ref("Colour", role: "combobox")
                try await tab.select("Blue", in: colour)
                value = try await tab.snapshot().find(ref: colour)?.value
                #expect(value == "Blue")
                try await tab.hover(try page.ref("Add line", role: "button"))
                try await tab.scroll()
            }
        }

        @Test func aDialogIsReportedByTheClickAndAnswered() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let page = try await tab.snapshot()
                #expect(try tab.dialog() == nil)
                let result = try await tab.click(page.ref("Delete all"))
                #expect(result.dialog?.kind == .confirm)
                #expect(result.dialog?.message == "Really delete?")
                #expect(result.effects.contains { $0.kind == .dialog })
                #expect(try tab.dialog()?.kind == .confirm)
                #expect(
                    await code { _ = try await tab.snapshot() } == .dialog)
                try await tab.answerDialog(accept: false)
                try await tab.wait(text: "kept")
                #expect(try tab.dialog() == nil)
                #expect(
                    await code { try await tab.answerDialog(accept: true) }
                        == .noDialog)
            }
        }

        @Test func theHistoryIsWalked() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let there = try await tab.navigate(to: site.url("other.html"))
                #expect(there.kind == .page)
                #expect(there.url == site.url("other.html"))
                #expect(there.httpStatus == 200)
                #expect(there.isComplete)
                #expect(there.redirects.isEmpty)
                #expect(there.dialog == nil)
                #expect(try await tab.back().url == site.url())
                #expect(
                    try await tab.forward().url == site.url("other.html"))
                #expect(try await tab.reload().url == site.url("other.html"))
                let missing = try await tab.navigate(to: site.url("none"))
                #expect(missing.httpStatus == 404)
                #expect(
                    try await tab.navigate(to: site.url("none#x")).kind
                        == .sameDocument)
            }
        }

        @Test func failuresAreToldApart() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                do {
                    try await tab.navigate(to: "http://nowhere.invalid/")
                    Issue.record("a host that does not exist was reached")
                } catch let error as ApertureError {
                    #expect(error.code == .navigation)
                    #expect(
                        error.message.hasPrefix("net::ERR_NAME_NOT_RESOLVED"))
                }
                #expect(
                    await code { try await tab.navigate(to: "javascript:1") }
                        == .blocked)
                try await tab.navigate(to: site.url())
                #expect(await code { try await tab.click("e000000") } == .noRef)
                #expect(
                    await code {
                        try await tab.wait(
                            text: "never", timeout: .milliseconds(50))
                    } == .timeout)
                #expect(await code { try await tab.click("a\0") } == .invalid)
            }
        }

        @Test func aRefusedArgumentIsNamed() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                do {
                    _ = try await tab.pdf(PDFOptions(pages: "all"))
                    Issue.record("\"all\" was taken for pages")
                } catch let error as ApertureError {
                    #expect(error.code == .invalid)
                    #expect(error.message.hasPrefix("pages is like"))
                }
            }
        }

        @Test func picturesAndPapersAreTaken() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let png = try await tab.screenshot()
                #expect(png.mimeType == "image/png")
                #expect(png.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
                #expect(png.width > 0 && png.height > 0 && png.scale > 0)
                let jpeg = try await tab.screenshot(
                    ScreenshotOptions(format: .jpeg, maxEdge: 200))
                #expect(jpeg.mimeType == "image/jpeg")
                #expect(max(jpeg.width, jpeg.height) == 200)
                let pdf = try await tab.pdf()
                #expect(pdf.mimeType == "application/pdf")
                #expect(pdf.data.starts(with: Data("%PDF".utf8)))
            }
        }

        @Test func consoleAndNetworkAreKept() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                let console = try tab.console()
                #expect(console.dropped == 0)
                let entry = try #require(
                    console.entries.first { $0.text.contains("ready for") })
                #expect(entry.level == "log")
                #expect(entry.milliseconds > 0)
                #expect(
                    try tab.console(after: entry.sequence).entries.isEmpty)
                let request = try #require(
                    tab.network().entries.first { $0.text == site.url() })
                #expect(request.level == "GET")
                #expect(request.httpStatus == 200)
                #expect(request.netError == nil)
            }
        }

        @Test func aTabPretendsAndEvaluates() async throws {
            try await withBrowser { browser, site in
                let tab = try await browser.open(url: site.url())
                try await tab.emulate(
                    Emulation(
                        width: 400, height: 300, scale: 2,
                        timezone: "Asia/Tokyo"))
                #expect(try await tab.evaluate("innerWidth") == "400")
                #expect(try await tab.evaluate("devicePixelRatio") == "2")
                #expect(
                    try await tab.evaluate(
                        "Intl.DateTimeFormat().resolvedOptions().timeZone")
                        == "\"Asia/Tokyo\"")
                try await tab.emulate(nil)
                #expect(try await tab.evaluate("innerWidth") != "400")
                try await tab.activate()
            }
        }
    }
}
