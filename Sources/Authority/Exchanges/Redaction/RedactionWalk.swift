import Diagnostics
import JSON

/// The two walks over what is to be shown: the first learns the secrets in it, the second puts labels in their places.
package struct RedactionWalk {
    package private(set) var ledger: SecretLedger
    private var mask = TextMask([])
    private let places: RedactionPlaces
    /// What was masked in it holds for the present mask.
    private var pass: Int
    /// Objects that were learnt from, and what they became: the same object occurs several times in a report.
    private var learnt = SharedObjects<Void>()
    private var done = MaskedObjects()

    /// - Parameter places: Of other walks on the same thread, so that each place and text is worked out once for all of them.
    package init(ledger: SecretLedger, places: RedactionPlaces = RedactionPlaces()) {
        self.ledger = ledger
        self.places = places
        pass = places.newPass()
    }

    // MARK: Learning

    package mutating func learn(_ text: String) {
        guard !Self.isInnocent(text) else { return }
        for (value, kind) in places.texts[text].secrets where kind != .token || !ledger.isPieceOfKnown(value) {
            _ = ledger.label(value, kind)
        }
    }

    /// Whether a text is too short for secrets recognized by their looks, except those that a mark precedes, and has no mark.
    private static func isInnocent(_ text: String) -> Bool {
        guard text.utf8.count < SecretShape.shortestToken else { return false }
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "+"), 0x20: return false
                default: continue
                }
            }
            return true
        }
    }

    package mutating func learn(_ value: JSONValue, _ path: [String]) {
        learn(value, at: places.place(of: path))
    }

    private mutating func learn(_ value: JSONValue, at place: RedactionPlaces.Place) {
        switch value {
        case .object(let object):
            if place.mayBeShared, !object.isEmpty {
                guard learnt[object, at: place] == nil else { return }
                learnt[object, at: place] = ()
            }
            // By index: iterating would copy, and so retain, every key and value on the way.
            var last: RedactionPlaces.Member?
            for index in object.members.indices {
                let member = place.member(object.members[index].key, after: last)
                learn(object.members[index].value, at: member.place)
                last = member
            }
        case .array(let elements):
            guard !elements.isEmpty else { return }
            let inside = places.element(of: place)
            for index in elements.indices { learn(elements[index], at: inside) }
        case .string(let text):
            guard place.isSpecial else { return learn(text) }
            if let parts = place.header?.parts(text) {
                for case .secret(let secret, let kind) in parts { _ = ledger.label(secret, kind) }
            } else if let kind = place.kind(text), !text.isEmpty {
                _ = ledger.label(text, kind)
            } else {
                learn(text)
            }
        case .integer(let number):
            if let text = Self.secretNumber(number, at: place) { _ = ledger.label(text.value, text.kind) }
        case .null, .bool, .number:
            break
        }
    }

    /// A one-time code or a password that is written as a number.
    private static func secretNumber(
        _ number: Int64, at place: RedactionPlaces.Place
    ) -> (value: String, kind: SecretKind)? {
        guard number >= 1000, place.mayBeNumber, let kind = place.kind("") else { return nil }
        return (String(number), kind)
    }

    package mutating func finishLearning() {
        mask = TextMask(ledger.patterns)
        pass = places.newPass()
        learnt = SharedObjects()
        done = MaskedObjects()
    }

    // MARK: Masking

    package func masked(_ value: JSONValue, _ path: [String]) -> JSONValue {
        changed(value, at: places.place(of: path)) ?? value
    }

    /// The value without secrets; `nil` where it has none. What stays as it is, is shared with the value.
    private func changed(_ value: JSONValue, at place: RedactionPlaces.Place) -> JSONValue? {
        switch value {
        case .object(let object):
            guard place.mayBeShared, !object.isEmpty else { return changed(object, at: place).map { .object($0) } }
            if let known = done.objects[object, at: place] { return known.map { .object($0) } }
            let result = changed(object, at: place)
            done.objects[object, at: place] = .some(result)
            return result.map { .object($0) }
        case .array(let elements):
            guard !elements.isEmpty else { return nil }
            let inside = places.element(of: place)
            var result: [JSONValue]?
            for index in elements.indices {
                guard let new = changed(elements[index], at: inside) else { continue }
                if result == nil { result = elements }
                result?[index] = new
            }
            return result.map { .array($0) }
        case .string(let text):
            guard place.isSpecial else { return changed(text).map { .string($0) } }
            if let parts = place.header?.parts(text) { return .string(joined(parts)) }
            if place.kind(text) != nil, !text.isEmpty { return .string(ledger.label(of: text) ?? "<redacted>") }
            return changed(text).map { .string($0) }
        case .integer(let number):
            guard let text = Self.secretNumber(number, at: place) else { return nil }
            return .string(ledger.label(of: text.value) ?? "<redacted>")
        case .null, .bool, .number:
            return nil
        }
    }

    private func changed(_ object: JSONObject, at place: RedactionPlaces.Place) -> JSONObject? {
        var result: JSONObject?
        var last: RedactionPlaces.Member?
        for index in object.members.indices {
            let member = place.member(object.members[index].key, after: last)
            last = member
            if changedName(of: member) != nil { return renamed(object, at: place) }
            guard let new = changed(object.members[index].value, at: member.place) else { continue }
            if result == nil { result = object }
            result?.replaceValue(at: index, with: new)
        }
        return result
    }

    /// An object with a secret in the name of a member. Names that become the same label become one member.
    private func renamed(_ object: JSONObject, at place: RedactionPlaces.Place) -> JSONObject {
        var result = JSONObject()
        for (name, value) in object.members {
            let member = place.member(name)
            result.append(changedName(of: member) ?? name, changed(value, at: member.place) ?? value)
        }
        return result
    }

    private func changedName(of member: RedactionPlaces.Member) -> String? {
        if let masked = member.masked, masked.pass == pass { return masked.text }
        let text = changed(member.name)
        member.masked = (text, pass)
        return text
    }

    private func joined(_ parts: [HeaderSecrets.Part]) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .plain(let plain): text += masked(plain)
            case .secret(let secret, _): text += ledger.label(of: secret) ?? "<redacted>"
            }
        }
        return text
    }

    /// The text with known secrets replaced, short ones too where a parameter's name gives them away.
    package func masked(_ text: String) -> String { changed(text) ?? text }

    /// The same; `nil` where nothing was replaced.
    private func changed(_ text: String) -> String? {
        if Self.isInnocent(text) { return mask.replaced(text) }
        return places.texts[text].changed(in: pass, mask, ledger)
    }

    // MARK: Places

    package func kind(_ path: [String], _ text: String) -> SecretKind? {
        places.place(of: path).kind(text)
    }
}

/// What was found out about objects, by their place in memory: those that are there are held, so that it is not used again.
private struct SharedObjects<Value> {
    private var values: [Key: (object: JSONObject, value: Value)] = [:]

    private struct Key: Hashable {
        let members: UnsafeRawPointer?
        let place: ObjectIdentifier

        init(_ object: JSONObject, _ place: RedactionPlaces.Place) {
            members = object.members.withUnsafeBytes { $0.baseAddress }
            self.place = ObjectIdentifier(place)
        }
    }

    subscript(object: JSONObject, at place: RedactionPlaces.Place) -> Value? {
        get { values[Key(object, place)]?.value }
        set { values[Key(object, place)] = newValue.map { (object, $0) } }
    }
}

/// What objects became, for one pass.
private final class MaskedObjects {
    var objects = SharedObjects<JSONObject?>()
}
