// SPDX-License-Identifier: Apache-2.0
import CAperture

/// How to start a browser.
public struct LaunchOptions: Sendable {
    /// Program to run; nil looks for Chrome and Chromium.
    public var executable: String?
    /// Directory kept between runs; nil makes a private one that is removed
    /// with the browser.
    public var profileDirectory: String?
    /// Switches to add, such as `--lang=de`.
    public var extraArguments: [String]
    /// Shows windows.
    public var isHeaded: Bool
    /// Turns Chromium's sandbox off; needed as root and in many containers.
    public var noSandbox: Bool
    /// Connects through a pipe, so that no other process can connect.
    public var usePipe: Bool
    /// Until the browser must have answered; nil is 30 seconds.
    public var timeout: Duration?
    /// Window size in CSS pixels; nil is 1280 x 800.
    public var width: Int?
    /// Window height; see ``width``.
    public var height: Int?
    /// Proxy for all traffic, such as `socks5://127.0.0.1:1080`.
    public var proxy: String?
    /// Allows ``Tab/evaluate(_:timeout:)``.
    public var allowEvaluate: Bool

    /// Every field keeps its default unless given.
    public init(
        executable: String? = nil, profileDirectory: String? = nil,
        extraArguments: [String] = [], isHeaded: Bool = false,
        noSandbox: Bool = false, usePipe: Bool = false,
        timeout: Duration? = nil, width: Int? = nil, height: Int? = nil,
        proxy: String? = nil, allowEvaluate: Bool = false
    ) {
        self.executable = executable
        self.profileDirectory = profileDirectory
        self.extraArguments = extraArguments
        self.isHeaded = isHeaded
        self.noSandbox = noSandbox
        self.usePipe = usePipe
        self.timeout = timeout
        self.width = width
        self.height = height
        self.proxy = proxy
        self.allowEvaluate = allowEvaluate
    }
}

extension LaunchOptions: COptions {
    static var zero: aper_launch_options {
        var c = aper_launch_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_launch_options, _ strings: CStrings) throws {
        c.executable = try strings.copy(executable)
        c.profile_dir = try strings.copy(profileDirectory)
        c.extra_args = try strings.copy(extraArguments)
        c.headed = isHeaded.flag
        c.no_sandbox = noSandbox.flag
        c.use_pipe = usePipe.flag
        c.timeout_ms = timeout.milliseconds
        c.width = try width.number
        c.height = try height.number
        c.proxy = try strings.copy(proxy)
        c.allow_eval = allowEvaluate.flag
    }
}

/// How to connect to a running browser.
public struct AttachOptions: Sendable {
    /// `Name: value` lines for the WebSocket request.
    public var headers: [String]
    /// Sent as `Authorization: Bearer …`; never logged or repeated.
    public var bearerToken: String?
    /// PEM file with the certificates to trust; nil is the system's.
    public var certificateFile: String?
    /// Until connected; nil is 30 seconds.
    public var timeout: Duration?
    /// Allows ``Tab/evaluate(_:timeout:)``.
    public var allowEvaluate: Bool

    /// Every field keeps its default unless given.
    public init(
        headers: [String] = [], bearerToken: String? = nil,
        certificateFile: String? = nil, timeout: Duration? = nil,
        allowEvaluate: Bool = false
    ) {
        self.headers = headers
        self.bearerToken = bearerToken
        self.certificateFile = certificateFile
        self.timeout = timeout
        self.allowEvaluate = allowEvaluate
    }
}

extension AttachOptions: COptions {
    static var zero: aper_attach_options {
        var c = aper_attach_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_attach_options, _ strings: CStrings) throws {
        c.headers = try strings.copy(headers)
        c.bearer_token = try strings.copy(bearerToken)
        c.ca_file = try strings.copy(certificateFile)
        c.timeout_ms = timeout.milliseconds
        c.allow_eval = allowEvaluate.flag
    }
}

/// Which addresses tabs may show, and who answers dialogs.
public struct Policy: Sendable {
    /// Hosts that may be reached, `example.org` or `*.example.org`; nil allows
    /// every host.
    public var allowHosts: [String]?
    /// Hosts that may not; wins over ``allowHosts``.
    public var denyHosts: [String]
    /// Schemes allowed besides http, https and about:blank, such as `file`.
    public var extraSchemes: [String]
    /// Refuses loopback, private and link-local addresses.
    public var denyPrivate: Bool
    /// Who answers `alert` and `print`; by default they are accepted after
    /// they were reported.
    public var onAlert: DialogPolicy
    /// Who answers `confirm` and `prompt`; by default the program.
    public var onConfirm: DialogPolicy
    /// Who answers `beforeunload`; by default the program.
    public var onBeforeUnload: DialogPolicy

    /// Every field keeps its default unless given.
    public init(
        allowHosts: [String]? = nil, denyHosts: [String] = [],
        extraSchemes: [String] = [], denyPrivate: Bool = false,
        onAlert: DialogPolicy = .default, onConfirm: DialogPolicy = .default,
        onBeforeUnload: DialogPolicy = .default
    ) {
        self.allowHosts = allowHosts
        self.denyHosts = denyHosts
        self.extraSchemes = extraSchemes
        self.denyPrivate = denyPrivate
        self.onAlert = onAlert
        self.onConfirm = onConfirm
        self.onBeforeUnload = onBeforeUnload
    }
}

extension Policy: COptions {
    static var zero: aper_policy_options {
        var c = aper_policy_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_policy_options, _ strings: CStrings) throws {
        c.allow_hosts = try strings.copy(allowHosts)
        c.deny_hosts = try strings.copy(denyHosts)
        c.extra_schemes = try strings.copy(extraSchemes)
        c.deny_private = denyPrivate.flag
        c.on_alert = onAlert.rawValue
        c.on_confirm = onConfirm.rawValue
        c.on_beforeunload = onBeforeUnload.rawValue
    }
}

/// Who answers a JavaScript dialog.
public struct DialogPolicy: CConstant {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// As said beside each field of ``Policy``.
    public static let `default` = DialogPolicy(APER_DIALOG_POLICY_DEFAULT)
    /// Stays open until ``Tab/answerDialog(accept:text:)``.
    public static let ask = DialogPolicy(APER_DIALOG_POLICY_ASK)
    /// Answered with OK at once.
    public static let accept = DialogPolicy(APER_DIALOG_POLICY_ACCEPT)
    /// Answered with Cancel at once.
    public static let dismiss = DialogPolicy(APER_DIALOG_POLICY_DISMISS)
}
