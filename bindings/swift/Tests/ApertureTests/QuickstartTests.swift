// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Aperture

extension RealBrowser {
    @Suite struct QuickstartTests {
        private let source = packageFolder.appendingPathComponent(
            "Examples/quickstart/main.swift")

        @Test func theReadmeShowsTheProgram() throws {
            let readme = try String(
                contentsOf: packageFolder.appendingPathComponent("README.md"),
                encoding: .utf8)
            let program = try String(contentsOf: source, encoding: .utf8)
                .split(separator: "\n", maxSplits: 1)[1]
            #expect(readme.contains("```swift\n\(program)```"))
        }

        @Test func theProgramDoesTheMainJob() async throws {
            let site = try Site()
            defer { site.stop() }
            let program = Process()
            let output = Pipe()
            program.executableURL = try builtProgram()
            program.arguments = [site.url()]
            program.standardOutput = output
            try program.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            program.waitUntilExit()
            let printed = String(decoding: data, as: UTF8.self)
            #expect(program.terminationStatus == 0)
            #expect(printed.contains("Add line"))
            #expect(printed.contains("Line 1"))
        }

        /// It lies where the tests were built.
        private func builtProgram() throws -> URL {
            var folder = URL(
                fileURLWithPath: ProcessInfo.processInfo.arguments[0])
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let program = folder.appendingPathComponent("quickstart")
                if FileManager.default.isExecutableFile(atPath: program.path) {
                    return program
                }
            }
            throw Missing(what: "the program quickstart")
        }
    }
}
