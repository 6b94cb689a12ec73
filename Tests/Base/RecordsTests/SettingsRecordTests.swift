import JSON
import Records
import Testing

/// A record of the tests' own, whose keys apply or not by a whole number.
private struct Lamp: SettingsRecord {
    var color = "white"
    var watts = 40
    var isOn = true

    static let title = "lamp"
    static let summary = "A lamp."

    static let settings: [Setting<Lamp>] = {
        var table = SettingsTable<Lamp>()
        table.add("color", \.color, .nonEmpty, "Its color.", required: true)
        table.add(
            "watts", \.watts, .integer(0...100), "Its power.",
            limit: SettingLimit(doc: "Above 3.") { place, _ in
                place > 3 ? nil : SettingProblem(reason: "does nothing at \(place)", remedy: "Remove it.")
            })
        table.add("isOn", \.isOn, .bool, "Whether it is on.")
        return table.rows
    }()

    typealias Place = Int
}

/// A record.
@Suite struct SettingsRecordTests {
    @Test func `what is written is read again, and every key is written`() throws {
        let lamp = Lamp(color: "red", watts: 7, isOn: false)
        let cursor = SettingsCursor()
        #expect(JSONWriter.compact(.object(lamp.object)) == #"{"color":"red","watts":7,"isOn":false}"#)
        #expect(Lamp.decode(.object(lamp.object), cursor) == lamp)
        #expect(cursor.findings.all.isEmpty)
    }

    @Test(arguments: [
        (#"{"watts": 7}"#, "", "T-020", "lamp lacks \"color\""),
        (#"{"color": ""}"#, "/color", "T-020", #"expected a text that is not empty, found """#),
        (
            #"{"color": "red", "watts": 101}"#, "/watts", "T-020",
            "expected a whole number from 0 to 100, found 101"
        ),
        (#"{"color": "red", "wats": 1}"#, "/wats", "T-021", #"unknown key "wats" in lamp"#),
        (#"[]"#, "", "T-020", "expected an object, found array"),
    ])
    func `a finding says what is wrong and where`(text: String, pointer: String, rule: String, message: String) throws {
        let cursor = SettingsCursor(rulePrefix: "T")
        _ = Lamp.decode(try JSONDocument(file: "lamp.json", bytes: Array(text.utf8)).root, cursor)
        let finding = try #require(cursor.findings.all.first)
        #expect(cursor.findings.all.count == 1)
        #expect(finding.pointer.description == pointer)
        #expect(finding.rule == rule)
        #expect(finding.message == message)
    }

    @Test func `an unknown key gets the nearest name`() {
        let cursor = SettingsCursor()
        _ = Lamp.decode(.object(["color": "red", "wats": 1]), cursor)
        #expect(cursor.findings.all.map(\.remedy) == [#"did you mean "watts"?"#])
    }

    @Test func `a value that is filled in later is left at its default`() {
        let cursor = SettingsCursor(allowsTemplates: true)
        let lamp = Lamp.decode(.object(["color": "red", "watts": "{{inputs.watts}}"]), cursor)
        #expect(cursor.findings.all.isEmpty)
        #expect(lamp == Lamp(color: "red"))
    }

    @Test func `a limit names the keys that do nothing in a place`() {
        let written: JSONValue = ["color": "red", "watts": 7]
        #expect(Lamp.misplaced(written, in: 3).map(\.key) == ["watts"])
        #expect(Lamp.misplaced(written, in: 3).map(\.problem.reason) == ["does nothing at 3"])
        #expect(Lamp.misplaced(written, in: 4).isEmpty)
    }

    @Test func `the shape carries meaning, default and limit of each key`() throws {
        guard case .object(let shape) = Lamp.shape else {
            Issue.record("expected the shape of an object")
            return
        }
        #expect(shape.fields.map(\.name) == ["color", "watts", "isOn"])
        #expect(shape.fields.map(\.doc) == ["Its color.", "Its power. Above 3.", "Whether it is on."])
        #expect(shape.fields.map(\.defaultText) == [nil, "40", "true"])
    }
}
