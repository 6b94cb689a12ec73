import JSON

/// Why a request has no result: the error of its answer (JSON-RPC 2.0, section 5.1).
package struct RPCFault: Error, Hashable, Sendable {
    package var code: Int64
    package var message: String
    package var data: JSONValue?

    package init(code: Int64, message: String, data: JSONValue? = nil) {
        (self.code, self.message, self.data) = (code, message, data)
    }

    /// What was sent is not JSON.
    package static func text(_ message: String) -> Self { Self(code: -32700, message: message) }

    /// The message is JSON, but not a request.
    package static func request(_ message: String) -> Self { Self(code: -32600, message: message) }

    /// There is no such method.
    package static func method(_ message: String) -> Self { Self(code: -32601, message: message) }

    /// The parameters do not fit the method.
    package static func parameters(_ message: String) -> Self { Self(code: -32602, message: message) }

    /// The answer to the request with an id; `null` where it could not be read.
    package func answer(to id: JSONValue) -> JSONValue {
        var error: JSONObject = ["code": .integer(code), "message": .string(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
    }
}

/// A request with an id.
package struct RPCRequest: Sendable {
    /// A text or a whole number.
    package var id: JSONValue
    package var method: String
    package var params: JSONObject

    /// The answer with a result.
    package func answer(_ result: JSONValue) -> JSONValue { ["jsonrpc": "2.0", "id": id, "result": result] }
}

extension JSONObject {
    /// A member that is an object; `nil` where it is missing.
    package func object(_ name: String) throws(RPCFault) -> JSONObject? {
        guard let value = self[name] else { return nil }
        if let object = value.objectValue { return object }
        throw .parameters("`\(name)` is \(value.typeName), expected object")
    }

    /// A required member that is a string.
    package func text(_ name: String) throws(RPCFault) -> String {
        if let text = self[name]?.stringValue { return text }
        throw .parameters("`\(name)` is \(self[name]?.typeName ?? "missing"), expected string")
    }
}

/// What one side of a connection sends the other (JSON-RPC 2.0, section 4).
package enum RPCMessage: Sendable {
    case request(RPCRequest)
    case notification(method: String, params: JSONObject)
    /// The answer to a request of this side.
    case response(id: JSONValue)

    package init(_ value: JSONValue) throws(RPCFault) {
        guard let message = value.objectValue else {
            throw .request("a message is \(value.typeName), expected object")
        }
        if message["method"] == nil, message["result"] != nil || message["error"] != nil {
            self = .response(id: Self.id(of: value))
            return
        }
        guard message["jsonrpc"] == "2.0" else { throw .request("`jsonrpc` is not \"2.0\"") }
        guard let method = message["method"]?.stringValue else {
            throw .request("`method` is missing: a string is required")
        }
        // Clients write `null` for methods without parameters.
        let written = message["params"] ?? .null
        let params = written == .null ? [:] : written
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
        self = .request(RPCRequest(id: id, method: method, params: params))
    }

    /// An id in the one form that it is compared in; `nil` where it cannot be one.
    package static func identifier(_ value: JSONValue) -> JSONValue? {
        if value.stringValue != nil { return value }
        return value.intValue.map { .integer($0) }
    }

    /// The id of a message that may be anything, for an error; `null` where it has none.
    package static func id(of value: JSONValue) -> JSONValue { value["id"].flatMap { identifier($0) } ?? .null }
}
