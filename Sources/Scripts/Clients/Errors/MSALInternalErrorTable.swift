import CAssets
import Diagnostics
import JSON
import Records

/// One value of `MSALInternalErrorCodeKey` (MSALError.h).
public struct MSALInternalErrorEntry: TableRow {
    /// The number as text.
    package private(set) var id = ""
    /// The Objective-C name without its prefix and with a small first letter, such as `invalidGrant`.
    public private(set) var name = ""
    /// The Objective-C name, such as `MSALInternalErrorInvalidGrant`.
    public private(set) var objectiveCName = ""
    /// What typically leads to it.
    public private(set) var trigger = ""
    /// Whether an app of a B2C tenant can meet it; the rest belong to brokers, Intune and platform single sign-on.
    public private(set) var reachableWithB2C = true

    /// The number, such as -42004.
    public var number: Int { Int(id) ?? 0 }

    package init() {}

    package static let title = "a number"
    package static let summary = "One value of `MSALInternalErrorCodeKey`."
    package static let settings: [Setting<MSALInternalErrorEntry>] = {
        var table = SettingsTable<MSALInternalErrorEntry>()
        table.add("id", \.id, .nonEmpty, "The number.", required: true)
        table.add("name", \.name, .nonEmpty, "The name without its prefix.", required: true)
        table.add("constant", \.objectiveCName, .nonEmpty, "The Objective-C name.", required: true)
        table.add("trigger", \.trigger, .nonEmpty, "What typically leads to it.", required: true)
        table.add("reachable", \.reachableWithB2C, .bool, "Whether an app of a B2C tenant can meet it.")
        return table.rows
    }()
}

/// The numbers behind a -50000: the errors that MSAL for iOS and macOS means.
public enum MSALInternalErrorTable {
    package static let table = RecordTable<MSALInternalErrorEntry>(asset_msal_internal_errors().data)

    /// Every entry, by number from -42000 down. Numbers between them do not exist.
    public static let all = table.rows

    /// The entry of a number; `nil` for numbers MSAL does not have.
    public static func entry(_ number: Int) -> MSALInternalErrorEntry? {
        all.first { $0.number == number }
    }

    /// The entry by its short or Objective-C name, letter case ignored.
    public static func entry(named name: String) -> MSALInternalErrorEntry? {
        let wanted = name.lowercased()
        return all.first { $0.name.lowercased() == wanted || $0.objectiveCName.lowercased() == wanted }
    }

    /// The name of a value of `MSALInternalErrorCodeKey`, which may also be a public number such as -50006.
    static func name(_ number: Int) -> String? {
        entry(number)?.name ?? MSALErrorTable.entry(number)?.name
    }
}
