import ScenarioRunner

/// Coverage as Cobertura XML (coverage-04.dtd): a class a policy file, a line for each part, a branch line for each
/// precondition.
///
/// `timestamp` is always 0, so that the same run gives the same bytes.
public enum CoberturaReport {
    /// A line of a file: several parts may be on it.
    private struct Line {
        var number: Int
        var hits = 0
        var branchesCovered = 0
        var branchesValid = 0
    }

    private struct Counts {
        var lines = 0
        var linesCovered = 0
        var branches = 0
        var branchesCovered = 0

        init(_ lines: [Line]) {
            self.lines = lines.count
            linesCovered = lines.count { $0.hits > 0 }
            branches = lines.map(\.branchesValid).reduce(0, +)
            branchesCovered = lines.map(\.branchesCovered).reduce(0, +)
        }

        var rates: String {
            "line-rate=\"\(CoberturaReport.rate(linesCovered, lines))\" branch-rate=\"\(CoberturaReport.rate(branchesCovered, branches))\""
        }
    }

    /// The report, ending in a line feed.
    public static func text(_ report: CoverageReport) -> String {
        let files = report.files.map { ($0.path, lines($0)) }
        let whole = Counts(files.flatMap(\.1))
        var out = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">",
            "<coverage \(whole.rates) lines-covered=\"\(whole.linesCovered)\" lines-valid=\"\(whole.lines)\" "
                + "branches-covered=\"\(whole.branchesCovered)\" branches-valid=\"\(whole.branches)\" complexity=\"0\" "
                + "version=\"1\" timestamp=\"0\">",
            "  <sources>", "    <source>.</source>", "  </sources>", "  <packages>",
            "    <package name=\"policies\" \(whole.rates) complexity=\"0\">", "      <classes>",
        ]
        for (path, lines) in files {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            out.append(
                "        <class name=\"\(ReportXML.attribute(name))\" filename=\"\(ReportXML.attribute(path))\" \(Counts(lines).rates) complexity=\"0\">"
            )
            out += ["          <methods/>", "          <lines>"]
            for line in lines {
                var text = "            <line number=\"\(line.number)\" hits=\"\(line.hits)\""
                if line.branchesValid > 0 {
                    let percent = line.branchesCovered * 100 / line.branchesValid
                    text +=
                        " branch=\"true\" condition-coverage=\"\(percent)% (\(line.branchesCovered)/\(line.branchesValid))\""
                } else {
                    text += " branch=\"false\""
                }
                out.append(text + "/>")
            }
            out += ["          </lines>", "        </class>"]
        }
        out += ["      </classes>", "    </package>", "  </packages>", "</coverage>"]
        return out.joined(separator: "\n") + "\n"
    }

    private static func lines(_ file: CoverageReport.File) -> [Line] {
        var lines: [Line] = []
        // In the order of the lines, whatever order the parts are in: a line is listed once.
        for item in file.items.sorted(by: { $0.line < $1.line }) where item.line > 0 {
            if lines.last?.number != item.line { lines.append(Line(number: item.line)) }
            lines[lines.count - 1].hits += item.hits
            if let branches = item.branches {
                lines[lines.count - 1].branchesValid += 2
                lines[lines.count - 1].branchesCovered += branches.covered
            }
        }
        return lines
    }

    /// A share with four places; 1 where there is nothing.
    private static func rate(_ covered: Int, _ all: Int) -> String {
        guard all > 0 else { return "1" }
        let parts = covered * 10_000 / all
        let digits = String(parts % 10_000)
        return "\(parts / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)"
    }
}
