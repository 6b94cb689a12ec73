import HTTPMessages
import JSON
import TenantFiles

/// What comes back on the redirect, read as the library reads it (MSIDWebOAuth2Response.m).
struct RedirectAnswer {
    typealias Parameters = [(name: String, value: String)]

    /// Whether a `+` is a space.
    let formDecodes: Bool

    /// The parameters of an answer that does not refuse the request. The state is compared first, so a wrong one hides the
    /// rest.
    ///
    /// - Parameter state: As it was sent; `nil` when the client does not compare it.
    func accepted(_ url: WebURL, state: String?) -> Result<Parameters, LibraryError> {
        let parameters = parameters(of: url)
        if let state, !Self.stateMatches(parameters, state) {
            return .failure(
                LibraryError(.serverInvalidState, "The state on the redirect is missing or not the one sent."))
        }
        if let error = Self.value("error", parameters) { return .failure(Self.refusal(error, parameters)) }
        return .success(parameters)
    }

    /// The code of an answer, or why there is none.
    static func code(_ parameters: Parameters) -> Result<String, LibraryError> {
        guard let code = value("code", parameters) else {
            return .failure(LibraryError(.serverInvalidResponse, "The redirect has neither code nor error."))
        }
        return .success(code)
    }

    /// The tokens that came with an answer, as a token endpoint would give them.
    static func tokens(_ parameters: Parameters) -> JSONValue {
        .object(JSONObject(parameters.map { ($0.name, .string($0.value)) }))
    }

    /// Whether a sign-out came back with the state that was sent.
    func signOutProblem(in url: WebURL, state: String?) -> LibraryError? {
        guard let state, !Self.stateMatches(parameters(of: url), state) else { return nil }
        return LibraryError(.serverInvalidState, "The state on the redirect is missing or not the one sent.")
    }

    private static func refusal(_ error: String, _ parameters: Parameters) -> LibraryError {
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

    private static func stateMatches(_ parameters: Parameters, _ state: String) -> Bool {
        value("state", parameters).map { RequestState.matches($0, sent: state) } ?? false
    }

    /// The parameters of query and fragment; those of the query win. MSAL for Apple systems decodes percent sequences
    /// alone, so a `+` stays one, and drops a pair with more than one `=`.
    func parameters(of url: WebURL) -> Parameters {
        var found: Parameters = []
        for part in [url.query, url.fragment] {
            for pair in (part ?? "").utf8.split(separator: UInt8(ascii: "&")) {
                let sides = pair.split(
                    separator: UInt8(ascii: "="), maxSplits: formDecodes ? 1 : .max, omittingEmptySubsequences: false)
                guard sides.count <= 2, let first = sides.first else { continue }
                let name = PercentCoding.decode(String(Substring(first)), plusIsSpace: formDecodes)
                let value =
                    sides.count == 2 ? PercentCoding.decode(String(Substring(sides[1])), plusIsSpace: formDecodes) : ""
                if !found.contains(where: { $0.name == name }) { found.append((name, value)) }
            }
        }
        return found
    }

    private static func value(_ name: String, _ parameters: Parameters) -> String? {
        guard let value = parameters.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }
}

extension RedirectCheck {
    /// Whether a callback came to the redirect URI of its request, as a client that compares like this sees it. Queries
    /// and fragments hold the answer and are not compared.
    func admits(_ callback: WebURL, redirectURI: String) -> Bool {
        switch self {
        case .off: return true
        case .exact:
            var bare = callback
            bare.query = nil
            bare.fragment = nil
            return bare.description == redirectURI.prefix { $0 != "?" && $0 != "#" }
        case .normalised:
            guard let own = WebURL(redirectURI) else { return false }
            func path(_ url: WebURL) -> Substring { url.path.hasSuffix("/") ? url.path.dropLast() : url.path[...] }
            return callback.scheme == own.scheme && callback.userInfo == own.userInfo && callback.host == own.host
                && callback.effectivePort == own.effectivePort && path(callback) == path(own)
        }
    }
}
