import JSON
import Records

extension UserRecord {
    /// The shape of a person in a file: the reserved members, and directory attributes.
    static var openShape: Shape {
        .object(
            ObjectShape(
                title: title, doc: summary, fields: settings.map(\.field),
                open: .anyOf([.string, .bool, .number, .array(of: .string)])))
    }

    /// Reads a person; members that are not reserved become attributes.
    static func decodeOpen(_ value: JSONValue, _ cursor: SettingsCursor) -> UserRecord? {
        guard let object = cursor.object(value) else { return nil }
        var record = UserRecord()
        for (key, member) in object.members {
            if let setting = settings.first(where: { $0.field.name == key }) {
                _ = setting.read(member, cursor.at(key), &record)
            } else if member.isAttributeValue {
                record.attributes.append(key, member)
            } else {
                let _: String? = cursor.at(key).expected("a text, true or false, a number, or a list of texts", member)
            }
        }
        return record
    }

    /// The person as the file holds it: reserved members that have a value, then the attributes.
    public var json: JSONObject { json(of: object) }

    /// Reserved members, with the attributes after them.
    func json(of reserved: JSONObject) -> JSONObject {
        var json = reserved
        for (key, value) in attributes.members { json.append(key, value) }
        return json
    }

    /// The names that are not directory attributes.
    public static let reservedNames: [String] = settings.map(\.field.name)
}

extension JSONValue {
    /// What a directory attribute can hold.
    fileprivate var isAttributeValue: Bool {
        switch self {
        case .string, .bool, .integer, .number: true
        case .array(let elements): elements.allSatisfy { $0.stringValue != nil }
        case .null, .object: false
        }
    }
}
