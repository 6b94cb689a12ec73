import JSON

/// One row of a table that a file holds.
package protocol TableRow: SettingsRecord {
    /// The name under which the row is found. Two rows of a table do not have the same.
    var id: String { get }
}

/// A table in a file that the programs contain: rows in sections, each with a text that says what they have in common.
///
///     { "sessions": { "about": "Sessions and sign-out.", "rows": [ { "id": "B78", ... } ] } }
package struct RecordTable<Row: TableRow>: Sendable {
    /// The rows by section, in the order of the file.
    package let sections: [(name: String, rows: [Row])]
    /// What is wrong with the file, each with the id of its row. A test of each table expects none.
    package let problems: [String]

    /// All rows.
    package var rows: [Row] { sections.flatMap(\.rows) }

    /// The rows of a section.
    package subscript(section: String) -> [Row] { sections.first { $0.name == section }?.rows ?? [] }

    /// Reads the text of a file. A row with a problem keeps its other values.
    package init(_ bytes: [UInt8]) {
        var sections: [(name: String, rows: [Row])] = []
        var problems: [String] = []
        let cursor = SettingsCursor()
        do {
            let root = try JSONParser.parse(bytes)
            for (name, section) in cursor.object(root)?.members ?? [] {
                let inner = cursor.at(name)
                guard let section = inner.object(section) else { continue }
                if section["about"]?.stringValue == nil { inner.refuse("the section lacks \"about\"") }
                let rows = Codec<Row>.record().list().decode(section["rows"] ?? .null, inner.at("rows"))
                sections.append((name, rows ?? []))
            }
            problems = cursor.findings.all.map { finding in
                let tokens = finding.pointer.tokens
                let row = JSONPointer(tokens: Array(tokens.prefix(3) + ["id"]))
                return "\(root.value(at: row)?.stringValue ?? finding.pointer.description): \(finding.message)"
                    + (tokens.count > 3 ? " at \(tokens.dropFirst(3).joined(separator: "/"))" : "")
            }
        } catch {
            problems = ["\(error)"]
        }
        var met: Set<String> = []
        for row in sections.flatMap(\.rows) where !met.insert(row.id).inserted {
            problems.append("\(row.id): two rows have this id")
        }
        self.sections = sections
        self.problems = problems
    }
}
