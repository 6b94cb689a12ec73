import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// How a tenant file writes one kind of value: its shape, its reader and its writer.
package struct Codec<Value: Sendable>: Sendable {
    package let shape: Shape
    /// `nil` where the value does not fit, noted at the cursor, or is filled in later.
    package let decode: @Sendable (JSONValue, SettingsCursor) -> Value?
    /// `nil` where there is nothing to write.
    package let encode: @Sendable (Value) -> JSONValue?

    package init(
        shape: Shape, decode: @escaping @Sendable (JSONValue, SettingsCursor) -> Value?,
        encode: @escaping @Sendable (Value) -> JSONValue?
    ) {
        self.shape = shape
        self.decode = decode
        self.encode = encode
    }
}

/// A text that stands for a setting, with what it means.
package protocol SettingWord: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// What the word means, one sentence.
    var doc: String { get }
    /// Why the word is refused when used; `nil` when it works.
    var notBuiltYet: String? { get }
}

extension SettingWord {
    package var notBuiltYet: String? { nil }

    /// All words with their meanings.
    package static var choices: [Choice] {
        allCases.map { Choice($0.rawValue, $0.doc, notBuiltYet: $0.notBuiltYet) }
    }
}

extension Codec where Value: SettingWord {
    /// One of the words of an enumeration.
    package static func word() -> Codec {
        Codec(
            shape: .oneOf(Value.choices),
            decode: { value, cursor in
                if let word = value.stringValue.flatMap(Value.init(rawValue:)) { return word }
                let words = Value.allCases.map { "\"\($0.rawValue)\"" }
                return cursor.expected("one of \(words.joined(separator: ", "))", value)
            },
            encode: { .string($0.rawValue) })
    }
}

extension Codec where Value: SettingsRecord {
    /// A group of settings.
    package static func record() -> Codec {
        Codec(shape: Value.shape, decode: Value.decode, encode: { .object($0.object) })
    }
}

extension Codec {
    /// A value that may be absent: nothing is written then.
    package func optional() -> Codec<Value?> {
        Codec<Value?>(shape: shape, decode: { decode($0, $1).map { .some($0) } }, encode: { $0.flatMap(encode) })
    }

    /// A value, or a word for its absence.
    package func or(_ word: String, _ doc: String) -> Codec<Value?> {
        Codec<Value?>(
            shape: .anyOf([.oneOf([Choice(word, doc)]), shape]),
            decode: { value, cursor in
                if value == .string(word) { return .some(nil) }
                return decode(value, cursor).map { .some($0) }
            },
            encode: { $0.map(encode) ?? .string(word) })
    }

    /// Values in a list.
    package func list() -> Codec<[Value]> {
        Codec<[Value]>(
            shape: .array(of: shape),
            decode: { value, cursor in
                guard case .array(let elements) = value else { return cursor.expected("a list", value) }
                return elements.enumerated().compactMap { decode($1, cursor.at($0)) }
            },
            encode: { .array($0.compactMap(encode)) })
    }
}

/// A scalar: what is expected in words, how it is taken, how it is given.
private func scalar<Value>(
    _ shape: Shape, expected: String, decode take: @escaping @Sendable (JSONValue) -> Value?,
    encode give: @escaping @Sendable (Value) -> JSONValue
) -> Codec<Value> {
    Codec(
        shape: shape,
        decode: { value, cursor in take(value) ?? cursor.expected(expected, value) },
        encode: give)
}

extension Codec<Bool> {
    package static var bool: Codec {
        scalar(.bool, expected: "true or false", decode: \.boolValue, encode: { .bool($0) })
    }
}

extension Codec<Bool?> {
    package static var optionalBool: Codec { Codec<Bool>.bool.optional() }
}

extension Codec<Int> {
    package static func integer(_ range: ClosedRange<Int64>) -> Codec {
        scalar(
            .integer(range), expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            decode: { $0.intValue.flatMap { range.contains($0) ? Int($0) : nil } }, encode: { .integer(Int64($0)) })
    }
}

extension Codec<Double> {
    package static var number: Codec {
        scalar(.number, expected: "a number", decode: \.doubleValue) { value in
            Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
        }
    }
}

extension Codec<String> {
    package static var text: Codec {
        scalar(.string, expected: "a text", decode: \.stringValue, encode: { .string($0) })
    }
    package static var nonEmpty: Codec {
        scalar(
            .nonEmptyString, expected: "a text that is not empty",
            decode: { $0.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
        ) {
            .string($0)
        }
    }
    package static var url: Codec {
        scalar(.url, expected: "an absolute URL", decode: { $0.stringValue.flatMap { isAbsoluteURL($0) ? $0 : nil } }) {
            .string($0)
        }
    }
    /// A text that goes into a header field.
    package static var headerText: Codec {
        scalar(
            .headerValue, expected: "text without line breaks and other control characters",
            decode: { value in
                value.stringValue.flatMap { HeaderRules.isValue($0) ? $0 : nil }
            },
            encode: { .string($0) })
    }
    package static func name(_ kind: NameKind) -> Codec {
        scalar(.name(kind), expected: "a name", decode: \.stringValue, encode: { .string($0) })
    }

    /// A scheme and a colon (RFC 3986 section 3.1).
    private static func isAbsoluteURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return false }
        let scheme = text[..<colon]
        guard let first = scheme.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else {
            return false
        }
        return scheme.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || $0.properties.numericType != nil || "+-.".unicodeScalars.contains($0))
        }
    }
}

