// SPDX-License-Identifier: Apache-2.0
import CAperture

/// Swift options that the library reads as a C struct.
protocol COptions: Sendable {
    associatedtype CStruct

    /// All zero, which the library reads as "default", with `size` set.
    static var zero: CStruct { get }

    /// Writes what differs from the default. Strings come from `strings`.
    func fill(_ c: inout CStruct, _ strings: CStrings) throws
}

extension COptions {
    /// Lends the C struct, with all that it points to, for one call.
    func withC<Result>(
        _ body: (UnsafePointer<CStruct>) throws -> Result
    ) throws -> Result {
        let strings = CStrings()
        var c = Self.zero
        try fill(&c, strings)
        return try withExtendedLifetime(strings) {
            try withUnsafePointer(to: c, body)
        }
    }
}

/// C copies of strings that live as long as this object.
final class CStrings {
    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []

    /// C would read a text that contains NUL only in part, so that is refused.
    func copy(_ string: String?) throws -> UnsafePointer<CChar>? {
        guard let string else { return nil }
        let bytes = string.utf8CString
        guard !bytes.dropLast().contains(0) else {
            throw ApertureError(.invalid, "a text contains the character NUL")
        }
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() {
            copy[index] = byte
        }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    /// A NULL-terminated list.
    func copy(
        _ list: [String]?
    ) throws -> UnsafePointer<UnsafePointer<CChar>?>? {
        guard let list else { return nil }
        let copy = UnsafeMutablePointer<UnsafePointer<CChar>?>
            .allocate(capacity: list.count + 1)
        copy.initialize(repeating: nil, count: list.count + 1)
        lists.append(copy)
        for (index, string) in list.enumerated() {
            copy[index] = try self.copy(string)
        }
        return UnsafePointer(copy)
    }

    deinit {
        for string in strings {
            string.deallocate()
        }
        for list in lists {
            list.deallocate()
        }
    }
}

/// Lends one string for one call.
func withCString<Result>(
    _ string: String?, _ body: (UnsafePointer<CChar>?) throws -> Result
) throws -> Result {
    let strings = CStrings()
    let copy = try strings.copy(string)
    return try withExtendedLifetime(strings) { try body(copy) }
}

/// A number that the C headers name; a newer library may add more.
protocol CConstant: RawRepresentable, Hashable, Sendable
where RawValue == UInt32 {
    init(rawValue: UInt32)
}

extension CConstant {
    init(_ constant: Int) {
        self.init(rawValue: UInt32(constant))
    }
}

extension Optional where Wrapped == Duration {
    /// 0, the library's default, for nil; else at least 1, rounded up.
    var milliseconds: UInt32 {
        guard let duration = self else { return 0 }
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0 else { return 1 }
        guard seconds < Int64(UInt32.max) / 1000 else { return UInt32.max }
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return UInt32(max(1, seconds * 1000 + part))
    }
}

extension Optional where Wrapped == Int {
    /// 0, the library's default, for nil.
    var number: UInt32 {
        get throws {
            guard let self else { return 0 }
            guard let number = UInt32(exactly: self) else {
                throw ApertureError(.invalid, "\(self) is out of range")
            }
            return number
        }
    }
}

extension Bool {
    var flag: UInt32 { self ? 1 : 0 }
}
