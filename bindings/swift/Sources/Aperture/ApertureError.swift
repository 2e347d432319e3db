// SPDX-License-Identifier: Apache-2.0
import CAperture

/// Why a call failed.
///
/// A cancelled task gets a `CancellationError` instead.
public struct ApertureError: Error, Sendable, Hashable {
    /// What kind of failure it is; branch on this.
    public let code: Code

    /// One line for a person: what failed, on what, and what to do about it.
    public let message: String

    /// Whether the same call may succeed when simply made again.
    public let isRetryable: Bool

    /// Whether the browser or tab that the call was made on is of no more use.
    public let isFatal: Bool

    /// The CDP method that the browser refused, such as `Page.navigate`.
    public let cdpMethod: String?

    /// The code that the browser gave for the refused method.
    public let cdpCode: Int32?

    /// A stable code. A newer library may give codes that are not named here.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        private init(_ constant: Int) {
            rawValue = Int32(constant)
        }

        /// An argument is out of range, malformed or contradicts another.
        public static let invalid = Code(APER_E_INVAL)
        /// Memory could not be had. Nothing changed.
        public static let noMemory = Code(APER_E_NOMEM)
        /// The deadline passed. What was begun may still happen.
        public static let timeout = Code(APER_E_TIMEOUT)
        /// The operation was cancelled; thrown as `CancellationError`.
        public static let cancelled = Code(APER_E_CANCELLED)
        /// The browser was closed, or the tab was.
        public static let closed = Code(APER_E_CLOSED)
        /// The browser or the connection to it is no more.
        public static let gone = Code(APER_E_GONE)
        /// The tab's renderer crashed; navigating it brings it back.
        public static let crashed = Code(APER_E_CRASHED)
        /// Called in a child of `fork()`.
        public static let forked = Code(APER_E_FORKED)
        /// The library does not accept the size of an options struct.
        public static let optionsSize = Code(APER_E_OPTIONS_SIZE)
        /// This package is older than the library accepts.
        public static let optionsOld = Code(APER_E_OPTIONS_OLD)
        /// This package is newer than the library.
        public static let optionsNew = Code(APER_E_OPTIONS_NEW)
        /// The other side broke CDP, WebSocket, HTTP or JSON.
        public static let `protocol` = Code(APER_E_PROTOCOL)
        /// The browser refused a command; see ``ApertureError/cdpCode``.
        public static let remote = Code(APER_E_REMOTE)
        /// The endpoint could not be reached, or refused the connection.
        public static let connect = Code(APER_E_CONNECT)
        /// An untrusted, expired or wrong certificate, or no TLS.
        public static let tls = Code(APER_E_TLS)
        /// The endpoint wants other credentials.
        public static let authentication = Code(APER_E_AUTH)
        /// The browser did not start; the message ends with its last output.
        public static let launch = Code(APER_E_LAUNCH)
        /// Chromium's sandbox cannot work here; the message names the option.
        public static let sandbox = Code(APER_E_SANDBOX)
        /// Another browser uses the profile directory.
        public static let inUse = Code(APER_E_IN_USE)
        /// No such browser, tab, file or item.
        public static let notFound = Code(APER_E_NOT_FOUND)
        /// The tab belongs to somebody else.
        public static let foreign = Code(APER_E_FOREIGN)
        /// The URL policy refuses the address.
        public static let blocked = Code(APER_E_BLOCKED)
        /// The navigation failed; the message starts with the `net::` error.
        public static let navigation = Code(APER_E_NAVIGATION)
        /// An open JavaScript dialog must be answered first.
        public static let dialog = Code(APER_E_DIALOG)
        /// No dialog is open.
        public static let noDialog = Code(APER_E_NO_DIALOG)
        /// The ref named something that is no more; the message says why.
        public static let stale = Code(APER_E_STALE)
        /// No element ever had this ref in this tab.
        public static let noRef = Code(APER_E_NO_REF)
        /// The element cannot be acted on now; nothing was sent to it.
        public static let notActionable = Code(APER_E_NOT_ACTIONABLE)
        /// Too much is queued; try again when something has completed.
        public static let busy = Code(APER_E_BUSY)
        /// A message, file or result is over its limit.
        public static let tooBig = Code(APER_E_TOO_BIG)
        /// A file or directory could not be read or written.
        public static let io = Code(APER_E_IO)
        /// Not possible with this browser, platform or build.
        public static let unsupported = Code(APER_E_UNSUPPORTED)
        /// The input was sent, but what it should do was not observed.
        public static let notVerified = Code(APER_E_NOT_VERIFIED)
    }
}

extension ApertureError.Code: CaseIterable {
    /// The codes that are named here.
    public static let allCases: [ApertureError.Code] = [
        .invalid, .noMemory, .timeout, .cancelled, .closed, .gone, .crashed,
        .forked, .optionsSize, .optionsOld, .optionsNew, .protocol, .remote,
        .connect, .tls, .authentication, .launch, .sandbox, .inUse, .notFound,
        .foreign, .blocked, .navigation, .dialog, .noDialog, .stale, .noRef,
        .notActionable, .busy, .tooBig, .io, .unsupported, .notVerified,
    ]
}

extension ApertureError.Code: CustomStringConvertible {
    /// The name in the C headers, such as `APER_E_TIMEOUT`.
    public var description: String {
        String(cString: aper_status_get_name(rawValue))
    }
}

extension ApertureError: CustomStringConvertible {
    /// The name of the code and the message.
    public var description: String { "\(code): \(message)" }
}

extension ApertureError {
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        isRetryable = aper_status_is_retryable(code.rawValue) != 0
        isFatal = aper_status_is_fatal(code.rawValue) != 0
        cdpMethod = nil
        cdpCode = nil
    }

    init(_ status: aper_status, _ error: OpaquePointer) {
        code = Code(rawValue: status)
        message = String(cString: aper_error_get_message(error))
        isRetryable = aper_error_is_retryable(error) != 0
        isFatal = aper_error_is_fatal(error) != 0
        cdpMethod = nonEmpty(aper_error_get_cdp_method(error))
        cdpCode = cdpMethod == nil ? nil : aper_error_get_cdp_code(error)
    }
}

/// What to throw for a status that is not success. `error` stays the caller's.
func failure(_ status: aper_status, _ error: OpaquePointer?) -> any Error {
    let code = ApertureError.Code(rawValue: status)
    if code == .cancelled {
        return CancellationError()
    }
    guard let error else {
        return ApertureError(code, text(aper_status_get_text(status)))
    }
    return ApertureError(status, error)
}

/// For calls that give a status alone.
func check(_ status: aper_status) throws {
    guard status == APER_OK else { throw failure(status, nil) }
}

/// For calls that fill an error in.
func check(
    _ call: (UnsafeMutablePointer<OpaquePointer?>) throws -> aper_status
) throws {
    var error: OpaquePointer?
    let status = try call(&error)
    defer { aper_error_unref(error) }
    guard status == APER_OK else { throw failure(status, error) }
}
