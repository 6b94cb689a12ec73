import JSON

/// Shapes of the record of an exchange.
package enum RequestShapes {
    private typealias Match = MatcherShapes

    static let named: [String: Shape] = [
        "request": Match.object("request", title: "request record", fields)
    ]

    /// What a fault rule matches as well, so nothing of the answer is here.
    package static let fields: [Field] = [
        Field("number", Match.matcher, "The exchange's number; calls inside another are numbered 4.1."),
        Field("at", Match.text, "True time when it left."),
        Field("from", Match.word(ExchangeWords.parties), "Who sent it."),
        Field("client", Match.name(.client), "The client that caused it."),
        Field("endpoint", Match.word(ExchangeWords.endpoints), "What it was sent to."),
        Field("policy", Match.name(.policy), "The policy, by its name in the tenant file."),
        Field("method", Match.text, "The HTTP method."),
        Field("url", Match.text, "The whole URL."),
        Field("host", Match.text, "The host."),
        Field("path", Match.text, "The path."),
        Field("query", Match.members, "The query's parameters by name."),
        Field("headers", Match.members, "Header fields; names in lower case."),
        Field("form", Match.members, "The fields of a form body by name."),
        Field("json", Match.matcher, "The body, read as JSON."),
        Field("body", Match.text, "The body as text."),
        Field("frame", Match.flag, "Whether a hidden frame sent it."),
    ]
}

/// What the shapes of matchers and fault rules refer to by name.
public enum ExchangeShapes {
    /// The shapes by their names.
    public static let named: [String: Shape] = [MatcherShapes.named, RequestShapes.named, FaultShapes.named].reduce(
        into: [:]
    ) { all, part in all.merge(part) { _, new in new } }
}
