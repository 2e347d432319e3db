// SPDX-License-Identifier: Apache-2.0
import CAperture

/// What to do on a page, for ``Tab/act(_:)``.
public struct Action: Sendable {
    /// What to do.
    public struct Verb: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Presses and releases a mouse button on the element.
        public static let click = Verb(APER_ACT_CLICK)
        /// Types ``Action/text`` into the element, after what it holds.
        public static let type = Verb(APER_ACT_TYPE)
        /// Makes ``Action/text`` the only content of the field.
        public static let fill = Verb(APER_ACT_FILL)
        /// Presses ``Action/key`` on the element or on what has the focus.
        public static let press = Verb(APER_ACT_PRESS)
        /// Moves the mouse onto the element.
        public static let hover = Verb(APER_ACT_HOVER)
        /// Chooses the option whose label or value is ``Action/text``.
        public static let select = Verb(APER_ACT_SELECT)
        /// Scrolls the element or the page.
        public static let scroll = Verb(APER_ACT_SCROLL)
    }

    /// A mouse button.
    public struct Button: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The main button.
        public static let left = Button(APER_BUTTON_LEFT)
        /// The wheel.
        public static let middle = Button(APER_BUTTON_MIDDLE)
        /// The button for context menus.
        public static let right = Button(APER_BUTTON_RIGHT)
    }

    /// Keys that are held during a click.
    public struct Modifiers: OptionSet, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        private init(_ constant: Int) {
            rawValue = UInt32(constant)
        }

        /// Alt, or Option.
        public static let alt = Modifiers(APER_MODIFIER_ALT)
        /// Control.
        public static let control = Modifiers(APER_MODIFIER_CONTROL)
        /// Command, or the Windows key.
        public static let meta = Modifiers(APER_MODIFIER_META)
        /// Shift.
        public static let shift = Modifiers(APER_MODIFIER_SHIFT)
    }

    /// What to do.
    public var verb: Verb
    /// Ref from a snapshot of the tab.
    public var ref: String?
    /// Text to type, fill or choose.
    public var text: String?
    /// Key or chord to press, such as `Enter` or `Control+a`.
    public var key: String?
    /// The button of a click.
    public var button: Button
    /// Clicks in a row; nil is 1, 2 is a double click.
    public var clickCount: Int?
    /// Keys that are held during a click.
    public var modifiers: Modifiers
    /// CSS pixels to scroll to the right; both 0 scrolls down by most of a
    /// screen.
    public var deltaX: Double
    /// CSS pixels to scroll down.
    public var deltaY: Double
    /// Longest wait for the page to come to rest; nil is 3 seconds.
    public var settle: Duration?
    /// For the whole call; nil is 15 seconds.
    public var timeout: Duration?

    /// Sets what the verb needs; the rest keeps its default.
    public init(
        _ verb: Verb, ref: String? = nil, text: String? = nil,
        key: String? = nil, button: Button = .left, clickCount: Int? = nil,
        modifiers: Modifiers = [], deltaX: Double = 0, deltaY: Double = 0,
        settle: Duration? = nil, timeout: Duration? = nil
    ) {
        self.verb = verb
        self.ref = ref
        self.text = text
        self.key = key
        self.button = button
        self.clickCount = clickCount
        self.modifiers = modifiers
        self.deltaX = deltaX
        self.deltaY = deltaY
        self.settle = settle
        self.timeout = timeout
    }
}

extension Action: COptions {
    static var zero: aper_act_options {
        var c = aper_act_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_act_options, _ strings: CStrings) throws {
        c.verb = verb.rawValue
        c.ref = try strings.copy(ref)
        c.text = try strings.copy(text)
        c.key = try strings.copy(key)
        c.button = button.rawValue
        c.click_count = try clickCount.number
        c.modifiers = modifiers.rawValue
        c.delta_x = deltaX
        c.delta_y = deltaY
        c.settle_ms = settle.milliseconds
        c.timeout_ms = timeout.milliseconds
    }
}

/// What an action did, as far as it was seen.
public struct ActResult: Sendable {
    /// Something that was seen to happen because of an action.
    public struct Effect: Sendable, Hashable {
        /// What kind of thing happened.
        public struct Kind: CConstant {
            public let rawValue: UInt32

            public init(rawValue: UInt32) {
                self.rawValue = rawValue
            }

            /// A JavaScript dialog opened.
            public static let dialog = Kind(APER_EFFECT_DIALOG)
            /// The tab went to another document or address.
            public static let navigation = Kind(APER_EFFECT_NAVIGATION)
            /// A tab was opened.
            public static let newTab = Kind(APER_EFFECT_NEW_TAB)
            /// A download began.
            public static let download = Kind(APER_EFFECT_DOWNLOAD)
            /// The page changed.
            public static let change = Kind(APER_EFFECT_CHANGE)
            /// A field holds another value.
            public static let value = Kind(APER_EFFECT_VALUE)
            /// The focus moved.
            public static let focus = Kind(APER_EFFECT_FOCUS)
            /// Something scrolled.
            public static let scroll = Kind(APER_EFFECT_SCROLL)
            /// The tab closed.
            public static let tabClosed = Kind(APER_EFFECT_TAB_CLOSED)
        }

        /// What kind of thing happened.
        public let kind: Kind
        /// The effect in words. Text of the page in it is quoted and cut.
        public let text: String
    }

    private let reference: Reference

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_act_result_ref(raw) else { return nil }
        reference = Reference(adopting: raw, aper_act_result_unref)
    }

    /// One line: what was done and what was observed. Text of the page in it
    /// is quoted and cut.
    public var outcome: String {
        text(aper_act_result_get_outcome(reference.raw))
    }

    /// What changed since the last snapshot of the tab; nil when the page
    /// could not be read afterwards or had not been read before.
    public var diff: Diff? {
        Diff(sharing: aper_act_result_get_diff(reference.raw))
    }

    /// The page after the action; nil when it could not be read.
    public var snapshot: Snapshot? {
        Snapshot(sharing: aper_act_result_get_snapshot(reference.raw))
    }

    /// The dialog that the action opened.
    public var dialog: Dialog? {
        Dialog(sharing: aper_act_result_get_dialog(reference.raw))
    }

    /// What was seen to happen.
    public var effects: Items<Effect> {
        Items(
            reference: reference,
            endIndex: aper_act_result_get_effect_count(reference.raw)
        ) { reference, index in
            Effect(
                kind: Effect.Kind(
                    rawValue: aper_act_result_get_effect_kind(
                        reference.raw, index)),
                text: text(
                    aper_act_result_get_effect_text(reference.raw, index)))
        }
    }
}
