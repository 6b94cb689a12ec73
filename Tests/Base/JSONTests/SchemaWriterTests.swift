import JSON
import TestSupport
import Testing

@Suite struct SchemaWriterTests {
    private func schema(templates: Bool = true, names: [NameKind: [String]] = [:]) -> JSONValue {
        SchemaWriter.schema(
            id: "https://example.test/scenario.schema.json", title: "Scenario", root: ShapeFixture.root,
            named: ShapeFixture.named, templates: templates, names: names)
    }

    @Test func `the schema is as recorded`() throws {
        try matchGolden(JSONWriter.pretty(schema()) + "\n", "scenario.schema.json")
    }

    @Test func `known names complete and are checked`() {
        let schema = schema(names: [.policy: ["susi", "edit"], .person: ["ada"]])
        let policy = schema.value(at: "/$defs/step/properties/acquireToken/properties/policy/anyOf/0/enum")
        #expect(policy == ["susi", "edit"])
        #expect(schema.value(at: "/properties/people/properties/ada") == ["type": "string"])
        let validator = SchemaValidator(schema)
        func file(_ policy: String) -> JSONValue {
            ["name": "n", "tenant": "t", "steps": [["acquireToken": ["policy": .string(policy)]]]]
        }
        #expect(validator.problems(file("susi")).isEmpty && validator.problems(file("{{p}}")).isEmpty)
        #expect(!validator.problems(file("sus")).isEmpty)
    }

    @Test func `every key and every enumerated value is described`() {
        func undescribed(_ value: JSONValue, _ at: JSONPointer) -> [String] {
            var found: [String] = []
            if let properties = value["properties"]?.objectValue {
                for (key, property) in properties.members where property["description"] == nil {
                    found.append(at.appending(key).description)
                }
            }
            if value["const"] != nil, value["description"] == nil { found.append(at.description) }
            switch value {
            case .object(let object): return found + object.members.flatMap { undescribed($1, at.appending($0)) }
            case .array(let elements):
                return found + elements.enumerated().flatMap { undescribed($1, at.appending($0)) }
            default: return found
            }
        }
        #expect(undescribed(schema(), .root) == [])
    }

    /// Values that fit, one that uses everything.
    private static let accepted: [JSONValue] = [
        ["name": "n", "tenant": "t", "steps": []],
        [
            "name": "n", "tenant": ["a": 1], "clock": "2026-01-15T12:00:00Z", "link": "https://a.test", "weight": 1.5,
            "skew": "PT5M", "people": ["ada": "x"],
            "steps": [
                [
                    "id": "a", "acquireToken": ["policy": "p", "scopes": ["s"], "prompt": "login"], "repeat": 3,
                    "user": ["ada", ["press": "x", "wait": "PT1S"]], "network": true,
                    "expect": ["a": nil, "b": ["$exists": true, "c": 1], "d": "x"],
                ],
                ["steps": [["advanceClock": "PT5M"], "{{s}}"], "user": "{{u}}", "respond": [:]],
                ["acquireToken": "{{x}}"],
            ],
        ],
    ]

    /// The same value with one thing changed, at every place: removed, replaced by each kind of value, a key added.
    private static func mutations(of value: JSONValue) -> [JSONValue] {
        var all: [JSONValue] = []
        func visit(_ part: JSONValue, _ at: JSONPointer) {
            let others: [JSONValue] = [
                nil, true, 0, 101, 1.5, "", "text", "a b", "PT5M", "{{x}}", "x{{y}}z", "{{a}}{{b}}", "{{{{x", "login",
                "create", "2026-01-15T12:00:00Z", "https://a.test", [], [1], ["text"], [:], ["zz": 1],
                ["advanceClock": "PT1M"], ["mintToken": 1], ["press": "x"],
            ]
            for other in others {
                var copy = value
                copy.set(other, at: at)
                all.append(copy)
            }
            if at != .root {
                var copy = value
                copy.set(nil, at: at)
                all.append(copy)
            }
            if case .object(let object) = part {
                for key in ["unknown", "mintToken", "advanceClock", "network", "respond", "id", "$exist", "$exists"]
                where object[key] == nil {
                    var copy = value
                    copy.set("{{v}}", at: at.appending(key))
                    all.append(copy)
                }
                for (key, member) in object.members { visit(member, at.appending(key)) }
            }
            if case .array(let elements) = part {
                for (index, element) in elements.enumerated() { visit(element, at.appending(index)) }
            }
        }
        visit(value, .root)
        return all
    }

    @Test(arguments: [true, false])
    func `checker and schema agree on every change of a valid file`(templates: Bool) throws {
        let validator = SchemaValidator(schema(templates: templates))
        let document = try JSONDocument(file: "f", bytes: Array("{}".utf8))
        let checker = ShapeChecker(
            document: document, named: ShapeFixture.named, allowTemplates: templates, rulePrefix: "T")
        var counts = (fits: 0, fails: 0)
        for value in Self.accepted.flatMap({ [$0] + Self.mutations(of: $0) }) {
            let problems = validator.problems(value)
            let findings = checker.check(value, at: .root, as: ShapeFixture.root)
            #expect(problems.isEmpty == findings.isEmpty, "\(value)\n\(problems)\n\(findings)")
            if findings.isEmpty { counts.fits += 1 } else { counts.fails += 1 }
        }
        #expect(counts.fits > (templates ? 50 : 5) && counts.fails > 500)
    }

    @Test func `the schema of a schema file refuses what it should`() {
        let validator = SchemaValidator(schema())
        for value in Self.accepted { #expect(validator.problems(value) == []) }
        #expect(SchemaValidator(["unknownKeyword": 1]).problems(1).count == 1)
        #expect(SchemaValidator(["$ref": "#/nowhere"]).problems(1).count == 1)
    }
}
