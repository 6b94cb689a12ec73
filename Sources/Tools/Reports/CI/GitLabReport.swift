import JSON
import ScenarioRunner

/// Failures as a code quality report, which GitLab shows in merge requests (the part of the Code Climate format that
/// GitLab reads).
public enum GitLabReport {
    /// A JSON array that ends in a line feed.
    ///
    /// - Parameter path: Names a file from the folder of the repository.
    public static func text(_ report: RunReport, path: (String) -> String = { $0 }) -> String {
        text(ReportIssue.all(in: report, path: path))
    }

    static func text(_ issues: [ReportIssue]) -> String {
        var seen: [UInt64: Int] = [:]
        let issues = issues.map { issue -> JSONValue in
            let place = issue.place
            // What stays when the lines of the file move: a finding says in words what it is about.
            let what = issue.isFinding ? "\(issue.kind)\n\(issue.headline)" : issue.title
            let key = hash("\(place?.file ?? "")\n\(what)\n\(place?.pointer ?? "")")
            // GitLab drops issues of one fingerprint.
            let count = seen[key, default: 0]
            seen[key] = count + 1
            let fingerprint = "000000000000000" + String(key &+ UInt64(count), radix: 16)
            let severity =
                switch issue.severity {
                case .error: "major"
                case .warning: "minor"
                case .advice: "info"
                }
            return .object([
                "description": .string("\(issue.title): \(issue.headline)"),
                "check_name": .string(issue.isFinding ? issue.kind : "b2c/\(issue.kind)"),
                "fingerprint": .string(String(fingerprint.suffix(16))),
                "severity": .string(severity),
                "location": .object([
                    "path": .string(place?.file ?? "."),
                    "lines": .object(["begin": .integer(Int64(place?.line ?? 1))]),
                ]),
            ])
        }
        return JSONWriter.pretty(.array(issues)) + "\n"
    }

    /// FNV-1a: it only distinguishes issues from each other and from those of the last run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
