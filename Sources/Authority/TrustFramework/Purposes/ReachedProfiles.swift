import Determinism

extension ResolvedPolicy {
    /// The profiles that the default journey can run: of its steps and sub journeys, with what their pages run.
    public var reachedProfiles: [TechnicalProfile] {
        var journeys = [relyingParty.defaultJourney]
        var seen: Set<JourneyHandle> = [relyingParty.defaultJourney]
        var reached: [TechnicalProfile] = []
        var known: Set<ProfileHandle> = []
        while let journey = journeys.popLast() {
            for step in self[journey].steps {
                journeys += step.subJourneys.filter { seen.insert($0).inserted }
                for exchange in step.exchanges where known.insert(exchange.profile).inserted {
                    let profile = self[exchange.profile]
                    reached.append(profile)
                    var inside = profile.validationProfiles.map(\.profile)
                    for item in profile.displayClaims {
                        guard case .control(let control) = item.target else { continue }
                        inside += self[control].actions.flatMap { $0.profiles.map(\.profile) }
                    }
                    reached += inside.filter { known.insert($0).inserted }.map { self[$0] }
                }
            }
        }
        return reached
    }

    /// The client id of an app that the policy lets in, where it looks the app's id up in a list of its own.
    public var listedClient: GUID? {
        for profile in reachedProfiles {
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
    public var makesAccounts: Bool {
        handler == .directory && metadata["Operation"]?.lowercased() == "write"
            && !inputClaims.contains { sameID($0.wireName, "objectId") }
    }
}
