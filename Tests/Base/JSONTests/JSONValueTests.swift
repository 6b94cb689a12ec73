import JSON
import Testing

@Suite struct JSONValueTests {
    private let value: JSONValue = [
        "name": "ada", "age": 36, "half": 0.5, "whole": 2.0, "ok": true, "none": nil, "list": [1, ["x": "y"]],
    ]

    @Test func `each accessor answers for its own kind only`() {
        #expect(value["name"]?.stringValue == "ada" && value["age"]?.stringValue == nil)
        #expect(value["age"]?.intValue == 36 && value["whole"]?.intValue == 2 && value["half"]?.intValue == nil)
        #expect(value["age"]?.doubleValue == 36 && value["half"]?.doubleValue == 0.5)
        #expect(value["ok"]?.boolValue == true && value["age"]?.boolValue == nil)
        #expect(value["none"]?.isNull == true && value["missing"] == nil)
        #expect(value["list"]?[1]?["x"] == "y" && value["list"]?[2] == nil && value["list"]?[-1] == nil)
        #expect(value["list"]?.arrayValue?.count == 2 && value.objectValue?.count == 7)
        #expect(value["name", "x"] == nil)
        #expect((["a": ["b": ["c": 3]]] as JSONValue)["a", "b", "c"] == 3)
        #expect(
            value.objectValue?.members.map(\.value.typeName)
                == ["string", "number", "number", "number", "boolean", "null", "array"])
    }

    @Test func `an object keeps the order of its members`() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.keys == ["b", "a", "c"])
        object["b"] = nil
        object["missing"] = nil
        object.append("b", 5)
        #expect(object.keys == ["a", "c", "b"] && object["b"] == 5)
        #expect(JSONObject([("k", 1), ("l", 2), ("k", 3)]) == ["k": 3, "l": 2])
        #expect(object != ["b": 5, "a": 2, "c": 3])
        #expect(object.keys(with: ["d": 1, "c": 2]) == ["a", "c", "b", "d"])
        #expect(Set([object, object]).count == 1)
    }

    @Test func `large objects find and lose members like small ones`() {
        var object = JSONObject()
        var model: [(String, Int64)] = []
        for number in 0..<200 {
            object["k\(number)"] = .integer(Int64(number))
            model.append(("k\(number)", Int64(number)))
        }
        for number in stride(from: 0, to: 200, by: 3) {
            object["k\(number)"] = nil
            model.removeAll { $0.0 == "k\(number)" }
        }
        object["k1"] = 1000
        #expect(object.keys == model.map(\.0))
        #expect(model.dropFirst().allSatisfy { object[$0.0] == .integer($0.1) })
        #expect(object["k1"] == 1000 && object["k0"] == nil)
        while object.count > 3 { object[object.keys[0]] = nil }
        #expect(object.keys == ["k196", "k197", "k199"] && object["k199"] == 199)
    }

    // RFC 7396 appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `a merge patch does what its standard says`(original: String, patch: String, result: String) throws {
        let merged = try JSONParser.parse(original).merging(patch: JSONParser.parse(patch))
        #expect(JSONWriter.compact(merged) == result)
    }

    @Test(
        arguments: [
            (1, 1.0, true), (.number(0.5), .number(0.5), true), (1, 1.5, false), (1, "1", false),
            (["a": 1, "b": [2.0]], ["b": [2], "a": 1.0], true), (["a": 1], ["a": 1, "b": nil], false),
            ([1, 2], [2, 1], false), (.integer(9_007_199_254_740_993), .number(9_007_199_254_740_992), false),
            (nil, false, false), (.integer(.max), .number(9.3e18), false),
        ] as [(JSONValue, JSONValue, Bool)])
    func `values are compared as JSON means them`(left: JSONValue, right: JSONValue, same: Bool) {
        #expect(left.sameValue(as: right) == same)
        #expect(right.sameValue(as: left) == same)
    }
}
