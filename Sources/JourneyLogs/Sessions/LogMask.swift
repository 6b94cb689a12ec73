import Diagnostics
import HTTPMessages
import JSON

/// Replaces personal data of a log by stand-ins before anything is shown. People are numbered in the order in which they
/// appear, and a value has the same stand-in in the whole log.
public struct LogMask: Sendable {
    /// Whether claims are shown as they are. Passwords and tokens never are.
    public let showsClaims: Bool
    /// Values that the policy itself contains: they say nothing about a person.
    public var constants: Set<String>

    /// Number of a person by each identifier.
    private var people: [String: Int] = [:]
    private var count = 0
    /// Stand-ins of the session that was learnt last, longest value first.
    private var standIns: [(value: String, standIn: String)] = []
    private var known: [String: String] = [:]
    private var person = 0

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

    /// Learns the values of a session. Call it for the sessions of a log in their order: numbers of people are given in it.
    ///
    /// - Returns: `person 1`, or `nil` if no claim identifies a person. With ``showsClaims`` the identifier itself.
    @discardableResult
    public mutating func learn(_ story: SessionStory) -> String? {
        var values: [(claim: String, value: String)] = []
        for step in story.steps {
            for item in step.items {
                values += Self.texts(item.input) + Self.texts(item.output)
            }
            values += Self.texts(step.claims)
        }
        values += Self.texts(story.claims)
        let found = Self.identifiers.compactMap { name in
            values.first { $0.claim.lowercased() == name && !$0.value.isEmpty }?.value
        }
        person = 0
        if !found.isEmpty {
            for value in found where person == 0 { person = people[value.lowercased()] ?? 0 }
            if person == 0 {
                count += 1
                person = count
            }
            for value in found { people[value.lowercased()] = person }
        }
        known = [:]
        standIns = []
        var numbers: [String: Int] = [:]
        for (claim, value) in values where known[value] == nil && !isPlain(claim, value) {
            let name = Self.name(of: claim, value)
            numbers[name, default: 0] += 1
            known[value] = standIn(name, number: numbers[name] ?? 1)
        }
        standIns = known.filter { $0.key.utf8.count >= 4 }.flatMap { value, standIn in
            // Addresses of services have values percent-encoded.
            Set([value, PercentCoding.encodeComponent(value)]).map { (value: $0, standIn: standIn) }
        }
        .sorted { ($0.value.utf8.count, $0.value) > ($1.value.utf8.count, $1.value) }
        guard let first = found.first else { return nil }
        return showsClaims ? first : "person \(person)"
    }

    private static func texts(_ claims: JSONObject) -> [(claim: String, value: String)] {
        claims.members.flatMap { member -> [(claim: String, value: String)] in
            switch member.value {
            case .string(let text): [(member.key, text)]
            case .array(let elements): elements.compactMap(\.stringValue).map { (member.key, $0) }
            default: []
            }
        }
    }

    private func isPlain(_ claim: String, _ value: String) -> Bool {
        if value.isEmpty || ["true", "false", "***"].contains(value.lowercased()) { return true }
        if Self.isSecret(claim) { return false }
        return Self.technical.contains(claim.lowercased()) || constants.contains(value)
            || claim.hasSuffix(" (parameter)")
    }

    /// Whether a claim holds what nobody may see.
    private static func isSecret(_ claim: String) -> Bool {
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
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !value.contains { $0.isWhitespace }
    }

    private func standIn(_ name: String, number: Int) -> String {
        let more = number > 1 ? "-\(number)" : ""
        switch name {
        case "secret": return "<secret\(more)>"
        case "address": return "person\(person)\(more)@example.com"
        default: return "<\(name) of person \(person)\(more)>"
        }
    }

    /// The value of a claim, for showing.
    public func masked(_ value: JSONValue, of claim: String) -> JSONValue {
        switch value {
        case .string(let text):
            let standIn = known[text]
            // A password may be in claims of other names as well.
            let isSecret = Self.name(of: claim, text) == "secret" || standIn?.hasPrefix("<secret") == true
            if showsClaims, !isSecret { return value }
            if let standIn { return .string(standIn) }
            return isPlain(claim, text) ? value : .string(masked(text))
        case .array(let elements): return .array(elements.map { masked($0, of: claim) })
        case .object(let object):
            return .object(JSONObject(object.members.map { ($0.key, masked($0.value, of: claim)) }))
        case .integer, .number, .bool, .null: return value
        }
    }

    /// Claims, for showing.
    public func masked(_ claims: JSONObject) -> JSONObject {
        JSONObject(claims.members.map { ($0.key, masked($0.value, of: $0.key)) })
    }

    /// A text with values of claims in it, for showing: a message or an address.
    public func masked(_ text: String) -> String {
        var result = text
        for (value, standIn) in standIns where !showsClaims || standIn.hasPrefix("<secret") {
            result = result.replacing(value, with: standIn)
        }
        return SecretText.masked(showsClaims ? result : Self.withoutAddresses(result)) { "<\($0.rawValue)>" }
    }

    /// E-mail addresses that no claim has, also in addresses of services, percent-encoded or not.
    private static func withoutAddresses(_ text: String) -> String {
        guard text.contains("@") || text.contains("%40") else { return text }
        let address = /([^\s'"()<>@\/?&=,;:]+)(@|%40)([^\s'"()<>@\/?&=,;:]+)/.ignoresCase()
        return text.replacing(address) { match -> String in
            let domain = match.3
            let end = domain.lastIndex { $0 != "." }.map { domain.index(after: $0) } ?? domain.startIndex
            let isAddress = domain[..<end].contains(".") && domain[..<end].lowercased() != "example.com"
            return isAddress ? "<email>" + domain[end...] : String(match.0)
        }
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
