import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyTools
import Reports
import Validation

/// A migration as people and programs read it.
package struct MigrationReport {
    package let migration: Migration
    /// Whether every place is named, and what is built in too.
    package let isVerbose: Bool
    /// Elements of a rule that are named otherwise.
    private static let few = 5
    /// People that are named.
    private static let fewPeople = 2

    package init(_ migration: Migration, isVerbose: Bool = false) {
        (self.migration, self.isVerbose) = (migration, isVerbose)
    }

    private func elements(_ verdict: MigrationVerdict) -> [MigrationElement] {
        migration.elements.filter { $0.isReached && $0.row.verdict == verdict }
    }

    // MARK: Text

    /// The report in 80 columns: first a table, then what needs work.
    package var text: String {
        var text = ReleaseText(isVerbose: isVerbose)
        let counts = MigrationVerdict.allCases.map { "\(elements($0).count) \($0.doc)" }
        text.line(
            "\(migration.policies.count) relying \(migration.policies.count == 1 ? "party" : "parties"), "
                + "\(ReleaseText.count(migration.elements.count { $0.isReached }, "element")): "
                + counts.joined(separator: ", "))
        return text.text + table + work
    }

    private var table: String {
        guard !migration.policies.isEmpty else { return "" }
        var rows = [["RELYING PARTY", "PATHS", "BUILT IN", "EXTENSION", "ANOTHER", "NOT SUPPORTED"]]
        for policy in migration.policies {
            rows.append(
                [policy.id, "\(policy.paths.count)"] + MigrationVerdict.allCases.map { "\(policy.count($0))" })
        }
        var text = ReleaseText(isVerbose: isVerbose)
        text.line("Each path counts where its hardest part belongs; settings of the whole policy do not count.")
        for policy in migration.policies {
            if policy.left > 0 { text.line("\(policy.id): \(policy.left) more paths of the same kinds were found.") }
            if let cut = policy.cut {
                text.line("\(policy.id): the walk ended after \(cut), so paths can be missing. Raise --moves.")
            }
        }
        return "\n" + TextTable.text(rows) + text.text
    }

    private var work: String {
        var text = ReleaseText(isVerbose: isVerbose)
        for verdict in [MigrationVerdict.notSupported, .needsExtension, .anotherArchitecture] {
            let all = elements(verdict)
            guard !all.isEmpty else { continue }
            text.line("")
            text.line("\(verdict.doc.prefix(1).uppercased())\(verdict.doc.dropFirst()): \(all.count)")
            for rule in MigrationRule.allCases { write(rule, all.filter { $0.rule == rule }, &text) }
        }
        let builtIn = elements(.builtIn)
        if !builtIn.isEmpty {
            text.line("")
            text.line("Built in: \(builtIn.count)")
            for rule in MigrationRule.allCases {
                let all = builtIn.filter { $0.rule == rule }
                if isVerbose {
                    write(rule, all, &text)
                } else if !all.isEmpty {
                    // Pages have the texts of one language each.
                    var known: Set<String> = []
                    let ids = all.map(\.id).filter { known.insert($0).inserted }
                    text.line("\(rule.row.means)\(Self.mark(rule)): \(ids.joined(separator: ", "))", indent: 2)
                }
            }
        }
        let unused = migration.elements.filter { !$0.isReached && $0.location?.file.hasPrefix("built-in ") != true }
        if !unused.isEmpty {
            text.line("")
            text.line(
                "No relying party leads to \(ReleaseText.count(unused.count, "element")), which need no migration: "
                    + unused.map { "\($0.kind) \($0.id)" }.joined(separator: ", "))
        }
        return text.text
    }

    private func write(_ rule: MigrationRule, _ all: [MigrationElement], _ text: inout ReleaseText) {
        guard !all.isEmpty else { return }
        let row = rule.row
        text.line("")
        text.line("\(rule.rawValue) \(row.means)\(Self.mark(rule))", indent: 2)
        text.line(row.reason, indent: 4)
        text.line("Fix: \(row.fix)", indent: 4)
        if let event = row.event { text.line("Event: \(event.rawValue)", indent: 4) }
        text.line(row.document, indent: 4)
        for element in isVerbose ? all : Array(all.prefix(Self.few)) {
            let place = element.location.map { text.places([$0]) } ?? ""
            text.line(
                "- " + (element.kind == MigrationElement.appKind ? place : "\(element.kind) \(element.id), \(place)"),
                indent: 4)
            for line in details(element) { text.line(line, indent: 6) }
        }
        if !isVerbose, all.count > Self.few { text.line("and \(all.count - Self.few) more: -v names them", indent: 4) }
    }

    private static func mark(_ rule: MigrationRule) -> String { rule.row.isInferred ? " (inferred)" : "" }

    /// The people it concerns, what an extension gets and returns, which scripts run it.
    private func details(_ element: MigrationElement) -> [String] {
        var lines: [String] = []
        if element.kind != MigrationElement.appKind { lines.append(Self.who(element)) }
        if element.row.event != nil {
            func names(_ claims: [MigrationClaim]) -> String {
                claims.map { $0.type == .string ? $0.name : "\($0.name) (\($0.type.rawValue))" }.joined(separator: ", ")
            }
            if !element.inputs.isEmpty { lines.append("gets \(names(element.inputs))") }
            if !element.outputs.isEmpty { lines.append("returns \(names(element.outputs))") }
        }
        lines += element.notes
        if let scripts = element.scripts {
            lines.append(scripts.isEmpty ? "no script runs it" : "run by \(text(of: scripts))")
        }
        return lines
    }

    private func text(of scripts: [String]) -> String {
        guard !isVerbose, scripts.count > Self.few else { return scripts.joined(separator: ", ") }
        return scripts.prefix(Self.few).joined(separator: ", ") + " and \(scripts.count - Self.few) more"
    }

    private static func who(_ element: MigrationElement) -> String {
        guard element.isReached else { return "no relying party leads to it" }
        guard element.paths > 0 else { return "on no path that was walked" }
        let paths =
            element.paths == element.allPaths ? "on every path" : "on \(element.paths) of \(element.allPaths) paths"
        if element.isForEverybody { return "\(paths): everybody" }
        let rest = element.people.count - fewPeople
        return
            "\(paths): \(element.people.prefix(fewPeople).joined(separator: "; "))\(rest > 0 ? "; \(rest) more" : "")"
    }

    // MARK: Findings

    /// What is reached, as findings.
    package var findings: [Diagnostic] {
        migration.elements.filter(\.isReached).map { element in
            let row = element.row
            let name = element.kind == MigrationElement.appKind ? row.means : "\(element.kind) \(element.id)"
            let verdict = row.verdict.doc + (row.event.map { " for \($0.rawValue)" } ?? "") + Self.mark(element.rule)
            let more = details(element).map {
                $0.hasSuffix(".") ? $0 : "\($0.prefix(1).uppercased())\($0.dropFirst())."
            }
            return Diagnostic(
                row.verdict.severity, rule: element.rule.rawValue, "\(name): \(verdict). \(row.reason)",
                remedy: ([row.fix] + more + [row.document]).joined(separator: " "), at: element.location)
        }
    }

    /// The report in a format of findings, with policies, paths and skeletons for programs.
    package func findingsReport(sources: [SourceText], version: String) -> FindingsReport {
        var report = FindingsReport(
            ValidationResult(
                findings: findings.map { Finding($0) }, judged: [(.policy, migration.policies.count)]),
            sources: sources, version: version, command: .migrate)
        report.properties = json
        return report
    }

    private var json: JSONObject {
        let policies = migration.policies.map { policy -> JSONValue in
            var object: JSONObject = ["id": .string(policy.id), "left": .integer(Int64(policy.left))]
            object["cut"] = policy.cut.map { .string($0) }
            object["paths"] = .array(
                policy.paths.map { path in
                    [
                        "person": .string(path.person), "title": .string(path.title), "acts": .string(path.words),
                        "verdict": .string(path.verdict.rawValue),
                        "elements": .array(path.elements.map { .string($0) }),
                    ]
                })
            return .object(object)
        }
        return ["policies": .array(policies), "elements": .array(migration.elements.map { .object(Self.json($0)) })]
    }

    private static func json(_ element: MigrationElement) -> JSONObject {
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        func claims(_ claims: [MigrationClaim]) -> JSONValue {
            .array(claims.map { ["name": .string($0.name), "type": .string($0.type.rawValue)] })
        }
        let row = element.row
        var object: JSONObject = [
            "kind": .string(element.kind), "id": .string(element.id), "rule": .string(element.rule.rawValue),
            "verdict": .string(row.verdict.rawValue), "inferred": .bool(row.isInferred), "means": .string(row.means),
            "reason": .string(row.reason), "fix": .string(row.fix), "document": .string(row.document),
        ]
        object["event"] = row.event.map { .string($0.rawValue) }
        if let place = element.location {
            object["file"] = .string(place.file)
            object["line"] = place.line.map { .integer(Int64($0)) }
        }
        object["policies"] = texts(element.policies)
        object["paths"] = .integer(Int64(element.paths))
        object["allPaths"] = .integer(Int64(element.allPaths))
        object["people"] = texts(element.people)
        object["scripts"] = element.scripts.map(texts)
        object["notes"] = texts(element.notes)
        if let skeleton = element.skeleton {
            object["inputs"] = claims(element.inputs)
            object["outputs"] = claims(element.outputs)
            object["skeleton"] = ["request": skeleton.request, "answer": skeleton.answer]
        }
        return object
    }

    // MARK: Skeletons

    /// Writes request and answer of each extension into a folder of its own, and replaces no file.
    ///
    /// - Returns: What was written, in lines.
    package func writeSkeletons(to folder: String) throws -> [String] {
        var lines: [String] = []
        for element in migration.elements {
            guard let skeleton = element.skeleton, let event = element.row.event else { continue }
            let name = element.id.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
            let own = FilePath.join(folder, "\(event.rawValue)/\(String(name))")
            do throws(FileSystem.Problem) { try FileSystem.makeFolder(own) } catch {
                throw Failure.machine("\(own) cannot be made: \(error.text)") as any Error
            }
            for (name, json) in [("request.json", skeleton.request), ("answer.json", skeleton.answer)] {
                let file = FilePath.join(own, name)
                if FileSystem.kind(file) == nil {
                    try OutputFile.save(JSONWriter.pretty(json) + "\n", to: file)
                    lines.append("wrote \(file)")
                } else {
                    lines.append("kept \(file), which exists")
                }
            }
        }
        return lines
    }
}
