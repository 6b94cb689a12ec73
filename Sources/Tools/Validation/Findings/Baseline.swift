import Diagnostics
import JSON

/// Findings that were there when a repository adopted the validation, and that are not to be reported until they change.
///
/// A finding is known again by its rule, its file, the text of its line and how many equal ones precede it, so that
/// lines added above do not bring it back.
public struct Baseline: Sendable {
    /// What a finding is known again by.
    public struct Fingerprint: Hashable, Sendable {
        public var rule: String
        public var file: String
        public var text: String
        public var occurrence: Int
    }

    /// The findings it holds.
    public private(set) var entries: [Fingerprint]

    /// A baseline of these findings.
    public init(_ findings: [Finding], sources: [SourceText]) {
        entries = Baseline.fingerprints(findings, sources: sources)
    }

    /// Reads a baseline file.
    public init(file: String, bytes: [UInt8]) throws(InvalidInput) {
        let document = try JSONDocument(file: file, bytes: bytes)
        guard document.root["version"] == .integer(1), let list = document.root["findings"]?.arrayValue else {
            throw InvalidInput(
                document.finding(
                    rule: "B2C-VAL-003", "this is not a baseline of version 1",
                    remedy: "Write one with --write-baseline.", at: .root))
        }
        var entries: [Fingerprint] = []
        var findings: [Diagnostic] = []
        for (index, value) in list.enumerated() {
            if let rule = value["rule"]?.stringValue, let path = value["file"]?.stringValue,
                let text = value["text"]?.stringValue, let occurrence = value["occurrence"]?.intValue, occurrence >= 0
            {
                entries.append(Fingerprint(rule: rule, file: path, text: text, occurrence: Int(occurrence)))
            } else {
                findings.append(
                    document.finding(
                        rule: "B2C-VAL-003", "an entry needs \"rule\", \"file\", \"text\" and \"occurrence\"",
                        remedy: "Write the file again with --write-baseline.",
                        at: JSONPointer.root.appending("findings").appending(index)))
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        self.entries = entries
    }

    /// The baseline as a file.
    public var json: JSONValue {
        [
            "version": 1,
            "findings": .array(
                entries.map { entry in
                    [
                        "rule": .string(entry.rule), "file": .string(entry.file), "text": .string(entry.text),
                        "occurrence": .integer(Int64(entry.occurrence)),
                    ]
                }),
        ]
    }

    /// The findings that are not in it, and the entries that no finding has any more.
    public func subtract(
        from findings: [Finding], sources: [SourceText]
    ) -> (rest: [Finding], known: [Finding], gone: [Fingerprint]) {
        var left = Set(entries)
        var rest: [Finding] = []
        var known: [Finding] = []
        for (finding, print) in zip(findings, Baseline.fingerprints(findings, sources: sources)) {
            if left.remove(print) == nil { rest.append(finding) } else { known.append(finding) }
        }
        return (rest, known, entries.filter { left.contains($0) })
    }

    static func fingerprints(_ findings: [Finding], sources: [SourceText]) -> [Fingerprint] {
        let byFile = Dictionary(sources.map { ($0.file, $0) }) { first, _ in first }
        var seen: [Fingerprint: Int] = [:]
        return findings.map { finding in
            let place = finding.diagnostic.location
            let line = place?.line.flatMap { number in place.flatMap { byFile[$0.file]?.line(number) } } ?? ""
            var print = Fingerprint(
                rule: finding.diagnostic.rule, file: place?.file ?? "", text: trimmed(line), occurrence: 0)
            let count = seen[print, default: 0]
            seen[print] = count + 1
            print.occurrence = count
            return print
        }
    }

    private static func trimmed(_ line: String) -> String {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        var bytes = Array(line.utf8)[...]
        bytes = bytes.drop(while: blank)
        while let last = bytes.last, blank(last) { bytes = bytes.dropLast() }
        return String(decoding: bytes.prefix(400), as: UTF8.self)
    }
}
