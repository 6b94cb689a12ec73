import Diagnostics
import JSON

/// What somebody decided to live with: entries of `b2c-validate.json`, and comments in XML and source files.
///
/// A comment holds `b2c-validate-ignore RULE: reason` and means its own line and the next that is not blank. An entry of
/// the settings file names rule, file (`*` and `?` are wildcards), and reason. Without a reason neither counts, and one
/// that meets no finding is reported.
struct Suppressions: Sendable {
    private struct Entry {
        var rule: String
        /// A pattern over paths; for a comment the path itself.
        var file: String
        /// The lines a comment is about.
        var lines: ClosedRange<Int>?
        var reason: String
        var place: SourceLocation
    }

    private var entries: [Entry] = []
    /// What is wrong with the suppressions themselves.
    private(set) var findings: [Finding] = []

    init(_ project: Project) {
        for file in project.files {
            if file.kind == .settings {
                readSettings(file)
            } else if file.hasSuppressions {
                readComments(file)
            }
        }
    }

    /// Takes out what is suppressed.
    func split(
        _ all: [Finding]
    ) -> (rest: [Finding], suppressed: [(finding: Finding, reason: String)], unused: [Finding]) {
        guard !entries.isEmpty else { return (all, [], []) }
        var used = [Bool](repeating: false, count: entries.count)
        var rest: [Finding] = []
        var suppressed: [(finding: Finding, reason: String)] = []
        for finding in all {
            let met = entries.indices.filter { meets(entries[$0], finding.diagnostic) }
            guard let first = met.first else {
                rest.append(finding)
                continue
            }
            for index in met { used[index] = true }
            suppressed.append((finding, entries[first].reason))
        }
        let unused = entries.indices.filter { !used[$0] }.map { index in
            Finding(
                "B2C-VAL-004", "nothing here breaks \(entries[index].rule) any more",
                remedy: "Take the suppression out.", at: entries[index].place)
        }
        return (rest, suppressed, unused)
    }

    private func meets(_ entry: Entry, _ finding: Diagnostic) -> Bool {
        guard entry.rule == finding.rule, let place = finding.location else { return false }
        if let lines = entry.lines { return entry.file == place.file && lines.contains(place.line ?? 0) }
        return Wildcard.matches(place.file, entry.file)
    }

    // MARK: Settings

    private static let entryMembers = ["rule", "file", "reason"]

    private mutating func readSettings(_ file: ProjectFile) {
        guard let document = file.document else {
            do throws(InvalidInput) {
                _ = try JSONDocument(file: file.path, bytes: file.source.bytes)
            } catch {
                findings += error.diagnostics.map { Finding($0) }
            }
            return
        }
        for (key, _) in document.root.objectValue?.members ?? [] where !["$schema", "suppress"].contains(key) {
            fault(
                in: document, "this file has no key `\(key)`",
                remedy: nearestName(key, among: ["suppress"]).map { "Did you mean `\($0)`?" } ?? "It takes `suppress`.",
                at: JSONPointer.root.appending(key), key: true)
        }
        guard let list = document.root["suppress"] else { return }
        let place = JSONPointer.root.appending("suppress")
        guard let values = list.arrayValue else {
            return fault(in: document, "`suppress` is a list of objects", remedy: "Write [ ... ].", at: place)
        }
        for (index, value) in values.enumerated() { read(value, in: document, at: place.appending(index)) }
    }

    private mutating func read(_ value: JSONValue, in document: JSONDocument, at pointer: JSONPointer) {
        guard let object = value.objectValue else {
            return fault(
                in: document, "an entry is an object with `rule`, `file` and `reason`", remedy: nil, at: pointer)
        }
        for key in object.keys where !Self.entryMembers.contains(key) {
            let near = nearestName(key, among: Self.entryMembers)
            fault(
                in: document, "an entry has no key `\(key)`", remedy: near.map { "Did you mean `\($0)`?" },
                at: pointer.appending(key), key: true)
        }
        guard let rule = object["rule"]?.stringValue, let path = object["file"]?.stringValue,
            let reason = object["reason"]?.stringValue, !reason.isEmpty
        else {
            return fault(
                in: document, "an entry needs `rule`, `file` and a `reason` that is not empty",
                remedy: "The reason is for the person who reads this in a year.", at: pointer)
        }
        entries.append(
            Entry(
                rule: rule.uppercased(), file: path, lines: nil, reason: reason,
                place: document.location(of: pointer)))
    }

    private mutating func fault(
        in document: JSONDocument, _ message: String, remedy: String?, at pointer: JSONPointer, key: Bool = false
    ) {
        findings.append(
            Finding("B2C-VAL-002", message, remedy: remedy, at: document.location(of: pointer, key: key)))
    }

    // MARK: Comments

    static let mark = Array("b2c-validate-ignore".utf8)

    private mutating func readComments(_ file: ProjectFile) {
        var at = 0
        while let found = ByteSearch.first(Self.mark, in: file.source.bytes, from: at) {
            at = found + Self.mark.count
            readComment(file, at: found)
        }
    }

    private mutating func readComment(_ file: ProjectFile, at offset: Int) {
        let place = file.source.location(at: offset, byteLength: Self.mark.count)
        guard let line = place.line, let text = file.source.line(line), let range = text.range(ofASCII: Self.mark)
        else { return }
        var rest = text[range.upperBound...].drop { $0 == " " || $0 == "\t" }
        let rule = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
        rest = rest.dropFirst(rule.count).drop { $0 == " " }
        let reason: Substring
        if rest.first == ":" {
            var words = rest.dropFirst().drop { $0 == " " }
            for end in ["-->", "*/"] {
                if let close = words.range(ofASCII: Array(end.utf8)) { words = words[..<close.lowerBound] }
            }
            while let last = words.last, last == " " || last == "\t" || last == "-" { words.removeLast() }
            reason = words
        } else {
            reason = ""
        }
        guard !rule.isEmpty, !reason.isEmpty else {
            findings.append(
                Finding(
                    "B2C-VAL-002", "a suppression needs a rule and a reason",
                    remedy: "Write b2c-validate-ignore RULE: reason.", at: place))
            return
        }
        var last = line
        repeat { last += 1 } while last <= file.source.lineCount && isBlank(file.source.line(last))
        entries.append(
            Entry(
                rule: rule.uppercased(), file: file.path, lines: line...max(line, last), reason: String(reason),
                place: place))
    }

    private func isBlank(_ line: String?) -> Bool {
        line?.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ?? false
    }
}

/// Patterns over paths: `*` is any number of characters, slashes too, `?` is one.
enum Wildcard {
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
        var t = 0
        var p = 0
        var star: (pattern: Int, text: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                star = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == UInt8(ascii: "?") || pattern[p] == text[t] {
                p += 1
                t += 1
            } else if let back = star {
                p = back.pattern + 1
                t = back.text + 1
                star = (back.pattern, back.text + 1)
            } else {
                return false
            }
        }
        while p < pattern.count, pattern[p] == UInt8(ascii: "*") { p += 1 }
        return p == pattern.count
    }
}

extension StringProtocol {
    /// The first occurrence of an ASCII text.
    func range(ofASCII wanted: [UInt8]) -> Range<String.Index>? {
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: wanted) {
                return start..<utf8.index(start, offsetBy: wanted.count)
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
