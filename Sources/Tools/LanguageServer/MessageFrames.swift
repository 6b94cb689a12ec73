/// Splits bytes into messages: each has a header with its length (Language Server Protocol 3.17, "Base Protocol").
///
/// Behind other bytes it goes on at the next `Content-Length`, wherever that begins.
struct MessageFrames {
    enum Item: Hashable, Sendable {
        case message([UInt8])
        /// What is there instead of a message, and was passed over.
        case fault(String)
    }

    /// Headers have two fields; more than this is something else.
    private static let longestHeader = 4096
    /// So many bytes at the end of something else may be the beginning of a header.
    private static let longestField = 64

    private let limit: Int
    private var header: [UInt8] = []
    private var body: [UInt8] = []
    /// Bytes of the body that have not come yet; `nil` within a header.
    private var missing: Int?
    /// What comes before the next message was reported.
    private var isLost = false
    /// Bytes that are read again.
    private var again: ArraySlice<UInt8> = []
    /// How many messages in a row were read again.
    private var rereads = 0
    private var isRereading = false
    /// So many messages within each other are looked for: a text may hold thousands of headers.
    private static let mostRereads = 8

    /// - Parameter limit: The most bytes of a message.
    init(limit: Int = 64 << 20) { self.limit = limit }

    /// What the next bytes complete, which are removed; `nil`: nothing more.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) -> Item? {
        if !isRereading { rereads = 0 }
        isRereading = false
        if !again.isEmpty {
            bytes = again + bytes
            again = []
        }
        while !bytes.isEmpty || missing == 0 {
            guard let missing else {
                if let fault = readHeader(&bytes) { return .fault(fault) }
                continue
            }
            let part = bytes.prefix(missing)
            bytes = bytes.dropFirst(part.count)
            body += part
            self.missing = missing - part.count
            guard part.count == missing else { break }
            defer { (body, self.missing) = ([], nil) }
            return .message(body)
        }
        return nil
    }

    /// The message that was just returned cannot be read, perhaps because its length was wrong: the next one may begin
    /// within it.
    mutating func reread(_ body: [UInt8]) {
        isLost = true
        rereads += 1
        isRereading = rereads <= Self.mostRereads
        if isRereading { again = body[...] }
    }

    /// Reads up to the empty line behind a header. Lines may end with a line feed alone.
    ///
    /// - Returns: What is wrong.
    private mutating func readHeader(_ rest: inout ArraySlice<UInt8>) -> String? {
        while let byte = rest.popFirst() {
            guard byte != 0x0D else { continue }
            let isBlank = byte == 0x0A && header.isEmpty
            let isWhole = byte == 0x0A && header.last == 0x0A || isBlank
            header.append(byte)
            guard isWhole || header.count > Self.longestHeader else { continue }
            let length = isWhole ? Self.length(header) : nil
            header = isWhole ? [] : Array(header.suffix(Self.longestField))
            if isBlank { continue }
            if isWhole, let length, length <= limit {
                (missing, isLost) = (length, false)
                return nil
            }
            defer { isLost = true }
            guard !isLost else { continue }
            if !isWhole { return "a header has more than \(Self.longestHeader) bytes" }
            guard let length else { return "a header has no Content-Length with a number of bytes" }
            return "the message has \(length) bytes, and \(limit) are the most that are read"
        }
        return nil
    }

    /// The number of the last `Content-Length`. Behind a message that is longer than it said, that begins within a line.
    private static func length(_ header: [UInt8]) -> Int? {
        let fields = header.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            .split(separator: Array("content-length".utf8), omittingEmptySubsequences: false)
        guard fields.count > 1, let field = fields.last else { return nil }
        let line = String(decoding: field.prefix { $0 != 0x0A }, as: UTF8.self)
        let number = line.drop { $0 == ":" || $0.isWhitespace }.prefix { !$0.isWhitespace }
        return Int(number).flatMap { $0 < 0 ? nil : $0 }
    }
}
