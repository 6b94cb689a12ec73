import B2CProtocol
import HTTPMessages
import JSON
import JourneyLogs
import Journeys
import TrustFramework

extension MessageScript {
    /// How a request is called in headers and transitions.
    private var event: String {
        switch first.event {
        case .begin:
            switch first.entry {
            case .signIn: "AUTH"
            case .password, .refresh, .clientCredentials: "TOKEN"
            case .userInfo: "USERINFO"
            }
        case .submitted, .action: "SELFASSERTED"
        case .providerReturned: "ClaimsExchange"
        case .confirmed, .chose, .signUp, .forgotPassword, .cancelled, .reloaded, .finished: "API"
        }
    }

    /// The headers, the event, and what is done before any step.
    mutating func open(_ turns: [JourneyTurn]) {
        for turn in turns {
            if case .callout(let request, _) = turn.stop, let profile = request.profile {
                calls.append((profile, request.url))
            }
        }
        clips.append(
            .headers(
                RecorderHeaders(
                    correlationID: facts.correlationID.description, eventInstance: "Event:\(event)",
                    tenantID: first.call.environment.tenantDomain, policyID: policy.id)))
        if case .begin = first.event { begin() } else { goOn(turns) }
    }

    // MARK: A request that begins

    private mutating func begin() {
        clips.append(.transition(RecorderTransition(eventName: event, stateName: "Initial")))
        let language = Languages.chosen(uiLocales: facts.uiLocales, acceptLanguage: facts.acceptLanguage, in: policy)
        predicate("NoOpHandler", state: [(Key.machineState, "Initial"), (Key.culture, language)])
        action(RecorderHandler.orchestrationManager, state: [(Key.step, "0"), (Key.index, "0"), ("RA", "0")])
        let refusal = refusal
        predicate(
            "InitiatingMessageValidationHandler", refusal == nil,
            record: [
                .validation(
                    provider: Self.protocolProvider(policy.relyingParty.protocolName),
                    details: refusal.map { [.exception($0)] } ?? [])
            ], state: [], exception: refusal)
        addMessage()
    }

    /// The exception of a request that has no journey.
    private var refusal: RecorderException? {
        guard first.trace.isEmpty, first.begun.isEmpty, case .failed(let failure) = first.stop else { return nil }
        return exception(failure.text)
    }

    /// The request of the app, beside the result that stands last.
    private mutating func addMessage() {
        guard case .handlerResult(var result)? = clips.last else { return }
        let id = facts.correlationID.description
        var statebag = result.statebag ?? RecorderStatebag()
        let name = "MSG(\(id))"
        statebag.entries += [
            RecorderStatebag.Entry(name, JSONWriter.compact(.object(message)), created: time, token: "OAuth2"),
            RecorderStatebag.Entry(Key.initialMessage, id, created: time),
            RecorderStatebag.Entry(Key.clientID, facts.clientID, created: time),
            RecorderStatebag.Entry("TID", first.call.environment.tenantDomain, created: time),
            RecorderStatebag.Entry("PID", policy.id, created: time),
        ]
        if let challenge = facts.query["code_challenge"] {
            statebag.entries += [
                RecorderStatebag.Entry("CC", challenge, created: time),
                RecorderStatebag.Entry("CCM", facts.query["code_challenge_method"] ?? "plain", created: time),
            ]
        }
        result.statebag = statebag
        clips[clips.count - 1] = .handlerResult(result)
    }

    private static let ownNames: Set<String> = [
        "client_id", "redirect_uri", "response_type", "scope", "nonce", "p",
    ]
    private static let secretNames: Set<String> = [
        "client_secret", "client_assertion", "password", "refresh_token", "code", "id_token_hint", "assertion",
    ]

    private var message: JSONObject {
        var further = JSONObject()
        for item in facts.query.items where !Self.ownNames.contains(item.name) {
            further[item.name] = .string(
                Self.secretNames.contains(item.name) ? HiddenTexts.mask : hidden.masked(item.value))
        }
        var message: JSONObject = [
            "TenantId": .string(first.call.environment.tenantDomain), "PolicyId": .string(policy.id),
            "RedirectUri": .string(facts.redirectURI), "AdditionalParameters": .object(further),
        ]
        message["Nonce"] = facts.nonce.map { .string($0) }
        message["ClientId"] = .string(facts.clientID)
        message["ResponseType"] = .string(facts.responseType)
        message["Scope"] = .string(facts.scopes.joined(separator: " "))
        return message
    }

    /// Name of a protocol's handler.
    static func protocolProvider(_ name: ProtocolName) -> String { "\(name.rawValue)ProtocolProvider" }

    // MARK: A request that goes on

    private mutating func goOn(_ turns: [JourneyTurn]) {
        clips.append(.transition(RecorderTransition(eventName: event, stateName: "AwaitingNextStep")))
        var state = [(Key.machineState, "AwaitingNextStep")]
        if let step { state.append((Key.step, String(step.order))) }
        if let page = first.page { state.append((Key.currentProfile, currentProfile(policy[page].id))) }
        var isMisfit = false
        if case .refused = turns[turns.count - 1].stop { isMisfit = true }
        if case .providerReturned = first.event {
            predicate("NoOpHandler", !isMisfit, state: state)
        } else {
            predicate("CrossSiteRequestForgeryValidationHandler", !isMisfit, state: state)
        }
        if isMisfit { return }
        chosen = choice(in: turns)
        if event == "API" { apiResponse() }
        if case .action = first.event { predicate("IsDisplayControlActionRequestHandler") }
        if case .submitted(let form) = first.event, (form["request_type"] ?? "").hasSuffix("_REQUEST") {
            predicate("IsClaimVerificationRequestHandler")
        }
    }

    /// The technical profile of a page and its step, as the state has them.
    func currentProfile(_ profile: String) -> String { "\(profile):\(step?.order ?? 0)" }

    /// The claims exchange that the request chooses. The trace says it of the step that is left.
    private func choice(in turns: [JourneyTurn]) -> String? {
        if case .chose(let exchange) = first.event { return exchange }
        guard case .signUp = first.event else { return nil }
        for entry in turns.flatMap(\.trace) {
            guard case .step(let step) = entry, let chosen = step.chosen else { continue }
            return chosen
        }
        return nil
    }

    private mutating func apiResponse() {
        var isCancelled = false
        var code: String?
        var text: String?
        switch first.event {
        case .cancelled(let failure, let description):
            isCancelled = failure == nil
            code = failure
            text = description
        case .forgotPassword:
            code = B2CErrorCode.c90118.id
        default: break
        }
        func flag(_ value: Bool) -> JSONValue { .string(value ? "True" : "False") }
        var result: JSONObject = [
            "IsCancelled": flag(isCancelled), "IsErrored": flag(code != nil),
            "IsContinue": flag(!isCancelled && code == nil),
        ]
        result["claimsexchange"] = chosen.map { .string($0) }
        result["code"] = code.map { .string($0) }
        result["desc"] = text.map { .string(hidden.masked($0)) }
        predicate(
            "ValidateApiResponseHandler", state: chosen.map { [(Key.targetEntity, $0)] } ?? [], apiResult: result)
    }
}
