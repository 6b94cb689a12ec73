import B2CProtocol
import Browser
import Exchanges
import JSON

/// Shapes of `expect`: a matcher over the outcome, whose members are known.
package enum OutcomeShapes {
    private typealias Match = MatcherShapes

    package static let named: [String: Shape] = [
        "outcome": outcome,
        "result": Match.object(
            "result", title: "result",
            doc: "What the verb returned. Which members there are depends on the verb.", resultFields),
        "token": Match.object("token", title: "token", tokenFields),
        "account": Match.object("account", title: "account", accountFields),
        "location": Match.object("location", title: "location", locationFields),
        "error": Match.object("error", title: "error", doc: "The client's error.", errorFields),
        "pending": Match.object("pending", title: "pending", doc: "Why the operation waits.", pendingFields),
        "callback": Match.object("callback", title: "callback", callbackFields),
        "requestRecord": Match.object("requestRecord", title: "request record", RequestShapes.fields + answerFields),
        "requestInLog": logged("requestRecord", title: "request record", RequestShapes.fields + answerFields),
        "response": Match.object("response", title: "response", responseFields),
        "pageInLog": logged("page", title: "page record", PageShapes.fields),
        "messageInLog": logged("messageInLog", title: "message record", messageFields),
        "eventInLog": logged("eventInLog", title: EventWords.title, eventFields),
        "traceInLog": logged("traceInLog", title: EventWords.traceTitle, traceFields),
    ]

    private static let outcome = Match.object(
        "outcome", title: "expectation",
        doc: "What the outcome must be. An error or pending operation fails the step unless named here.",
        [
            Field("result", .ref("result"), "What the verb returned."),
            Field("error", .ref("error"), "The client's error; with it the step is expected to fail so."),
            Field("pending", .ref("pending"), "The operation waits; with it the step is expected to wait so."),
            Field("callback", .ref("callback"), "The last URL handed to the app."),
            Field("elapsed", Match.number, "Seconds of true time that passed during the step."),
            Field("requests", log(of: "requestInLog", by: ExchangeWords.endpoints), "Everything that was sent."),
            Field("pages", log(of: "pageInLog", by: PageWords.pages), "The pages that were shown."),
            Field("messages", log(of: "messageInLog", by: ScenarioWords.messageKinds), "Messages sent to people."),
            Field("events", log(of: "eventInLog", by: ScenarioWords.events), "What client and browser did inside."),
            Field("trace", log(of: "traceInLog", by: []), "What the authority's journeys did, and why."),
            Field("steps", Match.list(of: .ref("outcome")), "Of a group: the outcomes of its steps in order."),
        ])

    /// A log: how many records, how many of each kind, or which in this order.
    private static func log(of record: String, by kinds: [Choice]) -> Shape {
        .anyOf([
            .integer(0...Int64.max),
            .array(of: .ref(record)),
            .object(
                ObjectShape(
                    title: "count of records", doc: "How many records there are, in all or of each kind.",
                    fields: kinds.map { Field($0.value, Match.count, $0.doc) } + Match.countTests)),
        ])
    }

    /// A record inside the array of a log, where `$times` counts.
    private static func logged(_ name: String, title: String, _ fields: [Field]) -> Shape {
        .object(
            ObjectShape(
                title: title,
                fields: fields + [
                    Field(MatcherTest.times, Match.count, "How many records match this, anywhere in the log.")
                ] + Match.tests(over: .ref(name))))
    }

    // MARK: Results

    private static let resultFields: [Field] =
        tokenResultFields + accountResultFields + httpResultFields + [
            Field("page", .ref("page"), "The page at which the browser stopped."),
            Field(
                "request", Match.members,
                "What was sent to the authorization endpoint: `query`, `state`, `nonce`, `codeVerifier`."),
            Field(
                "response", Match.members,
                "What the authorization endpoint answered: `code`, `state`, `error` and others."),
            Field("delivered", Match.text, "The client that took the redirect URI, or null."),
            Field("now", Match.text, "True time after the clock was moved."),
            Field("token", Match.text, "The minted token."),
            Field("accessTokens", Match.list(of: Match.members), "Access tokens of the cache."),
            Field("refreshTokens", Match.list(of: Match.members), "Refresh tokens of the cache."),
            Field("idTokens", Match.list(of: Match.members), "ID tokens of the cache."),
            Field("appMetadata", Match.list(of: Match.members), "App metadata of the cache."),
            Field("accountMetadata", Match.list(of: Match.members), "Account metadata of the cache."),
            Field("unified", Match.members, "The cache in the unified schema, as MSAL Python writes it."),
            Field("cookies", Match.list(of: Match.members), "The browser's cookies."),
            Field("local", Match.members, "Local storage by key."),
            Field("session", Match.members, "Session storage by key."),
            Field("users", Match.members, "The directory by the names of people."),
            Field("messages", Match.list(of: Match.members), "Messages sent to people."),
            Field("keySets", Match.members, "The key sets by name."),
        ]

    private static let tokenResultFields: [Field] = [
        Field("accessToken", .ref("token"), "The access token; absent when the server sent none."),
        Field("idToken", .ref("token"), "The ID token; absent when the server sent none."),
        Field("scopes", Match.list(of: Match.text), "The granted scopes."),
        Field("expiresOn", Match.matcher, "When the access token expires."),
        Field("extendedLifeTimeToken", Match.flag, "Whether an expired token was returned in an outage."),
        Field("account", .ref("account"), "The account that was signed in."),
        Field("tenantProfile", Match.members, "The account as this tenant sees it."),
        Field("authority", Match.text, "The authority that answered."),
        Field("correlationId", Match.text, "The id that ties the call to the server's logs."),
        Field("state", Match.text, "The caller's state."),
        Field("fromCache", Match.flag, "Whether the tokens came from the cache."),
    ]

    private static let accountResultFields: [Field] = [
        Field("accounts", Match.list(of: .ref("account")), "The accounts; of `inspect` those of the cache."),
        Field("current", .ref("account"), "The current account, or null."),
        Field("previous", .ref("account"), "The account before it, or null."),
        Field("signedOut", Match.flag, "Whether the account was signed out."),
        Field("deviceMode", Match.text, "How the device is shared."),
        Field("cancelled", Match.flag, "Whether there was a call to cancel."),
        Field("handled", Match.flag, "Whether the library took the URL."),
    ]

    private static let httpResultFields: [Field] = [
        Field("status", Match.number, "HTTP status."),
        Field("headers", Match.members, "Header fields; names in lower case."),
        Field("body", Match.text, "The body as text."),
        Field("json", Match.matcher, "The body, read as JSON."),
        Field("location", .ref("location"), "Where a redirect leads."),
        Field("b2cCode", Match.text, "The AADB2C code of the error."),
        Field("b2cMessage", Match.text, "The error's text without correlation id and time."),
        Field("reason", Match.text, "Why the API refused."),
        Field("url", Match.text, "The URL at which the browser stopped."),
    ]

    private static let tokenFields: [Field] = [
        Field("raw", Match.text, "The token's text."),
        Field("header", Match.members, "The token's header."),
        Field("claims", Match.members, "The token's claims."),
    ]

    private static let accountFields: [Field] = [
        Field("identifier", Match.text, "The home account id."),
        Field("objectId", Match.text, "The object id in the directory."),
        Field("tenantId", Match.text, "The tenant id."),
        Field("username", Match.text, "The user name."),
        Field("environment", Match.text, "The host that the account belongs to."),
        Field("policy", Match.name(.policy), "The policy that the account was signed in with."),
        Field("claims", Match.members, "The claims of its ID token."),
        Field("home_account_id", Match.text, "Of a cache record: the home account id."),
        Field("local_account_id", Match.text, "Of a cache record: the object id."),
        Field("realm", Match.text, "Of a cache record: the tenant."),
        Field("authority_type", Match.text, "Of a cache record: how the authority is classed."),
        Field("client_info", Match.text, "Of a cache record: the server's account ids."),
        Field("name", Match.text, "Of a cache record: the display name."),
        Field("given_name", Match.text, "Of a cache record: the given name."),
        Field("family_name", Match.text, "Of a cache record: the family name."),
        Field("alternative_account_id", Match.text, "Of a cache record: another id of the account."),
    ]

    private static let locationFields: [Field] = [
        Field("url", Match.text, "The whole URL."),
        Field("query", Match.members, "The query's parameters by name."),
        Field("fragment", Match.members, "The fragment's parameters by name."),
    ]

    private static let callbackFields: [Field] =
        locationFields + [Field("form", Match.members, "The fields of a form post by name.")]

    // MARK: Error and pending

    private static let errorFields: [Field] = [
        Field("kind", Match.word(ScenarioWords.errorKinds), "What went wrong, in the same word for every client."),
        Field("domain", Match.text, "The error domain, such as `MSALErrorDomain`."),
        Field("code", Match.matcher, "The code that the client's API gives."),
        Field("name", Match.text, "The code's name."),
        Field("internalCode", Match.number, "The library's inner code."),
        Field("internalName", Match.text, "The inner code's name."),
        Field("oauthError", Match.text, "The OAuth error as received."),
        Field("subError", Match.text, "The sub-error as received."),
        Field("description", Match.text, "The description as received."),
        Field("correlationId", Match.text, "The id that ties the call to the server's logs."),
        Field("b2cCode", Match.text, "The first AADB2C code in the description or the errors beneath."),
        Field("httpStatus", Match.number, "The HTTP status."),
        Field("retryAfter", Match.number, "Seconds after which to try again."),
        Field("throttled", Match.flag, "Whether the answer came from a throttling cache."),
        Field("thrown", Match.flag, "Whether the call threw it, so that no completion handler ran."),
        Field("grantedScopes", Match.list(of: Match.text), "The scopes that were granted."),
        Field("declinedScopes", Match.list(of: Match.text), "The scopes that were not."),
        Field("underlying", .ref("error"), "The inner error."),
    ]

    private static let pendingFields: [Field] = [
        Field("reason", Match.word(ScenarioWords.pendingReasons), "Why it waits."),
        Field("page", .ref("page"), "The page that is showing."),
        Field("url", Match.text, "The URL that is showing or got lost."),
    ]

    // MARK: Log records

    private static let answerFields: [Field] = [
        Field("altered", Match.flag, "Whether a fault touched it."),
        Field(
            "blocked", Match.word(ExchangeWords.blockedReasons),
            "Why the browser kept the answer from the page or script that asked."),
        Field("refusal", Match.text, "The mock's own reason for refusing."),
        Field("response", .ref("response"), "The answer."),
    ]

    private static let responseFields: [Field] = [
        Field("status", Match.number, "HTTP status."),
        Field("headers", Match.members, "Header fields; names in lower case."),
        Field("json", Match.matcher, "The body, read as JSON."),
        Field("body", Match.text, "The body as text."),
        Field("location", .ref("location"), "Where a redirect leads."),
        Field("networkError", Match.word(ExchangeWords.networkFailures), "How the transport failed."),
    ]

    private static let messageFields: [Field] = [
        Field("to", Match.text, "The address or number."),
        Field("kind", Match.word(ScenarioWords.messageKinds), "How it was sent."),
        Field("subject", Match.text, "The subject."),
        Field("text", Match.text, "The text."),
        Field("code", Match.text, "The code in it."),
    ]

    /// Which of them an event has depends on its type: ``EventWords``.
    private static let eventFields: [Field] = [
        Field("type", Match.word(ScenarioWords.events), "What happened."),
        Field("client", Match.name(.client), "The client it happened to."),
        Field("item", Match.word(EventWords.items), "Of the cache: the kind of item."),
        Field("account", Match.text, "Of the cache: the account attribute that the item is filed under."),
        Field("service", Match.text, "Of the cache: the service attribute that the item is filed under."),
        Field("found", Match.flag, "Of cache reads: whether there was such an item."),
        Field("status", Match.number, "Of the keychain: its status."),
        Field("detail", Match.text, "Of the keychain: what it says. Of a blocked answer: why."),
        Field("url", Match.text, "Of callbacks, browsers, frames and retries: the URL."),
        Field("webview", Match.text, "Of browsers: the kind of browser, session or web view."),
        Field("handled", Match.flag, "Of callbacks: whether the library took it."),
        Field(
            "reason", Match.text,
            "Why it was kept back, or sent again; of cookies "
                + ScenarioWords.cookieReasons.map { "`\($0.value)`" }.joined(separator: " ")
                + ", of callbacks that do not reach the library the word of `pending`."),
        Field("error", Match.members, "Of callbacks: the client's error."),
        Field("cookie", Match.text, "Of cookies: the name."),
        Field("header", Match.text, "Of frames: the header that forbids it."),
        Field("after", Match.number, "Of retries: the pause before, in seconds."),
        Field("kind", Match.text, "Of throttled calls: the kind of throttling."),
        Field("secondsLeft", Match.number, "Of throttled calls: how long the throttling goes on."),
        Field("queue", Match.text, "Of completions: the queue on which the handler ran."),
    ]

    private static let traceFields: [Field] = [
        Field("journey", Match.text, "The user journey's id."),
        Field("step", Match.number, "The orchestration step's order."),
        Field("stepType", Match.text, "The orchestration step's type."),
        Field("ran", Match.flag, "Whether the step ran."),
        Field("because", Match.text, "Why it ran or was skipped."),
        Field("precondition", Match.number, "The place of the precondition that skipped the step or profile, from 1."),
        Field("chosen", Match.text, "The claims exchange that was chosen on a page and decided what the step did."),
        Field("claims", Match.members, "The claims bag after the step."),
        Field("profile", Match.text, "The technical profile's id."),
        Field("handler", Match.text, "What carries the profile out."),
        Field("validation", Match.flag, "Whether it is a validation profile."),
        Field("skipped", Match.text, "Why a profile was left out or short-cut: `session`, `disabled`."),
        Field("transformation", Match.text, "The claims transformation's id."),
        Field("method", Match.text, "The transformation's method."),
        Field("in", Match.members, "Claims that went in, by their names in the policy."),
        Field("out", Match.members, "Claims that came out, by their names in the policy."),
        Field("defaults", Match.list(of: Match.text), "Claims of `in` that have the default value of the policy."),
        Field(
            "origins", Match.members,
            "Where claims of `out` have their values from, if not from the handler or transformation: "
                + ClaimOrigin.allCases.filter { $0 != .answer }.map { "`\($0.rawValue)` (\($0.meaning))" }
                .joined(separator: ", ") + "."),
        Field("exchange", Match.text, "The `number` of the request whose answer the claims or the failure come from."),
        Field("issued", Match.members, "The claims of the token by their names in it, with their names in the policy."),
        Field("error", Match.text, "How the profile failed."),
    ]
}
