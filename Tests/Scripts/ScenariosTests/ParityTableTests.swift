import Foundation
import TestSupport
import Testing

/// The tables of docs/parity.md: each row has its evidence, and the tests and scripts that it names are there.
@Suite struct ParityTableTests {
    static let evidence: Set<String> = ["document", "recorded", "page copy", "client", "thread", "inferred"]

    /// The rows of all tables with four columns, without their heads.
    static func rows() throws -> [[String]] {
        let text = String(decoding: try TestFiles.bytes("docs/parity.md"), as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }
            .map { line in line.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
            .filter { $0.count == 4 && $0[2] != "---" && $0[2] != "evidence" }
    }

    @Test func `every row says what is done, by which evidence, and what holds it`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 50)
        #expect(Set(rows.map { $0[0] }).count == rows.count, "a behavior is listed twice")
        for row in rows {
            #expect(row.allSatisfy { !$0.trimmingCharacters(in: .whitespaces).isEmpty }, "\(row)")
            let named = row[2].components(separatedBy: ", ")
            #expect(named.allSatisfy(Self.evidence.contains), "\(row[2]) of: \(row[0])")
            #expect(!row[3].matches(of: #/`[^`]+`/#).isEmpty, "nothing holds: \(row[0])")
        }
    }

    @Test func `tables have rows of four columns alone`() throws {
        let text = String(decoding: try TestFiles.bytes("docs/parity.md"), as: UTF8.self)
        let tables = try #require(text.range(of: "## Addresses"))
        for line in text[tables.lowerBound...].split(separator: "\n") where line.hasPrefix("|") {
            #expect(line.components(separatedBy: " | ").count == 4, "\(line)")
        }
    }

    @Test func `every test and script that a row names is there`() throws {
        let files = FileManager.default
        let root = TestFiles.root().path
        let sources = (files.enumerator(atPath: root + "/Tests")?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") }
        var texts: [String] = []
        for source in sources { texts.append(try String(contentsOfFile: root + "/Tests/" + source, encoding: .utf8)) }
        for row in try Self.rows() {
            for match in row[3].matches(of: #/`([^`]+)`/#) {
                let name = String(match.output.1)
                if name.contains("/") {
                    #expect(files.fileExists(atPath: root + "/" + name), "there is no \(name), which holds: \(row[0])")
                    continue
                }
                let (suite, test) = (name.prefix { $0 != "." }, name.drop { $0 != "." }.dropFirst())
                let isThere = texts.contains { $0.contains("struct \(suite) ") && $0.contains("func `\(test)`(") }
                #expect(isThere, "there is no test \(name), which holds: \(row[0])")
            }
        }
    }
}
