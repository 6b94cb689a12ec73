import B2CProtocol
import Browser
import Exchanges
import JSON
import Verbs

/// Shapes of `expect`: a matcher over the outcome, whose members are known.
package enum OutcomeShapes {
    private typealias Match = MatcherShapes

    package static let named: [String: Shape] = [
        "outcome": outcome,
        "result": Match.object(
            "result", title: "result",
            doc: "What the verb returned. Which members there are depends on the verb.", resultFields),
        TokenText.shapeName: Match.object(TokenText.shapeName, title: "token", TokenText.fields),
        AccountResult.shapeName: Match.object(AccountResult.shapeName, title: "account", accountFields),
        "location": Match.object("location", title: "location", locationFields),
        ClientError.shapeName: Match.object(
            ClientError.shapeName, title: "error", doc: "The client's error.", ClientError.fields),
        CallExtension.Attempt.shapeName: Match.object(
            CallExtension.Attempt.shapeName, title: "attempt", CallExtension.Attempt.fields),
        CallExtension.Found.shapeName: Match.object(
            CallExtension.Found.shapeName, title: "finding of an extension", CallExtension.Found.fields),
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

    /// What verbs return, in the order of the verbs. A member that several have is there once.
    private static let resultFields: [Field] = Verb.allCases.flatMap { verb in
        verb.record.results.flatMap { $0.fields }
    }.withoutRepetition

    private static let accountFields: [Field] =
        (AccountResult.fields + Inspect.CacheContents.accountFields).withoutRepetition

    private static let locationFields: [Field] = [
        Field("url", Match.text, "The whole URL."),
        Field("query", Match.members, "The query's parameters by name."),
        Field("fragment", Match.members, "The fragment's parameters by name."),
    ]

    private static let callbackFields: [Field] =
        locationFields + [Field("form", Match.members, "The fields of a form post by name.")]

    // MARK: Pending

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

extension [Field] {
    /// The first field of each name.
    fileprivate var withoutRepetition: [Field] {
        var seen: Set<String> = []
        return filter { seen.insert($0.name).inserted }
    }
}
