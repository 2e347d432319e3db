// SPDX-License-Identifier: Apache-2.0
import CAperture
import Dispatch

/// Tells when events wait on a browser's descriptor.
///
/// Unchecked because Dispatch objects may be used from any thread.
final class ReadSource: @unchecked Sendable {
    private let source: any DispatchSourceRead

    /// `drain` must empty the queue; it is not called again before it returns.
    init(browser: Reference, drain: @escaping @Sendable () async -> Void) {
        source = DispatchSource.makeReadSource(
            fileDescriptor: aper_browser_get_fd(browser.raw),
            queue: DispatchQueue(label: "aperture.events"))
        let gate = Gate(source: source)
        source.setEventHandler {
            // The descriptor stays readable until the queue is empty.
            gate.source.suspend()
            Task {
                await drain()
                gate.source.resume()
            }
        }
        // The descriptor must stay open until Dispatch has let go of it.
        source.setCancelHandler { withExtendedLifetime(browser) {} }
        source.activate()
    }

    func cancel() {
        source.cancel()
    }

    private struct Gate: @unchecked Sendable {
        let source: any DispatchSourceRead
    }
}
