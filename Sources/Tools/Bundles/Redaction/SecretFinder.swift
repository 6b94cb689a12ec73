import Diagnostics
import Exchanges
import HTTPMessages
import JOSE
import JSON
import Markup

/// Finds the secrets that somebody wrote into files, as reports find them: by the names that lead to a text, and by their
/// looks.
struct SecretFinder {
    /// A part of a text that is a secret because of its place.
    struct Spot {
        /// Bytes of the text.
        var range: Range<Int>
        var value: String
        /// `user:password` in Base64, of which the password is the secret.
        var isBasic = false
    }

    /// The secrets in the order in which they were found, each once.
    private(set) var secrets: [WrittenSecret] = []
    /// By file, then by the index of the string in it.
    private(set) var spots: [String: [Int: [Spot]]] = [:]
    /// The strings of files that are JSON.
    private(set) var strings: [String: [JSONString]] = [:]
    /// Spots in files that are not JSON, by bytes of the file.
    private(set) var textSpots: [String: [Spot]] = [:]
    private var known: Set<String> = []
    /// Whether people count too: their addresses, names and numbers.
    private let findsPeople: Bool

    init(_ files: [ReproductionBundle.File], findsPeople: Bool) {
        self.findsPeople = findsPeople
        for file in files {
            let source = SourceText(file: file.path, bytes: file.bytes)
            if let strings = JSONStrings.all(of: file.bytes) {
                self.strings[file.path] = strings
                for (index, string) in strings.enumerated() where !string.isKey { look(at: string, index, in: source) }
            } else {
                lookThrough(source)
            }
        }
    }

    /// Looks at a value that was given by name: a variable, or what was read of the environment.
    mutating func look(atValue value: String, named name: String, of what: String) {
        let location = SourceLocation(file: what)
        for spot in Self.spots(in: value, at: [name], findsPeople) {
            add(spot.spot.value, spot.form, location, name)
        }
    }

    private mutating func look(at string: JSONString, _ index: Int, in source: SourceText) {
        let found = Self.spots(in: string.text, at: string.path, findsPeople)
        guard !found.isEmpty else { return }
        let location = source.location(at: string.range.lowerBound, byteLength: string.range.count)
        for (spot, form) in found {
            add(spot.value, form, location, Self.title(string.path))
            spots[source.file, default: [:]][index, default: []].append(spot)
        }
    }

    private mutating func add(_ value: String, _ form: WrittenSecret.Form, _ location: SourceLocation, _ name: String) {
        guard known.insert(value).inserted else { return }
        secrets.append(WrittenSecret(value, form: form, location: location, name: name))
    }

    private static func title(_ path: [String]) -> String { path.suffix(3).joined(separator: "/") }

    // MARK: One text

    private typealias Found = (spot: Spot, form: WrittenSecret.Form)

    private static func spots(in text: String, at path: [String], _ findsPeople: Bool) -> [Found] {
        guard !text.isEmpty else { return [] }
        if let index = path.lastIndex(of: "headers"), index + 1 < path.count,
            let parts = HeaderSecrets.parts(path[index + 1], text)
        {
            // A key that is the whole value may be a word; what ends with the run is worth nothing after it.
            if parts.count == 1, case .secret(_, .secret) = parts[0], SecretKind.named(path[index + 1]) == .secret,
                !SecretNames.endsWithTheRun(path[index + 1])
            {
                return literals(of: text).map { (Spot(range: $0.0, value: $0.1), .text) }
            }
            return header(parts)
        }
        let name = path.last { Int($0) == nil } ?? ""
        let whole = 0..<text.utf8.count
        switch RedactionPlaces.kind(path, text) {
        case .password, .secret:
            guard !SecretNames.endsWithTheRun(name) else { break }
            return literals(of: text).map { (Spot(range: $0.0, value: $0.1), .text) }
        case .token, .code, .cookie:
            if SecretValue.isMadeByAMachine(text) { return [(Spot(range: whole, value: text), .token)] }
        case nil:
            break
        }
        var found = looks(text)
        if findsPeople {
            found += addresses(text)
            if found.isEmpty, SecretNames.isPersonal(name, under: path), !text.contains("{{") {
                found.append((Spot(range: whole, value: text), .text))
            }
        }
        return found
    }

