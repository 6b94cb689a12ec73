import JSON

/// One header field, its name in the spelling received or to be sent.
public struct HeaderField: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The header fields of a message in their order, repetitions and spelling kept.
///
/// A mock has to reproduce all three: several `Set-Cookie` fields, or the five `Allow` fields of a real B2C answer.
public struct Headers: Hashable, Sendable {
    public var fields: [HeaderField]

    public init() {
        fields = []
    }

    public init(_ fields: [HeaderField]) {
        self.fields = fields
    }

    /// The value of the first field of that name in any letter case.
    ///
    /// Setting it changes the first and removes the others, adds one at the end where there is none, and with `nil`
    /// removes all.
    public subscript(name: String) -> String? {
        get {
            // By index: iterating would copy, and so retain, every field on the way.
            for index in fields.indices where fields[index].name.equalsIgnoringASCIICase(name) {
                return fields[index].value
            }
            return nil
        }
        set {
            guard let newValue else {
                fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
                return
            }
            guard let first = fields.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
                fields.append(HeaderField(name: name, value: newValue))
                return
            }
            fields[first].value = newValue
            var later = fields[(first + 1)...]
            later.removeAll { $0.name.equalsIgnoringASCIICase(name) }
            fields.replaceSubrange((first + 1)..., with: later)
        }
    }

    /// The values of all fields of that name, in order.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        for index in fields.indices where fields[index].name.equalsIgnoringASCIICase(name) {
            values.append(fields[index].value)
        }
        return values
    }

    public mutating func append(_ name: String, _ value: String) {
        fields.append(HeaderField(name: name, value: value))
    }

    /// The media type of `Content-Type` in lower case, without parameters: `application/json`.
    public var mediaType: String? {
        guard let value = self["Content-Type"] else { return nil }
        let type = value.utf8.firstIndex(of: UInt8(ascii: ";")).map { String(value[..<$0]) } ?? value
        return type.trimmedOptionalWhitespace.asciiLowercased
    }

    /// Names in lower case, for records and reports; a repeated field has an array of its values.
    public var json: JSONObject {
        var object = JSONObject()
        for field in fields {
            object.collect(field.name.asciiLowercased, .string(field.value))
        }
        return object
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { HeaderField(name: $0.0, value: $0.1) }
    }
}
