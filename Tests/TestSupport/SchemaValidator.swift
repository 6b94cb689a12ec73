import JSON

/// A validator for the part of JSON Schema (draft 2020-12) that our schemas use, so that tests can hold schema and
/// reader against one another without anything from outside. Keywords it does not know are reported, not ignored.
public struct SchemaValidator: Sendable {
    private let root: JSONValue
    /// Whether only the answer counts, as of an alternative: then the first reason is enough, and has no words.
    private var isBrief = false
    /// They say something to people and nothing about validity.
    private static let annotations: Set<String> = [
        "$schema", "$id", "$defs", "title", "description", "examples", "default", "deprecated",
    ]

    /// A validator for a whole schema document.
    public init(_ schema: JSONValue) {
        root = schema
    }

    private func fits(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        var brief = self
        brief.isBrief = true
        return brief.check(value, schema, .root).isEmpty
    }

    private func reason(_ text: @autoclosure () -> String) -> [String] { [isBrief ? "" : text()] }

    /// Why the value is not valid, a JSON pointer before each reason; empty when it is.
    public func problems(_ value: JSONValue) -> [String] {
        check(value, root, .root)
    }

    private func check(_ value: JSONValue, _ schema: JSONValue, _ at: JSONPointer) -> [String] {
        if let flag = schema.boolValue { return flag ? [] : ["\(at): nothing is allowed here"] }
        guard let keywords = schema.objectValue else { return ["\(at): the schema is not an object"] }
        var problems: [String] = []
        for (keyword, argument) in keywords.members {
            problems += check(value, keyword, argument, keywords, at)
            if isBrief, !problems.isEmpty { break }
        }
        return problems
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONObject, _ at: JSONPointer
    ) -> [String] {
        switch keyword {
        case _ where Self.annotations.contains(keyword): return []
        case "$ref":
            guard let text = argument.stringValue, text.hasPrefix("#"),
                let pointer = JSONPointer(String(text.dropFirst())),
                let target = root.value(at: pointer)
            else { return ["\(at): \(argument) leads nowhere"] }
            return check(value, target, at)
        case "type":
            let types = argument.arrayValue ?? [argument]
            let fits = types.contains { type in
                type.stringValue == value.typeName || (type == "integer" && value.intValue != nil)
            }
            return fits ? [] : reason("\(at): \(value.typeName) instead of \(argument)")
        case "const": return value.sameValue(as: argument) ? [] : reason("\(at): not \(argument)")
        case "enum":
            let fits = argument.arrayValue?.contains { $0.sameValue(as: value) } ?? false
            return fits ? [] : reason("\(at): not one of \(argument)")
        case "pattern":
            guard let text = value.stringValue else { return [] }
            guard let pattern = try? Regex(argument.stringValue ?? "").matchingSemantics(.unicodeScalar) else {
                return ["\(at): the pattern \(argument) cannot be read"]
            }
            return text.firstMatch(of: pattern) != nil ? [] : ["\(at): \"\(text)\" does not match \(argument)"]
        case "minLength":
            guard let text = value.stringValue else { return [] }
            return text.unicodeScalars.count >= argument.intValue ?? 0 ? [] : ["\(at): too short"]
        case "minimum":
            guard let number = value.doubleValue, let bound = argument.doubleValue else { return [] }
            return number >= bound ? [] : ["\(at): below \(bound)"]
        case "maximum":
            guard let number = value.doubleValue, let bound = argument.doubleValue else { return [] }
            return number <= bound ? [] : ["\(at): above \(bound)"]
        case "anyOf":
            let fits = argument.arrayValue?.contains { self.fits(value, $0) } ?? false
            return fits ? [] : reason("\(at): fits none of the alternatives")
        case "oneOf":
            let count = argument.arrayValue?.count { self.fits(value, $0) } ?? 0
            return count == 1 ? [] : reason("\(at): fits \(count) of the alternatives instead of one")
        case "allOf": return argument.arrayValue?.flatMap { check(value, $0, at) } ?? []
        case "not": return fits(value, argument) ? reason("\(at): what is excluded") : []
        case "required":
            guard let object = value.objectValue else { return [] }
            return (argument.arrayValue ?? []).compactMap(\.stringValue).filter { object[$0] == nil }
                .map { isBrief ? "" : "\(at): \($0) is missing" }
        case "properties":
            guard let object = value.objectValue else { return [] }
            return object.members.flatMap { key, member in
                argument[key].map { check(member, $0, isBrief ? at : at.appending(key)) } ?? []
            }
        case "additionalProperties":
            guard let object = value.objectValue else { return [] }
            return object.members.filter { schema["properties"]?[$0.key] == nil }
                .flatMap { check($0.value, argument, isBrief ? at : at.appending($0.key)) }
        case "propertyNames":
            guard let object = value.objectValue else { return [] }
            return object.keys.flatMap { check(.string($0), argument, at.appending($0)) }
        case "items":
            guard let elements = value.arrayValue else { return [] }
            return elements.enumerated().flatMap { check($1, argument, isBrief ? at : at.appending($0)) }
        default: return ["\(at): the keyword \(keyword) is not known to this validator"]
        }
    }
}
