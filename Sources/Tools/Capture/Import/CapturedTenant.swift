import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// What a capture shows of the tenant behind it: policies, apps, APIs, providers and people. Everything is learnt at once,
/// because settings depend on what comes later.
struct CapturedTenant {
    let traffic: Traffic
    let story: CapturedFlow
    let given: Given
    var people = People()
    private(set) var policies: [PolicyGuess] = []
    /// Positions in `policies` by id in lower case.
    private var policyIndex: [String: Int] = [:]
    var clients: [ClientGuess] = []
    /// Positions in `clients` by id in lower case.
    var clientIndex: [String: Int] = [:]
    /// Web APIs. Where no scope is known that would open a path, the path is open.
    var apis: [APISettings] = []
    private(set) var providers: [ProviderSettings] = []
    /// Positions in `providers` by claims exchange.
    private var providerIndex: [String: Int] = [:]
    /// Positions in `apis` by origin, and by the resource of their scopes in lower case.
    var apiOrigins: [String: Int] = [:]
    var apiResources: [String: Int] = [:]
    /// The person of each item of the story.
    var actors: [Int?] = []
    /// What could not be carried over, in sentences.
    private(set) var notes: [String] = []
    private var policyNames = UniqueNames()
    private var providerNames = UniqueNames()
    var clientNames = UniqueNames()
    var apiNames = UniqueNames()

    /// What is known of the tenant from elsewhere.
    struct Given: Hashable {
        /// Ids of policies, in lower case, whose files are at hand.
        var policies: Set<String> = []
        /// Values that no stand-in replaces, in lower case.
        var constants: Set<String> = []
    }

    init(_ story: CapturedFlow, _ traffic: Traffic, given: Given = Given()) {
        self.traffic = traffic
        self.story = story
        self.given = given
        notes = story.notes
        people.constants = given.constants
        people.keepsNumbers = !given.policies.isEmpty
        learnPolicies()
        learnClients()
        learnAPIs()
        learnPeople()
        for policy in policies where !given.policies.contains(policy.id.lowercased()) { notes += policy.notes }
    }

    mutating func note(_ text: String) { notes.append(text) }

    // MARK: Policies

    func policy(_ id: String?) -> PolicyGuess? { index(ofPolicy: id).map { policies[$0] } }

    func index(ofPolicy id: String?) -> Int? { id.flatMap { policyIndex[$0.lowercased()] } }

    func policyName(_ id: String?) -> String? { policy(id)?.settings.name }

    /// The provider with a claims exchange.
    func provider(_ exchange: String) -> ProviderSettings? { providerIndex[exchange].map { providers[$0] } }

    /// The name of a page as scripts know it.
    func pageName(_ name: String, of flow: Flow) -> String {
        name == "selfAsserted" && policy(flow.policy)?.settings.type == .profileEditing ? "editProfile" : name
    }

    private mutating func add(policy id: String) {
        // Traffic can hold anything; no policy of a tenant file has such an id.
        guard !id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return }
        let key = id.lowercased()
        guard policyIndex[key] == nil else {
            if let index = policyIndex[key] { policies[index].learn(id: id) }
            return
        }
        policyIndex[key] = policies.count
        policies.append(PolicyGuess(id: id, name: policyNames.take(Self.policyWord(id))))
    }

    /// The name of a policy by its id, before it is made unique.
    private static func policyWord(_ id: String) -> String {
        var rest = Substring(id)
        for prefix in ["b2c_1a_", "b2c_1_"] where rest.lowercased().hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        let words = rest.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        var name = ""
        for (index, word) in words.enumerated() {
            let isAllCaps = word == Substring(word.uppercased())
            let text = isAllCaps ? word.lowercased() : String(word)
            name +=
                index == 0
                ? text.prefix(1).lowercased() + text.dropFirst() : text.prefix(1).uppercased() + text.dropFirst()
        }
        return name.isEmpty ? "policy" : name
    }

    private mutating func learnPolicies() {
        for item in traffic.items {
            guard case .authority(let address) = item.subject, let id = address.policy, !id.isEmpty else { continue }
            switch address.endpoint {
            case .discovery, .keys, .clientTrace, .staticAsset: continue
            default: add(policy: id)
            }
        }
        for item in story.items {
            switch item {
            case .flow(let flow):
                guard let id = flow.policy, let index = index(ofPolicy: id) else { continue }
                for page in flow.pages {
                    policies[index].learn(page)
                    if let written = page.settings?.policy { policies[index].learn(id: written) }
                }
                policies[index].learn(postsOf: flow)
                for act in flow.acts {
                    if act.isCall { policies[index].secondFactor = .call }
                    if case .provider(let exchange) = act.kind { learnProvider(exchange, flow, policy: index) }
                }
                learn(tokensOf: flow.token, front: flow.frontTokens["id_token"], policy: index)
            case .token(let call):
                guard let index = index(ofPolicy: call.policy) else { continue }
                if call.grant == "password" { policies[index].isPasswordGrant = true }
                learn(tokensOf: call, front: nil, policy: index)
            case .logout(let call):
                // None of these comes where the policy takes a sign-out without a token.
                let codes = ["90006", "90235", "90237", "90238", "90239", "90240", "90272"]
                guard let index = index(ofPolicy: call.policy), let code = call.page?.b2cCode,
                    codes.contains(String(code.suffix(5)))
                else { continue }
                policies[index].settings.session.requireIdTokenInLogout = true
            case .api, .userInfo: continue
            }
        }
        for index in policies.indices { policies[index].decideType() }
    }

    private mutating func learnProvider(_ exchange: String, _ flow: Flow, policy index: Int) {
        if provider(exchange) == nil {
            let word = exchange.lowercased().hasSuffix("exchange") ? String(exchange.dropLast(8)) : exchange
            let letters = word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            let name = providerNames.take(letters.isEmpty ? "provider" : letters.lowercased())
            providerIndex[exchange] = providers.count
            providers.append(
                ProviderSettings {
                    $0.name = name
                    $0.exchange = exchange
                    $0.domain = flow.idToken?["idp"]?.stringValue ?? ""
                })
        }
        if let name = provider(exchange)?.name { policies[index].settings.providers.note(name) }
    }

    private mutating func learn(tokensOf call: TokenCall?, front: JSONObject?, policy index: Int) {
        for claims in [call?.claims("id_token"), front].compactMap({ $0 }) {
            policies[index].learn(idToken: claims)
            if let id = (claims["tfp"] ?? claims["acr"])?.stringValue { policies[index].learn(id: id) }
        }
        guard let json = call?.json, call?.isGood ?? false else { return }
        if let seconds = json["expires_in"]?.intValue { policies[index].learn(\.accessToken, seconds: seconds) }
        // Refreshed tokens live shorter as the sliding window ends: the first one decides. Single-page apps always have 24 h.
        if call?.grant == "authorization_code", let seconds = json["refresh_token_expires_in"]?.intValue,
            seconds != 86_400
        {
            policies[index].learn(\.refreshToken, seconds: seconds)
        }
    }
}
