import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// One kind of request that a sign-in begins with.
struct RequestClass: Sendable, Hashable {
    /// For a path, in words: `with domain_hint facebook.com`; empty for the usual request.
    var words = ""
    /// Query parameters beside those that each request has.
    var parameters: [RequestParameter] = []
    /// Claims of an `id_token_hint` that was accepted.
    var hint: JSONObject?
    /// The hint is signed with a key that its issuer does not publish.
    var hasWrongKey = false
    /// Password grant.
    var username: String?
    var password: String?
    /// The request itself is at fault: that it is refused says nothing about the policy.
    var isFaulty = false

    struct RequestParameter: Sendable, Hashable {
        var name: String
        var value: String
    }

    var isUsual: Bool { words.isEmpty }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Puts the parameters where a journey reads them.
    func apply(to facts: inout RequestFacts) {
        var query = FormItems()
        for parameter in parameters { query.append(parameter.name, parameter.value) }
        if let hint { query.append("id_token_hint", RequestClasses.token(hint, hasWrongKey: hasWrongKey)) }
        facts.query = query
        facts.loginHint = self["login_hint"]
        facts.domainHint = self["domain_hint"]
        facts.uiLocales = self["ui_locales"]
        facts.prompt = self["prompt"]
        facts.idTokenHint = hint
        facts.username = username
        facts.password = password
    }

    /// Parameters of a script's `acquireToken`; `nil` where a script cannot make the request.
    var script: JSONObject? {
        guard hint == nil, username == nil else { return nil }
        var object = JSONObject()
        var others = JSONObject()
        for parameter in parameters {
            switch parameter.name {
            case "login_hint": object["loginHint"] = .string(parameter.value)
            case "domain_hint": object["domainHint"] = .string(parameter.value)
            case "prompt": object["prompt"] = .string(parameter.value)
            default: others[parameter.name] = .string(parameter.value)
            }
        }
        if !others.isEmpty { object["extraQueryParameters"] = .object(others) }
        return object
    }
}

/// The kinds of requests that a policy can distinguish: for each parameter that it reads, the values that it compares.
struct RequestClasses {
    /// What somebody sends where no value is compared.
    static let plain = "value-1843"

    let policy: ResolvedPolicy
    let values: ValueClasses
    private let purposes: ClaimPurposes
    /// Parameters that nothing tries though the policy compares what they hold.
    private(set) var untried: [Untried] = []
    /// Values by parameter in the order of the policy.
    private var parameters: [(name: String, values: [String])] = []

    init(policy: ResolvedPolicy, values: ValueClasses, purposes: ClaimPurposes) {
        self.policy = policy
        self.purposes = purposes
        self.values = values
        collect()
    }

    /// The step that reads an `id_token_hint`, by the profile that checks it.
    var hintProfile: TechnicalProfile? {
        policy[policy.relyingParty.defaultJourney].steps.first { $0.type == .getClaims }?.issuer.map { policy[$0] }
    }

    private var isPasswordGrant: Bool { policy[policy.relyingParty.defaultJourney].nonInteractive }

    /// The usual request of a person.
    func usual(for person: TestPerson) -> RequestClass {
        var request = RequestClass()
        if hintProfile != nil { request.hint = hint(for: person) }
        if isPasswordGrant {
            request.username = person.text("email")
            request.password = person.text("password") ?? TestPeople.newPassword
        }
        return request
    }

    /// The others.
    func others(for person: TestPerson) -> [RequestClass] {
        let usual = usual(for: person)
        var all: [RequestClass] = []
        func add(_ words: String, _ change: (inout RequestClass) -> Void) {
            var request = usual
            request.words = words
            change(&request)
            all.append(request)
        }
        if isPasswordGrant {
            add("with a wrong password") {
                $0.password = "Wrong-Password-1"
                $0.isFaulty = true
            }
        }
        if hintProfile != nil { hints(person, add) }
        func texts(_ list: [String]) -> [String] { list.map { $0.replacing(ValueClasses.local, with: person.name) } }
        let firsts = parameters.filter { $0.name != "domain_hint" }.map {
            RequestClass.RequestParameter(name: $0.name, value: texts($0.values)[0])
        }
        if firsts.count > 1 { add("with " + firsts.map(\.name).joined(separator: ", ")) { $0.parameters = firsts } }
        for (name, list) in parameters {
            for value in texts(list) {
                if firsts.count > 1, firsts.contains(where: { $0.name == name && $0.value == value }) { continue }
                var whole = firsts.filter { $0.name != name }
                if name == "domain_hint" { whole = [] }
                whole.append(RequestClass.RequestParameter(name: name, value: value))
                add("with \(name) \(value)") { $0.parameters = whole }
            }
            if firsts.count > 1, name != "domain_hint" {
                add("without \(name)") { $0.parameters = firsts.filter { $0.name != name } }
            }
        }
        return all
    }

    // MARK: Parameters

