import JSON

/// Names and values in order: a query, a fragment, or a form body.
public struct FormItems: Sendable {
    public var items: [(name: String, value: String)]

    public init() {
        items = []
    }

    public init(_ items: [(name: String, value: String)]) {
        self.items = items
    }

    /// Reads `application/x-www-form-urlencoded` (WHATWG URL, section 5.1): `+` is a space, a part without `=` is a
    /// name with an empty value, empty parts count for nothing.
    public init(parsing text: String) {
        self.init(parsing: Array(text.utf8))
    }

    /// The same, from bytes.
    public init(parsing bytes: [UInt8]) {
        items = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = equals < part.endIndex ? part[(equals + 1)...] : part[part.endIndex...]
            items.append((FormItems.text(part[..<equals]), FormItems.text(value)))
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: PercentCoding.decode(bytes, plusIsSpace: true), as: UTF8.self)
    }

    public var isEmpty: Bool { items.isEmpty }
    public var count: Int { items.count }

    /// The value of the first item of that name.
    ///
    /// Setting it changes the first and removes the others, adds one at the end where there is none, and with `nil`
    /// removes all.
    public subscript(name: String) -> String? {
        get {
            items.first { $0.name == name }?.value
        }
        set {
            guard let newValue else {
                items.removeAll { $0.name == name }
                return
            }
            guard let first = items.firstIndex(where: { $0.name == name }) else {
                items.append((name, newValue))
                return
            }
            items[first].value = newValue
            var later = items[(first + 1)...]
            later.removeAll { $0.name == name }
            items.replaceSubrange((first + 1)..., with: later)
        }
    }

    /// The values of all items of that name, in order.
    public func all(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    public mutating func append(_ name: String, _ value: String) {
        items.append((name, value))
    }

    public mutating func append(contentsOf other: FormItems) {
        items.append(contentsOf: other.items)
    }

    /// As forms are posted: `+` for space, `%XX` in upper case.
    public var encoded: String {
        encode(keeping: PercentCoding.form, spaceAsPlus: true, digits: PercentCoding.upperDigits)
    }

    /// As .NET's `HttpUtility.UrlEncode` writes it, and so B2C in redirects: `+` for space, `%xx` in lower case,
    /// `- _ . ! * ( )` left alone.
    public var dotNetEncoded: String {
        encode(keeping: PercentCoding.dotNet, spaceAsPlus: true, digits: PercentCoding.lowerDigits)
    }

    /// As RFC 3986 components: `%20` for space, `%XX` in upper case, `- . _ ~` left alone.
    public var percentEncoded: String {
        encode(keeping: PercentCoding.unreserved, spaceAsPlus: false, digits: PercentCoding.upperDigits)
    }

    private func encode(keeping kept: ByteSet, spaceAsPlus: Bool, digits: [UInt8]) -> String {
        var encoded: [UInt8] = []
        for (index, item) in items.enumerated() {
            if index > 0 { encoded.append(UInt8(ascii: "&")) }
            PercentCoding.append(item.name, to: &encoded, keeping: kept, spaceAsPlus: spaceAsPlus, digits: digits)
            encoded.append(UInt8(ascii: "="))
            PercentCoding.append(item.value, to: &encoded, keeping: kept, spaceAsPlus: spaceAsPlus, digits: digits)
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// For records and reports; a name that comes again has an array of its values.
    public var json: JSONObject {
        var object = JSONObject()
        for item in items { object.collect(item.name, item.value) }
        return object
    }
}

extension FormItems: Hashable {
    public static func == (a: FormItems, b: FormItems) -> Bool {
        a.items.count == b.items.count && zip(a.items, b.items).allSatisfy { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for item in items {
            hasher.combine(item.name)
            hasher.combine(item.value)
        }
    }
}

extension FormItems: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        items = elements.map { ($0.0, $0.1) }
    }
}
