import CommandKit
import Determinism
import Explanations
import JSON
import Reports
import Testing

/// What is said of texts, rules and keys, without a command.
struct SymptomTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    @Test(arguments: [
        ("AADB2C90118", "AADB2C90118  Azure AD B2C"), ("client msal-ios", "client msal-ios"),
        ("B2C-SCN-020", "B2C-SCN-020  rule of scenario files"),
    ])
    func `a text is known by what it names`(_ text: String, _ title: String) throws {
        let answer = try Symptom(text: text, policies: nil).answer(now: Self.now, showsSecrets: false)
        #expect(answer.explanations.first?.title == title)
        #expect(answer.json["explanations"]?[0]?["title"] == .string(title))
    }

    @Test func `a text is not taken for a file, and nothing is read for a hyphen`() throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(folder) }
        let file = FilePath.join(folder, "a.log")
        try FileSystem.write(Array("AADB2C90118".utf8), to: file)
        for (text, status) in [(file, Status.input), ("-", .usage)] {
            let failure = #expect(throws: Failure.self) {
                try Symptom(text: text, policies: nil).answer(now: Self.now, showsSecrets: false)
            }
            #expect(failure?.status == status)
        }
    }

    @Test func `every rule has an explanation by its id in any letter case`() {
        #expect(RuleTable.ids.count > 100)
        for id in RuleTable.ids {
            #expect(RuleTable.rule(id.lowercased())?.facts.first?.label == "demands", "\(id)")
        }
        #expect(RuleTable.rule("B2C-NONE-001") == nil)
    }

    @Test func `an explanation has its labels in a column and lines that a terminal does not break`() throws {
        let words = Array(repeating: "word", count: 40).joined(separator: " ")
        var explanation = try #require(RuleTable.rule("B2C-SCN-020"))
        (explanation.title, explanation.facts) = ("title", [("means", words), ("", "more")])
        let lines = explanation.text(Style(usesColor: false)).split(separator: "\n")
        #expect(lines.first == "title" && lines.last == "         more")
        #expect(lines.allSatisfy { $0.count <= 80 } && lines[1].hasPrefix("  means  word"))
    }
}
