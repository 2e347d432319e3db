// SPDX-License-Identifier: Apache-2.0
import CAperture

/// Something that happened in the browser by itself.
public struct BrowserEvent: Sendable {
    /// What happened. Skip kinds that you do not know.
    public struct Kind: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// A tab was opened, by this program or by a page.
        public static let tabOpened = Kind(APER_EVENT_TAB_OPENED)
        /// A tab is no more.
        public static let tabClosed = Kind(APER_EVENT_TAB_CLOSED)
        /// A tab's renderer crashed.
        public static let tabCrashed = Kind(APER_EVENT_TAB_CRASHED)
        /// The tab committed another document or address.
        public static let tabNavigated = Kind(APER_EVENT_TAB_NAVIGATED)
        /// A JavaScript dialog opened.
        public static let dialogOpened = Kind(APER_EVENT_DIALOG_OPENED)
        /// It was answered.
        public static let dialogClosed = Kind(APER_EVENT_DIALOG_CLOSED)
        /// A download began, ended or failed.
        public static let download = Kind(APER_EVENT_DOWNLOAD)
        /// The policy refused something that a page tried.
        public static let blocked = Kind(APER_EVENT_BLOCKED)
        /// Events were dropped, as nobody fetched them.
        public static let overflow = Kind(APER_EVENT_OVERFLOW)
        /// The connection ended; the last event.
        public static let browserGone = Kind(APER_EVENT_BROWSER_GONE)
    }

    /// What happened.
    public let kind: Kind
    /// Id of the tab concerned.
    public let tabID: String?
    /// The address concerned: the committed, the refused, or that of the new
    /// tab.
    public let url: String?
    /// Id of the tab that opened the new one.
    public let openerID: String?
    /// The dialog that opened or closed.
    public let dialog: Dialog?
    /// The download concerned.
    public let download: Download?
    /// How the connection ended.
    public let error: ApertureError?

    init(_ event: Reference) {
        kind = Kind(rawValue: aper_event_get_kind(event.raw))
        tabID = nonEmpty(aper_event_get_tab_id(event.raw))
        url = nonEmpty(aper_event_get_url(event.raw))
        openerID = nonEmpty(aper_event_get_opener_id(event.raw))
        dialog = Dialog(sharing: aper_event_get_dialog(event.raw))
        download = Download(sharing: aper_event_get_download(event.raw))
        let status = aper_event_get_status(event.raw)
        error =
            status == APER_OK
            ? nil
            : failure(status, aper_event_get_error(event.raw))
                as? ApertureError
    }

    /// An event that carries nothing else.
    init(_ kind: Kind) {
        self.kind = kind
        tabID = nil
        url = nil
        openerID = nil
        dialog = nil
        download = nil
        error = nil
    }
}

/// A file that a page sends.
public struct Download: Sendable, Identifiable {
    /// How far the download is.
    public struct State: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Bytes are still to come.
        public static let running = State(APER_DOWNLOAD_RUNNING)
        /// The file is whole.
        public static let complete = State(APER_DOWNLOAD_COMPLETE)
        /// It broke off.
        public static let failed = State(APER_DOWNLOAD_FAILED)
        /// No directory was set, or the policy forbids it.
        public static let refused = State(APER_DOWNLOAD_REFUSED)
    }

    private let reference: Reference

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_download_ref(raw) else { return nil }
        reference = Reference(adopting: raw, aper_download_unref)
    }

    /// Stays the same through the download.
    public var id: String { text(aper_download_get_id(reference.raw)) }

    /// Where it comes from.
    public var url: String { text(aper_download_get_url(reference.raw)) }

    /// A safe name for the file, without path.
    public var name: String { text(aper_download_get_name(reference.raw)) }

    /// Where the file is, once it is complete.
    public var path: String? { nonEmpty(aper_download_get_path(reference.raw)) }

    /// SHA-256 of the file in hexadecimal, once it is complete.
    public var sha256: String? {
        nonEmpty(aper_download_get_sha256(reference.raw))
    }

    /// How far it is.
    public var state: State {
        State(rawValue: aper_download_get_state(reference.raw))
    }

    /// Bytes received.
    public var size: UInt64 { aper_download_get_size(reference.raw) }
}
