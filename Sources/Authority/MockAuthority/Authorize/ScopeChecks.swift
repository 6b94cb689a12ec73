import B2CProtocol

extension AuthorizeCheck {
    static let scopePresent = AuthorizeCheck(name: "there is a scope", codes: [.c90010]) {
        request, _ throws(Refusal) in
        guard let text = request.value("scope"), text.utf8.contains(where: { $0 != 32 }) else {
            throw Refusal(.c90010, why: "scope is missing")
        }
    }

    static let scopeCharacters = AuthorizeCheck(
        name: "the scope holds no character that RFC 6749 forbids", codes: [.c99005]
    ) { request, _ throws(Refusal) in
        try ScopeRules.checkCharacters(request.value("scope") ?? "")
    }

    static let scopesKnown = AuthorizeCheck(
        name: "scopes exist and are of one resource", codes: [.c90117, .c90146]
    ) { request, call throws(Refusal) in
        request.scopes = try ScopeRules.resolve(
            request.value("scope") ?? "", app: request.app, configuration: call.configuration)
    }

    static let scopesFitResponse = AuthorizeCheck(
        name: "the scope fits the response type", codes: [.c90110, .c90055, .c90115]
    ) { request, _ throws(Refusal) in
        let scopes = request.scopes
        let text = request.value("scope") ?? ""
        if request.responseType.contains(.idToken), !scopes.openid {
            throw Refusal(.c90110, why: "response_type asks for an id_token and scope lacks openid")
        }
        if request.responseType.contains(.token), scopes.audience == nil {
            throw Refusal(.c90055, [text], why: "response_type asks for a token and scope names no API: \(text)")
        }
        if request.responseType == .code, !scopes.openid, scopes.audience == nil {
            throw Refusal(.c90115, why: "scope has neither openid nor an API nor the client id: \(text)")
        }
    }

    static let permission = AuthorizeCheck(name: "the app has a permission on the API", codes: [.c90205]) {
        request, _ throws(Refusal) in
        try ScopeRules.checkPermission(request.scopes, app: request.app)
    }
}
