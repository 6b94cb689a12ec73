import Diagnostics
import JSON

/// The two walks over what is to be shown: the first learns the secrets in it, the second puts labels in their places.
package struct RedactionWalk {
    package private(set) var ledger: SecretLedger
    private var mask = TextMask([])
    /// Texts that were masked before.
    private var done = MaskedTexts()
    private let places: RedactionPlaces

    /// - Parameter places: Of other walks on the same thread, so that each place is worked out once for all of them.
    package init(ledger: SecretLedger, places: RedactionPlaces = RedactionPlaces()) {
        self.ledger = ledger
        self.places = places
    }

    // MARK: Learning

    package mutating func learn(_ text: String) {
        for (value, kind) in places.secrets(in: text) where kind != .token || !ledger.isPieceOfKnown(value) {
            _ = ledger.label(value, kind)
        }
    }

    package mutating func learn(_ value: JSONValue, _ path: [String]) {
        learn(value, at: places.index(of: path))
    }

    private mutating func learn(_ value: JSONValue, at place: Int) {
        switch value {
        case .object(let object):
            for (name, member) in object.members { learn(member, at: places.member(name, of: place)) }
        case .array(let elements):
            guard !elements.isEmpty else { return }
            let inside = places.element(of: place)
            for element in elements { learn(element, at: inside) }
        case .string(let text):
            if let parts = places[place].header?.parts(text) {
                for case .secret(let secret, let kind) in parts { _ = ledger.label(secret, kind) }
            } else if let kind = places[place].kind(text), !text.isEmpty {
                _ = ledger.label(text, kind)
            } else {
                learn(text)
            }
        case .integer(let number):
            if let text = secretNumber(number, at: place) { _ = ledger.label(text.value, text.kind) }
        case .null, .bool, .number:
            break
        }
    }

    /// A one-time code or a password that is written as a number.
    private func secretNumber(_ number: Int64, at place: Int) -> (value: String, kind: SecretKind)? {
        guard number >= 1000, let kind = places[place].kind(""), kind == .code || kind == .password,
            places[place].path.last != "code"
        else { return nil }
        return (String(number), kind)
    }

    package mutating func finishLearning() {
        mask = TextMask(ledger.patterns)
        done = MaskedTexts()
    }

    // MARK: Masking

    package func masked(_ value: JSONValue, _ path: [String]) -> JSONValue {
        masked(value, at: places.index(of: path))
    }

    private func masked(_ value: JSONValue, at place: Int) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (name, member) in object.members {
                result.append(masked(name), masked(member, at: places.member(name, of: place)))
            }
            return .object(result)
        case .array(let elements):
            guard !elements.isEmpty else { return value }
            let inside = places.element(of: place)
            return .array(elements.map { masked($0, at: inside) })
        case .string(let text):
            if let parts = places[place].header?.parts(text) {
                return .string(
                    parts.map { part in
                        switch part {
                        case .plain(let text): masked(text)
                        case .secret(let secret, _): ledger.label(of: secret) ?? "<redacted>"
                        }
                    }.joined())
            }
            if places[place].kind(text) != nil, !text.isEmpty {
                return .string(ledger.label(of: text) ?? "<redacted>")
            }
            return .string(masked(text))
        case .integer(let number):
            guard let text = secretNumber(number, at: place) else { return value }
            return .string(ledger.label(of: text.value) ?? "<redacted>")
        case .null, .bool, .number:
            return value
        }
    }

    /// The text with known secrets replaced, short ones too where a parameter's name gives them away.
    package func masked(_ text: String) -> String {
        guard text.utf8.count >= MaskedTexts.shortest else { return maskedAnew(text) }
        let key = TextKey(text)
        if let known = done.texts[key] { return known }
        let result = maskedAnew(text)
        done.texts[key] = result
        return result
    }

    private func maskedAnew(_ text: String) -> String {
        SecretScan.relabelled(mask.masked(text)) { ledger.label(of: $0) }
    }

    // MARK: Places

    package func kind(_ path: [String], _ text: String) -> SecretKind? {
        places[places.index(of: path)].kind(text)
    }
}

/// What texts became, for one walk.
private final class MaskedTexts {
    /// Shorter texts are looked through faster than looked up.
    static let shortest = 16
    var texts: [TextKey: String] = [:]
}
