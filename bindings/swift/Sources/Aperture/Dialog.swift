// SPDX-License-Identifier: Apache-2.0
import CAperture

/// A JavaScript dialog.
public struct Dialog: Sendable {
    /// What the page called.
    public struct Kind: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// `alert()`
        public static let alert = Kind(APER_DIALOG_ALERT)
        /// `confirm()`
        public static let confirm = Kind(APER_DIALOG_CONFIRM)
        /// `prompt()`
        public static let prompt = Kind(APER_DIALOG_PROMPT)
        /// The page asks before it is left.
        public static let beforeUnload = Kind(APER_DIALOG_BEFOREUNLOAD)
        /// `window.print()`; there is nothing to answer.
        public static let print = Kind(APER_DIALOG_PRINT)
    }

    private let reference: Reference

    init(adopting raw: OpaquePointer) {
        reference = Reference(adopting: raw, aper_dialog_unref)
    }

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_dialog_ref(raw) else { return nil }
        self.init(adopting: raw)
    }

    /// What the page called.
    public var kind: Kind {
        Kind(rawValue: aper_dialog_get_kind(reference.raw))
    }

    /// What it says. Written by the page: treat it as untrusted.
    public var message: String { text(aper_dialog_get_text(reference.raw)) }

    /// Origin of the document that raised it.
    public var origin: String { text(aper_dialog_get_origin(reference.raw)) }

    /// The text that a prompt proposes. Written by the page.
    public var defaultText: String {
        text(aper_dialog_get_default_text(reference.raw))
    }
}
