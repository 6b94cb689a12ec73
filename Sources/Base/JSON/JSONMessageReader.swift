/// Reads the JSON that programs write: few blanks, few escapes, whole numbers.
///
/// It accepts only part of what JSON allows and answers `nil` for the rest: numbers with a fraction or exponent or of
/// more than 18 digits, surrogate escapes, a key that comes twice, deep nesting, and everything that is not JSON.
/// jansson reads the rest and words the findings, so jansson alone decides what is JSON and what it means. A token
/// answer takes a tenth of the time this way.
struct JSONMessageReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0

    /// Deeper texts are left to jansson: programs do not write them.
    private static let depth = 32

    /// The value of the whole text, or `nil` where jansson must look at it.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        bytes.withUnsafeBufferPointer { buffer in
            guard buffer.count <= JSONLimits.bytes else { return nil }
            var reader = JSONMessageReader(bytes: buffer)
            reader.skipBlanks()
            guard let value = reader.value(depth: 0) else { return nil }
            reader.skipBlanks()
            guard reader.offset == buffer.count else { return nil }
            return value
        }
    }

    /// The value that begins at an offset and the offset behind it, or `nil` where it is not of the plain kind or does
    /// not end before `end`.
    static func literal(
        in bytes: UnsafeBufferPointer<UInt8>, at offset: Int, end: Int
    ) -> (value: JSONValue, end: Int)? {
        var reader = JSONMessageReader(bytes: UnsafeBufferPointer(start: bytes.baseAddress, count: end))
        reader.offset = offset
        guard let value = reader.value(depth: 0) else { return nil }
        return (value, reader.offset)
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func skipBlanks() {
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            offset += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return string().map { .string($0) }
        // Never a conditional expression with nil: that would be JSON's null.
        case UInt8(ascii: "{"):
            guard depth < Self.depth else { return nil }
            return object(depth: depth)
        case UInt8(ascii: "["):
            guard depth < Self.depth else { return nil }
            return array(depth: depth)
        case UInt8(ascii: "t"):
            guard word("true") else { return nil }
            return .bool(true)
        case UInt8(ascii: "f"):
            guard word("false") else { return nil }
            return .bool(false)
        case UInt8(ascii: "n"):
            guard word("null") else { return nil }
            return JSONValue.null
        default: return integer().map { .integer($0) }
        }
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard offset + word.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount where bytes[offset + index] != word.utf8Start[index] { return false }
        offset += word.utf8CodeUnitCount
        return true
    }

    private mutating func object(depth: Int) -> JSONValue? {
        offset += 1
        var object = JSONObject()
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(object) }
        object.reserveCapacity(8)
        // One bit for each way a key may begin, end and how long it is: a key whose bit is not set is new.
        var seen: (low: UInt64, high: UInt64) = (0, 0)
        while true {
            skipBlanks()
            let start = offset
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\""), let key = string() else { return nil }
            let mark = Int(bytes[start + 1]) &* 5 &+ Int(bytes[offset - 2]) &* 3 &+ (offset - start)
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: mark)
            let isNew: Bool
            if mark & 64 == 0 {
                isNew = seen.low & bit == 0
                seen.low |= bit
            } else {
                isNew = seen.high & bit == 0
                seen.high |= bit
            }
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { return nil }
            skipBlanks()
            guard let value = value(depth: depth + 1) else { return nil }
            if isNew {
                object.appendUnique(key, value)
            } else if !object.appendNew(key, value) {
                return nil
            }
            skipBlanks()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { return nil }
            return .object(object)
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        offset += 1
        var elements: [JSONValue] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipBlanks()
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            skipBlanks()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { return nil }
            return .array(elements)
        }
    }

    private mutating func integer() -> Int64? {
        let isNegative = take(UInt8(ascii: "-"))
        let start = offset
        var number: Int64 = 0
        while offset < bytes.count, bytes[offset] &- 48 <= 9 {
            guard offset - start < 18 else { return nil }
            number = number * 10 + Int64(bytes[offset] - 48)
            offset += 1
        }
        guard offset > start, bytes[start] != 48 || offset == start + 1 else { return nil }
        if offset < bytes.count, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[offset]) {
            return nil
        }
        return isNegative ? -number : number
    }

    /// From the opening quote to behind the closing one.
    private mutating func string() -> String? {
        offset += 1
        let start = offset
        offset = ByteSearch.endOfPlain(bytes, from: start)
        guard offset < bytes.count else { return nil }
        if bytes[offset] == UInt8(ascii: "\\") { return escapedString(from: start) }
        guard bytes[offset] == UInt8(ascii: "\"") else { return nil }
        let part = UnsafeBufferPointer(rebasing: bytes[start..<offset])
        offset += 1
        // Only text outside ASCII can be no UTF-8.
        return ByteSearch.isASCII(part, 0..<part.count)
            ? String(decoding: part, as: UTF8.self) : String(validating: part, as: UTF8.self)
    }

    /// The same for a string that has an escape, which is at `offset`.
    private mutating func escapedString(from start: Int) -> String? {
        var text = Array(bytes[start..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard offset < bytes.count else { return nil }
                let mark = bytes[offset]
                offset += 1
                switch mark {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(mark)
                case UInt8(ascii: "b"): text.append(0x08)
                case UInt8(ascii: "f"): text.append(0x0C)
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "r"): text.append(0x0D)
                case UInt8(ascii: "t"): text.append(0x09)
                case UInt8(ascii: "u"):
                    guard let scalar = hexadecimal(), scalar > 0, let scalar = Unicode.Scalar(scalar) else {
                        return nil
                    }
                    text.append(contentsOf: String(Character(scalar)).utf8)
                default: return nil
                }
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Four digits; a surrogate becomes no scalar, so half a pair and a whole one are jansson's.
    private mutating func hexadecimal() -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        var number: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            switch byte {
            case 48...57: number = number << 4 | UInt32(byte - 48)
            case 65...70: number = number << 4 | UInt32(byte - 55)
            case 97...102: number = number << 4 | UInt32(byte - 87)
            default: return nil
            }
        }
        offset += 4
        return number
    }
}
