import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// A refusal of the directory: an AADSTS code with its OAuth error. The numbers and error names are those of Microsoft
/// docs: reference-error-codes; the sentences are our own.
struct WorkforceError: Error, Hashable, Sendable {
    var number: Int
    /// OAuth error name.
    var error: String
    var message: String
    var suberror: String?
    /// Status at the token endpoint.
    var status = 400
    /// For the developer, where the message does not say it all.
    var detail: String?

    init(
        _ number: Int, _ error: String, _ message: String, suberror: String? = nil, status: Int = 400,
        detail: String? = nil
    ) {
        self.number = number
        self.error = error
        self.message = message
        self.suberror = suberror
        self.status = status
        self.detail = detail
    }

    /// What is not simulated, if that is the reason.
    var notSimulated: String? { detail.flatMap { $0.hasPrefix("not simulated") ? $0 : nil } }

    /// Why, for the log.
    var why: String { "AADSTS\(number): \(message)" + (detail.map { " (\($0))" } ?? "") }

    /// `AADSTS50011: ... Trace ID: ... Correlation ID: ... Timestamp: ...`
    func description(_ call: WorkforceCall) -> String {
        "AADSTS\(number): \(message) Trace ID: \(call.traceID) Correlation ID: \(call.correlationID) "
            + "Timestamp: \(call.now.b2cText)"
    }

    /// The body of the token endpoint and of metadata requests, members in the order recorded.
    func json(_ call: WorkforceCall) -> JSONObject {
        var body = JSONObject()
        body["error"] = .string(error)
        body["error_description"] = .string(description(call))
        body["error_codes"] = [.integer(Int64(number))]
        body["timestamp"] = .string(call.now.b2cText)
        body["trace_id"] = .string(call.traceID.description)
        body["correlation_id"] = .string(call.correlationID.description)
        body["error_uri"] = .string("\(call.origin)/error?code=\(number)")
        body["suberror"] = suberror.map { .string($0) }
        return body
    }

    /// The members of a response to the redirect URI.
    func members(_ call: WorkforceCall) -> FormItems {
        var items: FormItems = ["error": error, "error_description": description(call)]
        items.append("error_uri", "\(call.origin)/error?code=\(number)")
        return items
    }
}

