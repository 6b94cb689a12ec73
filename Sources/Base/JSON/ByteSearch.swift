#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Searches that messages of some kilobytes need several times each: by the C library's `memchr`, or eight bytes at a
/// time. The standard library's generic ones look at one byte after the other, and not at all fast from another module.
public enum ByteSearch {
    /// Offset of the first such byte from `start` on; the number of bytes where there is none.
    public static func offset(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The same in a range of the bytes; its end where there is none.
    public static func offset(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        offset(
            of: byte, in: UnsafeBufferPointer(start: bytes.baseAddress, count: range.upperBound), from: range.lowerBound
        )
    }

    /// The offset of the first occurrence of those bytes; the number of bytes if there is none.
    public static func offset(of wanted: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard wanted.count <= bytes.count else { return bytes.count }
        // A byte that texts seldom have finds the place sooner than a letter does.
        guard let anchor = wanted.firstIndex(where: isRare) ?? wanted.indices.first else { return bytes.count }
        let rare = wanted[anchor]
        var found = offset(of: rare, in: bytes, from: anchor)
        while found - anchor + wanted.count <= bytes.count {
            let start = found - anchor
            if areEqual(UnsafeBufferPointer(rebasing: bytes[start..<start + wanted.count]), wanted) { return start }
            found = offset(of: rare, in: bytes, from: found + 1)
        }
        return bytes.count
    }

    private static func isRare(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != UInt8(ascii: "\"") && !(0x30...0x39).contains(byte)
            && !(0x61...0x7A).contains(byte | 0x20)
    }

    /// Whether two byte strings are the same.
    public static func areEqual(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        guard let left = a.baseAddress, let right = b.baseAddress else { return true }
        return memcmp(left, right, a.count) == 0
    }

    /// Whether a byte string comes before another in the order of their bytes; the beginning of one comes before it.
    public static func precedes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let left = a.baseAddress, let right = b.baseAddress else { return a.count < b.count }
        let order = memcmp(left, right, min(a.count, b.count))
        return order == 0 ? a.count < b.count : order < 0
    }

    /// Whether a text holds an ASCII character.
    public static func contains(_ byte: UInt8, in text: String) -> Bool {
        var text = text
        return text.withUTF8 { offset(of: byte, in: $0) < $0.count }
    }

    /// Offset of the first byte from `start` on that JSON and JavaScript cannot have in a string in double quotes: a
    /// quote, a backslash or a control character.
    static func endOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var offset = start
        let raw = UnsafeRawBufferPointer(bytes)
        while offset + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let special =
                (((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash))
                & highBits
            // A borrow may mark bytes above the first one too, never below it.
            if special != 0 { return offset + special.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            offset += 1
        }
        return offset
    }

    /// Whether a byte is a space, a control character or DEL: a URL has none of these.
    public static func hasBlankOrControl(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let delete = word ^ (ones &* 0x7F)
            let special = ((word &- ones &* 0x21) & ~word) | ((delete &- ones) & ~delete)
            if special & highBits != 0 { return true }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] <= 32 || bytes[offset] == 127 { return true }
            offset += 1
        }
        return false
    }

    /// Whether one of A to Z is among some bytes.
    public static func hasUppercase(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let low = word & ~highBits
            // The high bit of a byte: from A on, and beyond Z. What is not ASCII does not count.
            if ((low &+ ones &* 0x3F) ^ (low &+ ones &* 0x25)) & ~word & highBits != 0 { return true }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] &- 65 <= 25 { return true }
            offset += 1
        }
        return false
    }

    /// Offset of the first byte from `start` on that HTML text or a quoted attribute cannot hold as it is: one of
    /// `& < > " '`. The number of bytes where there is none.
    public static func endOfPlainHTML(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var offset = start
        let raw = UnsafeRawBufferPointer(bytes)
        while offset + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // 0x26 and 0x27, 0x3C and 0x3E differ in one bit.
            let ampersand = (word ^ (ones &* 0x26)) & (ones &* 0xFE)
            let bracket = (word ^ (ones &* 0x3C)) & (ones &* 0xFD)
            let quote = word ^ (ones &* 0x22)
            let special =
                (((ampersand &- ones) & ~ampersand) | ((bracket &- ones) & ~bracket) | ((quote &- ones) & ~quote))
                & highBits
            // A borrow may mark bytes above the first one too, never below it.
            if special != 0 { return offset + special.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x22, 0x26, 0x27, 0x3C, 0x3E: return offset
            default: offset += 1
            }
        }
        return offset
    }

    /// Whether all bytes of a range are ASCII.
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = range.lowerBound
        var seen: UInt64 = 0
        while offset + 8 <= range.upperBound {
            seen |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < range.upperBound {
            seen |= UInt64(bytes[offset])
            offset += 1
        }
        return seen & highBits == 0
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
}

/// Whether two texts are the same, byte for byte, as JSON, the wire and the libraries on both ends compare them. Swift's
/// own `==` also holds for texts that differ in Unicode normalization: `é` as one character and as two.
@inlinable
public func sameText(_ a: String, _ b: String) -> Bool {
    // Nearly all comparisons end at the length or at `==`; what is equal there is looked at once more.
    guard a.utf8.count == b.utf8.count, a == b else { return false }
    let same = a.utf8.withContiguousStorageIfAvailable { left in
        b.utf8.withContiguousStorageIfAvailable { ByteSearch.areEqual(left, $0) } ?? b.utf8.elementsEqual(left)
    }
    return same ?? a.utf8.elementsEqual(b.utf8)
}

/// Whether two texts differ in Unicode normalization and in nothing else, so that they look the same.
public func differOnlyInNormalization(_ a: String, _ b: String) -> Bool {
    a == b && !sameText(a, b)
}

/// A text that is compared byte for byte, as the key of a dictionary.
public struct ExactText: Hashable, Sendable {
    /// The text itself.
    public let text: String

    /// The key for a text.
    public init(_ text: String) { self.text = text }

    public static func == (left: ExactText, right: ExactText) -> Bool { sameText(left.text, right.text) }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Sequence<String> {
    /// Whether one of the texts is this one, byte for byte.
    public func containsText(_ text: String) -> Bool { contains { sameText($0, text) } }
}
