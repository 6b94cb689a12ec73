import Exchanges
import HTTPMessages
import Journeys
import TrustFramework

/// The passwords that a journey has seen. A record of the journey has `***` in their place, wherever they are: in claims of
/// any name, in addresses and in messages.
struct HiddenTexts: Sendable {
    static let mask = "***"
    /// A shorter text is replaced only where it is the whole value: it occurs in other words.
    private static let shortestPart = 4

    private(set) var texts: Set<String>
    /// Replaces them in longer texts; `nil` without any.
    private var parts: TextMask?

    /// - Parameter texts: Those of earlier turns.
    init(_ texts: Set<String> = []) {
        self.texts = texts
        prepare()
    }

    private mutating func prepare() {
        let long = texts.filter { $0.utf8.count >= Self.shortestPart }
        guard !long.isEmpty else { return }
        parts = TextMask(
            long.flatMap { SecretSpelling.all(of: $0, in: [.component, .form, .json]) }.map {
                TextMask.Spelling(exactly: $0, label: Self.mask)
            }, isExact: true)
    }

    /// Notes what a turn shows of passwords.
    ///
    /// - Parameter claims: The claim types that hold passwords.
    mutating func note(_ turn: JourneyTurn, passwords claims: Set<ClaimTypeHandle>) {
        let before = texts.count
        defer { if texts.count > before { prepare() } }
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
        texts.contains(text) ? Self.mask : parts?.masked(text) ?? text
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
