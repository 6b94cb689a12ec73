import Determinism
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles

/// A request to the routes of Microsoft Graph that manage a tenant, taken apart.
public struct GraphManagementRequest: Sendable {
    public var method: String
    /// `v1.0` or `beta`.
    public var version: String
    /// What is behind the version, decoded. A key in parentheses is a segment of its own: `keySets('K')` is `keySets`, `K`.
    public var path: [String]
    /// The request as it came, with query, fields and body.
    public var message: RequestMessage

    /// `nil` for an address that has no version of Graph, or nothing behind it.
    public init?(_ message: RequestMessage) {
        var path: [String] = []
        for part in message.url.path.split(separator: "/") {
            let part = PercentCoding.decode(String(part), plusIsSpace: false)
            guard part.hasSuffix(")"), let open = part.firstIndex(of: "("), open != part.startIndex else {
                path.append(part)
                continue
            }
            let key = part[part.index(after: open)...].dropLast()
            path.append(String(part[..<open]))
            let isQuoted = key.count >= 2 && key.hasPrefix("'") && key.hasSuffix("'")
            path.append(String(isQuoted ? key.dropFirst().dropLast() : key))
        }
        guard path.count > 1, ["v1.0", "beta"].contains(path[0].lowercased()) else { return nil }
        method = message.method
        version = path.removeFirst().lowercased()
        self.path = path
        self.message = message
    }

    /// The path in lower case, for comparing its fixed words.
    public var words: [String] { path.map { $0.lowercased() } }

    /// `https://graph.microsoft.com/VERSION/$metadata#WHAT`.
    public func context(_ what: String) -> JSONValue {
        .string("https://\(GraphAPI.host)/\(version)/$metadata#\(what)")
    }
}

/// What a token may do at the management routes.
public struct GraphManagementRights: Sendable {
    /// The claims of the token, whose signature has been checked.
    public let claims: JSONObject

    public init(_ claims: JSONObject) {
        self.claims = claims
    }

    /// Whether a person is signed in, and not an app alone.
    public var isOfPerson: Bool { claims["scp"] != nil }

    /// The application permissions of an app, or the delegated permissions of a person's token.
    public var permissions: Set<String> {
        if let scopes = claims["scp"]?.stringValue { return Set(scopes.split(separator: " ").map(String.init)) }
        return Set((claims["roles"]?.arrayValue ?? []).compactMap(\.stringValue))
    }

    /// - Parameter names: Permissions each of which is enough, the least one first.
    /// - Throws: HTTP 403 without any of them. The text was recorded for people's tokens
    ///   (microsoftgraph/microsoft-graph-docs#10988); that it is the same for an app's own is inferred.
    public func need(_ names: [GraphPermissionName]) throws(GraphFault) {
        let held = permissions
        guard !names.contains(where: { held.contains($0.rawValue) }) else { return }
        let list = names.map(\.rawValue).joined(separator: ", ")
        throw GraphFault(
            403, "AADB2C",
            "The application does not have any of the required \(isOfPerson ? "delegated" : "application") "
                + "permissions (\(list)) to access the resource.",
            why:
                "the token has \(held.isEmpty ? "no permission" : held.sorted().joined(separator: ", ")); grant one of "
                + "\(list) in registration.graph of the app")
    }
}

/// An answer of the management routes.
public struct GraphManagementAnswer: Sendable {
    public enum Body: Sendable {
        case none
        case json(JSONObject)
        case bytes([UInt8], contentType: String)
    }

    public var status: Int
    /// Fields besides those of every answer of Graph.
    public var fields: [HeaderField]
    public var body: Body

    public init(_ status: Int, _ body: Body = .none, fields: [HeaderField] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Routes of Microsoft Graph that manage something of a tenant besides its policies.
protocol GraphManagementRoutes: Sendable {
    /// Goes on with a changed tenant; what was written over Graph stays.
    mutating func configure(tenant: Tenant)

    /// Answers a request whose token is good.
    ///
    /// - Throws: A refusal, with `AADB2C…` as its code where the service has one.
    /// - Returns: `nil`: the request is to none of these routes.
    mutating func answer(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights, at now: Timestamp
    ) throws(GraphFault) -> GraphManagementAnswer?
}
