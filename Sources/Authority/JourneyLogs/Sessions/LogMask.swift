import Diagnostics
import Exchanges
import HTTPMessages
import JSON

/// Replaces personal data of a log by stand-ins before anything is shown. People are numbered in the order in which they
/// appear, and a value has the same stand-in in the whole session, letter case aside.
public struct LogMask: Sendable {
    /// Whether claims are shown as they are. Passwords and tokens never are.
    public let showsClaims: Bool
    /// Values that the policy itself contains: they say nothing about a person.
    public var constants: Set<String>

    /// Number of a person by each identifier.
    private var people: [String: Int] = [:]
    private var count = 0
    private var person = 0
    /// Stand-ins of the session that was learnt last.
    private var known = StandInRegister(foldsCase: true)
    /// Domains of people's addresses: a policy may put one into a claim of its own.
    private var domains: Set<String> = []
    private var patterns: [TextMask.Spelling] = []
    private var secrets: [TextMask.Spelling] = []
    private var text = TextMask([])

    public init(showsClaims: Bool, constants: Set<String> = []) {
        self.showsClaims = showsClaims
        self.constants = constants
    }

    /// Claims that identify a person.
    private static let identifiers = [
        "objectid", "sub", "email", "signinname", "signinnames.emailaddress", "username", "userprincipalname",
        "issueruserid", "socialidpuserid", "alternativesecurityid", "phonenumber", "signinnames.phonenumber",
    ]

    /// Claims whose values are settings or results of the policy.
    private static let technical: Set<String> = [
        "newuser", "authenticationsource", "identityprovider", "idp", "tenantid", "trustframeworkpolicy", "tfp", "acr",
        "culture", "ui_locales", "grant_type", "scope", "executed-selfasserted-input", "isforgotpassword",
        "authenticationmethod", "amr", "apiversion", "servername",
    ]

    /// Whether a claim holds a setting or a result of the policy, by its name.
    package static func isTechnical(_ claim: String) -> Bool {
        technical.contains(claim.lowercased()) || claim.hasSuffix(" (parameter)")
    }

    /// Whether a claim says who somebody is, by its name.
    package static func identifies(_ claim: String) -> Bool {
        let name = claim.lowercased()
        return identifiers.contains(name)
            || ["name", "mail", "phone", "address", "birth", "street", "postal"].contains { name.contains($0) }
    }

    // MARK: Learning

    /// Learns the values of a session. Call it for the sessions of a log in their order: numbers of people are given in it.
    ///
    /// - Returns: `person 1`, or `nil` if no claim identifies a person. With ``showsClaims`` the identifier itself.
    @discardableResult
    public mutating func learn(_ story: LoggedSession) -> String? {
        let values = story.values
        var first: [String: String] = [:]
        for (claim, value) in values where !value.isEmpty && first[claim.lowercased()] == nil {
            first[claim.lowercased()] = value
        }
        let found = Self.identifiers.compactMap { first[$0] }
        person = 0
        if !found.isEmpty {
            for value in found where person == 0 { person = people[value.lowercased()] ?? 0 }
            if person == 0 {
                count += 1
                person = count
            }
            for value in found { people[value.lowercased()] = person }
        }
        (known, domains, patterns, secrets) = (StandInRegister(foldsCase: true), [], [], [])
        learn(values)
        guard let identifier = found.first else { return nil }
        return showsClaims ? identifier : "person \(person)"
    }

    /// Learns also what a run of the session in the simulator made of its values, such as a part of a name: nothing of it
    /// can be shown, because it was computed from what is real.
    ///
    /// - Parameter outcome: Of a step that signs in, with its log `trace`.
    public mutating func learn(run outcome: JSONValue) {
        var values: [(claim: String, value: String)] = []
        for record in outcome["trace"]?.arrayValue ?? [] {
            for name in ["claims", "in", "out"] {
                if let claims = record[name]?.objectValue { values += LoggedSession.texts(claims) }
            }
        }
        learn(values)
    }

    private mutating func learn(_ values: [(claim: String, value: String)]) {
        for (claim, value) in values where Self.isAddress(value) && !Self.isTechnical(claim) {
            domains.insert(value.lowercased().split(separator: "@").last.map { String($0) } ?? "")
        }
        let person = person
        for (claim, value) in values where known[value] == nil && !isPlain(claim, value) {
            let name = Self.name(of: claim, value)
            let standIn = known.standIn(for: value, kind: name) { number in
                let more = number > 1 ? "-\(number)" : ""
                return switch name {
                case "secret": "<secret\(more)>"
                case "address": "person\(person)\(more)@example.com"
                default: "<\(name) of person \(person)\(more)>"
                }
            }
            let found = Self.spellings(value).map {
                TextMask.Spelling($0, label: standIn, isWhole: value.utf8.count < Self.shortestAnywhere)
            }
            patterns += found
            if name == "secret" {
                secrets += found
            } else {
                patterns += Self.words(of: claim, value).flatMap { word in
                    SecretSpelling.cases(of: word).map {
                        TextMask.Spelling($0, label: "<part of \(claim) of person \(person)>", isWhole: true)
                    }
                }
            }
        }
        text = TextMask(showsClaims ? secrets : patterns)
    }

    /// Shorter values are replaced only where they are a whole word: two letters occur in many.
    private static let shortestAnywhere = 4

    /// The forms in which a value can be in a message or an address.
    private static func spellings(_ value: String) -> [String] {
        if value.utf8.count < shortestAnywhere {
            // A single character, or a number of three digits, is a part of any sentence.
            return value.count > 1 && value.contains(where: \.isLetter) ? [value] : []
        }
        return SecretSpelling.all(of: value) + SecretSpelling.cases(of: value).dropFirst()
    }

