/// Writes one JSON document piece by piece, as ``JSONWriter/pretty(_:indent:)`` writes it as a whole: a report of many
/// megabytes is never in memory, neither as a value nor as a text.
///
/// ```swift
/// stream.object { stream in
///     stream.member("version", 1)
///     stream.key("entries")
///     stream.array { stream in
///         for entry in entries { stream.element(entry.json) }
///     }
/// }
/// stream.end()
/// ```
public struct JSONStream: ~Copyable {
    private var writer = JSONWriter(capacity: Self.piece * 2)
    /// How many members or elements each object or array has that is not closed yet.
    private var counts: [Int] = []
    private let take: (UnsafeBufferPointer<UInt8>) -> Void

    /// So many bytes are handed over at a time, unless one value is longer.
    private static let piece = 1 << 16
    private static let indent = 2

    /// A document.
    ///
    /// - Parameter take: Takes the bytes that follow those before.
    public init(_ take: @escaping (UnsafeBufferPointer<UInt8>) -> Void) { self.take = take }

    /// A whole document as a text that ends in a line feed.
    public static func text(_ write: (inout JSONStream) -> Void) -> String {
        let text = Collected()
        var stream = JSONStream { text.bytes += $0 }
        write(&stream)
        stream.end()
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private final class Collected {
        var bytes: [UInt8] = []
    }

    /// Writes an object, whose members `content` writes. In another object a ``key(_:)`` comes before it; in an array it is the
    /// next element.
    public mutating func object(_ content: (inout JSONStream) -> Void) { nested("{", "}", content) }

    /// Writes an array, whose elements `content` writes.
    public mutating func array(_ content: (inout JSONStream) -> Void) { nested("[", "]", content) }

    /// Writes the name of a member, for the object or array that follows.
    public mutating func key(_ name: String) {
        beginItem()
        writer.writeKey(name)
        isAfterKey = true
    }

    /// Writes a member.
    public mutating func member(_ name: String, _ value: JSONValue) {
        key(name)
        element(value)
    }

    /// Writes the next element of an array, or the whole document.
    public mutating func element(_ value: JSONValue) {
        beginItem()
        writer.writePretty(value, step: Self.indent, level: counts.count)
        if writer.bytes.count >= Self.piece { flush() }
    }

    /// Ends the document with a line feed, and hands over what is left of it.
    public mutating func end() {
        writer.bytes.append(0x0A)
        flush()
    }

    private var isAfterKey = false

    private mutating func beginItem() {
        guard !isAfterKey else {
            isAfterKey = false
            return
        }
        guard let count = counts.last else { return }
        if count > 0 { writer.bytes.append(UInt8(ascii: ",")) }
        counts[counts.count - 1] += 1
        writer.newLine(Self.indent * counts.count)
    }

    private mutating func nested(
        _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ content: (inout JSONStream) -> Void
    ) {
        beginItem()
        writer.bytes.append(UInt8(ascii: opening))
        counts.append(0)
        content(&self)
        if counts.removeLast() > 0 { writer.newLine(Self.indent * counts.count) }
        writer.bytes.append(UInt8(ascii: closing))
    }

    private mutating func flush() {
        writer.bytes.withUnsafeBufferPointer(take)
        writer.bytes.removeAll(keepingCapacity: true)
    }
}
