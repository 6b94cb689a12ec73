import Diagnostics
import JSON

/// The two walks over what is to be shown: the first learns the secrets in it, the second puts labels in their places.
package struct RedactionWalk {
    package private(set) var ledger: SecretLedger
    private var mask = TextMask([])

    package init(ledger: SecretLedger) {
        self.ledger = ledger
    }

    // MARK: Learning

    package mutating func learn(_ text: String) {
        var found: [(String, SecretKind)] = []
        SecretScan.find(in: text) { found.append(($0, $1)) }
        for (value, kind) in found where kind != .token || !ledger.isPieceOfKnown(value) {
            _ = ledger.label(value, kind)
        }
    }

    package mutating func learn(_ value: JSONValue, _ path: [String]) {
        switch value {
        case .object(let object):
            for (name, member) in object.members {
                learn(member, path + [name])
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { learn(element, path + [String(index)]) }
        case .string(let text):
            if let parts = header(text, path) {
                for case .secret(let secret, let kind) in parts { _ = ledger.label(secret, kind) }
            } else if let kind = kind(path, text), !text.isEmpty {
                _ = ledger.label(text, kind)
            } else {
                learn(text)
            }
        case .integer(let number):
            if let text = secretNumber(number, path) { _ = ledger.label(text.value, text.kind) }
        case .null, .bool, .number:
            break
        }
    }

    /// A one-time code or a password that is written as a number.
    private func secretNumber(_ number: Int64, _ path: [String]) -> (value: String, kind: SecretKind)? {
        guard number >= 1000, let kind = kind(path, ""), kind == .code || kind == .password, path.last != "code" else {
            return nil
        }
        return (String(number), kind)
    }

    package mutating func finishLearning() {
        mask = TextMask(ledger.patterns)
    }

    // MARK: Masking

    package func masked(_ value: JSONValue, _ path: [String]) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (name, member) in object.members { result.append(masked(name), masked(member, path + [name])) }
            return .object(result)
        case .array(let elements):
            return .array(elements.enumerated().map { masked($1, path + [String($0)]) })
        case .string(let text):
            if let parts = header(text, path) {
                return .string(
                    parts.map { part in
                        switch part {
                        case .plain(let text): masked(text)
                        case .secret(let secret, _): ledger.label(of: secret) ?? "<redacted>"
                        }
                    }.joined())
            }
            if kind(path, text) != nil, !text.isEmpty { return .string(ledger.label(of: text) ?? "<redacted>") }
            return .string(masked(text))
        case .integer(let number):
            guard let text = secretNumber(number, path) else { return value }
            return .string(ledger.label(of: text.value) ?? "<redacted>")
        case .null, .bool, .number:
            return value
        }
    }

    /// The text with known secrets replaced, short ones too where a parameter's name gives them away.
    package func masked(_ text: String) -> String {
        SecretScan.relabelled(mask.masked(text)) { ledger.label(of: $0) }
    }

    // MARK: Places

    package func kind(_ path: [String], _ text: String) -> SecretKind? {
        var above = path
        // The elements of a list stand for the list: `secrets/0` is a secret.
        while let last = above.last, Int(last) != nil { above.removeLast() }
        guard let name = above.popLast() else { return nil }
        guard let kind = SecretKind.at(name, under: above) else { return nil }
        let isParameter = above.last == "query" || above.last == "fragment"
        if isParameter || kind == .token { return kind.admitsParameter(name, text) ? kind : nil }
        // The name of a policy key stands for the secret in it.
        return kind == .secret && text.hasPrefix("B2C_1A_") ? nil : kind
    }

    /// A header's value taken apart, where the place is one of a message's headers.
    private func header(_ text: String, _ path: [String]) -> [HeaderSecrets.Part]? {
        guard let index = path.lastIndex(of: "headers"), index + 1 < path.count else { return nil }
        return HeaderSecrets.parts(path[index + 1], text)
    }
}
