extension Cause {
    /// Redirect URIs and registration: B01 to B13.
    static let redirects: [Cause] = [
        Cause(
            "B01", script: "http-redirect-behind-proxy", reach: .common, libraries: [.identityWeb],
            "The app sends an http redirect URI, mostly since a proxy in front of it ends TLS, and only https is registered.",
            signs: [
                .strong("{httpRedirect}"),
                .strong(
                    "aadb2c90006 & redirect_uri=http:* | aadb2c90006 & 'http:* & !'http://localhost* & !'http://127.0.0.1*"
                ),
                .fair("redirect_uri_mismatch"), .fair("aadb2c90006"),
                .excluded(by: "the redirect uri https:* | the redirect uri 'https:*"),
                .weak("ingress | x-forwarded-proto | reverse proxy"),
            ],
            checks: [
                "Compare the redirect URI of the request with the registered one, letter by letter: scheme, host, port, path, slash.",
                "Behind a proxy: does the app see X-Forwarded-Proto, and does it use it?",
            ],
            fix: "Let the app honour the forwarded protocol, so that it sends the https URI that is registered."),
        Cause(
            "B02", script: "client-id-of-the-api", reach: .occasional,
            "The sign-in is started with the client id of a registration that has no redirect URI, such as the web API's.",
            signs: [
                .certain("aadb2c90007"), .fair("no registered redirect uri*"), .weak("redirect uris & registered"),
            ],
            checks: ["Look up the client id of the request: is it the app that signs in, or the API?"],
            fix: "Sign in with the front end's registration; the API's is the audience alone."),
        Cause(
            "B03", script: "scheme-missing-in-info-plist", reach: .common, libraries: [.msalIOS],
            "The scheme of the redirect URI is not in CFBundleURLSchemes of Info.plist, so the client is not made.",
            signs: [
                .strong("-42001"), .strong("redirectschemenotregistered"), .against("lsapplicationqueriesschemes"),
                .strong("url scheme & not registered | url scheme & cfbundleurlschemes"),
                .fair("cfbundleurlschemes"), .fair("cfbundleurltypes"), .weak("info.plist"),
                .weak("unable to create publicclientapplication | unable to create application"),
            ],
            checks: [
                "Is msauth.{bundle id} in CFBundleURLSchemes of the Info.plist of this very build configuration?",
                "Is a build variable in it expanded, and is the bundle id spelled alike, without blanks?",
            ],
            fix: "Put msauth.{bundle id} into CFBundleURLSchemes."),
        Cause(
            "B04", script: "no-handler-for-the-scheme", reach: .common, libraries: [.msalNET],
            "The sign-in succeeds and redirects to the app's scheme, which no app on the device takes.",
            signs: [
                .strong("safari cannot open the page because the address is invalid"),
                .strong("address is invalid & safari"), .fair("cannot open the page"),
                .fair("err_unknown_url_scheme"), .fair("scheme does not have a registered handler"),
                .weak("xamarin"), .weak("{responseCode}"),
            ],
            checks: [
                "Is the scheme of the redirect URI in Info.plist (iOS) or in an intent filter (Android)?",
                "Do portal, code and app list the same scheme?",
            ],
            fix: "Register the scheme with the app, and let the delegate hand the URL to the library."),
        Cause(
            "B05", script: "callback-not-forwarded", reach: .common, libraries: [.msalIOS],
            "The answer reaches the app delegate, which does not hand it to the library; the page stays open until somebody closes it.",
            signs: [
                .fair("-50005 & !aadb2c90091 & !aadb2c90118"), .fair("user cancel* & !aadb2c90091 & !aadb2c90118"),
                .fair("sfsafariviewcontroller"), .strong("handlemsalresponse & not called"),
                // What failed is the call without a window.
                .excluded(by: "silent call & interaction_required | acquiretokensilent & interaction_required"),
                .strong("tap done | taps done | tapping done | click done | press done"), .fair("handlemsalresponse"),
                .fair("openurlcontexts"), .weak("stays open"), .weak("does not close | doesn't close | not dismissed"),
                .weak("user_cancelled"),
            ],
            checks: [
                "Does the AppDelegate or SceneDelegate call MSALPublicClientApplication.handleMSALResponse?",
                "With scenes: is it scene(_:openURLContexts:), not application(_:open:)?",
            ],
            fix: "Hand the URL to the library in the delegate that the system calls."),
        Cause(
            "B08", script: "native-asked-for-a-secret", reach: .veryCommon,
            "The redirect URI is registered under the platform Web, so its codes are those of a confidential client.",
            signs: [
                .strong("aadb2c90079"), .fair("clients must send a client_secret"), .fair("must send a client_secret"),
                .weak("@msal-js"), .weak("@appauth"), .weak("@msal-ios"), .weak("@msal-net"), .weak("@msal-android"),
                .weak("undefined - [undefined]"), .against("@msal-node"), .against("confidentialclientapplication"),
            ],
            checks: [
                "Under which platform does the registration list the redirect URI: Web, single-page, or mobile and desktop?",
                "Does the request belong to an app that people install or that runs in a browser?",
            ],
            fix:
                "List the redirect URI under single-page or mobile and desktop, and take it out of Web. The app ships no secret."
        ),
        Cause(
            "B09", script: "secret-not-in-the-form", reach: .occasional,
            libraries: [.msalNode, .identityWeb, .nextAuth],
            "A server app sends its token request without client_secret, as when its settings were not loaded.",
            signs: [
                .fair("aadb2c90079"), .fair("aadb2c90079 & @msal-node"), .fair("aadb2c90079 & confidentialclient*"),
                .fair("must send a client_secret"), .weak("client_secret= &"), .weak("process.env | appsettings"),
                .weak("express"),
            ],
            checks: ["Look at the form of the token request: is client_secret there, and not empty?"],
            fix: "Load the secret before the client is made; the registration is in order."),
        Cause(
            "B10", script: "public-client-sends-a-secret", reach: .occasional,
            "A public client sends a client_secret with a grant of a native or single-page redirect URI.",
            signs: [
                .certain("aadb2c90084"), .fair("public clients should not send a client_secret"),
                .fair("should not send a client_secret"), .weak("client_secret"),
            ],
            checks: ["Does the app send client_secret, and is its redirect URI under mobile or single-page?"],
            fix: "Send no secret; where it is a server app, list its redirect URI under Web."),
        Cause(
            "B11", script: "code-of-another-app", reach: .rare,
            "The code or refresh token of one app is redeemed by another.",
            signs: [
                .certain("aadb2c90279"), .fair("aadb2c90081"),
                .fair("client_secret does not match | client_secret & does not match"), .weak("back end | backend"),
            ],
            checks: [
                "Are the client ids of the authorize and the token request the same?",
                "Is the secret that of this registration, its value and not its id, and has it not expired?",
            ],
            fix: "Redeem a code with the client id and secret of the app that asked for it."),
        Cause(
            "B12", script: "hybrid-flow-not-enabled", reach: .veryCommon,
            "The request wants an ID token at the front (response_type with id_token), and the registration does not hand them out there.",
            signs: [
                .strong("aadb2c90057"), .against("{passwordGrant} | acquiretokenbyusernamepassword"),
                .against("ropc | resource owner | grant_type=password"),
                .fair("oauth implicit flow"), .weak("unauthorized_client"), .weak("{frontTokens}"),
                .weak("@identity-web"), .weak("id_token"),
            ],
            checks: [
                "What does response_type say in the authorize request?",
                "Are ID tokens (and access tokens) of the implicit grant ticked in the registration?",
            ],
            fix: "Ask for response_type=code with PKCE; or tick ID tokens in the registration."),
        Cause(
            "B13", script: "provider-does-not-know-the-callback", reach: .occasional,
            "The identity provider does not know the address that B2C returns to: /oauth2/authresp is missing in its registration.",
            signs: [
                .strong("oauth2/authresp & redirect_uri"), .strong("{upperCaseTenant}"),
                .strong("redirect_uri & not registered & client & microsoft"), .fair("oauth2/authresp"),
                .fair("provided value for the input parameter 'redirect_uri' is not valid"),
                .fair("aadsts50011"), .weak("reply url specified in the request does not match"),
                .weak("microsoft account"),
                .weak("error 400: redirect_uri_mismatch"), .weak("login.live.com"),
            ],
            checks: [
                "At whose page does it fail: B2C's or the provider's? This is the second redirect, from the provider to B2C.",
                "Is https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/oauth2/authresp listed there, in small letters?",
            ],
            fix: "List B2C's /oauth2/authresp address at the provider, tenant name in small letters."),
    ]
}
