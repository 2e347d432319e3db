// SPDX-License-Identifier: Apache-2.0
import CAperture

/// What changed between two snapshots of a tab.
public struct Diff: Sendable {
    /// One changed line.
    public struct Operation: Sendable, Hashable {
        /// `+` for a line that came, `-` for one that went, `~` for one
        /// restated, `>` for one that moved.
        public let kind: Character
        /// The line. Written by the page.
        public let line: String
    }

    private let reference: Reference

    init(adopting raw: OpaquePointer) {
        reference = Reference(adopting: raw, aper_diff_unref)
    }

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_diff_ref(raw) else { return nil }
        self.init(adopting: raw)
    }

    /// The difference as text for an agent: a header that names both states,
    /// then inside one fence the lines that went, came, moved or were
    /// restated. A reset is the whole new text.
    public var text: String { Aperture.text(aper_diff_get_text(reference.raw)) }

    /// The id of the state it starts from, empty if there is none.
    public var fromID: String {
        Aperture.text(aper_diff_get_from_id(reference.raw))
    }

    /// The id of the state it leads to.
    public var toID: String {
        Aperture.text(aper_diff_get_to_id(reference.raw))
    }

    /// Whether there is nothing to be told; volatile lines may have changed.
    public var isEmpty: Bool { aper_diff_is_empty(reference.raw) != 0 }

    /// Whether the text replaces everything read before.
    public var isReset: Bool { aper_diff_is_reset(reference.raw) != 0 }

    /// About how many tokens the text costs a model.
    public var tokenEstimate: Int {
        Int(aper_diff_get_token_estimate(reference.raw))
    }

    /// How many lines changed and are not restated: clocks, and what changes
    /// by itself all the time. The text says it too.
    public var volatileCount: Int {
        aper_diff_get_volatile_count(reference.raw)
    }

    /// The changed lines; none for a reset.
    public var operations: Items<Operation> {
        Items(
            reference: reference,
            endIndex: aper_diff_get_op_count(reference.raw)
        ) { reference, index in
            let kind = UInt8(
                truncatingIfNeeded: aper_diff_get_op_kind(reference.raw, index))
            return Operation(
                kind: Character(UnicodeScalar(kind)),
                line: Aperture.text(aper_diff_get_op_line(reference.raw, index))
            )
        }
    }
}
