import JSON
import Testing

@testable import Exchanges

/// Matchers of twice the length take twice the work.
struct MatcherGrowthTests {
    private static let anything = MatcherSpace.Domain(types: .all, words: nil, numbers: .any)

    private static func alternatives(_ count: Int, _ rest: [JSONValue] = []) -> JSONValue {
        ["$any": .array((0..<count).map { .string("name\($0)") } + rest)]
    }

    @Test func `twice the alternatives are compared with twice the values`() throws {
        func comparisons(_ count: Int) throws -> Int {
            try #require(MatcherSpace(Self.alternatives(count, [["$length": 4]]), Self.anything)).comparisons
        }
        let few = try comparisons(200)
        #expect(few >= 200)
        #expect(try comparisons(400) < few * 21 / 10)
    }

    private static let listed: [(JSONValue, [String])] = [
        (alternatives(1500), []), (alternatives(1500, ["name7"]), ["/$any/1500"]),
        (["$not": alternatives(700, [["$equals": "name3"]])], ["/$not/$any/700"]),
        (["$all": [["$not": "a"], ["$not": "b"], ["$not": "a"]]], ["/$all/2"]),
        (["$any": ["a", ["$all": [["$startsWith": "b"], ["$startsWith": "bc"]]]]], ["/$any/1/$all/0"]),
        (["$any": ["abc", ["$startsWith": "ab"], ["$startsWith": "a"]]], ["/$any/1"]),
        (["$any": [1, 2, 1.0]], ["/$any/2"]),
        (["$any": [["$lt": 5], 3, ["$gt": 7]]], ["/$any/1"]),
    ]

    @Test(arguments: listed)
    func `parts that decide nothing are found among many`(_ matcher: JSONValue, _ idle: [String]) throws {
        let space = try #require(MatcherSpace(matcher, Self.anything))
        #expect(!space.holdsNever && !space.holdsAlways)
        #expect(space.idleParts.map(\.pointer.description) == idle)
    }

    private static let values: [JSONValue?] = [
        nil, .null, true, 0, 3, 3.0, "", "3", "abc", "2026-01-01T00:00:00Z", "PT5S", "{\"a\":1}",
        "https://a.test/b?c=d",
        [], [1, "a"], ["a", 1], [:], ["a": 1], ["a": ["b": .null]],
    ]

    private static let matchers: [JSONValue] = {
        let plain: [JSONValue] = [
            .null, false, 3, "abc", "", [], [1, "a"], [:], ["a": 1], ["a": ["b": .null]], ["b": 1],
            ["$equals": 3], ["$exists": true], ["$exists": false], ["$exists": 1], ["$type": "string"],
            ["$contains": "a"], ["$contains": 1], ["$startsWith": "ab"], ["$endsWith": "c"], ["$matches": "^a"],
            ["$matches": "("], ["$lt": 3], ["$gte": "PT1S"], ["$gt": "2025-01-01T00:00:00Z"], ["$lte": "x"],
            ["$length": 2], ["$length": ["$gt": 0]], ["$unordered": ["a", 1]], ["$unordered": 1],
            ["$time": "2026-01-01T00:00:01Z"], ["$json": ["a": 1]], ["$base64url": "x"], ["$jwt": [:]],
            ["$url": ["path": "/b"]], ["$unknown": 1], ["$times": 1],
        ]
        return plain + plain.map { ["$not": $0] } + plain.map { ["$any": [$0, ["a": 2]]] }
            + plain.map { ["$all": [$0, ["$not": "q"]]] } + [["$any": 1], ["$all": 1]]
    }()

    @Test func `a comparison without words says the same`() {
        for value in Self.values {
            for matcher in Self.matchers {
                let found = Matcher.mismatches(value, expected: matcher)
                #expect(Matcher.verdict(of: value, matcher) == Verdict(found), "\(value ?? "nothing") \(matcher)")
                #expect(found.allSatisfy { !$0.text.isEmpty })
            }
        }
    }
}
