/// Finds the elements of a text that may be broken. One pass: no byte is looked at more often than a few times, whatever
/// the text.
struct MarkupScanner {
    typealias Element = MarkupOutline.Element

    /// Something that begins with `<`.
    struct Mark {
        enum Kind {
            case start(element: Int)
            /// An end tag with the element that it ends, if there is one, and its name.
            case end(of: Int?, name: Range<Int>)
            /// `<` without a name, with the element around it.
            case lone(parent: Int?)
            /// A comment, CDATA, an instruction, a declaration.
            case other
        }

        var kind: Kind
        var range: Range<Int>
        /// Whether its own end is there. What is not closed takes what is typed at its end.
        var isClosed: Bool
    }

    /// Elements that lie deeper become children of the last one above.
    static let depth = 64
    /// An end tag looks for its start tag among so many elements.
    private static let reach = 256

    /// What is passed over, with its end. Those that begin with others come first.
    private static let passedOver: [(start: [UInt8], end: [UInt8])] = [
        ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"),
    ].map { (Array($0.utf8), Array($1.utf8)) }

    private let bytes: [UInt8]
    private var at: Int
    /// Elements whose end has not come yet, outermost first.
    private var open: [Int] = []
    private(set) var elements: [Element] = []
    private(set) var comments: [Range<Int>] = []
    private(set) var marks: [Mark] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func scan() {
        while let start = next("<", from: at) {
            switch byte(start + 1) {
            case UInt8(ascii: "!"), UInt8(ascii: "?"):
                if let passed = Self.passedOver.first(where: { has($0.start, at: start) }) {
                    passOver(passed, from: start)
                }
            case UInt8(ascii: "/"): endTag(from: start)
            default: startTag(from: start)
            }
        }
        close(downTo: 0, at: bytes.count)
    }

    // MARK: Tags

    private var parent: Int? { open.isEmpty ? nil : open[min(open.count, Self.depth) - 1] }

