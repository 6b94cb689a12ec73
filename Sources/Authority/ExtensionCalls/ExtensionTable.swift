import CAssets
import Diagnostics
import Records

/// A row of `Files/extension-calls.json`. Which of its members a row has depends on its section.
struct ExtensionTableRow: TableRow {
    var id = ""
    var rule = ""
    var code: String?
    var name: String?
    var title = ""
    var message = ""
    var remedy = ""
    var does = ""
    var sees = ""
    var warning = false
    var inferred = false
    var events: [String] = []
    var members: [String] = []

    static let title = "a row"
    static let summary = "What an extension can answer, and what the service makes of it."
    static let settings: [Setting<ExtensionTableRow>] = {
        var table = SettingsTable<ExtensionTableRow>()
        table.add("id", \.id, .nonEmpty, "The name.", required: true)
        table.add("rule", \.rule, .text, "The id of the rule, such as `B2C-EXT-001`.")
        table.add("code", \.code, .optionalText, "The row of the service's table.")
        table.add("name", \.name, .optionalText, "The service's name of the row.")
        table.add("title", \.title, .nonEmpty, "What is right, one sentence.", required: true)
        table.add("message", \.message, .text, "What is wrong.")
        table.add("remedy", \.remedy, .text, "How to fix it.")
        table.add("does", \.does, .text, "What the service does.")
        table.add("sees", \.sees, .text, "What the person sees.")
        table.add("warning", \.warning, .bool, "The service goes on.")
        table.add("inferred", \.inferred, .bool, "The documents do not say it.")
        table.add("events", \.events, .texts, "The events that the row is about; none: all.")
        table.add("members", \.members, .texts, "The members of an action.")
        return table.rows
    }()

    var severity: Severity { warning ? .warning : .error }

    static let table = RecordTable<ExtensionTableRow>(asset_extension_calls().data)

    /// The row of a section; one without texts if the file does not have it, which a test excludes.
    static func row(_ id: String, of section: String) -> ExtensionTableRow {
        table[section].first { $0.id == id } ?? ExtensionTableRow()
    }
}

/// A rule of `b2c extension`: what an answer can do wrong, or what a case of the trial shows.
public struct ExtensionRule: Sendable {
    /// Such as `B2C-EXT-001`.
    public let id: String
    /// Such as `content-type`.
    public let name: String
    /// What is right, one sentence.
    public let demand: String
    /// How to fix it; `...` stands for what differs from answer to answer.
    public let remedy: String
    public let severity: Severity
    /// The row of the service's table.
    public let code: Int?

    /// Every rule, in the order of the ids.
    public static let all = ["answers", "trials"].flatMap { ExtensionTableRow.table[$0] }.map { row in
        ExtensionRule(
            id: row.rule, name: row.id, demand: row.title, remedy: row.remedy.replacing(/\{[0-9]\}/, with: "..."),
            severity: row.severity, code: row.code.flatMap { Int($0) })
    }
}
