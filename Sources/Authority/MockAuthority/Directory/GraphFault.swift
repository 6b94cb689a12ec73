import Determinism
import HTTPMessages
import JSON

/// A refusal of Microsoft Graph (Microsoft docs: errors). Clients compare its code, some its sentence.
public struct GraphFault: Error, Sendable, Hashable {
    public var status: Int
    public var code: String
    public var message: String
    /// `details`: the code and the property that it is about.
    var detail: Detail?
    /// Why, for the developer: never on the wire.
    public var why: String

    struct Detail: Sendable, Hashable {
        var code: String
        var target: String
    }

    public init(_ status: Int, _ code: String, _ message: String, why: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.why = why ?? message
    }

    /// The same about a property.
    func about(_ property: String, _ code: String) -> GraphFault {
        var fault = self
        fault.detail = Detail(code: code, target: property)
        return fault
    }

    /// The body, members in the order seen in public.
    public func json(requestID: String, clientRequestID: String, at now: Timestamp) -> JSONObject {
        var error: JSONObject = ["code": .string(code), "message": .string(message)]
        if let detail {
            error["details"] = [
                ["code": .string(detail.code), "message": .string(message), "target": .string(detail.target)]
            ]
        }
        error["innerError"] = [
            "date": .string(String(now.rfc3339.prefix(19))), "request-id": .string(requestID),
            "client-request-id": .string(clientRequestID),
        ]
        return ["error": .object(error)]
    }

    /// Fields of every answer.
    ///
    /// - Parameter isUnauthorized: Whether the answer has status 401.
    public static func fields(requestID: String, clientRequestID: String, isUnauthorized: Bool = false) -> Headers {
        var fields = Headers()
        if isUnauthorized {
            fields.append(
                "WWW-Authenticate",
                "Bearer realm=\"\", authorization_uri=\"https://login.microsoftonline.com/common/oauth2/authorize\", "
                    + "client_id=\"00000003-0000-0000-c000-000000000000\"")
        }
        fields.append("request-id", requestID)
        fields.append("client-request-id", clientRequestID)
        fields.append("Cache-Control", "no-cache")
        return fields
    }
}

extension GraphFault {
    static func badToken(_ message: String, _ why: String) -> GraphFault {
        GraphFault(401, "InvalidAuthenticationToken", message, why: why)
    }
    /// - Parameter why: What is missing.
    public static func denied(_ why: String) -> GraphFault {
        GraphFault(
            403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.", why: why)
    }
    public static func noSuchSegment(_ why: String) -> GraphFault {
        GraphFault(404, "ResourceNotFound", "Resource not found for the segment.", why: why)
    }
    public static func noSuchMethod(_ why: String) -> GraphFault {
        GraphFault(
            405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.", why: why)
    }
    /// A request that Graph may serve and the mock does not: the mock says so of itself.
    public static func notSimulated(_ what: String) -> GraphFault {
        GraphFault(
            501, "NotSimulated", "This mock does not simulate \(what) of Microsoft Graph.",
            why: "not simulated: \(what) of Microsoft Graph")
    }
    /// `/me` with an app's own token (microsoftgraph/msgraph-sdk-php#1163).
    public static let needsPerson = GraphFault(
        400, "BadRequest", "/me request is only valid with delegated authentication flow.",
        why: "the token is an app's own, and /me is the person of the token")
    static func noSuchUser(_ key: String) -> GraphFault {
        GraphFault(
            404, "Request_ResourceNotFound",
            "Resource '\(key)' does not exist or one of its queried reference-property objects are not present.")
    }
    static let invalidValues = GraphFault(
        400, "Request_BadRequest", "One or more properties contains invalid values.")
    /// - Parameter why: What is wrong with the identities.
    static func invalidValues(_ why: String) -> GraphFault {
        var fault = invalidValues
        fault.why = why
        return fault
    }
    static func invalidValue(_ property: String) -> GraphFault {
        GraphFault(
            400, "Request_BadRequest", "Invalid value specified for property '\(property)' of resource 'User'."
        ).about(property, "InvalidValue")
    }
    static func missingValue(_ property: String) -> GraphFault {
        GraphFault(
            400, "Request_BadRequest", "A value is required for property '\(property)' of resource 'User'."
        ).about(property, "MissingValue")
    }
    static func wrongType(_ property: String, _ expected: String) -> GraphFault {
        GraphFault(
            400, "BadRequest", "Property \(property) in payload has a value that does not match schema.",
            why: "\(property) expects \(expected)")
    }
    static func unknownProperty(_ property: String) -> GraphFault {
        GraphFault(
            400, "Request_BadRequest",
            "Property '\(property)' does not exist as a declared property or extension property.")
    }
    static func readOnly(_ property: String) -> GraphFault {
        GraphFault(
            400, "Request_BadRequest", "Property '\(property)' is read-only and cannot be set."
        ).about(property, "ReadOnlyProperty")
    }
    static func conflict(_ property: String, _ why: String) -> GraphFault {
        GraphFault(
            400, "Request_BadRequest",
            "Another object with the same value for property \(property) already exists.", why: why
        ).about(property, "ObjectConflict")
    }
    static let weakPassword = GraphFault(
        400, "Request_BadRequest",
        "The specified password does not comply with password complexity requirements. Please provide a different password."
    ).about("password", "InvalidPassword")
    static func noExtension(_ name: String, _ why: String) -> GraphFault {
        GraphFault(
            400, "Request_BadRequest", "The following extension properties are not available: \(name).", why: why)
    }
    static func unsupportedQuery(_ message: String, why: String? = nil) -> GraphFault {
        GraphFault(400, "Request_UnsupportedQuery", message, why: why)
    }
    /// A query that needs `ConsistencyLevel: eventual` (Microsoft docs: aad-advanced-queries).
    static func needsConsistencyLevel(_ what: String) -> GraphFault {
        unsupportedQuery(
            "\(what) is not supported because the 'ConsistencyLevel:eventual' header is missing. Refer to "
                + "https://aka.ms/graph-docs/advanced-queries for more information")
    }
    static func badFilter(_ why: String) -> GraphFault {
        GraphFault(400, "BadRequest", "Invalid filter clause: \(why)")
    }
}
