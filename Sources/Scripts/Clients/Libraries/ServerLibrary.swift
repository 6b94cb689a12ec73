import TenantFiles
import Verbs

/// The OpenID Connect middleware of a confidential web app. Its errors have the words of OAuth.
struct ServerLibrary: LibraryBehaviour {
    func scopes(_ scopes: [String], adding more: [String]) -> [String] { PlainScopes.list(scopes, adding: more) }
    var sendsMSALParameters: Bool { false }
    func secret(of client: ClientSettings) -> String? { client.clientSecret }
    func state(id: String, interaction: String, callers: String?) -> String { callers ?? RequestState.encoded(id) }

    var answersAtServer: Bool { true }
    /// The page for front-channel sign-out does what ASP.NET's documents say.
    func signsOutElsewhere(_ client: ClientSettings) -> Bool { true }

    func place(of error: ClientError) -> ForeignPlace? {
        ForeignPlace(domain: "OpenIdConnect", code: .text(error.oauthError ?? error.kind.rawValue))
    }
}