    private mutating func startTag(from start: Int) {
        let name = word(from: start + 1)
        guard !name.isEmpty else {
            at = start + 1
            marks.append(Mark(kind: .lone(parent: parent), range: start..<at, isClosed: false))
            return
        }
        at = name.upperBound
        var attributes: [MarkupOutline.Attribute] = []
        var isClosed = false
        var endsItself = false
        while let byte = byte(at), byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: ">") {
                isClosed = true
                endsItself = bytes[at - 1] == UInt8(ascii: "/")
                at += 1
                break
            }
            let word = self.word(from: at)
            if word.isEmpty { at += 1 } else { attributes.append(attribute(named: word)) }
        }
        let index = elements.count
        elements.append(
            Element(
                name: name, start: start, tagEnd: at, attributes: attributes, parent: parent, children: [],
                body: at..<at, end: at, endsItself: endsItself, isClosed: endsItself))
        if let parent { elements[parent].children.append(index) }
        marks.append(Mark(kind: .start(element: index), range: start..<at, isClosed: isClosed))
        if !endsItself { open.append(index) }
    }

    /// Reads an attribute behind its name.
    private mutating func attribute(named name: Range<Int>) -> MarkupOutline.Attribute {
        at = name.upperBound
        let sign = behindBlanks(at)
        guard byte(sign) == UInt8(ascii: "=") else { return .init(name: name, value: at..<at) }
        at = behindBlanks(sign + 1)
        guard let quote = byte(at), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let value = word(from: at)
            // Without a value the next word on another line is a name of its own.
            guard !value.isEmpty, byte(value.upperBound) != UInt8(ascii: "=") else {
                at = sign + 1
                return .init(name: name, value: at..<at)
            }
            at = value.upperBound
            return .init(name: name, value: value)
        }
        let start = at + 1
        if let end = properEnd(of: quote, from: start) {
            at = end + 1
            return .init(name: name, value: start..<end)
        }
        at = start
        while let byte = byte(at), byte != UInt8(ascii: "<"), byte != UInt8(ascii: ">"), byte != 0x0A, byte != 0x0D {
            at += 1
        }
        return .init(name: name, value: start..<at)
    }

    /// Where a value has its closing quote; `nil` if the next quote seems to be the beginning of another value.
    private func properEnd(of quote: UInt8, from start: Int) -> Int? {
        var end = start
        while let byte = byte(end), byte != UInt8(ascii: "<") {
            if byte == quote {
                guard let next = self.byte(end + 1) else { return end }
                return Self.isBlank(next) || "<>/?".utf8.contains(next) ? end : nil
            }
            end += 1
        }
        return nil
    }

    private mutating func endTag(from start: Int) {
        let name = word(from: start + 2)
        at = name.upperBound
        let close = behindBlanks(at)
        let isClosed = byte(close) == UInt8(ascii: ">")
        if isClosed { at = close + 1 }
        let place =
            name.isEmpty
            ? nil
            : open.indices.suffix(Self.reach).last { bytes[elements[open[$0]].name].elementsEqual(bytes[name]) }
        let ended = place.map { open[$0] }
        if let place, let ended {
            self.close(downTo: place + 1, at: start)
            elements[ended].body = elements[ended].tagEnd..<start
            elements[ended].end = at
            elements[ended].isClosed = true
            open.removeLast()
        }
        marks.append(Mark(kind: .end(of: ended ?? open.last, name: name), range: start..<at, isClosed: isClosed))
    }

    /// Ends elements for lack of their end tags. One whose start tag has no end either was never meant to hold what
    /// follows it, so it hands that to the element around it.
    private mutating func close(downTo count: Int, at end: Int) {
        while open.count > count, let index = open.popLast() {
            let element = elements[index]
            let isCut = bytes[element.tagEnd - 1] != UInt8(ascii: ">")
            guard isCut, !element.children.isEmpty else {
                elements[index].body = element.tagEnd..<max(end, element.tagEnd)
                elements[index].end = max(end, element.tagEnd)
                continue
            }
            elements[index].children = []
            for child in element.children { elements[child].parent = element.parent }
            if let parent = element.parent { elements[parent].children += element.children }
        }
    }

    // MARK: Other marks

    private mutating func passOver(_ passed: (start: [UInt8], end: [UInt8]), from start: Int) {
        at = start + passed.start.count
        let isComment = passed.start.last == UInt8(ascii: "-")
        var end = at
        while end < bytes.count, !has(passed.end, at: end), !has(passed.start, at: end) { end += 1 }
        let isClosed = has(passed.end, at: end)
        at = isClosed ? end + passed.end.count : lineOfMarkup(from: at)
        if isComment { comments.append(start..<at) }
        marks.append(Mark(kind: .other, range: start..<at, isClosed: isClosed))
    }

    /// The next line that begins with `<`, blanks aside; else the end of the text.
    private func lineOfMarkup(from start: Int) -> Int {
        var line = start
        while let feed = next("\n", from: line) {
            line = behindBlanks(feed + 1)
            if byte(line) == UInt8(ascii: "<") { return line }
        }
        return bytes.count
    }

    // MARK: Bytes

    private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func next(_ wanted: Unicode.Scalar, from start: Int) -> Int? {
        let wanted = UInt8(ascii: wanted)
        var offset = start
        while offset < bytes.count {
            if bytes[offset] == wanted { return offset }
            offset += 1
        }
        return nil
    }

    private func has(_ text: [UInt8], at start: Int) -> Bool {
        guard start < bytes.count, bytes[start] == text[0] else { return false }
        return bytes[start...].starts(with: text)
    }

    private func behindBlanks(_ start: Int) -> Int {
        var offset = start
        while let byte = byte(offset), Self.isBlank(byte) { offset += 1 }
        return offset
    }

    /// A name, or a value without quotes.
    private func word(from start: Int) -> Range<Int> {
        let start = min(start, bytes.count)
        var end = start
        while let byte = byte(end), !Self.isBlank(byte), !Self.endsWord(byte) { end += 1 }
        return start..<end
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: false
        }
    }
}
