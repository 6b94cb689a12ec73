import HTTPMessages

/// What comes back on the redirect, read as the library reads it (MSIDWebOAuth2Response.m).
enum RedirectAnswer {
    /// The code, or why there is none. The state is compared first, so a wrong one hides whatever else is there.
    ///
    /// - Parameter state: As it was sent; `nil` when the client does not compare it.
    static func code(in url: WebURL, state: String?) -> Result<String, LibraryError> {
        let parameters = parameters(of: url)
        if let state, !stateMatches(parameters, state) {
            return .failure(
                LibraryError(.serverInvalidState, "The state on the redirect is missing or not the one sent."))
        }
        if let error = value("error", parameters) { return .failure(refusal(error, parameters)) }
        guard let code = value("code", parameters) else {
            return .failure(LibraryError(.serverInvalidResponse, "The redirect has neither code nor error."))
        }
        return .success(code)
    }

    /// Whether a sign-out came back with the state that was sent.
    static func signOutProblem(in url: WebURL, state: String?) -> LibraryError? {
        guard let state, !stateMatches(parameters(of: url), state) else { return nil }
        return LibraryError(.serverInvalidState, "The state on the redirect is missing or not the one sent.")
    }

    private static func refusal(_ error: String, _ parameters: [(name: String, value: String)]) -> LibraryError {
        let subError = value("suberror", parameters)
        var code = OAuthErrorTable.code(error, other: .authorizationFailed)
        switch (code, subError) {
        case (.serverInvalidGrant, "transfer_token_expired"), (.serverAccessDenied, "tts_denied"),
            (.serverAccessDenied, "user_skipped"):
            code = .userCancel
        case (.serverInvalidGrant, "insufficient_device_strength"): code = .insufficientDeviceStrength
        default: break
        }
        var refusal = LibraryError(code, value("error_description", parameters))
        refusal.oauthError = error
        refusal.subError = subError
        return refusal
    }

    private static func stateMatches(_ parameters: [(name: String, value: String)], _ state: String) -> Bool {
        value("state", parameters).map { RequestState.matches($0, sent: state) } ?? false
    }

    /// The parameters of query and fragment; those of the query win. Only percent sequences are decoded, so a `+` stays
    /// one, and a pair with more than one `=` is dropped.
    static func parameters(of url: WebURL) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        for part in [url.query, url.fragment] {
            for pair in (part ?? "").split(separator: "&") {
                let sides = pair.split(separator: "=", omittingEmptySubsequences: false)
                guard sides.count <= 2, let first = sides.first else { continue }
                let name = PercentCoding.decode(String(first), plusIsSpace: false)
                let value = sides.count == 2 ? PercentCoding.decode(String(sides[1]), plusIsSpace: false) : ""
                if !found.contains(where: { $0.name == name }) { found.append((name, value)) }
            }
        }
        return found
    }

    private static func value(_ name: String, _ parameters: [(name: String, value: String)]) -> String? {
        guard let value = parameters.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }
}
