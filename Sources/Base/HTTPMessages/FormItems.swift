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
        var text = text
        items = text.withUTF8 { FormItems.items($0) }
    }

    /// The same, from bytes.
    public init(parsing bytes: [UInt8]) {
        items = bytes.withUnsafeBufferPointer { FormItems.items($0) }
    }

    private static func items(_ bytes: UnsafeBufferPointer<UInt8>) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        items.reserveCapacity(8)
        var start = 0
        while start < bytes.count {
            let end = ByteSearch.offset(of: UInt8(ascii: "&"), in: bytes, from: start)
            if end > start {
                let equals = ByteSearch.offset(of: UInt8(ascii: "="), in: bytes, start..<end)
                items.append((text(bytes, start..<equals), text(bytes, min(equals + 1, end)..<end)))
            }
            start = end + 1
        }
        return items
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        PercentCoding.decode(UnsafeBufferPointer(rebasing: bytes[range]), plusIsSpace: true)
    }

    public var isEmpty: Bool { items.isEmpty }
    public var count: Int { items.count }

    /// The value of the first item of that name.
    ///
    /// Setting it changes the first and removes the others, adds one at the end where there is none, and with `nil`
    /// removes all.
    public subscript(name: String) -> String? {
        get {
            for index in items.indices where sameText(items[index].name, name) { return items[index].value }
            return nil
        }
        set {
            guard let newValue else {
                items.removeAll { sameText($0.name, name) }
                return
            }
            guard let first = items.firstIndex(where: { sameText($0.name, name) }) else {
                items.append((name, newValue))
                return
            }
            items[first].value = newValue
            var later = items[(first + 1)...]
            later.removeAll { sameText($0.name, name) }
            items.replaceSubrange((first + 1)..., with: later)
        }
    }

    /// The values of all items of that name, in order.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        for index in items.indices where sameText(items[index].name, name) { values.append(items[index].value) }
        return values
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

    /// ``encoded`` as UTF-8.
    var encodedBytes: [UInt8] {
        bytes(keeping: PercentCoding.form, spaceAsPlus: true, digits: PercentCoding.upperDigits)
    }

    private func encode(keeping kept: ByteSet, spaceAsPlus: Bool, digits: [UInt8]) -> String {
        String(decoding: bytes(keeping: kept, spaceAsPlus: spaceAsPlus, digits: digits), as: UTF8.self)
    }

    private func bytes(keeping kept: ByteSet, spaceAsPlus: Bool, digits: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(items.reduce(64) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
        for index in items.indices {
            let item = items[index]
            if index > 0 { encoded.append(UInt8(ascii: "&")) }
            PercentCoding.append(item.name, to: &encoded, keeping: kept, spaceAsPlus: spaceAsPlus, digits: digits)
            encoded.append(UInt8(ascii: "="))
            PercentCoding.append(item.value, to: &encoded, keeping: kept, spaceAsPlus: spaceAsPlus, digits: digits)
        }
        return encoded
    }

    /// For records and reports; a name that comes again has an array of its values.
    public var json: JSONObject {
        var object = JSONObject()
        for item in items { object.collect(item.name, .string(item.value)) }
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