    /// Words of names and of the local part of addresses: a message says "Hello Ada" to Ada Lovelace.
    package static func words(of claim: String, _ value: String) -> [String] {
        let isAddress = isAddress(value)
        guard isAddress || claim.lowercased().contains("name") else { return [] }
        let named = isAddress ? value.prefix { $0 != "@" } : value[...]
        let words = named.split { !$0.isLetter && !$0.isNumber }.map { String($0) }
            .filter { $0.count > (isAddress ? 4 : 2) && $0.contains(where: \.isLetter) }
        return words.count > 1 || isAddress ? words : []
    }

    private func isPlain(_ claim: String, _ value: String) -> Bool {
        if value.isEmpty || ["true", "false", "***"].contains(value.lowercased()) { return true }
        if Self.isSecret(claim) { return false }
        return Self.isTechnical(claim) && !domains.contains(value.lowercased()) || constants.contains(value)
    }

    /// Whether a claim holds what nobody may see.
    package static func isSecret(_ claim: String) -> Bool {
        let name = claim.lowercased()
        return ["password", "secret", "otp", "verificationcode", "token"].contains { name.contains($0) }
    }

    private static func name(of claim: String, _ value: String) -> String {
        if isSecret(claim) { return "secret" }
        if value.hasPrefix("eyJ"), value.split(separator: ".").count >= 2 { return "secret" }
        if isAddress(value) { return "address" }
        return claim
    }

    /// An e-mail address.
    private static func isAddress(_ value: String) -> Bool {
        ContactText.address(value) != nil && !value.contains { $0.isWhitespace }
    }

    // MARK: Masking

    /// The value of a claim, for showing.
    public func masked(_ value: JSONValue, of claim: String) -> JSONValue {
        value.mappingLeaves(of: claim) { value, claim in
            switch value {
            case .string(let text):
                let standIn = known[text]
                // A password may be in claims of other names as well.
                let isSecret = Self.name(of: claim, text) == "secret" || standIn?.hasPrefix("<secret") == true
                if showsClaims, !isSecret { return value }
                if let standIn { return .string(standIn) }
                // What was not learnt, such as a member of a claim that is JSON in a text, has no number.
                return isPlain(claim, text) ? value : .string(isSecret ? "<secret>" : "<\(claim)>")
            case .integer, .number:
                return showsClaims ? value : known[JSONWriter.compact(value)].map { .string($0) } ?? value
            case .array, .object, .bool, .null: return value
            }
        }
    }

    /// Claims, for showing.
    public func masked(_ claims: JSONObject) -> JSONObject {
        JSONObject(claims.members.map { ($0.key, masked($0.value, of: $0.key)) })
    }

    /// A text with values of claims in it, for showing: a message or an address.
    public func masked(_ message: String) -> String {
        // Addresses first: a part of one that nobody is known by may be somebody's name.
        let others =
            showsClaims
            ? message
            : ContactText.masked(message) {
                known[PercentCoding.decode($0, plusIsSpace: false)] != nil
            }
        return SecretText.masked(text.masked(others))
    }

    /// A story with stand-ins in all places.
    public func masked(_ outcome: JSONValue) -> JSONValue {
        guard case .object(let object) = outcome else { return outcome }
        var result = JSONObject()
        for (key, value) in object.members {
            switch (key, value) {
            case ("in", .object(let claims)), ("out", .object(let claims)), ("claims", .object(let claims)):
                result[key] = .object(masked(claims))
            case ("error", .string(let text)), ("because", .string(let text)), ("url", .string(let text)):
                result[key] = .string(masked(text))
            case (_, .array(let elements)): result[key] = .array(elements.map { masked($0) })
            case (_, .object): result[key] = masked(value)
            default: result[key] = value
            }
        }
        return .object(result)
    }
}

extension LoggedSession {
    /// All values of claims, in the order in which the log has them, each under the name of its claim or of the member in it.
    package var values: [(claim: String, value: String)] {
        var values: [(claim: String, value: String)] = []
        var before = JSONObject()
        for step in steps {
            for item in step.items { values += Self.texts(item.input) + Self.texts(item.output) }
            values += Self.texts(step.claims.filter { before[$0] != $1 })
            before = step.claims
        }
        return values + Self.texts(claims.filter { before[$0] != $1 })
    }

    /// The texts and numbers in claims, also in JSON that is written as a text.
    static func texts(_ claims: JSONObject) -> [(claim: String, value: String)] {
        var found: [(claim: String, value: String)] = []
        for member in claims.members { add(member.value, of: member.key, to: &found) }
        return found
    }

    private static func add(_ value: JSONValue, of claim: String, to found: inout [(claim: String, value: String)]) {
        switch value {
        case .string(let text):
            found.append((claim, text))
            guard text.hasPrefix("{") || text.hasPrefix("["), let inner = try? JSONParser.parse(text) else { return }
            switch inner {
            case .array, .object: add(inner, of: claim, to: &found)
            case .null, .bool, .integer, .number, .string: return
            }
        case .integer, .number: found.append((claim, JSONWriter.compact(value)))
        case .array(let elements): for element in elements { add(element, of: claim, to: &found) }
        case .object(let object): for member in object.members { add(member.value, of: member.key, to: &found) }
        case .bool, .null: return
        }
    }
}

extension JSONObject {
    fileprivate func filter(_ isIncluded: (String, JSONValue) -> Bool) -> JSONObject {
        JSONObject(members.filter { isIncluded($0.key, $0.value) }.map { ($0.key, $0.value) })
    }
}
