import JSON

/// The words of fault rules and what goes with what.
package enum FaultWords {
    package static let conditions = ["match", "times", "skip", "rate", "optional"]
    package static let effects = [
        "network", "delay", "request", "respond", "response", "claims", "b2cError", "to", "copies",
    ]

    /// The endpoint's word for the handing over of a callback.
    package static let callback = "callback"
    /// The endpoints whose answers can hold a token that the authority signs.
    package static let signing = ["authorize", "page", "token"]
    /// The endpoints of the authority, which alone can refuse with a code of its own.
    package static let refusing = ["discovery", "keys", "authorize", "page", "token", "userinfo", "logout"]

    /// Effects of which the second keeps the first from happening, most specific first.
    package static let clashes: [(kept: String, keeper: String)] = [
        ("respond", "network"), ("b2cError", "network"), ("b2cError", "respond"), ("response", "network"),
        ("response", "respond"), ("request", "respond"), ("claims", "respond"), ("claims", "b2cError"),
        ("copies", "respond"),
    ]

    /// Why the second word of a clash keeps the first away.
    package static func clash(_ kept: String, _ keeper: String) -> String {
        switch kept {
        case "response": "`response` rewrites the real answer, which `\(keeper)` keeps away"
        case "request", "copies": "`\(kept)` is about sending the request, which `\(keeper)` keeps from leaving"
        case "claims": "`claims` patches tokens, which `\(keeper)` keeps from being issued"
        default: "`\(keeper)` and `\(kept)` exclude each other"
        }
    }

    /// What is wrong with an effect for the endpoint that the match names; `nil` where nothing is, or where the match
    /// leaves the endpoint open.
    package static func misplaced(_ effect: String, match: JSONValue?) -> String? {
        let endpoint = match?["endpoint"]?.stringValue
        if effect == "to", endpoint != callback {
            return "`to` hands a callback to another client: it needs \"match\": {\"endpoint\": \"callback\"};"
                + " `request` with `host` or `url` sends a request elsewhere"
        }
        guard let endpoint, !Template.mayHoldReference(endpoint) else { return nil }
        if endpoint == callback, !["delay", "request", "to", "copies"].contains(effect) {
            return "a callback is handed over, not answered: `\(effect)` has no hold on it"
        }
        if effect == "claims", !signing.contains(endpoint) {
            return "no token is signed at `\(endpoint)`, so `claims` has no hold on it"
        }
        if effect == "b2cError", !refusing.contains(endpoint) {
            return "`\(endpoint)` is not the authority, so it cannot refuse with a code of B2C; use `respond`"
        }
        return nil
    }
}
