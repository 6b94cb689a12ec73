import B2CProtocol
import Determinism
import HTTPMessages
import JSON

extension Authority {
    /// Tells the peer why: at the app's redirect URI in the request's response mode, or on the error page.
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
        let page = ErrorPageDraft(
            detail: refusal.headline, correlationID: correlationID, timestamp: call.now.b2cText,
            language: OwnLanguage(call, uiLocales: uiLocales), template: errorTemplate(call),
            nonce: PageDraft.nonce(of: correlationID))
        return .send(
            Draft(
                status: status,
                headers: .page(
                    gatewayRequestID: gatewayID(), transactionID: correlationID.description,
                    reportPath: reportPath(call), nonce: PageDraft.nonce(of: correlationID), framing: nil),
                cookies: cookies,
                body: .errorPage(page), refusal: refusal.why), after: .zero)
    }

    /// Address of the template that the request's policy has for the error page, unless it is one of the service's own.
    private mutating func errorTemplate(_ call: Call) -> String? {
        guard let name = addresses.address(of: call.request.url)?.policy,
            let policy = configuration.policy(name)?.resolved, let handle = policy.contentDefinition("api.error")
        else { return nil }
        let address = policy[handle].loadURI
        return address.hasPrefix("https://") || address.hasPrefix("http://") ? address : nil
    }

    /// Where the browser reports what the page's content security policy would have stopped.
    private mutating func reportPath(_ call: Call) -> String {
        guard let address = addresses.address(of: call.request.url), let name = address.policy,
            let policy = configuration.policy(name)
        else { return "/client/cspreport" }
        return "/\(address.tenantSegment)/\(policy.id)/client/cspreport?p=\(policy.id)"
    }
}
