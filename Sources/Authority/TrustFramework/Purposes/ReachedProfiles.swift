import Determinism

extension ResolvedPolicy {
    /// The client id of an app that the policy lets in, where it looks the app's id up in a list of its own.
    package var listedClient: GUID? {
        for profile in ReachableElements(self).profiles.map({ self[$0] }) {
            let claims = (profile.inputClaims + profile.outputClaims).filter {
                sameID($0.defaultValue ?? "", "{OIDC:ClientId}")
            }.map(\.claim)
            guard !claims.isEmpty else { continue }
            for handle in profile.inputTransformations + profile.outputTransformations {
                let transformation = self[handle]
                guard sameID(transformation.method, "LookupValue"),
                    let asked = transformation.input("inputParameterId"), claims.contains(asked)
                else { continue }
                let listed = transformation.inputParameters.compactMap { GUID($0.id) }
                if let first = listed.first { return first }
            }
        }
        return nil
    }
}

extension TechnicalProfile {
    /// Whether it writes an account that it does not find by its object id, so that it can make one.
    package var makesAccounts: Bool {
        handler == .directory && metadata["Operation"]?.lowercased() == "write"
            && !inputClaims.contains { sameID($0.wireName, "objectId") }
    }
}
