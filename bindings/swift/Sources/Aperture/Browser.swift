// SPDX-License-Identifier: Apache-2.0
import CAperture

/// A connection to one Chromium: started here, or attached to.
///
/// ``close()`` ends it. A browser that is dropped without is closed as well,
/// when the last ``Tab`` of it is dropped too.
///
/// No call blocks a thread of the task system. When a task is cancelled, its
/// call throws `CancellationError`; what it already sent to a page is not
/// taken back.
public actor Browser {
    nonisolated let handle: Reference
    private var source: ReadSource?
    private var lastTag: UInt64 = 0
    private var waiting: [UInt64: CheckedContinuation<Reference, any Error>] =
        [:]
    private var readers = EventReaders()

    /// Starts a Chromium and connects to it.
    public static func launch(
        _ options: LaunchOptions = LaunchOptions()
    ) async throws -> Browser {
        try await connect { browser, error in
            try options.withC { aper_browser_launch($0, browser, error) }
        }
    }

    /// Connects to a browser that somebody else started. Such a browser is
    /// never terminated, and tabs that were not opened here are never closed.
    ///
    /// - Parameter endpoint: a port, `host:port`, a ws, wss, http or https
    ///   address, or the path of a profile directory whose browser has remote
    ///   debugging on.
    public static func attach(
        to endpoint: String, _ options: AttachOptions = AttachOptions()
    ) async throws -> Browser {
        try await connect { browser, error in
            try options.withC { c in
                try withCString(endpoint) {
                    aper_browser_attach($0, c, browser, error)
                }
            }
        }
    }

    private typealias Place = UnsafeMutablePointer<OpaquePointer?>

    private static func connect(
        _ call: @escaping @Sendable (Place, Place) throws -> aper_status
    ) async throws -> Browser {
        try checkVersion()
        let handle = try await blocking {
            var browser: OpaquePointer?
            try check { try call(&browser, $0) }
            return Reference(
                adopting: browser!, aper_browser_unref, releaseBlocks: true)
        }
        let browser = Browser(handle)
        await browser.listen()
        return browser
    }

    private init(_ handle: Reference) {
        self.handle = handle
    }

    deinit {
        source?.cancel()
        readers.finish()
    }

    private func listen() {
        source = ReadSource(browser: handle) { [weak self] in
            await self?.drain()
        }
    }

    /// Closes the connection, and the browser if it was launched here. Calls
    /// under way fail with ``ApertureError/Code/closed``, as do later ones.
    /// Calling it again does nothing.
    public func close() async {
        let handle = handle
        await withCheckedContinuation { closed in
            onThreadOfItsOwn {
                aper_browser_close(handle.raw)
                closed.resume()
            }
        }
        drain()
        finish(aper_status(APER_E_CLOSED))
    }

    /// What the browser calls itself, such as `HeadlessChrome/150.0.7871.46`.
    public nonisolated var version: String {
        text(aper_browser_get_version(handle.raw))
    }

    /// Process id of a browser launched here.
    public nonisolated var processID: Int64? {
        let pid = aper_browser_get_pid(handle.raw)
        return pid == 0 ? nil : pid
    }

    /// The WebSocket address by which another program can attach; nil over a
    /// pipe.
    public nonisolated var endpoint: String? {
        nonEmpty(aper_browser_get_endpoint(handle.raw))
    }

    /// Throws unless the connection works.
    public nonisolated func checkState() throws {
        try check(aper_browser_get_state(handle.raw))
    }

    /// The pages of the browser, in the order they were made.
    public func tabs() async throws -> [TabInfo] {
        let handle = handle
        return try await blocking {
            var list: OpaquePointer?
            try check { aper_browser_list_tabs(handle.raw, &list, $0) }
            defer { aper_tab_list_unref(list) }
            return (0..<aper_tab_list_get_count(list)).compactMap {
                TabInfo(sharing: aper_tab_list_get_info(list, $0))
            }
        }
    }

    /// Opens a tab, and shows an address in it.
    ///
    /// - Parameter url: nil is `about:blank`.
    public func open(
        url: String? = nil, _ options: OpenOptions = OpenOptions()
    ) async throws -> Tab {
        let request = OpenRequest(url: url, options: options)
        let event = try await run { browser, tag, error in
            try request.withC { aper_tab_open_start(browser, $0, tag, error) }
        }
        return try Tab(self, aper_tab_ref(aper_event_get_tab(event.raw)))
    }

    /// The tab that has the id, as in ``TabInfo/id``.
    public func tab(id: String) async throws -> Tab {
        let handle = handle
        return try await blocking {
            var tab: OpaquePointer?
            try check { error in
                try withCString(id) {
                    aper_browser_find_tab(handle.raw, $0, &tab, error)
                }
            }
            return try Tab(self, tab)
        }
    }

    /// Sets which addresses tabs may show and how dialogs are answered, for
    /// tabs that are open and tabs to come. nil restores the defaults.
    public func setPolicy(_ policy: Policy?) async throws {
        let handle = handle
        try await blocking {
            try check { error in
                guard let policy else {
                    return aper_browser_set_policy(handle.raw, nil, error)
                }
                return try policy.withC {
                    aper_browser_set_policy(handle.raw, $0, error)
                }
            }
        }
    }

    /// Sets where downloads go. Until this is called every download is
    /// refused.
    public func setDownloadDirectory(_ directory: String) async throws {
        let handle = handle
        try await blocking {
            try check { error in
                try withCString(directory) {
                    aper_browser_set_download_dir(handle.raw, $0, error)
                }
            }
        }
    }

    /// What happens in the browser from now on. Each call gives a stream of
    /// its own, which ends with the connection.
    ///
    /// A reader that lags far behind gets one ``BrowserEvent/Kind/overflow``
    /// in place of what it missed.
    public var events: AsyncStream<BrowserEvent> {
        readers.add()
    }

    /// Starts an operation and waits for its completion event.
    func run(
        _ start: @Sendable (
            OpaquePointer, UInt64, UnsafeMutablePointer<OpaquePointer?>
        ) throws -> aper_status
    ) async throws -> Reference {
        try Task.checkCancellation()
        lastTag += 1
        let tag = lastTag
        let handle = handle
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting[tag] = continuation
                do {
                    try check { try start(handle.raw, tag, $0) }
                } catch {
                    complete(tag, .failure(error))
                }
                // The handler may have run before there was what to cancel.
                if Task.isCancelled {
                    _ = aper_browser_cancel(handle.raw, tag)
                }
            }
        } onCancel: {
            _ = aper_browser_cancel(handle.raw, tag)
        }
    }

    /// The only place where a waiting call is resumed.
    private func complete(_ tag: UInt64, _ result: Result<Reference, any Error>)
    {
        waiting.removeValue(forKey: tag)?.resume(with: result)
    }

    private func drain() {
        while true {
            var event: OpaquePointer?
            let status = aper_browser_next_event(handle.raw, 0, &event)
            guard status == APER_OK, let event else {
                if status != APER_E_TIMEOUT {
                    finish(status)
                }
                return
            }
            deliver(Reference(adopting: event, aper_event_unref))
        }
    }

    private func deliver(_ event: Reference) {
        guard aper_event_get_kind(event.raw) == APER_EVENT_COMPLETION else {
            return readers.send(BrowserEvent(event))
        }
        let status = aper_event_get_status(event.raw)
        complete(
            aper_event_get_tag(event.raw),
            status == APER_OK
                ? .success(event)
                : .failure(failure(status, aper_event_get_error(event.raw))))
    }

    /// The queue is empty and nothing will come any more.
    private func finish(_ status: aper_status) {
        source?.cancel()
        source = nil
        readers.finish()
        for tag in waiting.keys {
            complete(tag, .failure(failure(status, nil)))
        }
    }
}
