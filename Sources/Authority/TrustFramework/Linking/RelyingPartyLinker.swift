import Diagnostics

enum RelyingPartyLinker {
    static func link(_ document: PolicyDocument, _ context: inout LinkContext) -> RelyingParty? {
        guard let element = document.relyingParty else {
            context.report(
                "B2C-POL-013", "policy \"\(document.policyID)\" has no RelyingParty, so no app can call it",
                remedy: "Name the relying party file instead of its base.", at: document.location)
            return nil
        }
        guard let journey = element.defaultUserJourney else {
            context.report("B2C-POL-025", "the relying party names no DefaultUserJourney", at: element.location)
            return nil
        }
        guard let profile = element.profiles.first else {
            context.report("B2C-POL-069", "the relying party has no TechnicalProfile", at: element.location)
            return nil
        }
        let name = profile.protocol?.name ?? .openIdConnect
        checkProfile(profile, protocolName: name, &context)
        let outputs = ProfileLinker.claims(profile.outputClaims, protocolName: name, &context)
        checkSubject(of: profile, outputs, &context)
        var endpoints: [(id: String, journey: JourneyHandle)] = []
        for endpoint in element.endpoints {
            if let handle = context.journey(endpoint.journey, at: endpoint.location) {
                endpoints.append((endpoint.id, handle))
            }
        }
        let inputs = ProfileLinker.claims(profile.inputClaims, protocolName: name, &context)
        guard let defaultJourney = context.journey(journey.id, at: journey.location) else { return nil }
        let behaviors = element.behaviors
        return RelyingParty(
            defaultJourney: defaultJourney, endpoints: endpoints,
            sessionBehavior: sessionBehavior(behaviors),
            contentDefinitionParameters: behaviors?.contentDefinitionParameters ?? [],
            journeyFraming: behaviors?.journeyFraming, scriptExecution: behaviors?.scriptExecution ?? .disallow,
            onError: behaviors?.onError, profileID: profile.id, protocolName: name,
            metadata: Metadata(profile.metadata), inputClaims: inputs, outputClaims: outputs,
            subjectNaming: profile.subjectNaming,
            authenticationRequirements: profile.authenticationRequirements, location: element.location)
    }

    private static func checkProfile(
        _ profile: TechnicalProfileElement, protocolName name: ProtocolName, _ context: inout LinkContext
    ) {
        if !sameID(profile.id, "PolicyProfile") {
            context.report(
                "B2C-POL-069", "the relying party's profile is \"\(profile.id)\"; its usual id is \"PolicyProfile\"",
                remedy: "Write Id=\"PolicyProfile\".", at: profile.location, severity: .warning)
        }
        if name.isForeignToOAuth {
            context.report(
                "B2C-POL-090", "the protocol \(name.rawValue) of the relying party is not simulated",
                remedy:
                    "A sign-in ends without a token. To test the journey, write <Protocol Name=\"OpenIdConnect\" />.",
                at: profile.protocol?.location ?? profile.location, severity: .warning)
        }
    }

    /// Whether an output claim has the name that `SubjectNamingInfo` gives.
    private static func checkSubject(
        of profile: TechnicalProfileElement, _ outputs: [ProfileClaim], _ context: inout LinkContext
    ) {
        guard let naming = profile.subjectNaming, !outputs.contains(where: { $0.wireName == naming.claimType }),
            !profile.outputClaims.contains(where: { $0.claim == naming.claimType })
        else { return }
        context.report(
            "B2C-POL-069", "no output claim leaves under the name \"\(naming.claimType)\" of SubjectNamingInfo",
            remedy: "Give one of them PartnerClaimType=\"\(naming.claimType)\".", at: naming.location)
    }

    private static func sessionBehavior(_ behaviors: UserJourneyBehaviorsElement?) -> SessionBehavior {
        SessionBehavior(
            scope: behaviors?.scope ?? .tenant, keepAliveInDays: behaviors?.keepAliveInDays ?? 0,
            enforceIdTokenHintOnLogout: behaviors?.enforceIdTokenHintOnLogout ?? false,
            expiryType: behaviors?.sessionExpiryType ?? .rolling,
            expiryInSeconds: behaviors?.sessionExpiryInSeconds ?? 86400)
    }
}
