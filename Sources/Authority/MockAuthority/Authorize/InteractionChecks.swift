import B2CProtocol

extension AuthorizeCheck {
    static let prompt = AuthorizeCheck(name: "prompt is one of four words", codes: [.c90043]) {
        request, _ throws(Refusal) in
        guard let text = request.value("prompt") else { return }
        guard let prompt = Prompt(rawValue: text) else {
            throw Refusal(.c90043, [text], why: "prompt is \(text)")
        }
        request.prompt = prompt
    }

    /// Greatest `max_age` taken. The service has a range, its end is not documented.
    static let greatestMaxAge = 2_147_483_647

    static let maxAge = AuthorizeCheck(name: "max_age is a number in range", codes: [.c90120]) {
        request, _ throws(Refusal) in
        guard let text = request.value("max_age") else { return }
        guard let seconds = Int(text), (0...greatestMaxAge).contains(seconds) else {
            throw Refusal(.c90120, [text, "0", String(greatestMaxAge)], why: "max_age is \(text)")
        }
        request.maxAge = seconds
    }

    static let challengeMethod = AuthorizeCheck(
        name: "the code challenge method is plain or S256", codes: [.c90184]
    ) { request, _ throws(Refusal) in
        let method: PKCE.Method
        if let text = request.value("code_challenge_method") {
            guard let known = PKCE.Method(rawValue: text) else {
                throw Refusal(.c90184, why: "code_challenge_method is \(text)")
            }
            method = known
        } else {
            method = .plain
        }
        request.challenge = request.value("code_challenge").map { CodeChallenge(text: $0, method: method) }
    }

    static let challengeForSinglePageApps = AuthorizeCheck(
        name: "a single-page app sends a code challenge", codes: [.c99059]
    ) { request, _ throws(Refusal) in
        if request.platform == .spa, request.responseType.contains(.code), request.challenge == nil {
            throw Refusal(
                .c99059, why: "\(request.redirectURI) is registered as spa and there is no code_challenge")
        }
    }
    /// Microsoft docs: authorization-code-flow. That the answer is the one for other parameters is inferred.
    static let challengeOfMethod = AuthorizeCheck(
        name: "a code challenge comes with its method", codes: [.c90083]
    ) { request, _ throws(Refusal) in
        if request.value("code_challenge_method") != nil, request.challenge == nil {
            throw Refusal(.c90083, ["code_challenge"], why: "there is a code_challenge_method and no code_challenge")
        }
    }
}
