/// Writes numbers of a fixed width; no formatter, no locale.
struct DigitWriter {
    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(32)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// At least `width` digits, with zeros in front; a minus sign comes before them.
    mutating func number(_ value: Int, width: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        while rest > 0 || bytes.count < start + width {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        // By swapping: reversing a slice would copy the whole array first.
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    mutating func date(_ civil: CivilTime, separator: String) {
        number(civil.year, width: 4)
        append(separator)
        number(civil.month, width: 2)
        append(separator)
        number(civil.day, width: 2)
    }

    mutating func time(_ civil: CivilTime) {
        number(civil.hour, width: 2)
        append(":")
        number(civil.minute, width: 2)
        append(":")
        number(civil.second, width: 2)
    }
}

/// Reads ASCII fields of a text from left to right; every step answers whether it fitted.
struct DigitReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ character: Character) -> Bool {
        guard index < bytes.count, character.asciiValue == bytes[index] else { return false }
        index += 1
        return true
    }

    /// Exactly so many digits.
    mutating func number(digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digits] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        index += digits
        return value
    }

    /// One digit or more; `nil` also when the number does not fit.
    mutating func number() -> Int64? {
        var value: Int64 = 0
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(Int64(bytes[index] - 48))
            guard !tooLarge && !overflow else { return nil }
            value = sum
            index += 1
        }
        return index > start ? value : nil
    }

    /// The digits after a decimal point as milliseconds; `exact` is false when digits other than zero had to go.
    mutating func fraction() -> (milliseconds: Int, exact: Bool)? {
        var value = 0
        var exact = true
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) {
            let digit = Int(bytes[index] - 48)
            if index - start < 3 {
                value = value * 10 + digit
            } else if digit != 0 {
                exact = false
            }
            index += 1
        }
        guard index > start else { return nil }
        for _ in 0..<max(0, 3 - (index - start)) { value *= 10 }
        return (value, exact)
    }

    /// Exactly so many ASCII letters.
    mutating func letters(_ count: Int) -> String? {
        guard index + count <= bytes.count else { return nil }
        let part = bytes[index..<index + count]
        guard part.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) }) else { return nil }
        index += count
        return String(decoding: part, as: UTF8.self)
    }
}
