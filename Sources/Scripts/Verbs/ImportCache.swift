import Diagnostics
import JSON
import Records

/// Items for the token cache of a client: from a file, in the unified schema, or as `inspect` gives them.
package struct ImportCache: CallRecord {
    package var file: String?
    package var unified: JSONValue?
    /// The items by the name of their list.
    package var items = JSONObject()
    package var replace = false

    package init() {}

    /// The lists of items that `inspect` gives.
    static let lists = ["accounts", "accessTokens", "refreshTokens", "idTokens", "appMetadata", "accountMetadata"]

    package static let name = "importCache"
    package static let doc = "Puts items into the client's token cache."
    package static let settings: [Setting<ImportCache>] = {
        var table = SettingsTable<ImportCache>()
        table.add("file", \.file, Codec<String>.nonEmpty.optional(), "A file in the unified schema.")
        table.add(
            "unified", \.unified,
            .optionalJSON.shaped(.map(of: .any, keyHint: "section of the unified schema")),
            "The unified schema itself.")
        for list in lists {
            table.add(
                list, \.items[list],
                .optionalJSON.shaped(.array(of: .map(of: .any, keyHint: "member of the item"))),
                "Items as `inspect` gives them.")
        }
        table.add("replace", \.replace, .bool, "Empties the cache first.")
        return table.rows
    }()

    /// An object of the keys; what a `{{...}}` became may be the unified schema, also as text.
    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> ImportCache? {
        var record = ImportCache()
        switch value {
        case .string(let text) where !cursor.isTemplate(value):
            do throws(InvalidInput) {
                record.unified = try JSONParser.parse(text)
            } catch {
                return cursor.expected("an object or its JSON text", value)
            }
            return record
        case .object(let object) where object.keys.contains(where: { !settings.map(\.field.name).contains($0) }):
            var sections = object
            sections["replace"] = nil
            record.unified = .object(sections)
            record.replace = object["replace"]?.boolValue ?? false
            return record
        default: return filled(value, cursor)
        }
    }

    package var needsClient: Bool { true }
}