    private mutating func collect() {
        var read: [(resolver: String, claim: ClaimTypeHandle?)] = []
        func scan(_ text: String, _ claim: ClaimTypeHandle?) {
            for name in Self.resolvers(in: text) {
                read.append((name, text == "{\(name)}" ? claim : nil))
            }
        }
        for handle in values.reach.profiles {
            let profile = policy[handle]
            for claim in profile.inputClaims + profile.outputClaims + profile.persistedClaims {
                if let text = claim.defaultValue { scan(text, claim.claim) }
            }
            for item in profile.metadata.items { scan(item.value, nil) }
        }
        for claim in policy.relyingParty.outputClaims { if let text = claim.defaultValue { scan(text, claim.claim) } }
        for item in policy.relyingParty.contentDefinitionParameters { scan(item.value, nil) }
        for (resolver, claim) in read { take(resolver, claim) }
        if values.reach.journeys.contains(where: { policy[$0].steps.contains { $0.type.isSelection } }) {
            let domains = values.reach.profiles.flatMap { policy[$0].handler.isFederation ? policy[$0].domains : [] }
            add("domain_hint", Array(domains.prefix(3)))
        }
    }

    private static func resolvers(in text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }.filter { $0.contains(":") }
    }

    private mutating func take(_ resolver: String, _ claim: ClaimTypeHandle?) {
        let lower = resolver.lowercased()
        let compared = claim.map { values.of($0) } ?? []
        // Somebody may ask with the name of another account.
        let name = claim.flatMap { purposes.keys[$0] ?? (purposes.of($0) == .email ? .email : nil) }
        let others = name.flatMap { TestPeople.second.text($0.key) }
        let known = (compared.isEmpty ? [Self.plain] : compared) + [others].compactMap(\.self)
        if lower.hasPrefix("oauth-kv:") { return add(String(resolver.dropFirst(9)), known) }
        switch lower {
        case "oidc:loginhint":
            let names = [ValueClasses.local + "@example.test", TestPeople.second.text("email") ?? ""]
            add("login_hint", names + compared)
        case "oidc:domainhint": add("domain_hint", known)
        case "oidc:authenticationcontextreferences": add("acr_values", known)
        case "oidc:resource": add("resource", known)
        case "oidc:prompt": add("prompt", compared.filter { ["login", "select_account", "consent"].contains($0) })
        case "culture:languagename", "culture:rfc5646", "culture:regionname", "culture:lcid":
            let languages = policy.localization.supportedLanguages
            add("ui_locales", Array((compared.filter { languages.contains($0.lowercased()) } + languages).prefix(3)))
        case "context:kmsi", "context:correlationid", "context:datetimeinutc", "context:hostname", "oidc:username",
            "oidc:password":
            break
        default:
            let spaces = ["oidc:", "context:", "policy:", "saml:", "oauth2:"]
            guard let claim, !compared.isEmpty, spaces.contains(where: lower.hasPrefix) else { return }
            guard !untried.contains(where: { $0.claims == [claim] }) else { return }
            untried.append(
                Untried(
                    "claim \(policy[claim].id)", "values of {\(resolver)}", claims: [claim], at: policy[claim].location)
            )
        }
    }

    private mutating func add(_ name: String, _ list: [String]) {
        guard !list.isEmpty else { return }
        let place = parameters.firstIndex { $0.name == name } ?? parameters.count
        if place == parameters.count { parameters.append((name, [])) }
        for value in list where !parameters[place].values.contains(value) && parameters[place].values.count < 6 {
            parameters[place].values.append(value)
        }
    }

    // MARK: ID token hints

    private func hint(for person: TestPerson) -> JSONObject {
        var claims = JSONObject()
        let profile = hintProfile
        claims["iss"] = .string(
            profile?.metadata["issuer"]?.split(separator: ",").first.map(String.init) ?? ServiceActs.issuer)
        claims["aud"] = .string(
            profile?.metadata["IdTokenAudience"]?.split(separator: ",").first.map(String.init) ?? "app")
        claims["sub"] = .string(TestPeople.subject)
        for input in policy.relyingParty.inputClaims where claims[input.wireName] == nil {
            let type = policy[input.claim]
            let known = purposes.of(input.claim, as: input.wireName).flatMap { person.record[$0.key] }
            let value = values.of(input.claim, for: person.name).first
            claims[input.wireName] = known ?? .string(value ?? person.text(type.id) ?? Self.plain)
        }
        return claims
    }

    private func hints(
        _ person: TestPerson, _ add: (String, (inout RequestClass) -> Void) -> Void
    ) {
        add("without id_token_hint") {
            $0.hint = nil
            $0.isFaulty = true
        }
        if hintProfile?.hintMetadata != nil {
            add("with an id_token_hint of a wrong key") {
                $0.hasWrongKey = true
                $0.isFaulty = true
            }
        }
        for input in policy.relyingParty.inputClaims {
            for value in values.of(input.claim, for: person.name) {
                add("with id_token_hint \(input.wireName) \(value)") { $0.hint?[input.wireName] = .string(value) }
            }
            let isAsked = values.presence.contains(input.claim) || !values.of(input.claim).isEmpty
            if isAsked || !input.required {
                add("with id_token_hint without \(input.wireName)") {
                    $0.hint?[input.wireName] = nil
                    if input.required { $0.isFaulty = true }
                }
            }
        }
    }

    /// The hint as a token, for journeys that check its signature themselves.
    static func token(_ claims: JSONObject, hasWrongKey: Bool) -> String {
        ServiceActs.signed(claims, hasWrongKey: hasWrongKey)
    }
}
