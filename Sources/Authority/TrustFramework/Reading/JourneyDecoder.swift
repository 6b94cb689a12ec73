import Diagnostics

extension PolicyDecoder {
    static func journey(_ item: ElementCursor) -> JourneyElement {
        var journey = JourneyElement(id: item.required("Id"), location: item.location)
        journey.subJourneyType = item.word("Type")
        journey.nonInteractive = item.bool("NonInteractive")
        journey.defaultIssuer = item.reference("DefaultCpimIssuerTechnicalProfileReferenceId")
        journey.preserveOriginalAssertion = item.text("PreserveOriginalAssertion").map(isTrue)
        journey.authorizationProfiles =
            item.child("Authorization").map {
                references($0, "AuthorizationTechnicalProfiles", "AuthorizationTechnicalProfile")
            } ?? []
        journey.steps = item.items("OrchestrationSteps", "OrchestrationStep").map(step)
        journey.clientDefinition = item.child("ClientDefinition")?.reference("ReferenceId")
        journey.inert = item.inert(["AssuranceLevel", "CryptographicKeys"])
        return journey
    }

    private static func step(_ item: ElementCursor) -> OrchestrationStepElement {
        var step = OrchestrationStepElement(order: item.int("Order") ?? 0, location: item.location)
        step.type = item.word("Type")
        step.contentDefinition = item.reference("ContentDefinitionReferenceId")
        step.issuer = item.reference("CpimIssuerTechnicalProfileReferenceId")
        step.preconditions = preconditions(item)
        step.displayOption = item.child("ClaimsProviderSelections")?.word("DisplayOption")
        step.selections = item.items("ClaimsProviderSelections", "ClaimsProviderSelection").map {
            ClaimsProviderSelectionElement(
                targetClaimsExchangeID: $0.attribute("TargetClaimsExchangeId"),
                validationClaimsExchangeID: $0.attribute("ValidationClaimsExchangeId"), location: $0.location)
        }
        step.exchanges = item.items("ClaimsExchanges", "ClaimsExchange").map {
            ClaimsExchangeElement(
                id: $0.required("Id"), profile: $0.required("TechnicalProfileReferenceId"),
                location: $0.location(of: "TechnicalProfileReferenceId"))
        }
        step.candidates = item.items("JourneyList", "Candidate").compactMap { $0.reference("SubJourneyReferenceId") }
        return step
    }

    static func relyingParty(_ element: ElementCursor) -> RelyingPartyElement {
        var party = RelyingPartyElement(location: element.location)
        party.defaultUserJourney = element.child("DefaultUserJourney")?.reference("ReferenceId")
        party.endpoints = element.items("Endpoints", "Endpoint").map {
            EndpointElement(
                id: $0.required("Id"), journey: $0.required("UserJourneyReferenceId"),
                location: $0.location(of: "UserJourneyReferenceId"))
        }
        party.behaviors = element.child("UserJourneyBehaviors").map(behaviors)
        party.profiles = element.children("TechnicalProfile").map(technicalProfile)
        return party
    }

    private static func behaviors(_ element: ElementCursor) -> UserJourneyBehaviorsElement {
        var behaviors = UserJourneyBehaviorsElement(location: element.location)
        let single = element.child("SingleSignOn")
        behaviors.scope = single?.word("Scope")
        behaviors.keepAliveInDays = single?.int("KeepAliveInDays")
        behaviors.enforceIdTokenHintOnLogout = single?.bool("EnforceIdTokenHintOnLogout")
        behaviors.sessionExpiryType = element.wordOfText("SessionExpiryType")
        behaviors.sessionExpiryInSeconds = element.text("SessionExpiryInSeconds").flatMap { Int($0) }
        behaviors.contentDefinitionParameters = metadata(
            element.child("ContentDefinitionParameters"), key: "Name", item: "Parameter")
        behaviors.journeyFraming = element.child("JourneyFraming").map {
            JourneyFramingElement(
                enabled: $0.bool("Enabled") ?? false,
                sources: $0.required("Sources").split(separator: " ").map(String.init), location: $0.location)
        }
        behaviors.scriptExecution = element.wordOfText("ScriptExecution")
        behaviors.onError = element.child("OnError")?.word("Mode")
        behaviors.inert = element.inert(["AzureApplicationInsights", "JourneyInsights"])
        return behaviors
    }
}
