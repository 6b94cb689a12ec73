import Diagnostics
import JSON

/// Collects the findings of one reading.
package final class Findings {
    package let document: JSONDocument
    package private(set) var all: [Diagnostic] = []
    /// Places that have a finding already, with the check that made it: one mistake is reported once, by the check that
    /// came first. What one check says of a place is all kept.
    private var taken: [Place: Int] = [:]
    private var check = 0

    private struct Place: Hashable {
        var file: String
        var line: Int?
        var column: Int?
    }

    package init(document: JSONDocument) {
        self.document = document
    }

    /// What follows comes from another check.
    package func nextCheck() { check += 1 }

    package func add(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { add(diagnostic) }
    }

    private func add(_ diagnostic: Diagnostic) {
        if let location = diagnostic.location, location.line != nil {
            let place = Place(file: location.file, line: location.line, column: location.column)
            guard taken[place, default: check] == check || diagnostic.severity != .error else { return }
            if diagnostic.severity == .error { taken[place] = check }
        }
        all.append(diagnostic)
    }

    /// A finding at a place of the script.
    package func add(
        _ rule: ScenarioRule, _ message: String, remedy: String? = nil, at pointer: JSONPointer, key: Bool = false,
        severity: Severity = .error
    ) {
        add(document.finding(severity, rule: rule.rawValue, message, remedy: remedy, at: pointer, key: key))
    }

    /// A name that does not exist, with those that do.
    ///
    /// - Parameter owner: the entry that has the name as its id or other value, see ``NameTable/owner(of:as:)``.
    package func unknown(
        _ what: String, _ name: String, among known: [String], plural: String, at pointer: JSONPointer,
        key: Bool = false, owner: (what: String, name: String)? = nil
    ) {
        if let owner {
            return add(
                .unknownName, "there is no \(what) `\(name)`: it is the \(owner.what) of `\(owner.name)`",
                remedy: "Write the name: `\(owner.name)`.", at: pointer, key: key)
        }
        unknown(.unknownName, what, name, among: known, plural: plural, at: pointer, key: key)
    }

    /// The same by another rule.
    package func unknown(
        _ rule: ScenarioRule, _ what: String, _ name: String, among known: [String], plural: String,
        at pointer: JSONPointer, key: Bool = false
    ) {
        add(rule, "there is no \(what) `\(name)`", remedy: Self.remedy(name, known, plural), at: pointer, key: key)
    }

    /// A part that something does not have, with those that it has.
    package func lacks(
        _ rule: ScenarioRule, _ owner: String, _ name: String, among known: [String], plural: String,
        at pointer: JSONPointer, key: Bool = false, severity: Severity = .error
    ) {
        add(
            rule, "\(owner) has no `\(name)`", remedy: Self.remedy(name, known, plural), at: pointer, key: key,
            severity: severity)
    }

    /// The known names, with the one that was probably meant first.
    package static func remedy(_ name: String, _ known: [String], _ plural: String) -> String {
        var remedy: String
        if known.isEmpty {
            remedy = "There are no \(plural)."
        } else {
            remedy = "\(plural.prefix(1).uppercased() + plural.dropFirst()): \(namesList(known, limit: 30))."
        }
        if known.contains(where: { differOnlyInNormalization($0, name) }) {
            return
                "A known name differs from it only in Unicode normalization: write both in the same form (NFC). \(remedy)"
        }
        if let (twin, note) = known.lazy.compactMap({ known in LookAlike.note(known, name).map { (known, $0) } }).first
        {
            return "Write `\(twin)` as it is known: \(note). \(remedy)"
        }
        if let near = Suggestion(for: name, among: known) { remedy = "\(near.question()) \(remedy)" }
        return remedy
    }
}
