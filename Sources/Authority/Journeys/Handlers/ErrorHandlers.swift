import JSON
import TrustFramework

/// `ErrorHandlers` of a provider's profile: what an error answer of the token call leads to (Microsoft docs:
/// openid-connect-technical-profile, error handling). Matches have the documented form `$[?(@.error == 'invalid_grant')]`.
struct ErrorHandlers {
    enum Action { case reauthenticate([MetadataItem]), invalidClient }

    /// The action of the first handler that matches an answer; one whose match cannot be read is not simulated.
    static func action(
        for answer: JSONValue?, _ handlers: [ErrorHandlerElement]
    ) throws(ProfileFailure) -> Action? {
        guard let answer else { return nil }
        for handler in handlers {
            guard let (name, value) = condition(handler.responseMatch ?? "") else {
                throw .notSimulated("ResponseMatch \(handler.responseMatch ?? "")", at: handler.location)
            }
            guard answer[name]?.stringValue == value else { continue }
            switch handler.action {
            case "Reauthenticate": return .reauthenticate(handler.additionalRequestParameters)
            case "InvalidClient": return .invalidClient
            default: throw .notSimulated("action \(handler.action ?? "") of an ErrorHandler", at: handler.location)
            }
        }
        return nil
    }

    /// `error` and `invalid_grant` of `$[?(@.error == 'invalid_grant')]`.
    static func condition(_ match: String) -> (name: String, value: String)? {
        let plain = match.filter { !$0.isWhitespace }
        guard plain.hasPrefix("$[?(@."), plain.hasSuffix(")]") else { return nil }
        let parts = plain.dropFirst(6).dropLast(2).split(separator: "==", maxSplits: 1)
        guard parts.count == 2, let quote = parts[1].first, quote == "'" || quote == "\"", parts[1].count >= 2,
            parts[1].last == quote
        else { return nil }
        return (String(parts[0]), String(parts[1].dropFirst().dropLast()))
    }
}
