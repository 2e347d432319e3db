// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Runs work that may block. A serial queue always gets a thread, however many
/// others block, and never one of those that run tasks.
func onThreadOfItsOwn(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "aperture.blocking").async(execute: work)
}

/// Waits for a call that blocks, without blocking.
///
/// The call cannot be interrupted. When the task is cancelled the wait ends at
/// once, and what the call returns later is dropped.
func blocking<Value: Sendable>(
    _ call: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try Task.checkCancellation()
    let (stream, outcome) = AsyncThrowingStream<Value, any Error>.makeStream()
    onThreadOfItsOwn {
        do {
            outcome.yield(try call())
            outcome.finish()
        } catch {
            outcome.finish(throwing: error)
        }
    }
    for try await value in stream {
        return value
    }
    throw CancellationError()
}
