extension Rules {
    /// App registrations: the manifest of the portal, or the `application` object of Microsoft Graph.
    static let registration: [Rule] = [
        Rule(
            "B2C-REG-001", .error, "Client ids and permission ids are GUIDs.",
            why: "A placeholder left in names no app, and the sign-in page says that the app is not known.",
            bad: "\"appId\": \"Your_Application_Id_Here\"", good: "\"appId\": \"11111111-2222-3333-4444-555555555555\"",
            source: "Microsoft docs: reference-app-manifest", rows: ["C06"]),
        Rule(
            "B2C-REG-002", .warning,
            "An app for user flows takes accounts of any directory and personal accounts.",
            why:
                "Local and social accounts belong to no directory of an organisation; an app of one directory turns them away.",
            bad: "\"signInAudience\": \"AzureADMyOrg\"",
            good: "\"signInAudience\": \"AzureADandPersonalMicrosoftAccount\"",
            source: "Microsoft docs: tutorial-register-applications", rows: ["C02"]),
        Rule(
            "B2C-REG-003", .error, "An app of that audience takes access tokens of version 2.",
            why: "The directory refuses the combination of that audience with version 1.",
            bad: "\"accessTokenAcceptedVersion\": null", good: "\"accessTokenAcceptedVersion\": 2",
            source: "Microsoft docs: reference-app-manifest"),
        Rule(
            "B2C-REG-004", .warning, "The implicit switches are off unless a flow needs them.",
            why: "They let the authorize endpoint put tokens into URLs; the code flow with PKCE needs neither.",
            bad: "\"oauth2AllowImplicitFlow\": true", good: "\"oauth2AllowImplicitFlow\": false",
            source: "RFC 9700 section 2.1.2"),
        Rule(
            "B2C-REG-005", .error, "A native or single-page app has no client secret.",
            why: "Everybody who has the app has the secret, and the token endpoint refuses it with AADB2C90084.",
            bad: "\"passwordCredentials\": [ ... ] of an app with native URIs only",
            good: "\"passwordCredentials\": []",
            source: "RFC 8252 section 8.5; B2C error AADB2C90084"),
        Rule(
            "B2C-REG-006", .error, "Scopes of an API have names that stand once and are switched on.",
            why: "A request for a scope that is off or named twice fails with AADB2C90117 or AADB2C90205.",
            bad: "two scopes with the value \"tasks.read\"", good: "one scope with the value \"tasks.read\"",
            source: "Microsoft docs: reference-app-manifest"),
        Rule(
            "B2C-REG-007", .error, "An API with scopes has an identifier URI.",
            why: "The full name of a scope begins with it; without one no app can ask for the scope.",
            bad: "\"identifierUris\": []", good: "\"identifierUris\": [\"https://contoso.onmicrosoft.com/tasks\"]",
            source: "Microsoft docs: add-web-api-application"),
        Rule(
            "B2C-REG-008", .error, "An app asks for permission to openid and offline_access.",
            why: "Without the permissions, granted by an administrator, B2C answers AADB2C90205.",
            bad: "requiredResourceAccess without Microsoft Graph", good: "openid and offline_access of Microsoft Graph",
            source: "Microsoft docs: tutorial-register-applications"),
        Rule(
            "B2C-REG-009", .error, "The front-channel sign-out URL is https.",
            why: "It is called in a frame of an https page, where browsers block plain http.",
            bad: "\"logoutUrl\": \"http://app.contoso.example/out\"",
            good: "\"logoutUrl\": \"https://app.contoso.example/out\"", source: "Microsoft docs: session-behavior"),
        Rule(
            "B2C-REG-010", .error, "A pre-authorised app and its permissions exist.",
            why: "An id that no scope of this API has grants nothing.",
            bad: "\"permissionIds\": [\"an id of no scope\"]", good: "ids of oauth2PermissionScopes",
            source: "Microsoft docs: reference-app-manifest"),
        Rule(
            "B2C-REG-011", .error, "The registration has what the tenant file says of the app.",
            why: "The mock would accept what the real tenant refuses, or the other way round.",
            bad: "tenant file: web, registration: spa", good: "the same platform in both",
            source: "the tenant file's `registration`"),
        Rule(
            "B2C-REG-012", .error, "A member has the type that the manifest takes.",
            why: "The directory refuses the document.", bad: "\"redirectUris\": \"https://app\"",
            good: "\"redirectUris\": [\"https://app/\"]", source: "Microsoft docs: reference-app-manifest"),
        Rule(
            "B2C-REG-013", .warning, "A secret in a registration has not ended and does not end within 30 days.",
            why: "From its end on the token endpoint answers AADB2C90081.",
            bad: "\"endDateTime\": \"2020-01-01T00:00:00Z\"",
            good: "a date to come", source: "B2C error AADB2C90081"),
    ]
}
