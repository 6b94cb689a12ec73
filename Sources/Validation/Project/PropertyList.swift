import Diagnostics
import Foundation
import JSON

/// A property list with the place of each value, where its form has places.
struct PropertyList: Sendable {
    /// A value and its place.
    indirect enum Value: Sendable, Hashable {
        case text(String)
        case number(Double)
        case flag(Bool)
        case other
        case list([Item])
        case dictionary([Entry])
    }

    struct Item: Sendable, Hashable {
        var value: Value
        /// Bytes of the element's text, for fixes; `nil` in a binary list.
        var range: Range<Int>?
        var location: SourceLocation
    }

    struct Entry: Sendable, Hashable {
        var key: String
        var keyLocation: SourceLocation
        var item: Item
    }

    let source: SourceText
    let root: Item

    /// Reads the XML or the binary form.
    init(_ source: SourceText) throws(InvalidInput) {
        self.source = source
        if source.bytes.starts(with: Array("bplist".utf8)) {
            root = try Self.binary(source)
        } else {
            var reader = PropertyListReader(source)
            root = try reader.read()
        }
    }

    subscript(key: String) -> Entry? { root.entry(key) }

    // MARK: The binary form

    /// The system's reader: the form has no places anyway, so findings name the file.
    private static func binary(_ source: SourceText) throws(InvalidInput) -> Item {
        let location = SourceLocation(file: source.file)
        let read: Any
        do {
            read = try PropertyListSerialization.propertyList(from: Data(source.bytes), format: nil)
        } catch {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-APP-001", "this binary property list is damaged",
                    remedy: "`plutil -convert xml1` makes it readable, if anything does.", at: location))
        }
        return item(read, location, depth: 0)
    }

    private static func item(_ any: Any, _ location: SourceLocation, depth: Int) -> Item {
        let value: Value
        switch any {
        case _ where depth > 64: value = .other
        case let text as String: value = .text(text)
        case let list as [Any]: value = .list(list.map { item($0, location, depth: depth + 1) })
        case let dictionary as [String: Any]:
            value = .dictionary(
                dictionary.keys.sorted().map { key in
                    Entry(
                        key: key, keyLocation: location,
                        item: dictionary[key].map { item($0, location, depth: depth + 1) }
                            ?? Item(value: .other, location: location))
                })
        case let flag as Bool: value = .flag(flag)
        case let number as Double: value = .number(number)
        default: value = .other
        }
        return Item(value: value, range: nil, location: location)
    }
}

extension PropertyList.Item {
    func entry(_ key: String) -> PropertyList.Entry? {
        guard case .dictionary(let entries) = value else { return nil }
        return entries.first { $0.key == key }
    }

    var text: String? { if case .text(let text) = value { text } else { nil } }
    var flag: Bool? { if case .flag(let flag) = value { flag } else { nil } }
    var items: [PropertyList.Item]? { if case .list(let items) = value { items } else { nil } }

    /// The kind of value in a sentence.
    var kind: String {
        switch value {
        case .text: "a string"
        case .number: "a number"
        case .flag: "a boolean"
        case .list: "an array"
        case .dictionary: "a dictionary"
        case .other: "a date or data"
        }
    }
}

/// Reads the XML form: seven elements, no attributes that matter, and a place for every value.
private struct PropertyListReader {
    private let source: SourceText
    private let bytes: [UInt8]
    private var at = 0
    private static let mostDepth = 64

    init(_ source: SourceText) {
        self.source = source
        bytes = source.bytes
    }

    private struct Tag {
        var name: String
        var isEnd: Bool
        var isEmpty: Bool
        var range: Range<Int>
    }

    private func fault(_ message: String, _ offset: Int, _ remedy: String? = nil) -> InvalidInput {
        InvalidInput(
            Diagnostic(
                rule: "B2C-APP-001", message, remedy: remedy,
                at: source.location(at: min(offset, max(bytes.count - 1, 0)))))
    }

    mutating func read() throws(InvalidInput) -> PropertyList.Item {
        guard let root = try nextTag(), root.name == "plist", !root.isEnd, !root.isEmpty else {
            throw fault("this is not a property list: <plist> is missing", 0)
        }
        guard let first = try nextTag(), !first.isEnd else { throw fault("the property list is empty", at) }
        let item = try value(first, depth: 0)
        guard let end = try nextTag(), end.isEnd, end.name == "plist" else {
            throw fault("after the one value </plist> was expected", at)
        }
        return item
    }

