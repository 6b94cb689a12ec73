/// One way through a text that may be broken: the nodes of its outline.
struct JSONOutlineScan {
    private(set) var nodes: [JSONOutline.Node] = []
    private(set) var comments: [Range<Int>] = []
    /// Whether every bracket has its other one.
    private(set) var isBalanced = true

    private let bytes: UnsafeBufferPointer<UInt8>
    private let depth: Int
    private let usesIndentation: Bool
    private var offset: Int
    private var open: [Level] = []
    private var lineStart: Int
    /// Blanks before the token at `offset` if it is the first of its line.
    private var indentation: Int?
    /// Blanks at the beginning of the line.
    private var lineIndentation = 0

    /// An object or list whose end has not come yet.
    private struct Level {
        let node: Int
        let isObject: Bool
        /// Blanks at the beginning of the line of its bracket.
        let indentation: Int
        /// The name that waits for its value.
        var key: Range<Int>?
        var name = ""
        /// Behind the colon of that name.
        var colon: Int?
    }

    /// - Parameters:
    ///   - depth: How many levels of brackets are read.
    ///   - usesIndentation: Whether a line that begins no further right than the line of an open bracket ends what that
    ///     bracket holds.
    init(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int, usesIndentation: Bool = false) {
        self.bytes = bytes
        self.depth = depth
        self.usesIndentation = usesIndentation
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lineStart = offset
    }

    mutating func run() {
        indentation = 0
        while skipBlanks() {
            if open.isEmpty, let root = nodes.first {
                guard root.isContainer else { break }
                // A bracket too many closed the root; what follows belongs to it all the same.
                isBalanced = false
                open.append(Level(node: 0, isObject: root.kind == .object, indentation: -1))
            }
            switch bytes[offset] {
            case UInt8(ascii: "{"): openContainer(.object)
            case UInt8(ascii: "["): openContainer(.array)
            case UInt8(ascii: "}"): close(isObject: true)
            case UInt8(ascii: "]"): close(isObject: false)
            case UInt8(ascii: ","):
                endMember()
                offset += 1
            case UInt8(ascii: ":"):
                offset += 1
                if let top = open.last, top.key != nil, top.colon == nil { open[open.count - 1].colon = offset }
            default: token()
            }
            indentation = nil
        }
        while !open.isEmpty { pop(end: bytes.count, isClosed: false) }
    }

    // MARK: Brackets

    private mutating func openContainer(_ kind: JSONOutline.Kind) {
        leaveByIndentation()
        let start = offset
        guard open.count < depth else {
            skipBuried()
            add(kind, start..<offset)
            return
        }
        offset += 1
        let node = add(kind, start..<offset)
        open.append(Level(node: node, isObject: kind == .object, indentation: lineIndentation))
    }

    /// Passes over what is nested too deeply to be read.
    private mutating func skipBuried() {
        var depth = 0
        repeat {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset = string().range.upperBound
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            offset += 1
        } while depth > 0 && offset < bytes.count
    }

    private mutating func close(isObject: Bool) {
        let limit = usesIndentation ? indentation : nil
        let match =
            limit.flatMap { limit in open.lastIndex { $0.isObject == isObject && $0.indentation <= limit } }
            ?? open.lastIndex { $0.isObject == isObject }
        guard let match else {
            isBalanced = false
            offset += 1
            return
        }
        while open.count - 1 > match { pop(end: offset, isClosed: false) }
        offset += 1
        pop(end: offset, isClosed: true)
    }

    private mutating func pop(end: Int, isClosed: Bool) {
        endMember()
        let level = open.removeLast()
        if !isClosed { isBalanced = false }
        nodes[level.node].value = nodes[level.node].value.lowerBound..<end
        nodes[level.node].isClosed = isClosed
    }

    /// Ends what is open on lines that begin no further left than this one.
    private mutating func leaveByIndentation() {
        guard usesIndentation, let indentation else { return }
        while open.count > 1, let top = open.last, top.indentation >= indentation, top.key == nil || top.colon == nil {
            pop(end: offset, isClosed: false)
        }
    }

