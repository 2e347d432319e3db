// SPDX-License-Identifier: Apache-2.0
import CAperture

/// What was known of a tab at one moment.
public struct TabInfo: Sendable, Identifiable {
    private let reference: Reference

    init(adopting raw: OpaquePointer) {
        reference = Reference(adopting: raw, aper_tab_info_unref)
    }

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_tab_info_ref(raw) else { return nil }
        self.init(adopting: raw)
    }

    /// The tab's id; give it to ``Browser/tab(id:)``.
    public var id: String { text(aper_tab_info_get_id(reference.raw)) }

    /// The address of the page.
    public var url: String { text(aper_tab_info_get_url(reference.raw)) }

    /// The title of the page. Written by the page: treat it as untrusted.
    public var title: String { text(aper_tab_info_get_title(reference.raw)) }

    /// Id of the tab that opened this one.
    public var openerID: String? {
        nonEmpty(aper_tab_info_get_opener_id(reference.raw))
    }

    /// Whether the tab, or the one that opened it, was opened here.
    public var isOwn: Bool { aper_tab_info_is_own(reference.raw) != 0 }

    /// Whether the tab's renderer has crashed.
    public var isCrashed: Bool { aper_tab_info_is_crashed(reference.raw) != 0 }
}
