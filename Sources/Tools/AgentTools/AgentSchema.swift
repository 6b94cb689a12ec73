import JSON
import ModelContext

/// Schemas of what tools take and answer.
enum AgentSchema {
    /// Arguments; others are refused.
    static func arguments(_ properties: JSONObject, required: [String]) -> JSONValue {
        [
            "type": "object", "properties": .object(properties), "required": .array(required.map { .string($0) }),
            "additionalProperties": false,
        ]
    }

    /// Facts with what every answer may have.
    static func answer(_ properties: JSONObject) -> JSONValue {
        var all: JSONObject = [
            "verdict": text("What came of the call, in one or two sentences."),
            "note": text("Whose texts the answer quotes."),
        ]
        for (name, schema) in properties.members { all[name] = schema }
        all["findings"] = all["findings"] ?? list("What is wrong with files.", of: finding)
        all["warnings"] = list("What else to know.", of: ["type": "string"])
        all["cut"] = ["type": "boolean", "description": "Lists lack their ends: the report has all of it."]
        all["report"] = text("Address of the whole, to read as a resource.")
        return ["type": "object", "properties": .object(all), "required": ["verdict"]]
    }

    static func text(_ description: String) -> JSONValue { ["type": "string", "description": .string(description)] }

    static func number(_ description: String) -> JSONValue { ["type": "integer", "description": .string(description)] }

    static func object(_ description: String, _ properties: JSONObject = [:]) -> JSONValue {
        ["type": "object", "description": .string(description), "properties": .object(properties)]
    }

    static func list(_ description: String, of element: JSONValue = ["type": "object"]) -> JSONValue {
        ["type": "array", "description": .string(description), "items": element]
    }

    /// One finding.
    static let finding = object(
        "What is wrong, and how to fix it.",
        [
            "rule": text("The rule's id."), "severity": text("error, warning or advice."),
            "message": text("What is wrong."), "remedy": text("How to fix it."), "file": text("The file."),
            "line": number("The line, from 1."), "column": number("The column, from 1."),
        ])

    static let folder = text("A folder of policy files, one of them, or a tenant file.")
    static let policy = text("The policy's id. Default: the only one.")
    static let environment = text("An environment of the folder's appsettings.json. Default: the first.")
}

extension ContextTool.Annotations {
    /// Of a tool that looks at files of the workspace and changes nothing.
    static let reading = ContextTool.Annotations(
        isReadOnly: true, isDestructive: false, isIdempotent: true, isOpenWorld: false)
}
