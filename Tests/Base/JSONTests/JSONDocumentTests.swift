import Diagnostics
import JSON
import TestSupport
import Testing

@Suite struct JSONDocumentTests {
    private static let text = """
        {
          "name": "Ada",
          "steps": [
            { "acquireToken": {}, "user": "ada" },
            { "é😀": [1, true, "x"], "a\\u002fb~": -1.5e3 }
          ],
          "empty": [],
          "escaped \\" quote \\ud83d\\ude00": null
        }
        """

    // swift-format-ignore
    @Test(arguments: [
        ("", false, 1, 1, 1), ("/name", false, 2, 11, 5), ("/name", true, 2, 3, 6), ("/steps", false, 3, 12, 1),
        ("/steps/0", false, 4, 5, 1), ("/steps/0", true, 4, 5, 1), ("/steps/0/acquireToken", true, 4, 7, 14),
        ("/steps/0/user", false, 4, 35, 5), ("/steps/1/é😀", true, 5, 7, 4), ("/steps/1/é😀/1", false, 5, 17, 4),
        ("/steps/1/é😀/2", false, 5, 23, 3), ("/steps/1/a~1b~0", true, 5, 29, 11),
        ("/steps/1/a~1b~0", false, 5, 42, 6), ("/empty", false, 7, 12, 1),
        ("/escaped \" quote 😀", false, 8, 36, 4), ("/escaped \" quote 😀", true, 8, 3, 31),
        // Where nothing is, the nearest thing around it.
        ("/steps/9", false, 3, 12, 1), ("/steps/0/missing", true, 4, 5, 1), ("/name/x", true, 2, 11, 5),
        ("/empty/0", false, 7, 12, 1), ("/nothing/at/all", false, 1, 1, 1),
    ])
    func `every value and key has its place`(pointer: String, key: Bool, line: Int, column: Int, length: Int) throws {
        let document = try JSONDocument(file: "s.json", bytes: Array(Self.text.utf8))
        let location = document.location(of: try #require(JSONPointer(pointer)), key: key)
        #expect(
            location
                == SourceLocation(file: "s.json", line: line, column: column, length: length, pointer: pointer))
    }

