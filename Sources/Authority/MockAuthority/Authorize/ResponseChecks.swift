import B2CProtocol

extension AuthorizeCheck {
    static let responseMode = AuthorizeCheck(name: "the response mode is supported", codes: [.c90014]) {
        request, _ throws(Refusal) in
        guard let text = request.value("response_mode") else { return }
        guard let mode = ResponseMode(rawValue: text) else {
            throw Refusal(.c90014, [text], why: "response_mode is \(text)")
        }
        request.responseMode = mode
    }

    /// Without `response_mode`, a code travels in the query and tokens in the fragment (OAuth 2.0 Multiple Response
    /// Type Encoding Practices).
    static let responseType = AuthorizeCheck(name: "the response type is supported", codes: [.c90083, .c90013]) {
        request, _ throws(Refusal) in
        // Required by the documents. That its absence is answered as that of other parameters is inferred.
        guard let text = request.value("response_type") else {
            throw Refusal(.c90083, ["response_type"], why: "response_type is missing")
        }
        guard let type = ResponseType(parsing: text) else {
            throw Refusal(.c90013, [text], why: "response_type is \(text)")
        }
        request.responseType = type
        request.responseTypeText = text
        if request.value("response_mode") == nil {
            request.responseMode = type.defaultMode
        }
    }

    /// Characters that could be markup are refused before anything reads them; where exactly is not documented
    /// (inferred: in the parameters that pages show).
    static let harmlessInput = AuthorizeCheck(name: "no parameter holds markup", codes: [.c90122]) {
        request, _ throws(Refusal) in
        for item in request.parameters.items where ["login_hint", "domain_hint", "ui_locales"].contains(item.name) {
            guard !item.value.utf8.contains(UInt8(ascii: "<")), !item.value.contains("&#") else {
                throw Refusal(.c90122, [item.name], delivery: .page, why: "\(item.name) holds markup")
            }
        }
    }

    static let implicitAllowed = AuthorizeCheck(
        name: "the app may have tokens from the authorize endpoint", codes: [.c90057]
    ) { request, _ throws(Refusal) in
        let implicit = request.app.settings.implicit
        if request.responseType.contains(.idToken), !implicit.idToken {
            throw Refusal(.c90057, why: "registration.implicit.idToken of app \(request.app.name) is false")
        }
        if request.responseType.contains(.token), !implicit.accessToken {
            throw Refusal(.c90057, why: "registration.implicit.accessToken of app \(request.app.name) is false")
        }
    }

    static let nonceForIDToken = AuthorizeCheck(
        name: "a nonce comes with a request for an ID token", codes: [.c90083]
    ) { request, _ throws(Refusal) in
        if request.responseType.contains(.idToken), request.nonce == nil {
            throw Refusal(.c90083, ["nonce"], why: "response_type asks for an id_token and there is no nonce")
        }
    }
}
