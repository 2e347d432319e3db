// SPDX-License-Identifier: Apache-2.0

/// The streams that events go to, each with its own bounded buffer.
struct EventReaders: Sendable {
    private struct Reader {
        let continuation: AsyncStream<BrowserEvent>.Continuation
        var hasMissed = false

        /// False when nobody reads any more.
        mutating func send(_ event: BrowserEvent) -> Bool {
            if hasMissed {
                switch continuation.yield(BrowserEvent(.overflow)) {
                case .enqueued: hasMissed = false
                case .terminated: return false
                default: return true
                }
            }
            switch continuation.yield(event) {
            case .terminated: return false
            case .dropped: hasMissed = true
            default: break
            }
            return true
        }
    }

    private static let capacity = 1024
    private var readers: [Reader] = []
    private var isFinished = false

    mutating func add() -> AsyncStream<BrowserEvent> {
        let (stream, continuation) = AsyncStream<BrowserEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.capacity))
        if isFinished {
            continuation.finish()
        } else {
            readers.append(Reader(continuation: continuation))
        }
        return stream
    }

    /// Forgets readers whose stream was given up.
    mutating func send(_ event: BrowserEvent) {
        readers = readers.compactMap { reader in
            var reader = reader
            return reader.send(event) ? reader : nil
        }
    }

    mutating func finish() {
        isFinished = true
        for reader in readers {
            reader.continuation.finish()
        }
        readers = []
    }
}
