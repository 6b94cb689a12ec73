import JSON

/// The discovery document of a policy (OpenID Connect Discovery section 3), with the members that B2C writes.
public struct DiscoveryDocument: Hashable, Sendable {
    public var issuer: String
    public var authorizationEndpoint: String
    public var tokenEndpoint: String
    public var endSessionEndpoint: String?
    public var jwksURI: String?
    /// Only policies that declare a UserInfo endpoint have one.
    public var userinfoEndpoint: String?
    public var responseModesSupported: [String]
    public var responseTypesSupported: [String]
    public var scopesSupported: [String]
    public var subjectTypesSupported: [String]
    public var idTokenSigningAlgValuesSupported: [String]
    public var tokenEndpointAuthMethodsSupported: [String]
    public var claimsSupported: [String]

    /// A document with the values that B2C gives to the members not named.
    public init(
        issuer: String, authorizationEndpoint: String, tokenEndpoint: String, endSessionEndpoint: String? = nil,
        jwksURI: String? = nil, userinfoEndpoint: String? = nil,
        responseModesSupported: [String] = ["query", "fragment", "form_post"],
        responseTypesSupported: [String] = ResponseType.discoveryNames, scopesSupported: [String] = ["openid"],
        subjectTypesSupported: [String] = ["pairwise"], idTokenSigningAlgValuesSupported: [String] = ["RS256"],
        tokenEndpointAuthMethodsSupported: [String] = ["client_secret_post", "client_secret_basic"],
        claimsSupported: [String] = []
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.endSessionEndpoint = endSessionEndpoint
        self.jwksURI = jwksURI
        self.userinfoEndpoint = userinfoEndpoint
        self.responseModesSupported = responseModesSupported
        self.responseTypesSupported = responseTypesSupported
        self.scopesSupported = scopesSupported
        self.subjectTypesSupported = subjectTypesSupported
        self.idTokenSigningAlgValuesSupported = idTokenSigningAlgValuesSupported
        self.tokenEndpointAuthMethodsSupported = tokenEndpointAuthMethodsSupported
        self.claimsSupported = claimsSupported
    }

    /// Reads a document. `nil` without the texts `issuer`, `authorization_endpoint` and `token_endpoint`, or with an
    /// `end_session_endpoint` that is not a text: MSAL refuses such documents (MSAL objc
    /// MSIDAADOpenIdConfigurationInfoResponseSerializer.m).
    public init?(json: JSONValue) {
        guard let issuer = json["issuer"]?.stringValue,
            let authorize = json["authorization_endpoint"]?.stringValue,
            let token = json["token_endpoint"]?.stringValue
        else { return nil }
        if let logout = json["end_session_endpoint"], logout.stringValue == nil { return nil }
        func texts(_ key: String) -> [String] { json[key]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        self.init(
            issuer: issuer, authorizationEndpoint: authorize, tokenEndpoint: token,
            endSessionEndpoint: json["end_session_endpoint"]?.stringValue, jwksURI: json["jwks_uri"]?.stringValue,
            userinfoEndpoint: json["userinfo_endpoint"]?.stringValue,
            responseModesSupported: texts("response_modes_supported"),
            responseTypesSupported: texts("response_types_supported"), scopesSupported: texts("scopes_supported"),
            subjectTypesSupported: texts("subject_types_supported"),
            idTokenSigningAlgValuesSupported: texts("id_token_signing_alg_values_supported"),
            tokenEndpointAuthMethodsSupported: texts("token_endpoint_auth_methods_supported"),
            claimsSupported: texts("claims_supported"))
    }

    /// The document with its members in B2C's order.
    public var json: JSONObject {
        func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
        var object = JSONObject()
        object.append("issuer", .string(issuer))
        object.append("authorization_endpoint", .string(authorizationEndpoint))
        object.append("token_endpoint", .string(tokenEndpoint))
        object["end_session_endpoint"] = endSessionEndpoint.map { .string($0) }
        object["jwks_uri"] = jwksURI.map { .string($0) }
        object["userinfo_endpoint"] = userinfoEndpoint.map { .string($0) }
        object.append("response_modes_supported", texts(responseModesSupported))
        object.append("response_types_supported", texts(responseTypesSupported))
        object.append("scopes_supported", texts(scopesSupported))
        object.append("subject_types_supported", texts(subjectTypesSupported))
        object.append("id_token_signing_alg_values_supported", texts(idTokenSigningAlgValuesSupported))
        object.append("token_endpoint_auth_methods_supported", texts(tokenEndpointAuthMethodsSupported))
        object.append("claims_supported", texts(claimsSupported))
        return object
    }
}
