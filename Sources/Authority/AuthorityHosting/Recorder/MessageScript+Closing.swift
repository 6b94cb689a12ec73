import B2CProtocol
import HTTPMessages
import JSON
import JourneyLogs
import Journeys
import TrustFramework

extension MessageScript {
    /// What became of the request.
    mutating func close(_ last: JourneyTurn) {
        take(last.after)
        if case .submitted = first.event { finishPost(last) }
        if case .action(let control, let name, _) = first.event { finishAction("\(control)/\(name)", last) }
        switch last.stop {
        case .page(let page): show(page)
        case .provider(let redirect): redirectBrowser(redirect)
        case .answer(let answer):
            if answer.status != "200" { action("SendRetryHandler") }
        case .issue: issue()
        case .failed(let failure): fail(failure)
        case .refused(let failure):
            action(
                "SendErrorHandler", record: [.exception(exception(failure.text))], exception: exception(failure.text))
        case .callout: break
        }
    }

    /// Whether a page post was accepted, and why not.
    private func outcome(_ last: JourneyTurn) -> RecorderException? {
        switch last.stop {
        case .answer(let answer) where answer.status != "200":
            let text = answer.message ?? answer.code?.id ?? "status \(answer.status)"
            return exception(text, isOfPolicy: true)
        case .failed(let failure), .refused(let failure): return exception(failure.text)
        default: return nil
        }
    }

    private mutating func finishPost(_ last: JourneyTurn) {
        let failure = outcome(last)
        let profiles = validation.map { Entry.validationProfile($0.id, details: $0.details) }
        let provider = first.page.map { Self.provider(policy[$0]) } ?? "SelfAssertedAttributeProvider"
        predicate(
            "SelfAssertedMessageValidationHandler", failure == nil,
            record: [
                .validation(
                    submittedBy: "User", provider: provider,
                    details: profiles + (failure.map { [.exception($0)] } ?? []))
            ], exception: failure)
        validation = []
    }

    private mutating func finishAction(_ id: String, _ last: JourneyTurn) {
        let failure = outcome(last)
        let profiles = validation.map {
            RecorderRecord([Entry("TechnicalProfileId", .string($0.id))] + $0.details).json
        }
        var status = "200"
        if case .answer(let answer) = last.stop { status = answer.status }
        action(
            "SendDisplayControlActionResponseHandler", failure == nil,
            record: [
                Entry("Id", .string(id)), Entry("DisplayControlAction", .array(profiles)),
                Entry("Result", .string(status)),
            ], exception: failure)
        validation = []
    }

    // MARK: Waits

    private mutating func show(_ page: Page) {
        var state = [("EID", page.contentDefinition)]
        if let profile = policy.profile(page.technicalProfile) {
            if case .reloaded = first.event { initiated = profile }
            initiatePage(policy[profile])
            state.append((Key.currentProfile, currentProfile(page.technicalProfile)))
        }
        if !page.fields.isEmpty { state.append(("SA_FIELDS", page.fields.map(\.id).joined(separator: ", "))) }
        state.append(("APIURL", page.templateURL))
        let settings: JSONObject = [
            "remoteResource": .string(page.templateURL), "retryLimit": .integer(Int64(page.retryLimit)),
            "api": .string(page.api.rawValue), "locale": ["lang": .string(page.locale)],
            "config": .object(JSONObject(page.config.map { ($0.name, .string(hidden.masked($0.value))) })),
        ]
        action(
            "Web.TPEngine.Api.ApiUIManager",
            record: [
                Entry(
                    "ApiUiManagerInfo",
                    [
                        Entry("Language", .string(page.locale)),
                        Entry("Settings", .string(JSONWriter.compact(.object(settings)))),
                    ])
            ], state: state)
    }

    private mutating func redirectBrowser(_ redirect: ProviderRedirect) {
        if let profile = policy.profile(redirect.technicalProfile) {
            initiate(policy[profile], "IsClaimsExchangeProtocolARedirectionHandler")
        }
        action("SendRequestHandler", record: [Entry("SendingRequest", .string(hidden.masked(redirect.url)))])
    }

    // MARK: Ends

    private mutating func issue() {
        action("PresentationTokenGenerationHandler")
        action("SendResponseHandler")
        action("TransactionEndHandler")
    }

    private mutating func fail(_ failure: JourneyFailure) {
        let exception = exception(failure.text)
        if case .notSimulated = failure.kind {
            clips.append(.fatalException(exception, time: time))
        } else {
            clips.append(
                .transition(
                    RecorderTransition(eventName: "Global", stateName: "Microsoft.Cpim.Common.PolicyException")))
        }
        action(
            "SendErrorHandler",
            record: [
                Entry(
                    "SendErrorTechnicalProfile",
                    .string(Self.protocolProvider(policy.relyingParty.protocolName))),
                .exception(exception),
            ], exception: exception)
    }
}
