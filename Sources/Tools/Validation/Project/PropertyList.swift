import Diagnostics
import Foundation
import Markup

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
            var reader = try PropertyListReader(source)
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

extension XMLForm {
    /// Property lists, which usually name Apple's document type.
    fileprivate static let propertyList = XMLForm(
        rule: "B2C-APP-001", documentTypeRemedy: "Write no declarations in it: a property list needs none.",
        passesOverDocumentType: true)
}

/// Reads the XML form: ten elements, no attributes that matter, and a place for every value. Text between elements is
/// passed over.
private struct PropertyListReader {
    private let source: SourceText
    private let tags: [TagIndex.Tag]
    /// The index of the tag that is read next.
    private var next = 0
    private static let names = [
        "dict", "array", "string", "key", "true", "false", "integer", "real", "date", "data",
    ]

    init(_ source: SourceText) throws(InvalidInput) {
        self.source = source
        let (index, fault) = TagIndex.readable(source, as: .propertyList)
        tags = index.tags
        guard let root = tags.first, source.text(root.name) == "plist", !root.endsItself else {
            throw self.fault(
                "this is not a property list: <plist> is missing", 0,
                tags.isEmpty ? fault.map { "As XML: \($0.message)." } : nil)
        }
        // A wrong name says more than the end tag that does not fit it.
        for tag in tags.dropFirst() where !Self.names.contains(source.text(tag.name)) {
            let name = source.text(tag.name)
            throw self.fault(
                "a property list has no element <\(name)>", tag.start,
                nearestName(name, among: Self.names).map { "Did you mean <\($0)>?" })
        }
        if let fault { throw InvalidInput(fault) }
    }

    private func fault(_ message: String, _ offset: Int, _ remedy: String? = nil) -> InvalidInput {
        InvalidInput(
            Diagnostic(
                rule: "B2C-APP-001", message, remedy: remedy,
                at: source.location(at: min(offset, max(source.bytes.count - 1, 0)))))
    }

    mutating func read() throws(InvalidInput) -> PropertyList.Item {
        let root = tags[0]
        next = 1
        guard let first = child(of: root) else { throw fault("the property list is empty", root.body.upperBound) }
        let item = try value(first)
        if let second = child(of: root) {
            throw fault("after the one value </plist> was expected", second.start)
        }
        return item
    }

    /// The next tag, if it is in an element; its children are read by then.
    private mutating func child(of parent: TagIndex.Tag) -> TagIndex.Tag? {
        guard next < tags.count, tags[next].start < parent.body.upperBound else { return nil }
        next += 1
        return tags[next - 1]
    }

    private mutating func value(_ tag: TagIndex.Tag) throws(InvalidInput) -> PropertyList.Item {
        func item(_ value: PropertyList.Value, _ range: Range<Int>? = nil) -> PropertyList.Item {
            let shown = range ?? tag.start..<tag.body.lowerBound
            return PropertyList.Item(
                value: value, range: range,
                location: source.location(at: shown.lowerBound, byteLength: max(shown.count, 1)))
        }
        switch source.text(tag.name) {
        case "dict": return item(.dictionary(try entries(tag)))
        case "array":
            var items: [PropertyList.Item] = []
            while let next = child(of: tag) { items.append(try value(next)) }
            return item(.list(items))
        case "key": throw fault("a <key> belongs into a <dict>", tag.start)
        case let name:
            let (text, range) = try content(tag, name)
            switch name {
            case "true": return item(.flag(true))
            case "false": return item(.flag(false))
            case "string": return item(.text(text), range)
            case "integer", "real":
                guard let number = Double(text) else { throw fault("\"\(text)\" is not a number", tag.body.lowerBound) }
                return item(.number(number), range)
            default: return item(.other, range)
            }
        }
    }

    private mutating func entries(_ dictionary: TagIndex.Tag) throws(InvalidInput) -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        while let tag = child(of: dictionary) {
            guard source.text(tag.name) == "key" else {
                throw fault("in a <dict> a <key> comes before each value", tag.start)
            }
            let (key, range) = try content(tag, "key")
            guard let next = child(of: dictionary), source.text(next.name) != "key" else {
                throw fault("the key \"\(key)\" has no value", tag.start)
            }
            let place = range ?? tag.start..<tag.body.lowerBound
            entries.append(
                PropertyList.Entry(
                    key: key, keyLocation: source.location(at: place.lowerBound, byteLength: max(place.count, 1)),
                    item: try value(next)))
        }
        return entries
    }

    /// The text of an element, and its bytes without white space around.
    private func content(_ tag: TagIndex.Tag, _ name: String) throws(InvalidInput) -> (String, Range<Int>?) {
        guard !tag.endsItself else { return ("", nil) }
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        var text = source.bytes[tag.body].drop(while: blank)
        while let last = text.last, blank(last) { text = text.dropLast() }
        if let open = text.firstIndex(of: UInt8(ascii: "<")) { throw fault("<\(name)> holds text only", open) }
        let range = text.startIndex..<text.endIndex
        return (XMLEntities.unescaped(source.text(range)), range)
    }
}
