import Determinism
import Foundation
import JSON
import TestSupport
import Testing

@testable import Diagnosis

let noon = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)

/// A text explained at noon.
func explained(_ text: String, showsSecrets: Bool = false) -> Diagnosis {
    Diagnosis(Array(text.utf8), now: noon, showsSecrets: showsSecrets)
}

@Suite struct CauseTests {
    @Test func `every row of the tables can be read`() {
        #expect(Cause.table.problems == [])
        #expect(MessageCode.table.problems == [])
        #expect(MessageCode.libraryTable.problems == [])
        #expect(Trait.table.problems == [])
        #expect(Trait.table.rows.map(\.id) == Trait.allCases.map(\.rawValue))
        #expect(LibraryMarks.table.problems == [])
        #expect(LibraryMarks.table["own"].map(\.id) == Library.allCases.map(\.rawValue))
    }

    @Test(arguments: SymptomTable.cases)
    func `a symptom leads to its entry`(_ row: (id: String, text: String)) {
        let diagnosis = explained(row.text)
        let named = diagnosis.causes.map { "\($0.cause.id):\($0.score)" }
        #expect(
            diagnosis.causes.prefix(3).contains { $0.cause.id == row.id },
            "\(row.id) is not among the first of \(named)")
    }

    @Test func `most symptoms lead to their entry first`() {
        let others = SymptomTable.cases.filter { explained($0.text).causes.first?.cause.id != $0.id }.map(\.id)
        #expect(others.count <= 6, "\(others)")
    }

    @Test func `every entry of the catalogue has a cause and a symptom`() throws {
        let table = try String(contentsOf: TestFiles.root().appendingPathComponent("docs/bugs.md"), encoding: .utf8)
        let entries = table.split(separator: "\n").compactMap { line -> String? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let id = cells.first, "BR".contains(id.prefix(1)), Int(id.dropFirst()) != nil else { return nil }
            return id
        }
        #expect(entries.filter { $0.hasPrefix("B") }.count == 136)
        #expect(Set(Cause.played.map(\.id)) == Set(entries))
        #expect(Set(SymptomTable.cases.map(\.id)) == Set(entries))
        #expect(Cause.played.count == entries.count, "an entry has two causes")
    }

    @Test func `causes without a script have a name of their own and say what to do`() {
        let others = Cause.all.filter { $0.script == nil }
        #expect(others.count > 200)
        #expect(Set(Cause.all.map(\.id)).count == Cause.all.count)
        for cause in others {
            #expect(cause.fix.hasSuffix(".") && cause.cause.hasSuffix("."), "\(cause.id)")
            for check in cause.checks { #expect(check.hasSuffix("?") || check.hasSuffix("."), "\(check)") }
            #expect(cause.signs.contains { $0.weight >= Sign.fairWeight }, "nothing carries \(cause.id)")
        }
    }

    @Test(arguments: Cause.played.map(\.id))
    func `a cause names a script that is there, and says what to do`(_ id: String) throws {
        let cause = try #require(Cause.all.first { $0.id == id })
        let table = try String(contentsOf: TestFiles.root().appendingPathComponent("docs/bugs.md"), encoding: .utf8)
        let row = try #require(table.split(separator: "\n").first { $0.hasPrefix("| \(id) |") })
        if !row.contains("| none:") {
            let script = try #require(cause.script)
            #expect(row.contains("(../\(script))"), "\(row)")
            let file = TestFiles.root().appendingPathComponent(script)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(script)")
        }
        #expect(!cause.checks.isEmpty && cause.fix.hasSuffix(".") && cause.cause.hasSuffix("."))
        for check in cause.checks { #expect(check.hasSuffix("?") || check.hasSuffix("."), "\(check)") }
        #expect(cause.signs.contains { $0.weight >= Sign.fairWeight }, "nothing would carry \(id)")
    }

    @Test func `every clue is one that can be seen`() {
        for cause in Cause.all {
            for sign in cause.signs {
                #expect(!sign.alternatives.isEmpty && sign.alternatives.allSatisfy { !$0.isEmpty })
                for phrase in sign.phrases {
                    #expect(
                        !phrase.hasPrefix("{") && !phrase.hasPrefix("@") || phrase.hasPrefix("@azure"),
                        "\(cause.id): \(phrase)")
                    #expect(phrase == phrase.lowercased(), "\(cause.id): \(phrase)")
                    #expect(phrase.contains { $0.isLetter || $0.isNumber }, "\(cause.id): \(phrase)")
                }
            }
        }
    }

    /// Codes that several bugs share, and the entries of which all are to be named for the code alone.
    @Test(arguments: [
        ("AADB2C90088", ["B28", "B45", "B29"]), ("AADB2C90118", ["B47", "B49", "B54"]),
        ("AADB2C90091", ["B51", "B52"]),
        ("AADB2C90079", ["B08", "B09"]), ("AADB2C90129", ["B106", "B46"]), ("AADB2C90057", ["B12", "B102"]),
        ("AADB2C90037", ["B129", "B86"]), ("-42008", ["B59", "B15"]), ("-50002", ["B28", "B106", "B117"]),
        ("-50005", ["B51", "B05"]), ("monitor_window_timeout", ["B113", "B112", "B46"]),
        ("endpoints_resolution_error", ["B14", "B25"]), ("AADB2C99001", ["B131", "B132"]),
    ])
    func `bugs that share a code are all named`(_ row: (code: String, ids: [String])) {
        let named = explained(row.code).causes.map(\.cause.id)
        #expect(Set(row.ids).isSubset(of: Set(named)), "\(named)")
        #expect(named.first == row.ids.first, "\(named)")
    }

    @Test func `a client of another library moves a cause down`() {
        let browser = explained("AADB2C90079 at @azure/msal-browser").causes.map(\.cause.id)
        let server = explained("AADB2C90079 at @azure/msal-node ConfidentialClientApplication").causes.map(\.cause.id)
        #expect(browser.first == "B08" && server.first == "B09")
    }

    @Test func `evidence names the line, and what was not seen distinguishes causes`() throws {
        let diagnosis = explained("started\nAADB2C90088: Actual B2C_1_a Expected B2C_1_b\nended")
        let first = try #require(diagnosis.causes.first)
        #expect(first.evidence.map(\.line) == [2])
        #expect(!first.lookFor.isEmpty)
    }

    @Test(arguments: ["-42105", "-34018", "-42402", "-50005", "-1009"])
    func `a number is an error only with its sign`(_ number: String) {
        #expect(!explained(number).causes.isEmpty)
        #expect(explained("TID=\(number.dropFirst()) MSAL 1.1.16 iOS 14.4 [2021-04-23 16:26:15] text").causes.isEmpty)
    }

    @Test func `ordinary words that stand far apart in a log prove nothing`() {
        let filler = String(repeating: "2026-01-15 12:00:00 another line of the app's own log\n", count: 400)
        let words = "user chose: uninstall the widget\n" + filler + "the job is still running\n" + filler
        #expect(explained(words).causes.isEmpty)
        let together = filler + "After uninstall the user is still logged in\n" + filler
        #expect(explained(together).causes.first?.cause.id == "B90")
    }

    @Test(arguments: ["", " \n\t\n"])
    func `an empty text is refused`(_ text: String) {
        #expect(explained(text).refusal?.contains("empty") == true)
    }

    @Test(arguments: ["hello world", "The quick brown fox", "SELECT * FROM users WHERE id = 7;", "x=1&y=2"])
    func `nothing is made up of other texts`(_ text: String) {
        let diagnosis = explained(text)
        #expect(!diagnosis.hasFound && diagnosis.sections.isEmpty)
    }
}
