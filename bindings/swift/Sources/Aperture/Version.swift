// SPDX-License-Identifier: Apache-2.0
import CAperture

/// The version of the C library in use.
public enum LibraryVersion {
    /// Such as `1.0.0`.
    public static var text: String { String(cString: aper_version_get_text()) }

    /// MAJOR * 1,000,000 + MINOR * 1,000 + MICRO.
    public static var number: UInt32 { aper_version_get_number() }
}

/// Throws if the library cannot serve a package that was compiled against
/// `header`: another major version, or an older library.
func checkVersion(
    header: UInt32 = UInt32(CAPERTURE_HEADER_VERSION),
    library: UInt32 = LibraryVersion.number
) throws {
    let major: UInt32 = 1_000_000
    guard header / major == library / major, header <= library else {
        throw ApertureError(
            .unsupported,
            "compiled against libaperture \(header), but \(library) is loaded;"
                + " build again or install the version that was built against")
    }
}
