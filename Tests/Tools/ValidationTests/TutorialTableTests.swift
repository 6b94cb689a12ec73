import Foundation
import TestSupport
import Testing
import Validation

struct TutorialTableTests {
    /// The table of rows says what the rules say of themselves.
    @Test func `rows and rules name each other`() throws {
        let text = String(decoding: try TestFiles.bytes("docs/tutorial-rules.md"), as: UTF8.self)
        var documented: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[2].hasPrefix("[") else { continue }
            #expect(documented[cells[0]] == nil, "the row \(cells[0]) occurs twice")
            documented[cells[0]] = Set(
                cells[2].components(separatedBy: "[").dropFirst().map { String($0.prefix { $0 != "]" }) })
        }
        var rows: [String: Set<String>] = [:]
        for rule in Rules.all {
            for row in rule.rows { rows[row, default: []].insert(rule.id) }
        }
        #expect(documented == rows)
    }
}
