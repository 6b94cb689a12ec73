import Diagnostics

/// The name that a person meant who wrote another one.
public struct Suggestion: Hashable, Sendable {
    /// A name that is known.
    public var name: String
    /// What goes with it, such as `with "policy": "reset"`.
    public var addition: String?

    /// - Parameters:
    ///   - name: A name that is known.
    ///   - addition: What goes with it.
    public init(_ name: String, _ addition: String? = nil) {
        self.name = name
        self.addition = addition
    }

    /// The name that was meant, or `nil` when none is known to be: a wrong suggestion costs more than none.
    ///
    /// First come names that differ in letter case and separators alone or by one slip, then the words that mean the same
    /// elsewhere, then the nearest name.
    public init?(for word: String, among names: [String], synonyms: Synonyms = .files) {
        let folded = Synonyms.folded(word)
        // A dollar sign makes another kind of name of a word.
        let alike = names.filter { $0.hasPrefix("$") == word.hasPrefix("$") }
        let slip = alike.first { Synonyms.folded($0) == folded } ?? alike.first { isOneSlip(word, of: $0) }
        if let slip {
            self.init(slip)
        } else if let known = synonyms.meant(by: folded, among: names) {
            self = known
        } else if folded.hasPrefix("get"), let own = names.first(where: { "get" + Synonyms.folded($0) == folded }) {
            self.init(own)
        } else if let near = nearestName(word, among: alike) ?? nearestName(word, among: names) {
            self.init(near)
        } else {
            return nil
        }
    }

    /// The question, with the name between marks.
    public func question(_ mark: String = "`") -> String {
        "Did you mean \(mark)\(name)\(mark)\(addition.map { " \($0)" } ?? "")?"
    }
}

/// Words that other tools, libraries and languages have for what a name means here.
///
/// A word can stand for several names; the first of those that are possible at the place wins.
public struct Synonyms: Sendable {
    private let byWord: [String: [Suggestion]]

    /// - Parameter rows: A name, what goes with it, and the words for it, in any letter case and with any separators.
    public init(_ rows: [(name: String, addition: String?, words: String)]) {
        var byWord: [String: [Suggestion]] = [:]
        for row in rows {
            for word in row.words.split(separator: " ") {
                byWord[Self.folded(String(word)), default: []].append(Suggestion(row.name, row.addition))
            }
        }
        self.byWord = byWord
    }

    fileprivate func meant(by folded: String, among names: [String]) -> Suggestion? {
        byWord[folded]?.first { names.contains($0.name) }
    }

