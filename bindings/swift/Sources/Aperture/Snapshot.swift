// SPDX-License-Identifier: Apache-2.0
import CAperture

/// What a page showed at one moment, as compact text and as nodes.
public struct Snapshot: Sendable, Identifiable {
    /// A budget that is no limit.
    public static let unlimited = Int(UInt32.max)

    let reference: Reference

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_snapshot_ref(raw) else { return nil }
        reference = Reference(adopting: raw, aper_snapshot_unref)
    }

    /// The page as text for an agent, one line per row of meaning, everything
    /// that the page wrote inside one fence.
    public var text: String {
        Aperture.text(aper_snapshot_get_text(reference.raw))
    }

    /// The name of this state, such as `7.3`: it rises with every state of the
    /// tab, and the first number with every reset.
    public var id: String {
        Aperture.text(aper_snapshot_get_id(reference.raw))
    }

    /// The address of the page.
    public var url: String {
        Aperture.text(aper_snapshot_get_url(reference.raw))
    }

    /// The title of the page. Written by the page: treat it as untrusted.
    public var title: String {
        Aperture.text(aper_snapshot_get_title(reference.raw))
    }

    /// About how many tokens the text costs a model.
    public var tokenEstimate: Int {
        Int(aper_snapshot_get_token_estimate(reference.raw))
    }

    /// The nodes that the text shows, in document order; the first is the page
    /// itself, and those of the role `more` count what is not shown.
    public var nodes: Items<Node> {
        Items(
            reference: reference,
            endIndex: aper_snapshot_get_node_count(reference.raw)
        ) { Node(reference: $0, index: $1) }
    }

    /// The first node whose name or value contains the text, without regard
    /// to ASCII case.
    ///
    /// - Parameters:
    ///   - role: look only at nodes of this role, such as `button`.
    ///   - index: where in ``nodes`` to start.
    public func find(
        _ text: String, role: String? = nil, from index: Int = 0
    ) -> Node? {
        guard !text.utf8.contains(0) else { return nil }
        let nodes = nodes
        var start = index
        while nodes.indices.contains(start) {
            let found = aper_snapshot_find_text(reference.raw, text, start)
            guard nodes.indices.contains(found) else { return nil }
            if role == nil || nodes[found].role == role {
                return nodes[found]
            }
            start = found + 1
        }
        return nil
    }

    /// The node that has the ref.
    public func find(ref: String) -> Node? {
        let nodes = nodes
        let found = aper_snapshot_find_ref(reference.raw, ref)
        return nodes.indices.contains(found) ? nodes[found] : nil
    }

    /// The nodes as JSON: an object with `id`, `url`, `title` and `page`, whose
    /// nodes have `children`.
    public func json() throws -> String {
        var json: UnsafeMutablePointer<CChar>?
        try check(aper_snapshot_to_json(reference.raw, &json))
        defer { aper_free(json) }
        return Aperture.text(json)
    }

    /// What changed from this snapshot to a later one of the same tab.
    public func diff(to later: Snapshot) throws -> Diff {
        var diff: OpaquePointer?
        try check(
            aper_diff_compute(reference.raw, later.reference.raw, &diff))
        return Diff(adopting: diff!)
    }
}

/// One element or text of a ``Snapshot``.
public struct Node: Sendable {
    let reference: Reference
    /// Where it stands in ``Snapshot/nodes``.
    public let index: Int

    /// How deep it lies; the page itself is 0.
    public var depth: Int {
        Int(aper_snapshot_get_node_depth(reference.raw, index))
    }

    /// Such as `button`.
    public var role: String {
        text(aper_snapshot_get_node_role(reference.raw, index))
    }

    /// The accessible name. Written by the page.
    public var name: String {
        text(aper_snapshot_get_node_name(reference.raw, index))
    }

    /// The value; secrets are never read. Written by the page.
    public var value: String {
        text(aper_snapshot_get_node_value(reference.raw, index))
    }

    /// The states that are set, such as `checked`.
    public var states: [Substring] {
        text(aper_snapshot_get_node_states(reference.raw, index))
            .split(separator: " ")
    }

    /// Where a link leads, whole. Written by the page.
    public var href: String? {
        nonEmpty(aper_snapshot_get_node_href(reference.raw, index))
    }

    /// By which it can be acted on, such as `e419733`; nil if it cannot be.
    public var ref: String? {
        nonEmpty(aper_snapshot_get_node_ref(reference.raw, index))
    }
}
