import Diagnostics
import JSON

/// The decoder's place in a file, and its findings. Used by one reading at a time.
package struct SettingsCursor {
    package let pointer: JSONPointer
    package let findings: SettingsFindings
    /// Whether a text with `{{...}}` stands for a value that is not known yet: it is then passed over.
    package let allowsTemplates: Bool
    /// What the names of the rules begin with, such as `B2C-TEN`.
    package let rulePrefix: String

    package init(
        pointer: JSONPointer = .root, allowsTemplates: Bool = false, rulePrefix: String = "B2C-TEN",
        findings: SettingsFindings = SettingsFindings()
    ) {
        self.pointer = pointer
        self.allowsTemplates = allowsTemplates
        self.rulePrefix = rulePrefix
        self.findings = findings
    }

    package func at(_ key: String) -> SettingsCursor {
        SettingsCursor(
            pointer: pointer.appending(key), allowsTemplates: allowsTemplates, rulePrefix: rulePrefix,
            findings: findings)
    }

    package func at(_ index: Int) -> SettingsCursor { at(String(index)) }

    /// Notes a finding about the value here.
    ///
    /// - Parameter rule: The whole name of the rule; `nil`: the prefix with the number of a wrong value.
    package func refuse(_ message: String, rule: String? = nil, remedy: String? = nil, key: Bool = false) {
        findings.all.append(
            SettingsFinding(
                pointer: pointer, key: key, rule: rule ?? "\(rulePrefix)-020", message: message, remedy: remedy))
    }

    package func unknownKey(_ key: String, of title: String, known: [String]) {
        refuse(
            "unknown key \"\(key)\" in \(title)", rule: "\(rulePrefix)-021",
            remedy: nearestName(key, among: known).map { "did you mean \"\($0)\"?" }
                ?? "known are \(namesList(known, limit: 40))", key: true)
    }

    /// Whether the value is a text that is filled in later.
    package func isTemplate(_ value: JSONValue) -> Bool {
        guard allowsTemplates, case .string(let text) = value else { return false }
        return text.contains("{{")
    }

    /// The value as an object; a finding and `nil` where it is none.
    package func object(_ value: JSONValue) -> JSONObject? {
        if case .object(let object) = value { return object }
        return expected("an object", value)
    }

    /// Notes that something else was expected, unless the value is filled in later.
    package func expected<Value>(_ what: String, _ value: JSONValue) -> Value? {
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
package final class SettingsFindings {
    package var all: [SettingsFinding] = []

    package init() {}
}

/// Something wrong in a file, by its place in the JSON.
package struct SettingsFinding {
    package var pointer: JSONPointer
    /// Whether the finding is about the key instead of the value.
    package var key: Bool
    package var rule: String
    package var message: String
    package var remedy: String?

    package init(pointer: JSONPointer, key: Bool, rule: String, message: String, remedy: String?) {
        self.pointer = pointer
        self.key = key
        self.rule = rule
        self.message = message
        self.remedy = remedy
    }

    /// The finding with its place: in a document where there is one, else by the pointer in its words.
    package func diagnostic(in document: JSONDocument?, at base: JSONPointer) -> Diagnostic {
        let place = JSONPointer(tokens: base.tokens + pointer.tokens)
        guard let document else {
            let path = place.description
            return Diagnostic(rule: rule, path.isEmpty ? message : "\(path): \(message)", remedy: remedy)
        }
        return Diagnostic(rule: rule, message, remedy: remedy, at: document.location(of: place, key: key))
    }
}
