extension Rules {
    /// App registrations: the manifest of the portal, or the `application` object of Microsoft Graph.
    static let registration: [Rule] = [
        Rule(
            "B2C-REG-001", .error, "Client ids and permission ids are GUIDs.",
            why: "A placeholder left in names no app, and the sign-in page says that the app is not known.",
            bad: "\"appId\": \"Your_Application_Id_Here\"", good: "\"appId\": \"11111111-2222-3333-4444-555555555555\"",
            source: "Microsoft docs: reference-app-manifest, attributes appId and oauth2Permissions", rows: ["C06"]),
        Rule(
            "B2C-REG-002", .warning,
            "An app for user flows takes accounts of any directory and personal accounts.",
            why:
                "Local and social accounts belong to no directory of an organisation; an app of one directory turns them away.",
            bad: "\"signInAudience\": \"AzureADMyOrg\"",
            good: "\"signInAudience\": \"AzureADandPersonalMicrosoftAccount\"",
            source: "Microsoft docs: tutorial-register-applications (supported account types); reply-url",
            rows: ["C02"]),
        Rule(
            "B2C-REG-003", .error, "An app of that audience takes access tokens of version 2.",
            why: "The manifest's reference asks for 2 with that audience, and null counts as 1.",
            bad: "\"accessTokenAcceptedVersion\": null", good: "\"accessTokenAcceptedVersion\": 2",
            source: "Microsoft docs: reference-app-manifest, attribute accessTokenAcceptedVersion; apiApplication"),
        Rule(
            "B2C-REG-004", .warning, "The implicit switches are off unless a flow needs them.",
            why: "They let the authorize endpoint put tokens into URLs; the code flow with PKCE needs neither.",
            bad: "\"oauth2AllowImplicitFlow\": true", good: "\"oauth2AllowImplicitFlow\": false",
            source: "RFC 9700 section 2.1.2; Microsoft docs: add-ropc-policy (the flow that needs them)"),
        Rule(
            "B2C-REG-005", .warning, "A native or single-page app has no client secret.",
            why:
                "Everybody who has the app would have the secret; where such an app sends it, B2C answers AADB2C90084.",
            bad: "\"passwordCredentials\": [ ... ] of an app with native URIs only",
            good: "\"passwordCredentials\": []",
            source: "RFC 8252 section 8.5; Microsoft docs: error-codes (AADB2C90084)"),
        Rule(
            "B2C-REG-006", .error, "Scopes of an API have names that occur once and are switched on.",
            why:
                "The directory refuses a second one (\"It contains duplicate value\"); a scope that is off or unknown is answered with AADB2C90117.",
            bad: "two scopes with the value \"tasks.read\"", good: "one scope with the value \"tasks.read\"",
            source: "MicrosoftDocs/azure-docs issue 81899; Microsoft docs: permissionScope, error-codes"),
        Rule(
            "B2C-REG-007", .warning, "An API with scopes has an identifier URI.",
            why: "The full name of a scope begins with it; the portal asks for it before the first scope.",
            bad: "\"identifierUris\": []", good: "\"identifierUris\": [\"https://contoso.onmicrosoft.com/tasks\"]",
            source: "Microsoft docs: add-web-api-application"),
        Rule(
            "B2C-REG-008", .error, "An app asks for permission to openid and offline_access.",
            why: "Without the permissions, granted by an administrator, B2C answers AADB2C90205.",
            bad: "requiredResourceAccess without Microsoft Graph", good: "openid and offline_access of Microsoft Graph",
            source: "Microsoft docs: tutorial-register-applications (permissions), error-codes (AADB2C90205)"),
        Rule(
            "B2C-REG-009", .warning, "The front-channel sign-out URL is https.",
            why:
                "It is called in a frame of an https page, where browsers block plain http; the portal takes https alone.",
            bad: "\"logoutUrl\": \"http://app.contoso.example/out\"",
            good: "\"logoutUrl\": \"https://app.contoso.example/out\"",
            source: "OpenID Connect Front-Channel Logout 1.0 section 2; Microsoft docs: session-behavior"),
        Rule(
            "B2C-REG-010", .error, "A pre-authorised app and its permissions exist.",
            why: "The directory refuses an id that none of the app's scopes and roles has.",
            bad: "\"permissionIds\": [\"an id of no scope\"]", good: "ids of oauth2PermissionScopes",
            source: "microsoftgraph/microsoft-graph-docs issue 12675; Microsoft docs: preAuthorizedApplication",
            serviceTexts: ["... has a Permission Id that cannot be found in the AppPermissions sets."]),
        Rule(
            "B2C-REG-011", .error, "The registration has what the tenant file says of the app.",
            why: "The mock would accept what the real tenant refuses, or the other way round.",
            bad: "tenant file: web, registration: spa", good: "the same platform in both",
            source: "the tenant file's `registration`"),
        Rule(
            "B2C-REG-012", .error, "A member has the type that the manifest takes.",
            why: "The directory refuses the document.", bad: "\"redirectUris\": \"https://app\"",
            good: "\"redirectUris\": [\"https://app/\"]",
            source: "Microsoft docs: reference-app-manifest, attribute replyUrlsWithType; Graph resource application"),
        Rule(
            "B2C-REG-013", .warning, "A secret in a registration has not ended and does not end within 30 days.",
            why: "From its end on the token endpoint refuses it like a wrong one, with AADB2C90081 (inferred).",
            bad: "\"endDateTime\": \"2020-01-01T00:00:00Z\"",
            good: "a date to come", source: "Microsoft docs: passwordCredential, error-codes (AADB2C90081)"),
    ]
}