    @Test func `all duplicate keys are named, each with its first place`() throws {
        let text = """
            { "a": 1, "b": { "c": [ { "x": 1, "\\u0078": 2 } ], "c": 3 },
              "a": 2, "d": "a", "a": { "a": 1 } }
            """
        let error = try #require(throws: InvalidInput.self) {
            try JSONDocument(file: "s.json", bytes: Array(text.utf8))
        }
        #expect(
            error.diagnostics.map { "\($0.location?.description ?? "") \($0.location?.pointer ?? "")" } == [
                "s.json:1:35 /b/c/0/x", "s.json:1:52 /b/c", "s.json:2:3 /a", "s.json:2:21 /a",
            ])
        #expect(error.diagnostics.allSatisfy { $0.rule == "B2C-JSON-002" })
        #expect(error.diagnostics[1].message == "the key `c` occurs twice in this object")
        #expect(error.diagnostics[1].remedy == "It is on line 1, column 18 already; remove one of them.")
    }

    @Test func `a byte order mark is passed over with a note`() throws {
        let document = try JSONDocument(file: "s.json", bytes: [0xEF, 0xBB, 0xBF] + Array("{\"a\": 1}".utf8))
        #expect(document.root == ["a": 1])
        #expect(document.location(of: "/a", key: true).column == 2)
        #expect(document.notes.map(\.severity) == [.advice])
        #expect(try JSONDocument(file: "s.json", bytes: Array("1".utf8)).notes.isEmpty)
    }

    /// Texts that are not JSON. The findings are a golden file: one place to read how b2c speaks.
    private static let textFaults: [(String, String)] = [
        ("empty", ""),
        ("blanks", " \n\t\n"),
        ("trailing comma in object", "{\n  \"a\": 1,\n}"),
        ("trailing comma in array", "[1, 2, ]"),
        ("two commas", "[1,, 2]"),
        ("comma first", "{, \"a\": 1}"),
        ("line comment", "{\n  // says\n  \"a\": 1\n}"),
        ("block comment", "{ \"a\": /* x */ 1 }"),
        ("hash comment", "# x\n{}"),
        ("single quotes", "{ 'a': 1 }"),
        ("single quoted value", "{ \"a\": 'x' }"),
        ("bare key", "{ name: \"Ada\" }"),
        ("bare value", "{ \"a\": hello }"),
        ("NaN", "[NaN]"),
        ("minus infinity", "[-Infinity]"),
        ("True", "[True]"),
        ("None", "[None]"),
        ("yes", "[yes]"),
        ("undefined", "[undefined]"),
        ("missing colon", "{ \"a\" 1 }"),
        ("equals", "{ \"a\" = 1 }"),
        ("missing comma in object", "{\n  \"a\": 1\n  \"b\": 2\n}"),
        ("missing comma in array", "[1 2]"),
        ("missing value", "{ \"a\": }"),
        ("wrong bracket", "{\n \"a\": [1, 2}\n}"),
        ("bracket too many", "{}}"),
        ("two values", "{} {}"),
        ("not closed", "{\n \"a\": [\n  1,\n  2"),
        ("cut in key", "{ \"a"),
        ("cut after key", "{ \"a\""),
        ("cut after colon", "{ \"a\":"),
        ("text over lines", "[\"one\ntwo\"]"),
        ("tab in text", "[\"a\tb\"]"),
        ("bell in text", "[\"a\u{7}b\"]"),
        ("bad escape", #"["C:\temp\dir"]"#),
        ("short unicode escape", #"["\u12"]"#),
        ("half surrogate", #"["x\ud83d y"]"#),
        ("wrong second half", #"["\ud83dA"]"#),
        ("low half first", #"["\udc00"]"#),
        ("NUL in key", #"{"a\u0000b": 1}"#),
        ("leading zero", "[007]"),
        ("plus", "[+1]"),
        ("point first", "[.5]"),
        ("minus point", "[-.5]"),
        ("point last", "[1.]"),
        ("hexadecimal", "[0xFF]"),
        ("no exponent", "[1e]"),
        ("lone minus", "[-]"),
        ("date without quotes", "[2026-01-15]"),
        ("version", "[1.2.3]"),
        ("big integer", "{\"id\": 9223372036854775808}"),
        ("big negative", "[-9223372036854775809]"),
        ("huge real", "[1e999]"),
        ("curly quotes", "{ “a”: 1 }"),
        ("no-break space", "{\u{A0}\"a\": 1}"),
        ("semicolon", "[1; 2]"),
        ("closing first", "]"),
        ("lone letter", "x"),
        ("HTML", "<html></html>"),
        ("lone quote", "\""),
        ("lone backslash", "\"\\"),
        ("word run together", "[truefalse]"),
    ]

    private static let byteFaults: [(String, [UInt8])] = [
        ("invalid UTF-8 in text", [0x5B, 0x22, 0x4D, 0xFC, 0x6C, 0x22, 0x5D]),
        ("invalid UTF-8 outside", [0x5B, 0xFF, 0x5D]),
        ("overlong", [0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D]),
        ("UTF-8 surrogate", [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D]),
        ("cut UTF-8", [0x5B, 0x22, 0xF0, 0x9F, 0x98]),
        ("UTF-16 LE with mark", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]),
        ("UTF-16 BE with mark", [0xFE, 0xFF, 0, 0x7B, 0, 0x7D]),
        ("UTF-16 LE", [0x7B, 0, 0x7D, 0]),
        ("UTF-16 BE", [0, 0x7B, 0, 0x7D]),
        ("UTF-32 LE", [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0]),
        ("NUL byte", [0x5B, 0, 0x5D]),
        ("NUL byte after", [0x5B, 0x5D, 0]),
        ("NUL byte after a number", [0x5B, 0x31, 0, 0x5D]),
        ("only a mark", [0xEF, 0xBB, 0xBF]),
    ]

    @Test func `every fault is explained`() throws {
        var text = ""
        for (name, bytes) in Self.textFaults.map({ ($0.0, Array($0.1.utf8)) }) + Self.byteFaults {
            let error = try #require(throws: InvalidInput.self, "\(name)") {
                try JSONDocument(file: "s.json", bytes: bytes)
            }
            let peer = try #require(throws: InvalidInput.self, "\(name)") {
                try JSONParser.parse(bytes, file: "s.json")
            }
            #expect(peer == error)
            let renderer = DiagnosticRenderer(color: false, sources: [SourceText(file: "s.json", bytes: bytes)])
            text += "== \(name)\n\(renderer.render(error.diagnostics))\n\n"
        }
        try matchGolden(text, "json-faults.txt")
        #expect(!text.contains("this is not JSON:"), "the walk found nothing where jansson did")
    }

    @Test func `what jansson accepts is accepted`() throws {
        let accepted: [(String, JSONValue)] = [
            ("1", 1), ("-0", 0), ("1E+2", 100.0), ("0.5", 0.5), (" null ", nil), (#""\u0000\/""#, "\u{0}/"),
            (#""\ud83d\ude00""#, "😀"), ("[]", []), ("-9223372036854775808", .integer(.min)), ("1e-999", 0.0),
            (#"{"a":{"a":[{}]}}"#, ["a": ["a": [[:]]]]), ("\"\u{7f}\u{2028}\"", "\u{7f}\u{2028}"),
        ]
        for (text, value) in accepted {
            #expect(try JSONParser.parse(text) == value)
            #expect(try JSONDocument(file: "f", bytes: Array(text.utf8)).root == value)
        }
        #expect(try JSONParser.parse(#"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
    }

    @Test func `what is too large or too deep is refused before it is parsed`() throws {
        let large = Array(repeating: UInt8(ascii: " "), count: JSONLimits.bytes + 1)
        let error = try #require(throws: InvalidInput.self) { try JSONDocument(file: "f", bytes: large) }
        #expect(error.diagnostics.map(\.rule) == ["B2C-JSON-004"])
        for depth in [JSONLimits.depth + 1, 10_000, 1_000_000] {
            for unit in ["[", "{\"a\":"] {
                let bytes = Array(String(repeating: unit, count: depth).utf8)
                let error = try #require(throws: InvalidInput.self) { try JSONDocument(file: "f", bytes: bytes) }
                #expect(error.diagnostics.map(\.rule) == ["B2C-JSON-003"])
                #expect(error.diagnostics[0].location?.column == JSONLimits.depth * unit.utf8.count + 1)
            }
        }
        let brackets = "\"" + String(repeating: "[", count: 10_000) + "\""
        #expect(try JSONParser.parse(brackets).stringValue?.count == 10_000)
    }

    /// Many questions are answered from one walk, and as each would be by itself.
    @Test func `a value that a program made gets a text when a place is asked for`() throws {
        let value: JSONValue = ["a": [1, ["b": "x"]], "c": nil]
        let made = JSONDocument(file: "made.json", value: value)
        #expect(!made.isText && made.root == value && made.notes.isEmpty)
        let read = try JSONDocument(file: "made.json", bytes: Array(JSONWriter.pretty(value).utf8))
        for pointer in ["", "/a/1/b", "/c", "/none"].compactMap({ JSONPointer($0) }) {
            #expect(made.location(of: pointer) == read.location(of: pointer))
            #expect(made.location(of: pointer, key: true) == read.location(of: pointer, key: true))
        }
        #expect(read.isText && made.source.bytes == read.source.bytes)
    }

    @Test func `places are the same whether one is asked for or many`() throws {
        let wide = (0..<40).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
        let text = #"""
            { "a": [1, {"b~c": [true, []], "d/e": {"": "x"}}, "ü"], "wide": {\#(wide)},
              "ab": {"0": {}, "1" : -1.5e3}, "empty": {}, "none": [ ], "last": null }
            """#
        let pointers =
            [
                "", "/a", "/a/0", "/a/1/b~0c/1", "/a/1/d~1e/", "/a/2", "/a/01", "/a/9/x", "/ab/0", "/ab/1/y", "/none/0",
                "/empty/x", "/last", "/nothing", "/wide", "/wide/k39/z",
            ] + (0..<40).map { "/wide/k\($0)" }
        let many = try JSONDocument(file: "f", bytes: Array(text.utf8))
        for isKey in [false, true] {
            for text in pointers {
                let pointer = try #require(JSONPointer(text))
                let alone = try JSONDocument(file: "f", bytes: many.source.bytes)
                #expect(many.location(of: pointer, key: isKey) == alone.location(of: pointer, key: isKey), "\(text)")
            }
        }
    }
}
