import JSON
import TrustFramework

/// What a REST service could answer a technical profile: a value of the right type for each output claim.
public enum RestAnswer {
    /// - Parameter person: The record of the person the service answers about; without one, texts are `"text"`.
    public static func example(
        for profile: TechnicalProfile, of policy: ResolvedPolicy, person: JSONValue = [:]
    ) -> JSONValue {
        var json: JSONValue = [:]
        let isDeep = profile.metadata.bool("ResolveJsonPathsInJsonTokens", default: false)
        for claim in profile.outputClaims where claim.defaultValue == nil || !claim.alwaysUseDefaultValue {
            let path = isDeep ? claim.wireName.split(separator: ".").map(String.init) : [claim.wireName]
            let value = value(policy[claim.claim], person)
            json = json.merging(patch: path.reversed().reduce(value) { .object(JSONObject([($1, $0)])) })
        }
        return json
    }

    private static func value(_ type: ClaimType, _ person: JSONValue) -> JSONValue {
        switch type.dataType {
        case .boolean: return true
        case .int, .long: return 1
        case .date: return "1990-05-17"
        case .dateTime: return "1990-05-17T00:00:00Z"
        case .stringCollection: return ["text"]
        default:
            let id = type.id.lowercased()
            if let own = person[type.id], own.stringValue != nil { return own }
            if id.contains("mail"), let email = person["email"] { return email }
            return .string(type.enumeration.first?.value ?? "text")
        }
    }
}
