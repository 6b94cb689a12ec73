import Browser
import Exchanges
import JSON
import MockAuthority

/// Shapes of what the control interface takes and gives.
enum ControlShapes {
    /// Shapes that contain themselves or are in many places: those of fault rules and of what people do.
    static let named: [String: Shape] = ExchangeShapes.named.merging(PageShapes.named) { own, _ in own }

    static let instant = Shape.instant
    private static let record = Shape.map(of: .any, keyHint: "name of the member")

    /// An object of an answer; it may gain members later.
    static func answer(_ title: String, _ fields: [Field]) -> Shape {
        .object(ObjectShape(title: title, fields: fields, open: .any))
    }

    static func body(_ title: String, _ doc: String = "", _ fields: [Field]) -> ObjectShape {
        ObjectShape(title: title, doc: doc, fields: fields)
    }

    // MARK: worlds

    static let newWorld = body(
        "new world", "A world with its own tenant, clock and generators.",
        [
            Field("tenant", record, required: true, "The tenant file, whole."),
            Field(
                "seed", .anyOf([.integer(0...Int64.max), .pattern("^[0-9]{1,20}$", hint: "decimal digits")]),
                "What its generators are derived from.", defaultText: "0"),
            Field("seedPath", .nonEmptyString, "Path of the stream below the seed, such as `sign-in.json/a case`."),
            Field("now", .instant, "Where its clock begins.", defaultText: "now"),
            Field(
                "policies", .map(of: .string, keyHint: "path, with the folder before it"),
                "The text of custom policies and of their parents."),
            Field("folder", .nonEmptyString, "The folder of the tenant file, for paths in it.", defaultText: "`.`"),
        ])

    static let world = answer(
        "world",
        [
            Field("world", .string, "Its name."), Field("tenant", .string, "Name of its tenant."),
            Field("now", .instant, "What its clock shows."),
            Field("virtual", .bool, "Its time stands still unless it is moved."),
        ])

    // MARK: clock and tenant

    static let clock = answer(
        "clock",
        [
            Field("now", .instant, "What it shows."), Field("frozen", .bool, "It stands still unless it is moved."),
            Field("virtual", .bool, "The world was made by a call."),
            Field("skew", .duration, "How far it is ahead of the machine's clock."),
        ])

    static let clockChange = body(
        "change of a clock", "Carried out in the order `freeze`, `skew`, `now`, `advance`.",
        [
            Field("freeze", .bool, "Stops the clock, or lets it run on from its present time."),
            Field("skew", .duration, "So far ahead of the machine's clock; behind it when negative."),
            Field("now", .instant, "What it shows from now on."),
            Field("advance", .duration, "Moves it on."),
        ])

    static let tenantChange = body(
        "change of a tenant", "",
        [
            Field(
                "patch", record, required: true,
                "Merge patch (RFC 7396) over the tenant file: what `configure` takes in a script."),
            Field(
                "policies", .map(of: .string, keyHint: "path, with the folder before it"),
                "The text of all custom policies from now on; default: the previous ones."),
            Field("folder", .nonEmptyString, "The folder of the tenant file, for paths in it.", defaultText: "`.`"),
        ])

    static let tenant = answer(
        "tenant",
        [
            Field("tenant", record, "All settings, defaults filled in."),
            Field("written", record, "The tenant file with every patch since."),
            Field(
                "apps", .map(of: app, keyHint: "name of the app"),
                "`redirectUri` of each app: where it gets its answers. It is null where the app has none; `problem` says why."
            ),
        ])
    static let app = answer(
        "app",
        [
            Field(
                "redirectUri", .nullable(.string), required: true,
                "Where the app gets its answers: the URI that its code names, else that of its library where it is registered, else one that is registered for its platform. Null: it has none."
            ),
            Field("problem", .string, "Why it has none."),
        ])

    // MARK: people and sessions

    static let users = answer(
        "people",
        [
            Field(
                "users", .map(of: record, keyHint: "name of the person, or how the account signs in"),
                "Accounts, and people of the tenant file who have none yet."),
            Field("next", .nullable(.integer()), "Where the next page begins; null at the end."),
        ])
    static let newUser = body(
        "new person", "",
        [
            Field("name", .nonEmptyString, required: true, "Name in the tenant file."),
            Field("user", record, required: true, "The record, as under `users` of a tenant file."),
        ])
    static let userPatch = ObjectShape(
        title: "change of a person", doc: "Merge patch over the record.", fields: [], open: .any)
    static let user = Shape.object(ObjectShape(title: "person", fields: [], open: .any))

