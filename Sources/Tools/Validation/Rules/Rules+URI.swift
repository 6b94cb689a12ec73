extension Rules {
    /// Redirect URIs, alone and in agreement with each other.
    static let uri: [Rule] = [
        Rule(
            "B2C-URI-001", .error, "A redirect URI has at most 256 characters.",
            why: "The portal refuses a longer one.", bad: "https://contoso.example/ and 240 letters more",
            good: "https://contoso.example/signin", source: "Microsoft docs: reply-url"),
        Rule(
            "B2C-URI-002", .error, "A redirect URI is absolute.",
            why: "RFC 6749 section 3.1.2 asks for an absolute URI, and B2C compares whole texts.", bad: "/signin",
            good: "https://contoso.example/signin", source: "RFC 6749 section 3.1.2"),
        Rule(
            "B2C-URI-003", .error, "A redirect URI has no fragment.",
            why: "The answer of a fragment response goes there. MSAL for iOS fails with -50000 and -42008.",
            bad: "https://contoso.example/signin#home", good: "https://contoso.example/signin",
            source: "RFC 6749 section 3.1.2; MSAL objc MSALRedirectUriVerifier.m"),
        Rule(
            "B2C-URI-004", .error, "A redirect URI has no wildcard.",
            why: "Apps for personal and local accounts register each URI; B2C answers AADB2C90006 to any other.",
            bad: "https://*.contoso.example/signin", good: "https://app.contoso.example/signin",
            source: "Microsoft docs: reply-url"),
        Rule(
            "B2C-URI-005", .error, "The loopback address is 127.0.0.1 or localhost.",
            why: "The IPv6 loopback address is not supported.", bad: "http://[::1]:3000/",
            good: "http://127.0.0.1:3000/", source: "Microsoft docs: reply-url"),
        Rule(
            "B2C-URI-006", .error, "Plain http is for loopback addresses.",
            why: "The registration refuses http elsewhere: a code would travel unprotected.",
            bad: "http://app.contoso.example/signin", good: "https://app.contoso.example/signin",
            source: "Microsoft docs: reply-url"),
        Rule(
            "B2C-URI-007", .error, "The scheme fits the platform it is registered for.",
            why: "Web and single-page URIs are http or https; an app's own scheme belongs to the native platform.",
            bad: "web: msauth.com.contoso.app://auth", good: "native: msauth.com.contoso.app://auth",
            source: "Microsoft docs: reply-url", rows: ["C02"]),
        Rule(
            "B2C-URI-008", .error, "An app's own scheme is followed by a host.",
            why: "iOS hands the app a URL whose host MSAL compares with the redirect URI's.",
            bad: "msauth.com.contoso.app:auth", good: "msauth.com.contoso.app://auth",
            source: "Microsoft docs: redirect-uris-ios", rows: ["B03"]),
        Rule(
            "B2C-URI-009", .error, "A redirect URI of the form msauth.BUNDLE://auth names the app's own bundle id.",
            why: "iOS gives the answer to the app that declares the scheme; letter case counts in MSAL's comparison.",
            bad: "msauth.com.contoso.App://auth in the app com.contoso.app", good: "msauth.com.contoso.app://auth",
            source: "MSAL objc MSALRedirectUriVerifier.m", rows: ["C08", "B01", "B03"]),
        Rule(
            "B2C-URI-010", .warning, "An app's own scheme has letters, digits, plus, minus and points only.",
            why: "RFC 3986 allows nothing else, and the B2C registration refuses underscores.",
            bad: "my_app://auth", good: "my-app://auth",
            source: "RFC 3986 section 3.1; Microsoft docs: app registration"),
        Rule(
            "B2C-URI-011", .error, "The tail of msauth://code/ is the primary redirect URI, percent-encoded once.",
            why: "Certificate sign-in through Authenticator compares it after decoding; anything else never returns.",
            bad: "msauth://code/msauth.com.contoso.app://auth",
            good: "msauth://code/msauth.com.contoso.app%3A%2F%2Fauth",
            source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M15"]),
        Rule(
            "B2C-URI-012", .error, "A redirect URI of the form msalCLIENTID://auth holds the app's own client id.",
            why: "MSAL builds its default from the client id, and B2C answers AADB2C90006 when it is not registered.",
            bad: "msal00000000-0000-0000-0000-000000000000://auth",
            good: "msal and the app's client id, then ://auth", source: "MSAL objc MSALRedirectUriVerifier.m"),
        Rule(
            "B2C-URI-013", .error, "The redirect URI that the app sends is registered, character by character.",
            why: "B2C compares texts; a slash or a capital more and the person sees AADB2C90006 on an error page.",
            bad: "sent: https://app.contoso.example/Signin, registered: https://app.contoso.example/signin",
            good: "sent and registered: https://app.contoso.example/signin", source: "Microsoft docs: reply-url",
            rows: ["C02", "B03", "M15"]),
        Rule(
            "B2C-URI-014", .warning, "Loopback URIs of one app differ in more than their port.",
            why: "The port counts for nothing when B2C compares them, so which of the two platforms wins is arbitrary.",
            bad: "http://localhost:3000/ and http://localhost:4000/", good: "http://localhost/a and http://localhost/b",
            source: "Microsoft docs: reply-url; RFC 8252 section 7.3"),
        Rule(
            "B2C-URI-015", .error, "A redirect URI occurs once in a registration.",
            why: "Grants take over the platform type of the URI they were issued to; two types make it arbitrary.",
            bad: "the same URI under web and spa", good: "the URI under one platform",
            source: "Microsoft docs: reply-url"),
        Rule(
            "B2C-URI-016", .error, "An app registers at most 100 redirect URIs.",
            why: "The directory refuses more.", bad: "101 redirect URIs", good: "100 redirect URIs or a second app",
            source: "Microsoft docs: service-limits"),
        Rule(
            "B2C-URI-017", .warning, "Redirect URIs of one app differ in more than letter case or a last slash.",
            why: "Both are compared exactly, so one of them is probably a slip that apps will run into.",
            bad: "https://app.contoso.example/signin and https://app.contoso.example/signin/",
            good: "https://app.contoso.example/signin", source: "Microsoft docs: reply-url"),
        Rule(
            "B2C-URI-018", .error, "A redirect URI has no white space and no control characters.",
            why: "It was probably pasted with them; B2C's comparison fails.", bad: "\"https://app.contoso.example \"",
            good: "\"https://app.contoso.example/\"", source: "RFC 3986 section 2"),
        Rule(
            "B2C-URI-019", .warning, "A native app of MSAL for iOS or macOS does not use http, https or the oob URN.",
            why: "MSAL cannot catch the answer; with a directory tenant it refuses to start with -42011.",
            bad: "urn:ietf:wg:oauth:2.0:oob", good: "msauth.com.contoso.app://auth",
            source: "MSAL objc MSIDRedirectUri.m"),
        Rule(
            "B2C-URI-020", .advice, "A web redirect URI has a path.",
            why: "B2C answers to the URI with a slash added; a router that compares texts will miss it.",
            bad: "https://app.contoso.example", good: "https://app.contoso.example/",
            source: "recorded from live tenants"),
    ]
}
