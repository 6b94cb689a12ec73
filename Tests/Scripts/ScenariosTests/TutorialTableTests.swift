import Diagnostics
import Foundation
import Scenarios
import TestSupport
import Testing

/// The tables of docs/tutorials.md, which map what the tutorials say to scripts, held to the files.
@Suite struct TutorialTableTests {
    /// First and last row of each tutorial that an app can observe something of.
    static let rows: [(tutorial: String, rows: ClosedRange<Int>)] = [
        ("S0-R", 8...30), ("S2-B", 5...27), ("S3-M", 1...20), ("S4-G", 3...15),
    ]

    @Test(arguments: rows) func `every row is in the table once`(tutorial: String, rows: ClosedRange<Int>) throws {
        let listed = try TutorialTable.entries().map(\.row)
        for number in rows {
            let row = tutorial + (number < 10 ? "0\(number)" : "\(number)")
            #expect(listed.filter { $0 == row }.count == 1, "\(row)")
        }
    }

    @Test func `every entry names scripts of its row, or says why there is none`() throws {
        let files = try TutorialTable.files()
        for entry in try TutorialTable.entries() {
            #expect(!entry.scripts.isEmpty, "\(entry.row) names no script")
            for script in entry.scripts {
                #expect(files.contains(script + ".json"), "\(entry.row): there is no \(script).json")
                if !entry.hasNoScript { #expect(script.hasPrefix(entry.row + "-"), "\(entry.row) names \(script)") }
            }
        }
    }

    @Test func `every script is in the table`() throws {
        let listed = Set(try TutorialTable.entries().filter { !$0.hasNoScript }.flatMap(\.scripts))
        for file in try TutorialTable.files() {
            #expect(listed.contains(String(file.dropLast(5))), "docs/tutorials.md has no row for \(file)")
        }
    }

    @Test func `every script is read without a finding, and its title begins as its file does`() throws {
        for file in try TutorialTable.files() {
            let path = "scenarios/tutorials/\(file)"
            let bytes = try TestFiles.bytes(path)
            do throws(InvalidInput) {
                let scenario = try ScenarioReader.read(file: path, bytes: bytes, tenants: ScenarioFiles.tenants)
                let row = file.split(separator: "-").prefix(2).joined(separator: "-")
                #expect(scenario.name.hasPrefix(row + " "), "\(file): \(scenario.name)")
                #expect(scenario.description != nil, "\(file) does not say what a reader learns")
            } catch {
                let renderer = DiagnosticRenderer(color: false, sources: [SourceText(file: path, bytes: bytes)])
                Issue.record(Comment(rawValue: renderer.render(error.diagnostics)))
            }
        }
    }
}

private enum TutorialTable {
    /// One line of a table: `| ROW | what it is about | scripts |`.
    struct Entry {
        let row: String
        let scripts: [String]
        /// The last cell begins with `none:`; its scripts show what can be observed.
        let hasNoScript: Bool
    }

    static func entries() throws -> [Entry] {
        let text = String(decoding: try TestFiles.bytes("docs/tutorials.md"), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count >= 5, let row = cells[1].wholeMatch(of: /S[0-9]-[A-Z][0-9]{2}/) else { return nil }
            let last = cells[3...].joined(separator: "|")
            let scripts = last.matches(of: /\]\(\.\.\/scenarios\/tutorials\/([^)]+)\.json\)/).map {
                String($0.output.1)
            }
            return Entry(row: String(row.output), scripts: scripts, hasNoScript: last.hasPrefix("none:"))
        }
    }

    static func files() throws -> [String] {
        let path = TestFiles.root().appendingPathComponent("scenarios/tutorials").path
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }.sorted()
    }
}
