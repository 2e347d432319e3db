// SPDX-License-Identifier: Apache-2.0
import CAperture

/// A page of a ``Browser``. Dropping it leaves the page open; ``close()``
/// closes it.
public struct Tab: Sendable, Identifiable {
    /// The browser that shows the tab.
    public let browser: Browser
    let handle: Reference

    /// Takes a reference over; the library sets it whenever it says success.
    init(_ browser: Browser, _ raw: OpaquePointer?) throws {
        guard let raw else {
            throw ApertureError(.notFound, "no tab came with the answer")
        }
        self.browser = browser
        handle = Reference(
            adopting: raw, aper_tab_unref, releaseBlocks: true)
    }

    /// The same in every process until the tab closes, and never reused.
    public var id: String { text(aper_tab_get_id(handle.raw)) }

    /// What is known of the tab now, without asking the browser.
    public func info() throws -> TabInfo {
        var info: OpaquePointer?
        try check(aper_tab_describe(handle.raw, &info))
        return TabInfo(adopting: info!)
    }

    /// Closes the page, also one that asks before unloading. Other calls
    /// under way on the tab fail with ``ApertureError/Code/closed``.
    public func close() async throws {
        let handle = handle
        try await blocking { try check { aper_tab_close(handle.raw, $0) } }
    }

    /// Brings the tab to the front.
    public func activate() async throws {
        let handle = handle
        try await blocking { try check { aper_tab_activate(handle.raw, $0) } }
    }

    // MARK: Navigating

    /// Shows an address in the tab.
    @discardableResult
    public func navigate(
        to url: String, _ options: NavigateOptions = NavigateOptions()
    ) async throws -> Navigation {
        try await go(options) { tab, c, tag, error in
            try withCString(url) {
                aper_tab_navigate_start(tab, $0, c, tag, error)
            }
        }
    }

    /// Goes one step back in the tab's history.
    @discardableResult
    public func back(
        _ options: NavigateOptions = NavigateOptions()
    ) async throws -> Navigation {
        try await go(options, aper_tab_back_start)
    }

    /// Goes one step forward in the tab's history.
    @discardableResult
    public func forward(
        _ options: NavigateOptions = NavigateOptions()
    ) async throws -> Navigation {
        try await go(options, aper_tab_forward_start)
    }

    /// Loads the tab's page again.
    @discardableResult
    public func reload(
        _ options: NavigateOptions = NavigateOptions()
    ) async throws -> Navigation {
        try await go(options, aper_tab_reload_start)
    }

    /// Waits until the page is as described: shows a text, no longer shows
    /// one, has an address that contains `url`, and has loaded.
    ///
    /// - Parameter timeout: nil is 10 seconds.
    public func wait(
        text: String? = nil, textGone: String? = nil, url: String? = nil,
        loaded: Bool = false, timeout: Duration? = nil
    ) async throws {
        let options = WaitOptions(
            text: text, textGone: textGone, url: url, loaded: loaded,
            timeout: timeout)
        _ = try await run { tab, tag, error in
            try options.withC { aper_tab_wait_start(tab, $0, tag, error) }
        }
    }

    // MARK: Reading

    /// Reads the page.
    ///
    /// - Parameters:
    ///   - budget: upper limit of the text in tokens, at least 100; nil is
    ///     2,000, ``Snapshot/unlimited`` no limit. What does not fit is
    ///     counted where it would stand.
    ///   - expand: a ref; what lies in that element and was left out around it
    ///     is shown first.
    ///   - find: lines that contain this text are shown first.
    ///   - scope: a ref; only that element is shown.
    ///   - timeout: nil is 10 seconds.
    public func snapshot(
        budget: Int? = nil, expand: String? = nil, find: String? = nil,
        scope: String? = nil, timeout: Duration? = nil
    ) async throws -> Snapshot {
        let options = SnapshotOptions(
            budget: budget, expand: expand, find: find, scope: scope,
            timeout: timeout)
        let event = try await run { tab, tag, error in
            try options.withC { aper_snapshot_take_start(tab, $0, tag, error) }
        }
        return try result(Snapshot(sharing: aper_event_get_snapshot(event.raw)))
    }