    /// A word without letter case and separators: `access_token` is `accessToken`. A dollar sign has a meaning.
    fileprivate static func folded(_ word: String) -> String {
        word.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "$" }
    }

    /// The words for keys and values of scenario, tenant, target and project files.
    public static let files = Synonyms(
        verbs + modifiers + roots + people + outcomes + calls + tenants + apps + values)

    private typealias Rows = [(name: String, addition: String?, words: String)]

    private static let verbs: Rows = [
        (
            "acquireToken", nil,
            """
            login logIn signIn logon signOn loginPopup loginRedirect loginUser signInUser signInPopup signInRedirect \
            startLogin startSignIn getToken getAccessToken getIdToken requestToken fetchToken obtainToken retrieveToken token \
            tokens authenticate authorize authorise auth acquire acquireTokenPopup acquireTokenRedirect \
            acquireTokenInteractive acquireTokenInteractively acquireTokenByCode acquireAccessToken interactive sso consent \
            interactiveSignIn interactiveLogin signInInteractive signInInteractively initiateLogin beginSignIn doLogin
            """
        ),
        (
            "acquireToken", "with \"policy\": \"reset\"",
            "resetPassword passwordReset forgotPassword forgotPasswordFlow changePassword recoverPassword newPassword"
        ),
        (
            "acquireToken", "with \"policy\": \"edit\"",
            "editProfile profileEdit profileEditing updateProfile changeProfile profile manageProfile"
        ),
        (
            "acquireToken", "with { \"press\": \"signUp\" } in \"user\"",
            "signUp register registration createAccount registerUser createUser newUser join enroll"
        ),
        (
            "acquireTokenSilent", nil,
            """
            silent silently refresh refreshToken refreshTokens refreshAccessToken renew renewToken silentToken \
            silentRefresh tokenSilent getTokenSilent getTokenSilently acquireSilent acquireTokenSilently \
            acquireTokenFromCache acquireTokenByRefreshToken acquireTokenRefresh ssoSilent silentLogin silentSignIn \
            loginSilent signInSilent signInSilently silentAuth trySilent restoreSession cachedToken tokenFromCache \
            updateToken useRefreshToken redeemRefreshToken
            """
        ),
        ("accounts", nil, "allAccounts getAllAccounts listAccounts listUsers loadAccounts accountList identities"),
        (
            "currentAccount", nil,
            "activeAccount getActiveAccount getAccount whoami me currentUser getCurrentUser signedInUser userInfo"
        ),
        (
            "removeAccount", nil,
            "deleteAccount forgetAccount clearAccount dropAccount remove deleteUser forget clearAccounts removeUser"
        ),
        (
            "signOut", nil,
            "logout logOff signOff logoutRedirect logoutPopup endSession signOutUser logoutUser disconnect signOutPopup"
        ),
        ("deviceInformation", nil, "deviceInfo device deviceMode getDeviceMode sharedDevice getDeviceInfo"),
        (
            "cancelInteraction", nil,
            "cancel abort cancelSignIn cancelLogin cancelCurrentWebAuthSession dismiss cancelCall cancelRequest stop"
        ),
        (
            "deliver", nil,
            """
            openURLInApp handleUrl handleURL handleRedirect handleRedirectPromise handleMSALResponse handleResponse \
            handleCallback callback redirect deepLink universalLink appLink returnToApp deliverUrl onNewIntent intent \
            sendUrl resumeAuthorizationFlow
            """
        ),
        (
            "callApi", nil,
            "api callRest callService callGraph invoke invokeApi useApi apiCall apiRequest call protectedApi"
        ),
        ("resume", nil, "continue goOn proceed finish complete resumeStep unpause carryOn continueStep"),
        (
            "open", nil,
            "navigate goto goTo visit browse openUrl openPage openBrowser launchBrowser load loadPage loadUrl url page"
        ),
        (
            "http", nil,
            """
            request requests httpRequest sendRequest send post get put delete patchRequest head curl wget xhr ajax fetch \
            rest restCall query rawRequest exchange webRequest
            """
        ),
        (
            "callExtension", nil,
            "extension customExtension callCustomExtension authenticationExtension authenticationEvent callEvent webhook"
        ),
        (
            "advanceClock", nil,
            """
            wait waitFor sleep delay pause advance advanceTime advanceBy tick time clock passTime timeTravel travel moveClock \
            moveTime setClock setTime forward fastForward skipTime elapse elapsed later timePasses letTimePass idle \
            sleepFor waitSeconds waitUntil skipAhead jump shiftClock addTime
            """
        ),
        (
            "configure", nil,
            """
            patch set change update modify config configuration settings setting override setTenant updateTenant \
            changeTenant tenant reconfigure setup admin administrator disableUser disableAccount blockUser lockUser \
            revoke revokeToken revokeTokens revokeSessions revokeRefreshTokens rollKeys rotateKeys rotateKey keyRollover \
            rollover enable disable updateUser setUser configureTenant given
            """
        ),
        (
            "mintToken", nil,
            "mint createToken signToken forgeToken forge makeToken issueToken fakeToken generateToken buildToken jwt craftToken"
        ),
        (
            "inspect", nil,
            """
            cache cookies storage keychain inbox readCache dumpCache getCache showCache show print dump log debug look read \
            readInbox peek view snapshot localStorage sessionStorage
            """
        ),
        (
            "importCache", nil,
            "loadCache setCache seedCache restoreCache import writeCache fillCache putCache migrateCache populateCache"
        ),
        (
            "restart", nil,
            """
            kill killApp relaunch relaunchApp restartApp reboot terminate launch launchApp reload reloadPage refreshPage \
            reinstall uninstall reset resetApp start startApp restartBrowser restartDevice
            """
        ),
        ("restart", "with \"wipe\": [\"cache\"]", "wipe clear clearCache emptyCache deleteCache resetCache wipeCache"),
        ("restart", "with \"wipe\": [\"cookies\"]", "clearCookies deleteCookies wipeCookies"),
        ("restart", "with \"wipe\": [\"storage\"]", "clearStorage clearData wipeStorage"),
        (
            "createClient", nil,
            "newClient client createApp initialize init initialise construct new instantiate createInstance"
        ),
        ("steps", nil, "group sequence block do actions serial sequential series inOrder step list substeps"),
        (
            "parallel", nil,
            "concurrent concurrently together simultaneous simultaneously race all async inParallel fork branches threads"
        ),
        ("barrier", nil, "sync synchronize synchronise rendezvous gate latch meet meetingPoint semaphore lock"),
    ]

    /// Keys of a step that go with every verb.
    private static let modifiers: Rows = [
        (
            "expect", nil,
            """
            assert asserts assertion assertions expected expectation expectations should verify check checks ensure \
            validate outcome result results response output want test match matches toEqual equals expects returns must
            """
        ),
        ("expect", "with \"error\"", "error expectError fails throws shouldFail expectFailure raises failsWith"),
        ("expectIn", nil, "expectCase expectCases expectInCase expectInCases expectByCase expectPerCase expectFor"),
        ("only", nil, "onlyCases onlyIn onlyCase onlyInCases case cases when if inCases forCases runIf condition"),
        ("user", "with [ { \"press\": \"continue\" } ]", "click tap press submit button clickButton pressButton"),
        ("user", "with [ { \"fill\": { ... } } ]", "fill type enter input fillIn enterText typeText"),
        ("user", "with [ { \"window\": \"close\" } ]", "close closeWindow closeBrowser closePopup swipe window"),
        ("expect", "with \"messages\"", "messages mails mail emails sms"),
        (
            "user", nil,
            "person people as who actor ui userActions interactions act human page pages browser at personas"
        ),
        ("then", nil, "next onComplete onCompletion completion completionHandler onSuccess afterwards andThen"),
        ("repeat", nil, "times loop count retry retries iterations repetitions repeats foreach for"),
        ("copies", nil, "instances replicas parallelism clones concurrency"),
        ("client", nil, "app application clientName onClient withClient"),
        (
            "faults", nil,
            "fault failures intercept interceptors network inject mock mocks stub stubs chaos offline simulate errors"
        ),
        ("id", nil, "key ref stepId alias"),
        ("name", nil, "title label caption displayName heading subject tenantName"),
        (
            "description", nil,
            "comment comments note notes doc docs text desc summary about detail details message errorDescription"
        ),
        ("proves", nil, "proof reason reasons why"),
    ]

    /// Keys of a scenario.
    private static let roots: Rows = [
        ("$schema", nil, "schema jsonSchema"),
        ("steps", nil, "tests test script flow run scenario instructions commands stages when"),
        ("finally", nil, "teardown cleanup cleanUp afterAll afterEach after always atEnd end last"),
        ("tenant", nil, "tenantFile tenantPath directory environment fixture tenants authority"),
        ("app", nil, "application appName defaultApp"),
        ("clients", nil, "apps applications devices instances"),
        ("clock", nil, "now date time start startTime startAt today startsAt timestamp"),
        ("variables", nil, "vars variable params parameters env inputs input constants arguments args define values"),
        ("configure", nil, "before beforeAll beforeEach fixtureSettings overrides"),
        ("cases", nil, "examples variants variations matrix data table each scenarios permutations rows dataset"),
        ("needs", nil, "requires require requirements capabilities capability dependsOn preconditions"),
        ("skip", nil, "ignore ignored disabled skipped todo pending disable off"),
        (
            "expectedFailure", nil,
            "xfail knownFailure knownBug knownIssue failing expectFailure expectFail expectedToFail known shouldFail"
        ),
        ("tags", nil, "labels groups categories category keywords markers tag suite"),
        ("links", nil, "urls references reference refs see seeAlso issues issue ticket"),
    ]

    /// What a person does at a page.
    private static let people: Rows = [
        (
            "press", nil,
            "click tap button submit push hit select choose pressButton clickButton clickOn link action do buttonPress"
        ),
        ("press", "with \"cancel\"", "cancel"),
        (
            "fill", nil,
            "type enter input inputs fields field set values with form write fillIn typeIn text data fillOut enterText into"
        ),
        ("as", nil, "user person who account login by name persona signIn"),
        ("on", nil, "page at in where screen when onPage atPage view waitForPage"),
        ("window", nil, "browser popup tab swipe background switchApp"),
        ("window", "with \"close\"", "close closeWindow dismiss abandon closeBrowser quit exit leave"),
        ("window", "with \"back\"", "back goBack"),
        ("window", "with \"reload\"", "reload refresh"),
        ("wait", nil, "sleep delay pause after idle time"),
        ("optional", nil, "maybe ifPresent ifShown mayBeMissing if canSkip allowMissing"),
        ("keepSignedIn", nil, "kmsi staySignedIn rememberMe remember keepMeSignedIn"),
        (
            "confirmPassword", nil,
            "reenterPassword repeatPassword passwordConfirm passwordConfirmation confirm password2"
        ),
        ("code", nil, "otp otpCode verificationCode oneTimeCode pin totp smsCode"),
    ]

    /// Outcomes of steps and what is in their records.
    private static let outcomes: Rows = [
        ("messages", nil, "mails mail emails email sms texts notifications inbox outbox message letters codes"),
        ("requests", nil, "http calls network exchanges traffic httpRequests api responses request har fetches"),
        ("pages", nil, "page screens screen views view dialogs ui html"),
        ("events", nil, "logs log telemetry event cacheEvents"),
        ("trace", nil, "journey journeys policy orchestration policySteps userJourney journeySteps traces"),
        (
            "result", nil,
            "accessToken idToken token tokens account scopes returns value output ok success body response data claims"
        ),
        ("error", nil, "failure exception fails err errorCode throws thrown kind code failed reason problem"),
        ("pending", nil, "waiting waits suspended blocked unfinished paused open"),
        ("callback", nil, "redirect redirectUrl redirectUri returnUrl url location"),
        ("elapsed", nil, "duration took seconds time timing elapsedTime"),
        ("code", nil, "errorCode errorNumber number errno"),
        ("kind", nil, "type category sort variant"),
        ("type", nil, "kind flow userFlow event category"),
        ("b2cCode", nil, "aadb2c b2cErrorCode aadb2cCode b2cError serviceCode"),
        ("oauthError", nil, "oauth oauthErrorCode serverError errorName"),
        ("subError", nil, "suberrorCode sub_error"),
        ("httpStatus", nil, "status statusCode httpCode httpStatusCode"),
        ("status", nil, "statusCode code httpStatus httpCode"),
        ("accessToken", nil, "token jwt bearer"),
        ("idToken", nil, "identityToken identity id"),
        ("expiresOn", nil, "expires expiry expiration expiresAt expiresIn exp"),
        ("fromCache", nil, "cached isCached cacheHit"),
        ("fields", nil, "inputs controls input form textboxes"),
        ("buttons", nil, "links actions button"),
        ("title", nil, "heading header headline caption"),
        ("error", nil, "message errorMessage errorText alert"),
        ("locale", nil, "language lang culture uiLocales"),
        ("to", nil, "recipient address destination receiver"),
        ("text", nil, "content body message"),
        ("endpoint", nil, "what target service"),
        ("method", nil, "verb httpMethod requestMethod"),
        ("query", nil, "queryParameters queryString querystring params parameters search"),
        ("form", nil, "formData formFields postData urlencoded fields"),
        ("json", nil, "data payload jsonBody content"),
        ("body", nil, "data payload text content rawBody"),
        ("headers", nil, "head requestHeaders header httpHeaders"),
        ("header", nil, "head headers"),
        ("url", nil, "uri address href link location"),
        ("host", nil, "hostname server domain tenantHost"),
        ("claims", nil, "payload body attributes"),
        ("$equals", nil, "$eq $is $same $value $toBe"), ("$exists", nil, "$present $absent $defined $missing"),
        ("$not", nil, "$ne $notEqual $isNot $nor"), ("$any", nil, "$or $oneOf $anyOf $in"),
        ("$all", nil, "$and $allOf $every"), ("$matches", nil, "$regex $regexp $pattern $match $like"),
        ("$contains", nil, "$includes $include $substring $has"), ("$startsWith", nil, "$prefix $beginsWith"),
        ("$endsWith", nil, "$suffix"), ("$length", nil, "$count $size $len"), ("$gte", nil, "$min $atLeast $ge"),
        ("$lte", nil, "$max $atMost $le"), ("$gt", nil, "$greaterThan $above $after"),
        ("$lt", nil, "$lessThan $below $before"), ("$unordered", nil, "$set $anyOrder $sameMembers"),
        ("$type", nil, "$typeof $kind"), ("$json", nil, "$parse"), ("$jwt", nil, "$token $jws"),
        ("$times", nil, "times $occurs occurs"),
    ]

    /// Parameters of calls and of faults.
    private static let calls: Rows = [
        ("policy", nil, "userFlow flow policyId policyName b2cPolicy journey userJourney p tfp"),
        ("loginHint", nil, "hint username user email loginName signInName"),
        ("domainHint", nil, "idp provider identityProvider domain federation"),
        (
            "extraQueryParameters", nil,
            "queryParameters query parameters params extraParameters extraParams extraQueryParams additionalParameters qp"
        ),
        ("claimsRequest", nil, "claims requestedClaims claimsParameter"),
        ("scopes", nil, "permissions resources audience resource"),
        ("interaction", nil, "interactionType popup redirect webview ui mode"),
        ("forceRefresh", nil, "force refresh skipCache noCache bypassCache cache"),
        ("account", nil, "user username homeAccountId accountId person"),
        ("token", nil, "accessToken bearer authorization auth"),
        ("json", nil, "body"),
        ("api", nil, "name service"),
        ("fromBrowser", nil, "browser global federated everywhere singleLogout endBrowserSession"),
        ("wipeCache", nil, "clearCache cache clear"),
        ("wipeAccount", nil, "removeAccount forget"),
        ("wipe", nil, "clear delete erase reset empty clean stores"),
        ("lifetime", nil, "expiresIn ttl validFor expires exp duration life"),
        ("alg", nil, "algorithm signingAlgorithm"),
        ("tamper", nil, "break corrupt invalid signature manipulate"),
        ("match", nil, "when where on for request url endpoint if filter matching target"),
        ("respond", nil, "reply return answer status mock with fulfill"),
        ("reply", nil, "respond response return answer"),
        ("b2cError", nil, "error aadb2c b2c b2cCode refusal"),
        ("delay", nil, "latency wait sleep slow pause"),
        ("rate", nil, "probability chance percent percentage"),
        ("times", nil, "count repeat limit occurrences max"),
        ("network", nil, "offline drop disconnect connection timeout abort fail networkError"),
        ("skip", nil, "after offset"),
        ("what", nil, "app target kind which object"),
    ]

    /// Keys of tenant, target and project files.
    private static let tenants: Rows = [
        ("policies", nil, "userFlows flows customPolicies userflow policy"),
        ("apps", nil, "applications clients appRegistrations registrations app"),
        ("users", nil, "people accounts persons identities members user directory"),
        ("apis", nil, "api resources services resourceServers webApis"),
        ("providers", nil, "idps identityProviders socialProviders federation socialLogins social"),
        ("rest", nil, "restApis restServices stubs mocks connectors apiConnectors restStubs"),
        ("hosts", nil, "host domains domain customDomains customDomain"),
        ("keySets", nil, "keys jwks signingKeys keyset"),
        ("policyKeys", nil, "secrets keyContainers policyKeysets"),
        ("policySettings", nil, "settings appsettings appSettings"),
        ("inbox", nil, "mail mailbox emails messages smtp"),
        ("id", nil, "tenantId directoryId policyId objectId identifier uuid guid"),
        ("file", nil, "path xml policyFile filename relyingParty"),
        ("mfa", nil, "multiFactor secondFactor twoFactor 2fa multifactorAuthentication"),
        ("claims", nil, "applicationClaims outputClaims tokenClaims returnClaims"),
        ("attributes", nil, "userAttributes collectedAttributes signUpAttributes collect"),
        ("signInName", nil, "identifierType loginType localAccount localAccounts accountType"),
        ("forgotPassword", nil, "passwordReset resetPassword selfServicePasswordReset sspr"),
        ("languages", nil, "locales language translations"),
        ("pageTemplate", nil, "theme branding look layout"),
        ("slidingWindow", nil, "sessionWindow refreshTokenSliding rollingWindow"),
        ("issuer", nil, "iss issuerClaim"),
        ("subject", nil, "sub subjectClaim"),
        ("url", nil, "baseUrl server endpoint target"),
        ("baseUrl", nil, "url endpoint address root uri"),
        ("timeout", nil, "requestTimeout wait"),
        ("proxy", nil, "httpProxy httpsProxy"),
        ("caFile", nil, "ca certificate cert caCertificate rootCertificate"),
        ("pacing", nil, "throttle rateLimit limit"),
        ("reports", nil, "report output outputs"),
        ("junit", nil, "xml junitXml"),
        ("maxFailures", nil, "bail failFast stopAfter"),
        ("jobs", nil, "workers parallel threads concurrency"),
        ("paths", nil, "files folders include scenarios suites path testDir testMatch"),
        ("profiles", nil, "environments profile configurations projects"),
        ("min", nil, "minimum threshold"),
    ]

    /// Keys of apps and people of a tenant file.
    private static let apps: Rows = [
        ("clientId", nil, "appId applicationId id clientID"),
        ("secrets", nil, "secret clientSecret clientSecrets password passwords credentials"),
        ("clientSecret", nil, "secret appSecret password"),
        ("redirectUris", nil, "replyUrls callbacks callbackUrls returnUrls redirectUrls redirects"),
        ("redirectUri", nil, "redirectUrl replyUrl callbackUrl returnUrl callback"),
        ("logoutUrl", nil, "postLogoutRedirectUri frontChannelLogoutUrl signOutUrl logoutUri"),
        ("kind", nil, "type library sdk client msal lib"),
        ("knownAuthorities", nil, "trustedAuthorities validateAuthority authorities"),
        ("scopes", nil, "apiPermissions requiredResourceAccess scope"),
        ("bundleId", nil, "bundle bundleIdentifier packageName package applicationId"),
        ("os", nil, "system operatingSystem platform"),
        ("origin", nil, "url host site baseUrl"),
        ("storage", nil, "cacheLocation cache tokenCache"),
        ("registered", nil, "exists isRegistered hasAccount signedUp new"),
        ("email", nil, "mail emailAddress emails e-mail"),
        ("username", nil, "login signInName user userPrincipalName upn"),
        ("password", nil, "pass pwd passwd secret passphrase"),
        ("newPassword", nil, "nextPassword password2 changedPassword"),
        ("phone", nil, "mobile phoneNumber telephone mobilePhone cell"),
        ("objectId", nil, "id oid sub userId localAccountId"),
        ("accountEnabled", nil, "enabled disabled active isEnabled blocked"),
        ("locked", nil, "lockedOut isLocked lockout"),
        ("totpSecret", nil, "otp totp authenticator otpSecret otpKey"),
        (
            "forcePasswordChange", nil,
            "mustChangePassword passwordExpired forceChangePassword changePasswordAtNextSignIn"
        ),
        ("refreshTokensValidFrom", nil, "revoked tokensValidFrom refreshTokensValidFromDateTime revokedAt"),
        ("audience", nil, "aud audiences"),
        ("audiences", nil, "aud audience validAudiences"),
        ("issuers", nil, "iss validIssuers issuer"),
        ("skew", nil, "clockSkew tolerance leeway"),
        ("expiry", nil, "exp expires lifetime expiration"),
        ("throttle", nil, "rateLimit limit pacing"),
        ("duration", nil, "length time period"),
        ("threshold", nil, "attempts maxAttempts limit count"),
    ]

    /// Words that values are.
    private static let values: Rows = [
        (
            "signUpOrSignIn", nil,
            "susi signUpSignIn signInSignUp signInOrSignUp signupsignin signIn signUp signInUp B2C_1_susi login"
        ),
        ("profileEditing", nil, "editProfile profileEdit edit profile updateProfile"),
        ("passwordReset", nil, "resetPassword reset forgotPassword pwdreset"),
        ("custom", nil, "xml trustFramework ief identityExperienceFramework customPolicy"),
        (
            "msal-browser", nil,
            "msaljs msal-js msal.js javascript js spa browser react angular vue msal-react msal-angular typescript"
        ),
        ("msal-ios", nil, "ios swift msal-objc objc objectivec iphone msal-swift"),
        ("msal-macos", nil, "macos mac osx"),
        ("msal-android", nil, "android kotlin java msal-java"),
        ("msal-dotnet", nil, "dotnet net csharp c# msal.net msalnet maui xamarin desktop"),
        ("web", nil, "server webapp asp aspnet msal-node node confidential express spring openid oidc"),
        ("appauth", nil, "app-auth oidc-client"),
        ("signIn", nil, "login logIn logon signInPage loginPage susi"),
        ("signUp", nil, "register registration createAccount newAccount join signUpPage"),
        ("continue", nil, "next ok submit go proceed done save create confirm finish"),
        ("cancel", nil, "back abort close dismiss no decline"),
        ("forgotPassword", nil, "resetPassword forgot passwordReset forgotYourPassword reset"),
        ("sendCode", nil, "send sendVerificationCode sendOtp requestCode getCode"),
        ("resendCode", nil, "resend sendNewCode sendAgain sendCodeAgain newCode"),
        ("verifyCode", nil, "verify check verifyOtp checkCode submitCode"),
        ("changeEmail", nil, "changeMail otherEmail editEmail"),
        ("accept", nil, "allow agree yes grant approve consent"),
        ("deny", nil, "refuse reject decline disagree"),
        ("editProfile", nil, "profile profileEditing profileEdit updateProfile"),
        ("verifyEmail", nil, "emailVerification passwordReset resetPassword forgotPassword verify"),
        ("newPassword", nil, "changePassword setPassword passwordChange"),
        ("providerSelection", nil, "providers chooseProvider idpSelection selectProvider homeRealmDiscovery"),
        ("mfa", nil, "secondFactor multiFactor phoneFactor twoFactor"),
        ("signedOut", nil, "logout loggedOut signOut logoutPage"),
        ("close", nil, "cancel quit exit closed x done"),
        ("dismiss", nil, "swipe swipeAway swipeDown swiped"),
        (
            "interactionRequired", nil,
            "interaction_required loginRequired needsInteraction uiRequired InteractionRequiredAuthError"
        ),
        ("userCanceled", nil, "cancel canceled cancelled userCancelled user_cancelled cancelledByUser closed aborted"),
        ("network", nil, "offline noNetwork connection networkError noInternet"),
        ("throttled", nil, "tooManyRequests rateLimited throttling 429"),
        ("server", nil, "serverError service http"),
        ("email", nil, "mail e-mail"),
        ("sms", nil, "text textMessage phone"),
        ("call", nil, "voice phoneCall voiceCall"),
        ("login", nil, "signIn force always reauthenticate"),
        ("selectAccount", nil, "select_account select choose chooseAccount"),
        ("none", nil, "silent no never"),
        ("token", nil, "redeem tokenEndpoint exchange"),
        ("authorize", nil, "authorization authorise authorizeEndpoint login"),
        ("logout", nil, "signOut endSession end_session"),
        ("discovery", nil, "openid-configuration metadata wellKnown openidConfiguration configuration"),
        ("keys", nil, "jwks jwksUri keySet certs"),
        ("userinfo", nil, "userInfoEndpoint profile me"),
        ("localStorage", nil, "local persistent"),
        ("sessionStorage", nil, "session tab"),
    ]
}
