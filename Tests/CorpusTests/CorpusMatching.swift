import Determinism
import JOSE
import JSON

@testable import Journeys

/// Matchers of expectations.
enum CorpusMatching {
    /// Why a value is not what is wanted; `nil` when it is.
    static func mismatch(_ value: JSONValue?, _ wanted: JSONValue) -> String? {
        let shown = value?.description ?? "absent"
        guard case .object(let object) = wanted, let member = object.members.first, member.key.hasPrefix("$") else {
            return value?.sameValue(as: wanted) == true ? nil : "is \(shown), wanted \(wanted)"
        }
        return holds(value, member.key, member.value) ? nil : "is \(shown), wanted \(wanted)"
    }

    private static func holds(_ value: JSONValue?, _ matcher: String, _ argument: JSONValue) -> Bool {
        let text = value?.stringValue ?? value?.description
        let lower = (text ?? "").lowercased()
        let parts = (argument.arrayValue ?? [argument]).map { ($0.stringValue ?? $0.description).lowercased() }
        switch matcher {
        case "$any": return value != nil
        case "$regex": return text.map { matches($0, argument) } ?? false
        case "$base64_regex":
            guard let bytes = text.flatMap({ Base64.decode($0) }) else { return false }
            return matches(String(decoding: bytes, as: UTF8.self), argument)
        case "$oneof":
            return argument.arrayValue?.contains { $0.isNull ? value == nil : value?.sameValue(as: $0) == true }
                ?? false
        case "$set":
            guard let items = value?.arrayValue, let wanted = argument.arrayValue, items.count == wanted.count else {
                return false
            }
            return wanted.allSatisfy { item in items.contains { $0.sameValue(as: item) } }
        case "$json": return json(value)?.sameValue(as: argument) ?? false
        case "$json_contains": return json(value).map { contains($0, argument) } ?? false
        case "$contains": return value != nil && parts.allSatisfy { lower.contains($0) }
        case "$not_contains": return parts.allSatisfy { !lower.contains($0) }
        case "$dateTime":
            guard let actual = instant(value), let wanted = instant(argument) else { return false }
            return actual == wanted
        case "$date":
            guard let actual = instant(value), let wanted = instant(argument) else { return false }
            return actual.rfc3339.prefix(10) == wanted.rfc3339.prefix(10)
        default: return false
        }
    }

    private static func matches(_ text: String, _ pattern: JSONValue) -> Bool {
        (try? TextPattern(pattern.stringValue ?? ""))?.matches(text) ?? false
    }

    private static func json(_ value: JSONValue?) -> JSONValue? {
        (value?.stringValue).flatMap { try? JSONParser.parse($0) }
    }

    /// Whether a document holds the members and elements of another.
    private static func contains(_ whole: JSONValue, _ part: JSONValue) -> Bool {
        switch (whole, part) {
        case (.object(let whole), .object(let part)):
            part.members.allSatisfy { member in whole[member.key].map { contains($0, member.value) } ?? false }
        case (.array(let whole), .array(let part)):
            part.allSatisfy { element in whole.contains { contains($0, element) } }
        default: whole.sameValue(as: part)
        }
    }

    private static func instant(_ value: JSONValue?) -> Timestamp? {
        value?.stringValue.flatMap(ClaimText.instant) ?? value?.intValue.map { Timestamp(seconds: $0) }
    }
}
