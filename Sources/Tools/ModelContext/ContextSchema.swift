import Diagnostics
import JSON

/// Checks values against JSON Schema, as far as tools use it.
package enum ContextSchema {
    /// They say something to people and nothing about validity.
    private static let annotations: Set<String> = ["$schema", "title", "description", "default", "examples"]

    /// Why a value does not fit, with the place of each problem; empty where it fits. A keyword that is not known is a
    /// problem: it would be passed over otherwise.
    package static func problems(of value: JSONValue, in schema: JSONValue) -> [String] {
        check(value, schema, at: .root)
    }

    private static func check(_ value: JSONValue, _ schema: JSONValue, at place: JSONPointer) -> [String] {
        guard let keywords = schema.objectValue else {
            return schema == true ? [] : ["\(name(place)) is not allowed."]
        }
        return keywords.members.flatMap { check(value, $0.key, is: $0.value, of: keywords, at: place) }
    }

    private static func check(
        _ value: JSONValue, _ keyword: String, is wanted: JSONValue, of schema: JSONObject, at place: JSONPointer
    ) -> [String] {
        switch keyword {
        case _ where annotations.contains(keyword): return []
        case "type":
            let types = (wanted.arrayValue ?? [wanted]).compactMap(\.stringValue)
            let fits = types.contains { $0 == value.typeName || $0 == "integer" && value.intValue != nil }
            return fits ? [] : ["\(name(place)) is \(value.typeName), expected \(types.joined(separator: " or "))."]
        case "const":
            return value.sameValue(as: wanted) ? [] : ["\(name(place)) is not \(wanted)."]
        case "enum":
            let choices = wanted.arrayValue ?? []
            guard !choices.contains(where: { value.sameValue(as: $0) }) else { return [] }
            let words = choices.compactMap(\.stringValue)
            let near = value.stringValue.flatMap { nearestName($0, among: words) }.map { " Did you mean \"\($0)\"?" }
            return ["\(name(place)) is not one of \(wanted).\(near ?? "")"]
        case "minimum", "maximum", "minItems", "maxItems":
            return range(value, keyword, is: wanted, at: place)
        case "anyOf":
            let fits = (wanted.arrayValue ?? []).contains { check(value, $0, at: place).isEmpty }
            return fits ? [] : ["\(name(place)) has none of the forms that are allowed."]
        case "items":
            return (value.arrayValue ?? []).enumerated().flatMap { check($1, wanted, at: place.appending($0)) }
        case "required":
            guard let object = value.objectValue else { return [] }
            return (wanted.arrayValue ?? []).compactMap(\.stringValue).filter { object[$0] == nil }
                .map { "\(name(place.appending($0))) is missing. It is required." }
        case "properties":
            guard let object = value.objectValue, let properties = wanted.objectValue else { return [] }
            return properties.members.flatMap { key, schema in
                object[key].map { check($0, schema, at: place.appending(key)) } ?? []
            }
        case "additionalProperties":
            let known = schema["properties"]?.objectValue?.keys ?? []
            let others = (value.objectValue?.members ?? []).filter { !known.contains($0.key) }
            return others.flatMap { key, value in
                wanted == false
                    ? [unknown(place.appending(key), known)] : check(value, wanted, at: place.appending(key))
            }
        default: return ["The schema has `\(keyword)`, which is not checked."]
        }
    }

    private static func range(
        _ value: JSONValue, _ keyword: String, is wanted: JSONValue, at place: JSONPointer
    ) -> [String] {
        guard let bound = wanted.doubleValue,
            let number = keyword.hasSuffix("Items") ? value.arrayValue.map({ Double($0.count) }) : value.doubleValue
        else { return [] }
        guard keyword.hasPrefix("min") ? number < bound : number > bound else { return [] }
        let side = keyword.hasPrefix("min") ? "less" : "more"
        return ["\(name(place)) \(keyword.hasSuffix("Items") ? "has" : "is") \(side) than \(wanted)."]
    }

    private static func unknown(_ place: JSONPointer, _ known: [String]) -> String {
        let near = nearestName(place.tokens.last ?? "", among: known).map { "Did you mean `\($0)`?" }
        return "\(name(place)) is not known. \(near ?? (known.isEmpty ? "None are." : "Known: \(namesList(known))."))"
    }

    private static func name(_ place: JSONPointer) -> String {
        place.tokens.isEmpty ? "The value" : "`\(place)`"
    }
}