    /// Reads the page and tells what changed since it was last read, by
    /// ``snapshot(budget:timeout:)``, an action or this.
    ///
    /// - Parameters:
    ///   - budget: upper limit of the text in tokens, at least 100; nil is
    ///     that of the last snapshot. What would cost more is a reset.
    ///   - resetPercent: share of changed lines above which the text is a
    ///     reset; nil is 50.
    ///   - resetAfter: after so many differences in a row the next one is a
    ///     reset; nil is 50.
    ///   - restatesVolatile: whether to tell of clocks and of what changes by
    ///     itself all the time, which is only counted otherwise.
    ///   - timeout: nil is 10 seconds.
    public func diff(
        budget: Int? = nil, resetPercent: Int? = nil, resetAfter: Int? = nil,
        restatesVolatile: Bool = false, timeout: Duration? = nil
    ) async throws -> Diff {
        let options = DiffOptions(
            budget: budget, resetPercent: resetPercent, resetAfter: resetAfter,
            restatesVolatile: restatesVolatile, timeout: timeout)
        let event = try await run { tab, tag, error in
            try options.withC { aper_diff_take_start(tab, $0, tag, error) }
        }
        return try result(Diff(sharing: aper_event_get_diff(event.raw)))
    }

    /// Takes a picture of the viewport, the whole page or one element.
    public func screenshot(
        _ options: ScreenshotOptions = ScreenshotOptions()
    ) async throws -> Capture {
        let event = try await run { tab, tag, error in
            try options.withC { aper_tab_screenshot_start(tab, $0, tag, error) }
        }
        return try result(Capture(sharing: aper_event_get_capture(event.raw)))
    }

    /// Prints the page into a PDF file in memory.
    public func pdf(
        _ options: PDFOptions = PDFOptions()
    ) async throws -> Capture {
        let event = try await run { tab, tag, error in
            try options.withC { aper_tab_pdf_start(tab, $0, tag, error) }
        }
        return try result(Capture(sharing: aper_event_get_capture(event.raw)))
    }

    /// The console entries that came after the given ``LogEntry/sequence``; 0
    /// gives all that are kept, the last 500.
    public func console(after sequence: UInt64 = 0) throws -> Log {
        try log(after: sequence, aper_tab_get_console)
    }

    /// The requests that finished or failed after the given
    /// ``LogEntry/sequence``; 0 gives all that are kept, the last 500.
    public func network(after sequence: UInt64 = 0) throws -> Log {
        try log(after: sequence, aper_tab_get_network)
    }

    // MARK: Acting

    /// Acts on the page, waits for it to come to rest and reports what was
    /// seen. When a dialog opens the call returns at once and names it.
    @discardableResult
    public func act(_ action: Action) async throws -> ActResult {
        let event = try await run { tab, tag, error in
            try action.withC { aper_tab_act_start(tab, $0, tag, error) }
        }
        return try result(
            ActResult(
                sharing: aper_event_get_act_result(event.raw)))
    }

    /// Clicks the element that has the ref.
    @discardableResult
    public func click(_ ref: String) async throws -> ActResult {
        try await act(Action(.click, ref: ref))
    }

    /// Types text into a field, after what it holds.
    @discardableResult
    public func type(
        _ text: String, into ref: String
    ) async throws -> ActResult {
        try await act(Action(.type, ref: ref, text: text))
    }

    /// Makes text the only content of a field.
    @discardableResult
    public func fill(
        _ ref: String, with text: String
    ) async throws -> ActResult {
        try await act(Action(.fill, ref: ref, text: text))
    }

    /// Presses a key or a chord, such as `Enter` or `Control+a`, on an element
    /// or on what has the focus.
    @discardableResult
    public func press(
        _ key: String, on ref: String? = nil
    ) async throws -> ActResult {
        try await act(Action(.press, ref: ref, key: key))
    }

