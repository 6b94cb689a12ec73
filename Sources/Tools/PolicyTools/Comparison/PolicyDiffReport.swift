import Diagnostics
import JSON
import Markup
import ScenarioRunner
import TrustFramework

/// Writes what differs between two states of policies.
package struct PolicyDiffReport {
    /// How differences are written.
    package enum Format: String, CaseIterable {
        case text, markdown, json
    }

    package var old: String
    package var new: String
    package var policies: [PolicyComparison]
    /// How the user names files of the old and of the new state.
    package var shownOld: (String) -> String
    package var shownNew: (String) -> String

    package init(
        old: String, new: String, policies: [PolicyComparison], shownOld: @escaping (String) -> String,
        shownNew: @escaping (String) -> String
    ) {
        self.old = old
        self.new = new
        self.policies = policies
        self.shownOld = shownOld
        self.shownNew = shownNew
    }

    package func text(_ format: Format) -> String {
        switch format {
        case .text: text
        case .markdown: markdown
        case .json: JSONWriter.pretty(json) + "\n"
        }
    }

    // MARK: Text

    private var text: String {
        var lines: [String] = []
        for policy in policies where policy.status != .same {
            lines.append("\(policy.policy): \(summary(policy))")
            for difference in policy.structure where difference.isReached {
                lines.append("  \(difference.kind.rawValue) \(path(difference))")
                if let value = difference.values(most: 160) { lines.append("    \(value)") }
                if let place = place(difference) { lines.append("    \(place)") }
            }
            let unreached = policy.structure.filter { !$0.isReached }.map { "\($0.kind.rawValue) \(path($0))" }
            if !unreached.isEmpty { lines.append("  not reached by a sign-in: \(unreached.joined(separator: "; "))") }
            let paths = Self.paths(policy)
            let numbers = Self.numbers(paths)
            for party in NoticedChange.Party.allCases {
                let changes = policy.behaviour.filter { $0.change.party == party }
                if !changes.isEmpty { lines.append("  \(Self.title(party))") }
                for entry in changes {
                    lines.append("    \(Self.words(entry.change))")
                    lines.append("      \(Self.values(entry.change))")
                    if let followed = Self.followed(entry.change) { lines.append("      \(followed)") }
                    let number = numbers[entry.path] ?? 1
                    lines.append("      on \(count(entry.paths, "path", "paths")), such as \(number)")
                    if let script = entry.script { lines.append("      b2c run \(script)") }
                }
            }
            for (index, path) in paths.enumerated() { lines.append("  path \(index + 1): \(path)") }
            for (title, findings) in [("new finding", policy.appeared), ("no longer found", policy.gone)] {
                lines += findings.map { "  \(title): \($0.rule) \($0.message)" }
            }
            for entry in policy.notCompared {
                lines.append("  not compared: \(entry.path.joined(separator: " > ")): \(entry.reason)")
            }
            lines += policy.notes.map { "  note: \($0)" }
        }
        let same = policies.filter { $0.status == .same }.map(\.policy)
        if !same.isEmpty { lines.append("no difference: \(same.joined(separator: ", "))") }
        if policies.isEmpty { lines.append("neither has a policy") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func summary(_ policy: PolicyComparison) -> String {
        switch policy.status {
        case .added: return "only \(new) has it"
        case .removed: return "only \(old) has it"
        case .same: return "no difference"
        case .changed:
            var text = count(policy.structure.count, "element differs", "elements differ")
            if let paths = policy.paths {
                let tried = count(paths, "path", "paths") + " and " + count(policy.replays, "replay", "replays")
                let findings = [
                    (policy.appeared.count, "is new", "are new"), (policy.gone.count, "is gone", "are gone"),
                ].filter { $0.0 > 0 }.map { count($0.0, "finding \($0.1)", "findings \($0.2)") }
                if !policy.behaviour.isEmpty {
                    text += "; \(count(policy.behaviour.count, "change is", "changes are")) noticed on \(tried)"
                } else if findings.isEmpty {
                    text += policy.isWhole ? "; nothing is noticed on \(tried)" : "; no change is noticed on \(tried)"
                } else {
                    text += "; \(tried) show no change, and the exploration does"
                }
                if !findings.isEmpty { text += "; " + findings.joined(separator: ", ") }
                if !policy.notCompared.isEmpty {
                    text += "; \(count(policy.notCompared.count, "element was", "elements were")) not compared"
                }
            } else if !policy.structure.contains(where: \.isReached) {
                text += "; no sign-in reaches them"
            }
            return text
        }
    }

    private func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    private func path(_ difference: PolicyDifference) -> String { difference.path.joined(separator: " > ") }

    private func note(_ difference: PolicyDifference) -> String {
        difference.isReached ? "" : " (not reached by a sign-in)"
    }

    private func place(_ difference: PolicyDifference) -> String? {
        func shown(_ place: SourceLocation?, _ name: (String) -> String) -> String? {
            place.map { place in "\(name(place.file))\(place.line.map { ":\($0)" } ?? "")" }
        }
        return difference.kind == .removed
            ? shown(difference.oldPlace, shownOld) : shown(difference.newPlace, shownNew)
    }

    private static func title(_ party: NoticedChange.Party) -> String {
        switch party {
        case .person: "people notice"
        case .app: "apps notice"
        case .service: "RESTful APIs and identity providers notice"
        case .directory: "the directory gets"
        }
    }

    private static func words(_ change: NoticedChange) -> String {
        switch change.place {
        case .pages: "other pages"
        case .messages: "other messages"
        case .calls: "other requests"
        case .writes: "other writes"
        case .end: "another end"
        case .detail: change.place.text
        }
    }

    private static func shown(_ value: JSONValue?) -> String {
        switch value {
        case nil: return "nothing"
        case .string(let text)?: return "\"\(text.count > 200 ? text.prefix(197) + "..." : text)\""
        case .array(let values)? where values.allSatisfy { $0.stringValue != nil }:
            return values.isEmpty ? "none" : values.compactMap(\.stringValue).joined(separator: ", ")
        case let value?: return JSONWriter.compact(value)
        }
    }

    /// The paths that are shown, each once.
    private static func paths(_ policy: PolicyComparison) -> [String] {
        var known: Set<String> = []
        return policy.behaviour.map(\.path).filter { known.insert($0).inserted }
    }

    /// The number of each path that is shown, from 1.
    private static func numbers(_ paths: [String]) -> [String: Int] {
        Dictionary(zip(paths, 1...), uniquingKeysWith: { first, _ in first })
    }

    /// Before and after; of lists what one has and the other has not.
    private static func values(_ change: NoticedChange) -> String {
        guard change.isList else { return "\(shown(change.old)) -> \(shown(change.new))" }
        let parts = [("no longer", change.gone), ("also", change.further)].filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.joined(separator: ", "))" }
        return parts.isEmpty ? "in another order: \(shown(change.new))" : parts.joined(separator: "; ")
    }

    /// What follows from a change, in one line; `nil`: nothing does.
    private static func followed(_ change: NoticedChange) -> String? {
        guard !change.followed.isEmpty else { return nil }
        let parts = change.followed.map { "\(words($0)): \(values($0))" }
        let most = 8
        let rest = parts.count > most ? "; \(parts.count - most) more" : ""
        return "also " + parts.prefix(most).joined(separator: "; ") + rest
    }

    // MARK: Markdown

    /// For a pull request.
    private var markdown: String {
        var lines = ["### Policies: \(code(old)) → \(code(new))", ""]
        let changed = policies.filter { $0.status != .same }
        if changed.isEmpty { lines.append("No difference.") }
        for policy in changed {
            lines += ["#### \(code(policy.policy))", "", "\(summary(policy)).".capitalisedStart, ""]
            if !policy.behaviour.isEmpty {
                let paths = Self.paths(policy)
                let numbers = Self.numbers(paths)
                lines += ["| who notices | what | change | paths |", "| --- | --- | --- | --- |"]
                for entry in policy.behaviour {
                    let number = numbers[entry.path] ?? 1
                    lines.append(
                        "| \(entry.change.party.rawValue) | \(cell(Self.words(entry.change))) "
                            + "| \(cell(Self.values(entry.change)))"
                            + "\(Self.followed(entry.change).map { "; \(cell($0))" } ?? "") | \(entry.paths), such as \(number) |"
                    )
                }
                lines += ["", "<details><summary>Paths</summary>", ""]
                let scripts = Dictionary(
                    policy.behaviour.map { ($0.path, $0.script) }, uniquingKeysWith: { first, _ in first })
                for (index, path) in paths.enumerated() {
                    let script = scripts[path] ?? nil
                    lines.append("\(index + 1). \(cell(path))\(script.map { " (\(code("b2c run \($0)")))" } ?? "")")
                }
                lines += ["", "</details>", ""]
            }
            for (title, findings) in [("New findings", policy.appeared), ("No longer found", policy.gone)]
            where !findings.isEmpty {
                lines += ["\(title):", ""]
                lines += findings.map { "- \(code($0.rule)) \(cell($0.message))" }
                lines.append("")
            }
            if !policy.structure.isEmpty {
                lines += ["<details><summary>Elements</summary>", ""]
                for difference in policy.structure {
                    let value = difference.values(most: 160).map { ": \(cell($0))" } ?? ""
                    let place = place(difference).map { " — \(code($0))" } ?? ""
                    lines.append(
                        "- \(difference.kind.rawValue) \(cell(path(difference)))\(note(difference))\(value)\(place)")
                }
                lines += ["", "</details>", ""]
            }
            if !policy.notCompared.isEmpty {
                lines += ["Not compared:", ""]
                lines += policy.notCompared.map { "- \(cell($0.path.joined(separator: " > "))): \(cell($0.reason))" }
                lines.append("")
            }
            lines += policy.notes.map { "Note: \(cell($0))." }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text that Markdown and HTML leave as it is, in one line.
    private func cell(_ text: String) -> String {
        var result = ""
        for character in HTMLEntities.escaped(text, .content) {
            switch character {
            case "|", "*", "_", "`", "[", "]", "\\", "#": result += "\\\(character)"
            case _ where character.isNewline: result += " "
            default: result.append(character)
            }
        }
        return result
    }

    private func code(_ text: String) -> String {
        let fence = text.contains("`") ? "``" : "`"
        return "\(fence)\(text.replacing("\n", with: " "))\(fence)"
    }

    // MARK: JSON

    /// For programs.
    package var json: JSONValue {
        ["version": 1, "old": .string(old), "new": .string(new), "policies": .array(policies.map { json($0) })]
    }

    private func json(_ policy: PolicyComparison) -> JSONValue {
        var object: JSONObject = ["policy": .string(policy.policy), "status": .string(policy.status.rawValue)]
        if let paths = policy.paths {
            object["paths"] = .integer(Int64(paths))
            object["replays"] = .integer(Int64(policy.replays))
        }
        object["structure"] = .array(
            policy.structure.map { difference in
                var object: JSONObject = [
                    "kind": .string(difference.kind.rawValue), "path": .array(difference.path.map { .string($0) }),
                ]
                object["old"] = difference.old.map { .string($0) }
                object["new"] = difference.new.map { .string($0) }
                object["reached"] = .bool(difference.isReached)
                object["oldPlace"] = difference.oldPlace?.json(shownOld)
                object["newPlace"] = difference.newPlace?.json(shownNew)
                return .object(object)
            })
        func written(_ change: NoticedChange) -> JSONObject {
            var object: JSONObject = [
                "party": .string(change.party.rawValue), "place": .string(change.place.text),
            ]
            object["old"] = change.old
            object["new"] = change.new
            if !change.followed.isEmpty {
                object["followed"] = .array(change.followed.map { .object(written($0)) })
            }
            return object
        }
        object["behaviour"] = .array(
            policy.behaviour.map { entry in
                var object = written(entry.change)
                object["paths"] = .integer(Int64(entry.paths))
                object["path"] = .string(entry.path)
                object["script"] = entry.script.map { .string($0) }
                return .object(object)
            })
        func findings(_ findings: [Diagnostic]) -> JSONValue {
            .array(findings.map { ["rule": .string($0.rule), "message": .string($0.message)] })
        }
        object["findings"] = ["appeared": findings(policy.appeared), "gone": findings(policy.gone)]
        object["notCompared"] = .array(
            policy.notCompared.map { entry in
                ["path": .array(entry.path.map { .string($0) }), "reason": .string(entry.reason)]
            })
        object["notes"] = .array(policy.notes.map { .string($0) })
        return .object(object)
    }
}

extension PolicyDifference {
    /// Before and after in one line; `nil` for a whole element, of which the path says enough.
    ///
    /// - Parameter most: The characters of each that are shown.
    func values(most: Int, _ masked: (String) -> String = { $0 }) -> String? {
        guard !isElement, !(old ?? new ?? "").hasPrefix("<") else { return nil }
        let sides = [old, new].compactMap(\.self).map { text in
            let line = masked(text).split(whereSeparator: \.isNewline).joined(separator: " ")
            return "\"\(line.count > most ? line.prefix(most - 3) + "..." : line)\""
        }
        return sides.isEmpty ? nil : sides.joined(separator: " -> ")
    }
}

extension SourceLocation {
    /// For programs, with the file as the user names it.
    func json(_ name: (String) -> String) -> JSONValue {
        var object: JSONObject = ["file": .string(name(file))]
        object["line"] = line.map { .integer(Int64($0)) }
        object["column"] = column.map { .integer(Int64($0)) }
        return .object(object)
    }
}

extension String {
    fileprivate var capitalisedStart: String { prefix(1).uppercased() + dropFirst() }
}
