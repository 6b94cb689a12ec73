import B2CProtocol
import CAssets
import Diagnostics
import HTTPMessages
import JSON
import Records

/// An error of a service or library around B2C that has a number or name, with what it says and what to do.
///
/// The numbers are those of Microsoft Entra ID (Microsoft docs: reference-error-codes) and of Microsoft.IdentityModel and
/// Microsoft.Identity.Web (their LogMessages and IDWebErrorMessage sources); the texts are this project's own.
package struct MessageCode: TableRow {
    /// As texts have it, such as `AADSTS7000215`, `IDX10214` or `redirect_uri_empty`.
    package private(set) var id = ""
    /// The libraries that say it; empty for the numbers of services.
    private(set) var libraries: [Library] = []
    /// Whether several mishaps end in it.
    private(set) var isGeneral = false
    private(set) var meaning = ""
    private(set) var remedy = ""

    package init() {}

    package static let title = "a code"
    package static let summary = "An error with a number or name, what it says and what to do."
    package static let settings: [Setting<MessageCode>] = {
        var table = SettingsTable<MessageCode>()
        table.add("id", \.id, .nonEmpty, "As texts have it.", required: true)
        table.add("libraries", \.libraries, Codec<Library>.word().list(), "The libraries that say it.")
        table.add("isGeneral", \.isGeneral, .bool, "Whether several mishaps end in it.")
        table.add("meaning", \.meaning, .nonEmpty, "What it says.", required: true)
        table.add("remedy", \.remedy, .nonEmpty, "What to do.", required: true)
        return table.rows
    }()

    /// Numbers of services and of Microsoft.IdentityModel.
    package static let table = RecordTable<MessageCode>(asset_message_codes().data)
    /// Names of errors of the client libraries.
    package static let libraryTable = RecordTable<MessageCode>(asset_library_codes().data)

    static let all = table.rows

    static func named(_ id: String) -> MessageCode? { byID[id.uppercased()] }

    /// For look-ups only; never iterated.
    private static let byID: [String: MessageCode] = Dictionary(
        all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// Steps that the libraries log for information; they are not errors.
    static let informational: Set<String> = [
        "IDX10234", "IDX10239", "IDX10242", "IDX10244", "IDX10245", "IDX10246", "IDX10265", "IDX10617", "IDX10806",
        "IDX20805", "IDX20811", "IDX21811", "IDX21812", "IDX21813", "IDX22702", "IDX21809", "IDX21808", "IDX21806",
        "IDX21342", "IDX21341", "IDX21328", "IDX21322", "IDX21319", "IDX21310", "IDX21309", "IDX21305", "IDX21304",
        "IDX21303", "IDX12722", "IDX12721", "IDX10643", "IDX10642", "IDX10264", "IDX10258", "IDX10255", "IDX10252",
        "IDX10251", "IDX10250", "IDX10243", "IDX10241", "IDX10240", "IDX10238", "IDX10237", "IDX10236", "IDX10235",
        "IDX10233",
    ]

    /// Whether a phrase in small letters is a code of one of these families and nothing else.
    static func isCode(_ phrase: String) -> Bool {
        for family in ["aadb2c", "aadsts", "idx", "idw"] where phrase.hasPrefix(family) {
            let digits = phrase.dropFirst(family.count)
            return !digits.isEmpty && digits.allSatisfy(\.isNumber)
        }
        return false
    }

    /// What is known of a code that the table does not have.
    static func family(of id: String) -> String {
        if id.hasPrefix("AADSTS") {
            return "an error of Microsoft Entra ID, not of B2C: the request went to a directory's service,"
                + " as a provider behind B2C or by mistake"
        }
        if id.hasPrefix("IDW") { return "an error of Microsoft.Identity.Web that is not in the table" }
        guard id.hasPrefix("IDX") else { return "a code that B2C is not known to return" }
        switch id.dropFirst(3).prefix(2) {
        case "10": return "an error of Microsoft.IdentityModel: a token is validated or signed"
        case "11", "12", "14": return "an error of Microsoft.IdentityModel: a JSON Web Token is read or written"
        case "13": return "an error of Microsoft.IdentityModel: a SAML token is read"
        case "20": return "an error of Microsoft.IdentityModel: the metadata is fetched"
        case "21": return "an error of Microsoft.IdentityModel: an OpenID Connect message is checked"
        default: return "an error of Microsoft.IdentityModel that is not in the table"
        }
    }
}

extension Cause {
    /// Names of further errors of the libraries.
    static var libraryCodes: [Cause] {
        MessageCode.libraryTable.rows.map { row in
            let sign = Sign(row.isGeneral ? .fair : .strong, row.id)
            return Cause(row.id, libraries: row.libraries, row.meaning, signs: [sign], fix: row.remedy)
        }
    }

    /// What codes say by themselves, for those that no other cause takes for a sign by itself. Where a cause wants more
    /// than the code, the code alone is reported as well, as likely only.
    static func codes(besides known: [Cause]) -> [Cause] {
        var alone: Set<String> = []
        var together: Set<String> = []
        for cause in known {
            for sign in cause.signs where sign.weight >= Sign.fairWeight {
                for alternative in sign.alternatives {
                    for case .phrase(let phrase) in alternative {
                        if alternative.count == 1 { alone.insert(phrase) } else { together.insert(phrase) }
                    }
                }
            }
        }
        let service = B2CErrorCode.all.map { ($0.id, "\($0.meaning) Usual reason: \($0.cause)", $0.remedy) }
        let others = MessageCode.all.map { ($0.id, $0.meaning, $0.remedy) }
        return (service + others).compactMap { id, meaning, remedy in
            let code = id.asciiLowercased
            guard !alone.contains(code) else { return nil }
            let sign = Sign(together.contains(code) ? .strong : .certain, code)
            return Cause(id, meaning, signs: [sign], fix: remedy)
        }
    }
}