    static let signIn = body(
        "sign-in", "Who comes, and what they do.",
        [
            Field("url", .nonEmptyString, required: true, "The address that the app opens, at this server."),
            Field(
                "person", .nonEmptyString,
                "Who fills the pages: a name of the tenant file, or how an account signs in. A person without an account signs up.",
                defaultText: "nobody; a session, `actions` or `prompt=none` is enough then"),
            Field(
                "user", .object(ObjectShape(title: "what a person knows", fields: known, open: .any)),
                "Changes the person's record for this sign-in; without `person`, the record of somebody else."),
            Field("password", .string, "Another password than the one on record."),
            Field(
                "actions", .array(of: .anyOf([.nonEmptyString, .ref("userAction")])),
                "What happens at the pages before the person fills them, as `user` of a script, without `wait` and `barrier`."
            ),
            Field(
                "cancel", .bool, "Cancels the first page, the sign-in page too, which has no button for it.",
                defaultText: "false"),
            Field(
                "provider", .nonEmptyString,
                "The identity provider to choose, by its name in the tenant file or its id on the page."),
            Field(
                "redirectUri", .nonEmptyString, "Where the app takes the answer.",
                defaultText: "`redirect_uri` or `post_logout_redirect_uri` of `url`"),
            Field(
                "browser", .pattern("^.{1,\(Visitors.longestName)}$", hint: "1 to \(Visitors.longestName) characters"),
                "Name of a browser that keeps its cookies for the next call; the last \(Visitors.limit) are kept.",
                defaultText: "a new one"),
        ])
    /// What of a person's record pages ask for. Other members are attributes.
    private static let known =
        ["email", "username", "password", "newPassword", "phone", "totpSecret"].map {
            Field($0, .nullable(.string), "As in a tenant file.")
        } + [Field("registered", .bool, "Has an account.")]
    static let signedIn = answer(
        "end of a sign-in",
        [
            Field(
                "end",
                .oneOf([
                    Choice("callback", "The app has its answer."), Choice("page", "A page shows."),
                    Choice("closed", "An action has closed the window."), Choice("failed", "`problem` says why."),
                ]), "How it ended."),
            Field(
                "callback",
                answer(
                    "callback",
                    [
                        Field("url", .string, "The address by which the app gets the answer."),
                        Field("form", record, "The fields of an answer by form post."),
                        Field("parameters", record, "Those of query, fragment and form."),
                    ]), "The answer to the app."),
            Field(
                "page", record,
                "The last page as in the `pages` log of a script: `name`, `fields`, `buttons`, `error`."),
            Field("problem", .string, "Why the person or an action could not go on."),
            Field("missing", .array(of: .string), "What the page requires and the record does not have."),
            Field(
                "accepted", record,
                "What pages took from the person: a new `password`, the `totpSecret` they showed."),
            Field("messages", .array(of: record), "E-mails, SMS and calls that went out meanwhile."),
        ])

    static let sessions = answer(
        "sessions",
        [
            Field(
                "sessions",
                .array(
                    of: answer(
                        "session",
                        [
                            Field("id", .string, "Names it."), Field("objectId", .string, "Whose it is."),
                            Field("scope", .string, "Where it holds."), Field("expires", .instant, "When it ends."),
                        ])), "Single sign-on sessions."),
            Field("next", .nullable(.integer()), "Where the next page begins; null at the end."),
        ])
    static let ended = answer("ended sessions", [Field("ended", .integer(), "How many were ended.")])

    // MARK: keys, inbox, tokens

    static let keys = answer(
        "key sets", [Field("keySets", record, "By name: which key signs, which are published.")])
    static let rotation = body(
        "rotation", "",
        [
            Field(
                "key", .pattern("^.{1,64}$", hint: "1 to 64 characters"), "Name of the new key.",
                defaultText: "the next that is free, as in `k2`"),
            Field(
                "keepPublished", .bool,
                "The old keys stay published, \(ControlRoutes.mostPublished) keys with the new one at most.",
                defaultText: "true"),
        ])
    static let inbox = answer(
        "inbox", [Field("messages", .array(of: record), "E-mails, SMS and calls, oldest first, with their codes.")])
    static let mint = body(MintOrder.title, MintOrder.summary, MintOrder.settings.map(\.field))
    static let token = answer("token", [Field("token", .string, "The compact token.")])

