import Exchanges
import JSON
import Verbs

/// Shapes of steps.
enum StepShapes {
    static let named: [String: Shape] = [
        "step": .object(
            ObjectShape(
                title: "step", doc: "One verb and modifiers.", fields: Verb.fields + modifiers,
                exactlyOneOf: Verb.allCases.map(\.rawValue))),
        "user": .anyOf([.name(.person), .array(of: .anyOf([.name(.person), .ref("userAction")]))]),
    ]

    /// Why lines that `b2c check --prove` reports are right all the same.
    static let proves = Shape.anyOf([.nonEmptyString, .map(of: .nonEmptyString, keyHint: "JSON pointer from here")])

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
        Field("faults", FaultShapes.list, "Fault rules in force during this step only."),
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
        Field(
            "proves", proves,
            "Why a line here is right though no run notices a change of it: one reason for the step, or reasons by pointer. "
                + "For `b2c check --prove`."),
    ]
}