extension WorkforceError {
    static func missing(_ parameter: String) -> WorkforceError {
        WorkforceError(900144, "invalid_request", "The request must contain the parameter '\(parameter)'.")
    }
    static func malformed(_ detail: String) -> WorkforceError {
        WorkforceError(9_002_313, "invalid_request", "The request is malformed or invalid.", detail: detail)
    }
    static func unknownTenant(_ segment: String) -> WorkforceError {
        WorkforceError(
            90002, "invalid_tenant",
            "No tenant '\(segment)' was found. Check that the tenant id and the cloud are right.")
    }
    static func unknownApp(_ clientID: String, _ tenant: String) -> WorkforceError {
        WorkforceError(
            700016, "unauthorized_client",
            "No application with the identifier '\(clientID)' was found in the directory '\(tenant)'.")
    }
    static func disabledApp(_ app: WorkforceApp) -> WorkforceError {
        disabledApp(clientID: app.clientID, name: app.name)
    }
    static func disabledApp(clientID: String, name: String) -> WorkforceError {
        WorkforceError(7_000_112, "unauthorized_client", "The application '\(clientID)' (\(name)) is disabled.")
    }
    static func needsPost(_ method: String) -> WorkforceError {
        WorkforceError(
            900_561, "invalid_request",
            "The endpoint takes POST requests only and received a \(method) request.")
    }
    /// - Parameter detail: For the developer.
    static func unsupportedGrant(_ grant: String, _ detail: String) -> WorkforceError {
        WorkforceError(
            70003, "unsupported_grant_type", "The application asked for the unsupported grant type '\(grant)'.",
            detail: detail)
    }
    static let assertionUnchecked = WorkforceError(
        700_027, "invalid_client", "The client assertion cannot be checked.",
        detail: "not simulated: client assertions of a directory")
    static func missingSecret(_ grant: String) -> WorkforceError {
        WorkforceError(
            7_000_216, "invalid_client",
            "The grant type '\(grant)' needs 'client_assertion' or 'client_secret'.", status: 401)
    }
    static func wrongSecret(clientID: String) -> WorkforceError {
        WorkforceError(
            7_000_215, "invalid_client", "The client secret is not one of application '\(clientID)'.", status: 401)
    }
    static func needsDefaultScope(_ scope: String) -> WorkforceError {
        WorkforceError(
            1_002_012, "invalid_scope",
            "The value '\(scope)' of the parameter 'scope' is not valid. An app on its own asks for one resource with "
                + "/.default at its end.")
    }
    static let noKey = WorkforceError(50146, "server_error", "The tenant has no key to sign with.")
    static func redirectMismatch(_ uri: String, _ app: WorkforceApp) -> WorkforceError {
        let known = app.redirectURIs.map(\.uri)
        return WorkforceError(
            50011, "invalid_request",
            "The redirect URI '\(uri)' of the request is none of those configured for the application '\(app.clientID)'.",
            detail: "registered: " + (known.isEmpty ? "none" : known.joined(separator: ", ")))
    }
    static func unknownResource(_ resource: String) -> WorkforceError {
        WorkforceError(
            500011, "invalid_resource", "No resource principal named \(resource) was found in the tenant.")
    }
    static func unknownScope(_ name: String, resource: String) -> WorkforceError {
        WorkforceError(
            650053, "invalid_client", "The application asked for scope '\(name)', which '\(resource)' does not have.")
    }
    static func invalidScope(_ text: String, _ why: String) -> WorkforceError {
        WorkforceError(70011, "invalid_scope", "The value of the parameter 'scope' is not valid: \(why).", detail: text)
    }
    static func severalResources(_ text: String) -> WorkforceError {
        WorkforceError(
            28000, "invalid_request", "The value of the parameter 'scope' names more than one resource.", detail: text)
    }
    static func unsupportedPrompt(_ prompt: String) -> WorkforceError {
        WorkforceError(90023, "invalid_request", "The value '\(prompt)' of the parameter 'prompt' is not supported.")
    }
    static func responseTypeOff(_ type: String) -> WorkforceError {
        WorkforceError(
            700_054, "unsupported_response_type", "response_type '\(type)' is not enabled for the application.",
            detail: "not simulated: response types other than code on a directory tenant")
    }
    static let signInNeeded = WorkforceError(
        50058, "login_required", "A silent sign-in was asked for, and nobody is signed in.")
    static let severalSessions = WorkforceError(
        16000, "interaction_required", "Several accounts are signed in, and the request does not name one.")
    static func consentNeeded(_ app: WorkforceApp, silent: Bool) -> WorkforceError {
        WorkforceError(
            65001, silent ? "consent_required" : "invalid_grant",
            "Neither the user nor an administrator has consented to the use of the application '\(app.clientID)' named "
                + "'\(app.name)'. Send an interactive authorization request for this user and resource.",
            suberror: silent ? nil : "consent_required")
    }
    static let consentDeclined = WorkforceError(
        65004, "access_denied", "The user declined to consent to access by the application.")
    static func adminNeeded(_ app: WorkforceApp) -> WorkforceError {
        WorkforceError(
            90094, "access_denied", "An administrator must consent to the permissions that '\(app.name)' asks for.")
    }
    static let signInCancelled = WorkforceError(
        50199, "access_denied", "The user cancelled the sign-in.", detail: "the number is inferred")
    static let badPassword = WorkforceError(
        50126, "invalid_grant", "The user name or the password is wrong.")
    static func unknownUser(_ name: String) -> WorkforceError {
        WorkforceError(50034, "invalid_grant", "The user account \(name) does not exist in the directory.")
    }
    static let locked = WorkforceError(
        50053, "invalid_grant", "The account is locked after too many attempts with a wrong user name or password.")
    static let disabledUser = WorkforceError(50057, "invalid_grant", "The user account is disabled.")
    static func badGrant(_ what: String) -> WorkforceError {
        WorkforceError(
            70000, "invalid_grant", "The value of the parameter '\(what)' is not valid.", suberror: "bad_token")
    }
    static let expiredCode = WorkforceError(
        70008, "invalid_grant", "The authorization code has expired. Send a new interactive authorization request.")
    static let usedCode = WorkforceError(
        54005, "invalid_grant", "The authorization code was redeemed already; get a new one or use a refresh token.")
    static let badVerifier = WorkforceError(
        501_481, "invalid_grant", "code_verifier does not match the code_challenge of the authorization request.")
    static func revoked(_ issued: Timestamp, validFrom: Timestamp) -> WorkforceError {
        WorkforceError(
            50173, "invalid_grant",
            "The grant has been revoked and a fresh one is needed; the password may have changed. It was issued on "
                + "'\(issued.rfc3339)' and grants of this user are valid from '\(validFrom.rfc3339)'.")
    }
    static func inactive(_ issued: Timestamp, lifetime: TimeSpan) -> WorkforceError {
        WorkforceError(
            700_082, "invalid_grant",
            "The refresh token has expired due to inactivity. It was issued on '\(issued.rfc3339)' and was inactive for "
                + "\(lifetime.iso8601).", suberror: "token_expired")
    }
    static func singlePageExpired(_ issued: Timestamp) -> WorkforceError {
        WorkforceError(
            700_084, "invalid_grant",
            "The refresh token was issued to a single-page app and has a fixed lifetime of P1D, which began on "
                + "'\(issued.rfc3339)' and cannot be extended.", suberror: "token_expired")
    }
}