    /// Moves the mouse onto an element.
    @discardableResult
    public func hover(_ ref: String) async throws -> ActResult {
        try await act(Action(.hover, ref: ref))
    }

    /// Chooses the option of a native select whose label or value is `option`.
    @discardableResult
    public func select(
        _ option: String, in ref: String
    ) async throws -> ActResult {
        try await act(Action(.select, ref: ref, text: option))
    }

    /// Scrolls an element, or the page, by CSS pixels; by default down by most
    /// of a screen.
    @discardableResult
    public func scroll(
        _ ref: String? = nil, x: Double = 0, y: Double = 0
    ) async throws -> ActResult {
        try await act(Action(.scroll, ref: ref, deltaX: x, deltaY: y))
    }

    // MARK: Dialogs

    /// The dialog that is open in the tab; nil if none is.
    public func dialog() throws -> Dialog? {
        var dialog: OpaquePointer?
        let status = aper_tab_get_dialog(handle.raw, &dialog)
        if status == APER_E_NO_DIALOG {
            return nil
        }
        try check(status)
        return Dialog(adopting: dialog!)
    }

    /// Answers the dialog that is open in the tab.
    ///
    /// - Parameters:
    ///   - accept: OK, or Cancel.
    ///   - text: the answer to a prompt.
    public func answerDialog(
        accept: Bool, text: String? = nil
    ) async throws {
        let handle = handle
        try await blocking {
            try check { error in
                try withCString(text) {
                    aper_tab_answer_dialog(
                        handle.raw, accept ? 1 : 0, $0, error)
                }
            }
        }
    }

    // MARK: Expert

    /// Makes the tab pretend to be another device or place. nil ends all of
    /// it.
    public func emulate(_ emulation: Emulation?) async throws {
        let handle = handle
        try await blocking {
            try check { error in
                guard let emulation else {
                    return aper_tab_emulate(handle.raw, nil, error)
                }
                return try emulation.withC {
                    aper_tab_emulate(handle.raw, $0, error)
                }
            }
        }
    }

    /// Runs JavaScript in the page's own world and gets its result as JSON.
    /// Refused unless ``LaunchOptions/allowEvaluate`` was set. The result is
    /// written by the page: treat it as untrusted.
    ///
    /// - Parameter timeout: nil is 10 seconds.
    public func evaluate(
        _ source: String, timeout: Duration? = nil
    ) async throws -> String {
        let handle = handle
        return try await blocking {
            var json: UnsafeMutablePointer<CChar>?
            try check { error in
                try withCString(source) {
                    aper_tab_eval(
                        handle.raw, $0, timeout.milliseconds, &json, error)
                }
            }
            defer { aper_free(json) }
            return Aperture.text(json)
        }
    }

    // MARK: Inside

    private func run(
        _ start:
            @escaping @Sendable (
                OpaquePointer, UInt64, UnsafeMutablePointer<OpaquePointer?>
            ) throws -> aper_status
    ) async throws -> Reference {
        let handle = handle
        return try await browser.run { _, tag, error in
            try start(handle.raw, tag, error)
        }
    }

    /// The library sets the result whenever it says success.
    private func result<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            throw ApertureError(.protocol, "no result came with the answer")
        }
        return value
    }

    private func go(
        _ options: NavigateOptions,
        _ start:
            @escaping @Sendable (
                OpaquePointer, UnsafePointer<aper_navigate_options>, UInt64,
                UnsafeMutablePointer<OpaquePointer?>
            ) throws -> aper_status
    ) async throws -> Navigation {
        let event = try await run { tab, tag, error in
            try options.withC { try start(tab, $0, tag, error) }
        }
        return try result(
            Navigation(sharing: aper_event_get_navigation(event.raw)))
    }

    private func log(
        after sequence: UInt64,
        _ call: (
            OpaquePointer?, UInt64, UnsafeMutablePointer<OpaquePointer?>?
        ) -> aper_status
    ) throws -> Log {
        var log: OpaquePointer?
        try check(call(handle.raw, sequence, &log))
        return Log(adopting: log!)
    }
}
