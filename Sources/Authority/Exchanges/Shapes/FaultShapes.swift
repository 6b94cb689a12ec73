import HTTPMessages
import JSON

/// Shapes of fault rules.
package enum FaultShapes {
    static let named: [String: Shape] = [
        "faultRule": .object(
            ObjectShape(
                title: "fault rule",
                doc: "Which exchange is changed, and how. A rule that never fires fails its step, and so does one of"
                    + " which a part changes nothing: `null` for a member that is not there, a value that is there"
                    + " already, `json` on HTML.",
                fields: ruleFields,
                atMostOneOf: [["network", "respond", "b2cError"]]))
    ]

    /// A list of fault rules, in any place.
    package static let list = Shape.array(of: .ref("faultRule"))

    /// A value that is written as text.
    package static let scalar = Shape.anyOf([.string, .number, .bool])
    /// The value of a header field.
    package static let header = Shape.anyOf([.headerValue, .number, .bool])

    private static let ruleFields: [Field] =
        [
            Field(
                "match", .ref("request"), "Which exchanges: a matcher over the request record.",
                defaultText: "every exchange but callbacks"),
            Field(
                "times", .integer(1...1_000_000),
                "Fires so often. An exchange in which the rule changes nothing does not count.", defaultText: "always"),
            Field("skip", .integer(0...1_000_000), "Passes over the first so many that match.", defaultText: "0"),
            Field(
                "rate", .number,
                "Fires with this probability, above 0 and up to 1, drawn from the seed once the rest holds:"
                    + " `{ \"rate\": 0.1, \"network\": \"reset\" }`.",
                defaultText: "1"),
            Field("optional", .bool, "May stay unused, or change nothing.", defaultText: "false"),
            Field("network", .oneOf(ExchangeWords.networkFailures), "The transport fails."),
            Field("delay", .duration, "The answer comes so much later; a callback reaches the app so much later."),
            Field(
                "request",
                .object(
                    ObjectShape(
                        title: "change of a request", fields: requestFields,
                        atMostOneOf: [["url", "host"], ["url", "path"], ["form", "json", "body"]])),
                "Rewrites the request before it leaves, or the callback before it is handed over:"
                    + " `{ \"match\": { \"endpoint\": \"token\" }, \"request\": { \"form\": { \"code_verifier\": null } } }`."
            ),
            Field("respond", answer("answer", respondFields), "Answers in place of the peer."),
            Field("response", answer("change of an answer", responseFields), "Rewrites the real answer."),
            Field(
                "claims",
                .object(
                    ObjectShape(
                        title: "change of claims",
                        fields: [
                            Field("idToken", patch, "Merge patch over the claims of the ID token."),
                            Field("accessToken", patch, "Merge patch over the claims of the access token."),
                        ])),
                "The mock signs the tokens of the answer with these claims patched; null removes one:"
                    + " `{ \"claims\": { \"accessToken\": { \"scp\": null } } }`."),
            Field(
                "b2cError",
                .anyOf([
                    code,
                    .object(
                        ObjectShape(
                            title: "refusal", doc: "How the mock refuses.",
                            fields: [
                                Field("code", code, required: true, "The code."),
                                Field(
                                    "delivery",
                                    .oneOf([
                                        Choice("redirect", "At the redirect URI of the request."),
                                        Choice("page", "On the error page of the service."),
                                        Choice("json", "As an error object."),
                                    ]), "Where the app learns it.", defaultText: "where the service reports it"),
                                Field("description", .string, "A text in place of the code's own."),
                            ])),
                ]),
                "The mock refuses the request as for this code:"
                    + " `{ \"match\": { \"endpoint\": \"authorize\" }, \"b2cError\": \"AADB2C90035\" }`."),
            Field(
                "to", .name(.client),
                "Of callbacks: handed to this client instead:"
                    + " `{ \"match\": { \"endpoint\": \"callback\" }, \"to\": \"second\" }`."),
            Field(
                "copies", .integer(0...1000),
                "The request is sent so often, and the last answer counts; a callback is handed over so often, and 0"
                    + " loses it: `{ \"match\": { \"endpoint\": \"callback\" }, \"copies\": 0 }`.", defaultText: "1"),
        ]

    private static let patch = Shape.map(of: .any, keyHint: "name of the claim")
    private static let code = Shape.pattern("^AADB2C[0-9]+$", hint: "a code such as AADB2C90035")

    private static let requestFields: [Field] = [
        Field("url", .url, "Another address altogether."),
        Field("host", .nonEmptyString, "Another host, with its port if it has one."),
        Field("path", .nonEmptyString, "Another path."),
        Field("query", parameters, "Patch over the query; null removes a parameter."),
        Field("fragment", parameters, "Of callbacks: patch over the fragment."),
        Field(
            "headers", .map(of: .nullable(header), keyHint: "name of the header field"),
            "Patch over the header fields; null removes one."),
        Field("form", parameters, "Patch over the form; null removes a member."),
        Field("json", .any, "Merge patch over the JSON body; null removes a member."),
        Field("body", .string, "Another body as text."),
    ]

    private static func answer(_ title: String, _ fields: [Field]) -> Shape {
        .object(ObjectShape(title: title, fields: fields, atMostOneOf: [["json", "body"]]))
    }

    private static let respondFields: [Field] = [
        Field("status", .integer(100...599), "HTTP status.", defaultText: "200"),
        Field("headers", .map(of: header, keyHint: "name of the header field"), "Header fields."),
        Field("json", .any, "A JSON body."),
        Field("body", .string, "A body as text."),
    ]

    private static let responseFields: [Field] = [
        Field("status", .integer(100...599), "Another HTTP status."),
        Field(
            "headers", .map(of: .nullable(header), keyHint: "name of the header field"),
            "Patch over the header fields; null removes one."),
        Field("json", .any, "Merge patch over the JSON body; null removes a member."),
        Field("body", .string, "Another body as text."),
        Field(
            "location",
            .object(
                ObjectShape(
                    title: "change of a location",
                    fields: [
                        Field("query", parameters, "Patch over the query; null removes a parameter."),
                        Field("fragment", parameters, "Patch over the fragment; null removes a parameter."),
                    ])), "Changes where a redirect leads."),
    ]

    private static let parameters = Shape.map(of: .nullable(scalar), keyHint: "name of the parameter")
}
