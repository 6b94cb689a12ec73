/// Splits bytes into messages: each has a header with its length (Language Server Protocol 3.17, "Base Protocol").
struct MessageFrames {
    enum Item: Hashable, Sendable {
        case message([UInt8])
        /// What is there instead of a message, and was passed over.
        case fault(String)
    }

    /// Headers have two fields; more than this is something else.
    private static let longestHeader = 4096

    private let limit: Int
    private var header: [UInt8] = []
    private var body: [UInt8] = []
    /// Bytes of the body that have not come yet; `nil` within a header.
    private var missing: Int?
    private var isDropping = false

    /// - Parameter limit: The most bytes of a message.
    init(limit: Int = 64 << 20) { self.limit = limit }

    /// What the next bytes complete.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [Item] {
        var items: [Item] = []
        var rest = bytes
        while !rest.isEmpty {
            guard let missing else {
                readHeader(&rest, &items)
                continue
            }
            let part = rest.prefix(missing)
            rest = rest.dropFirst(part.count)
            if !isDropping { body += part }
            self.missing = missing - part.count
            if part.count == missing { finish(&items) }
        }
        return items
    }

    /// Reads up to the empty line behind a header. Lines may end with a line feed alone.
    private mutating func readHeader(_ rest: inout ArraySlice<UInt8>, _ items: inout [Item]) {
        while let byte = rest.popFirst() {
            if byte != 0x0D { header.append(byte) }
            if header.count > Self.longestHeader {
                items.append(.fault("a header has more than \(Self.longestHeader) bytes"))
                header = []
            }
            guard header.suffix(2) == [0x0A, 0x0A] || header == [0x0A] else { continue }
            let text = String(decoding: header, as: UTF8.self)
            header = []
            if text == "\n" { continue }
            guard let length = Self.length(text) else {
                items.append(.fault("a header has no Content-Length with a number of bytes"))
                continue
            }
            if length > limit {
                items.append(.fault("the message has \(length) bytes, and \(limit) are the most that are read"))
            }
            missing = length
            isDropping = length > limit
            if length == 0 { finish(&items) }
            return
        }
    }

    private mutating func finish(_ items: inout [Item]) {
        if !isDropping { items.append(.message(body)) }
        body = []
        missing = nil
        isDropping = false
    }

    private static func length(_ header: String) -> Int? {
        for line in header.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            guard let length = Int(parts[1].drop { $0 == " " }.prefix { $0 != " " }), length >= 0 else { return nil }
            return length
        }
        return nil
    }
}
