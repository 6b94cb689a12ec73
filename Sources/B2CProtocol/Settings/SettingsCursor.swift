import Diagnostics
import JSON

/// Where the decoder of a tenant stands, and where its findings go. Used by one reading at a time.
struct SettingsCursor {
    let pointer: JSONPointer
    let findings: SettingsFindings
    /// Whether a text with `{{...}}` stands for a value that is not known yet: it is then passed over.
    let allowsTemplates: Bool

    init(
        pointer: JSONPointer = .root, allowsTemplates: Bool = false, findings: SettingsFindings = SettingsFindings()
    ) {
        self.pointer = pointer
        self.allowsTemplates = allowsTemplates
        self.findings = findings
    }

    func at(_ key: String) -> SettingsCursor {
        SettingsCursor(pointer: pointer.appending(key), allowsTemplates: allowsTemplates, findings: findings)
    }

    func at(_ index: Int) -> SettingsCursor { at(String(index)) }

    /// Notes a finding about the value here.
    func refuse(_ message: String, rule: String = "B2C-TEN-020", remedy: String? = nil, key: Bool = false) {
        findings.all.append(
            SettingsFinding(pointer: pointer, key: key, rule: rule, message: message, remedy: remedy))
    }

    func unknownKey(_ key: String, of title: String, known: [String]) {
        refuse(
            "unknown key \"\(key)\" in \(title)", rule: "B2C-TEN-021",
            remedy: nearestName(key, among: known).map { "did you mean \"\($0)\"?" }
                ?? "known are \(namesList(known, limit: 40))", key: true)
    }

    /// Whether the value is a text that is filled in later.
    func isTemplate(_ value: JSONValue) -> Bool {
        guard allowsTemplates, case .string(let text) = value else { return false }
        return text.contains("{{")
    }

    /// The value as an object; a finding and `nil` where it is none.
    func object(_ value: JSONValue) -> JSONObject? {
        if case .object(let object) = value { return object }
        return expected("an object", value)
    }

    /// Notes that something else was expected, unless the value is filled in later.
    func expected<Value>(_ what: String, _ value: JSONValue) -> Value? {
        if !isTemplate(value) {
            var found = value.typeName
            switch value {
            case .string, .integer, .number, .bool: found = JSONWriter.compact(value)
            default: break
            }
            refuse("expected \(what), found \(found)")
        }
        return nil
    }
}

/// The findings of one reading, in the order in which they were made.
final class SettingsFindings {
    var all: [SettingsFinding] = []
}

/// Something wrong in a tenant, by its place in the JSON.
struct SettingsFinding {
    var pointer: JSONPointer
    /// The key is meant, not the value.
    var key: Bool
    var rule: String
    var message: String
    var remedy: String?

    /// The finding with its place: in a document where there is one, else by the pointer in its words.
    func diagnostic(in document: JSONDocument?, at base: JSONPointer) -> Diagnostic {
        let place = JSONPointer(tokens: base.tokens + pointer.tokens)
        guard let document else {
            let path = place.description
            return Diagnostic(rule: rule, path.isEmpty ? message : "\(path): \(message)", remedy: remedy)
        }
        return Diagnostic(rule: rule, message, remedy: remedy, at: document.location(of: place, key: key))
    }
}
