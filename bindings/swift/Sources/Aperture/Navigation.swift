// SPDX-License-Identifier: Apache-2.0
import CAperture

/// What a navigation led to.
public struct Navigation: Sendable {
    /// What a navigation can lead to.
    public struct Kind: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// A document was committed.
        public static let page = Kind(APER_NAVIGATION_PAGE)
        /// Only the fragment or the history state changed.
        public static let sameDocument = Kind(APER_NAVIGATION_SAME_DOCUMENT)
        /// The answer was a download; the page stayed.
        public static let download = Kind(APER_NAVIGATION_DOWNLOAD)
        /// The server answered 204 or 205; the page stayed.
        public static let noContent = Kind(APER_NAVIGATION_NO_CONTENT)
        /// A dialog stopped it; see ``Navigation/dialog``.
        public static let dialog = Kind(APER_NAVIGATION_DIALOG)
    }

    private let reference: Reference

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_navigation_ref(raw) else { return nil }
        reference = Reference(adopting: raw, aper_navigation_unref)
    }

    /// What it led to.
    public var kind: Kind {
        Kind(rawValue: aper_navigation_get_kind(reference.raw))
    }

    /// The address that was committed, after redirects.
    public var url: String { text(aper_navigation_get_url(reference.raw)) }

    /// The HTTP status of the document; nil if there was none.
    public var httpStatus: Int? {
        let status = aper_navigation_get_http_status(reference.raw)
        return status == 0 ? nil : Int(status)
    }

    /// The addresses that redirected, from the first one asked for.
    public var redirects: Items<String> {
        Items(
            reference: reference,
            endIndex: aper_navigation_get_redirect_count(reference.raw)
        ) { text(aper_navigation_get_redirect($0.raw, $1)) }
    }

    /// False if the page is committed but was still loading when time ran out.
    public var isComplete: Bool {
        aper_navigation_is_complete(reference.raw) != 0
    }

    /// The dialog that opened meanwhile.
    public var dialog: Dialog? {
        Dialog(sharing: aper_navigation_get_dialog(reference.raw))
    }
}
