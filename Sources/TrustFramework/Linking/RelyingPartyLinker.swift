import Diagnostics

enum RelyingPartyLinker {
    static func link(_ document: PolicyDocument, _ context: inout LinkContext) -> RelyingParty? {
        guard let element = document.relyingParty else {
            context.report(
                rule: "B2C-POL-013", "policy \"\(document.policyID)\" has no RelyingParty, so no app can call it",
                remedy: "Name the relying party file instead of its base.", at: document.location)
            return nil
        }
        guard let journey = element.defaultUserJourney else {
            context.report(
                rule: "B2C-POL-025", "the relying party names no DefaultUserJourney", at: element.location)
            return nil
        }
        guard let profile = element.profiles.first else {
            context.report(rule: "B2C-POL-069", "the relying party has no TechnicalProfile", at: element.location)
            return nil
        }
        if !sameID(profile.id, "PolicyProfile") {
            context.report(
                .warning, rule: "B2C-POL-069",
                "the relying party's profile is \"\(profile.id)\"; its usual id is \"PolicyProfile\"",
                remedy: "Write Id=\"PolicyProfile\".", at: profile.location)
        }
        let name = profile.protocol?.name ?? .openIdConnect
        if name.isForeignToOAuth {
            context.report(
                .warning, rule: "B2C-POL-090", "the protocol \(name.rawValue) of the relying party is not simulated",
                remedy:
                    "A sign-in ends without a token. To test the journey, write <Protocol Name=\"OpenIdConnect\" />.",
                at: profile.protocol?.location ?? profile.location)
        }
        let outputs = ProfileLinker.claims(profile.outputClaims, protocolName: name, &context)
        if let naming = profile.subjectNaming {
            let names = outputs.map(\.wireName)
            if !names.contains(naming.claimType),
                !profile.outputClaims.contains(where: { $0.claim == naming.claimType })
            {
                context.report(
                    rule: "B2C-POL-069",
                    "no output claim leaves under the name \"\(naming.claimType)\" of SubjectNamingInfo",
                    remedy: "Give one of them PartnerClaimType=\"\(naming.claimType)\".", at: naming.location)
            }
        }
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
            sessionBehavior: SessionBehavior(
                scope: behaviors?.scope ?? .tenant, keepAliveInDays: behaviors?.keepAliveInDays ?? 0,
                enforceIdTokenHintOnLogout: behaviors?.enforceIdTokenHintOnLogout ?? false,
                expiryType: behaviors?.sessionExpiryType ?? .rolling,
                expiryInSeconds: behaviors?.sessionExpiryInSeconds ?? 86400),
            contentDefinitionParameters: behaviors?.contentDefinitionParameters ?? [],
            journeyFraming: behaviors?.journeyFraming, scriptExecution: behaviors?.scriptExecution ?? .disallow,
            onError: behaviors?.onError, profileID: profile.id, protocolName: name,
            metadata: Metadata(profile.metadata), inputClaims: inputs, outputClaims: outputs,
            subjectNaming: profile.subjectNaming,
            authenticationRequirements: profile.authenticationRequirements, location: element.location)
    }
}
