import Diagnostics
import JSON
import JSONRPC

/// What a server answers, in each version: a function of the request and the catalog.
struct ContextResponder: Sendable {
    var name: String
    var title: String
    var version: String
    var instructions: String
    var catalog: ContextCatalog

    /// What a call of a tool leads to.
    enum CheckedCall {
        case run(ContextTool, JSONObject)
        /// The arguments do not fit.
        case answer(JSONObject)
    }

    /// For how long a client may keep what does not change while the server runs, in milliseconds.
    private static let lasting: JSONValue = 300_000
    /// How many entries of a list one answer has.
    static let page = 100
    private static let mostCompletions = 100

    /// The version that `initialize` agrees on, and its result.
    func handshake(_ request: RPCRequest) throws(RPCFault) -> (version: ContextVersion, result: JSONObject) {
        let wanted = ContextVersion(rawValue: try request.params.text("protocolVersion"))
        let agreed = wanted.flatMap { $0.isStateless ? .none : $0 } ?? .newestWithHandshake
        let unchanging: JSONValue = ["listChanged": false]
        var capabilities: JSONObject = ["tools": unchanging, "resources": unchanging, "prompts": unchanging]
        if agreed >= .march2025 { capabilities["completions"] = [:] }
        return (
            agreed,
            [
                "protocolVersion": .string(agreed.rawValue), "capabilities": .object(capabilities),
                "serverInfo": server(agreed), "instructions": .string(instructions),
            ]
        )
    }

    /// The result of any other request than `initialize` and `tools/call`.
    func result(of request: RPCRequest, _ version: ContextVersion) throws(RPCFault) -> JSONObject {
        switch request.method {
        case "ping" where !version.isStateless: return [:]
        case "server/discover" where version.isStateless:
            return sealed(
                [
                    "supportedVersions": .array(ContextVersion.supported.map { .string($0) }),
                    "capabilities": ["tools": [:], "resources": [:], "prompts": [:], "completions": [:]],
                    "instructions": .string(instructions),
                ], version, lasts: true)
        case "tools/list": return try list("tools", catalog.tools.map { $0.json(version) }, of: request, version)
        case "prompts/list": return try list("prompts", catalog.prompts.map { $0.json(version) }, of: request, version)
        case "resources/templates/list":
            return try list("resourceTemplates", catalog.templates.map { $0.json(version) }, of: request, version)
        case "resources/list":
            return try list(
                "resources", catalog.resources().map { $0.json(version) }, of: request, version, lasts: false)
        case "resources/read": return sealed(try contents(request, version), version, lasts: false)
        case "prompts/get": return sealed(try prompt(request), version)
        case "completion/complete": return sealed(try completion(request), version)
        default:
            throw RPCFault(
                code: -32601, message: "version \(version.rawValue) of this server has no method \(request.method)")
        }
    }

    /// The tool that `tools/call` names, if the arguments fit.
    func call(_ request: RPCRequest, _ version: ContextVersion) throws(RPCFault) -> CheckedCall {
        let tool = try find("tool", try request.params.text("name"), in: catalog.tools, by: \.name)
        let arguments = try request.params.object("arguments") ?? [:]
        let problems = ContextSchema.problems(of: .object(arguments), in: tool.input)
        guard !problems.isEmpty else { return .run(tool, arguments) }
        let text = (["The arguments of \(tool.name) do not fit. Fix them and call it again."] + problems)
            .joined(separator: "\n")
        return .answer(sealed(["content": [["type": "text", "text": .string(text)]], "isError": true], version))
    }

    /// The result of a call that ran.
    func result(of answer: ContextAnswer, _ version: ContextVersion) -> JSONObject {
        let text = JSONWriter.compact(.object(answer.structured))
        var content: [JSONValue] = [["type": "text", "text": .string(text)]]
        content += answer.links.map { .object($0.json(version)) }
        var result: JSONObject = ["content": .array(content)]
        if version >= .june2025 { result["structuredContent"] = .object(answer.structured) }
        result["isError"] = .bool(answer.isError)
        return sealed(result, version)
    }

    /// With what every result of a version has.
    ///
    /// - Parameter lasts: Whether it stays as it is while the server runs; `nil`: results of the method are not kept.
    private func sealed(_ result: JSONObject, _ version: ContextVersion, lasts: Bool? = nil) -> JSONObject {
        guard version.isStateless else { return result }
        var sealed = JSONObject([("resultType", "complete")] + result.members.map { ($0.key, $0.value) })
        if let lasts {
            sealed["ttlMs"] = lasts ? Self.lasting : 0
            sealed["cacheScope"] = lasts ? "public" : "private"
        }
        sealed["_meta"] = .object([RPCRequest.serverKey: server(version)])
        return sealed
    }

    private func server(_ version: ContextVersion) -> JSONValue {
        .object(entry(["name": name, "title": title, "version": self.version], version))
    }

    private func list(
        _ key: String, _ entries: [JSONObject], of request: RPCRequest, _ version: ContextVersion,
        lasts: Bool = true
    ) throws(RPCFault) -> JSONObject {
        var start = 0
        if let cursor = request.params["cursor"] {
            guard let place = cursor.stringValue.flatMap({ Int($0) }), place > 0, place % Self.page == 0 else {
                throw .parameters("`cursor` is none of this list: send a `nextCursor`, or none for the first page")
            }
            start = place
        }
        let rest = entries.dropFirst(start)
        var result: JSONObject = [key: .array(rest.prefix(Self.page).map { .object($0) })]
        if rest.count > Self.page { result["nextCursor"] = .string(String(start + Self.page)) }
        return sealed(result, version, lasts: lasts)
    }

