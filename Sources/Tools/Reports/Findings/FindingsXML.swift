import Diagnostics
import Markup
import Validation

/// The findings as XML that build servers read.
enum FindingsXML {
    /// A test case a file; one with errors fails, warnings and advice are its output.
    static func junit(_ result: ValidationResult, of command: FindingsReport.Command) -> String {
        let files = grouped(result.diagnostics)
        let bad = files.count { $0.diagnostics.hasErrors }
        let (failures, errors) = command.isStopped ? (0, bad) : (bad, 0)
        let counts =
            "tests=\"\(max(files.count, 1))\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"0\" time=\"0\""
        let className = command.name.replacing(" ", with: ".")
        let element = command.isStopped ? "error" : "failure"
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"\(command.name)\" \(counts)>",
            "  <testsuite name=\"\(command.name)\" \(counts)>",
        ]
        for (file, all) in files {
            let name = ReportXML.attribute(file.isEmpty ? "(no file)" : file)
            let errors = all.filter { $0.severity == .error }
            let others = all.filter { $0.severity != .error }
            lines.append("    <testcase classname=\"\(className)\" name=\"\(name)\" file=\"\(name)\" time=\"0\">")
            if let first = errors.first {
                let place = first.location?.line.map { "line \($0): " } ?? ""
                let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
                let head = ReportXML.attribute(place + first.message + more)
                let body = ReportXML.content(errors.map(\.description).joined(separator: "\n"))
                lines.append("      <\(element) type=\"\(first.rule)\" message=\"\(head)\">\(body)</\(element)>")
            }
            if !others.isEmpty {
                let body = ReportXML.content(others.map(\.description).joined(separator: "\n"))
                lines.append("      <system-out>\(body)</system-out>")
            }
            lines.append("    </testcase>")
        }
        // A suite without a case counts as "nothing was tested" with some servers.
        if files.isEmpty { lines.append("    <testcase classname=\"\(className)\" name=\"all files\" time=\"0\"/>") }
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A test case for each case.
    static func junit(_ cases: [FindingsReport.Case], of command: FindingsReport.Command) -> String {
        let className = command.name.replacing(" ", with: ".")
        var (failures, skipped) = (0, 0)
        let lines = cases.map { entry in
            let head = "    <testcase classname=\"\(className)\" name=\"\(ReportXML.attribute(entry.name))\" time=\"0\""
            switch entry.result {
            case .passed: return head + "/>"
            case .skipped(let reason):
                skipped += 1
                return head + "><skipped message=\"\(ReportXML.attribute(reason))\"/></testcase>"
            case .failed(let finding):
                failures += 1
                let message = ReportXML.attribute(finding.message)
                let body = ReportXML.content(finding.description)
                return head
                    + "><failure type=\"\(finding.rule)\" message=\"\(message)\">\(body)</failure></testcase>"
            }
        }
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"0\""
        let first = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"\(command.name)\" \(counts)>",
            "  <testsuite name=\"\(command.name)\" \(counts)>",
        ]
        return (first + lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }

    /// Findings by file, in their order.
    private static func grouped(_ all: [Diagnostic]) -> [(file: String, diagnostics: [Diagnostic])] {
        var places: [String: Int] = [:]
        var groups: [(file: String, diagnostics: [Diagnostic])] = []
        for diagnostic in all {
            let file = diagnostic.location?.file ?? ""
            if let place = places[file] {
                groups[place].diagnostics.append(diagnostic)
            } else {
                places[file] = groups.count
                groups.append((file, [diagnostic]))
            }
        }
        return groups
    }
}

/// Text in the XML of reports. Build servers refuse a whole file for one character that XML cannot have.
enum ReportXML {
    static func attribute(_ text: String) -> String { XMLEntities.escaped(text, also: [.attribute, .invalid]) }

    static func content(_ text: String) -> String { XMLEntities.escaped(text, also: [.quotes, .invalid]) }
}
