import CAssets
import Diagnostics
import JSON
import Records

/// What `Files/b2c-errors.json` says of a code.
struct B2CErrorRow: TableRow {
    var id = ""
    var inserts = 0
    var oauthError: String?
    var delivery = B2CErrorDelivery.page
    var template = ""
    var variants: [String] = []
    var meaning = ""
    var cause = ""
    var remedy = ""
    var production = B2CErrorProduction.faultRule

    static let title = "a code"
    static let summary = "A numbered error of Azure AD B2C."
    static let settings: [Setting<B2CErrorRow>] = {
        var table = SettingsTable<B2CErrorRow>()
        table.add("id", \.id, .nonEmpty, "The code, such as `AADB2C90118`.", required: true)
        table.add("inserts", \.inserts, .integer(0...9), "How many values the message takes.")
        table.add("oauthError", \.oauthError, .optionalText, "The `error` of the OAuth answer.")
        table.add("delivery", \.delivery, .word(), "Where the error shows.", required: true)
        table.add("template", \.template, .nonEmpty, "The message.", required: true)
        table.add("variants", \.variants, .texts, "Other messages of the same code.")
        table.add("meaning", \.meaning, .nonEmpty, "What the code says, one sentence.", required: true)
        table.add("cause", \.cause, .nonEmpty, "Its usual cause.", required: true)
        table.add("remedy", \.remedy, .nonEmpty, "What to do.", required: true)
        table.add("production", \.production, B2CErrorProduction.codec, "Where the mock produces it.", required: true)
        return table.rows
    }()

    static let table = RecordTable<B2CErrorRow>(asset_b2c_errors().data)
    /// For look-ups only; never iterated.
    static let byID = Dictionary(table.rows.map { ($0.id, $0) }) { first, _ in first }
}

extension B2CErrorProduction {
    /// `"faultRule"`, or an object with one key: `{ "mock": "token: GET" }`.
    static let codec = Codec<B2CErrorProduction>(
        shape: .any,
        decode: { value, cursor in
            if value == .string("faultRule") { return .faultRule }
            if let members = value.objectValue?.members, members.count == 1, let text = members[0].value.stringValue {
                switch members[0].key {
                case "mock": return .mock(text)
                case "elsewhere": return .elsewhere(text)
                case "notSimulated": return .notSimulated(text)
                default: break
                }
            }
            return cursor.expected("\"faultRule\", or mock, elsewhere or notSimulated with a text", value)
        },
        encode: { _ in nil })
}
