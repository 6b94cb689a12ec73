import Diagnostics

extension PolicyWriter {
    static func journey(_ out: inout XMLText, _ journey: JourneyElement) {
        let name = journey.subJourneyType == nil ? "UserJourney" : "SubJourney"
        out.element(
            name,
            [
                ("Id", journey.id), ("Type", journey.subJourneyType?.rawValue),
                ("NonInteractive", journey.nonInteractive?.xml),
                ("DefaultCpimIssuerTechnicalProfileReferenceId", journey.defaultIssuer?.id),
            ]
        ) { out in
            inert(journey.inert.filter { $0.key == "AssuranceLevel" }, &out)
            out.leaf("PreserveOriginalAssertion", journey.preserveOriginalAssertion?.xml)
            if !journey.authorizationProfiles.isEmpty {
                out.element("Authorization") {
                    references(
                        journey.authorizationProfiles, in: "AuthorizationTechnicalProfiles",
                        as: "AuthorizationTechnicalProfile",
                        to: &$0)
                }
            }
            out.list("OrchestrationSteps", journey.steps, step)
            if let id = journey.clientDefinition?.id { out.empty("ClientDefinition", [("ReferenceId", id)]) }
            inert(journey.inert.filter { $0.key == "CryptographicKeys" }, &out)
        }
    }

    private static func step(_ out: inout XMLText, _ step: OrchestrationStepElement) {
        let attributes: XMLText.Attributes = [
            ("Order", String(step.order)), ("Type", step.type?.rawValue),
            ("ContentDefinitionReferenceId", step.contentDefinition?.id),
            ("CpimIssuerTechnicalProfileReferenceId", step.issuer?.id),
        ]
        let isBare =
            step.preconditions.isEmpty && step.selections.isEmpty && step.exchanges.isEmpty && step.candidates.isEmpty
        guard !isBare else {
            out.empty("OrchestrationStep", attributes)
            return
        }
        out.element("OrchestrationStep", attributes) { out in
            preconditions(step.preconditions, &out)
            out.list(
                "ClaimsProviderSelections", step.selections,
                attributes: [("DisplayOption", step.displayOption?.rawValue)]
            ) { out, selection in
                out.empty(
                    "ClaimsProviderSelection",
                    [
                        ("TargetClaimsExchangeId", selection.targetClaimsExchangeID),
                        ("ValidationClaimsExchangeId", selection.validationClaimsExchangeID),
                    ])
            }
            out.list("ClaimsExchanges", step.exchanges) { out, exchange in
                out.empty(
                    "ClaimsExchange", [("Id", exchange.id), ("TechnicalProfileReferenceId", exchange.profile)])
            }
            out.list("JourneyList", step.candidates) { out, candidate in
                out.empty("Candidate", [("SubJourneyReferenceId", candidate.id)])
            }
        }
    }

    static func relyingParty(_ party: RelyingPartyElement, _ out: inout XMLText) {
        out.element("RelyingParty") { out in
            if let id = party.defaultUserJourney?.id { out.empty("DefaultUserJourney", [("ReferenceId", id)]) }
            out.list("Endpoints", party.endpoints) { out, endpoint in
                out.empty("Endpoint", [("Id", endpoint.id), ("UserJourneyReferenceId", endpoint.journey)])
            }
            if let behaviors = party.behaviors { self.behaviors(behaviors, &out) }
            for profile in party.profiles { technicalProfile(profile, &out) }
        }
    }

    private static func behaviors(_ behaviors: UserJourneyBehaviorsElement, _ out: inout XMLText) {
        out.element("UserJourneyBehaviors") { out in
            if let scope = behaviors.scope {
                out.empty(
                    "SingleSignOn",
                    [
                        ("Scope", scope.rawValue), ("KeepAliveInDays", behaviors.keepAliveInDays.map(String.init)),
                        ("EnforceIdTokenHintOnLogout", behaviors.enforceIdTokenHintOnLogout?.xml),
                    ])
            }
            out.leaf("SessionExpiryType", behaviors.sessionExpiryType?.rawValue)
            out.leaf("SessionExpiryInSeconds", behaviors.sessionExpiryInSeconds.map(String.init))
            inert(behaviors.inert, &out)
            items(
                "ContentDefinitionParameters", behaviors.contentDefinitionParameters, key: "Name", item: "Parameter",
                &out)
            if let framing = behaviors.journeyFraming {
                out.empty(
                    "JourneyFraming",
                    [("Enabled", framing.enabled.xml), ("Sources", framing.sources.joined(separator: " "))])
            }
            out.leaf("ScriptExecution", behaviors.scriptExecution?.rawValue)
            if let mode = behaviors.onError { out.empty("OnError", [("Mode", mode.rawValue)]) }
        }
    }
}
