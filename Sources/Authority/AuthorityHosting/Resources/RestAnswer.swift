import JSON
import TrustFramework

/// What a REST service could answer a technical profile: a value of the right type for each output claim.
package enum RestAnswer {
    /// - Parameters:
    ///   - person: The record of the person the service answers about; without one, texts are `"text"`.
    ///   - purposes: What the policy uses its claims for. Without it only claims of the same name are in the record.
    package static func example(
        for profile: TechnicalProfile, of policy: ResolvedPolicy, person: JSONValue = [:],
        purposes: ClaimPurposes? = nil
    ) -> JSONValue {
        var json: JSONValue = [:]
        let isDeep = profile.metadata.bool("ResolveJsonPathsInJsonTokens", default: false)
        for claim in profile.outputClaims where claim.defaultValue == nil || !claim.alwaysUseDefaultValue {
            let path = isDeep ? claim.wireName.split(separator: ".").map(String.init) : [claim.wireName]
            let purpose = purposes?.of(claim.claim, as: claim.wireName)
            let known = purpose == .email || purpose == .phone ? purpose.flatMap { person[$0.key] } : nil
            let value = value(policy[claim.claim], of: person, known: known)
            json = json.merging(patch: path.reversed().reduce(value) { .object(JSONObject([($1, $0)])) })
        }
        return json
    }

    private static func value(_ type: ClaimType, of person: JSONValue, known: JSONValue?) -> JSONValue {
        if let example = type.dataType.example { return example }
        if type.dataType == .stringCollection { return ["text"] }
        if let own = person[type.id], own.stringValue != nil { return own }
        return known ?? .string(type.enumeration.first?.value ?? "text")
    }
}
