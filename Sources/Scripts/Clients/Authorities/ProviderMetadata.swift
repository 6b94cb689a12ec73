import HTTPMessages
import JSON

/// What the client takes from an OpenID configuration document. The issuer is read and never compared.
struct ProviderMetadata: Sendable, Hashable {
    var authorizationEndpoint: WebURL
    var tokenEndpoint: WebURL
    var issuer: String
    var endSessionEndpoint: WebURL?
    var userInfoEndpoint: WebURL?

    /// Reads the document. An `error` member makes it a refusal whatever the HTTP status was.
    static func read(_ json: JSONValue) -> Result<ProviderMetadata, LibraryError> {
        guard let object = json.objectValue else {
            return .failure(LibraryError(.serverInvalidResponse, "The metadata is not a JSON object."))
        }
        if let error = object["error"]?.stringValue {
            var refusal = LibraryError(.authorityValidation, object["error_description"]?.stringValue)
            refusal.oauthError = error
            return .failure(refusal)
        }
        var endpoints: [WebURL] = []
        for name in ["authorization_endpoint", "token_endpoint"] {
            guard let endpoint = object[name]?.stringValue.flatMap({ WebURL($0) }) else {
                return .failure(LibraryError(.internalError, "The metadata has no usable \(name)."))
            }
            endpoints.append(endpoint)
        }
        guard let issuer = object["issuer"]?.stringValue else {
            return .failure(LibraryError(.internalError, "The metadata has no usable issuer."))
        }
        var endSession: WebURL?
        if let value = object["end_session_endpoint"] {
            guard let text = value.stringValue else {
                return .failure(LibraryError(.internalError, "The metadata's end_session_endpoint is not a string."))
            }
            endSession = WebURL(text)
        }
        return .success(
            ProviderMetadata(
                authorizationEndpoint: endpoints[0], tokenEndpoint: endpoints[1], issuer: issuer,
                endSessionEndpoint: endSession,
                userInfoEndpoint: object["userinfo_endpoint"]?.stringValue.flatMap { WebURL($0) }))
    }
}
