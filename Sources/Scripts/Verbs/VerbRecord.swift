import B2CProtocol
import JSON
import Records

/// What a verb takes and what it means: the parameters of a step with everything that is known before a run.
///
/// Shape, reference, reading and writing come from here. What the verb does is in the module ScenarioRunner, so that a
/// program can write scripts without it and without the reader of scripts.
package protocol VerbRecord: Hashable, Sendable {
    /// The key of the verb in a step.
    static var name: String { get }
    /// What the verb does, one sentence.
    static var doc: String { get }
    static var traits: VerbTraits { get }
    /// What the value of the key may be.
    static var shape: Shape { get }
    /// Parameters with all defaults.
    init()
    /// Reads the value of the key. What is wrong with it goes to the cursor.
    static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Self?
    /// The value of the key, without what is a default.
    var parameters: JSONValue { get }
    /// What the verb may return. None: it succeeds, and has nothing more to say.
    static var results: [any ResultRecord.Type] { get }
    /// What this call may return.
    var returned: [any ResultRecord.Type] { get }
    /// The members of this call's result; `nil` if only the run shows them.
    var resultMembers: [String]? { get }
    /// Whether a client must act, or its device or browser.
    var needsClient: Bool { get }
    /// The policy that is named, or a literal address.
    var authority: (policy: String?, url: String?) { get }
    /// What a target must be able to do, each with the reason.
    ///
    /// - Parameter keys: The keys that the tenant publishes.
    func needs(keys: [String]) -> [(capability: Capability, reason: String)]
    /// A parameter that contradicts another one or lacks it, and why; `nil` if they fit.
    var clash: (parameter: String, problem: String)? { get }
}

extension VerbRecord {
    /// A call whose parameters differ from their defaults where `change` says so.
    package init(_ change: (inout Self) -> Void) {
        self.init()
        change(&self)
    }

    package static var traits: VerbTraits { [] }
    package static var results: [any ResultRecord.Type] { [] }
    package var returned: [any ResultRecord.Type] { Self.results }
    package var resultMembers: [String]? { returned.flatMap { $0.fields.map(\.name) } }
    package var needsClient: Bool { Self.traits.contains(.app) }
    package var authority: (policy: String?, url: String?) { (nil, nil) }
    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] { [] }
    package var clash: (parameter: String, problem: String)? { nil }
}

/// What goes with a verb.
package struct VerbTraits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A call of the app or of its library.
    package static let app = VerbTraits(rawValue: 1)
    /// A person at the browser has a part in it, so it takes `user`, and it may end `pending`.
    package static let user = VerbTraits(rawValue: 2)
    /// It has a completion handler, so it takes `then`.
    package static let then = VerbTraits(rawValue: 4)
    /// It holds other steps.
    package static let group = VerbTraits(rawValue: 8)
    /// Its value is known before the first step runs, so it holds no `{{...}}`.
    package static let planned = VerbTraits(rawValue: 16)
    /// A step without expectation fails if the verb does not succeed.
    package static let failing = VerbTraits(rawValue: 32)
}

/// A verb whose parameters are one object.
package protocol CallRecord: VerbRecord, SettingsRecord {}

extension CallRecord {
    package static var title: String { "call of `\(name)`" }
    package static var summary: String { "" }
    package static var initial: Self { Self() }

    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Self? { filled(value, cursor) }
    package var parameters: JSONValue { .object(said) }
}

extension SettingsRecord {
    /// Reads an object whose values are filled in: one that became `null` says nothing, unless the key takes `null`.
    static func filled(_ value: JSONValue, _ cursor: SettingsCursor) -> Self? {
        guard let object = cursor.object(value) else { return nil }
        var record = Self()
        var rest = JSONObject()
        for (key, member) in object.members {
            if member.isNull, let setting = settings.first(where: { $0.field.name == key }) {
                _ = setting.read(member, SettingsCursor(), &record)
                if !setting.field.required { continue }
            }
            rest.append(key, member)
        }
        return record.read(.object(rest), cursor) ? record : nil
    }

    /// The object without what is a default.
    var said: JSONObject {
        var object = JSONObject()
        for setting in Self.settings {
            guard let value = setting.write(self), setting.field.required || value != setting.write(Self())
            else { continue }
            object.append(setting.field.name, value)
        }
        return object
    }
}

/// A verb that may be written as one word in place of its object.
package protocol WordCall: CallRecord {
    associatedtype Word: SettingWord
    /// The key that the word stands for.
    var what: Word? { get set }
}

extension WordCall {
    package static var shape: Shape {
        .anyOf([.oneOf(Word.choices), .object(ObjectShape(title: title, fields: settings.map(\.field)))])
    }

    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Self? {
        guard case .string = value else { return filled(value, cursor) }
        return Codec<Word>.word().decode(value, cursor).map { word in
            var record = Self()
            record.what = word
            return record
        }
    }

    package var parameters: JSONValue {
        if let what, said.count == 1 { .string(what.rawValue) } else { .object(said) }
    }
}

/// A verb whose parameter is one value.
package protocol ValueCall: VerbRecord {
    associatedtype Value: Sendable
    static var codec: Codec<Value> { get }
    var value: Value { get set }
}

extension ValueCall {
    package static var shape: Shape { codec.shape }

    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Self? {
        codec.decode(value, cursor).map { value in
            var record = Self()
            record.value = value
            return record
        }
    }

    package var parameters: JSONValue { Self.codec.encode(value) ?? .null }
}

/// A verb that takes no parameters.
package protocol BareCall: CallRecord {}

extension BareCall {
    package static var settings: [Setting<Self>] { [] }
}

extension Step {
    /// The parameters as far as the text says them. A value that is not well-formed or holds `{{...}}` is a default here;
    /// texts keep their `{{...}}`.
    package var record: any VerbRecord { Self.record(verb.record, parameters) }

    /// The same as the record of one verb; `nil` for another verb.
    package func call<Record: VerbRecord>(_ type: Record.Type = Record.self) -> Record? {
        verb.record == type ? Self.record(type, parameters) : nil
    }

    private static func record<Record: VerbRecord>(_ type: Record.Type, _ parameters: JSONValue) -> Record {
        Record.decode(parameters, SettingsCursor(allowsTemplates: true)) ?? Record()
    }
}
