// SPDX-License-Identifier: Apache-2.0
import Aperture
import Foundation

var options = LaunchOptions()
options.noSandbox = geteuid() == 0  // Chromium's sandbox refuses root
let browser = try await Browser.launch(options)
let tab = try await browser.open(
    url: CommandLine.arguments.dropFirst().first ?? "https://example.org/")
let page = try await tab.snapshot()
print(page.text)
let button = page.nodes.first { $0.role == "button" && $0.ref != nil }
if let ref = button?.ref {
    let result = try await tab.click(ref)
    print(result.outcome, result.diff?.text ?? "", separator: "\n")
}
await browser.close()
