import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys

extension Authority {
    /// The authorization endpoint: the checks in order, then the journey.
    mutating func authorize(_ call: Call, _ target: PolicyAddress) -> Reply {
        if call.cookies.hasQuotedValue { return badRequest(call) }
        let parameters = call.parameters
        let checkCall = AuthorizeCheck.Inputs(configuration: target.configuration, policy: target.policy, now: call.now)
        let transaction = random.guid()
        var request: AuthorizeRequest
        do throws(Refusal) {
            request = try AuthorizeCheck.begin(parameters, checkCall)
        } catch {
            record(error, of: parameters, call, at: target, correlationID: transaction)
            return errorPage(error, call, correlationID: transaction)
        }
        for check in AuthorizeCheck.all {
            do throws(Refusal) {
                try check.run(&request, checkCall)
            } catch {
                record(error, of: parameters, call, at: target, correlationID: transaction)
                return deliver(error, call, request: request, correlationID: transaction)
            }
        }
        return begin(transaction, with: request, call, at: target)
    }

    /// Starts the journey of a request that passed all checks.
    private mutating func begin(
        _ id: GUID, with request: AuthorizeRequest, _ call: Call, at target: PolicyAddress
    ) -> Reply {
        let journey = Journey(.signIn, policy: target.policy.resolved, random: random.stream("journey \(id)"))
        let facts = facts(correlationID: id, of: request, call, at: target)
        let transaction = Transaction(
            id: id, address: target, request: request, facts: facts, journey: journey, startedAt: call.now)
        return advance(transaction, .begin, call)
    }

    /// Puts a request that has no journey because it was refused into the record of journeys.
    private mutating func record(
        _ refusal: Refusal, of parameters: FormItems, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) {
        guard recordsTurns, !target.policy.resolved.personality.isUserFlow else { return }
        var facts = RequestFacts(
            correlationID: correlationID, host: target.host, scheme: target.scheme, tenantSegment: target.tenantSegment,
            policyID: target.policy.id, clientID: parameters["client_id"] ?? "",
            redirectURI: parameters["redirect_uri"] ?? "", responseType: parameters["response_type"] ?? "",
            scopes: (parameters["scope"] ?? "").split(separator: " ").map(String.init), query: parameters)
        facts.nonce = parameters["nonce"]
        facts.uiLocales = parameters["ui_locales"]
        facts.acceptLanguage = call.request.headers["Accept-Language"]
        let journeyCall = JourneyCall(
            policy: target.policy.resolved, request: facts, now: call.now,
            environment: target.configuration.environment)
        turns.append(
            RecordedTurn(
                exchange: call.exchange.number,
                turn: JourneyTurn(
                    refused: JourneyFailure(
                        .page, code: refusal.code, inserts: refusal.inserts, message: refusal.message,
                        detail: refusal.why), entry: .signIn, call: journeyCall)))
    }

    private func facts(
        correlationID id: GUID, of request: AuthorizeRequest, _ call: Call, at target: PolicyAddress
    ) -> RequestFacts {
        var facts = RequestFacts(
            correlationID: id, host: target.host, scheme: target.scheme, tenantSegment: target.tenantSegment,
            policyID: target.policy.id,
            clientID: request.app.clientID, redirectURI: request.redirectURI, responseType: request.responseTypeText,
            scopes: request.scopes.all, query: request.parameters)
        facts.prompt = request.prompt?.rawValue
        facts.loginHint = request.value("login_hint")
        facts.domainHint = request.value("domain_hint")
        facts.uiLocales = request.value("ui_locales")
        facts.acceptLanguage = call.request.headers["Accept-Language"]
        facts.nonce = request.nonce
        facts.maxAge = request.maxAge
        facts.ipAddress = call.exchange.remoteAddress
        facts.userAgent = call.request.headers["User-Agent"] ?? ""
        facts.idTokenHint = request.hintClaims
        facts.ssoCookieSession = sessionOfCookie(call, target, clientID: request.app.clientID)
        return facts
    }

    /// A request whose cookies came back altered: the front end refuses it (reported from live tenants).
    mutating func badRequest(_ call: Call) -> Reply {
        let why = "a cookie of the service came back in quotes"
        refuse(call, why)
        return .send(
            Draft(
                status: 400, headers: .service(gatewayRequestID: gatewayID()),
                body: .text("Bad Request", contentType: "text/plain; charset=utf-8"), refusal: why), after: .zero)
    }
}
