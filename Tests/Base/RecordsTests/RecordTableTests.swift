import JSON
import Records
import Testing

private struct Fruit: TableRow {
    var id = ""
    var color = ""

    static let title = "fruit"
    static let summary = "A fruit."
    static let settings: [Setting<Fruit>] = {
        var table = SettingsTable<Fruit>()
        table.add("id", \.id, .nonEmpty, "Its name.", required: true)
        table.add("color", \.color, .nonEmpty, "Its color.", required: true)
        return table.rows
    }()
}

@Suite struct RecordTableTests {
    private func table(_ rows: String) -> RecordTable<Fruit> {
        RecordTable(Array(#"{"sweet": {"about": "Sweet ones.", "rows": [\#(rows)]}}"#.utf8))
    }

    @Test func `rows are read in the order of the file, and by section`() {
        let table = table(#"{"id": "pear", "color": "green"}, {"id": "fig", "color": "blue"}"#)
        #expect(table.problems == [])
        #expect(table.rows.map(\.id) == ["pear", "fig"])
        #expect(table["sweet"].map(\.color) == ["green", "blue"])
        #expect(table["sour"] == [])
    }

    @Test(arguments: [
        (#"{"id": "pear"}"#, #"pear: fruit lacks "color""#),
        (
            #"{"id": "fig", "color": "blue"}, {"id": "pear", "color": 7}"#,
            "pear: expected a text that is not empty, found 7 at color"
        ),
        (#"{"id": "pear", "color": "green", "colour": "x"}"#, #"pear: unknown key "colour" in fruit at colour"#),
        (#"{"color": "green"}"#, #"/sweet/rows/0: fruit lacks "id""#),
        (#""pear""#, #"/sweet/rows/0: expected an object, found "pear""#),
        (#"{"id": "pear", "color": "green"}, {"id": "pear", "color": "red"}"#, "pear: two rows have this id"),
    ])
    func `a malformed row is reported with its id`(_ row: (rows: String, problem: String)) {
        #expect(table(row.rows).problems == [row.problem])
    }

    @Test(arguments: [
        ("", "JSON"), ("[]", "expected an object, found array"), (#"{"sweet": 1}"#, "expected an object, found 1"),
        (#"{"sweet": {"rows": []}}"#, #"the section lacks "about""#),
        (#"{"sweet": {"about": "x"}}"#, "expected a list, found null"),
    ])
    func `a malformed file is reported`(_ file: (text: String, problem: String)) {
        let problems = RecordTable<Fruit>(Array(file.text.utf8)).problems
        #expect(problems.count == 1 && problems[0].contains(file.problem), "\(problems)")
    }
}
