// SPDX-License-Identifier: Apache-2.0
import Aperture
import Foundation

/// The folder of this file.
let testsFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

/// The folder of the package.
let packageFolder = testsFolder.deletingLastPathComponent()
    .deletingLastPathComponent()

/// Serves the test pages on a free port.
final class Site: @unchecked Sendable {
    private let server = Process()
    private let port: String

    init() throws {
        let output = Pipe()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = [
            "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1",
            "--directory", testsFolder.appendingPathComponent("Pages").path,
        ]
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        // "Serving HTTP on 127.0.0.1 port 40123 (http://…"
        let line = String(
            decoding: output.fileHandleForReading.availableData,
            as: UTF8.self)
        let words = line.split(separator: " ")
        guard let at = words.firstIndex(of: "port"), at + 1 < words.count else {
            kill(server.processIdentifier, SIGKILL)
            throw Missing(what: "the port in \(line)")
        }
        port = String(words[at + 1])
    }

    func url(_ page: String = "index.html") -> String {
        "http://127.0.0.1:\(port)/\(page)"
    }

    /// By SIGKILL, as a child of a Dispatch thread is born with the gentler
    /// signals blocked.
    func stop() {
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
    }
}

/// Options that work as root too.
func launchOptions() -> LaunchOptions {
    LaunchOptions(noSandbox: geteuid() == 0, allowEvaluate: true)
}

/// A browser and a site for one test; both are gone afterwards.
func withBrowser(
    _ test: (Browser, Site) async throws -> Void
) async throws {
    let site = try Site()
    defer { site.stop() }
    let browser = try await Browser.launch(launchOptions())
    do {
        try await test(browser, site)
    } catch {
        await browser.close()
        throw error
    }
    await browser.close()
}

/// A test that asks for what is not there has failed.
struct Missing: Error {
    let what: String
}

extension Snapshot {
    func ref(_ name: String, role: String? = nil) throws -> String {
        guard let ref = find(name, role: role)?.ref else {
            throw Missing(what: "\(name) in \(text)")
        }
        return ref
    }
}

/// The code of the error that the call throws.
func code(of call: () async throws -> Void) async -> ApertureError.Code? {
    do {
        try await call()
        return nil
    } catch let error as ApertureError {
        return error.code
    } catch {
        return nil
    }
}
