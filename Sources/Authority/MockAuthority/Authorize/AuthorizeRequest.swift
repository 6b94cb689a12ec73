import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// An authorization request while it is checked: each check settles some members and may rely on those before it.
struct AuthorizeRequest: Sendable {
    /// Parameters of the query, or of the form of a POST.
    let parameters: FormItems
    var app: RegisteredApp
    var redirectURI = ""
    /// Platform type of the registered URI; the grant inherits it.
    var platform = GrantPlatform.native
    var responseType: ResponseType = .code
    var responseTypeText = "code"
    var responseMode: ResponseMode = .query
    var scopes = GrantedScopes()
    var prompt: Prompt?
    var maxAge: Int?
    var challenge: CodeChallenge?
    var nonce: String?
    var state: String?
    /// Claims of a verified `id_token_hint`.
    var hintClaims: JSONObject?
    /// `client_info=1`: the response carries `client_info`.
    var wantsClientInfo = false

    init(parameters: FormItems, app: RegisteredApp) {
        self.parameters = parameters
        self.app = app
        state = parameters["state"]
        nonce = parameters["nonce"].flatMap { $0.isEmpty ? nil : $0 }
        wantsClientInfo = parameters["client_info"] == "1"
    }

    /// A parameter's value; an empty one counts as absent.
    func value(_ name: String) -> String? {
        guard let value = parameters[name], !value.isEmpty else { return nil }
        return value
    }
}

/// A PKCE challenge (RFC 7636).
struct CodeChallenge: Sendable, Hashable {
    var text: String
    var method: PKCE.Method

    func accepts(_ verifier: String) -> Bool {
        PKCE.matches(verifier: verifier, challenge: text, method: method)
    }
}
