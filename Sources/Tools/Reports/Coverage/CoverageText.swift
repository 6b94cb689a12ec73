import ScenarioRunner

/// Coverage as text: how much of each kind, file by file, then every part that nothing exercised.
public enum CoverageText {
    /// The report, ending in a line feed.
    public static func text(_ report: CoverageReport) -> String {
        guard !report.files.isEmpty else { return "no custom policy was played\n" }
        var lines: [String] = []
        for kind in CoverageReport.Kind.allCases {
            let items = report.items(kind)
            guard !items.isEmpty else { continue }
            lines.append("\(share(items)) \(kind.plural)")
        }
        lines.append("")
        for file in report.files { lines.append("\(share(file.items)) \(file.path)") }
        let missed = report.files.flatMap { file in file.items.filter { !$0.isCovered }.map { (file.path, $0) } }
        if !missed.isEmpty { lines += ["", "not exercised:"] }
        for (path, item) in missed {
            var line = "\(path):\(item.line) \(item.kind.rawValue) \(item.id)"
            if item.hits > 0, let branches = item.branches {
                line += branches.skipped == 0 ? " (never skipped its step)" : " (always skipped its step)"
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func share(_ items: [CoverageReport.Item]) -> String {
        let covered = items.count(where: \.isCovered)
        let percent = String(items.isEmpty ? 100 : covered * 100 / items.count)
        let counts = "\(covered)/\(items.count)"
        return String(repeating: " ", count: max(0, 3 - percent.count)) + "\(percent)% "
            + String(repeating: " ", count: max(0, 9 - counts.count)) + counts
    }
}
