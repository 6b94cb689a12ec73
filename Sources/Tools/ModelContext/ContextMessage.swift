import JSON
import JSONRPC

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

extension RPCRequest {
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
    func version(agreed: ContextVersion?) throws(RPCFault) -> ContextVersion {
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
            throw RPCFault(
                code: -32022, message: "version \(text) of the protocol \(reason)",
                data: ["supported": .array(ContextVersion.supported.map { .string($0) }), "requested": requested])
        }
        guard meta[Self.capabilitiesKey]?.objectValue != nil else {
            throw .parameters("`_meta` has no `\(Self.capabilitiesKey)`, an object. It is required.")
        }
        return known
    }

    /// What progress is reported to; `nil`: nobody asked for it.
    func progressToken() throws(RPCFault) -> JSONValue? {
        guard let token = try meta()["progressToken"] else { return .none }
        guard token.stringValue != nil || token.intValue != nil else {
            throw .parameters("`progressToken` is \(token.typeName), expected a string or a whole number")
        }
        return token
    }

    private func meta() throws(RPCFault) -> JSONObject { try params.object("_meta") ?? [:] }
}
