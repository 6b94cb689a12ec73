import Diagnostics
import Foundation
import JSON
import TestSupport
import Testing

/// What an editor knows of a JSON text while it is written.
struct JSONOutlineTests {
    private static func outline(_ bytes: [UInt8]) -> JSONOutline {
        JSONOutline(SourceText(file: "a.json", bytes: bytes))
    }

    private static func outline(_ text: String) -> JSONOutline { outline(Array(text.utf8)) }

    private static let shipped: [String] = {
        let root = TestFiles.root().appendingPathComponent("scenarios")
        let files = (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []).sorted()
        return files.filter { $0.hasSuffix(".json") }.map { "scenarios/\($0)" }
    }()

    @Test func `a valid text has the value that the reader gives it`() throws {
        #expect(Self.shipped.count > 500)
        for path in Self.shipped {
            let bytes = try TestFiles.bytes(path)
            let expected = try JSONDocument(file: path, bytes: bytes).root
            #expect(Self.outline(bytes).json() == expected, "\(path)")
        }
    }

    @Test(arguments: [
        (#"{"a": {"b": {"c": [1]}}, "d": [2, {"e": 3}], "f": "x"}"#, #"{"a":{},"d":[],"f":"x"}"#),
        (#"{"a": {"b": "}"}, "c": 1}"#, #"{"a":{},"c":1}"#), (#"{"a": 1, "b": {"c": 2"#, #"{"a":1,"b":{}}"#),
        ("[1, [2]]", "[1,[]]"), ("7", "7"),
    ])
    func `of levels that are too deep the brackets are read alone`(_ text: String, _ json: String) {
        let outline = JSONOutline(SourceText(file: "a.json", bytes: Array(text.utf8)), depth: 1)
        #expect(JSONWriter.compact(outline.json()) == json)
    }

    @Test(arguments: [
        ("", "null"),
        ("  \n", "null"),
        (#"{"a": 1 "b": 2}"#, #"{"a":1,"b":2}"#),
        (#"{"a" 1, "b" {"c": 2}}"#, #"{"a":1,"b":{"c":2}}"#),
        (#"{"a": , "b": 2}"#, #"{"a":null,"b":2}"#),
        (#"{"a": "b": 2}"#, #"{"a":null,"b":2}"#),
        (#"{"a", "b": 2}"#, #"{"a":null,"b":2}"#),
        ("{\"a\": \"x,\n\"b\": 2}", #"{"a":"x","b":2}"#),
        (#"{"a": "x}"#, #"{"a":"x"}"#),
        ("{\"a\": \"{{x}} }\n", #"{"a":"{{x}}"}"#),
        (#"{"acquireToken: {}, "user": "ada"}"#, #"{"acquireToken":{},"user":"ada"}"#),
        (#"{"user": "ada, "client": "x"}"#, #"{"user":"ada","client":"x"}"#),
        (#"[{"user": "ada }, {"client": "x"}]"#, #"[{"user":"ada"},{"client":"x"}]"#),
        (#"{"a": [1, 2,], }"#, #"{"a":[1,2]}"#),
        (#"[1,,2 3"#, "[1,2,3]"),
        (#"{"a": tru, b: false}"#, #"{"a":null,"b":false}"#),
        ("{ // one\n \"a\": 1, /* two, */ \"b\": 2 }", #"{"a":1,"b":2}"#),
        (#"{"a": [1, 2}"#, #"{"a":[1,2]}"#),
        (#"{"a": [{"b": 1], "c": 2}"#, #"{"a":[{"b":1}],"c":2}"#),
        (#"{"a": {}}, "b": 2}"#, #"{"a":{},"b":2}"#),
        (#"{"a": 1, "a": 2}"#, #"{"a":1}"#),
        (
            "{\n  \"users\": {\n    \"ada\": { \"email\": \"x\",\n    \"bob\": {}\n  },\n  \"apps\": {}\n}",
            #"{"users":{"ada":{"email":"x"},"bob":{}},"apps":{}}"#
        ),
        (
            "{\n  \"steps\": [\n    { \"a\": {\n    { \"b\": {} }\n  ],\n  \"tags\": []\n}",
            #"{"steps":[{"a":{}},{"b":{}}],"tags":[]}"#
        ),
    ])
    func `a fault loses nothing of the rest`(_ text: String, _ value: String) {
        #expect(JSONWriter.compact(Self.outline(text).json()) == value)
    }

    @Test(arguments: [
        (#"["\u0041\n\""]"#, "A\n\""), (#"["\uD83D\uDE00"]"#, "\u{1f600}"), (#"["\q\/"]"#, #"\q/"#),
        (#"["\uD83D"]"#, #"\uD83D"#), (#"["\u12"]"#, #"\u12"#), (#"["x\"#, #"x\"#),
    ])
    func `escapes are resolved and wrong ones kept`(_ text: String, _ value: String) {
        #expect(Self.outline(text).nodes.last?.text == value)
    }

    @Test func `every member of an equal name is a node`() {
        let outline = Self.outline(#"{"a": 1, "a": [2]}"#)
        #expect(outline.nodes.map(\.token) == ["", "a", "a", "0"])
        #expect(outline.pointer(3) == JSONPointer(tokens: ["a", "0"]))
        #expect(outline.node(at: JSONPointer(tokens: ["a"])) == 1)
    }

    @Test(arguments: [
        (#"["é\n{{x}}"]"#, "{{x}}", "{{x}}"), (#"["\u00e9\n{{x}}"]"#, "x", "x"), (#"["a\u00e9b"]"#, "é", #"\u00e9"#),
        (#"["\uD83D\uDE00!"]"#, "!", "!"), (#"["abc"]"#, "abc", "abc"), (#"["abc"#, "c", "c"),
    ])
    func `a part of a text has its bytes`(_ text: String, _ part: String, _ bytes: String) throws {
        let outline = Self.outline(text)
        let value = try #require(outline.nodes[1].text)
        let range = try #require(value.range(of: part))
        let start = value.utf8.distance(from: value.startIndex, to: range.lowerBound)
        let found = try #require(outline.range(ofText: start..<(start + part.utf8.count), in: 1))
        #expect(outline.written(found) == bytes)
        #expect(outline.range(ofText: 0..<1000, in: 1) == nil)
    }

    /// `|` is where one types.
    @Test(arguments: [
        ("|", "value"), ("{|}", "key"), (#"{"a|"}"#, #"key "a""#), (#"{"a"| }"#, "other"), (#"{"a": |}"#, "value"),
        (#"{"a": 1, |}"#, "key"), (#"{"a": 1 |}"#, "other"), (#"{"a": "x|"}"#, #"value "x""#),
        (#"{"a": |"x"}"#, "other"), (#"{"a": "x"|}"#, "other"), (#"{"a": tr|}"#, "value tr"), (#"{na|}"#, "key na"),
        ("[|]", "value"), ("[1, |]", "value"), ("[1 |]", "other"), ("{ // x|\n}", "other"), (#"{"a": {|}}"#, "key"),
        (#"{"a": , |"b": 1}"#, "other"), (#"{"a": "x|"#, #"value "x"#), (#"{"a": 1} |"#, "other"),
        (#"{"a": 1, // x, y"# + "\n|}", "key"), (#"{"a": 1 // x, y"# + "\n|}", "other"),
    ])
    func `it is known what is typed`(_ marked: String, _ expected: String) throws {
        let place = try #require(marked.utf8.firstIndex(of: UInt8(ascii: "|")))
        let offset = marked.utf8.distance(from: marked.startIndex, to: place)
        let outline = Self.outline(marked.replacingOccurrences(of: "|", with: ""))
        let (word, typed): (String, Range<Int>?) =
            switch outline.spot(at: offset) {
            case .key(_, let typed): ("key", typed)
            case .value(_, _, let typed): ("value", typed)
            case .other: ("other", nil)
            }
        let text = typed.map(outline.written) ?? ""
        #expect((text.isEmpty ? word : "\(word) \(text)") == expected)
    }

    @Test func `deep nesting ends somewhere`() {
        for text in ["[", "{\"a\":", "[{\"a\":"] {
            let outline = Self.outline(String(repeating: text, count: 50_000))
            #expect(outline.nodes.count <= 2 * JSONLimits.depth)
            _ = outline.json()
        }
        #expect(Self.outline(String(repeating: "}", count: 50_000)).json() == .null)
    }

    @Test func `whatever is typed, ranges are inside of the text and of what holds them`() throws {
        var state: UInt64 = 7
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(count, 1)
        }
        let typed = Array("{}[]\",:\\ x\n/*1u-".utf8) + [0xFF, 0xC3, 0xF0]
        for path in Self.shipped.prefix(40) {
            var bytes = try TestFiles.bytes(path)
            for _ in 0..<40 {
                let place = random(bytes.count)
                if random(3) == 0 {
                    bytes.removeSubrange(place..<min(place + random(9), bytes.count))
                } else {
                    bytes.insert(typed[random(typed.count)], at: place)
                }
                let outline = Self.outline(bytes)
                for (index, node) in outline.nodes.enumerated() {
                    #expect(node.whole.lowerBound >= 0 && node.whole.upperBound <= bytes.count)
                    #expect((node.key?.upperBound ?? 0) <= node.value.lowerBound)
                    guard let parent = node.parent else { continue }
                    let outer = outline.nodes[parent].value
                    #expect(parent < index && outer.lowerBound < node.whole.lowerBound)
                    #expect(node.whole.upperBound <= outer.upperBound, "\(String(decoding: bytes, as: UTF8.self))")
                    if let text = node.text, let range = outline.range(ofText: 0..<text.utf8.count, in: index) {
                        #expect(outline.contentRange(index) == range)
                    }
                }
                let offset = random(bytes.count + 1)
                if let node = outline.node(at: offset) {
                    #expect(outline.pointer(node).tokens.count <= JSONLimits.depth)
                }
                _ = (outline.spot(at: offset), outline.json(), outline.spot(at: -1), outline.spot(at: bytes.count + 9))
            }
        }
    }
}
