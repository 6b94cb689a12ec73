import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import TenantFiles

extension Authority {
    /// Sends the error to the app's redirect URI in the request's response mode, or shows it on the error page.
    mutating func deliver(
        _ refusal: Refusal, _ call: Call, request: AuthorizeRequest, correlationID: GUID, cookies: [CookieDraft] = []
    ) -> Reply {
        switch refusal.delivery {
        case .page, .status:
            return errorPage(
                refusal, call, correlationID: correlationID, uiLocales: request.value("ui_locales"), cookies: cookies)
        case .redirect:
            return redirectError(
                refusal, call, to: request.redirectURI, mode: request.responseMode, state: request.state,
                correlationID: correlationID, cookies: cookies)
        case .registeredURI(let uri):
            return redirectError(
                refusal, call, to: uri, mode: .fragment, state: request.state, correlationID: correlationID,
                cookies: cookies)
        }
    }

    private mutating func redirectError(
        _ refusal: Refusal, _ call: Call, to uri: String, mode: ResponseMode, state: String?, correlationID: GUID,
        cookies: [CookieDraft]
    ) -> Reply {
        refuse(call, refusal.why)
        var parameters = [
            Parameter("error", text: refusal.oauthError),
            Parameter("error_description", text: refusal.description(correlationID: correlationID, at: call.now)),
        ]
        if let state { parameters.append(Parameter("state", text: state)) }
        return .send(
            Draft(
                headers: .service(gatewayRequestID: gatewayID()), cookies: cookies,
                body: .parameters(parameters, delivery(mode, to: uri)), refusal: refusal.why), after: .zero)
    }

    func delivery(_ mode: ResponseMode, to uri: String) -> ParameterDelivery {
        let target = RedirectURIRules.responseTarget(uri)
        return switch mode {
        case .query: .query(target)
        case .fragment: .fragment(target)
        case .formPost: .formPost(target)
        }
    }

    /// The error page of the service. Its status was never recorded: 200 (unverified), 400 for the page's script, which
    /// could not read it.
    ///
    /// - Parameter uiLocales: What the journey's first request asked for; otherwise that of this one counts.
    mutating func errorPage(
        _ refusal: Refusal, _ call: Call, correlationID: GUID, uiLocales: String? = nil, cookies: [CookieDraft] = [],
        status: Int = 200
    ) -> Reply {
        refuse(call, refusal.why)
        return errorPage(
            .failure, detail: refusal.headline, call, correlationID: correlationID, uiLocales: uiLocales,
            cookies: cookies, status: status, why: refusal.why)
    }

    /// The page for an address that names nothing: what a browser gets where other peers get a few words.
    mutating func notFoundPage(_ detail: String, _ call: Call, why: String) -> Reply {
        errorPage(.notFound, detail: detail, call, correlationID: random.guid(), status: 404, why: why)
    }

    /// The answer to a request for what is not simulated: HTTP 501, which the service never gives, and the reason, as a page
    /// for browsers and as JSON for programs.
    mutating func notSimulated(_ failure: JourneyFailure, _ call: Call) -> Reply {
        let what = failure.text
        refuse(call, what)
        events.append(.notSimulated(exchange: call.exchange.number, what: what))
        guard !call.request.acceptsHTML else {
            return errorPage(
                .failure, detail: what, call, correlationID: random.guid(), status: 501, why: what)
        }
        let body: JSONObject = ["error": "not_simulated", "error_description": .string(what)]
        return .send(
            Draft(
                status: 501, headers: .document, body: .json(body, contentType: "application/json; charset=utf-8"),
                refusal: what), after: .zero)
    }

    private mutating func errorPage(
        _ kind: ErrorPageDraft.Kind, detail: String, _ call: Call, correlationID: GUID, uiLocales: String? = nil,
        cookies: [CookieDraft] = [], status: Int, why: String
    ) -> Reply {
        let nonce = PageDraft.nonce(of: correlationID)
        var page = ErrorPageDraft(
            kind: kind, detail: detail, correlationID: correlationID, timestamp: call.now.b2cText,
            language: OwnLanguage(call, uiLocales: uiLocales), origin: "\(call.scheme)://\(call.host)", nonce: nonce)
        if let address = addresses.address(of: call.request.url), let name = address.policy,
            let policy = configuration.policy(name)
        {
            page.tenantPath = "/\(address.tenantSegment)/\(policy.id)"
            page.policy = policy.id
            page.template = errorTemplate(of: policy).flatMap { Self.isAddress($0) ? $0 : nil }
            page.pageTemplate = pageTemplate(of: policy)
        }
        return .send(
            Draft(
                status: status,
                headers: .page(
                    gatewayRequestID: gatewayID(), transactionID: correlationID.description,
                    reportPath: reportPath(call), nonce: nonce, framing: nil),
                cookies: cookies,
                body: .errorPage(page), refusal: why), after: .zero)
    }

    /// `LoadUri` of the policy's error page.
    private func errorTemplate(of policy: HostedPolicy) -> String? {
        policy.resolved.contentDefinition("api.error").map { policy.resolved[$0].loadURI }
    }

    /// The page template of the pages that no step of a journey shows: the one of the policy's error page.
    func pageTemplate(of policy: HostedPolicy) -> PageTemplate {
        guard let uri = errorTemplate(of: policy), !Self.isAddress(uri) else { return .oceanBlue }
        return StaticAssets.template(at: uri)
    }

    private static func isAddress(_ uri: String) -> Bool { uri.hasPrefix("https://") || uri.hasPrefix("http://") }

    /// Where the browser reports what the page's content security policy would have stopped.
    private mutating func reportPath(_ call: Call) -> String {
        guard let address = addresses.address(of: call.request.url), let name = address.policy,
            let policy = configuration.policy(name)
        else { return "/client/cspreport" }
        return "/\(address.tenantSegment)/\(policy.id)/client/cspreport?p=\(policy.id)"
    }
}
