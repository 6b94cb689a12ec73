import JSON

/// A version of the protocol, oldest first.
enum ContextVersion: String, CaseIterable, Comparable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether every request names its version, without `initialize` before.
    var isStateless: Bool { self >= .july2026 }
    /// The newest version that `initialize` can agree on.
    static let newestWithHandshake = november2025
    /// All of them, newest first.
    static let supported: [String] = allCases.reversed().map(\.rawValue)
}

/// Why a request has no result: the error of its answer.
struct ContextFault: Error {
    var code: Int64
    var message: String
    var data: JSONValue?

    /// The message is JSON, but not a request.
    static func request(_ message: String) -> Self { Self(code: -32600, message: message) }

    /// The parameters do not fit the method.
    static func parameters(_ message: String) -> Self { Self(code: -32602, message: message) }

    /// The answer to the request with an id; `null` where it could not be read.
    func answer(to id: JSONValue) -> JSONValue {
        var error: JSONObject = ["code": .integer(code), "message": .string(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
    }
}

/// A request with an id.
struct ContextRequest {
    /// A text or a whole number.
    var id: JSONValue
    var method: String
    var params: JSONObject

    private static let prefix = "io.modelcontextprotocol/"
    /// What names the version in `_meta`.
    static let versionKey = prefix + "protocolVersion"
    /// What names the server in `_meta`.
    static let serverKey = prefix + "serverInfo"
    private static let capabilitiesKey = prefix + "clientCapabilities"

    /// Whether it begins a connection with one version for all of its messages.
    var isHandshake: Bool { method == "initialize" && params["_meta"]?[Self.versionKey] == nil }

    /// The version to answer in.
    ///
    /// - Parameter agreed: What `initialize` has agreed on.
    func version(agreed: ContextVersion?) throws(ContextFault) -> ContextVersion {
        let meta = try meta()
        guard let requested = meta[Self.versionKey] else {
            // A ping may come before anything else.
            if let agreed = agreed ?? (method == "ping" ? .newestWithHandshake : .none) { return agreed }
            throw .parameters(
                "`_meta` has no `\(Self.versionKey)`, and there was no `initialize`. Add it, "
                    + "\"\(ContextVersion.supported[0])\", or send `initialize` first.")
        }
        let text = try meta.text(Self.versionKey)
        let known = ContextVersion(rawValue: text)
        guard let known, known.isStateless else {
            let reason = known == nil ? "is not supported" : "needs `initialize` before"
            throw ContextFault(
                code: -32022, message: "version \(text) of the protocol \(reason)",
                data: ["supported": .array(ContextVersion.supported.map { .string($0) }), "requested": requested])
        }
        guard meta[Self.capabilitiesKey]?.objectValue != nil else {
            throw .parameters("`_meta` has no `\(Self.capabilitiesKey)`, an object. It is required.")
        }
        return known
    }

    /// What progress is reported to; `nil`: nobody asked for it.
    func progressToken() throws(ContextFault) -> JSONValue? {
        guard let token = try meta()["progressToken"] else { return .none }
        guard token.stringValue != nil || token.intValue != nil else {
            throw .parameters("`progressToken` is \(token.typeName), expected a string or a whole number")
        }
        return token
    }

    private func meta() throws(ContextFault) -> JSONObject { try params.object("_meta") ?? [:] }
}

extension JSONObject {
    /// A member that is an object; `nil` where it is missing.
    func object(_ name: String) throws(ContextFault) -> JSONObject? {
        guard let value = self[name] else { return nil }
        if let object = value.objectValue { return object }
        throw .parameters("`\(name)` is \(value.typeName), expected object")
    }

    /// A required member that is a string.
    func text(_ name: String) throws(ContextFault) -> String {
        if let text = self[name]?.stringValue { return text }
        throw .parameters("`\(name)` is \(self[name]?.typeName ?? "missing"), expected string")
    }
}

/// What a client sends.
enum ContextMessage {
    case request(ContextRequest)
    case notification(method: String, params: JSONObject)
    /// An answer. The server asks for nothing, so it is ignored.
    case response

    init(_ value: JSONValue) throws(ContextFault) {
        guard let message = value.objectValue else {
            throw .request("a message is \(value.typeName), expected object")
        }
        if message["method"] == nil, message["result"] != nil || message["error"] != nil {
            self = .response
            return
        }
        guard message["jsonrpc"] == "2.0" else { throw .request("`jsonrpc` is not \"2.0\"") }
        guard let method = message["method"]?.stringValue else {
            throw .request("`method` is missing: a string is required")
        }
        let params = message["params"] ?? [:]
        guard let id = message["id"] else {
            self = .notification(method: method, params: params.objectValue ?? [:])
            return
        }
        guard let id = Self.identifier(id) else {
            throw .request("`id` is \(id.typeName), expected a string or a whole number")
        }
        guard let params = params.objectValue else {
            throw .parameters("`params` is \(params.typeName), expected object")
        }
        self = .request(ContextRequest(id: id, method: method, params: params))
    }

    /// An id in the one form that it is compared in; `nil` where it cannot be one.
    static func identifier(_ value: JSONValue) -> JSONValue? {
        if value.stringValue != nil { return value }
        return value.intValue.map { .integer($0) }
    }

    /// The id of a message that may be anything, for an error; `null` where it has none.
    static func id(of value: JSONValue) -> JSONValue { value["id"].flatMap { identifier($0) } ?? .null }
}
