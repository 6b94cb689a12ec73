import HTTPMessages
import JSON
import JourneyLogs
import TrustFramework

/// How a service or an identity provider answered in a log, as stubs and fault rules.
enum LogPartner {
    /// Which calls a technical profile makes: the part of its address that does not depend on the person.
    static func match(_ item: LoggedSession.Item, _ profile: TechnicalProfile) -> JSONValue? {
        let written = profile.metadata["ServiceUrl"] ?? ""
        let fixed = String(written.prefix { $0 != "{" && $0 != "?" })
        if WebURL(fixed)?.host?.isEmpty == false {
            return fixed == written
                ? ["endpoint": "rest", "url": .string(fixed)]
                : ["endpoint": "rest", "url": ["$startsWith": .string(fixed)]]
        }
        guard let url = item.url.flatMap({ WebURL($0) }) else { return nil }
        return ["endpoint": "rest", "url": ["$startsWith": .string(url.origin + "/")]]
    }

    /// What went wrong with a call, by the text that the log has of it.
    enum CallFailure {
        /// No answer: a word of a fault rule.
        case network(String)
        /// An answer that is an error.
        case answer(JSONValue)

        /// Texts of the service (public threads: azure-docs#57242, azure-docs#79137), those of an exception and its causes.
        init(_ texts: [String]) {
            func has(_ part: String) -> Bool { texts.contains { $0.contains(part) } }
            func begins(_ code: String) -> Bool { texts.contains { $0.hasPrefix(code) } }
            // What a service wrote for the person, which pages show of an answer with 409 alone.
            let message = texts.first { text in
                ![
                    "AADB2C", "Unable to process your request right now", "The claims exchange",
                    "The host name of the REST",
                ]
                .contains { text.hasPrefix($0) }
            }
            let status = texts.lazy.compactMap { $0.firstMatch(of: /with Code '([A-Za-z0-9]+)'/)?.1 }.first
                .map { Self.statuses[String($0)] ?? Int64($0) ?? 500 }
            if has("did not answer within the timeout") {
                self = .network("timeout")
            } else if has("host name of the REST service cannot be resolved") {
                self = .network("dns")
            } else if has("REST service cannot be reached") {
                self = .network("refused")
            } else if let message, (status ?? 409) == 409 {
                self = .answer([
                    "status": 409, "json": ["version": "1.0.0", "status": 409, "userMessage": .string(message)],
                ])
            } else if let status {
                self = .answer(["status": .integer(status)])
            } else if begins("AADB2C90037") {
                self = .answer(["status": 200, "body": "not JSON"])
            } else if begins("AADB2C90261") {
                self = .answer(["status": 400, "body": "not JSON"])
            } else if begins("AADB2C90027") || begins("AADB2C90028") {
                self = .answer(["status": 401])
            } else {
                self = .answer(["status": 500])
            }
        }

        /// Names of .NET's `HttpStatusCode`.
        private static let statuses: [String: Int64] = [
            "BadRequest": 400, "Unauthorized": 401, "PaymentRequired": 402, "Forbidden": 403,
            "NotFound": 404,
            "MethodNotAllowed": 405, "NotAcceptable": 406, "ProxyAuthenticationRequired": 407,
            "RequestTimeout": 408,
            "Conflict": 409, "Gone": 410, "LengthRequired": 411, "PreconditionFailed": 412,
            "RequestEntityTooLarge": 413, "RequestUriTooLong": 414, "UnsupportedMediaType": 415,
            "UnprocessableEntity": 422, "TooManyRequests": 429, "InternalServerError": 500,
            "NotImplemented": 501,
            "BadGateway": 502, "ServiceUnavailable": 503, "GatewayTimeout": 504,
        ]
    }

    /// A fault rule that brings a provider's error to the policy (AADB2C90273), as the provider's answer had it.
    static func providerFault(_ text: String, _ story: LoggedSession, _ policy: ResolvedPolicy)
        -> JSONValue?
    {
        guard text.contains("AADB2C90273"),
            let found = text.firstMatch(
                of:
                    /Error:[ +]*(?<error>[A-Za-z_]+)[, +]*(?:Error[ +]*Description:[ +]*(?<words>[^'\r\n]*))?/
            )
        else { return nil }
        var change: JSONObject = ["code": .null, "error": .string(String(found.error))]
        change["error_description"] = found.words.map { .string(String($0)) }
        let profile = story.steps.last?.items.last.flatMap { policy.profile($0.id) }.map { policy[$0] }
        let isForm = profile?.metadata["response_mode"]?.lowercased() == "form_post"
        return [
            "match": ["endpoint": "page", "path": ["$endsWith": "/oauth2/authresp"]],
            "request": .object(JSONObject([(isForm ? "form" : "query", .object(change))])),
            "optional": true,
        ]
    }
}
