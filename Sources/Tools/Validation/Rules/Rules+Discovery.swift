extension Rules {
    /// Discovery documents and key sets.
    static let discovery: [Rule] = [
        Rule(
            "B2C-DISC-001", .error, "A discovery document has the members that clients read.",
            why:
                "MSAL for iOS wants issuer, authorization_endpoint and token_endpoint as texts, MSAL Python the last two.",
            bad: "no token_endpoint", good: "\"token_endpoint\": \"https://contoso.b2clogin.com/.../token\"",
            source: "OpenID Connect Discovery 1.0 section 3; MSAL objc MSIDOpenIdProviderMetadata.m"),
        Rule(
            "B2C-DISC-002", .error, "Endpoints are https URLs.",
            why: "Clients refuse others.", bad: "http://contoso.b2clogin.com/...",
            good: "https://contoso.b2clogin.com/...", source: "OpenID Connect Discovery 1.0 section 3"),
        Rule(
            "B2C-DISC-003", .error, "The issuer is one of B2C's two forms, with the tenant's GUID and a last slash.",
            why: "APIs that compare issuers refuse tokens of any other spelling.",
            bad: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0",
            good: "https://contoso.b2clogin.com/11111111-2222-3333-4444-555555555555/v2.0/",
            source: "Microsoft docs: tokens-overview"),
        Rule(
            "B2C-DISC-004", .warning, "All endpoints are of one host, tenant and policy.",
            why: "A document put together by hand or a proxy sends part of a flow elsewhere.",
            bad: "token_endpoint of b2c_1_edit in the document of b2c_1_susi", good: "one policy everywhere",
            source: "recorded from live tenants"),
        Rule(
            "B2C-DISC-005", .advice, "The issuer and the document's address agree, for clients that compare them.",
            why:
                "Only the tfp form of the issuer passes OpenID Connect Discovery's check; strict clients refuse the other.",
            bad: "https://contoso.b2clogin.com/GUID/v2.0/", good: "https://contoso.b2clogin.com/tfp/GUID/POLICY/v2.0/",
            source: "OpenID Connect Discovery 1.0 section 4.3; Microsoft docs: configure-tokens"),
        Rule(
            "B2C-DISC-006", .error, "A published key is an RSA key with a kid and everything needed to verify.",
            why: "Clients find the key by the token's kid; without it they try none.",
            bad: "{ \"kty\": \"RSA\", \"n\": \"...\" }",
            good: "{ \"kid\": \"...\", \"kty\": \"RSA\", \"e\": \"AQAB\", \"n\": \"...\" }",
            source: "RFC 7517; RFC 7518 section 6.3"),
        Rule(
            "B2C-DISC-007", .error, "No private key is published.",
            why: "Everybody could sign tokens with it.", bad: "a key with the member d", good: "n and e only",
            source: "RFC 7518 section 6.3.2"),
        Rule(
            "B2C-DISC-008", .error, "A kid occurs once in a key set.",
            why: "Which of the two verifies is arbitrary.", bad: "two keys of one kid", good: "a kid a key",
            source: "RFC 7517 section 4.5"),
        Rule(
            "B2C-DISC-009", .warning, "The policy offers what the app asks for.",
            why: "A response type or mode that is not offered is answered with AADB2C90007 or AADB2C90238.",
            bad: "no \"code\" among response_types_supported", good: "\"code\" among them",
            source: "OpenID Connect Discovery 1.0 section 3"),
    ]

    /// Tokens.
    static let token: [Rule] = [
        Rule(
            "B2C-TOK-001", .error, "A token is three base64url parts with JSON header and payload.",
            why: "What B2C hands out as access or ID token has this form; refresh tokens and codes are opaque.",
            bad: "eyJhbGciOi", good: "HEADER.PAYLOAD.SIGNATURE", source: "RFC 7515 section 3.1"),
        Rule(
            "B2C-TOK-002", .error, "A token is signed with RS256.",
            why: "B2C signs with nothing else; a token without signature proves nothing.", bad: "\"alg\": \"none\"",
            good: "\"alg\": \"RS256\"", source: "Microsoft docs: tokens-overview"),
        Rule(
            "B2C-TOK-003", .error, "The signature fits a published key.",
            why: "It was altered, made by somebody else, or signed with a key of another policy or time.",
            bad: "a kid that no key has", good: "a kid of the policy's keys", source: "RFC 7515 section 5.2"),
        Rule(
            "B2C-TOK-004", .error, "The issuer is that of tenant, host and policy.",
            why: "APIs refuse tokens of other issuers; the host of the request decides, custom domains too.",
            bad: "https://login.microsoftonline.com/GUID/v2.0/", good: "https://contoso.b2clogin.com/GUID/v2.0/",
            source: "Microsoft docs: tokens-overview"),
        Rule(
            "B2C-TOK-005", .error, "The audience is the app (ID token) or the API (access token).",
            why: "The most frequent cause of a 401: the ID token sent to an API, or a scope of another API.",
            bad: "aud of the app, sent to the API", good: "aud of the API", source: "Microsoft docs: access-tokens"),
        Rule(
            "B2C-TOK-006", .error, "The token names the policy in tfp or acr.",
            why: "It shows APIs and apps whether the person signed in or edited a profile.", bad: "no tfp and no acr",
            good: "\"tfp\": \"B2C_1_susi\"", source: "Microsoft docs: tokens-overview"),
        Rule(
            "B2C-TOK-007", .error, "The token is valid at the moment it is used.",
            why: "Before nbf and from exp on it is refused, with the API's tolerance of mostly five minutes.",
            bad: "exp in the past", good: "exp to come", source: "RFC 7519 section 4.1"),
        Rule(
            "B2C-TOK-008", .error, "An access token carries the scopes that the API asks for.",
            why: "The API answers 403, or 401 with insufficient_scope.", bad: "\"scp\": \"tasks.read\" for a write",
            good: "\"scp\": \"tasks.read tasks.write\"", source: "RFC 6750 section 3.1"),
        Rule(
            "B2C-TOK-009", .error, "Claims have the type that B2C gives them.",
            why: "A token of another type was not made by B2C, or a policy maps the wrong claim.",
            bad: "\"exp\": \"1700000000\"", good: "\"exp\": 1700000000", source: "Microsoft docs: tokens-overview"),
    ]

    /// What validation says of itself: files, suppressions, baselines.
    static let validation: [Rule] = [
        Rule(
            "B2C-VAL-001", .error, "A file that is named can be read.", why: "It was not checked.", bad: "no such file",
            good: "an existing file", source: "b2c validate"),
        Rule(
            "B2C-VAL-002", .error, "A suppression names a rule and a reason.",
            why: "The person who reads it in a year must know why.", bad: "b2c-validate-ignore B2C-POL-079",
            good: "b2c-validate-ignore B2C-POL-079: test tenant only", source: "b2c validate"),
        Rule(
            "B2C-VAL-003", .error, "A baseline was written by this program.",
            why: "Findings cannot be told as old or new.", bad: "{}", good: "what --write-baseline writes",
            source: "b2c validate"),
        Rule(
            "B2C-VAL-004", .warning, "A suppression meets a finding.",
            why: "The mistake has gone, and the next one of its kind would pass unseen.",
            bad: "an entry for a rule that nothing breaks", good: "no entry", source: "b2c validate"),
        Rule(
            "B2C-VAL-005", .warning, "Files among those that are checked can be checked.",
            why: "Nobody knows whether a file that was passed over is right.", bad: "a policy of 50 MB, or in UTF-16",
            good: "a policy in UTF-8", source: "b2c validate"),
    ]

}