extension Codec<String?> {
    package static var optionalText: Codec { Codec<String>.text.optional() }
    package static var optionalURL: Codec { Codec<String>.url.optional() }
    package static func optionalName(_ kind: NameKind) -> Codec { Codec<String>.name(kind).optional() }
}

extension Codec<[String]> {
    package static var texts: Codec { Codec<String>.text.list() }
    package static func names(_ kind: NameKind) -> Codec { Codec<String>.name(kind).list() }
}

extension Codec<[String]?> {
    package static var optionalTexts: Codec { Codec<[String]>.texts.optional() }
    package static func optionalNames(_ kind: NameKind) -> Codec { Codec<[String]>.names(kind).optional() }
    package static func textsOr(_ word: String, _ doc: String) -> Codec { Codec<[String]>.texts.or(word, doc) }
}

extension Codec<TimeSpan> {
    package static var span: Codec {
        scalar(
            .duration, expected: "an ISO 8601 duration such as \"PT5M\"",
            decode: { $0.stringValue.flatMap(TimeSpan.init(iso8601:)) },
            encode: { .string($0.iso8601) })
    }
}

extension Codec<TimeSpan?> {
    package static func spanOr(_ word: String, _ doc: String) -> Codec { Codec<TimeSpan>.span.or(word, doc) }
}

extension Codec<Timestamp> {
    package static var instant: Codec {
        scalar(
            .instant, expected: "an RFC 3339 date and time such as \"2026-01-15T12:00:00Z\"",
            decode: { $0.stringValue.flatMap(Timestamp.init(rfc3339:)) }, encode: { .string($0.rfc3339) })
    }
}

extension Codec<JSONValue> {
    package static var json: Codec { Codec(shape: .any, decode: { value, _ in value }, encode: { $0 }) }
}

extension Codec<JSONValue?> {
    package static var optionalJSON: Codec { Codec<JSONValue>.json.optional() }
}

extension Codec<JSONObject> {
    /// An object of anything.
    package static var object: Codec {
        Codec(
            shape: .map(of: .any, keyHint: "name"), decode: { value, cursor in cursor.object(value) },
            encode: { .object($0) })
    }

    /// An object of texts.
    package static var textMap: Codec { map(of: .text, keyHint: "name") }

    /// An object whose members are values of header fields.
    package static var headerMap: Codec { map(of: .headerText, keyHint: "name of the header field") }

    private static func map(of text: Codec<String>, keyHint: String) -> Codec {
        Codec(
            shape: .map(of: text.shape, keyHint: keyHint),
            decode: { value, cursor in
                guard let object = cursor.object(value) else { return nil }
                for (key, member) in object.members { _ = text.decode(member, cursor.at(key)) }
                return object
            },
            encode: { .object($0) })
    }
}

/// A value that may be absent.
extension Codec {
    package static func optionalRecord<Record: SettingsRecord>() -> Codec where Value == Record? {
        Codec<Record>.record().optional()
    }

    /// One record, or a list of them.
    package static func oneOrMore<Record: SettingsRecord>() -> Codec where Value == [Record] {
        let one = Codec<Record>.record()
        return Codec(
            shape: .anyOf([one.shape, .array(of: one.shape)]),
            decode: { value, cursor in
                if case .array = value { return one.list().decode(value, cursor) }
                return one.decode(value, cursor).map { [$0] }
            },
            encode: { records in
                if records.count == 1 { return one.encode(records[0]) }
                return .array(records.compactMap(one.encode))
            })
    }

    /// Records by name: the key of the object goes into the record.
    package static func keyed<Record: SettingsRecord>(
        _ hint: String, _ name: WritableKeyPath<Record, String> & Sendable, keys: NameKind? = nil
    ) -> Codec where Value == [Record] {
        Codec(
            shape: .map(of: Record.shape, keyHint: hint, keys: keys),
            decode: { value, cursor in
                guard let object = cursor.object(value) else { return nil }
                return object.members.compactMap { key, member in
                    guard var record = Record.decode(member, cursor.at(key)) else { return nil }
                    record[keyPath: name] = key
                    return record
                }
            },
            encode: { records in
                .object(JSONObject(records.map { ($0[keyPath: name], .object($0.object)) }))
            })
    }
}
