extension Rules {
    /// Configuration files of other libraries.
    static let configuration: [Rule] = [
        Rule(
            "B2C-CFG-001", .error, "Ids are GUIDs, and nothing was left as a template has it.",
            why: "The sign-in page says that the app is not known.", bad: "\"client_id\": \"<your client id>\"",
            good: "\"client_id\": \"11111111-2222-3333-4444-555555555555\"",
            source: "Microsoft docs: msal-configuration, msal-client-application-configuration"),
        Rule(
            "B2C-CFG-002", .error,
            "The redirect URI of MSAL for Android is msauth://PACKAGE/HASH, percent-encoded, or a scheme of the app's own.",
            why:
                "It is compared with package and signature; a bare + or / in the hash never matches. No app can catch http.",
            bad: "msauth://com.contoso.app/ab+c/d=", good: "msauth://com.contoso.app/ab%2Bc%2Fd%3D",
            source: "Microsoft docs: MSAL Android frequently-asked-questions (redirect URI issues)"),
        Rule(
            "B2C-CFG-003", .error, "The manifest's BrowserTabActivity catches the redirect URI, its path not encoded.",
            why: "Android compares decoded paths: the answer goes nowhere.", bad: "android:path=\"/ab%2Bc\"",
            good: "android:path=\"/ab+c\"",
            source: "Microsoft docs: MSAL Android frequently-asked-questions (redirect URI issues)"),
        Rule(
            "B2C-CFG-004", .error, "Every policy is an authority of type B2C, and one is the default.",
            why:
                "MSAL for Android passes over an authority without type, and one of another type is not a B2C authority.",
            bad: "{ \"authority_url\": \"https://...\" }",
            good: "{ \"type\": \"B2C\", \"authority_url\": \"https://...\", \"default\": true }",
            source:
                "MSAL Android AuthorityDeserializer.java; Microsoft docs: configure-authentication-sample-android-app"),
        Rule(
            "B2C-CFG-005", .error, "A B2C authority is https://HOST/[tfp/]TENANT/POLICY.",
            why: "Without a policy B2C does not know what to run and answers 404.",
            bad: "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
            good: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
            source: "Microsoft docs: b2clogin, authorization-code-flow"),
        Rule(
            "B2C-CFG-006", .error, "MSAL.js knows the host of its authority.",
            why: "It fails with untrusted_authority or endpoints_resolution_error before the first request.",
            bad: "\"knownAuthorities\": []", good: "\"knownAuthorities\": [\"contoso.b2clogin.com\"]",
            source: "MSAL.js ClientConfigurationError; Microsoft docs: enable-authentication-spa-app"),
        Rule(
            "B2C-CFG-007", .error,
            "ASP.NET's section has ClientId, SignUpSignInPolicyId, and Instance with Domain or Authority.",
            why: "Microsoft.Identity.Web builds the authority from them, and fails with IDW10106 at the first request.",
            bad: "\"Instance\": \"contoso.b2clogin.com\"", good: "\"Instance\": \"https://contoso.b2clogin.com\"",
            source:
                "Microsoft.Identity.Web MergedOptionsValidation.cs; Microsoft docs: enable-authentication-web-application"
        ),
        Rule(
            "B2C-CFG-008", .warning, "No client secret lies in a configuration file.",
            why: "Anyone who reads the repository can sign in as the app.", bad: "\"ClientSecret\": \"...\"",
            good: "the secret in the environment or a vault",
            source: "Microsoft docs: app-secrets (safe storage of app secrets)"),
        Rule(
            "B2C-CFG-009", .error, "Callback paths begin with a slash.",
            why: "ASP.NET fails with \"The path in 'value' must start with '/'\".",
            bad: "\"CallbackPath\": \"signin-oidc\"",
            good: "\"CallbackPath\": \"/signin-oidc\"",
            source: "Microsoft docs: RemoteAuthenticationOptions.CallbackPath, PathString"),
        Rule(
            "B2C-CFG-010", .error, "The configuration agrees with the tenant file.",
            why: "B2C refuses the app, its redirect URI or its policy at the first sign-in.",
            bad: "a redirect URI that is not registered", good: "a registered one", source: "the tenant file"),
        Rule(
            "B2C-CFG-011", .warning, "Tokens and sessions of the tenant file live as long as B2C allows.",
            why: "The mock plays with it, and the real user flow cannot be set so.",
            bad: "\"tokens\": { \"refreshToken\": \"P200D\" }", good: "\"tokens\": { \"refreshToken\": \"P90D\" }",
            source: "Microsoft docs: configure-tokens, session-behavior"),
    ]
}
