import Exchanges
import JSON
import Testing

/// A value, a matcher, and what is said when they do not fit; an empty text where they do.
struct MatcherCase: CustomTestStringConvertible, Sendable {
    let actual: String?
    let expected: String
    let says: String

    init(_ actual: String?, _ expected: String, _ says: String = "") {
        self.actual = actual
        self.expected = expected
        self.says = says
    }

    var testDescription: String { "\(actual ?? "absent") against \(expected)" }

    func run() throws {
        let found = Matcher.mismatches(
            try actual.map { try JSONParser.parse($0) }, expected: try JSONParser.parse(expected))
        #expect(found.map(\.description).joined(separator: "\n") == says)
    }
}

@Suite struct MatcherTests {
    @Test(arguments: [
        MatcherCase("1", "1"),
        MatcherCase("1", "1.0"),
        MatcherCase("1.5", "1", "expected 1, actual 1.5"),
        MatcherCase(#""a""#, #""a""#),
        MatcherCase(#""1""#, "1", #"expected the number 1, actual the string "1""#),
        MatcherCase("null", "null"),
        MatcherCase(nil, "null", "expected null, actual nothing"),
        MatcherCase("true", "false", "expected false, actual true"),
        MatcherCase(#"{"a":1,"b":2}"#, #"{"a":1}"#),
        MatcherCase(#"{"a":1}"#, #"{"a":1,"b":2}"#, "/b: expected 2, actual nothing"),
        MatcherCase(#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":2}}}"#, "/a/b/c: expected 2, actual 1"),
        MatcherCase(#"{"a":1}"#, "{}"),
        MatcherCase("3", "{}", "expected an object, actual 3"),
        MatcherCase("3", #"{"a":1}"#, "expected an object, actual 3"),
        MatcherCase("[1,2]", "[1,2]"),
        MatcherCase("[1,2]", "[2,1]", "/0: expected 2, actual 1\n/1: expected 1, actual 2"),
        MatcherCase("[1,2]", "[1]", "expected 1 element, actual 2: [1,2]"),
        MatcherCase(#"[{"a":1,"b":2}]"#, #"[{"a":1}]"#),
        MatcherCase("3", "[3]", "expected an array, actual 3"),
    ])
    func `literals mean equal, objects at least, arrays exactly`(row: MatcherCase) throws {
        try row.run()
    }

    @Test(arguments: [
        MatcherCase(#"{"a":1}"#, #"{"$equals":{"a":1}}"#),
        MatcherCase(#"{"a":1,"b":2}"#, #"{"$equals":{"a":1}}"#, #"expected {"a":1}, actual {"a":1,"b":2}"#),
        MatcherCase(#"{"$x":1}"#, #"{"$equals":{"$x":1}}"#),
        MatcherCase("1", #"{"$not":2}"#),
        MatcherCase("2", #"{"$not":2}"#, "expected anything that does not match 2, actual 2"),
        MatcherCase(
            nil, #"{"$not":2}"#,
            "expected anything that does not match 2, but it is absent; use $exists to test absence"),
        MatcherCase("5", #"{"$all":[{"$gt":1},{"$lt":9}]}"#),
        MatcherCase(
            "5", #"{"$all":[{"$gt":7},{"$lt":3}]}"#, "expected more than 7, actual 5\nexpected less than 3, actual 5"),
        MatcherCase("5", #"{"$any":[1,5]}"#),
        MatcherCase("5", #"{"$any":[1,2]}"#, "expected one of 2 alternatives, actual 5"),
        MatcherCase(
            #"{"a":5}"#, #"{"$any":[{"a":1},{"b":2,"c":3}]}"#,
            #"expected one of 2 alternatives, actual {"a":5}; nearest, /a: expected 1, actual 5"#),
        MatcherCase(nil, #"{"$any":[1,{"$exists":false}]}"#),
        MatcherCase("1", #"{"$exists":true}"#),
        MatcherCase("null", #"{"$exists":true}"#),
        MatcherCase(nil, #"{"$exists":true}"#, "expected a value, actual nothing"),
        MatcherCase(nil, #"{"$exists":false}"#),
        MatcherCase("null", #"{"$exists":false}"#, "expected nothing, actual null"),
        MatcherCase(#"{"a":1}"#, #"{"b":{"$exists":false}}"#),
        MatcherCase(nil, #"{"b":{"$exists":false}}"#, "expected an object, actual nothing"),
        MatcherCase(#""x""#, #"{"$type":"string"}"#),
        MatcherCase("1.5", #"{"$type":"number"}"#),
        MatcherCase("true", #"{"$type":"boolean"}"#),
        MatcherCase("null", #"{"$type":"null"}"#),
        MatcherCase("[]", #"{"$type":"object"}"#, "expected an object, actual []"),
    ])
    func `tests of the value itself`(row: MatcherCase) throws {
        try row.run()
    }

    @Test(arguments: [
        MatcherCase(#""try again later""#, #"{"$contains":"again"}"#),
        MatcherCase(#""try""#, #"{"$contains":"again"}"#, #"expected something that contains "again", actual "try""#),
        MatcherCase(#""""#, #"{"$contains":""}"#),
        MatcherCase(#"[1,{"a":2,"b":3}]"#, #"{"$contains":{"a":2}}"#),
        MatcherCase("[1]", #"{"$contains":2}"#, "expected something that contains 2, actual [1]"),
        MatcherCase("7", #"{"$contains":"7"}"#, "expected a text or an array, actual 7"),
        MatcherCase(#""abc""#, #"{"$startsWith":"ab","$endsWith":"bc"}"#),
        MatcherCase(#""abc""#, #"{"$startsWith":"b"}"#, #"expected a text that starts with "b", actual "abc""#),
        MatcherCase(#""abc""#, #"{"$endsWith":"b"}"#, #"expected a text that ends with "b", actual "abc""#),
        MatcherCase("5", #"{"$startsWith":"5"}"#, #"expected a text that starts with "5", actual 5"#),
        MatcherCase(#""AADB2C90118: x""#, #"{"$matches":"^AADB2C\\d{5}"}"#),
        MatcherCase(
            #""x AADB2C90118""#, #"{"$matches":"^AADB2C\\d{5}"}"#,
            #"expected a text that matches "^AADB2C\\d{5}", actual "x AADB2C90118""#),
        MatcherCase(#""x""#, #"{"$matches":"("}"#, #"the regular expression "(" cannot be used: `(` is not closed"#),
        MatcherCase(#""abc""#, #"{"$length":3}"#),
        MatcherCase(#""né""#, #"{"$length":{"$lt":3}}"#),
        MatcherCase("[1,2]", #"{"$length":{"$gte":3}}"#, "/$length: expected at least 3, actual 2"),
        MatcherCase(#"{"a":1}"#, #"{"$length":1}"#),
        MatcherCase("5", #"{"$length":1}"#, "expected a text, array or object of a certain size, actual 5"),
    ])
    func `texts and sizes`(row: MatcherCase) throws {
        try row.run()
    }

    @Test(arguments: [
        MatcherCase("5", #"{"$lt":6,"$lte":5,"$gt":4,"$gte":5}"#),
        MatcherCase("5", #"{"$lt":5}"#, "expected less than 5, actual 5"),
        MatcherCase("9007199254740993", #"{"$gt":9007199254740992}"#),
        MatcherCase(#""5""#, #"{"$lt":6}"#, #"expected less than 6, actual "5", which cannot be compared with it"#),
        MatcherCase(#""2026-01-15T12:00:00Z""#, #"{"$lt":"2026-01-15T14:00:01+02:00"}"#),
        MatcherCase(
            #""2026-01-15T12:00:00Z""#, #"{"$gte":"2026-01-15T12:00:00.001Z"}"#,
            #"expected at least "2026-01-15T12:00:00.001Z", actual "2026-01-15T12:00:00Z""#),
        MatcherCase("1768478400", #"{"$gte":"2026-01-15T12:00:00Z","$lt":"2026-01-15T12:00:01Z"}"#),
        MatcherCase(#""PT61M""#, #"{"$gt":"PT1H"}"#),
        MatcherCase("90", #"{"$lte":"PT1M30S"}"#),
        MatcherCase("91.5", #"{"$lte":"PT1M30S"}"#, #"expected at most "PT1M30S", actual 91.5"#),
        MatcherCase("5", #"{"$lt":"soon"}"#, #"`$lt` needs a number, an instant or a duration, not "soon""#),
        MatcherCase(#""2026-01-15T12:00:01Z""#, #"{"$time":"2026-01-15T12:00:03Z"}"#),
        MatcherCase("1768478402", #"{"$time":"2026-01-15T12:00:00Z"}"#),
        MatcherCase(#""1768478402""#, #"{"$time":"2026-01-15T12:00:00Z"}"#),
        MatcherCase(
            "1768478403", #"{"$time":"2026-01-15T12:00:00Z"}"#,
            "expected 2026-01-15T12:00:00Z within 2 s, actual 2026-01-15T12:00:03Z, PT3S later"),
        MatcherCase(
            #""then""#, #"{"$time":"2026-01-15T12:00:00Z"}"#,
            #"expected the instant "2026-01-15T12:00:00Z", actual "then", which is not an instant"#),
    ])
    func `numbers are compared by size`(row: MatcherCase) throws {
        try row.run()
    }

    @Test(arguments: [
        MatcherCase("[3,1,2]", #"{"$unordered":[1,2,3]}"#),
        MatcherCase("[1,2]", #"{"$unordered":[1,2,3]}"#, "expected 3 elements in any order, actual 2: [1,2]"),
        // The first matcher fits both elements and must leave the first to the second matcher.
        MatcherCase("[1,2]", #"{"$unordered":[{"$gt":0},1]}"#),
        MatcherCase("[1,2,3]", #"{"$unordered":[{"$gt":0},{"$lt":3},1]}"#),
        MatcherCase("[1,4]", #"{"$unordered":[1,{"$lt":3}]}"#, #"no element is left for {"$lt":3} among [1,4]"#),
    ])
    func `any order`(row: MatcherCase) throws {
        try row.run()
    }

    @Test(arguments: [
        MatcherCase(#""{\"tier\":\"gold\"}""#, #"{"$json":{"tier":"gold"}}"#),
        MatcherCase(
            #""{\"tier\":\"gold\"}""#, #"{"$json":{"tier":"tin"}}"#, #"/$json/tier: expected "tin", actual "gold""#),
        MatcherCase(#""aGVsbG8""#, #"{"$base64url":"hello"}"#),
        MatcherCase(#""eyJhIjoxfQ""#, #"{"$base64url":{"$json":{"a":1}}}"#),
        MatcherCase(
            #""eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.""#,
            #"{"$jwt":{"header":{"alg":"none"},"claims":{"sub":"a"}}}"#),
        MatcherCase(
            #""eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.""#, #"{"$jwt":{"claims":{"sub":"b"}}}"#,
            #"/$jwt/claims/sub: expected "b", actual "a""#),
        MatcherCase(
            #""x.y""#, #"{"$jwt":{}}"#,
            #"expected a JSON Web Token, actual "x.y": a token has three parts with dots between them, this has 2"#),
        MatcherCase(
            #""msauth.com.contoso.tasks://auth?code=c&state=s%20t""#,
            #"{"$url":{"scheme":"msauth.com.contoso.tasks","host":"auth","query":{"state":"s t"}}}"#),
        MatcherCase(
            #""https://contoso.b2clogin.com:8443/a/b#id_token=t""#,
            #"{"$url":{"scheme":"https","host":"contoso.b2clogin.com","port":8443,"path":"/a/b","fragment":{"id_token":"t"}}}"#
        ),
    ])
    func `texts of the wire are decoded`(row: MatcherCase) throws {
        try row.run()
    }

    /// `$not` turns a difference around, never "this cannot be compared".
    @Test(arguments: [
        MatcherCase(#"{"name":"Ada"}"#, #"{"name":{"$not":"Bob"}}"#),
        MatcherCase(
            #"{"name":"Ada"}"#, #"{"naem":{"$not":"Ada"}}"#,
            #"/naem: expected anything that does not match "Ada", but it is absent; use $exists to test absence"#),
        MatcherCase(
            #"{"name":"Ada"}"#, #"{"$not":{"naem":"Ada"}}"#,
            #"expected anything that does not match {"naem":"Ada"}, but /naem is absent; use $exists to test absence"#),
        MatcherCase(
            #"{"a":{"name":"Ada"}}"#, #"{"a":{"$not":{"b":{"name":"Ada"}}}}"#,
            #"/a: expected anything that does not match {"b":{"name":"Ada"}}, but /a/b is absent; use $exists to test absence"#
        ),
        // One member that differs is enough, whatever the others are.
        MatcherCase(#"{"name":"Ada"}"#, #"{"$not":{"name":"Bob","naem":"Ada"}}"#),
        MatcherCase(nil, #"{"$not":{"$exists":true}}"#),
        MatcherCase(
            "1", #"{"$not":{"$exists":true}}"#, #"expected anything that does not match {"$exists":true}, actual 1"#),
        MatcherCase(nil, #"{"$any":[{"$exists":false},{"$not":1}]}"#),
        MatcherCase("2", #"{"$not":{"$not":2}}"#),
        MatcherCase(
            nil, #"{"$not":{"$not":2}}"#,
            #"expected anything that does not match {"$not":2}, but it is absent; use $exists to test absence"#),
        MatcherCase(
            nil, #"{"$not":{"$any":[1,{"$exists":true}]}}"#,
            #"expected anything that does not match {"$any":[1,{"$exists":true}]}, but it is absent; use $exists to test absence"#
        ),
        MatcherCase(
            #""text""#, #"{"$not":{"$lt":5}}"#,
            #"expected anything that does not match {"$lt":5}, but this does not apply: "#
                + #"expected less than 5, actual "text", which cannot be compared with it"#),
        MatcherCase(
            "5", #"{"$not":{"$contains":"a"}}"#,
            #"expected anything that does not match {"$contains":"a"}, but this does not apply: "#
                + "expected a text or an array, actual 5"),
        MatcherCase(
            "5", #"{"$not":{"$length":2}}"#,
            #"expected anything that does not match {"$length":2}, but this does not apply: "#
                + "expected a text, array or object of a certain size, actual 5"),
        MatcherCase(
            "{}", #"{"$not":{"$startsWith":"a"}}"#,
            #"expected anything that does not match {"$startsWith":"a"}, but this does not apply: "#
                + #"expected a text that starts with "a", actual {}"#),
        MatcherCase(
            "3", #"{"$not":{"$matches":"a"}}"#,
            #"expected anything that does not match {"$matches":"a"}, but this does not apply: "#
                + #"expected a text that matches "a", actual 3"#),
        MatcherCase(
            #""x""#, #"{"$not":{"$jwt":{"claims":{"a":1}}}}"#,
            #"expected anything that does not match {"$jwt":{"claims":{"a":1}}}, but this does not apply: "#
                + #"expected a JSON Web Token, actual "x": a token has three parts with dots between them, this has 1"#),
        MatcherCase(
            "3", #"{"$not":{"a":1}}"#,
            #"expected anything that does not match {"a":1}, but this does not apply: expected an object, actual 3"#),
        MatcherCase(
            #""b""#, #"{"$not":{"$any":["a",{"$lt":5}]}}"#,
            #"expected anything that does not match {"$any":["a",{"$lt":5}]}, but this does not apply: "#
                + #"expected one of 2 alternatives, actual "b""#),
        MatcherCase("null", #"{"$not":{"a":1}}"#),
        MatcherCase("null", #"{"$not":[1]}"#),
        MatcherCase("3", #"{"$not":{}}"#),
        MatcherCase(#""5""#, #"{"$not":5}"#),
        MatcherCase(#""b""#, #"{"$not":{"$type":"number"}}"#),
        MatcherCase("[]", #"{"$not":{"$contains":{"name":"a"}}}"#),
        MatcherCase(#"[{"name":"b"},{"other":1}]"#, #"{"$not":{"$contains":{"name":"a"}}}"#),
        MatcherCase(
            #"[{"name":"b"},{"other":1}]"#, #"{"$not":{"$contains":{"naem":"a"}}}"#,
            #"expected anything that does not match {"$contains":{"naem":"a"}}, but this does not apply: "#
                + #"expected something that contains {"naem":"a"}, actual [{"name":"b"},{"other":1}]"#),
    ])
    func `what cannot be compared is never a success of $not`(row: MatcherCase) throws {
        try row.run()
    }

    @Test func `an unknown test is said, not ignored`() throws {
        try MatcherCase(
            "1", #"{"$greater":0}"#,
            "`$greater` is not a test; a member that begins with `$` is named through `$equals`"
        ).run()
        try MatcherCase("1", #"{"$times":0}"#, "`$times` is allowed only in the elements of a log's array").run()
    }

    @Test func `every test has a sentence`() {
        for test in MatcherTest.allCases { #expect(test.doc.hasSuffix(".")) }
    }
}