    // MARK: faults

    static let count = Shape.object(
        ObjectShape(
            title: "count",
            fields: [
                Field("met", .integer(0...1_000_000_000), "Exchanges that matched."),
                Field("fired", .integer(0...1_000_000_000), "Exchanges in which it changed something."),
            ] + parts))
    /// What the parts of a rule have done.
    private static let parts = [
        Field("held", .array(of: .string), "Parts that have changed something, as pointers into the rule."),
        Field(
            "idle",
            .array(
                of: .object(
                    ObjectShape(
                        title: "part without effect",
                        fields: [
                            Field("part", .string, required: true, "The part, as a pointer into the rule."),
                            Field("reason", .string, "Why it changed nothing."),
                        ]))), "Parts that have changed nothing in the exchanges that matched."),
    ]
    static let faults = body(
        "fault rules", "Rules as `faults` of a script has them, in place of those in force.",
        [
            Field(
                "rules", FaultRule.listShape, required: true,
                "The rules, first match first; at most \(ControlRoutes.mostRules)."),
            Field(
                "strikes",
                .oneOf([
                    Choice("all", "Every exchange of the world."),
                    Choice("own", "Calls of the authority and of APIs only: the caller sees to its own requests."),
                ]), "Which exchanges they strike.", defaultText: "all"),
            Field("counts", .array(of: count), "Where counting goes on, in the order of the rules."),
        ])
    static let standing = answer(
        "rules in force",
        [
            Field("strikes", .string, "Which exchanges they strike."),
            Field(
                "rules",
                .array(
                    of: answer(
                        "rule in force",
                        [
                            Field("rule", record, "The rule."), Field("met", .integer(), "Exchanges that matched."),
                            Field("fired", .integer(), "Exchanges in which it changed something."),
                        ] + parts)), "The rules in order."),
        ])
    static let unused = answer(
        "rules without effect",
        [
            Field("unused", .array(of: record), "Rules that never fired, or of which a part changed nothing."),
            Field("reasons", .array(of: .string), "Why, in the order of the rules."),
        ])
    static let effects = body(
        "effects at the authority",
        "Of a rule that struck at the caller's side. At most \(ControlRoutes.mostOrderBytes >> 10) kB.",
        [
            Field(
                "exchange", .pattern("^[0-9.]{1,64}$", hint: "the number of an exchange, such as 4 or 4.1"),
                required: true, "The number that the request will carry."),
            Field("claims", record, "As the effect `claims`."),
            Field("b2cError", .any, "As the effect `b2cError`."),
        ])

    // MARK: logs and state

    static let journal = answer(
        "events",
        [
            Field("next", .integer(), "Where to ask from next."),
            Field("dropped", .bool, "Entries after the place asked for are gone already."),
            Field(
                "events",
                .array(
                    of: answer(
                        "event", [Field("seq", .integer(), "Its place."), Field("type", .string, "What it reports.")])),
                "The entries."),
        ])
    static let requests = answer(
        "requests",
        [
            Field("next", .integer(), "Where to ask from next."),
            Field("requests", .array(of: record), "Records as in the `requests` log of a script, with `seq`."),
        ])
    static let reset = body(
        "reset", "",
        [
            Field(
                "to",
                .oneOf([
                    Choice("start", "Everything as it was when the world was made, settings, people and clock too.")
                ]), "How far.", defaultText: "journeys, grants, sessions and messages are forgotten; the rest stays")
        ])
    static let state = Shape.object(
        ObjectShape(
            title: "state", doc: "What `GET /state` gives and `PUT /state` takes back.",
            fields: [
                Field(
                    "format", .oneOf([Choice("b2c-harness/state", "This.")]), required: true, "What the document is."),
                Field("version", .integer(1...1), required: true, "Version of the format."),
                Field("clock", .map(of: .any, keyHint: "as `GET /clock`"), "The state of the clock."),
                Field("tenant", record, required: true, "The tenant file with every patch since."),
                Field("accounts", .array(of: record), "The accounts of the directory."),
                Field("messages", .array(of: record), "The inbox."),
            ], open: .any))
    static let nothing = body("nothing", "", [])
}