    /// The next element's tag; comments, declarations and text between are passed over.
    private mutating func nextTag() throws(InvalidInput) -> Tag? {
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                at += 1
                continue
            }
            let start = at
            if starts("<!--") {
                guard let end = ByteSearch.first(Array("-->".utf8), in: bytes, from: at) else {
                    throw fault("the comment has no end", start)
                }
                at = end + 3
            } else if starts("<?") || starts("<!") {
                guard let end = ByteSearch.first([UInt8(ascii: ">")], in: bytes, from: at) else {
                    throw fault("the declaration has no end", start)
                }
                if bytes[start..<end].contains(UInt8(ascii: "[")) {
                    throw fault("a property list has no declarations of its own", start, "Take them out.")
                }
                at = end + 1
            } else {
                return try tag(start)
            }
        }
        return nil
    }

    private mutating func tag(_ start: Int) throws(InvalidInput) -> Tag {
        guard let end = ByteSearch.first([UInt8(ascii: ">")], in: bytes, from: start) else {
            throw fault("the tag has no end", start, "Add >.")
        }
        at = end + 1
        var inner = bytes[(start + 1)..<end]
        let isEnd = inner.first == UInt8(ascii: "/")
        if isEnd { inner = inner.dropFirst() }
        let isEmpty = inner.last == UInt8(ascii: "/")
        let name = inner.prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != UInt8(ascii: "/") }
        return Tag(
            name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty, range: start..<(end + 1))
    }

    private func starts(_ text: String) -> Bool { bytes[at...].starts(with: Array(text.utf8)) }

    private mutating func value(_ tag: Tag, depth: Int) throws(InvalidInput) -> PropertyList.Item {
        guard depth < Self.mostDepth else { throw fault("values are nested too deeply", tag.range.lowerBound) }
        func item(_ value: PropertyList.Value, _ range: Range<Int>? = nil) -> PropertyList.Item {
            let shown = range ?? tag.range
            return PropertyList.Item(
                value: value, range: range,
                location: source.location(at: shown.lowerBound, byteLength: max(shown.count, 1)))
        }
        switch tag.name {
        case "true": return item(.flag(true))
        case "false": return item(.flag(false))
        case "dict": return item(.dictionary(tag.isEmpty ? [] : try entries(depth)))
        case "array":
            var items: [PropertyList.Item] = []
            while !tag.isEmpty {
                guard let next = try nextTag() else { throw fault("<array> has no end", tag.range.lowerBound) }
                if next.isEnd {
                    guard next.name == "array" else {
                        throw fault("</array> was expected, this is </\(next.name)>", next.range.lowerBound)
                    }
                    break
                }
                items.append(try value(next, depth: depth + 1))
            }
            return item(.list(items))
        case "string", "integer", "real", "date", "data":
            let (text, range) = tag.isEmpty ? ("", nil) : try content(tag)
            switch tag.name {
            case "string": return item(.text(text), range)
            case "integer", "real":
                guard let number = Double(text) else {
                    throw fault("\"\(text)\" is no number", tag.range.upperBound)
                }
                return item(.number(number), range)
            default: return item(.other, range)
            }
        default:
            throw fault(
                "a property list has no element <\(tag.name)>", tag.range.lowerBound,
                nearestName(
                    tag.name,
                    among: ["dict", "array", "string", "key", "true", "false", "integer", "real", "date", "data"]
                ).map { "Did you mean <\($0)>?" })
        }
    }

    private mutating func entries(_ depth: Int) throws(InvalidInput) -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        while let tag = try nextTag() {
            if tag.isEnd {
                guard tag.name == "dict" else {
                    throw fault("</dict> was expected, this is </\(tag.name)>", tag.range.lowerBound)
                }
                return entries
            }
            guard tag.name == "key" else {
                throw fault("in a <dict> a <key> comes before each value", tag.range.lowerBound)
            }
            let (key, range) = try content(tag)
            guard let next = try nextTag(), !next.isEnd else {
                throw fault("the key \"\(key)\" has no value", tag.range.lowerBound)
            }
            let place = range ?? tag.range
            entries.append(
                PropertyList.Entry(
                    key: key, keyLocation: source.location(at: place.lowerBound, byteLength: max(place.count, 1)),
                    item: try value(next, depth: depth + 1)))
        }
        throw fault("<dict> has no end", bytes.count)
    }

    /// Text up to the end tag, and its bytes without white space around.
    private mutating func content(_ tag: Tag) throws(InvalidInput) -> (String, Range<Int>?) {
        let start = at
        guard let end = ByteSearch.first(Array("</\(tag.name)".utf8), in: bytes, from: start) else {
            throw fault("<\(tag.name)> has no end", tag.range.lowerBound, "Add </\(tag.name)>.")
        }
        guard let close = ByteSearch.first([UInt8(ascii: ">")], in: bytes, from: end) else {
            throw fault("the tag has no end", end)
        }
        at = close + 1
        var text = bytes[start..<end]
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        text = text.drop(while: blank)
        while let last = text.last, blank(last) { text = text.dropLast() }
        if let open = text.firstIndex(of: UInt8(ascii: "<")) {
            throw fault("<\(tag.name)> holds text only", open)
        }
        let plain = String(decoding: text, as: UTF8.self)
        return (Self.unescaped(plain), text.startIndex..<text.endIndex)
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = text
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
        ] {
            result = result.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
        }
        return result
    }
}
