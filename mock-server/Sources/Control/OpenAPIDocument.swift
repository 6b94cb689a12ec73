import JSON

/// The OpenAPI 3.1 document of the control interface, written from the table of its calls.
enum OpenAPIDocument {
    static let json: JSONValue = {
        var definitions = JSONObject()
        var paths = JSONObject()
        for route in ControlRoutes.all {
            var item = paths[route.path]?.objectValue ?? JSONObject()
            item[route.method.lowercased()] = .object(operation(route, &definitions))
            paths[route.path] = .object(item)
        }
        definitions["error"] = schema(errorShape, &definitions)
        var responses = JSONObject()
        for code in ControlFault.Code.allCases {
            responses[code.rawValue] = [
                "description": .string(code.doc),
                "content": ["application/json": ["schema": ["$ref": "#/components/schemas/error"]]],
            ]
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "b2c-harness control API", "version": "1",
                "description":
                    "Moves the clock, changes settings and people, reads codes and logs of a running mock-server.",
            ],
            "servers": [["url": .string(ControlAPI.prefix)]],
            "security": [[:], ["controlToken": []]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(definitions), "responses": .object(responses),
                "parameters": [
                    "world": [
                        "name": "B2C-World", "in": "header", "required": false,
                        "description": "The world. Default: `default`.",
                        "schema": ["type": "string", "default": "default"],
                    ]
                ],
                "securitySchemes": [
                    "controlToken": [
                        "type": "http", "scheme": "bearer",
                        "description": "Needed when the server was started with --control-token.",
                    ]
                ],
            ],
        ]
    }()

    static let errorShape = Shape.object(
        ObjectShape(
            title: "error", doc: "Why a call was refused.",
            fields: [
                Field(
                    "error",
                    .object(
                        ObjectShape(
                            title: "reason",
                            fields: [
                                Field("code", .string, required: true, "The kind, for programs."),
                                Field("message", .string, required: true, "One sentence, for people."),
                                Field(
                                    "findings",
                                    .array(
                                        of: .object(
                                            ObjectShape(
                                                title: "finding",
                                                fields: [
                                                    Field("pointer", .string, "JSON pointer of the value (RFC 6901)."),
                                                    Field("severity", .string, "How much it matters."),
                                                    Field("rule", .string, "Id of the rule."),
                                                    Field("message", .string, "What is wrong."),
                                                    Field("remedy", .string, "How to fix it."),
                                                ], open: .any))), "Everything that is wrong with the body."),
                            ], open: .any)), required: true, "The reason.")
            ]))

    private static func operation(_ route: ControlRoute, _ definitions: inout JSONObject) -> JSONObject {
        var operation: JSONObject = [
            "operationId": .string(route.id), "summary": .string(route.doc), "tags": [.string(tag(route))],
        ]
        var parameters: [JSONValue] = route.parts.map { part in
            [
                "name": .string(part.name), "in": "path", "required": true, "description": .string(part.doc),
                "schema": ["type": "string", "minLength": 1],
            ]
        }
        for query in route.query {
            parameters.append([
                "name": .string(query.name), "in": "query", "required": .bool(query.isRequired),
                "description": .string(query.doc), "schema": schema(query.kind),
            ])
        }
        if route.isOfWorld { parameters.append(["$ref": "#/components/parameters/world"]) }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = route.body {
            var content: JSONObject = ["schema": schema(.object(body), &definitions)]
            if let example = route.example { content["example"] = example }
            operation["requestBody"] = ["required": true, "content": ["application/json": .object(content)]]
        }
        operation["responses"] = .object(responses(route, &definitions))
        return operation
    }

    private static func responses(_ route: ControlRoute, _ definitions: inout JSONObject) -> JSONObject {
        var success: JSONObject = ["description": .string(route.answer.doc)]
        if let shape = route.answer.shape {
            success["content"] = ["application/json": ["schema": schema(shape, &definitions)]]
        } else if route.answer.isStream {
            success["content"] = ["text/event-stream": ["schema": ["type": "string"]]]
        }
        var responses: JSONObject = [String(route.answer.status): .object(success)]
        for code in faults(route) {
            responses[String(code.status)] = ["$ref": .string("#/components/responses/\(code.rawValue)")]
        }
        return responses
    }

    /// The faults that a call may end in, by status.
    static func faults(_ route: ControlRoute) -> [ControlFault.Code] {
        var codes: [ControlFault.Code] = [.malformed, .unauthorized, .forbidden]
        if route.isOfWorld || route.path.contains("{") { codes.append(.notFound) }
        if route.body != nil { codes += [.tooLarge, .notJSON] }
        codes += route.faults.filter { !codes.contains($0) }
        return codes.sorted { $0.status < $1.status }
    }

    /// The group of a call: the first part of its path.
    static func tag(_ route: ControlRoute) -> String {
        route.segments.first.map { $0 == "openapi.json" ? "description" : String($0) } ?? ""
    }

    private static func schema(_ kind: ControlRoute.Query.Kind) -> JSONValue {
        switch kind {
        case .number(let range):
            [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
        case .text: ["type": "string"]
        case .oneOf(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        }
    }

    /// The schema of a shape; what it refers to is added to the definitions.
    private static func schema(_ shape: Shape, _ definitions: inout JSONObject) -> JSONValue {
        var schema =
            SchemaWriter.schema(
                id: "", title: "", root: shape, named: ControlShapes.named, templates: false
            ).objectValue ?? JSONObject()
        for (name, definition) in schema["$defs"]?.objectValue?.members ?? [] {
            definitions[name] = moved(definition)
        }
        for key in ["$schema", "$id", "$defs"] { schema[key] = nil }
        if schema["title"] == "" { schema["title"] = nil }
        return moved(.object(schema))
    }

    /// References to definitions at the place where OpenAPI has them.
    private static func moved(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(moved))
        case .object(let object):
            var result = JSONObject()
            for (name, member) in object.members {
                if name == "$ref", case .string(let text) = member, text.hasPrefix("#/$defs/") {
                    result[name] = .string("#/components/schemas/" + text.dropFirst("#/$defs/".count))
                } else {
                    result[name] = moved(member)
                }
            }
            return .object(result)
        default: return value
        }
    }
}
