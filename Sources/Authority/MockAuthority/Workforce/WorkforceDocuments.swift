import JOSE
import JSON

/// The documents of a directory, its plain tenants' and a B2C tenant's alike.
enum WorkforceDocuments {
    /// The metadata, member for member as the service writes them, without what is not simulated.
    ///
    /// - Parameters:
    ///   - base: Host and tenant of the endpoints.
    ///   - issuer: The issuer of tokens of version 2.0.
    static func discovery(base: String, issuer: String) -> JSONObject {
        var document = JSONObject()
        document["token_endpoint"] = .string("\(base)/oauth2/v2.0/token")
        document["token_endpoint_auth_methods_supported"] = ["client_secret_post", "client_secret_basic"]
        document["jwks_uri"] = .string("\(base)/discovery/v2.0/keys")
        document["response_modes_supported"] = ["query", "fragment", "form_post"]
        document["subject_types_supported"] = ["pairwise"]
        document["id_token_signing_alg_values_supported"] = ["RS256"]
        document["response_types_supported"] = ["code"]
        document["scopes_supported"] = ["openid", "profile", "email", "offline_access"]
        document["issuer"] = .string(issuer)
        document["request_uri_parameter_supported"] = false
        document["authorization_endpoint"] = .string("\(base)/oauth2/v2.0/authorize")
        document["end_session_endpoint"] = .string("\(base)/oauth2/v2.0/logout")
        document["claims_supported"] = [
            "sub", "iss", "aud", "exp", "iat", "nonce", "preferred_username", "name", "tid", "ver", "email",
        ]
        document["tenant_region_scope"] = .null
        document["cloud_instance_name"] = "microsoftonline.com"
        document["cloud_graph_host_name"] = "graph.windows.net"
        document["msgraph_host"] = .string(GraphAPI.host)
        return document
    }

    /// The keys that are published.
    static func keys(_ ring: KeyRing.Ring?) -> JSONObject {
        let keys = (ring?.published ?? []).map { entry -> JSONValue in
            let jwk = entry.key.jwk.json
            var members: JSONObject = ["kty": "RSA", "use": "sig", "kid": .string(entry.key.kid)]
            members["n"] = jwk["n"]
            members["e"] = jwk["e"]
            return .object(members)
        }
        return ["keys": .array(keys)]
    }
}