    private func contents(_ request: RPCRequest, _ version: ContextVersion) throws(RPCFault) -> JSONObject {
        let uri = try request.params.text("uri")
        guard let found = catalog.read(uri) else {
            throw RPCFault(
                code: version.isStateless ? -32602 : -32002, message: "there is no resource \(uri)",
                data: ["uri": .string(uri)])
        }
        return [
            "contents": [["uri": .string(found.uri), "mimeType": .string(found.mimeType), "text": .string(found.text)]]
        ]
    }

    private func prompt(_ request: RPCRequest) throws(RPCFault) -> JSONObject {
        let prompt = try find("prompt", try request.params.text("name"), in: catalog.prompts, by: \.name)
        let arguments = try request.params.object("arguments") ?? [:]
        var values: [String: String] = [:]
        for key in arguments.keys {
            values[try find("argument", key, in: prompt.arguments, by: \.name).name] = try arguments.text(key)
        }
        for argument in prompt.arguments where argument.isRequired { _ = try arguments.text(argument.name) }
        return [
            "description": .string(prompt.description),
            "messages": [["role": "user", "content": ["type": "text", "text": .string(prompt.text(values))]]],
        ]
    }

    private func completion(_ request: RPCRequest) throws(RPCFault) -> JSONObject {
        let reference = try request.params.object("ref") ?? [:]
        let argument = try request.params.object("argument") ?? [:]
        let target: String
        let known: [String]
        switch try reference.text("type") {
        case "ref/prompt":
            target = try reference.text("name")
            known = try find("prompt", target, in: catalog.prompts, by: \.name).arguments.map(\.name)
        case "ref/resource":
            target = try reference.text("uri")
            _ = try find("resource template", target, in: catalog.templates, by: \.uriTemplate)
            known = target.matches(of: /\{([^{}]*)\}/).map { String($0.1) }
        case let type: throw .parameters("`type` is \(type), expected ref/prompt or ref/resource")
        }
        let name = try find("argument", try argument.text("name"), in: known, by: \.self)
        let values = catalog.complete(target, name, try argument.text("value"))
        return [
            "completion": [
                "values": .array(values.prefix(Self.mostCompletions).map { .string($0) }),
                "total": .integer(Int64(values.count)), "hasMore": .bool(values.count > Self.mostCompletions),
            ]
        ]
    }

    /// What has a name, or the fault that suggests the nearest one.
    private func find<Entry>(
        _ kind: String, _ name: String, in entries: [Entry], by key: KeyPath<Entry, String>
    ) throws(RPCFault) -> Entry {
        if let entry = entries.first(where: { $0[keyPath: key] == name }) { return entry }
        let known = entries.map { $0[keyPath: key] }
        let near = nearestName(name, among: known).map { "Did you mean \($0)?" }
        throw .parameters(
            "there is no \(kind) \(name). \(near ?? (known.isEmpty ? "There are none." : "Known: \(namesList(known))."))"
        )
    }
}

/// The members that have a value. Before 2025-06-18 there is no `title`.
private func entry(_ members: KeyValuePairs<String, String?>, _ version: ContextVersion) -> JSONObject {
    var entry = JSONObject()
    for (key, value) in members where key != "title" || version >= .june2025 {
        if let value { entry[key] = .string(value) }
    }
    return entry
}

extension ContextTool {
    fileprivate func json(_ version: ContextVersion) -> JSONObject {
        var json = entry(["name": name, "title": title, "description": description], version)
        json["inputSchema"] = input
        if version >= .june2025 { json["outputSchema"] = output }
        guard version >= .march2025 else { return json }
        json["annotations"] = [
            "title": .string(title), "readOnlyHint": .bool(annotations.isReadOnly),
            "destructiveHint": .bool(annotations.isDestructive), "idempotentHint": .bool(annotations.isIdempotent),
            "openWorldHint": .bool(annotations.isOpenWorld),
        ]
        return json
    }
}

extension ContextResource {
    fileprivate func json(_ version: ContextVersion) -> JSONObject {
        var json = entry(
            ["uri": uri, "name": name, "title": title, "description": description, "mimeType": mimeType], version)
        if let size { json["size"] = .integer(Int64(size)) }
        return json
    }
}

extension ContextTemplate {
    fileprivate func json(_ version: ContextVersion) -> JSONObject {
        entry(
            [
                "uriTemplate": uriTemplate, "name": name, "title": title, "description": description,
                "mimeType": mimeType,
            ], version)
    }
}

extension ContextPrompt {
    fileprivate func json(_ version: ContextVersion) -> JSONObject {
        var json = entry(["name": name, "title": title, "description": description], version)
        json["arguments"] = .array(
            arguments.map {
                [
                    "name": .string($0.name), "description": .string($0.description), "required": .bool($0.isRequired),
                ]
            })
        return json
    }
}

extension ContextLink {
    /// Before 2025-06-18 there is no such content, so a text names the resource.
    fileprivate func json(_ version: ContextVersion) -> JSONObject {
        guard version >= .june2025 else {
            return ["type": "text", "text": .string("\(description ?? name): \(uri)")]
        }
        return entry(
            ["type": "resource_link", "uri": uri, "name": name, "description": description, "mimeType": mimeType],
            version)
    }
}
