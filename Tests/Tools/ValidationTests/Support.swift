import Determinism
import Diagnostics
import TestSupport
import Validation

let noon = Timestamp(rfc3339: "2026-01-01T12:00:00Z") ?? Timestamp(seconds: 0)

/// A project out of texts.
func project(_ files: (String, String)...) -> Project {
    Project(files: files.map { ProjectFile(path: $0.0, bytes: Array($0.1.utf8)) }, now: noon)
}

/// `rule@line` of each finding, in their order.
func placed(_ result: ValidationResult) -> [String] {
    result.diagnostics.map { "\($0.rule)@\($0.location?.line ?? 0)" }
}
