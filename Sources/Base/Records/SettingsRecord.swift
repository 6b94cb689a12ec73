import JSON

/// A value that a file holds as one JSON object: a group of settings, the parameters of a verb.
///
/// One table says what the keys are, what they mean, what they may hold, how they are read and written. The check of a
/// file, the JSON Schema, the decoder and the text with all defaults filled in come from it, so they cannot disagree.
package protocol SettingsRecord: Hashable, Sendable {
    /// What surrounds the record and decides which of its keys apply.
    associatedtype Place = Never
    /// What the object is, as a noun without article.
    static var title: String { get }
    /// What the object means, one sentence.
    static var summary: String { get }
    /// The record with all defaults.
    init()
    /// The keys in the order in which they are documented and written.
    static var settings: [Setting<Self>] { get }
}

/// One key of a record. A class, since a row is looked at far more often than made, and copying one costs as much as reading
/// a value.
package final class Setting<Record: SettingsRecord>: Sendable {
    package let field: Field
    /// Reads a value into the record; what is wrong with it goes to the cursor. `false` where the record stays as it is.
    package let read: @Sendable (JSONValue, SettingsCursor, inout Record) -> Bool
    /// The value to write; `nil` where the record has none.
    package let write: @Sendable (Record) -> JSONValue?
    /// Where the key applies; `nil`: wherever the record may be written.
    package let limit: SettingLimit<Record.Place>?

    init(
        field: Field, read: @escaping @Sendable (JSONValue, SettingsCursor, inout Record) -> Bool,
        write: @escaping @Sendable (Record) -> JSONValue?, limit: SettingLimit<Record.Place>?
    ) {
        self.field = field
        self.read = read
        self.write = write
        self.limit = limit
    }
}

/// Collects the keys of a record.
package struct SettingsTable<Record: SettingsRecord> {
    package private(set) var rows: [Setting<Record>] = []

    package init() {}

    /// Adds a key. The default is that of ``SettingsRecord/init()`` unless words say what it is derived from.
    package mutating func add<Value>(
        _ name: String, _ path: WritableKeyPath<Record, Value> & Sendable, _ codec: Codec<Value>, _ doc: String,
        default words: String? = nil, required: Bool = false, notBuiltYet: String? = nil,
        limit: SettingLimit<Record.Place>? = nil
    ) {
        let initial = codec.encode(Record()[keyPath: path])
        // The keys of a group have defaults of their own, and an absent default needs no text.
        let worthSaying: Bool =
            switch initial {
            case nil, .object, .string(""): false
            default: true
            }
        let shown = words ?? (worthSaying ? initial.map(JSONWriter.compact) : nil)
        rows.append(
            Setting(
                field: Field(
                    name, codec.shape, required: required, limit.map { "\(doc) \($0.doc)" } ?? doc,
                    defaultText: required ? nil : shown, notBuiltYet: notBuiltYet),
                read: { value, cursor, record in
                    guard let decoded = codec.decode(value, cursor) else { return false }
                    record[keyPath: path] = decoded
                    return true
                },
                // What is refused when read must not be written.
                write: { notBuiltYet == nil ? codec.encode($0[keyPath: path]) : nil }, limit: limit))
    }
}

extension SettingsRecord {
    /// The shape of the object in a file.
    package static var shape: Shape {
        .object(ObjectShape(title: title, doc: summary, fields: settings.map(\.field)))
    }

    /// Reads an object over the defaults. Unknown keys are findings.
    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Self? {
        var record = Self()
        return record.read(value, cursor) ? record : nil
    }

    /// Reads an object that differs from another one in a few members, and only those.
    ///
    /// - Parameters:
    ///   - known: The other object, and the record that was read from it without a finding.
    /// - Returns: What ``decode(_:_:)`` returns; `nil` where that has to be asked: a member is gone, or is wrong, or is
    ///   filled in later.
    package static func decode(
        _ value: JSONValue, like known: (json: JSONValue, record: Self), allowsTemplates: Bool
    ) -> Self? {
        guard case .object(let object) = value, case .object(let before) = known.json,
            before.members.allSatisfy({ object[$0.key] != nil })
        else { return nil }
        let cursor = SettingsCursor(allowsTemplates: allowsTemplates)
        var record = known.record
        for (key, member) in object.members where before[key] != member {
            guard let setting = Self.setting(named: key), setting.read(member, cursor.at(key), &record) else {
                return nil
            }
        }
        return cursor.findings.all.isEmpty ? record : nil
    }

    /// Reads the members of an object into the record, whose other settings stay. `false` if the value is not an
    /// object.
    package mutating func read(_ value: JSONValue, _ cursor: SettingsCursor) -> Bool {
        guard let object = cursor.object(value) else { return false }
        for (key, member) in object.members {
            let inner = cursor.at(key)
            guard let setting = Self.setting(named: key) else {
                inner.unknownKey(key, of: Self.title, known: Self.settings.map(\.field.name))
                continue
            }
            _ = setting.read(member, inner, &self)
        }
        for setting in Self.settings where setting.field.required && object[setting.field.name] == nil {
            cursor.refuse("\(Self.title) lacks \"\(setting.field.name)\"")
        }
        return true
    }

    /// The row of a key; `nil` where the record has no such key.
    package static func setting(named key: String) -> Setting<Self>? {
        let settings = Self.settings
        // By index: this is asked for every key of every tenant, and a closure would be called through its type.
        for index in settings.indices where sameText(settings[index].field.name, key) { return settings[index] }
        return nil
    }

    /// The object with every key that has a value.
    package var object: JSONObject {
        let settings = Self.settings
        var object = JSONObject()
        object.reserveCapacity(settings.count)
        for setting in settings {
            if let value = setting.write(self) { object.appendUnique(setting.field.name, value) }
        }
        return object
    }

    /// The object with the keys whose values differ from the defaults.
    ///
    /// - Parameter keys: Keys that are written with any value; one of a group with its name: `client/kind`.
    package func changes(keeping keys: Set<String> = []) -> JSONObject {
        object.changes(from: Self().object, keeping: keys)
    }
}

extension JSONObject {
    fileprivate func changes(from usual: JSONObject, keeping keys: Set<String>) -> JSONObject {
        var changes = JSONObject()
        for (key, value) in members {
            if case .object(let group) = value, case .object(let standard)? = usual[key], !standard.isEmpty {
                let kept = keys.filter { $0.hasPrefix("\(key)/") }.map { String($0.dropFirst(key.count + 1)) }
                let changed = group.changes(from: standard, keeping: Set(kept))
                if !changed.isEmpty { changes.append(key, .object(changed)) }
            } else if keys.contains(key) || usual[key] != value {
                changes.append(key, value)
            }
        }
        return changes
    }
}
