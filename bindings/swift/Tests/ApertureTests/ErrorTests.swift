// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Aperture

@Suite struct ErrorTests {
    /// Names and numbers in the enum of status.h.
    private func codesOfTheHeader() throws -> [String: Int32] {
        let header = try String(
            contentsOf: packageFolder.appendingPathComponent(
                "../../include/aperture/status.h"),
            encoding: .utf8)
        var codes: [String: Int32] = [:]
        for match in header.matches(of: /(APER_E_[A-Z_]+) = (-[0-9]+)/) {
            codes[String(match.1)] = Int32(match.2)
        }
        return codes
    }

    @Test func everyCodeOfTheHeaderIsNamed() throws {
        let header = try codesOfTheHeader()
        var named: [String: Int32] = [:]
        for code in ApertureError.Code.allCases {
            named[code.description] = code.rawValue
        }
        #expect(header.count > 30)
        #expect(named == header)
    }

    @Test func aCodeOfANewerLibraryIsKept() {
        let error = failure(-4711, nil) as? ApertureError
        #expect(error?.code.rawValue == -4711)
        #expect(error?.message.isEmpty == false)
    }

    @Test func aStatusAloneSaysWhetherToTryAgain() {
        #expect(ApertureError(.busy, "").isRetryable)
        #expect(!ApertureError(.busy, "").isFatal)
        #expect(ApertureError(.gone, "").isFatal)
        #expect(!ApertureError(.invalid, "").isRetryable)
    }

    @Test func cancelledIsTheErrorOfTasks() {
        #expect(
            failure(ApertureError.Code.cancelled.rawValue, nil)
                is CancellationError)
    }

    @Test func onlyALibraryThatFitsIsAccepted() throws {
        try checkVersion()
        try checkVersion(header: 1_002_003, library: 1_002_003)
        try checkVersion(header: 1_002_003, library: 1_003_000)
        for library: UInt32 in [1_002_002, 999_999, 2_000_000] {
            #expect(throws: ApertureError.self) {
                try checkVersion(header: 1_002_003, library: library)
            }
        }
    }
}
