import Determinism
import Foundation
import JSON
import Testing
import Validation

/// The known-bad edits of the corpus: each is found at its line, and what is not edited has no errors.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not at hand: skipped"))
struct MutationTests {
    private func folder(_ path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The files of a starter pack's folder, those below it left out, one of them edited.
    private func project(_ folder: String, edits: [JSONValue] = [], in file: String = "") throws -> Project {
        let prefix = "starterpack/" + folder + "/"
        var files: [ProjectFile] = []
        for path in Corpus.files where path.hasPrefix(prefix) && !path.dropFirst(prefix.count).contains("/") {
            var bytes = try Corpus.bytes(path)
            if path == "starterpack/" + file { bytes = apply(edits, to: bytes) }
            files.append(ProjectFile(path: String(path.dropFirst("starterpack/".count)), bytes: bytes))
        }
        return Project(files: files, now: Timestamp(seconds: 1_767_225_600))
    }

    /// Line numbers of edits are those of the original, so the last comes first.
    private func apply(_ edits: [JSONValue], to bytes: [UInt8]) -> [UInt8] {
        var lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        func number(_ edit: JSONValue, _ key: String) -> Int { Int(edit[key]?.intValue ?? 0) }
        for edit in edits.sorted(by: {
            max(number($0, "line"), number($0, "from")) > max(number($1, "line"), number($1, "from"))
        }) {
            let line = number(edit, "line") - 1
            switch edit["op"]?.stringValue {
            case "replace":
                guard lines.indices.contains(line), let find = edit["find"]?.stringValue,
                    let text = edit["replace"]?.stringValue, let range = lines[line].range(of: find)
                else { continue }
                lines[line].replaceSubrange(range, with: text)
            case "delete_lines":
                lines.removeSubrange((number(edit, "from") - 1)..<number(edit, "to"))
            case "insert_after_line":
                lines.insert(contentsOf: (edit["text"]?.stringValue ?? "").components(separatedBy: "\n"), at: line + 1)
            default: continue
            }
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    @Test func `the unmodified folders have no errors`() throws {
        let control = try Corpus.json("mutations.json")["control"]?.arrayValue ?? []
        var errors: [String] = []
        for entry in control {
            let folder = entry["folder"]?.stringValue ?? ""
            let result = Validator.validate(try project(folder))
            errors += result.diagnostics.filter { $0.severity == .error }.map { "\(folder): \($0)" }
        }
        #expect(errors.isEmpty, "\(errors.prefix(20).joined(separator: "\n"))")
        print("corpus: \(control.count) unmodified folders, \(errors.count) false alarms")
    }

    @Test func `harmless edits have no errors`() throws {
        let edits = try Corpus.json("mutations.json")["benign"]?.arrayValue ?? []
        #expect(!edits.isEmpty)
        for entry in edits {
            let file = entry["file"]?.stringValue ?? ""
            let result = Validator.validate(
                try project(folder(file), edits: entry["edit"]?.arrayValue ?? [], in: file))
            let errors = result.diagnostics.filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(entry["id"]?.stringValue ?? ""): \(errors.prefix(3))")
        }
    }

    /// Where the line of the edit holds nothing any more: the finding is at the journey that the step is missing from.
    private static let elsewhere: Set<String> = ["step-02"]

    /// Kinds of mistakes in the corpus' words, and the rules that are about them.
    private static let kinds: [String: [String]] = [
        "base-cycle": ["B2C-POL-006"],
        "base-missing": ["B2C-POL-006"],
        "claim-definition": ["B2C-POL-088"],
        "claim-ref": ["B2C-POL-020"],
        "claim-type": ["B2C-POL-045"],
        "client-definition-ref": ["B2C-POL-024"],
        "content-definition": ["B2C-POL-089"],
        "content-definition-ref": ["B2C-POL-023"],
        "display-control-ref": ["B2C-POL-024"],
        "duplicate": ["B2C-POL-014", "B2C-POL-015", "B2C-POL-016"],
        "duplicate-policy-id": ["B2C-POL-011"],
        "enum": ["B2C-POL-004"],
        "exchange-ref": ["B2C-POL-027", "B2C-POL-028"],
        "handler": ["B2C-POL-054"],
        "include-cycle": ["B2C-POL-021"],
        "journey-ref": ["B2C-POL-025"],
        "key-missing": ["B2C-POL-061", "B2C-POL-063", "B2C-POL-066", "B2C-POL-067"],
        "localized-resources-ref": ["B2C-POL-024"],
        "metadata-missing": ["B2C-POL-055", "B2C-POL-057", "B2C-POL-061", "B2C-POL-063", "B2C-POL-065", "B2C-POL-066"],
        "metadata-value": ["B2C-POL-057", "B2C-POL-063", "B2C-POL-065", "B2C-POL-066"],
        "missing-attribute": ["B2C-POL-002"],
        "no-send-claims": ["B2C-POL-033"],
        "parameter-value": ["B2C-POL-046"],
        "policy-id": ["B2C-POL-005"],
        "precondition": ["B2C-POL-035"],
        "profile-protocol": ["B2C-POL-054"],
        "profile-ref": ["B2C-POL-021"],
        "public-policy-uri": ["B2C-POL-008"],
        "regex": ["B2C-POL-050"],
        "step-content": ["B2C-POL-027", "B2C-POL-032", "B2C-POL-039", "B2C-POL-041"],
        "step-order": ["B2C-POL-030"],
        "structure": ["B2C-POL-002", "B2C-POL-069"],
        "subject": ["B2C-POL-069"],
        "tenant-mismatch": ["B2C-POL-007", "B2C-POL-009"],
        "transformation-claim": ["B2C-POL-044"],
        "transformation-method": ["B2C-POL-043"],
        "transformation-missing": ["B2C-POL-044"],
        "transformation-ref": ["B2C-POL-022"],
        "unknown-attribute": ["B2C-POL-002"],
        "xml": ["B2C-POL-001"],
        "xsd": ["B2C-POL-001", "B2C-POL-003"],
    ]

    @Test func `each mutation is found at its line with its kind`() throws {
        let mutations = try Corpus.json("mutations.json")["mutations"]?.arrayValue ?? []
        var missed: [String] = []
        var inexact: [String] = []
        var exact = 0
        for entry in mutations {
            let file = entry["file"]?.stringValue ?? ""
            let expect = entry["expect"] ?? [:]
            let lines = expect["accept_lines"]?.arrayValue?.compactMap(\.intValue) ?? []
            let wanted = expect["file"]?.stringValue ?? file
            let result = Validator.validate(
                try project(folder(file), edits: entry["edit"]?.arrayValue ?? [], in: file))
            let found = result.diagnostics.filter { finding in
                guard let place = finding.location, place.file == wanted, let line = place.line, lines.count == 2
                else { return false }
                let isSevere = expect["severity"]?.stringValue != "error" || finding.severity == .error
                return isSevere && Int(lines[0]) <= line && line <= Int(lines[1])
            }
            let rules = Self.kinds[expect["rule"]?.stringValue ?? ""] ?? []
            let isExact = found.contains {
                rules.contains($0.rule) && $0.location?.line.map(Int64.init) == expect["line"]?.intValue
            }
            let id = entry["id"]?.stringValue ?? ""
            if isExact { exact += 1 }
            if !isExact, !Self.elsewhere.contains(id) || !found.contains(where: { rules.contains($0.rule) }) {
                inexact.append("\(id): \(found.prefix(2).map(\.description))")
            }
            if found.isEmpty {
                let others = result.diagnostics.filter { $0.severity == .error }.prefix(2).map(\.description)
                missed.append(
                    "\(id): \(entry["description"]?.stringValue ?? "") -> \(others)")
            }
        }
        print("corpus: \(mutations.count - missed.count) of \(mutations.count) mutations found, \(exact) at their line")
        for line in missed { print("corpus: missed \(line)") }
        #expect(missed.isEmpty, "\(missed.joined(separator: "\n"))")
        #expect(inexact.isEmpty, "\(inexact.joined(separator: "\n"))")
    }
}
