import Diagnostics
import JSON

/// The reasons of a project file: why lines of scripts that no run notices are right all the same.
///
/// Each key names a script or a folder, `scenarios/a.json`, and may narrow that to a place, `scenarios/a.json#/steps/1`,
/// or to a rule, `scenarios#B2C-PRV-006`.
public struct ProjectReasons: Sendable {
    private struct Reason {
        /// The script or the folder.
        var path: String
        var pointer: JSONPointer?
        var rule: String?
        /// The key itself, for messages.
        var key: String
        var isUsed = false
        var isTried = false

        func concerns(_ file: String) -> Bool {
            path == "." || file == path || file.hasPrefix(path + "/")
        }
    }

    private let document: JSONDocument
    private var reasons: [Reason] = []
    /// What is wrong with the keys.
    package private(set) var findings: [Diagnostic] = []

    /// Reads the member `proves` of a project file.
    package init(of document: JSONDocument) {
        self.document = document
        for (key, _) in document.root["proves"]?.objectValue?.members ?? [] {
            let parts = key.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            var reason = Reason(path: Self.plain(parts[0]), key: key)
            if parts.count == 2 {
                if ProofRule(rawValue: parts[1]) != nil {
                    reason.rule = parts[1]
                } else if parts[1].hasPrefix("/"), let pointer = JSONPointer(parts[1]) {
                    reason.pointer = pointer
                } else {
                    findings.append(
                        document.finding(
                            rule: "B2C-PRJ-011",
                            "expected a JSON pointer or a rule of --prove after #, found \"\(parts[1])\"",
                            remedy:
                                "Write \(parts[0])#/steps/1 or \(parts[0])#\(ProofRule.settingWithoutEffect.rawValue).",
                            at: Self.place(key)))
                    continue
                }
            }
            reasons.append(reason)
        }
    }

    private static func place(_ key: String) -> JSONPointer { JSONPointer(tokens: ["proves", key]) }

    /// A path without `./` before it and without a slash at its end.
    private static func plain(_ path: String) -> String {
        var path = path[...]
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return path.isEmpty ? "." : String(path)
    }

    /// Notes that a script was tried: a reason for it that is not used by then is of no use.
    mutating func tried(_ file: String) {
        let file = Self.plain(file)
        for index in reasons.indices where reasons[index].concerns(file) { reasons[index].isTried = true }
    }

    /// Whether there is a reason for a finding. Each that there is counts as used.
    mutating func covers(_ file: String, _ pointer: JSONPointer, _ rule: String) -> Bool {
        let file = Self.plain(file)
        var isCovered = false
        for index in reasons.indices where reasons[index].concerns(file) {
            let reason = reasons[index]
            guard reason.rule.map({ $0 == rule }) ?? true,
                reason.pointer.map({ pointer.tokens.starts(with: $0.tokens) }) ?? true
            else { continue }
            reasons[index].isUsed = true
            isCovered = true
        }
        return isCovered
    }

    /// Reasons for scripts that were tried, for which nothing was found.
    var unused: [Diagnostic] {
        reasons.filter { $0.isTried && !$0.isUsed }.map { reason in
            document.finding(
                .warning, rule: ProofRule.unusedReason.rawValue,
                "`proves` gives a reason, and there is no finding at \(reason.key)", remedy: "Remove it.",
                at: Self.place(reason.key))
        }
    }

    /// Reasons for scripts and folders that do not exist.
    ///
    /// - Parameter exists: Whether there is a file or folder.
    package func missing(exists: (String) -> Bool) -> [Diagnostic] {
        reasons.filter { !exists($0.path) }.map { reason in
            document.finding(
                .warning, rule: ProofRule.unusedReason.rawValue, "`proves` names \(reason.path), which does not exist",
                remedy: "Correct the path, or remove the reason.", at: Self.place(reason.key))
        }
    }
}
