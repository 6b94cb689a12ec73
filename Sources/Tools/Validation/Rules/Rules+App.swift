extension Rules {
    /// App projects on MSAL.
    static let project: [Rule] = [
        Rule(
            "B2C-APP-001", .error, "Property lists can be read, and sources that use MSAL import it.",
            why: "The app does not build, or starts without its settings.", bad: "let app: MSALPublicClientApplication",
            good: "import MSAL", source: "Microsoft docs: tutorial-v2-ios", rows: ["C05"]),
        Rule(
            "B2C-APP-002", .error, "Client id and redirect URI are the app's own, not a template's.",
            why: "B2C knows no such app and shows an error page.", bad: "let kClientID = \"Your_Application_Id_Here\"",
            good: "let kClientID = \"11111111-2222-3333-4444-555555555555\"", source: "Microsoft docs: tutorial-v2-ios",
            rows: ["C06", "G01"]),
        Rule(
            "B2C-APP-003", .error, "Info.plist declares the scheme msauth.BUNDLE with the app's own bundle id.",
            why: "MSAL refuses to start with -50000 and -42001, or the answer goes to another app.",
            bad: "<string>msauth.[BUNDLE_ID]</string>", good: "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
            source: "MSAL objc MSALRedirectUriVerifier.m", rows: ["C08", "B01", "B03", "G02", "M11", "M16"]),
        Rule(
            "B2C-APP-004", .error, "The scheme of the redirect URI that the code sends is declared in Info.plist.",
            why: "MSAL refuses to start with -50000 and -42001.",
            bad: "redirect msauth.com.contoso.app://auth, declared msauth.com.contoso.other",
            good: "the same scheme in both", source: "MSAL objc MSALRedirectUriVerifier.m", rows: ["B01", "B03", "M11"]),
        Rule(
            "B2C-APP-005", .error, "LSApplicationQueriesSchemes has msauthv2 and msauthv3.",
            why: "MSAL refuses to start with -50000 and -42001, for a B2C app too.",
            bad: "<array><string>msauthv2</string></array>",
            good: "<array><string>msauthv2</string><string>msauthv3</string></array>",
            source: "MSAL objc MSALRedirectUriVerifier.m", rows: ["C09", "B03", "M11", "M16"]),
        Rule(
            "B2C-APP-006", .error, "The entitlements have the keychain group of MSAL's cache.",
            why: "Reading accounts fails with NSOSStatusErrorDomain -34018, and nobody stays signed in.",
            bad: "no keychain-access-groups", good: "<string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>",
            source: "Microsoft docs: howto-v2-keychain-objc", rows: ["C07", "G02", "M17"]),
        Rule(
            "B2C-APP-007", .error, "A sandboxed macOS app may make outgoing connections.",
            why: "Every request fails with an error of NSURLErrorDomain.", bad: "com.apple.security.app-sandbox alone",
            good: "com.apple.security.network.client: true", source: "Microsoft docs: tutorial-v2-ios", rows: ["C10"]),
        Rule(
            "B2C-APP-008", .error, "The app hands the answer's URL to MSAL, in the delegate that iOS calls.",
            why: "The sign-in never ends: MSAL waits for an answer that the app keeps.",
            bad: "a SceneDelegate without scene(_:openURLContexts:)",
            good: "MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: source)",
            source: "Microsoft docs: tutorial-v2-ios", rows: ["C11", "M11", "M16", "G02"]),
        Rule(
            "B2C-APP-009", .error, "MSAL comes into the app, and one way only.",
            why: "Without it the app does not build; two copies of its classes do not link, or shadow each other.",
            bad: "a Podfile and a Cartfile with MSAL",
            good: "one of them", source: "Microsoft docs: tutorial-v2-ios", rows: ["C03", "C04", "B02"]),
        Rule(
            "B2C-APP-010", .warning, "MSAL is asked for by version.",
            why: "A branch brings whatever was pushed last, 2.x with its removed initialisers too.",
            bad: "github \"AzureAD/microsoft-authentication-library-for-objc\" \"master\"",
            good: "github \"AzureAD/microsoft-authentication-library-for-objc\" ~> 1.6",
            source: "Carthage's documentation of Cartfile", rows: ["C04"]),
        Rule(
            "B2C-APP-011", .error, "A Podfile has use_frameworks! and its pods in the app's target.",
            why: "pod install fails, or MSAL cannot be imported.", bad: "target '<your-target-here>' do",
            good: "target 'MSALiOS' do", source: "CocoaPods' Podfile reference", rows: ["C03", "B02"]),
        Rule(
            "B2C-APP-012", .error, "ADAL and MSAL are not in one app.",
            why: "Both define the same Objective-C classes; which one runs is chance.", bad: "pod 'ADAL'\npod 'MSAL'",
            good: "pod 'MSAL'", source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M14"]),
        Rule(
            "B2C-APP-013", .error, "Libraries beside MSAL are new enough for it.",
            why: "Below it apps do not share sign-ins, or management policies do not hold.",
            bad: "pod 'IntuneMAMSwift', '~> 11.0'", good: "pod 'IntuneMAMSwift', '~> 11.1.2'",
            source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M12", "M13"]),
        Rule(
            "B2C-APP-014", .error, "Scope lists hold no reserved scope.",
            why: "MSAL refuses openid, profile and offline_access with -50000 and -42000.",
            bad: "[\"openid\", \"user.read\"]", good: "[\"user.read\"]",
            source: "MSAL objc MSALPublicClientApplication.m",
            rows: ["C06"]),
        Rule(
            "B2C-APP-015", .error, "An authority of B2C has the form https://HOST/tfp/TENANT/POLICY.",
            why: "Without tfp the factory makes a directory authority of it and drops the policy without a word.",
            bad: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
            good: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi",
            source: "MSAL objc MSALAuthority.m", rows: ["B04", "C06"]),
        Rule(
            "B2C-APP-016", .warning, "Scopes of a B2C app name the API they belong to.",
            why: "B2C issues no access token for a bare word, and MSAL reports an internal error.",
            bad: "[\"demo.read\"]", good: "[\"https://contoso.onmicrosoft.com/demo/demo.read\"]",
            source: "Microsoft docs: access-tokens", rows: ["B04"]),
        Rule(
            "B2C-APP-017", .error, "knownAuthorities holds the authority of every policy that is used.",
            why: "MSAL starts, then fails the first token call of that policy with -50000 and -42008.",
            bad: "knownAuthorities = [signIn, edit], and a call with reset",
            good: "knownAuthorities = [signIn, edit, reset]",
            source: "MSAL objc MSALPublicClientApplication.m", rows: ["B06"]),
        Rule(
            "B2C-APP-018", .error, "Silent parameters have no login hint.",
            why: "The property exists on interactive parameters only; the code does not compile.",
            bad: "silentParameters.loginHint = \"username\"", good: "MSALSilentTokenParameters(scopes: s, account: a)",
            source: "MSAL objc MSALSilentTokenParameters.h", rows: ["B17"]),
        Rule(
            "B2C-APP-019", .error, "UIWebView is not used.",
            why: "iOS has it no more, and the App Store refuses apps with it.", bad: "UIWebView()", good: "WKWebView()",
            source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M04"]),
        Rule(
            "B2C-APP-020", .error, "Scopes are real ones, not a template's.",
            why: "B2C answers AADB2C90117 or issues no access token.", bad: "\"<your-resource-here>/.default\"",
            good: "\"https://graph.microsoft.com/.default\"", source: "Microsoft docs: migrate-objc-adal-msal",
            rows: ["M03"]),
        Rule(
            "B2C-APP-021", .error, "AuthSettings.plist has AppId as a string and GraphScopes as an array of strings.",
            why: "The client id is nil, making the client fails, and the app waits for ever.",
            bad: "<key>GraphScopes</key><string>User.Read</string>",
            good: "<key>GraphScopes</key><array><string>User.Read</string></array>",
            source: "Microsoft docs: Graph tutorial for iOS", rows: ["G01"]),
        Rule(
            "B2C-APP-022", .advice, "AuthSettings.plist is not committed.",
            why: "The tutorial keeps the app id out of the repository.", bad: ".gitignore without it",
            good: "AuthSettings.plist in .gitignore", source: "Microsoft docs: Graph tutorial for iOS", rows: ["G01"]),
        Rule(
            "B2C-APP-023", .warning, "Account identifiers are compared whole.",
            why: "They are opaque: their parts have changed before, and two accounts may share an ending.",
            bad: "objectId.hasSuffix(policy)", good: "application.account(forIdentifier: identifier)",
            source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M07"]),
        Rule(
            "B2C-APP-024", .warning, "Tokens are not written to logs.",
            why: "Anyone who reads the log can act as the person.",
            bad: "NSLog(@\"Got token: %@\", result.accessToken)",
            good: "NSLog(@\"Got a token\")", source: "RFC 6750 section 5.3", rows: ["G08"]),
        Rule(
            "B2C-APP-025", .warning, "Nothing is cast to Error by force.",
            why: "When result and error are both nil the app crashes.", bad: "error ?? \"none\" as! Error",
            good: "error.map(String.init(describing:)) ?? \"none\"", source: "Swift's documentation of type casting",
            rows: ["B09", "B21"]),
        Rule(
            "B2C-APP-026", .warning, "Webview parameters have a view to be shown in.",
            why: "The parameterless form fails with -42000 below iOS 13 and macOS 10.15.",
            bad: "MSALWebviewParameters()",
            good: "MSALWebviewParameters(authPresentationViewController: self)",
            source: "MSAL objc MSALWebviewParameters.h", rows: ["R06"]),
        Rule(
            "B2C-APP-027", .warning, "An assertion can fail.", why: "assert(true, ...) says nothing when it should.",
            bad: "assert(true, \"no result\")", good: "assertionFailure(\"no result\")",
            source: "Swift's documentation of assertions", rows: ["M20"]),
        Rule(
            "B2C-APP-028", .warning, "Why a client could not be made is looked at.",
            why: "Messages to nil do nothing: the sign-in call never calls back, and its spinner turns for ever.",
            bad: "[[MSALPublicClientApplication alloc] initWithClientId:id error:nil]", good: "... error:&error]",
            source: "Microsoft docs: Graph tutorial for iOS", rows: ["G03"]),
        Rule(
            "B2C-APP-029", .warning, "The branch for interactionRequired ends the callback.",
            why: "The lines after it report the error although the app is asking the person already.",
            bad: "if code == interactionRequired { signIn() }\nlog(error)",
            good: "if code == interactionRequired { signIn(); return }", source: "the B2C sample app for iOS",
            rows: ["B18"]),
        Rule(
            "B2C-APP-030", .error, "Client ids and policies of the code exist in the tenant.",
            why: "B2C answers with an error page for the app, or 404 for the policy.", bad: "B2C_1_sussi",
            good: "B2C_1_susi", source: "the tenant file", rows: ["B04"]),
        Rule(
            "B2C-APP-031", .error,
            "The authority of a directory app is https, with a tenant, and none of B2C or AD FS.",
            why: "MSALAADAuthority refuses it with -51100 or -51112, or signs in somewhere else.",
            bad: "https://login.microsoftonline.com", good: "https://login.microsoftonline.com/common",
            source: "MSAL objc MSIDAADAuthority.m", rows: ["C06"]),
        Rule(
            "B2C-APP-032", .error, "The Graph endpoint is the https root of Graph, with or without a last slash.",
            why: "The code adds version and path to it; a token must not travel by plain http.",
            bad: "let kGraphEndpoint = \"http://graph.microsoft.com/v1.0/\"",
            good: "let kGraphEndpoint = \"https://graph.microsoft.com/\"", source: "Microsoft docs: tutorial-v2-ios",
            rows: ["R20"]),
        Rule(
            "B2C-APP-033", .warning, "The status of an API's answer is looked at.",
            why: "A 401 with a JSON body is shown as if it were the result.",
            bad: "dataTask(with: request) { data, _, error in show(data) }",
            good: "guard (response as? HTTPURLResponse)?.statusCode == 200 else { ... }",
            source: "RFC 6750 section 3; Microsoft docs: tutorial-v2-ios", rows: ["R21"]),
        Rule(
            "B2C-APP-034", .warning, "The body of an answer is not unwrapped by force.",
            why: "The app crashes when an answer has none.", bad: "JSONSerialization.jsonObject(with: data!)",
            good: "guard let data else { return }", source: "Microsoft docs: tutorial-v2-ios", rows: ["R21"]),
        Rule(
            "B2C-APP-035", .warning, "The settings of a B2C app are declared, and are what the authority is made of.",
            why:
                "The authority is put together from host, tenant and policy; what does not fit gives an address of nothing.",
            bad: "let kAuthorityHostName = \"https://contoso.b2clogin.com\"",
            good: "let kAuthorityHostName = \"contoso.b2clogin.com\"",
            source: "Microsoft docs: configure-authentication-sample-ios-app", rows: ["B04"]),
        Rule(
            "B2C-APP-036", .warning, "Signing out clears the access token that the app keeps.",
            why: "API calls go on with the token of the person who has signed out.",
            bad: "try application.remove(account)", good: "try application.remove(account); accessToken = nil",
            source: "the B2C sample app for iOS", rows: ["B23"]),
        Rule(
            "B2C-APP-037", .error, "Apps that share MSAL's keychain group are signed by one team.",
            why: "The group's name begins with the team's id, so each app sees a cache of its own.",
            bad: "DEVELOPMENT_TEAM of two teams", good: "the same DEVELOPMENT_TEAM",
            source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M12"]),
        Rule(
            "B2C-APP-038", .error, "Objective-C sources have no backtick.",
            why: "A copy of the migration guide's method has one at its end, and does not compile.",
            bad: "options:(NSDictionary *)options`", good: "options:(NSDictionary *)options",
            source: "Microsoft docs: migrate-objc-adal-msal", rows: ["M16"]),
        Rule(
            "B2C-APP-039", .warning, "Webview parameters are made by an initialiser that MSAL 2 has.",
            why: "initWithParentViewController went with MSAL 2; the code does not compile after an update.",
            bad: "[[MSALWebviewParameters alloc] initWithParentViewController:self]",
            good: "[[MSALWebviewParameters alloc] initWithAuthPresentationViewController:self]",
            source: "MSAL objc MSAL_2x_Migration_Guide.md", rows: ["G04"]),
        Rule(
            "B2C-APP-040", .advice, "The app distinguishes a sign-in that the person cancelled from a failure.",
            why: "People who close the page on purpose see an error with a number.",
            bad: "if (error) { [self showAlert:error]; }",
            good: "if (error.code == MSALErrorUserCanceled) { return; }",
            source: "Microsoft docs: msal-error-handling-ios", rows: ["G11"]),
        Rule(
            "B2C-APP-041", .warning, "A setting has one value in an app.",
            why: "One target signs in as another app, or at another tenant, than the other.",
            bad: "kClientID of two values in two files", good: "one declaration",
            source: "Microsoft docs: tutorial-v2-ios", rows: ["S1"]),
    ]
}
