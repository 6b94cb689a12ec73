import Diagnostics
import Markup
import PolicyRelease
import TrustFramework

extension ReleaseReport {
    /// Cells are as wide at most, except the last of a line.
    private static let widest = 44
    /// Commands that repeat a path, at most.
    private static let mostRepeated = 3

    /// For a terminal.
    package var text: String {
        var lines = refused.map { finding in
            let place = finding.location.map { "\($0.description): " } ?? ""
            return "refused  \(place)\(finding.message)\(finding.remedy.map { " \($0)" } ?? "")"
        }
        if !lines.isEmpty { lines.append("") }
        lines.append(headline)
        let table = tableLines
        if !table.isEmpty { lines += [""] + table }
        if !unchanged.isEmpty, !signIns.isEmpty { lines.append("no change: \(namesList(unchanged))") }
        var further = labelled("before the upload", needs) + labelled("during the upload", between)
        further += labelled("repeat", Array(repetitions.prefix(Self.mostRepeated)))
        if !further.isEmpty { lines += [""] + further }
        let details = elementLines + fileLines
        if !details.isEmpty { lines += [""] + details }
        if !forbidden.isEmpty { lines += ["", "forbidden: \(forbidden.map(\.rawValue).joined(separator: ", "))"] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Commands that repeat paths, those of weaker sign-ins first.
    private var repetitions: [String] {
        (rows.filter(\.isWeaker) + rows.filter { !$0.isWeaker }).compactMap(\.repeated)
    }

    private func labelled(_ label: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { Self.padded($0.offset == 0 ? label : "", 20) + $0.element }
    }

    // MARK: Who notices

    private var tableLines: [String] {
        guard !signIns.isEmpty else { return [] }
        var cells: [(cells: [String], because: [String])] = []
        for change in signIns {
            for row in change.rows {
                let mark = row.isWeaker ? "! weaker" : ""
                cells.append(([change.policy, row.who, row.before, row.after, mark], [row.because].compactMap(\.self)))
            }
            if let silence = silence(change) {
                let who = change.isUntested ? silence : silence.isEmpty ? "nobody" : "nobody: \(silence)"
                cells.append(([change.policy, who, "", "", ""], []))
            }
            for finding in change.appeared {
                let place = finding.location.map { "at \(PolicyState.shown($0.description))" }
                cells.append(
                    (
                        [change.policy, "new finding \(finding.rule)", finding.message, "", ""],
                        [place].compactMap(\.self)
                    ))
            }
        }
        let head = isDrift ? ["who notices", "", "folder", "tenant", ""] : ["who notices", "", "before", "after", ""]
        let widths = (0..<5).map { column in
            cells.map { $0.cells }.filter { row in row[(column + 1)...].contains { !$0.isEmpty } }
                .map { min($0[column].count, Self.widest) }.max() ?? 0
        }
        func line(_ row: [String]) -> String {
            var text = ""
            for (column, cell) in row.enumerated() {
                let rest = row[(column + 1)...].contains { !$0.isEmpty }
                text += rest ? Self.padded(cell, max(widths[column], column == 0 ? 11 : 0)) + "  " : cell
            }
            while text.last == " " { text.removeLast() }
            return text
        }
        let indent = String(repeating: " ", count: max(widths[0], 11) + 2)
        return [line(head)] + cells.flatMap { [line($0.cells)] + $0.because.map { indent + $0 } }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    // MARK: Elements and files

    private var elementLines: [String] {
        let all = elements
        guard !all.isEmpty else { return [] }
        return ["elements"] + all.map { "  " + elementLine($0.difference, $0.policies) }
    }

    func elementLine(_ difference: PolicyDifference, _ policies: [String]) -> String {
        let place = DifferenceCause(difference).place.map {
            "  \(PolicyState.shown($0.file))\($0.line.map { ":\($0)" } ?? "")"
        }
        let reached = difference.isReached ? "" : " (not reached by a sign-in)"
        let value = difference.values(most: 80, Self.masked).map { ": \($0)" } ?? ""
        return "\(difference.kind.rawValue) \(difference.path.joined(separator: " > "))\(value)\(reached)"
            + "\(place ?? "")  (\(namesList(policies, limit: 4)))"
    }

    /// What happens to each file.
    var fileLines: [String] {
        let steps = plan.steps.filter { $0.action != .unchanged }
        var lines = steps.map { step in
            "  \(Self.padded(verb(step.action), 8))\(step.id)\(step.file.map { "  \($0)" } ?? "")"
        }
        if !lines.isEmpty { lines.insert(isDrift ? "policies" : "files", at: 0) }
        if !plan.notInFolder.isEmpty {
            let names = namesList(plan.notInFolder.map(\.id))
            lines.append("not in the folder: \(names)" + (isDrift ? "" : " (they stay; --delete deletes them)"))
        }
        return lines
    }

    private func verb(_ action: ReleasePlan.Action) -> String {
        guard isDrift else { return action.rawValue }
        switch action {
        case .create: return "lacks"
        case .update: return "differs"
        case .unchanged, .delete: return action.rawValue
        }
    }

    // MARK: Markdown

    /// For a pull request or an issue.
    package var markdown: String {
        var lines = [isDrift ? "### Policy drift" : "### Policy release", "", Self.escaped(headline), ""]
        if !refused.isEmpty {
            lines += refused.map { finding in
                "- refused: \(finding.location.map { "`\($0.description)` " } ?? "")\(Self.escaped(finding.message))"
            }
            lines.append("")
        }
        if !signIns.isEmpty {
            let columns = isDrift ? "| folder | tenant |" : "| before | after |"
            lines += ["| policy | who notices \(columns) because |", "| --- | --- | --- | --- | --- |"]
            for change in signIns {
                for row in change.rows {
                    let after = Self.escaped(row.after) + (row.isWeaker ? " **weaker**" : "")
                    lines.append(
                        "| \(Self.escaped(change.policy)) | \(Self.escaped(row.who)) | \(Self.escaped(row.before)) | \(after) | "
                            + "\(row.causes.map { Self.escaped($0.words) }.joined(separator: "<br>")) |")
                }
                if let silence = silence(change) {
                    lines.append("| \(Self.escaped(change.policy)) | nobody | | | \(Self.escaped(silence)) |")
                }
                lines += change.appeared.map {
                    "| \(Self.escaped(change.policy)) | new finding \($0.rule) | | \(Self.escaped($0.message)) | |"
                }
            }
            lines.append("")
        }
        for (title, list) in [("Before the upload", needs), ("During the upload", between)] where !list.isEmpty {
            lines += ["**\(title)**", ""] + list.map { "- \(Self.escaped($0))" } + [""]
        }
        func item(_ text: String) -> String { "- \(Self.escaped(text.trimmingPrefix { $0 == " " }))" }
        let folded = [
            ("Elements", elements.map { item(elementLine($0.difference, $0.policies)) }),
            (isDrift ? "Policies" : "Files", fileLines.filter { $0 != "files" && $0 != "policies" }.map(item)),
            ("Repeat", repetitions.map { "- `\($0)`" }),
        ]
        for (title, list) in folded where !list.isEmpty {
            lines += ["<details><summary>\(title)</summary>", ""] + list
            lines += ["", "</details>", ""]
        }
        if !forbidden.isEmpty { lines += ["Forbidden: \(forbidden.map(\.rawValue).joined(separator: ", "))", ""] }
        return lines.joined(separator: "\n")
    }

    /// Text that Markdown and HTML show unchanged, in one line.
    private static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for character in HTMLEntities.escaped(String(text), .content) {
            switch character {
            case "\\", "`", "*", "_", "[", "]", "#", "|", "~": result += "\\\(character)"
            case _ where character.isNewline: result += " "
            default: result.append(character)
            }
        }
        return result
    }
}
