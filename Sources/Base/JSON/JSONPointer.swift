/// A path to a value inside a JSON document (RFC 6901).
public struct JSONPointer: Hashable, Sendable {
    /// The reference tokens, decoded.
    public var tokens: [String]

    /// The whole document.
    public static let root = JSONPointer(tokens: [])

    /// A path of member names and array indices.
    public init(tokens: [String]) {
        self.tokens = tokens
    }

    /// Reads `/a/0/b`, with `~0` for `~` and `~1` for `/`; the empty text is the root.
    /// `nil` where the text neither is empty nor begins with `/`, or holds another `~` escape (RFC 6901 section 3).
    public init?(_ text: String) {
        guard !text.isEmpty else {
            self = .root
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let token = Self.decode(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// The pointer to a member of the value here.
    public func appending(_ token: String) -> JSONPointer {
        JSONPointer(tokens: tokens + [token])
    }

    /// The pointer to an element of the array here.
    public func appending(_ index: Int) -> JSONPointer {
        appending(String(index))
    }

    /// The pointer to what holds the value here; `nil` for the root.
    public var parent: JSONPointer? {
        tokens.isEmpty ? nil : JSONPointer(tokens: Array(tokens.dropLast()))
    }

    /// A token as an array index: digits without leading zeros (RFC 6901 section 4), else `nil`. `Int.max` is not one: no
    /// array is that long, and the number of its element would not fit an integer.
    static func arrayIndex(_ token: String) -> Int? {
        let digits = token.utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        return Int(token).flatMap { $0 < .max ? $0 : nil }
    }

    private static func decode(_ part: Substring.UTF8View) -> String? {
        guard part.contains(UInt8(ascii: "~")) else { return String(Substring(part)) }
        var bytes: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The text form: empty for the root, else `/` before each token.
    public var description: String {
        var text = ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}

extension JSONPointer: ExpressibleByStringLiteral {
    /// A pointer written in source code. The leading `/` may be left out, and a `~` that starts no escape is itself.
    public init(stringLiteral value: String) {
        if let pointer = JSONPointer(value) ?? JSONPointer("/" + value) {
            self = pointer
        } else {
            tokens = value.split(separator: "/").map(String.init)
        }
    }
}

extension JSONValue {
    /// The value at a pointer; `nil` when nothing is there.
    public func value(at pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// Puts a value at a pointer, or removes what is there when `newValue` is `nil`.
    ///
    /// Missing objects are made on the way, and a scalar on the way gives place to one, as a merge patch does. In an
    /// array an index that exists is replaced; the index after the last, or `-`, adds an element. Returns false and
    /// changes nothing when an index lies further out, or the pointer is deeper than ``JSONLimits/depth``.
    @discardableResult
    public mutating func set(_ newValue: JSONValue?, at pointer: JSONPointer) -> Bool {
        guard pointer.tokens.count <= JSONLimits.depth else { return false }
        return set(newValue, along: pointer.tokens[...])
    }

    private mutating func set(_ newValue: JSONValue?, along path: ArraySlice<String>) -> Bool {
        guard let token = path.first else {
            self = newValue ?? .null
            return true
        }
        let rest = path.dropFirst()
        if case .array(var elements) = self {
            // The enum must release the array before it is changed, or every change would copy it.
            self = .null
            defer { self = .array(elements) }
            guard let index = token == "-" ? elements.count : JSONPointer.arrayIndex(token) else { return false }
            if index < elements.count {
                if newValue == nil, rest.isEmpty {
                    elements.remove(at: index)
                    return true
                }
                return elements[index].set(newValue, along: rest)
            }
            guard index == elements.count, let newValue else { return false }
            var element = JSONValue.null
            guard element.set(newValue, along: rest) else { return false }
            elements.append(element)
            return true
        }
        var object = JSONObject()
        if case .object(let existing) = self {
            object = existing
            self = .null
        } else if newValue == nil {
            return false
        }
        defer { self = .object(object) }
        if rest.isEmpty {
            object[token] = newValue
            return true
        }
        if let done = object.withValue(of: token, { $0.set(newValue, along: rest) }) { return done }
        guard let newValue else { return false }
        var member = JSONValue.null
        guard member.set(newValue, along: rest) else { return false }
        object.append(token, member)
        return true
    }
}
