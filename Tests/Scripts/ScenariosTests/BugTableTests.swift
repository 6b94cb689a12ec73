import Diagnostics
import Foundation
import JSON
import Scenarios
import TestSupport
import Testing
import Verbs

/// The tables of docs/bugs.md, which map reported bugs to scripts, held to the files.
@Suite struct BugTableTests {
    /// The numbers that the catalogue does not use.
    static let unused: Set<Int> = [
        6, 24, 42, 55, 56, 69, 75, 80, 88, 96, 98, 103, 108, 114, 120, 125, 133, 138, 142, 153,
    ]
    static let catalogue = (1...156).filter { !unused.contains($0) }.map { ($0 < 10 ? "B0" : "B") + String($0) }

    @Test func `every entry of the catalogue is in the table once`() throws {
        #expect(Self.catalogue.count == 136)
        let listed = try BugTable.entries().map(\.id)
        for id in Self.catalogue { #expect(listed.filter { $0 == id }.count == 1, "\(id)") }
        #expect(Set(listed).subtracting(Self.catalogue).isEmpty)
    }

    @Test func `every entry names scripts that exist, or what is missing`() throws {
        let files = try BugTable.files()
        for entry in try BugTable.entries() {
            #expect(entry.scripts.isEmpty == (entry.missing != nil), "\(entry.id)")
            if let missing = entry.missing { #expect(missing.count > 10, "\(entry.id) does not say what is missing") }
            for script in entry.scripts {
                #expect(files.contains(script + ".json"), "\(entry.id): there is no \(script).json")
                #expect(script.hasPrefix(entry.id + "-"), "\(entry.id) names \(script)")
            }
        }
    }

    @Test func `every script is in the table`() throws {
        let listed = Set(try BugTable.entries().flatMap(\.scripts))
        for file in try BugTable.files() {
            #expect(listed.contains(String(file.dropLast(5))), "docs/bugs.md has no row for \(file)")
        }
    }

    @Test func `every further report is in its table once, and every script is listed`() throws {
        let text = String(decoding: try TestFiles.bytes("docs/bugs.md"), as: UTF8.self)
        let listed = text.matches(
            of: /\| (R[0-9]{2}) \|[^|]+\| \[([^\]]+)\]\(\.\.\/scenarios\/reports\/([^)]+)\.json\) \|/)
        for row in listed {
            #expect(row.output.2 == row.output.3 && row.output.3.hasPrefix(row.output.1 + "-"), "\(row.output.0)")
        }
        #expect(listed.map { String($0.output.3) + ".json" } == (try BugTable.files(in: "reports")))
    }

    @Test func `every script is read without a finding, names its source and expects something in every case`() throws {
        for path in try BugTable.files().map({ "scenarios/bugs/\($0)" })
            + BugTable.files(in: "reports").map({ "scenarios/reports/\($0)" })
        {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let bytes = try TestFiles.bytes(path)
            do throws(InvalidInput) {
                let scenario = try ScenarioReader.read(file: path, bytes: bytes, tenants: ScenarioFiles.tenants)
                let id = file.split(separator: "-").first.map(String.init) ?? ""
                #expect(scenario.name.hasPrefix(id + " "), "\(file): \(scenario.name)")
                let description = scenario.description ?? ""
                #expect(description.hasPrefix("Reported in "), "\(file) names no source")
                #expect(description.contains("To see it right:"), "\(file) does not say what to change")
                #expect(!scenario.links.isEmpty, "\(file) has no links")
                let cases = scenario.cases.map(\.name)
                for name in cases.isEmpty ? [nil] : cases.map(Optional.some) {
                    #expect(expects(scenario.steps, in: name), "\(file): nothing is expected in \(name ?? "it")")
                }
            } catch {
                let renderer = DiagnosticRenderer(color: false, sources: [SourceText(file: path, bytes: bytes)])
                Issue.record(Comment(rawValue: renderer.render(error.diagnostics)))
            }
        }
    }

    @Test func `every mechanism has keys that files know and a script that uses one of them`() throws {
        let known = Self.words(in: SchemaText.scenario()).union(Self.words(in: SchemaText.tenant()))
        let mechanisms = try BugTable.mechanisms()
        #expect(mechanisms.count == 29)
        for mechanism in mechanisms {
            for key in mechanism.keys { #expect(known.contains(key), "\(mechanism.name): no file has `\(key)`") }
            let text = String(decoding: try TestFiles.bytes("scenarios/bugs/\(mechanism.script).json"), as: UTF8.self)
            #expect(
                mechanism.keys.contains { text.contains("\"\($0)\"") },
                "\(mechanism.script) uses none of \(mechanism.keys)")
        }
    }

    /// The keys and the words that a schema knows.
    private static func words(in schema: JSONValue) -> Set<String> {
        var found: Set<String> = []
        switch schema {
        case .object(let object):
            for (key, value) in object.members {
                if key == "properties" { found.formUnion(value.objectValue?.keys ?? []) }
                if key == "const", let word = value.stringValue { found.insert(word) }
                if key == "enum" { found.formUnion((value.arrayValue ?? []).compactMap(\.stringValue)) }
                found.formUnion(words(in: value))
            }
        case .array(let items):
            for item in items { found.formUnion(words(in: item)) }
        default: break
        }
        return found
    }

    private func expects(_ steps: [Step], in name: String?) -> Bool {
        steps.flatMap(\.withInner).contains { step in
            if let name, let only = step.only, !only.contains(name) { return false }
            return step.expect != nil || step.expectIn.contains { $0.caseName == name }
        }
    }
}

private enum BugTable {
    /// One line of a table: `| ENTRY | what was reported | scripts |`.
    struct Entry {
        let id: String
        let scripts: [String]
        /// What the last cell says after `none:`.
        let missing: String?
    }

    static func entries() throws -> [Entry] {
        let text = String(decoding: try TestFiles.bytes("docs/bugs.md"), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count >= 5, let id = cells[1].wholeMatch(of: /B[0-9]{2,3}/) else { return nil }
            let last = cells[3...].joined(separator: "|")
            let scripts = last.matches(of: /\]\(\.\.\/scenarios\/bugs\/([^)]+)\.json\)/).map { String($0.output.1) }
            let missing = last.hasPrefix("none:") ? String(last.dropFirst(5)) : nil
            return Entry(id: String(id.output), scripts: scripts, missing: missing)
        }
    }

    /// One mechanism, the keys that express it, and a script that uses it.
    struct Mechanism {
        let name: String
        let keys: [String]
        let script: String
    }

    static func mechanisms() throws -> [Mechanism] {
        let text = String(decoding: try TestFiles.bytes("docs/bugs.md"), as: UTF8.self)
        let table = text.split(separator: "\n## What the scripts are made of").last ?? ""
        return table.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3,
                let script = cells[2].firstMatch(of: /\]\(\.\.\/scenarios\/bugs\/([^)]+)\.json\)/)
            else { return nil }
            return Mechanism(
                name: cells[0], keys: cells[1].matches(of: /`([^`]+)`/).map { String($0.output.1) },
                script: String(script.output.1))
        }
    }

    static func files(in folder: String = "bugs") throws -> [String] {
        let path = TestFiles.root().appendingPathComponent("scenarios/\(folder)").path
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }.sorted()
    }
}
