import Determinism
import Exchanges
import JSON
import Scenarios

/// Values that could replace an observed one.
enum OtherValues {
    /// A text that no script expects.
    static let otherText = "another"

    /// HTTP statuses that servers and gateways answer with.
    private static let statuses: [Int64] = [200, 201, 204, 302, 400, 401, 403, 404, 409, 429, 500, 503]

    /// Other values of the same type, those that the matcher itself names among them.
    ///
    /// - Parameters:
    ///   - name: The name of the member, by which an HTTP status is known.
    ///   - known: Values of this member in other outcomes.
    static func like(
        _ observed: JSONValue, name: String, matcher: JSONValue, known: [JSONValue] = []
    ) -> [JSONValue] {
        var values: [JSONValue] = []
        switch observed {
        case .bool(let flag): values = [.bool(!flag)]
        case .integer, .number: values = numbers(observed, name, matcher)
        case .string(let text):
            values =
                ScriptWords.domain(of: name, with: text).map { $0.sorted().map(JSONValue.string) }
                ?? texts(text, matcher)
        case .array(let elements):
            values = [
                [], .array(Array(elements.dropFirst())), .array(elements + [.string(otherText)]),
                .array(elements + elements), .array([.string(otherText)]), .array(elements.reversed()),
            ]
            values += elements.indices.map { index in
                .array(Array(elements[..<index] + elements[(index + 1)...]))
            }
            values += Example.values(of: matcher).map { $0.arrayValue == nil ? .array(elements + [$0]) : $0 }
            values += sizes(matcher, upTo: mostRecords(of: elements.count)).map { size in
                .array(
                    Array(elements.prefix(size))
                        + Array(repeating: .string(otherText), count: max(0, size - elements.count)))
            }
        case .object(let object):
            values = object.members.map { member in
                var less = object
                less[member.key] = nil
                return .object(less)
            }
            values += [[:], .object(JSONObject(object.members.map { ($0.key, $0.value) } + [(otherText, 1)]))]
            for case .object(let more) in Example.values(of: matcher) {
                values += [.object(more), observed.merging(patch: .object(more))]
            }
        case .null: values = [.string(otherText)]
        }
        if values.isEmpty { return [] }
        values += known.filter { $0.typeName == observed.typeName }
        var seen: Set<JSONValue> = [observed]
        return values.filter { seen.insert($0).inserted }
    }

    /// Values of other types, for a test that is about the type or about whether there is a value at all.
    static func unlike(_ observed: JSONValue?) -> [JSONValue] {
        let all: [JSONValue] = [.string(otherText), 17, true, [], [:], nil]
        guard let observed else { return all }
        return all.filter { $0.typeName != observed.typeName }
    }

    private static func numbers(_ observed: JSONValue, _ name: String, _ matcher: JSONValue) -> [JSONValue] {
        if ["status", "httpStatus"].contains(name) { return statuses.map(JSONValue.integer) }
        if name == "elapsed" { return seconds(observed.doubleValue ?? 0) }
        guard let whole = observed.intValue else {
            let number = observed.doubleValue ?? 0
            return [number + 1, number - 1, 0, number * 1000 + 1000].map(JSONValue.number)
        }
        // Instants in seconds since 1970: nothing of a run is further away than a year and what a token lives.
        if whole > 1_000_000_000 {
            let near = whole - instants[instants.count - 1]...whole + instants[instants.count - 1]
            let steps = instants.flatMap { [whole + $0, whole - $0] }
            return (steps + literals(matcher).filter(near.contains)).map(JSONValue.integer)
        }
        let most = (whole.magnitude > UInt64(1) << 40 ? whole : whole &* 30 &+ 100)
        var values = [whole &+ 1, whole &- 1, 0, 1, most]
        values += literals(matcher).filter { $0 < most }.flatMap { [$0, $0 &+ 1, $0 &- 1] }
        if whole >= 0 { values.removeAll { $0 < 0 } } else { values.append(whole &- 1000) }
        return values.map(JSONValue.integer)
    }

    /// Distances of instants in seconds.
    private static let instants: [Int64] = [1, 10, 600, 86_400, 31_536_000, 34_560_000]

    /// How long a step may take: what it took several times, and what libraries and services wait for an answer.
    private static func seconds(_ observed: Double) -> [JSONValue] {
        [observed + 0.5, observed + 1, observed - 1, observed * 2, observed * 5, 0, 10, 30, 60, 180]
            .filter { $0 >= 0 && $0 != observed }.map(JSONValue.number)
    }

    /// How many records a log has at most that has some number of them.
    static func mostRecords(of count: Int) -> Int { count * 2 + 10 }

    /// Sizes about those that a `$length` names, as far as something of one size can have another.
    private static func sizes(_ matcher: JSONValue, upTo most: Int) -> [Int] {
        guard let length = matcher["$length"] else { return [] }
        let named = literals(length).filter { (0...Int64(most)).contains($0) }.map { Int($0) }
        let near = named.flatMap { [$0, $0 + 1, $0 - 1] }
        return near.filter { $0 >= 0 } + [most]
    }

