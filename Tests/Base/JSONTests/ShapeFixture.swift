import JSON

/// A small language with one of everything, which the tests of checker and schema share.
enum ShapeFixture {
    static let named: [String: Shape] = [
        "step": .object(
            ObjectShape(
                title: "step", doc: "One thing that is done.",
                fields: [
                    Field("id", .pattern("^[A-Za-z0-9_]+$", hint: "letters, digits and _"), "Its name."),
                    Field(
                        "acquireToken",
                        .object(
                            ObjectShape(
                                title: "acquireToken",
                                fields: [
                                    Field("policy", .name(.policy), "The policy."),
                                    Field("scopes", .array(of: .nonEmptyString), "The scopes."),
                                    Field(
                                        "prompt",
                                        .oneOf([
                                            Choice("login", "Always ask."),
                                            Choice("selectAccount", "Show the accounts."),
                                            Choice("create", "Sign up.", notBuiltYet: "the sign-up prompt"),
                                        ]), "What is asked.", defaultText: "`selectAccount`"),
                                ])), "Signs in."),
                    Field("advanceClock", .duration, "Time goes on."),
                    Field("steps", .array(of: .ref("step")), "A group."),
                    Field("mintToken", .any, "Makes a token.", notBuiltYet: "minting tokens"),
                    Field("repeat", .integer(1...100), "How often.", defaultText: "1"),
                    Field(
                        "user", .anyOf([.name(.person), .array(of: .anyOf([.name(.person), .ref("action")]))]), "Who."),
                    Field("expect", .map(of: .ref("matcher"), keyHint: "member of the outcome"), "What must come."),
                    Field("network", .bool, "Whether there is one."),
                    Field("respond", .any, "An answer."),
                ], exactlyOneOf: ["acquireToken", "advanceClock", "steps", "mintToken"],
                atMostOneOf: [["network", "respond"]])),
        "action": .object(
            ObjectShape(
                title: "action", fields: [Field("press", .string, "A button."), Field("wait", .duration, "Time.")])),
        "matcher": .anyOf([
            .nullable(.bool), .number, .string,
            .object(
                ObjectShape(
                    title: "matcher", fields: [Field("$exists", .bool, "Is there.")], open: .ref("matcher"),
                    closedPrefix: "$")),
        ]),
        "loop": .ref("loop"),
    ]

    static let root = Shape.object(
        ObjectShape(
            title: "scenario file", doc: "What happens.",
            fields: [
                Field("name", .nonEmptyString, required: true, "The title."),
                Field("tenant", .anyOf([.string, .map(of: .any, keyHint: "setting")]), required: true, "The world."),
                Field("clock", .instant, "The time."), Field("link", .url, "A source."),
                Field("weight", .number, "A number."), Field("skew", .nullable(.duration), "Of the clock."),
                Field("people", .map(of: .string, keyHint: "name of a person", keys: .person), "Who there is."),
                Field("steps", .array(of: .ref("step")), required: true, "The steps."),
            ]))

    static func findings(_ text: String, templates: Bool = true) throws -> (document: JSONDocument, rendered: [String])
    {
        let document = try JSONDocument(file: "s.json", bytes: Array(text.utf8))
        let checker = ShapeChecker(document: document, named: named, allowTemplates: templates, rulePrefix: "T")
        return (document, checker.check(document.root, at: .root, as: root).map(\.description))
    }
}
