import HTTPMessages
import JSON

/// Shapes of steps, of what users do, and of fault rules.
enum StepShapes {
    static let named: [String: Shape] = [
        "step": .object(
            ObjectShape(
                title: "step", doc: "One verb and modifiers.", fields: VerbShapes.fields + modifiers,
                exactlyOneOf: Verb.allCases.map(\.rawValue))),
        "user": .anyOf([.name(.person), .array(of: .anyOf([.name(.person), .ref("userAction")]))]),
        "userAction": .object(
            ObjectShape(
                title: "user action",
                doc: "What a person does at a page, in the order `on`, `wait`, `as`, `fill`, `press`, `window`."
                    + " An action that is not reached fails the step. A person's name in its place is not an action: it"
                    + " says who sits there, and the flow may end before that person has anything to do.",
                fields: actionFields)),
        "faultRule": .object(
            ObjectShape(
                title: "fault rule",
                doc: "Which exchange is changed, and how. A rule that never fires fails its step, and so does one of"
                    + " which a part changes nothing: `null` for a member that is not there, a value that is there"
                    + " already, `json` on HTML.",
                fields: faultFields,
                atMostOneOf: [["network", "respond", "b2cError"]])),
    ]

    /// Fault rules, wherever they stand.
    static let faults = Shape.array(of: .ref("faultRule"))

    /// The keys that every verb takes.
    static let modifiers: [Field] = [
        Field(
            "id", .pattern("^[A-Za-z0-9_]+$", hint: "letters, digits and _"),
            "Name of the step, by which `{{id/...}}` and `resume` know it; unique."),
        Field("name", .string, "Title for reports."),
        Field("description", .string, "Prose for reports."),
        Field(
            "client", .name(.client), "Which client acts; in `configure` whose device and browser change.",
            defaultText: "the group's, else the scenario's app"),
        Field(
            "user", .ref("user"), "Who sits at the browser: a person's name, or a list of actions.",
            defaultText: "nobody"),
        Field("faults", faults, "Fault rules in force during this step only."),
        Field("expect", .ref("outcome"), "What the outcome must match.", defaultText: "success"),
        Field(
            "expectIn", .map(of: .ref("outcome"), keyHint: "name of the case", keys: .caseName),
            "By case, what the outcome must match there instead of `expect`."),
        Field("only", .array(of: .name(.caseName)), "The cases in which the step runs.", defaultText: "all"),
        Field("then", .array(of: .ref("step")), "Steps inside the completion handler of this operation."),
        Field(
            "repeat", .integer(1...StepCount.most), "Runs the step so often, one after another.", defaultText: "1"),
        Field(
            "copies", .integer(1...StepCount.most), "Inside `parallel` only: so many equal branches.",
            defaultText: "1"),
    ]

    private static let scalar = Shape.anyOf([.string, .number, .bool])
    private static let header = Shape.anyOf([.headerValue, .number, .bool])

    // MARK: What users do

    private static let actionFields: [Field] = [
        Field(
            "on", .anyOf([.oneOf(ScenarioWords.pages), .ref("page")]),
            "The page that must be showing: its name, or a matcher over the page record."),
        Field("as", .name(.person), "Fills the page from this person's record."),
        Field(
            "fill",
            .object(
                ObjectShape(
                    title: "fields to fill", doc: "Fields by purpose or by their id on the page.",
                    fields: ScenarioWords.fields.map { Field($0.value, scalar, $0.doc) },
                    open: .anyOf([.string, .number, .bool, .array(of: .string)]))),
            "Field to value, over `as`."),
        Field(
            "press", .anyOf([.oneOf(ScenarioWords.buttons), .nonEmptyString]),
            "What to press: a word, a provider's name or an id on the page.",
            defaultText: "the main button when something was filled"),
        Field("window", .oneOf(ScenarioWords.windowMoves), "What happens to the window."),
        Field("wait", .duration, "So much time passes while the page is open."),
        Field("barrier", .nonEmptyString, "Waits until every branch that names this barrier has come."),
        Field("repeat", .integer(1...StepCount.most), "Does the action so often.", defaultText: "1"),
        Field(
            "optional", .bool,
            "May stay undone: it is passed over where another page shows, and the flow may end before it.",
            defaultText: "false"),
    ]

    // MARK: Faults

    private static let faultFields: [Field] =
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
            Field("network", .oneOf(ScenarioWords.networkFailures), "The transport fails."),
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
