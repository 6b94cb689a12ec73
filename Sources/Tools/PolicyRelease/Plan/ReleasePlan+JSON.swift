import Diagnostics
import JSON

extension ReleasePlan {
    /// The plan as a file has it.
    public var json: JSONObject {
        var root: JSONObject = [
            "kind": "policy release plan", "version": .integer(Int64(Self.version)),
            "tenant": [
                "id": .string(tenant.id), "domains": .array(tenant.domains.map { .string($0) }),
            ],
        ]
        root["environment"] = environment.map { .string($0) }
        root["steps"] = .array(
            steps.map { step in
                var object: JSONObject = ["policy": .string(step.id), "action": .string(step.action.rawValue)]
                object["file"] = step.file.map { .string($0) }
                object["before"] = step.before.map { .string($0) }
                object["after"] = step.after.map { .string($0) }
                return .object(object)
            })
        root["notInFolder"] = .array(
            notInFolder.map { ["policy": .string($0.id), "before": .string($0.digest)] })
        return root
    }

    /// Reads a plan that ``json`` wrote. Members that it does not know are passed over: a report may be in the same file.
    ///
    /// - Throws: Every member that has another type than expected, with its place.
    public init(_ document: JSONDocument) throws(InvalidInput) {
        var reader = PlanReader(document: document)
        guard document.root["kind"] == "policy release plan" else {
            throw InvalidInput(
                document.finding(
                    rule: PlanReader.rule, "this is not a plan of a policy release",
                    remedy: "Write one with b2c policy plan FOLDER --output plan.json.", at: .root))
        }
        guard document.root["version"] == .integer(Int64(Self.version)) else {
            throw InvalidInput(
                document.finding(
                    rule: PlanReader.rule, "the plan has another version, expected \(Self.version)",
                    remedy: "Write it again with this version of b2c.", at: JSONPointer(tokens: ["version"])))
        }
        let root = document.root
        let tenant = TenantOrganization(
            id: reader.text(root["tenant"]?["id"], ["tenant", "id"]) ?? "",
            domains: (root["tenant"]?["domains"]?.arrayValue ?? []).compactMap(\.stringValue))
        let environment = reader.optional(root["environment"], ["environment"])
        let steps = reader.list(root["steps"], ["steps"]) { reader, value, path in
            ReleaseStep(
                id: reader.text(value["policy"], path + ["policy"]) ?? "",
                action: reader.action(value["action"], path + ["action"]),
                file: reader.optional(value["file"], path + ["file"]),
                before: reader.digest(value["before"], path + ["before"]),
                after: reader.digest(value["after"], path + ["after"]))
        }
        let others = reader.list(root["notInFolder"] ?? [], ["notInFolder"]) { reader, value, path in
            Other(
                id: reader.text(value["policy"], path + ["policy"]) ?? "",
                digest: reader.digest(value["before"] ?? .null, path + ["before"]) ?? "")
        }
        guard reader.findings.isEmpty else { throw InvalidInput(diagnostics: reader.findings) }
        self.init(tenant: tenant, environment: environment, steps: steps, notInFolder: others)
    }

    /// Reads a plan from a value.
    ///
    /// - Parameter file: The name of the file in findings.
    public init(json: JSONObject, file: String) throws(InvalidInput) {
        try self.init(JSONDocument(file: file, value: .object(json)))
    }
}

/// Reads members, and collects what is wrong with them.
private struct PlanReader {
    static let rule = "B2C-REL-001"

    let document: JSONDocument
    var findings: [Diagnostic] = []

    init(document: JSONDocument) {
        self.document = document
    }

    private mutating func wrong(_ value: JSONValue?, _ path: [String], expected: String) {
        findings.append(
            document.finding(
                rule: Self.rule,
                "`\(path.last ?? "")` is \(value.map(\.typeName) ?? "missing"), expected \(expected)",
                remedy: "Write the plan again with b2c policy plan.", at: JSONPointer(tokens: path)))
    }

    mutating func text(_ value: JSONValue?, _ path: [String]) -> String? {
        if let text = value?.stringValue, !text.isEmpty { return text }
        wrong(value, path, expected: "a text")
        return nil
    }

    mutating func optional(_ value: JSONValue?, _ path: [String]) -> String? {
        guard let value else { return nil }
        return text(value, path)
    }

    mutating func digest(_ value: JSONValue?, _ path: [String]) -> String? {
        guard let value else { return nil }
        if let text = value.stringValue, text.hasPrefix("sha256:") { return text }
        wrong(value, path, expected: "sha256: and a digest")
        return nil
    }

    mutating func action(_ value: JSONValue?, _ path: [String]) -> ReleasePlan.Action {
        if let action = value?.stringValue.flatMap({ ReleasePlan.Action(rawValue: $0) }) { return action }
        wrong(value, path, expected: namesList(ReleasePlan.Action.allCases.map(\.rawValue)))
        return .unchanged
    }

    mutating func list<Element>(
        _ value: JSONValue?, _ path: [String],
        _ element: (inout PlanReader, _ value: JSONValue, _ path: [String]) -> Element
    ) -> [Element] {
        guard let values = value?.arrayValue else {
            wrong(value, path, expected: "an array")
            return []
        }
        return values.enumerated().map { element(&self, $0.element, path + ["\($0.offset)"]) }
    }
}
