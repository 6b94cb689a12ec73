/// Writes shapes as JSON Schema (draft 2020-12) for editors: every key and every enumerated value has its description,
/// and with `templates` a `{{...}}` string is admitted wherever ``ShapeChecker`` admits one.
///
/// What is not built yet is a key that nothing satisfies, so that an editor marks it and says why.
public struct SchemaWriter {
    private let named: [String: Shape]
    private let templates: Bool
    private let names: [NameKind: [String]]

    /// The schema of a file.
    ///
    /// - Parameters:
    ///   - id: the schema's own URL.
    ///   - title: what the file is.
    ///   - root: its shape.
    ///   - named: what `.ref` refers to; they become `$defs`.
    ///   - templates: `{{...}}` may stand for values.
    ///   - names: names that exist, for completion. Where a kind is given, other names are errors.
    public static func schema(
        id: String, title: String, root: Shape, named: [String: Shape], templates: Bool,
        names: [NameKind: [String]] = [:]
    ) -> JSONValue {
        let writer = SchemaWriter(named: named, templates: templates, names: names)
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(id), "title": .string(title),
        ]
        var top = root
        // The file itself is never a template, so the shape at the top is written out here.
        for _ in 0..<32 {
            guard case .ref(let name) = top, let next = named[name] else { break }
            top = next
        }
        let content = SchemaWriter(named: named, templates: false, names: names).schema(top, inner: writer)
        for (key, value) in content.members where key != "title" { schema[key] = value }
        let used = writer.referenced(from: root)
        if !used.isEmpty {
            var definitions = JSONObject()
            for name in used {
                if let shape = named[name] { definitions[name] = .object(writer.schema(shape, inner: writer)) }
            }
            schema["$defs"] = .object(definitions)
        }
        return .object(schema)
    }

    /// Names of the shapes that can be reached, sorted.
    private func referenced(from root: Shape) -> [String] {
        var found: Set<String> = []
        var open = [root]
        while let shape = open.popLast() {
            switch shape {
            case .ref(let name):
                if found.insert(name).inserted, let target = named[name] { open.append(target) }
            case .array(let inner), .map(let inner, _, _), .nullable(let inner): open.append(inner)
            case .anyOf(let shapes): open += shapes
            case .object(let object):
                open += object.fields.filter { $0.notBuiltYet == nil }.map(\.shape)
                if let inner = object.open { open.append(inner) }
            default: break
            }
        }
        return found.sorted()
    }

    private func schema(_ shape: Shape, inner: SchemaWriter) -> JSONObject {
        switch shape {
        case .any: return [:]
        case .bool: return typed("boolean")
        case .number: return typed("number")
        case .integer(let bounds):
            var schema = typed("integer")
            if let bounds, bounds.lowerBound > .min { schema["minimum"] = .integer(bounds.lowerBound) }
            if let bounds, bounds.upperBound < .max { schema["maximum"] = .integer(bounds.upperBound) }
            return schema
        case .string: return ["type": "string"]
        case .nonEmptyString: return ["type": "string", "minLength": 1]
        case .duration: return text(ShapeText.duration, examples: ["PT5M", "P1D"])
        case .instant: return text(ShapeText.instant, examples: ["2026-01-15T12:00:00Z"])
        case .url: return text(ShapeText.url, examples: [])
        case .pattern(let pattern, let hint):
            var schema = text(pattern, examples: [])
            schema["description"] = .string(sentence(hint))
            return schema
        case .oneOf(let choices):
            let options = choices.filter { $0.notBuiltYet == nil }.map { choice -> JSONValue in
                ["const": .string(choice.value), "description": .string(choice.doc)]
            }
            return ["anyOf": .array(options + templateText)]
        case .name(let kind):
            guard let known = names[kind] else { return ["type": "string"] }
            return ["anyOf": .array([["enum": .array(known.map { .string($0) })]] + templateText)]
        case .array(let element):
            var schema = typed("array")
            schema["items"] = .object(inner.schema(element, inner: inner))
            return schema
        case .map(let member, let keyHint, let keys):
            var schema = typed("object")
            let memberSchema = JSONValue.object(inner.schema(member, inner: inner))
            if let keys, let known = names[keys], !known.isEmpty {
                schema["properties"] = .object(JSONObject(known.map { ($0, memberSchema) }))
            }
            schema["additionalProperties"] = memberSchema
            schema["description"] = .string("Keys: \(keyHint).")
            return schema
        case .object(let object): return self.object(object, inner: inner)
        case .anyOf(let shapes):
            return ["anyOf": .array(shapes.map { .object(schema($0, inner: inner)) })]
        case .nullable(let shape):
            return ["anyOf": [.object(schema(shape, inner: inner)), ["type": "null"]]]
        case .ref(let name): return ["$ref": .string("#/$defs/\(name)")]
        }
    }

    private func object(_ object: ObjectShape, inner: SchemaWriter) -> JSONObject {
        var schema = typed("object")
        schema["title"] = .string(object.title)
        if !object.doc.isEmpty { schema["description"] = .string(object.doc) }
        var properties = JSONObject()
        for field in object.fields {
            var property: JSONObject =
                field.notBuiltYet == nil ? inner.schema(field.shape, inner: inner) : ["not": [:]]
            property["description"] = .string(description(field))
            properties[field.name] = .object(property)
        }
        schema["properties"] = .object(properties)
        let required = object.fields.filter(\.required).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        schema["additionalProperties"] = object.open.map { .object(inner.schema($0, inner: inner)) } ?? false
        if object.open != nil, let prefix = object.closedPrefix {
            let known = object.fields.map(\.name).filter { $0.hasPrefix(prefix) }
            let mark = escaped(prefix)
            schema["propertyNames"] = [
                "pattern": .string(
                    "^(?!\(mark))" + (known.isEmpty ? "" : "|^(\(known.map(escaped).joined(separator: "|")))$"))
            ]
        }
        if !object.exactlyOneOf.isEmpty {
            // `required` says nothing about strings, so the template needs a branch of its own.
            let branches = object.exactlyOneOf.map { name -> JSONValue in
                ["type": "object", "required": [.string(name)]]
            }
            schema["oneOf"] = .array(branches + (templates ? [["type": "string"]] : []))
        }
        let exclusions = object.atMostOneOf.flatMap { group in
            group.indices.flatMap { first in
                group[(first + 1)...].map { second -> JSONValue in
                    ["not": ["type": "object", "required": [.string(group[first]), .string(second)]]]
                }
            }
        }
        if !exclusions.isEmpty { schema["allOf"] = .array(exclusions) }
        return schema
    }

    /// Literal text inside a regular expression.
    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\^$.|?*+()[]{}".contains(character) { result += "\\" }
            result.append(character)
        }
    }

    private func description(_ field: Field) -> String {
        var text = sentence(field.doc)
        if let missing = field.notBuiltYet { text = "Not built yet: \(sentence(missing)) \(text)" }
        if let value = field.defaultText { text += " Default: \(sentence(value))" }
        switch field.shape {
        case .pattern(_, let hint): text += " Value: \(sentence(hint))"
        case .map(_, let keyHint, _): text += " Keys: \(sentence(keyHint))"
        default: break
        }
        return text
    }

    private func sentence(_ text: String) -> String {
        guard let last = text.last else { return text }
        return ".!?".contains(last) ? text : text + "."
    }

    /// A type, or a string that is one template.
    private func typed(_ type: String) -> JSONObject {
        guard templates else { return ["type": .string(type)] }
        return ["type": [.string(type), "string"], "pattern": .string(ShapeText.wholeTemplate)]
    }

    private func text(_ pattern: String, examples: [String]) -> JSONObject {
        let whole = templates ? "(?:\(pattern))|\(ShapeText.anyTemplate)" : pattern
        var schema: JSONObject = ["type": "string", "pattern": .string(whole)]
        if !examples.isEmpty { schema["examples"] = .array(examples.map { .string($0) }) }
        return schema
    }

    private var templateText: [JSONValue] {
        templates
            ? [
                [
                    "type": "string", "pattern": .string(ShapeText.anyTemplate),
                    "description": "A value that is filled in when the step runs, such as {{variable}}.",
                ]
            ] : []
    }
}
