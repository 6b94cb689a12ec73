import JSON
import Records

/// The handing over of a URL to the app.
package struct Deliver: CallRecord {
    package var url = ""

    package init() {}

    package static let name = "deliver"
    package static let doc = "The system hands a URL to the app."
    package static let traits = VerbTraits.app
    package static let settings: [Setting<Deliver>] = {
        var table = SettingsTable<Deliver>()
        table.add("url", \.url, .text.shaped(.url), "The URL that the system hands over.", required: true)
        return table.rows
    }()

    /// An object; a text that a `{{...}}` became is the URL.
    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Deliver? {
        guard case .string(let text) = value else { return filled(value, cursor) }
        var record = Deliver()
        record.url = text
        return record
    }

    package struct Returned: ResultRecord {
        package var handled: Bool

        package init(handled: Bool) { self.handled = handled }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("handled", .flag, "Whether the library took the URL.") { $0.handled }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
