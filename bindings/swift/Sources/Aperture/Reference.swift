// SPDX-License-Identifier: Apache-2.0
import CAperture

/// One reference on an object of the library, given back when this goes.
///
/// Unchecked because the headers promise it: live handles may be used from any
/// thread, everything else that this holds is immutable, atomically counted
/// and shareable.
final class Reference: @unchecked Sendable {
    typealias Release = @convention(c) (OpaquePointer?) -> Void

    let raw: OpaquePointer
    private let release: Release
    private let releaseBlocks: Bool

    /// Takes over a reference that the library gave to the caller.
    ///
    /// `releaseBlocks` is for handles whose last reference closes a browser;
    /// that must not happen on the thread of a task.
    init(
        adopting raw: OpaquePointer, _ release: @escaping Release,
        releaseBlocks: Bool = false
    ) {
        self.raw = raw
        self.release = release
        self.releaseBlocks = releaseBlocks
    }

    deinit {
        guard releaseBlocks else { return release(raw) }
        let abandoned = Abandoned(raw: raw, release: release)
        onThreadOfItsOwn { abandoned.release(abandoned.raw) }
    }

    private struct Abandoned: @unchecked Sendable {
        let raw: OpaquePointer
        let release: Release
    }
}

/// The text behind a borrowed pointer.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
}

/// The same where the library says "" for nothing.
func nonEmpty(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer, pointer.pointee != 0 else { return nil }
    return String(cString: pointer)
}

/// The parts of a result, read from the library one by one when asked for.
public struct Items<Element: Sendable>: RandomAccessCollection, Sendable {
    let reference: Reference
    public let endIndex: Int
    let element: @Sendable (Reference, Int) -> Element

    public var startIndex: Int { 0 }

    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "index out of range")
        return element(reference, position)
    }
}
