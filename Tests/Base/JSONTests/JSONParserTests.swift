import Diagnostics
import JSON
import Testing

/// A reader of our own reads the messages of programs as far as it can; jansson decides what they mean.
@Suite struct JSONParserTests {
    /// The same text as a person's file, which jansson alone reads.
    private func judged(_ bytes: [UInt8]) -> Result<JSONValue, InvalidInput> {
        do throws(InvalidInput) {
            return .success(try JSONDocument(file: "JSON text", bytes: bytes).root)
        } catch {
            return .failure(error)
        }
    }

    private func agree(_ bytes: [UInt8], _ note: String) {
        do throws(InvalidInput) {
            let value = try JSONParser.parse(bytes)
            switch judged(bytes) {
            case .success(let judged): #expect(value == judged, "\(note)")
            case .failure(let error):
                // A key that comes twice is an error in a person's file alone.
                #expect(error.diagnostics.allSatisfy { $0.rule == "B2C-JSON-002" }, "\(note)")
            }
        } catch {
            guard case .failure(let judged) = judged(bytes) else {
                Issue.record("refused, and jansson reads it: \(note)")
                return
            }
            #expect(error.diagnostics == judged.diagnostics, "\(note)")
        }
    }

    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "\"\"", "0", "-0", "-1", " 7 ", "\t[ 1 , 2 ]\r\n", "01", "-", "--1", "+1",
        "1.", "1.5", "1e3", "1E3", "-0.0", "999999999999999999", "-999999999999999999", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "1e999", "tru", "nulll", "[1,]", "[,1]", "{\"a\":1,}",
        "{\"a\"}", "{\"a\":}", "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "[1 2]", "[1", "{\"a\":1", "\"a", "\"a\\",
        "1 2",
        "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"b\":2,\"a\":{\"c\":3}}", "\"\\u0041\\u00e9\\u20ac\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"", "\"\\ude00\\ud83d\"", "\"\\u0000\"", "{\"\\u0000\":1}", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"a\nb\"", "\"\u{7f}\u{80}é€😀\"", "\u{feff}{}", "", " ",
        "{\"a\":[{\"b\":[[]]}]}",
        "/* c */ 1", "[1]]", "NaN", "Infinity",
    ])
    func `agrees with jansson`(text: String) {
        agree(Array(text.utf8), text)
    }

    @Test func `agrees with jansson on bytes that are not UTF-8, and on depth`() {
        let strange: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xFF], [0x00], [0xE2, 0x80],
        ]
        for bytes in strange {
            agree([0x22] + bytes + [0x22], "\(bytes)")
            agree([0x22, 0x5C, 0x6E] + bytes + [0x22], "escape and \(bytes)")
            agree([0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D], "key \(bytes)")
        }
        for depth in [1, 31, 32, 33, 127, 128, 129, 5000] {
            agree(
                Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8),
                "\(depth)")
            agree(
                Array(String(repeating: "{\"a\":", count: depth).utf8) + [0x31]
                    + Array(String(repeating: "}", count: depth).utf8), "\(depth)")
        }
    }

    @Test(arguments: 1...8)
    func `agrees with jansson on a damaged message`(seed: UInt64) {
        var state = seed
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let original = Array(
            """
            {"access_token":"eyJ0eXAiOiJKV1QifQ.e30.c2ln","expires_in":3600,"list":[1,-2,true,false,null,"a\\"b\\u00e9"],\
            "é":{"k":"v","n":[{}]},"refresh_token":"x"}
            """.utf8)
        let interesting = Array("{}[]\",:\\'/#0-+.eEtfnu\u{0}\u{1b}\n ".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF, 0xEF]
        for round in 0..<400 {
            var bytes = original
            for _ in 0...below(4) {
                let place = below(bytes.count)
                switch below(4) {
                case 0: bytes[place] = interesting[below(interesting.count)]
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(interesting[below(interesting.count)], at: place)
                default:
                    let end = min(bytes.count, place + 1 + below(30))
                    bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
                }
            }
            agree(bytes, "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
