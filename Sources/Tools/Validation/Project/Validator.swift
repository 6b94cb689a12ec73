import B2CProtocol
import Diagnostics
import JSON

/// Checks a project: pure, the same input always gives the same findings in the same order.
public enum Validator {
    /// One subject: looks at what it knows in a project and says what is wrong with it.
    public typealias Subject = @Sendable (Project) -> [Finding]

    /// All subjects but policies, in the order in which they are asked. What depends on the time may be found in files that
    /// have not changed.
    static let subjects: [(findings: Subject, dependsOnTime: Bool)] = [
        (unreadableFiles, false), (strangeFiles, false), (RegistrationSubject.findings, true),
        (DiscoverySubject.findings, false), (TenantSubject.findings, false), (AppSubject.findings, false),
        (ConfigurationSubject.findings, false),
    ]

    /// Everything that is wrong.
    ///
    /// - Parameter more: Findings about what this module cannot see, such as scenarios.
    public static func validate(_ project: Project, more: [Finding] = []) -> ValidationResult {
        var steps = StepwiseValidation(project)
        return steps.result(more: more)
    }

    /// Files that say by their name what they are, and are something else inside.
    private static func strangeFiles(_ project: Project) -> [Finding] {
        var all = project.passedOver.map { path, reason in
            Finding("B2C-VAL-005", reason, at: SourceLocation(file: path))
        }
        for file in project.files where file.kind == .other {
            let name = file.name.lowercased()
            if file.isUTF16, name.hasSuffix(".xml") || name.hasSuffix(".json") || name.hasSuffix(".plist") {
                all.append(
                    Finding(
                        "B2C-VAL-005", "the file is UTF-16, and was not checked", remedy: "Save it as UTF-8.",
                        at: SourceLocation(file: file.path)))
            } else if name.hasSuffix(".json"), file.document == nil, file.speaksOfB2C, !file.isJSON {
                all += brokenJSON(file)
            } else if name == "info.plist" {
                all.append(
                    Finding(
                        "B2C-VAL-005", "this is not a property list", remedy: "Open it in Xcode and save it again.",
                        at: SourceLocation(file: file.path)))
            }
        }
        return all
    }

    /// Why a file that names apps or policies is not JSON.
    private static func brokenJSON(_ file: ProjectFile) -> [Finding] {
        do throws(InvalidInput) {
            _ = try JSONDocument(file: file.path, bytes: file.source.bytes)
            return []
        } catch {
            return error.diagnostics.map { Finding($0) }
        }
    }

    private static func unreadableFiles(_ project: Project) -> [Finding] {
        project.unreadable.map { path, reason in
            Finding("B2C-VAL-001", reason, at: SourceLocation(file: path))
        }
    }
}

extension [Finding] {
    /// By file, line and column, then rule and message, so that the order does not depend on which subject ran first.
    var inSourceOrder: [Finding] {
        sorted { left, right in
            let a = left.diagnostic
            let b = right.diagnostic
            switch (a.location, b.location) {
            case (nil, nil): break
            case (nil, _): return true
            case (_, nil): return false
            case (let first?, let second?):
                if first < second { return true }
                if second < first { return false }
            }
            return (a.rule, a.message) < (b.rule, b.message)
        }
    }
}
