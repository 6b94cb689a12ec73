import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// The passwords that a journey has seen. A record of the journey has `***` in their place, wherever they are: in claims of
/// any name, in addresses and in messages.
struct HiddenTexts: Sendable {
    static let mask = "***"
    /// A shorter text is replaced only where it is the whole value: it occurs in other words.
    private static let shortestPart = 4

    private(set) var texts: Set<String> = []

    /// Notes what a turn shows of passwords.
    ///
    /// - Parameter claims: The claim types that hold passwords.
    mutating func note(_ turn: JourneyTurn, passwords claims: Set<ClaimTypeHandle>) {
        note(turn.call.request.password)
        if case .submitted(let form) = turn.event { note(form, turn.call.policy, claims) }
        if case .action(_, _, let form) = turn.event { note(form, turn.call.policy, claims) }
        note(turn.before, claims)
        note(turn.after, claims)
        for entry in turn.trace {
            switch entry {
            case .step(let step): note(step.claims, claims)
            case .profile(let profile):
                note(profile.in, claims)
                note(profile.out, claims)
            case .transformation(let transformation):
                note(transformation.in, claims)
                note(transformation.out, claims)
            }
        }
    }

    private mutating func note(_ form: FormItems, _ policy: ResolvedPolicy, _ claims: Set<ClaimTypeHandle>) {
        for item in form.items {
            let isPassword = policy.claimType(item.name).map { claims.contains($0) } ?? false
            if isPassword || item.name == "reenterPassword" { note(item.value) }
        }
    }

    private mutating func note(_ traced: TracedClaims, _ claims: Set<ClaimTypeHandle>) {
        for traced in traced.claims where claims.contains(traced.claim) {
            note(traced.value.text)
            for text in traced.value.listValue ?? [] { note(text) }
        }
    }

    private mutating func note(_ text: String?) {
        if let text, !text.isEmpty { texts.insert(text) }
    }

    /// A text without passwords.
    func masked(_ text: String) -> String {
        if texts.isEmpty { return text }
        if texts.contains(text) { return Self.mask }
        var result = text
        for hidden in texts.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) })
        where hidden.utf8.count >= Self.shortestPart {
            for form in Self.forms(of: hidden) { result = result.replacing(form, with: Self.mask) }
        }
        return result
    }

    /// The text as it is, in a JSON text and in a form or an address.
    private static func forms(of text: String) -> [String] {
        let quoted = JSONWriter.compact(.string(text)).dropFirst().dropLast()
        let form = FormItems([(name: "", value: text)]).encoded.dropFirst()
        let query = PercentCoding.encodeComponent(text)
        var forms = [text]
        for other in [String(quoted), String(form), query] where !forms.contains(other) { forms.append(other) }
        return forms
    }

    /// An address without passwords, also those that are the whole value of a parameter.
    func masked(_ url: WebURL) -> String {
        var url = url
        if url.query != nil {
            var items = url.queryItems
            var isChanged = false
            for index in items.items.indices where texts.contains(items.items[index].value) {
                items.items[index].value = Self.mask
                isChanged = true
            }
            if isChanged { url.queryItems = items }
        }
        return masked(url.description)
    }

    /// A JSON value without passwords.
    func masked(_ value: JSONValue) -> JSONValue {
        if texts.isEmpty { return value }
        switch value {
        case .string(let text): return .string(masked(text))
        case .array(let elements): return .array(elements.map { masked($0) })
        case .object(let object):
            return .object(JSONObject(object.members.map { ($0.key, masked($0.value)) }))
        case .integer, .number, .bool, .null: return value
        }
    }

    /// The claim types of a policy that hold passwords: those typed into a password field, and those that go to the
    /// directory or to a sign-in under the name of one.
    static func passwordClaims(of policy: ResolvedPolicy) -> Set<ClaimTypeHandle> {
        var claims = Set(policy.claimTypes.filter { $0.userInputType == .password }.map(\.handle))
        for profile in policy.profiles where profile.handler == .directory || profile.handler == .passwordSignIn {
            for claim in profile.inputClaims + profile.persistedClaims
            where wireNames.contains(claim.wireName.lowercased()) { claims.insert(claim.claim) }
        }
        return claims
    }

    private static let wireNames: Set<String> = ["password", "newpassword", "oldpassword", "currentpassword"]
}
