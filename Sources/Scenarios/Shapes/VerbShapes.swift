import Exchanges
import HTTPMessages
import JSON
import TenantFiles

/// Shapes of the verbs' parameters.
enum VerbShapes {
    static let named: [String: Shape] = [
        "accountChoice": accountChoice, "tokenText": tokenText, "clientPatch": TenantShapes.clientPatch,
    ]

    /// All verbs as fields of a step, in the order of the language reference.
    static let fields: [Field] = Verb.allCases.map { Field($0.rawValue, shape(of: $0), $0.doc) }

    private static func shape(of verb: Verb) -> Shape {
        switch verb {
        case .createClient: .ref("clientPatch")
        case .acquireToken: parameters(verb, authority + acquireTokenFields)
        case .acquireTokenSilent: parameters(verb, authority + silentFields)
        case .accounts: parameters(verb, accountsFields)
        case .currentAccount, .deviceInformation, .cancelInteraction: parameters(verb, [])
        case .removeAccount: parameters(verb, [account])
        case .signOut: parameters(verb, signOutFields)
        case .deliver: parameters(verb, [Field("url", .url, required: true, "The URL that the system hands over.")])
        case .callApi: callApi
        case .resume: .name(.step)
        case .open: wire(verb, openFields)
        case .http: wire(verb, httpFields, exclusive: [["form", "json", "body"]])
        case .advanceClock: .duration
        case .configure: .ref("tenantPatch")
        case .mintToken: parameters(verb, mintFields)
        case .inspect: .anyOf([.oneOf(ScenarioWords.inspected), parameters(verb, inspectFields)])
        case .importCache: parameters(verb, importCacheFields)
        case .restart: .anyOf([.oneOf(ScenarioWords.restarted), parameters(verb, restartFields)])
        case .steps, .parallel: .array(of: .ref("step"))
        case .barrier: .nonEmptyString
        }
    }

    private static func parameters(_ verb: Verb, _ fields: [Field]) -> Shape {
        .object(ObjectShape(title: "call of `\(verb.rawValue)`", fields: fields))
    }

    // MARK: The app

    private static let authority: [Field] = [
        Field("policy", .name(.policy), "Name of the policy in the tenant file.", defaultText: "the client's"),
        Field("authority", .url, "A literal authority URL in place of the policy."),
        Field("host", .name(.host), "Another host of the tenant.", defaultText: "the client's"),
        Field("scopes", .array(of: .nonEmptyString), "The scopes to ask for.", defaultText: "the client's"),
    ]

    private static let account = Field(
        "account", .ref("accountChoice"), "An account object, its identifier, a selection, or null.",
        defaultText: "the client's only account; none in an interactive call")
    private static let correlationId = Field(
        "correlationId", .nonEmptyString, "The id that ties the call to the server's logs.", defaultText: "a new one")
    private static let claimsRequest = Field(
        "claimsRequest", .anyOf([.string, .map(of: .any, keyHint: "where the claims go: id_token, access_token")]),
        "The claims request parameter of OpenID Connect.")

    private static let acquireTokenFields: [Field] = [
        Field("prompt", .oneOf(ScenarioWords.prompts), "What the authority shows."),
        account,
        Field("loginHint", .string, "A user name to fill in."),
        Field("domainHint", .string, "An identity provider to go to at once."),
        Field(
            "extraQueryParameters", .map(of: FaultShapes.scalar, keyHint: "name of the parameter"),
            "More query parameters."),
        Field(
            "extraScopesToConsent", .array(of: .nonEmptyString), "Scopes to ask consent for beyond the token's."),
        claimsRequest,
        Field(
            "state", .string, "Of msal-browser, appauth and web: the caller's own state, given back with the result."),
        Field(
            "interaction", .oneOf(InteractionKind.allCases.map { Choice($0.rawValue, $0.doc) }),
            "Of msal-browser: how the page is left.", defaultText: "the client's"),
        Field(
            "signIn", .bool, "Of msal-android with `accountMode` `single`: the call is `signIn`.",
            defaultText: "false"),
        correlationId,
    ]

