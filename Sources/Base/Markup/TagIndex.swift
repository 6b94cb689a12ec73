import Diagnostics

/// The places of all start tags of an XML text and of their attributes.
///
/// `XMLParser` reports the end of a start tag and loses the order of attributes, so this scan finds the places. It also
/// refuses what must never reach a parser (a DOCTYPE, extreme depth) and names structural mistakes better than the
/// parser does. The n-th tag here is the n-th element that the parser reports.
package struct TagIndex: Sendable {
    package struct Attribute: Sendable {
        package let name: Range<Int>
        /// Between the quotes.
        package let value: Range<Int>
    }

    package struct Tag: Sendable {
        /// Offset of `<`.
        package let start: Int
        package let name: Range<Int>
        package let attributes: [Attribute]
        /// What is between the start tag and the end tag.
        package fileprivate(set) var body: Range<Int>
        /// Offset after the element's end.
        package fileprivate(set) var end: Int
        /// Whether it is written as `<a/>`.
        package let endsItself: Bool
    }

    package let tags: [Tag]
    /// What a parser must not see: a document type, and an XML declaration that does not apply.
    let hidden: [Range<Int>]

    /// Deepest nesting that is read. The deepest element of the policy schema lies at 9.
    package static let deepest = 64

    /// Most attributes of one tag. No element of the schema has more than eight.
    package static let mostAttributes = 64

    /// The tags of a whole text.
    package init(_ source: SourceText, as form: XMLForm) throws(InvalidInput) {
        let (index, fault) = Self.readable(source, as: form)
        if let fault { throw InvalidInput(fault) }
        self = index
    }

    private init(tags: [Tag], hidden: [Range<Int>]) {
        self.tags = tags
        self.hidden = hidden
    }

    /// The tags up to the first fault, and that fault.
    package static func readable(_ source: SourceText, as form: XMLForm) -> (index: TagIndex, fault: Diagnostic?) {
        var scanner = Scanner(source: source, form: form)
        let fault = source.bytes.withUnsafeBufferPointer { scanner.scan($0) }
        return (TagIndex(tags: scanner.tags, hidden: scanner.hidden), fault)
    }

    /// The root's start tag as far as it can be read, and whether everything up to its end is well-formed; `nil` if the text
    /// does not begin with one. What follows the tag is not looked at.
    package static func root(of bytes: [UInt8], as form: XMLForm) -> (tag: Tag, isWellFormed: Bool)? {
        // Nobody asks for the place of a fault.
        var scanner = Scanner(source: SourceText(file: "", bytes: []), form: form)
        scanner.onlyRoot = true
        let fault = bytes.withUnsafeBufferPointer { scanner.scan($0) }
        return scanner.tags.first.map { ($0, fault == nil && scanner.isWellFormed) }
    }

    private struct Scanner {
        let source: SourceText
        let form: XMLForm
        /// Stops after the first start tag, and passes over faults before it.
        var onlyRoot = false
        /// Whether no fault was passed over.
        var isWellFormed = true
        var tags: [Tag] = []
        var hidden: [Range<Int>] = []
        /// The attributes of the tag that is read.
        var attributes: [Attribute] = []
        /// Indices of the elements that are open.
        var open: [Int] = []

        mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Diagnostic? {
            // A byte order mark does not count as text.
            var at = starts(bytes, 0, "\u{FEFF}") ? 3 : 0
            while at < bytes.count {
                guard bytes[at] == UInt8(ascii: "<") else {
                    if bytes[at] == UInt8(ascii: "&"), let wrong = wrongReference(bytes, at) {
                        guard onlyRoot else { return wrong }
                        isWellFormed = false
                    }
                    if open.isEmpty, !tags.isEmpty, !isBlank(bytes[at]) {
                        return problem(
                            at, "there is text after the root element",
                            remedy: "Take it out, or make it a comment.")
                    }
                    at += 1
                    continue
                }
                if at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "!") || bytes[at + 1] == UInt8(ascii: "?") {
                    switch passOver(bytes, at) {
                    case .success(let end): at = end
                    case .failure(let finding): return finding.diagnostic
                    }
                } else if starts(bytes, at, "</") {
                    switch endTag(bytes, at) {
                    case .success(let end): at = end
                    case .failure(let finding): return finding.diagnostic
                    }
                } else {
                    switch startTag(bytes, at) {
                    case .success(let end):
                        at = end
                        if onlyRoot { return nil }
                    case .failure(let finding):
                        if onlyRoot { addCutTag(bytes, at) }
                        return finding.diagnostic
                    }
                }
            }
            if let last = open.last {
                return problem(
                    tags[last].start, "<\(text(bytes, tags[last].name))> is never ended",
                    remedy: "The file may be cut off.")
            }
            if tags.isEmpty {
                return Diagnostic(rule: form.rule, "there is no element in this file", at: source.location(at: 0))
            }
            return nil
        }

        /// Behind a comment, a CDATA section, an instruction or a document type declaration.
        private mutating func passOver(
            _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
        ) -> Result<Int, TagError> {
            func behind(_ from: Int, _ mark: StaticString, _ what: String) -> Result<Int, TagError> {
                find(bytes, from, mark).map { .success($0) }
                    ?? .failure(TagError(diagnostic: problem(start, "this \(what) never ends")))
            }
            if starts(bytes, start, "<!--") {
                let comment = behind(start + 4, "-->", "comment")
                if case .success(let end) = comment, let dashes = find(bytes, start + 4, "--"), dashes < end - 1 {
                    guard onlyRoot else {
                        let message = "-- is inside a comment, which XML does not allow"
                        return .failure(TagError(diagnostic: problem(dashes - 2, message)))
                    }
                    isWellFormed = false
                }
                return comment
            }
            if starts(bytes, start, "<![CDATA[") { return behind(start + 9, "]]>", "CDATA section") }
            if starts(bytes, start, "<?") {
                let instruction = behind(start + 2, "?>", "instruction")
                if case .success(let end) = instruction, form.isDecoded, starts(bytes, start, "<?xml"),
                    nameEnd(bytes, start + 2) == start + 5
                {
                    hidden.append(start..<end)
                }
                return instruction
            }
            guard let end = endOfDocumentType(bytes, start) else {
                return .failure(
                    TagError(
                        diagnostic: Diagnostic(
                            rule: form.rule,
                            "a document type declaration is refused: it can name files and grow without bound",
                            remedy: form.documentTypeRemedy, at: source.location(at: start, byteLength: 9))))
            }
            hidden.append(start..<end)
            return .success(end)
        }

        /// Behind a document type declaration that is passed over: one that declares nothing itself.
        private func endOfDocumentType(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
            guard form.passesOverDocumentType, tags.isEmpty, starts(bytes, start, "<!DOCTYPE"),
                let end = find(bytes, start, ">"), !bytes[start..<end].contains(UInt8(ascii: "["))
            else { return nil }
            return end
        }

        /// The start tag that could not be read to its end, with the attributes before the fault.
        private mutating func addCutTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) {
            let name = start + 1..<nameEnd(bytes, start + 1)
            addTag(start, name, end: name.upperBound)
        }

        private mutating func addTag(_ start: Int, _ name: Range<Int>, end: Int, endsItself: Bool = false) {
            tags.append(
                Tag(
                    start: start, name: name, attributes: attributes, body: end..<end, end: end, endsItself: endsItself)
            )
        }

        struct TagError: Error { let diagnostic: Diagnostic }

        // Inlined, since a scan takes 13 percent longer with calls.
        @inline(__always)
        private mutating func endTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Result<Int, TagError> {
            func failed(_ message: String, remedy: String? = nil) -> Result<Int, TagError> {
                .failure(TagError(diagnostic: problem(start, message, remedy: remedy)))
            }
            let name = nameEnd(bytes, start + 2)
            let close = skipBlanks(bytes, name)
            guard close < bytes.count, bytes[close] == UInt8(ascii: ">") else {
                return failed("this end tag is not finished with >")
            }
            guard let last = open.popLast() else {
                return failed("the end tag </\(text(bytes, start + 2..<name))> ends nothing")
            }
            let expected = text(bytes, tags[last].name)
            let found = text(bytes, start + 2..<name)
            guard expected == found else {
                let line = source.position(at: tags[last].start).line
                return failed(
                    "the end tag </\(found)> is in the place where <\(expected)> of line \(line) must end",
                    remedy: "Write </\(expected)>, or fix the element that was opened.")
            }
            tags[last].body = tags[last].body.lowerBound..<start
            tags[last].end = close + 1
            return .success(close + 1)
        }

        private mutating func startTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Result<Int, TagError> {
            func failed(_ at: Int, _ message: String, remedy: String? = nil) -> Result<Int, TagError> {
                .failure(TagError(diagnostic: problem(at, message, remedy: remedy)))
            }
            let name = start + 1..<nameEnd(bytes, start + 1)
            attributes = []
            guard !name.isEmpty else {
                return failed(
                    start, "a bare < starts no tag", remedy: "Write &lt; for the character itself.")
            }
            guard open.count < TagIndex.deepest else {
                return failed(start, "elements are nested deeper than \(TagIndex.deepest) levels")
            }
            if open.isEmpty, !tags.isEmpty { return failed(start, "a second root element") }
            var at = name.upperBound
            while true {
                let next = skipBlanks(bytes, at)
                guard next < bytes.count else {
                    return failed(start, "this tag never ends", remedy: "The file may be cut off.")
                }
                switch bytes[next] {
                case UInt8(ascii: ">"):
                    open.append(tags.count)
                    addTag(start, name, end: next + 1)
                    return .success(next + 1)
                case UInt8(ascii: "/"):
                    guard next + 1 < bytes.count, bytes[next + 1] == UInt8(ascii: ">") else {
                        return failed(next, "a / inside a tag must be followed by >")
                    }
                    addTag(start, name, end: next + 2, endsItself: true)
                    return .success(next + 2)
                default: break
                }
                guard next > at else { return failed(next, "a blank is missing between attributes") }
                guard attributes.count < TagIndex.mostAttributes else {
                    return failed(next, "a tag has more than \(TagIndex.mostAttributes) attributes")
                }
                let key = next..<nameEnd(bytes, next)
                guard !key.isEmpty else { return failed(next, "an attribute's name was expected here") }
                let equals = skipBlanks(bytes, key.upperBound)
                guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else {
                    return failed(next, "the attribute \(text(bytes, key)) has no value")
                }
                let quote = skipBlanks(bytes, equals + 1)
                guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'")
                else {
                    return failed(next, "the value of \(text(bytes, key)) must be in quotes")
                }
                var end = quote + 1
                if let finding = findValueEnd(bytes, of: key, from: quote, &end) { return .failure(finding) }
                if attributes.contains(where: { text(bytes, $0.name) == text(bytes, key) }) {
                    return failed(next, "the attribute \(text(bytes, key)) occurs twice in one tag")
                }
                attributes.append(Attribute(name: key, value: quote + 1..<end))
                at = end + 1
            }
        }

        /// Moves `end` from the first byte of an attribute's value to its closing quote.
        @inline(__always)
        private func findValueEnd(
            _ bytes: UnsafeBufferPointer<UInt8>, of key: Range<Int>, from quote: Int, _ end: inout Int
        ) -> TagError? {
            while end < bytes.count, bytes[end] != bytes[quote] {
                if bytes[end] == UInt8(ascii: "<") {
                    // A value that runs over the end of its line was most likely never closed.
                    let isOneLine = !bytes[quote..<end].contains(0x0A)
                    return TagError(
                        diagnostic: problem(
                            isOneLine ? end : key.lowerBound, "a < is inside the value of \(text(bytes, key))",
                            remedy: "Write &lt;, or close the quotes before it."))
                }
                if bytes[end] == UInt8(ascii: "&"), let wrong = wrongReference(bytes, end) {
                    return TagError(diagnostic: wrong)
                }
                end += 1
            }
            guard end < bytes.count else {
                return TagError(
                    diagnostic: problem(key.lowerBound, "the value of \(text(bytes, key)) is not closed"))
            }
            return nil
        }

        private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

        /// What is wrong with the & at an offset; `nil` where it begins one of XML's five entities or a character's
        /// number.
        private func wrongReference(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Diagnostic? {
            var end = at + 1
            while end < bytes.count, end - at <= 12, bytes[end] == UInt8(ascii: "#") || isNameByte(bytes[end]) {
                end += 1
            }
            let name = text(bytes, at + 1..<end)
            guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), !name.isEmpty else {
                return problem(at, "a bare & stands here", remedy: "Write &amp; for the character itself.")
            }
            guard XMLEntities.character(of: name) == nil else { return nil }
            return problem(
                at, "XML has no entity &\(name);",
                remedy: "It knows &amp; &lt; &gt; &quot; &apos; and numbers such as &#160;.")
        }

        private func isNameByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }

        private func problem(_ at: Int, _ message: String, remedy: String? = nil) -> Diagnostic {
            Diagnostic(rule: form.rule, message, remedy: remedy, at: source.location(at: at))
        }

        private func starts(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, _ text: StaticString) -> Bool {
            guard at + text.utf8CodeUnitCount <= bytes.count else { return false }
            for offset in 0..<text.utf8CodeUnitCount where bytes[at + offset] != text.utf8Start[offset] { return false }
            return true
        }

        /// The offset after the next occurrence of a text.
        private func find(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ wanted: StaticString) -> Int? {
            var at = from
            while at + wanted.utf8CodeUnitCount <= bytes.count {
                if starts(bytes, at, wanted) { return at + wanted.utf8CodeUnitCount }
                at += 1
            }
            return nil
        }

        private func nameEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
            var at = from
            while at < bytes.count {
                switch bytes[at] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: ":"), 0x80...:
                    at += 1
                default: return at
                }
            }
            return at
        }

        private func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
            var at = from
            while at < bytes.count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
            return at
        }

        private func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
            String(decoding: bytes[range], as: UTF8.self)
        }
    }
}

extension SourceText {
    /// The bytes of a range as text.
    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
