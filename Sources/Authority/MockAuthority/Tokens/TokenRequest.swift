import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import Journeys

/// A token request while it is checked.
struct TokenRequest: Sendable {
    let form: FormItems
    let app: RegisteredApp
    /// The client's secret, from the body or HTTP Basic.
    let secret: String?

    func value(_ name: String) -> String? {
        guard let value = form[name], !value.isEmpty else { return nil }
        return value
    }

    /// The password grant names the tokens that it wants in `response_type` (Microsoft docs: add-ropc-policy); with `token`
    /// alone there is no ID token (AzureAD/microsoft-authentication-library-for-dotnet#1141).
    var wantsIDToken: Bool {
        guard form["grant_type"] == "password", let type = value("response_type") else { return true }
        return type.split(separator: " ").contains("id_token")
    }

    /// `client_info=1`: the response has `client_info` in the place of `profile_info`.
    var wantsClientInfo: Bool { form["client_info"] == "1" }
}

/// Where a chain of refresh tokens began and, for a single-page app, when it ends.
struct RefreshChain: Sendable {
    var started: Timestamp
    var end: Timestamp?
}

/// How a client shows who it is (RFC 6749, 2.3.1): in the body, or by HTTP Basic with both parts form-encoded.
enum ClientCredentials {
    static func read(_ request: RequestMessage, form: FormItems) -> (clientID: String?, secret: String?) {
        if let basic = BasicCredentials(request.headers["Authorization"]) {
            return (basic.user, basic.password.isEmpty ? nil : basic.password)
        }
        let secret = form["client_secret"].flatMap { $0.isEmpty ? nil : $0 }
        return (form["client_id"].flatMap { $0.isEmpty ? nil : $0 }, secret)
    }
}