    private static let silentFields: [Field] = [
        account,
        Field(
            "forceRefresh", .bool, "Asks the server even while the cached token is good.", defaultText: "false"),
        claimsRequest,
        correlationId,
        Field(
            "via",
            .oneOf([
                Choice("cache", "The cache alone."), Choice("cacheOrRefresh", "The cache, then the refresh token."),
                Choice("iframe", "A hidden frame at once."),
            ]), "Of msal-browser: where the token may come from. Default: all in turn."),
        Field("loginHint", .string, "Of msal-browser: a user name that a hidden frame sends."),
    ]

    private static let accountsFields: [Field] = [
        Field("identifier", .string, "Only the account with this identifier."),
        Field("username", .string, "Only accounts with this user name."),
        Field("policy", .name(.policy), "Only accounts of this policy."),
    ]

    private static let signOutFields: [Field] = [
        account,
        Field("policy", .name(.policy), "The policy whose session ends.", defaultText: "the client's"),
        Field("fromBrowser", .bool, "Also ends the session in the browser.", defaultText: "false"),
        Field("wipeAccount", .bool, "Also removes the account for all apps of the device.", defaultText: "false"),
        Field("wipeCache", .bool, "Also removes all of the account's cached tokens.", defaultText: "false"),
    ]

    private static let callApi: Shape = .object(
        ObjectShape(
            title: "call of `callApi`",
            fields: [
                Field("api", .name(.apiName), "The API's name in the tenant file."),
                Field("url", .url, "A literal URL."),
                Field("path", .string, "The path under the API's base URL.", defaultText: "/"),
                method,
                Field("headers", .map(of: FaultShapes.header, keyHint: "name of the header field"), "Header fields."),
                Field("json", .any, "A JSON body."),
                Field(
                    "token", .nullable(.ref("tokenText")), "The token to send; null for none.",
                    defaultText: "the client's newest access token"),
                Field("timeout", .duration, "How long to wait for the answer."),
            ], exactlyOneOf: ["api", "url"], exactlyOneWord: "target"))

    // MARK: The wire

    private static let method = Field(
        "method", .pattern("^[A-Z]+$", hint: "capital letters"), "The HTTP method.",
        defaultText: "GET, or POST with a body")

    private static func wire(_ verb: Verb, _ fields: [Field], exclusive: [[String]] = []) -> Shape {
        .object(
            ObjectShape(
                title: "call of `\(verb.rawValue)`",
                fields: [
                    Field("url", .url, "The address."),
                    Field(
                        "endpoint", .oneOf(ExchangeWords.wireEndpoints),
                        "An endpoint of the authority, with the members the current app would send."),
                    Field("policy", .name(.policy), "Whose endpoint.", defaultText: "the client's"),
                    Field("host", .name(.host), "At which host of the tenant.", defaultText: "the client's"),
                    Field("query", members, "Query parameters; null removes one that the app would send."),
                    Field(
                        "headers", .map(of: .nullable(FaultShapes.header), keyHint: "name of the header field"),
                        "Header fields; null removes one."),
                    Field("defaults", .bool, "False leaves out what the app would send.", defaultText: "true"),
                ] + fields, exactlyOneOf: ["url", "endpoint"], exactlyOneWord: "target", atMostOneOf: exclusive))
    }

    private static let openFields: [Field] = [
        Field("frame", .bool, "In a hidden frame.", defaultText: "false")
    ]

    private static let httpFields: [Field] = [
        method,
        Field("form", members, "Fields of a form body; null removes one that the app would send."),
        Field("json", .any, "A JSON body."),
        Field("body", .string, "A body as text."),
        Field("cookies", .bool, "Sends and keeps the browser's cookies.", defaultText: "false"),
        Field(
            "from", .name(.step),
            """
            An `open` or `acquireToken` step: fills `grant_type`, `code`, `code_verifier` and `redirect_uri` of a token \
            request from it.
            """),
    ]

    // MARK: The world

    private static let mintFields: [Field] = [
        Field("from", .ref("tokenText"), "The token to copy."),
        Field("claims", .map(of: .any, keyHint: "name of the claim"), "Patch over the claims; null removes one."),
        Field(
            "header", .map(of: .any, keyHint: "name of the member"), "Patch over the header; null removes a member."),
        Field("lifetime", .duration, "How long it is good from now on; may be negative.", defaultText: "PT1H"),
        Field(
            "key", .nonEmptyString,
            "The key that signs; any unknown name is a fresh key that nobody publishes.",
            defaultText: "the key of the user flows"),
        Field("alg", .oneOf(ScenarioWords.mintAlgorithms), "The signature algorithm.", defaultText: "RS256"),
        Field("tamper", .oneOf(ScenarioWords.tampered), "What is changed after signing."),
    ]

