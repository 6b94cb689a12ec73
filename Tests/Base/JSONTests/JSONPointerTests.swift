import JSON
import Testing

@Suite struct JSONPointerTests {
    // RFC 6901 section 5.
    private let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
            ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSONValue)])
    func `the examples of the standard`(text: String, value: JSONValue) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(document.value(at: pointer) == value)
        #expect(pointer.description == text)
    }

    @Test(arguments: [
        "/foo/2", "/foo/00", "/foo/-", "/foo/-1", "/foo/x", "/foo/0/x", "/none", "/foo/99999999999999999999",
    ])
    func `where nothing is there is nothing`(text: String) throws {
        #expect(document.value(at: try #require(JSONPointer(text))) == nil)
    }

    @Test(arguments: ["foo", "/a~", "/a~2", "~0"])
    func `what is not a pointer is refused`(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test func `a pointer is built by steps`() {
        let pointer = JSONPointer.root.appending("steps").appending(2).appending("a/b~")
        #expect(pointer.description == "/steps/2/a~1b~0")
        #expect(pointer.parent == "/steps/2" && JSONPointer.root.parent == nil)
        #expect(document.value(at: .root) == document)
        #expect(("steps/2" as JSONPointer).tokens == ["steps", "2"])
    }

    @Test(arguments: [
        ("{}", "/a/b", "1", #"{"a":{"b":1}}"#, true), (#"{"a":[1,2]}"#, "/a/1", "9", #"{"a":[1,9]}"#, true),
        (#"{"a":[1]}"#, "/a/-", "9", #"{"a":[1,9]}"#, true), (#"{"a":[1]}"#, "/a/1", "9", #"{"a":[1,9]}"#, true),
        (#"{"a":[1]}"#, "/a/2", "9", #"{"a":[1]}"#, false), (#"{"a":[1,2]}"#, "/a/0", nil, #"{"a":[2]}"#, true),
        (#"{"a":1,"b":2}"#, "/a", nil, #"{"b":2}"#, true), (#"{"a":1}"#, "/b/c", nil, #"{"a":1}"#, false),
        (#"{"a":1}"#, "/a/b", "2", #"{"a":{"b":2}}"#, true), (#"{"a":1}"#, "/a/b", nil, #"{"a":1}"#, false),
        ("1", "", "2", "2", true), (#"{"a":[{"b":1}]}"#, "/a/0/b", "2", #"{"a":[{"b":2}]}"#, true),
        (#"{"a":[]}"#, "/a/0/b", "2", #"{"a":[{"b":2}]}"#, true), (#"{"a":[]}"#, "/a/x", "2", #"{"a":[]}"#, false),
    ])
    func `a value is set at a pointer, if its place exists`(
        before: String, pointer: String, value: String?, after: String, done: Bool
    ) throws {
        var document = try JSONParser.parse(before)
        let newValue = try value.map { try JSONParser.parse($0) }
        let result = document.set(newValue, at: try #require(JSONPointer(pointer)))
        #expect(result == done)
        #expect(JSONWriter.compact(document) == after)
    }

    @Test func `a pointer of absurd depth changes nothing`() {
        var value: JSONValue = [:]
        let done = value.set(1, at: JSONPointer(tokens: Array(repeating: "a", count: 100_000)))
        #expect(!done)
        #expect(value == [:])
    }
}
