// SPDX-License-Identifier: Apache-2.0
import CAperture

/// When a navigation counts as finished.
public struct Until: CConstant {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The document's load event.
    public static let load = Until(APER_UNTIL_LOAD)
    /// The browser shows the new document, which may still be empty.
    public static let commit = Until(APER_UNTIL_COMMIT)
    /// The document is parsed.
    public static let domReady = Until(APER_UNTIL_DOM_READY)
}

/// How to open a tab.
public struct OpenOptions: Sendable {
    /// Brings the tab to the front.
    public var inForeground: Bool
    /// For the whole call; nil is 30 seconds.
    public var timeout: Duration?
    /// When the navigation counts as finished.
    public var until: Until

    /// Every field keeps its default unless given.
    public init(
        inForeground: Bool = false, timeout: Duration? = nil,
        until: Until = .load
    ) {
        self.inForeground = inForeground
        self.timeout = timeout
        self.until = until
    }
}

/// ``OpenOptions`` and the address, which are one struct in C.
struct OpenRequest: COptions {
    let url: String?
    let options: OpenOptions

    static var zero: aper_open_options {
        var c = aper_open_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_open_options, _ strings: CStrings) throws {
        c.url = try strings.copy(url)
        c.foreground = options.inForeground.flag
        c.timeout_ms = options.timeout.milliseconds
        c.until = options.until.rawValue
    }
}

/// How to navigate.
public struct NavigateOptions: Sendable {
    /// For the whole call; nil is 30 seconds.
    public var timeout: Duration?
    /// When the navigation counts as finished.
    public var until: Until
    /// Referrer to send.
    public var referrer: String?
    /// Makes a reload bypass the cache.
    public var ignoreCache: Bool

    /// Every field keeps its default unless given.
    public init(
        timeout: Duration? = nil, until: Until = .load,
        referrer: String? = nil, ignoreCache: Bool = false
    ) {
        self.timeout = timeout
        self.until = until
        self.referrer = referrer
        self.ignoreCache = ignoreCache
    }
}

extension NavigateOptions: COptions {
    static var zero: aper_navigate_options {
        var c = aper_navigate_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_navigate_options, _ strings: CStrings) throws {
        c.timeout_ms = timeout.milliseconds
        c.until = until.rawValue
        c.referrer = try strings.copy(referrer)
        c.ignore_cache = ignoreCache.flag
    }
}

/// What to wait for; every condition that is set must hold.
struct WaitOptions: COptions {
    var text: String?
    var textGone: String?
    var url: String?
    var loaded: Bool
    var timeout: Duration?

    static var zero: aper_wait_options {
        var c = aper_wait_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_wait_options, _ strings: CStrings) throws {
        c.text = try strings.copy(text)
        c.text_gone = try strings.copy(textGone)
        c.url = try strings.copy(url)
        c.loaded = loaded.flag
        c.timeout_ms = timeout.milliseconds
    }
}

/// What a tab pretends to be; nil leaves the browser's own value.
public struct Emulation: Sendable {
    /// A place on earth.
    public struct Location: Sendable {
        /// Degrees.
        public var latitude: Double
        /// Degrees.
        public var longitude: Double
        /// Metres; nil is 50.
        public var accuracy: Double?

        /// A place, with the accuracy to report.
        public init(
            latitude: Double, longitude: Double, accuracy: Double? = nil
        ) {
            self.latitude = latitude
            self.longitude = longitude
            self.accuracy = accuracy
        }
    }

    /// Viewport in CSS pixels; both or none.
    public var width: Int?
    /// Viewport height; both or none.
    public var height: Int?
    /// Device pixels per CSS pixel.
    public var scale: Double?
    /// Behaves like a phone: touch, viewport meta tag, overlay scrollbars.
    public var isMobile: Bool
    /// Cuts the tab off the network.
    public var isOffline: Bool
    /// Where the device is.
    public var location: Location?
    /// BCP 47 tag such as `de-DE`.
    public var locale: String?
    /// IANA name such as `Europe/Berlin`.
    public var timezone: String?
    /// User-Agent header; client hints are made to agree with it.
    public var userAgent: String?

    /// Every field keeps its default unless given.
    public init(
        width: Int? = nil, height: Int? = nil, scale: Double? = nil,
        isMobile: Bool = false, isOffline: Bool = false,
        location: Location? = nil, locale: String? = nil,
        timezone: String? = nil, userAgent: String? = nil
    ) {
        self.width = width
        self.height = height
        self.scale = scale
        self.isMobile = isMobile
        self.isOffline = isOffline
        self.location = location
        self.locale = locale
        self.timezone = timezone
        self.userAgent = userAgent
    }
}

extension Emulation: COptions {
    static var zero: aper_emulation_options {
        var c = aper_emulation_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_emulation_options, _ strings: CStrings) throws {
        c.width = try width.number
        c.height = try height.number
        c.scale_permille = try scale.permille
        c.mobile = isMobile.flag
        c.offline = isOffline.flag
        c.locale = try strings.copy(locale)
        c.timezone = try strings.copy(timezone)
        c.user_agent = try strings.copy(userAgent)
        if let location {
            c.has_geolocation = 1
            c.latitude = location.latitude
            c.longitude = location.longitude
            c.accuracy_m = location.accuracy ?? 0
        }
    }
}

extension Optional where Wrapped == Double {
    fileprivate var permille: UInt32 {
        get throws {
            guard let self else { return 0 }
            guard let permille = UInt32(exactly: (self * 1000).rounded()),
                permille > 0
            else {
                throw ApertureError(.invalid, "scale \(self) is out of range")
            }
            return permille
        }
    }
}

/// How to read a page.
struct SnapshotOptions: COptions {
    var budget: Int?
    var expand: String?
    var find: String?
    var scope: String?
    var timeout: Duration?

    static var zero: aper_snapshot_options {
        var c = aper_snapshot_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_snapshot_options, _ strings: CStrings) throws {
        c.budget_tokens = try budget.number
        c.expand = try strings.copy(expand)
        c.find = try strings.copy(find)
        c.scope = try strings.copy(scope)
        c.timeout_ms = timeout.milliseconds
    }
}

/// How to read what changed.
struct DiffOptions: COptions {
    var budget: Int?
    var resetPercent: Int?
    var resetAfter: Int?
    var restatesVolatile: Bool
    var timeout: Duration?

    static var zero: aper_diff_options {
        var c = aper_diff_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_diff_options, _ strings: CStrings) throws {
        c.budget_tokens = try budget.number
        c.reset_percent = try resetPercent.number
        c.reset_after = try resetAfter.number
        c.restate_volatile = restatesVolatile ? 1 : 0
        c.timeout_ms = timeout.milliseconds
    }
}
