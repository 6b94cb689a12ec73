import JSON
import Testing

/// Parts of a text that nobody has read as a whole: it may end early, or not be JSON.
struct PartsTests {
    @Test(
        arguments: [
            (#"{}"#, [], nil), (#" { "a" : 1 , "b":[2, {"c":"}"}] }"#, ["a=1", #"b=[2, {"c":"}"}]"#], nil),
            ("\u{feff}{\"a\":1}", ["a=1"], nil),
            (#"{"caf\u00e9":"\"","a":-1.5e+3}"#, [#"caf\u00e9="\"""#, "a=-1.5e+3"], nil),
            ("", [], 0), ("[1]", [], 0), ("{", [], 1), (#"{"a"#, [], 3), (#"{"a""#, [], 4), (#"{"a" 1}"#, [], 5),
            (#"{"a":1,}"#, ["a=1"], 7), (#"{"a":1 "b":2}"#, ["a=1"], 7), (#"{"a":}"#, ["a=}"], 5),
            // What is there of the last value is a part too.
            (#"{"a":1,"b":[2,"x"#, ["a=1", #"b=[2,"x"#], 16), (#"{"a":"#, ["a="], 5), (#"{"a":1"#, ["a=1"], 6),
        ] as [(String, [String], Int?)])
    func `the members of an object`(text: String, expected: [String], fault: Int?) {
        var parts = JSONParts(Array(text.utf8))
        var found: [String] = []
        parts.members(at: parts.start) { name, range in
            found.append("\(name)=\(String(decoding: Array(text.utf8)[range], as: UTF8.self))")
        }
        #expect(found == expected)
        #expect(parts.fault == fault)
    }

    @Test(
        arguments: [
            ("[]", [], nil), (" [1 ,\"]\", [[2]] , {\"a\":[]}\n]", ["1", "\"]\"", "[[2]]", "{\"a\":[]}"], nil),
            ("{}", [], 0), ("[", [], 1), ("[1", ["1"], 2), ("[1,", ["1"], 3), ("[1,]", ["1"], 3), ("[1 2]", ["1"], 3),
            ("[1,[2,{\"a\":3]", ["1"], 13), ("[1,\"x", ["1"], 5),
        ] as [(String, [String], Int?)])
    func `the elements of an array`(text: String, expected: [String], fault: Int?) {
        var parts = JSONParts(Array(text.utf8))
        var found: [String] = []
        parts.elements(at: 0) { found.append(String(decoding: Array(text.utf8)[$0], as: UTF8.self)) }
        #expect(found == expected)
        #expect(parts.fault == fault)
    }

    @Test func `no depth is too deep`() {
        let deep = String(repeating: "[", count: 200_000)
        var parts = JSONParts(Array((deep + String(repeating: "]", count: 200_000)).utf8))
        #expect(parts.endOfValue(at: 0) == 400_000)
        parts = JSONParts(Array(deep.utf8))
        #expect(parts.endOfValue(at: 0) == nil)
        #expect(parts.fault == 200_000)
    }
}

/// The strings of a text, each with the way to it, and the same text with some of them changed.
struct StringsTests {
    private static let text = #"{ "a" : ["x", 1, {"b\u0041":"y\n"}], "": {"c":true, "d":"é"} }"#

    @Test func `each string has its path`() throws {
        let strings = try #require(JSONStrings.all(of: Array(Self.text.utf8)))
        let shown = strings.map { "\($0.isKey ? "key" : "text") \($0.path.joined(separator: "/")): \($0.text)" }
        #expect(
            shown == [
                "key : a", "text a/0: x", "key a/2: bA", "text a/2/bA: y\n", "key : ", "key : c", "key : d",
                "text /d: é",
            ])
        for string in strings {
            let written = Array(Array(Self.text.utf8)[string.range])
            #expect(try JSONParser.parse(written).stringValue == string.text)
        }
    }

    @Test func `a text of one string has no path`() throws {
        let strings = try #require(JSONStrings.all(of: Array("\u{feff} \"x\"".utf8)))
        #expect(strings.map(\.path) == [[]])
        #expect(strings.map(\.range) == [4..<7])
    }

    @Test func `what is not JSON has no strings`() {
        #expect(JSONStrings.all(of: Array(#"{"a":"b""#.utf8)) == nil)
        #expect(JSONStrings.all(of: []) == nil)
    }

    @Test func `every other byte stays`() throws {
        let bytes = Array(Self.text.utf8)
        let strings = try #require(JSONStrings.all(of: bytes))
        #expect(JSONStrings.rewritten(bytes, strings) { $1.text } == bytes)
        let changed = JSONStrings.rewritten(bytes, strings) { _, string in
            string.isKey ? string.text : string.text == "x" ? "\"x\"" : string.text
        }
        #expect(String(decoding: changed, as: UTF8.self) == Self.text.replacing(#""x""#, with: #""\"x\"""#))
    }
}
