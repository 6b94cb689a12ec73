import JSON

/// The members that the results of the verbs have.
enum VerbResults {
    /// Members of an outcome.
    static let outcome = [
        "result", "error", "pending", "callback", "elapsed", "requests", "pages", "messages", "events", "trace",
        "steps",
    ]

    /// Members of the outcome of a verb. A group returns nothing and has no error of its own: its steps have.
    static func outcome(of verb: Verb) -> [String] {
        verb.isGroup ? outcome.filter { !["result", "error", "pending", "callback"].contains($0) } : outcome
    }

    private static let token = [
        "accessToken", "idToken", "scopes", "expiresOn", "extendedLifeTimeToken", "account", "tenantProfile",
        "authority", "correlationId", "state", "fromCache",
    ]
    private static let http = ["status", "headers", "body", "json", "location", "b2cCode", "b2cMessage"]

    /// Members of a verb's result; `nil` where only the run can tell.
    static func members(of verb: Verb, parameters: JSONValue) -> [String]? {
        switch verb {
        // A browser app's page is loaded again, and reads an answer in its address.
        case .acquireToken, .acquireTokenSilent, .restart: token
        case .accounts: ["accounts"]
        case .currentAccount: ["current", "previous"]
        case .signOut: ["signedOut"]
        case .deviceInformation: ["deviceMode"]
        case .cancelInteraction: ["cancelled"]
        case .deliver: ["handled"]
        case .callApi: http + ["reason"]
        case .open: ["url", "status", "page", "request", "response", "delivered"]
        case .http: http
        case .advanceClock: ["now"]
        case .mintToken: ["token"]
        case .inspect: inspected(parameters)
        case .createClient, .removeAccount, .configure, .importCache, .barrier, .steps, .parallel: []
        case .resume: nil
        }
    }

    private static func inspected(_ parameters: JSONValue) -> [String]? {
        switch parameters.stringValue ?? parameters["what"]?.stringValue {
        case "cache":
            [
                "accounts", "accessTokens", "refreshTokens", "idTokens", "appMetadata", "accountMetadata", "unified",
            ]
        case "cookies": ["cookies"]
        case "storage": ["local", "session", "url"]
        case "users": ["users"]
        case "inbox": ["messages"]
        case "keys": ["keySets"]
        default: nil
        }
    }
}
