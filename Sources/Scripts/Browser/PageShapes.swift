import Exchanges
import JSON

/// Shapes of the record of a page, and of what a person does there.
public enum PageShapes {
    private typealias Match = MatcherShapes

    /// The shapes by the names with which others refer to them.
    public static let named: [String: Shape] = [
        "page": Match.object("page", title: "page record", fields),
        "pageField": Match.object("pageField", title: "field of a page", memberFields),
        "userAction": .object(
            ObjectShape(
                title: "user action",
                doc: "What a person does at a page, in the order `on`, `wait`, `as`, `fill`, `press`, `window`."
                    + " An action that is not reached fails the step. A person's name in its place is not an action: it"
                    + " says who sits there, and the flow may end before that person has anything to do.",
                fields: actionFields)),
    ]

    package static let fields: [Field] = [
        Field("number", Match.number, "The page's number in the step."),
        Field("name", Match.word(PageWords.pages), "What kind of page it is."),
        Field("contentDefinition", Match.text, "The content definition of the policy."),
        Field("technicalProfile", Match.text, "The technical profile of the policy."),
        Field("step", Match.number, "The orchestration step."),
        Field("title", Match.text, "The page's title."),
        Field("text", Match.text, "The page's visible text."),
        Field("error", Match.text, "The error that the page shows."),
        Field("b2cCode", Match.text, "The AADB2C code of that error."),
        Field("fields", fieldsByID, "The fields by id."),
        Field("buttons", Match.list(of: Match.text), "What can be pressed."),
        Field("locale", Match.text, "The page's language."),
        Field("status", Match.number, "HTTP status."),
        Field("url", Match.text, "The page's URL."),
    ]

    private static let fieldsByID = Shape.nullable(
        .object(
            ObjectShape(
                title: "fields of a page", doc: "By the fields' ids.", fields: Match.tests(over: Match.members),
                open: .ref("pageField"), closedPrefix: "$")))

    private static let memberFields: [Field] = [
        Field("label", Match.text, "The label."),
        Field("value", Match.text, "Its content."),
        Field("readOnly", Match.flag, "Whether it cannot be changed."),
        Field("required", Match.flag, "Whether it must be filled."),
        Field("options", Match.list(of: Match.matcher), "What can be chosen."),
    ]

    private static let actionFields: [Field] = [
        Field(
            "on", .anyOf([.oneOf(PageWords.pages), .ref("page")]),
            "The page that must be showing: its name, or a matcher over the page record."),
        Field("as", .name(.person), "Fills the page from this person's record."),
        Field(
            "fill",
            .object(
                ObjectShape(
                    title: "fields to fill", doc: "Fields by purpose or by their id on the page.",
                    fields: PageWords.fields.map { Field($0.value, FaultShapes.scalar, $0.doc) },
                    open: .anyOf([.string, .number, .bool, .array(of: .string)]))),
            "Field to value, over `as`."),
        Field(
            "press", .anyOf([.oneOf(PageWords.buttons), .nonEmptyString]),
            "What to press: a word, a provider's name or an id on the page.",
            defaultText: "the main button when something was filled"),
        Field("window", .oneOf(PageWords.windowMoves), "What happens to the window."),
        Field("wait", .duration, "So much time passes while the page is open."),
        Field("barrier", .nonEmptyString, "Waits until every branch that names this barrier has come."),
        Field("repeat", .integer(1...StepCount.most), "Does the action so often.", defaultText: "1"),
        Field(
            "optional", .bool,
            "May stay undone: it is passed over where another page shows, and the flow may end before it.",
            defaultText: "false"),
    ]
}
