import JSON
import Testing

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (JSONValue.null, "null"), (true, "true"), (0, "0"), (-7, "-7"), (1_234_567_890_123, "1234567890123"),
            (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"), (1.5, "1.5"),
            (1.0, "1.0"),
            (.number(1e300), "1e+300"), (.number(.infinity), "null"), (.number(.nan), "null"), ("", "\"\""),
            ("é😀/", "\"é😀/\""),
            ("\"\\\u{8}\u{9}\n\u{c}\r\u{0}\u{1f}\u{7f}", #""\"\\\b\t\n\f\r\u0000\u001f"# + "\u{7f}\""),
            ([], "[]"), ([1, [2, nil]], "[1,[2,null]]"), ([:], "{}"),
            (["b": 1, "a": ["x": true]], #"{"b":1,"a":{"x":true}}"#),
        ] as [(JSONValue, String)])
    func `compact text has no blanks`(value: JSONValue, text: String) {
        #expect(JSONWriter.compact(value) == text)
        #expect(JSONWriter.compactBytes(value) == Array(text.utf8))
    }

    @Test func `a name with a null character can be read again`() throws {
        let value: JSONValue = ["a\u{0}": "b\u{0}"]
        #expect(try JSONParser.parse(JSONWriter.compact(value)) == ["a\u{FFFD}": "b\u{0}"])
        #expect(try JSONParser.parse(JSONWriter.pretty(value)) == ["a\u{FFFD}": "b\u{0}"])
    }

    /// Every way to split a document into pieces gives the bytes of the whole.
    @Test(
        arguments: [
            [], [:], ["a": 1], [1, [], [2]], ["a": ["b": [], "c": [:], "\u{0}\"": "x"], "d": [[:], ["e": nil]]], "text",
            1.5,
            [
                "long": .string(String(repeating: "ab", count: 100_000)),
                "more": [.string(String(repeating: "é", count: 40_000))],
            ],
        ] as [JSONValue])
    func `a document written piece by piece is the same as the whole`(_ value: JSONValue) {
        for depth in 0...3 {
            let text = JSONStream.text { write(value, to: &$0, depth: depth) }
            #expect(text == JSONWriter.pretty(value) + "\n")
        }
        var pieces: [[UInt8]] = []
        var stream = JSONStream { pieces.append(Array($0)) }
        write(value, to: &stream, depth: 3)
        stream.end()
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == JSONWriter.pretty(value) + "\n")
        #expect(pieces.count > 1 || pieces.joined().count < 1 << 16)
    }

    private func write(_ value: JSONValue, to stream: inout JSONStream, depth: Int) {
        switch value {
        case .object(let object) where depth > 0:
            stream.object { stream in
                for (name, member) in object.members {
                    stream.key(name)
                    write(member, to: &stream, depth: depth - 1)
                }
            }
        case .array(let elements) where depth > 0:
            stream.array { stream in
                for element in elements { write(element, to: &stream, depth: depth - 1) }
            }
        default: stream.element(value)
        }
    }

    @Test func `pretty puts a member on each line and leaves the empty on theirs`() {
        let value: JSONValue = ["a": [1, ["b": []]], "c": [:]]
        #expect(
            JSONWriter.pretty(value) == """
                {
                  "a": [
                    1,
                    {
                      "b": []
                    }
                  ],
                  "c": {}
                }
                """)
        #expect(JSONWriter.pretty([1], indent: 0) == "[\n1\n]")
        #expect(JSONWriter.pretty("x") == "\"x\"")
    }

    @Test func `inside a script element nothing can end it or turn it round`() throws {
        let value: JSONValue = [
            "a": "</script><!--&\u{2028}\u{2029}\u{2027}\u{202a}\u{202e}\u{202f}\u{2065}\u{2066}\u{2069}é"
        ]
        let text = JSONWriter.script(value)
        #expect(
            text == #"{"a":"\u003c/script\u003e\u003c!--\u0026\u2028\u2029"# + "\u{2027}" + #"\u202a\u202e"#
                + "\u{202f}\u{2065}" + #"\u2066\u2069"# + "é\"}")
        #expect(try JSONParser.parse(text) == value)
    }
}