    // MARK: Members

    /// Gives a name without value a missing one.
    private mutating func endMember() {
        guard let top = open.last, let key = top.key else { return }
        let place = top.colon ?? key.upperBound
        add(.missing, place..<place)
    }

    @discardableResult
    private mutating func add(
        _ kind: JSONOutline.Kind, _ value: Range<Int>, text: String? = nil, isClosed: Bool = true
    ) -> Int {
        let index = nodes.count
        var node = JSONOutline.Node(
            kind: kind, key: nil, token: "", value: value, text: text, parent: open.last?.node, children: [],
            isClosed: isClosed)
        if let top = open.last {
            if top.isObject {
                (node.key, node.token) = (top.key, top.name)
                open[open.count - 1].key = nil
                open[open.count - 1].name = ""
                open[open.count - 1].colon = nil
            } else {
                node.token = String(nodes[top.node].children.count)
            }
            nodes[top.node].children.append(index)
        }
        nodes.append(node)
        return index
    }

    /// A text, a number or a word: a name or a value.
    private mutating func token() {
        leaveByIndentation()
        let isText = bytes[offset] == UInt8(ascii: "\"")
        let found = isText ? string() : (word(), true)
        let (range, isClosed) = found
        offset = range.upperBound
        if let top = open.last, top.isObject {
            if top.key != nil, isColonNext() { endMember() }
            if open[open.count - 1].key == nil {
                open[open.count - 1].key = range
                open[open.count - 1].name =
                    isText
                    ? decode(Self.content(of: range, isClosed: isClosed))
                    : String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
                return
            }
        }
        if isText {
            add(.string, range, text: decode(Self.content(of: range, isClosed: isClosed)), isClosed: isClosed)
        } else {
            let first = bytes[range.lowerBound]
            add(JSONScanner.isDigit(first) || first == UInt8(ascii: "-") ? .number : .word, range)
        }
    }

    private func isColonNext() -> Bool {
        var next = offset
        while next < bytes.count, Self.isBlank(bytes[next]) { next += 1 }
        return next < bytes.count && bytes[next] == UInt8(ascii: ":")
    }

    // MARK: Texts