    private static let inspectFields: [Field] = [
        Field("what", .oneOf(ScenarioWords.inspected), required: true, "What to look at."),
        Field("file", .nonEmptyString, "A file to write it to."),
    ]

    private static let restartFields: [Field] = [
        Field("what", .oneOf(ScenarioWords.restarted), required: true, "What starts again."),
        Field("wipe", .array(of: .oneOf(ScenarioWords.wiped)), "What is emptied."),
        Field("api", .name(.apiName), "Which API.", defaultText: "all"),
    ]

    private static let importCacheFields: [Field] =
        [
            Field("file", .nonEmptyString, "A file in the unified schema."),
            Field("unified", .map(of: .any, keyHint: "section of the unified schema"), "The unified schema itself."),
        ]
        + ["accounts", "accessTokens", "refreshTokens", "idTokens", "appMetadata", "accountMetadata"].map {
            Field($0, .array(of: .map(of: .any, keyHint: "member of the item")), "Items as `inspect` gives them.")
        } + [Field("replace", .bool, "Empties the cache first.", defaultText: "false")]

    // MARK: Common

    private static let members = Shape.map(of: .nullable(FaultShapes.scalar), keyHint: "name")

    private static let accountChoice: Shape = .nullable(
        .anyOf([
            .string,
            .object(
                ObjectShape(
                    title: "choice of an account",
                    doc: "An account object, or a selection by policy, user name or person.",
                    fields: [
                        Field("policy", .name(.policy), "The policy that the account was signed in with."),
                        Field("username", .string, "The user name."),
                        Field("person", .name(.person), "The person in the tenant file."),
                        Field("identifier", .string, "The home account id."),
                        Field("objectId", .string, "The object id."),
                        Field("tenantId", .string, "The tenant id."),
                        Field("environment", .string, "The host."),
                        Field("claims", .map(of: .any, keyHint: "name of the claim"), "The account's claims."),
                    ])),
        ]))

    private static let tokenText: Shape = .anyOf([
        .string,
        .object(
            ObjectShape(
                title: "token",
                fields: [
                    Field("raw", .string, required: true, "The token's text."),
                    Field("header", .map(of: .any, keyHint: "name of the member"), "The header."),
                    Field("claims", .map(of: .any, keyHint: "name of the claim"), "The claims."),
                ])),
    ])
}

extension Verb {
    /// What it does, one sentence.
    public var doc: String {
        switch self {
        case .createClient:
            """
            Creates the client with changed settings; implied at first use, written to test start-up or a changed \
            configuration.
            """
        case .acquireToken:
            """
            The app asks for a token and shows the browser: sign-in, sign-up, profile editing and password reset alike.
            """
        case .acquireTokenSilent: "The app asks for a token without showing anything."
        case .accounts: "The app lists its accounts."
        case .currentAccount: "The app asks for the current and the previous account."
        case .removeAccount: "The app removes an account from its cache."
        case .signOut: "The app signs an account out."
        case .deviceInformation: "The app asks how the device is shared."
        case .cancelInteraction: "The app ends its running interactive request by program."
        case .deliver: "The system hands a URL to the app."
        case .callApi: "The app calls a protected API."
        case .resume: "Goes on with a step that ended pending, with this step's user."
        case .open: "The browser goes to an address and follows it as far as it leads; nothing is redeemed."
        case .http: "One HTTP request; no redirect is followed."
        case .advanceClock: "True time moves on for everybody."
        case .configure: "Changes settings: a merge patch over the tenant file."
        case .mintToken: "Makes a token: changed, expired, signed with another key or broken."
        case .inspect: "Looks at what is stored."
        case .importCache: "Puts items into the client's token cache."
        case .restart: "Starts something again, perhaps with its stores wiped."
        case .steps: "A group of steps, one after another."
        case .parallel: "Steps that run at once, taking turns."
        case .barrier: "Waits until every branch that names this barrier has come."
        }
    }
}
