import B2CProtocol
import Determinism
import HTTPMessages
import TenantFiles

/// An authorization request that has passed the checks.
struct WorkforceAuthorizeRequest: Sendable {
    var place: WorkforcePlace
    var app: WorkforceApp
    var redirectURI: String
    var platform: GrantPlatform
    var scopes: WorkforceScopes
    var state: String?
    var nonce: String?
    var mode: ResponseMode
    var prompt: Prompt?
    var challenge: (text: String, method: PKCE.Method)?
    /// The account that MSAL asks for: by user name, or by object id and tenant of the home account.
    var loginHint: String?
    var homeObjectID: GUID?
    var wantsClientInfo: Bool

    /// Whether the request means this person, or nobody in particular.
    func means(_ person: WorkforceIdentity) -> Bool {
        if let homeObjectID, homeObjectID == person.homeObjectID { return true }
        guard let loginHint else { return homeObjectID == nil }
        return person.isNamed(loginHint)
    }

    var meansSomebody: Bool { loginHint != nil || homeObjectID != nil }
}

/// A request that is refused, and where the refusal may go.
struct WorkforceRefusal: Error {
    var error: WorkforceError
    /// Nil: the redirect URI is not to be trusted, so a page says it.
    var target: (redirectURI: String, mode: ResponseMode, state: String?)?
}

extension WorkforceAuthority {
    /// The checks of an authorization request, in order: nothing goes to a redirect URI before it is known to be the
    /// app's.
    func check(
        _ query: FormItems, _ place: WorkforcePlace
    ) -> Result<WorkforceAuthorizeRequest, WorkforceRefusal> {
        func page(_ error: WorkforceError) -> Result<WorkforceAuthorizeRequest, WorkforceRefusal> {
            .failure(WorkforceRefusal(error: error))
        }
        guard let clientID = query["client_id"], !clientID.isEmpty else { return page(.missing("client_id")) }
        guard let app = configuration.app(clientID) else { return page(.unknownApp(clientID, place.segment)) }
        guard app.settings.enabled else { return page(.disabledApp(app)) }
        let uri = query["redirect_uri"] ?? app.redirectURIs.first?.uri ?? ""
        guard let platform = app.registration(of: uri) else { return page(.redirectMismatch(uri, app)) }

        let mode = query["response_mode"].flatMap { ResponseMode(rawValue: $0) } ?? .query
        func refuse(_ error: WorkforceError) -> Result<WorkforceAuthorizeRequest, WorkforceRefusal> {
            .failure(WorkforceRefusal(error: error, target: (uri, mode, query["state"])))
        }
        guard let type = query["response_type"], !type.isEmpty else { return refuse(.missing("response_type")) }
        guard type == "code" else { return refuse(.responseTypeOff(type)) }
        if let text = query["response_mode"], ResponseMode(rawValue: text) == nil {
            return refuse(.malformed("response_mode \(text)"))
        }
        let scopes: WorkforceScopes
        switch WorkforceScopes.parse(query["scope"] ?? "", apis: configuration.tenant.apis) {
        case .failure(let error): return refuse(error)
        case .success(let parsed): scopes = parsed
        }
        guard !scopes.all.isEmpty else { return refuse(.missing("scope")) }
        var prompt: Prompt?
        if let text = query["prompt"], !text.isEmpty {
            guard let known = Prompt(rawValue: text) else { return refuse(.unsupportedPrompt(text)) }
            prompt = known
        }
        var challenge: (text: String, method: PKCE.Method)?
        if let text = query["code_challenge"] {
            guard let method = PKCE.Method(rawValue: query["code_challenge_method"] ?? "plain") else {
                return refuse(.malformed("code_challenge_method \(query["code_challenge_method"] ?? "")"))
            }
            challenge = (text, method)
        } else if platform == .spa {
            return refuse(.missing("code_challenge"))
        }
        return .success(
            WorkforceAuthorizeRequest(
                place: place, app: app, redirectURI: uri, platform: platform, scopes: scopes, state: query["state"],
                nonce: query["nonce"], mode: mode, prompt: prompt, challenge: challenge,
                loginHint: query["login_hint"].flatMap { $0.isEmpty ? nil : $0 },
                homeObjectID: query["login_req"].flatMap { GUID($0) }, wantsClientInfo: query["client_info"] == "1"))
    }
}