    /// The parts of a text between its placeholders.
    private static func literals(of text: String) -> [(Range<Int>, String)] {
        var parts: [(Range<Int>, String)] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let open = rest.firstRange(of: Array("{{".utf8))
            let part = rest[..<(open?.lowerBound ?? rest.endIndex)]
            if !part.isEmpty { parts.append((part.indices, String(decoding: part, as: UTF8.self))) }
            guard let open else { break }
            let close = rest[open.upperBound...].firstRange(of: Array("}}".utf8))
            rest = rest[(close?.upperBound ?? rest.endIndex)...]
        }
        return parts
    }

    /// Credentials and cookies of a message that a script or a stub writes itself.
    private static func header(_ parts: [HeaderSecrets.Part]) -> [Found] {
        var found: [Found] = []
        var offset = 0
        for part in parts {
            switch part {
            case .plain(let text):
                offset += text.utf8.count
            case .secret(let text, _):
                let range = offset..<(offset + text.utf8.count)
                offset = range.upperBound
                if let plain = Base64.decode(text), let colon = plain.firstIndex(of: UInt8(ascii: ":")) {
                    let password = String(decoding: plain[(colon + 1)...], as: UTF8.self)
                    if !password.isEmpty { found.append((Spot(range: range, value: password, isBasic: true), .text)) }
                } else if SecretValue.isMadeByAMachine(text) {
                    found.append((Spot(range: range, value: text), .token))
                }
            }
        }
        return found
    }

    /// Tokens, private keys, and parameters such as `client_secret=...` inside a text.
    private static func looks(_ text: String) -> [Found] {
        var found: [Found] = []
        SecretText.find(in: text) { value, kind, range in
            let form: WrittenSecret.Form
            switch kind {
            case .password, .secret: form = .text
            case .token, .code, .cookie: form = .token
            }
            guard !value.contains("{"), form == .text || SecretValue.isMadeByAMachine(value) else { return }
            // A parameter's value was decoded; where it is encoded it is found by its text.
            found.append((Spot(range: range ?? 0..<0, value: value), form))
        }
        return found
    }

    private static func addresses(_ text: String) -> [Found] {
        ContactText.addresses(in: text).map { (Spot(range: $0.range, value: $0.text), .address) }
    }

    // MARK: Other files

    /// A policy, a page, anything that is not JSON.
    private mutating func lookThrough(_ source: SourceText) {
        guard let text = String(validating: source.bytes, as: UTF8.self) else { return }
        func take(_ spot: Spot, _ form: WrittenSecret.Form, _ name: String) {
            add(spot.value, form, source.location(at: spot.range.lowerBound), name)
            textSpots[source.file, default: []].append(spot)
        }
        for value in MarkupValues.secrets(in: source.bytes) {
            take(Spot(range: value.range, value: value.text), .text, value.name)
        }
        for (spot, form) in Self.looks(text) { take(spot, form, "text") }
        if findsPeople { for (spot, form) in Self.addresses(text) { take(spot, form, "text") } }
    }
}

/// What names say of texts, beyond what reports know: files hold settings too.
enum SecretNames {
    /// Whether a name is that of a value which is worth nothing once the run is over.
    static func endsWithTheRun(_ name: String) -> Bool {
        ["codeverifier", "xcsrftoken", "csrf", "csrftoken", "ctx"].contains(SecretKind.plain(name))
    }

    /// Whether a name is that of something by which a person is known.
    static func isPersonal(_ name: String, under path: [String]) -> Bool {
        let word = name.lowercased()
        return [
            "displayname", "givenname", "surname", "phone", "phonenumber", "mobile", "mobilephone", "streetaddress",
            "postalcode", "family_name", "given_name", "phone_number",
        ].contains(word) && path.contains("users")
    }
}

/// Values in policies and pages under the name of a secret.
enum MarkupValues {
    struct Value {
        var range: Range<Int>
        var text: String
        var name: String
    }

    /// `<Item Key="ApiKey">VALUE</Item>`, `<InputClaim ClaimTypeReferenceId="password" DefaultValue="VALUE">`,
    /// `<InputParameter Id="clientSecret" Value="VALUE">`, `<input name="client_secret" value="VALUE">`; in comments and
    /// scripts too.
    static func secrets(in bytes: [UInt8]) -> [Value] {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        var found: [Value] = []
        var next = bytes.firstIndex(of: UInt8(ascii: "<"))
        while let open = next {
            next = bytes[(open + 1)...].firstIndex(of: UInt8(ascii: "<"))
            // A `<` in a tag is a mistake in XML. Up to there it is read, and a quote that is never closed hides no other tag.
            let end = next ?? bytes.count
            guard let tag = HTMLScanner.tag(in: bytes[..<end], at: open) else { continue }
            let attributes = tag.attributes.map {
                (name: text($0.nameRange), text: text($0.valueRange), range: $0.valueRange)
            }
            guard let name = attributes.first(where: { isSecret($0.text) && isName($0.name) })?.text else { continue }
            let values = attributes.filter { ["DefaultValue", "Value", "value"].contains($0.name) }
            if !values.isEmpty {
                found += values.map { Value(range: $0.range, text: $0.text, name: name) }
            } else if bytes[tag.range.upperBound - 2] != UInt8(ascii: "/") {
                let content = tag.range.upperBound..<end
                found.append(Value(range: content, text: text(content), name: name))
            }
        }
        return found.filter { value in
            !value.text.isEmpty && !value.text.hasPrefix("B2C_1A_") && !value.text.contains("{")
                && !value.text.utf8.contains { $0 <= 0x20 }
        }
    }

    private static func isName(_ attribute: String) -> Bool {
        ["Key", "Id", "ClaimTypeReferenceId", "PartnerClaimType", "name"].contains(attribute)
    }

    /// A name that reports mask, or one that settings bear.
    private static func isSecret(_ name: String) -> Bool {
        guard !name.contains(" ") else { return false }
        switch SecretKind.at(name, under: []) {
        case .password, .secret: return !SecretNames.endsWithTheRun(name)
        case .token, .code, .cookie, nil: return false
        }
    }
}

/// `user:password` in Base64 (RFC 7617 section 2).
enum BasicAuthentication {
    static func changed(_ text: String, password: String, to standIn: String) -> String? {
        guard let plain = Base64.decode(text), let colon = plain.firstIndex(of: UInt8(ascii: ":")),
            plain[(colon + 1)...].elementsEqual(password.utf8)
        else { return nil }
        return Base64.encode(Array(plain[...colon]) + Array(standIn.utf8))
    }
}
