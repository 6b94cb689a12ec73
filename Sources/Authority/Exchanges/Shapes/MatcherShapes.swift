import JSON

/// Shapes of what is compared with values: matchers of all kinds, and the typed ones for the parts of an outcome.
package enum MatcherShapes {
    /// A matcher over anything.
    package static let matcher = Shape.ref("matcher")
    /// `$` tests alone.
    package static let test = Shape.ref("test")
    /// A number of records or the like.
    package static let count = Shape.ref("count")
    /// A matcher over an object whose member names are free.
    package static let members = Shape.ref("members")

    package static let named: [String: Shape] = [
        "matcher": .nullable(
            .anyOf([
                .string, .number, .bool, .array(of: matcher),
                .object(
                    ObjectShape(
                        title: "matcher",
                        doc: "Members with `$` test the value itself, all others test the member of that name.",
                        fields: tests(over: matcher), open: matcher, closedPrefix: "$")),
            ])),
        "members": .nullable(
            .object(
                ObjectShape(
                    title: "matcher of members", doc: "At least these members are required, and must match.",
                    fields: tests(over: members), open: matcher, closedPrefix: "$"))),
        "test": .object(
            ObjectShape(title: "test", doc: "Tests of the value; all must hold.", fields: tests(over: matcher))),
        "text": .nullable(.anyOf([.string, test])),
        "number": .nullable(.anyOf([.number, test])),
        "flag": .nullable(.anyOf([.bool, test])),
        "amount": .anyOf([.number, .instant, .duration]),
        "tokenParts": .object(
            ObjectShape(
                title: "token matcher",
                fields: [
                    Field("header", members, "The token's header."), Field("claims", members, "The token's claims."),
                ])),
        "urlParts": .object(ObjectShape(title: "URL matcher", fields: urlFields)),
        "count": .anyOf([
            .integer(0...Int64.max), .object(ObjectShape(title: "test of a number", fields: countTests)),
        ]),
    ]

    /// The `$` tests as fields, where `matcher` is the shape inside `$not`, `$all` and `$any`.
    package static func tests(over matcher: Shape) -> [Field] {
        MatcherTest.allCases.map { test in Field(test.rawValue, shape(of: test, over: matcher), test.doc) }
    }

    /// The tests that make sense of a number of records.
    package static var countTests: [Field] {
        MatcherTest.allCases.filter(\.countsRecords).map { test in
            let shape: Shape =
                switch test {
                case .not: count
                case .all, .any: .array(of: count)
                default: .integer()
                }
            return Field(test.rawValue, shape, test.doc)
        }
    }

    private static func shape(of test: MatcherTest, over matcher: Shape) -> Shape {
        switch test {
        case .equals: .any
        case .not: matcher
        case .all, .any: .array(of: matcher)
        case .unordered: .array(of: Self.matcher)
        case .exists: .bool
        case .type: .oneOf(JSONTypeName.allCases.map { Choice($0.rawValue, "A JSON \($0.rawValue).") })
        case .contains, .json: Self.matcher
        case .base64url: .anyOf([.string, Self.test])
        case .startsWith, .endsWith, .matches: .string
        case .lessThan, .atMost, .greaterThan, .atLeast: .ref("amount")
        case .length: count
        case .time: .anyOf([.instant, .number])
        case .jwt: .ref("tokenParts")
        case .url: .ref("urlParts")
        }
    }

    private static let urlFields = [
        Field("scheme", text, "The scheme in lower case."),
        Field("host", text, "The host in lower case."),
        Field("port", number, "The port, where one is written."),
        Field("path", text, "The path."),
        Field("query", members, "The query's parameters by name."),
        Field("fragment", members, "The fragment's parameters by name."),
    ]

    // MARK: Matchers over one kind of value

    /// Over a text.
    package static let text = Shape.ref("text")
    /// Over a number.
    package static let number = Shape.ref("number")
    /// Over true and false.
    package static let flag = Shape.ref("flag")

    /// Over one of some words.
    package static func word(_ choices: [Choice]) -> Shape { .nullable(.anyOf([.oneOf(choices), test])) }

    /// Over the name of something in the tenant file.
    package static func name(_ kind: NameKind) -> Shape { .nullable(.anyOf([.name(kind), test])) }

    /// Over a list of such elements.
    package static func list(of element: Shape) -> Shape { .nullable(.anyOf([.array(of: element), test])) }

    /// Over an object with known members, as the named shape `name`.
    package static func object(_ name: String, title: String, doc: String = "", _ fields: [Field]) -> Shape {
        .nullable(.object(ObjectShape(title: title, doc: doc, fields: fields + tests(over: .ref(name)))))
    }
}
