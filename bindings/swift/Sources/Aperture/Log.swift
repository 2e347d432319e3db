// SPDX-License-Identifier: Apache-2.0
import CAperture

/// Entries of a tab's console or network log.
public struct Log: Sendable {
    private let reference: Reference

    init(adopting raw: OpaquePointer) {
        reference = Reference(adopting: raw, aper_log_unref)
    }

    /// How many entries after the given number were already dropped.
    public var dropped: UInt64 { aper_log_get_dropped(reference.raw) }

    /// The entries, oldest first.
    public var entries: Items<LogEntry> {
        Items(
            reference: reference, endIndex: aper_log_get_count(reference.raw)
        ) { LogEntry(reference: $0, index: $1) }
    }
}

/// One message on the console, or one request on the network.
public struct LogEntry: Sendable {
    let reference: Reference
    let index: Int

    /// Rises from entry to entry; give the last one to the next call.
    public var sequence: UInt64 {
        aper_log_get_sequence(reference.raw, index)
    }

    /// When, in milliseconds since 1970.
    public var milliseconds: Int64 {
        aper_log_get_time_ms(reference.raw, index)
    }

    /// `error`, `warning`, `info`, `log` or `debug` on the console; the HTTP
    /// method on the network.
    public var level: String {
        Aperture.text(aper_log_get_level(reference.raw, index))
    }

    /// The message, or the address that was requested. Written by the page:
    /// treat it as untrusted.
    public var text: String {
        Aperture.text(aper_log_get_text(reference.raw, index))
    }

    /// Address and line that wrote it, or the resource type, such as `Fetch`.
    public var source: String {
        Aperture.text(aper_log_get_source(reference.raw, index))
    }

    /// HTTP status of a request; nil when there was no answer, and on the
    /// console.
    public var httpStatus: Int? {
        let status = aper_log_get_http_status(reference.raw, index)
        return status == 0 ? nil : Int(status)
    }

    /// The `net::` error of a failed request.
    public var netError: String? {
        nonEmpty(aper_log_get_net_error(reference.raw, index))
    }
}
