import Diagnostics

@testable import JSON

extension FuzzTarget {
    static let json = FuzzTarget(
        name: "json", meaning: "the JSON parser, the walk that finds faults, places, and the reader of script literals",
        longest: 1024,
        words: [
            "\\u0000", "\\ud83d\\ude00", "\\ud800", "1e308", "-0", "1E+400", "9223372036854775808", "true", "false",
            "null",
            "{\"a\":", "[[[[", "]]]]", ",", "\u{FEFF}", "var A = ", "A = {", "'", "//", "/*", "*/", "\\x41",
            "function () {}",
            "<script>", "</script>",
        ],
        seeds: {
            Seeds.texts(
                #"{"a": [1, -2.5e3, "x\u00e9\n", true, null], "b": {"c": {}}, "é": 9007199254740993}"#,
                #"{"a": 1, "a": 2,}"#, "[1 2]", "{'a': 1}", "// c\n{\"a\": 0x10}", "[1.0, 01, +1, .5, 1.]",
                #"<script>var A = {a: 'x', "b": [1, 0x1F, , "\x41"], c: function () { return 1; }, d: -1.5e2, e: "a" + "b"};</script>"#,
                "A = {\"remoteResource\":\"https://x/\",\"list\":[]};"
            ) + Seeds.files("scenarios/tenants", [".json"], upTo: 1024)
                + Seeds.files("scenarios/sign-in", [".json"], upTo: 1024)
        },
        run: { bytes in
            let fast = JSONMessageReader.read(bytes)
            let read = JSONParser.read(bytes)
            switch read {
            case .success(let value):
                if let fast { check(fast == value, "both readers read the same") }
                if let fault = JSONFaultFinder.fault(in: bytes) {
                    check(false, "the walk finds no fault in what is read: \(fault.message)")
                }
                checkWriting(value)
                checkLiteral(bytes, value)
            case .failure(let fault):
                check(fast == nil, "the quick reader reads only what the parser reads")
                checkFault(fault, bytes)
            }
            checkDocument(bytes)
            let loose = LooseScript.assignments(in: bytes, names: ["A", "B"], recurring: ["A"])
            for value in loose.values { checkWriting(value, exactly: false) }
            check(
                LooseScript.assignments(in: bytes, names: ["A", "B"], recurring: ["A"]) == loose,
                "the same script gives the same values")
            let text = String(decoding: bytes, as: UTF8.self)
            if let pointer = JSONPointer(text) {
                check(JSONPointer(pointer.description) == pointer, "a pointer that is written can be read")
            }
        })

    /// - Parameter exactly: Whether no name of a member may hold U+0000, as those of scripts may.
    private static func checkWriting(_ value: JSONValue, exactly: Bool = true) {
        for text in [JSONWriter.compact(value), JSONWriter.pretty(value), JSONWriter.script(value)] {
            guard let again = try? JSONParser.parse(text) else {
                check(false, "what is written can be read")
                return
            }
            check(again == value || !exactly, "what is written is read as the same value")
        }
        check(
            value.merging(patch: .object(JSONObject())) == value || value.objectValue == nil,
            "an empty patch changes nothing")
    }

    /// JSON is a part of JavaScript.
    private static func checkLiteral(_ bytes: [UInt8], _ value: JSONValue) {
        guard value.objectValue != nil, !bytes.contains(UInt8(ascii: "<")) else { return }
        let script = Array("Z = ".utf8) + bytes.dropFirst(JSONFault.byteOrderMarkLength(bytes)) + Array(";".utf8)
        if let loose = LooseScript.assignments(in: script, names: ["Z"])["Z"] {
            check(loose == value, "a literal that is JSON has the value of the JSON")
        }
    }

    private static func checkFault(_ fault: JSONFault, _ bytes: [UInt8]) {
        check(!fault.message.isEmpty, "a fault has a message")
        check((0...bytes.count).contains(fault.offset), "a fault is inside the text: \(fault.offset) of \(bytes.count)")
        check(fault.length >= 0, "a fault has a length")
        check(!fault.message.hasPrefix("this is not JSON: "), "the walk finds the fault: \(fault.message)")
        let finding = fault.diagnostic(in: SourceText(file: "fuzz.json", bytes: bytes))
        check(finding.location.map { ($0.line ?? 1) >= 1 && ($0.column ?? 1) >= 1 } ?? true, "a fault has a place")
        _ = DiagnosticRenderer(color: false, sources: [SourceText(file: "fuzz.json", bytes: bytes)]).render(finding)
    }

    private static func checkDocument(_ bytes: [UInt8]) {
        do throws(InvalidInput) {
            let document = try JSONDocument(file: "fuzz.json", bytes: bytes)
            let scanner = JSONScanner(bytes)
            var index = PlaceIndex(scanner)
            var left = 40
            func visit(_ value: JSONValue, _ pointer: JSONPointer) {
                guard left > 0 else { return }
                left -= 1
                let place = scanner.locate(pointer.tokens)
                check(place.depth == pointer.tokens.count, "every value has a place: \(pointer.description)")
                check(index.locate(pointer.tokens) == place, "the index has the place that the walk finds")
                check(
                    (try? JSONParser.parse(Array(bytes[place.value]))) == value, "at the place of a value is that value"
                )
                switch value {
                case .object(let object): for (key, member) in object.members { visit(member, pointer.appending(key)) }
                case .array(let elements):
                    for (number, element) in elements.enumerated() { visit(element, pointer.appending(number)) }
                default: break
                }
            }
            visit(document.root, .root)
        } catch {
            check(!error.diagnostics.isEmpty, "a document that is refused has findings")
            check(error.diagnostics.allSatisfy { !$0.message.isEmpty }, "every finding has a message")
        }
    }
}
