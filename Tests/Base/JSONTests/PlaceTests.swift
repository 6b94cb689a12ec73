import Diagnostics
import Testing

@testable import JSON

/// Places of values: those of the index are those of the walk, and cost no more in a longer text.
struct PlaceTests {
    static let texts: [String] = [
        "{}", "[]", "7", "\"text\"",
        "  { \"a\" : { \"b\" : [ 1 , [ ] , { } , \"x\\\"]}\" , null ] } , \"c\" : -1.5e3 }\n",
        "\u{feff}{ \"caf\\u00e9\": [true], \"s\\/t~u\": { \"\": { \"\": 0 } }, \"\u{1f600}\": \"\u{1f600}\" }",
        "[[[[1, 2], [3]]], {\"a\": [{\"b\": 1}, {\"b\": [2]}]}]",
        object(100) { #""k\#($0)": { "n": [\#($0), "\u0041"] }"# },
        object(40) { #""\u00e9\#($0)": \#($0)"# },
    ]

    private static func object(_ count: Int, _ member: (Int) -> String) -> String {
        "{" + (0..<count).map(member).joined(separator: ",\n ") + "}"
    }

    private static func pointers(_ value: JSONValue, _ tokens: [String] = []) -> [[String]] {
        var all = [tokens, tokens + ["nowhere"], tokens + ["0", "1"]]
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() { all += pointers(element, tokens + [String(index)]) }
        case .object(let object):
            for (key, member) in object.members { all += pointers(member, tokens + [key]) }
        default: break
        }
        return all
    }

    @Test(arguments: texts)
    func `the index has the places of the walk`(_ text: String) throws {
        let bytes = Array(text.utf8)
        let scanner = JSONScanner(bytes)
        var index = PlaceIndex(scanner)
        for tokens in Self.pointers(try JSONDocument(file: "a.json", bytes: bytes).root) {
            let place = index.locate(tokens)
            #expect(place == scanner.locate(tokens), "\(tokens)")
        }
    }

    @Test(arguments: ["", "{", "[1, 2", "{\"a\"", "}]", "{\"a\": \"", "[,,]", "{\"a\": }"])
    func `a text that is cut off is safe`(_ text: String) {
        var index = PlaceIndex(JSONScanner(Array(text.utf8)))
        for tokens in [[], ["a"], ["0"], ["0", "1"], ["a", "b"]] { _ = index.locate(tokens) }
    }

    /// Elements of a list, members of an object, and all of it on one line: each place costs the same in a text of twice
    /// the length.
    @Test(arguments: [false, true])
    func `many places take linear work`(isObject: Bool) throws {
        func steps(_ count: Int) throws -> Int {
            let parts = (0..<count).map { index in
                let value = "{ \"id\": \"s\(index)\", \"accounts\": {}, \"expect\": { \"requests\": 0 } }"
                return isObject ? "\"k\(index)\": \(value)" : value
            }.joined(separator: ",")
            let document = try JSONDocument(
                file: "a.json", bytes: Array("{ \"steps\": \(isObject ? "{\(parts)}" : "[\(parts)]") }".utf8))
            for index in 0..<count {
                let pointer = JSONPointer(tokens: [
                    "steps", isObject ? "k\(index)" : String(index), "expect", "requests",
                ])
                #expect(document.location(of: pointer).line == 1)
            }
            return document.stepsOfQuestions
        }
        let few = try steps(500)
        let many = try steps(1000)
        #expect(few > 500)
        #expect(many < few * 21 / 10)
    }
}