    private static func literals(_ matcher: JSONValue) -> [Int64] {
        Example.values(of: matcher).compactMap(\.intValue)
    }

    private static func texts(_ text: String, _ matcher: JSONValue) -> [JSONValue] {
        if let instant = Timestamp(rfc3339: text) {
            return instants.flatMap { [TimeSpan.seconds(Double($0)), TimeSpan.seconds(-Double($0))] }
                .map { .string((instant + $0).rfc3339) }
        }
        let lengths = sizes(matcher, upTo: text.count * 10 + 50).filter { $0 >= text.count / 10 }.map { size in
            JSONValue.string(String(text.prefix(size)) + String(repeating: "a", count: max(0, size - text.count)))
        }
        // A token is never as short as a word.
        if matcher.objectValue?.count == 1, !lengths.isEmpty {
            return lengths + [.string(String(text.prefix(text.count / 10)))]
        }
        var values: [JSONValue] = [.string(otherText), .string(text + otherText), .string(otherText + text), ""]
        if text.utf8.count > 1 { values += [.string(String(text.dropLast())), .string(String(text.dropFirst()))] }
        for quarter in [1, 2, 3] where text.utf8.count > 8 {
            values += [
                .string(String(text.prefix(text.count * quarter / 4))),
                .string(String(text.suffix(text.count * quarter / 4))),
            ]
        }
        values += [.string(text.uppercased()), .string(text.lowercased())]
        let named = Example.values(of: matcher).compactMap(\.stringValue)
        values += named.map(JSONValue.string)
        // The same without a part that is asked for: of several conditions this one alone fails.
        for part in named where !part.isEmpty && part.utf8.count < text.utf8.count {
            values.append(.string(text.replacing(part, with: "")))
            values += [.string(text + part), .string(part + text)]
        }
        values += lengths
        if let number = Int64(text) { values += [number + 1, max(0, number - 1), 0].map { .string(String($0)) } }
        return values
    }
}

/// Values that a matcher names.
enum Example {
    /// Everything that a matcher holds of: its literals, and texts that have the parts it asks for. Not each of them must
    /// match.
    static func values(of matcher: JSONValue) -> [JSONValue] {
        switch matcher {
        case .object(let object):
            var values: [JSONValue] = []
            var members = JSONObject()
            for (name, wanted) in object.members {
                switch name {
                case "$any", "$all", "$unordered":
                    let elements = wanted.arrayValue ?? []
                    values += elements.flatMap { Self.values(of: $0) }
                    if name == "$unordered" { values.append(.array(elements.map { Self.value(of: $0) ?? $0 })) }
                case "$not", "$equals", "$contains", "$time": values += Self.values(of: wanted)
                case "$startsWith":
                    values += wanted.stringValue.map { [.string($0), .string($0 + OtherValues.otherText)] } ?? []
                case "$endsWith":
                    values += wanted.stringValue.map { [.string($0), .string(OtherValues.otherText + $0)] } ?? []
                case "$matches": values += wanted.stringValue.map { [.string(plain($0))] } ?? []
                case "$lt", "$lte", "$gt", "$gte", "$length": values += Self.values(of: wanted)
                case "$exists":
                    if wanted.boolValue == true { values.append(.string(OtherValues.otherText)) }
                case "$type": values += OtherValues.unlike(nil).filter { $0.typeName == wanted.stringValue }
                case _ where name.hasPrefix("$"): break
                default: members[name] = value(of: wanted)
                }
            }
            if !members.isEmpty { values.append(.object(members)) }
            return values
        default: return [matcher]
        }
    }

    /// One value that matches; `nil` where none is known, or none may be there.
    static func value(of matcher: JSONValue) -> JSONValue? {
        let likely: [JSONValue] = [.string(OtherValues.otherText), 1, true, ["$": 1]]
        return (values(of: matcher) + likely).first { Matcher.matches($0, matcher) }
    }

    /// A record of a log that matches an element of an expectation; `nil` where none is known.
    static func record(of matcher: JSONValue, near records: [JSONValue]) -> JSONValue? {
        guard case .object(let object) = matcher else { return nil }
        var plain = object
        plain["$times"] = nil
        let wanted = JSONValue.object(plain)
        if let known = records.first(where: { Matcher.matches($0, wanted) }) { return known }
        var made = JSONValue.object(JSONObject())
        for (name, inner) in plain.members where !name.hasPrefix("$") {
            if let value = value(of: inner) { made.set(value, at: JSONPointer(tokens: [name])) }
        }
        if Matcher.matches(made, wanted) { return made }
        return values(of: wanted).first { Matcher.matches($0, wanted) }
    }

    /// The letters of a regular expression without its signs.
    private static func plain(_ pattern: String) -> String {
        var text = ""
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                text += "dwsSDWbB".contains(character) ? (character == "d" ? "1" : "a") : String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if !"^$()[]{}*+?|".contains(character) {
                text.append(character == "." ? "a" : character)
            }
        }
        return text
    }
}