    /// The text at `offset`. Without closing quote it ends at the end of its line, before commas and brackets that close
    /// nothing in it.
    private func string() -> (range: Range<Int>, isClosed: Bool) {
        var end = offset + 1
        while true {
            end = ByteSearch.endOfPlain(bytes, from: end)
            guard end < bytes.count else { break }
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                let range = offset..<(end + 1)
                return cut(range).map { ($0, false) } ?? (range, true)
            }
            if byte == 0x0A || byte == 0x0D { break }
            end += 1
            // What is escaped ends nothing, but a line ends all.
            if byte == UInt8(ascii: "\\"), end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        }
        return (trimmed(offset..<min(end, bytes.count)), false)
    }

    /// A text without closing quote, without what more probably comes behind it.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        var surplus = 0
        for byte in bytes[range] {
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { surplus += 1 }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { surplus -= 1 }
        }
        while end > range.lowerBound + 1 {
            let last = bytes[end - 1]
            let closes = last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
            guard Self.isBlank(last) || last == UInt8(ascii: ",") || (closes && surplus > 0) else { break }
            if closes { surplus -= 1 }
            end -= 1
        }
        return range.lowerBound..<end
    }

    /// The text up to its first colon or comma where a word follows its quote at once: that quote opens the next text, and
    /// this one has none.
    private func cut(_ range: Range<Int>) -> Range<Int>? {
        guard range.upperBound < bytes.count, JSONScanner.isWordByte(bytes[range.upperBound]) else { return nil }
        let isName = open.last.map { $0.isObject && $0.key == nil } ?? false
        let end = ByteSearch.offset(of: UInt8(ascii: isName ? ":" : ","), in: bytes, range)
        return end < range.upperBound ? trimmed(range.lowerBound..<end) : nil
    }

    private func word() -> Range<Int> {
        var end = offset + 1
        while end < bytes.count, !Self.isBlank(bytes[end]), !Self.endsWord(bytes[end]), !isComment(at: end) { end += 1 }
        return offset..<end
    }

    /// Between the quotes.
    static func content(of range: Range<Int>, isClosed: Bool) -> Range<Int> {
        let start = min(range.lowerBound + 1, range.upperBound)
        return start..<max(start, isClosed ? range.upperBound - 1 : range.upperBound)
    }

    private func decode(_ content: Range<Int>) -> String {
        let part = UnsafeBufferPointer(rebasing: bytes[content])
        guard part.contains(UInt8(ascii: "\\")) else { return String(decoding: part, as: UTF8.self) }
        var decoded: [UInt8] = []
        var offset = content.lowerBound
        while offset < content.upperBound {
            let piece = Self.piece(of: bytes, from: offset, to: content.upperBound)
            if let scalar = piece.scalar {
                decoded += UTF8.encode(scalar).map { Array($0) } ?? []
            } else {
                decoded += bytes[offset..<piece.end]
            }
            offset = piece.end
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The next piece of a text: an escape with what it stands for, or bytes that stand for themselves. A wrong escape is
    /// such bytes.
    static func piece(
        of bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> (end: Int, scalar: Unicode.Scalar?) {
        guard bytes[start] == UInt8(ascii: "\\") else {
            return (ByteSearch.offset(of: UInt8(ascii: "\\"), in: bytes, start..<end), nil)
        }
        guard start + 1 < end else { return (end, nil) }
        let mark = bytes[start + 1]
        if let plain = plainEscapes[mark] { return (start + 2, plain) }
        func unit(at place: Int) -> UInt32? {
            guard place + 6 <= end, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
                return nil
            }
            var unit: UInt32 = 0
            for byte in bytes[(place + 2)..<(place + 6)] {
                guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
                unit = unit << 4 | UInt32(digit)
            }
            return unit
        }
        guard let high = unit(at: start) else { return (start + 2, nil) }
        if high & 0xFC00 == 0xD800, let low = unit(at: start + 6), low & 0xFC00 == 0xDC00 {
            return (start + 12, Unicode.Scalar(0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF))))
        }
        return (start + 6, Unicode.Scalar(high))
    }

    private static let plainEscapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    // MARK: Blanks

    /// Goes to the next token; false at the end of the text.
    private mutating func skipBlanks() -> Bool {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x0A {
                lineStart = offset + 1
                indentation = 0
            }
            if Self.isBlank(byte) {
                offset += 1
            } else if isComment(at: offset) {
                skipComment()
            } else {
                if indentation != nil {
                    lineIndentation = offset - lineStart
                    indentation = lineIndentation
                }
                return true
            }
        }
        return false
    }

    private func isComment(at place: Int) -> Bool {
        bytes[place] == UInt8(ascii: "/") && place + 1 < bytes.count
            && (bytes[place + 1] == UInt8(ascii: "/") || bytes[place + 1] == UInt8(ascii: "*"))
    }

    private mutating func skipComment() {
        let start = offset
        if bytes[start + 1] == UInt8(ascii: "/") {
            offset = ByteSearch.offset(of: 0x0A, in: bytes, from: start)
        } else {
            offset = start + 2
            var end = ByteSearch.offset(of: UInt8(ascii: "/"), in: bytes, from: start + 3)
            while end < bytes.count, bytes[end - 1] != UInt8(ascii: "*") {
                end = ByteSearch.offset(of: UInt8(ascii: "/"), in: bytes, from: end + 1)
            }
            offset = min(end + 1, bytes.count)
        }
        comments.append(start..<offset)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "\""):
            true
        default: false
        }
    }
}
