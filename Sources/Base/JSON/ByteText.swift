/// A text under construction, as bytes: appending to it is a copy of memory and no more. For the long texts of an
/// exchange, which are put together from dozens of parts.
public struct ByteText {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: Bytes to make room for at once.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    public mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    public mutating func write(_ part: [UInt8]) {
        bytes.append(contentsOf: part)
    }

    /// Decimal digits.
    public mutating func write(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        JSONWriter.append(digitsOf: UInt64(number.magnitude), to: &bytes)
    }

    /// The text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
