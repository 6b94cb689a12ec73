import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// Turns a story into the two files: first everything is learnt that settings depend on, then the steps are written.
struct Writing {
    let traffic: Traffic
    let story: Story
    let options: CaptureImport.Options

    var people = People()
    var policies: [PolicyGuess] = []
    var policyIndex: [String: Int] = [:]
    var clients: [ClientGuess] = []
    /// Positions in `clients` by id in lower case.
    private var clientIndex: [String: Int] = [:]
    var apis: [APIGuess] = []
    /// Providers by the id of their claims exchange.
    var providers: [(exchange: String, name: String, domain: String?)] = []
    /// The person of each item of the story.
    var actors: [Int?] = []
    private(set) var notes: [String] = []
    private(set) var lines: [String] = []
    private var policyNames = UniqueNames()
    private var providerNames = UniqueNames()
    private var clientNames = UniqueNames()
    private var apiNames = UniqueNames()

    /// One web API of a capture.
    struct APIGuess {
        var name: String
        var appIdUri: String?
        var scopes: [String] = []
        var baseURL: String?
        var clientID: String?
        /// Paths that were called, where no scope is known that would open them.
        var openPaths: [String] = []
        /// Its answers let pages of other origins read them.
        var isShared = false
    }

    init(traffic: Traffic, story: Story, options: CaptureImport.Options) {
        self.traffic = traffic
        self.story = story
        self.options = options
    }

    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Both files and what there is to say.
    func files() -> CaptureImport.Files {
        var copy = self
        return copy.write()
    }

    private mutating func write() -> CaptureImport.Files {
        for text in options.notes + story.notes { note(text) }
        learnPolicies()
        learnClients()
        learnAPIs()
        learnPeople()
        for index in policies.indices { finish(policy: index) }
        var steps = StepWriter(self)
        steps.run()
        people = steps.writing.people
        giveNames()
        notes = steps.writing.notes
        noteWhatIsLeft()
        let name = options.name.map(Self.fileName) ?? usualName()
        return CaptureImport.Files(
            name: name, tenant: tenantJSON(), scenario: scenarioJSON(name, steps), notes: notes, steps: steps.lines,
            origins: steps.origins)
    }

    // MARK: Policies

    func policy(_ id: String?) -> PolicyGuess? {
        id.flatMap { policyIndex[$0.lowercased()] }.map { policies[$0] }
    }

    func policyName(_ id: String?) -> String? { policy(id)?.name }

    private mutating func add(policy id: String) {
        // Traffic can hold anything; no policy of a tenant file has such an id.
        guard !id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return }
        let key = id.lowercased()
        guard policyIndex[key] == nil else {
            // Servers know the right letter case; clients often write lower case.
            if let index = policyIndex[key], policies[index].id == policies[index].id.lowercased() {
                policies[index].id = id
            }
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
                guard let id = flow.policy, let index = policyIndex[id] else { continue }
                for page in flow.pages {
                    policies[index].learn(page)
                    if let written = page.settings?.policy, written.lowercased() == id { policies[index].id = written }
                }
                policies[index].learn(postsOf: flow)
                policies[index].walks.append(flow.pages.map(\.record.name))
                for act in flow.acts {
                    if case .sendCode(_, true) = act.kind { policies[index].secondFactor = "call" }
                    if case .provider(let exchange) = act.kind { learnProvider(exchange, flow, policy: index) }
                }
                learn(tokensOf: flow.token, front: flow.frontTokens["id_token"], policy: index)
            case .token(let call):
                guard let id = call.policy, let index = policyIndex[id] else { continue }
                if call.grant == "password" { policies[index].isPasswordGrant = true }
                learn(tokensOf: call, front: nil, policy: index)
            case .logout(let call):
                // None of these comes where the policy takes a sign-out without a token.
                let codes = ["90006", "90235", "90237", "90238", "90239", "90240", "90272"]
                guard let id = call.policy, let index = policyIndex[id], let code = call.page?.b2cCode,
                    codes.contains(String(code.suffix(5)))
                else { continue }
                policies[index].requiresIDTokenAtLogout = true
            case .api, .userInfo: continue
            }
        }
        for index in policies.indices { policies[index].decideType() }
    }

    private mutating func learnProvider(_ exchange: String, _ flow: Flow, policy index: Int) {
        if !providers.contains(where: { $0.exchange == exchange }) {
            let word = exchange.lowercased().hasSuffix("exchange") ? String(exchange.dropLast(8)) : exchange
            let letters = word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            let name = providerNames.take(letters.isEmpty ? "provider" : letters.lowercased())
            let claims = flow.token?.claims("id_token") ?? flow.frontTokens["id_token"]
            providers.append((exchange, name, claims?["idp"]?.stringValue))
        }
        guard let name = providers.first(where: { $0.exchange == exchange })?.name else { return }
        if !policies[index].providers.contains(name) { policies[index].providers.append(name) }
    }

    private mutating func learn(tokensOf call: TokenCall?, front: JSONObject?, policy index: Int) {
        for claims in [call?.claims("id_token"), front].compactMap({ $0 }) {
            policies[index].learn(idToken: claims)
            if let id = (claims["tfp"] ?? claims["acr"])?.stringValue,
                id.lowercased() == policies[index].id.lowercased(),
                policies[index].id == policies[index].id.lowercased()
            {
                policies[index].id = id
            }
        }
        guard let json = call?.json, call?.isGood ?? false else { return }
        if let seconds = json["expires_in"]?.intValue {
            policies[index].learn("accessToken", seconds: seconds, usual: 3600)
        }
        // Refreshed tokens live shorter as the sliding window ends: the first one decides. Single-page apps always have 24 h.
        if call?.grant == "authorization_code", let seconds = json["refresh_token_expires_in"]?.intValue,
            seconds != 86_400
        {
            policies[index].learn("refreshToken", seconds: seconds, usual: 1_209_600)
        }
    }

    /// What is left to say of a policy once everything is learnt.
    private mutating func finish(policy index: Int) {
        let policy = policies[index]
        if policy.isCustom {
            note(
                "\(policy.id) is a custom policy, and its XML is in no capture: a user flow of type \(policy.type.rawValue) "
                    + "replaces it. Put `\"type\": \"custom\", \"file\": \"YOUR.xml\"` in its place to play the real one."
            )
        }
        if policy.isByName {
            note(
                "No page of \(policy.id) is in the capture: its type, \(policy.type.rawValue), was guessed from its name."
            )
        }
        if !policy.unknownClaims.isEmpty {
            note(
                "Claims of \(policy.id) that user flows of the mock do not return: "
                    + policy.unknownClaims.joined(separator: ", ") + ".")
        }
        if !policy.unknownFields.isEmpty {
            note(
                "Fields on pages of \(policy.id) that user flows of the mock do not ask for: "
                    + policy.unknownFields.joined(separator: ", ") + ".")
        }
        if policy.remembers {
            note("How long \(policy.id) keeps people signed in is in no capture; the tenant file says seven days.")
        }
    }

    // MARK: Clients

    func client(_ id: String?) -> Int? {
        guard let id else { return clients.isEmpty ? nil : 0 }
        return clientIndex[id.lowercased()]
    }

    private mutating func add(client id: String) -> Int {
        let index = clients.count
        clientIndex[id.lowercased()] = index
        clients.append(ClientGuess(clientID: id))
        return index
    }

    private mutating func learnClients() {
        var evidence: [String: ClientGuess.Evidence] = [:]
        func guess(_ id: String, _ change: (inout ClientGuess, inout ClientGuess.Evidence) -> Void) {
            let key = id.lowercased()
            let index = clientIndex[key] ?? add(client: id)
            var facts = evidence[key] ?? ClientGuess.Evidence()
            change(&clients[index], &facts)
            evidence[key] = facts
        }
        let only = onlyClientID
        for item in story.items {
            switch item {
            case .flow(let flow):
                guard let id = flow.clientID ?? only else { continue }
                guess(id) { Self.learn(flow, &$0, &$1) }
                if let call = flow.token { guess(id) { Self.learn(call, &$0, &$1) } }
            case .token(let call):
                guard let id = call.clientID ?? only else { continue }
                let isPasswordPolicy = policy(call.policy)?.type == .ropc
                guess(id) {
                    Self.learn(call, &$0, &$1)
                    if isPasswordPolicy { $0.usesPasswordGrant = true }
                }
            case .logout, .api, .userInfo: continue
            }
        }
        if clients.isEmpty {
            _ = add(client: GUID.derived(from: "imported app").description)
            note("No request of the capture names the app: its client id was made up.")
        }
        learnPauses()
        for index in clients.indices {
            let facts = evidence[clients[index].clientID.lowercased()] ?? ClientGuess.Evidence()
            let (kind, because) = ClientGuess.kind(facts)
            clients[index].kind = kind
            clients[index].evidence = because
            clients[index].longestSignIn = facts.longestSignIn
            clients[index].name = clientNames.take(ClientGuess.word(kind))
            if let sku = facts.sku, kind == .appAuth {
                note("The library of the app (\(sku)) is not played; an OpenID Connect client replaces it.")
            }
            if kind == .web, clients[index].responseMode == "fragment" {
                clients[index].responseMode = nil
                note("The app has its answer in the fragment, which no server sees: response_mode is omitted.")
            }
            people.keep(guid: clients[index].clientID)
        }
    }

    /// Whether apps try again, and whether they hold back after a refusal: MSAL answers a silent call from memory for a
    /// while (facts: msal-client, "throttling").
    private mutating func learnPauses() {
        var refused: [Int: TokenCall] = [:]
        for item in story.items {
            switch item {
            case .flow(let flow):
                guard let index = client(flow.clientID) else { continue }
                if let call = flow.token { learnRetries(call, index) }
                if refused[index].map({ !$0.isDown }) ?? false { refused[index] = nil }
            case .token(let call):
                guard let index = client(call.clientID) else { continue }
                learnRetries(call, index)
                if let before = refused[index], before.form["scope"] == call.form["scope"], before.policy == call.policy
                {
                    let pause: TimeSpan = before.exchange.response?.status == 400 ? .seconds(120) : .seconds(60)
                    if call.exchange.started - before.exchange.started < pause { clients[index].asksAgain = true }
                }
                refused[index] = call.isGood ? nil : call
            case .logout, .api, .userInfo: continue
            }
        }
    }

    private mutating func learnRetries(_ call: TokenCall, _ index: Int) {
        guard call.isDown || !call.earlier.isEmpty else { return }
        clients[index].retries = max(clients[index].retries ?? 0, call.earlier.count)
    }

    /// The client id of the capture where there is just one: requests whose bodies are missing are its.
    private var onlyClientID: String? {
        var ids: Set<String> = []
        for item in story.items {
            var id: String?
            switch item {
            case .flow(let flow): id = flow.clientID
            case .token(let call): id = call.clientID
            default: break
            }
            if let id { ids.insert(id.lowercased()) }
        }
        return ids.count == 1 ? ids.first : nil
    }

    private static func learn(_ flow: Flow, _ client: inout ClientGuess, _ facts: inout ClientGuess.Evidence) {
        if let uri = flow.query["redirect_uri"] {
            if !client.redirectURIs.contains(uri) { client.redirectURIs.append(uri) }
            if case .page(let code) = flow.ending, code == "AADB2C90006" || code == "AADB2C90007" {
                if !client.refusedRedirectURIs.contains(uri) { client.refusedRedirectURIs.append(uri) }
            }
            facts.redirectURI = facts.redirectURI ?? uri
        }
        facts.sku = facts.sku ?? flow.clientSKU
        if let duration = flow.duration {
            var isUnused = false
            if case .code = flow.ending { isUnused = flow.token == nil }
            facts.answers.append((duration, isUnused))
        }
        if flow.query["code_challenge"] != nil { facts.usesPKCE = true }
        if let mode = flow.query["response_mode"] {
            facts.responseMode = facts.responseMode ?? mode
            if !flow.isSilent { client.responseMode = client.responseMode ?? mode }
        }
        if let type = flow.query["response_type"], !flow.isSilent {
            client.responseType = client.responseType ?? type
            if type.contains("token") { client.wantsImplicit = true }
        }
        if client.policy == nil { client.policy = flow.policy }
        if client.form == nil { client.form = flow.form }
        if client.scopes == nil, let scope = flow.query["scope"] { client.scopes = scopes(scope) }
    }

    private static func learn(_ call: TokenCall, _ client: inout ClientGuess, _ facts: inout ClientGuess.Evidence) {
        facts.hasTokenRequest = true
        if call.hasSecret { facts.hasSecret = true }
        if call.exchange.request.headers["Origin"] != nil { facts.hasOrigin = true }
        facts.sku = facts.sku ?? call.exchange.request.headers["x-client-SKU"] ?? call.form["x-client-SKU"]
        if let uri = call.form["redirect_uri"], client.redirectURIs.isEmpty { client.redirectURIs.append(uri) }
        facts.redirectURI = facts.redirectURI ?? call.form["redirect_uri"]
        if call.grant == "password" { client.usesPasswordGrant = true }
        if client.policy == nil { client.policy = call.policy }
        if client.scopes == nil, let scope = call.form["scope"] { client.scopes = scopes(scope) }
    }

    /// The scopes that an app asks for itself.
    static func scopes(_ text: String) -> [String] { ScopeList(parsing: text).withoutReserved.scopes }

    // MARK: APIs

    private mutating func learnAPIs() {
        for item in story.items {
            switch item {
            case .flow(let flow):
                learn(
                    scopes: flow.query["scope"],
                    audience: flow.token?.claims("access_token") ?? flow.frontTokens["access_token"])
                if let scope = flow.token?.form["scope"] {
                    learn(scopes: scope, audience: flow.token?.claims("access_token"))
                }
            case .token(let call): learn(scopes: call.form["scope"], audience: call.claims("access_token"))
            case .logout, .api, .userInfo: continue
            }
        }
        for item in story.items {
            guard case .api(let exchange) = item else { continue }
            let url = exchange.request.url
            if let index = api(at: url) {
                if apis[index].appIdUri == nil, !apis[index].openPaths.contains(url.path) {
                    apis[index].openPaths.append(url.path)
                }
            } else if let free = apis.firstIndex(where: { $0.baseURL == nil }) {
                apis[free].baseURL = url.origin
            } else {
                let name = apiNames.take("api")
                apis.append(APIGuess(name: name, baseURL: url.origin, openPaths: [url.path]))
                note(
                    "Which scope opens \(url.origin) is not in the capture: the API of the mock takes calls there without a token."
                )
            }
            if exchange.response?.headers["Access-Control-Allow-Origin"] != nil, let index = api(at: url) {
                apis[index].isShared = true
            }
        }
    }

    /// The API that answers at an address.
    func api(at url: WebURL) -> Int? {
        apis.firstIndex { $0.baseURL == url.origin }
    }

    private mutating func learn(scopes text: String?, audience claims: JSONObject?) {
        var found: [Int] = []
        for scope in Self.scopes(text ?? "") {
            guard let slash = scope.lastIndex(of: "/"), scope.contains("://") else { continue }
            let resource = String(scope[..<slash])
            let short = String(scope[scope.index(after: slash)...])
            guard !short.isEmpty, !resource.hasSuffix("/"), !resource.contains("graph.microsoft.com") else { continue }
            let index: Int
            if let known = apis.firstIndex(where: { $0.appIdUri?.lowercased() == resource.lowercased() }) {
                index = known
            } else {
                let last = resource.split(separator: "/").last.map(String.init) ?? ""
                let word = GUID(last) != nil || last.contains(":") || last.contains(".") ? "api" : last.lowercased()
                apis.append(APIGuess(name: apiNames.take(word), appIdUri: resource))
                index = apis.count - 1
                if let guid = resource.split(separator: "/").last, GUID(String(guid)) != nil {
                    people.keep(guid: String(guid))
                }
            }
            if short != ".default", !apis[index].scopes.contains(short) { apis[index].scopes.append(short) }
            found.append(index)
        }
        if Set(found).count == 1, let index = found.first, apis[index].clientID == nil,
            let audience = claims?["aud"]?.stringValue
        {
            apis[index].clientID = audience
            people.keep(guid: audience)
        }
    }

    // MARK: People

    private mutating func learnPeople() {
        for item in story.items {
            switch item {
            case .flow(let flow): actors.append(learnPeople(of: flow))
            case .token(let call) where call.grant == "password":
                let index = people.person(signInName: call.form["username"] ?? "")
                if call.isGood {
                    people[index].password = people[index].password ?? call.form["password"]
                    people.note(tokenOf: index, call.claims("id_token"))
                }
                actors.append(index)
            case .token(let call):
                actors.append(call.isGood ? people.person(ofToken: call.claims("id_token")) : nil)
            case .logout, .api, .userInfo: actors.append(nil)
            }
        }
        // A capture may hold nothing but requests for tokens.
        if people.all.isEmpty { _ = people.person(of: nil, orElse: nil) }
        for (index, item) in story.items.enumerated() {
            guard let actor = actors[index] else { continue }
            switch item {
            case .flow(let flow): learnAttributes(of: flow, actor)
            case .token(let call) where call.isGood: learn(attributesIn: call.claims("id_token"), actor)
            case .token, .logout, .api, .userInfo: continue
            }
        }
    }

    /// Gives everybody what no account of the directory is without, where the capture does not show it.
    private mutating func giveNames() {
        for index in people.all.indices where people[index].attributes["displayName"] == nil {
            people[index].attributes["displayName"] = people.attribute("displayName", Self.unseen)
        }
    }

    /// What replaces a value that the capture does not show.
    private static let unseen: JSONValue = .string("not in the capture")

    /// Whether a value says of an attribute that it is not there.
    static func isNothing(_ value: JSONValue) -> Bool { value == .string("") || value == .null }

    /// The ids under which pages ask for a sign-in name, most important first.
    static let signInNames = [
        "signInName", "logonIdentifier", "signInNames.emailAddress", "userid", "username", "email", "emailAddress",
        "phoneNumber", "readonlyEmail", "claim_value",
    ]

    static func signInName(in form: FormItems) -> String? {
        for id in signInNames {
            if let value = form.items.first(where: { $0.name.lowercased() == id.lowercased() })?.value, !value.isEmpty,
                // Pages may show an address in part, and send it so.
                !value.contains("*")
            {
                return value
            }
        }
        return nil
    }

    static func password(in form: FormItems, new: Bool = false) -> String? {
        form.items.first { item in
            let name = item.name.lowercased()
            return new ? name == "newpassword" : name == "password" || name == "oldpassword"
        }?.value
    }

    private mutating func learnPeople(of flow: Flow) -> Int? {
        var actor: Int?
        for act in flow.acts {
            let form: FormItems
            switch act.kind {
            case .submit(let typed), .sendCode(let typed, _), .verifyCode(let typed): form = typed
            case .press, .provider, .wrongCaptcha: continue
            }
            if let name = Self.signInName(in: form) {
                // Somebody with a user name has an address too.
                if let actor, name.contains("@"), act.page?.record.name != "signIn", !people[actor].hasEmail {
                    people.link(name, to: actor)
                } else if let actor, !name.contains("@"), Self.password(in: form, new: true) != nil,
                    form["email"].map({ people.has(address: $0, actor) }) ?? false
                {
                    // A person who signs up proves an address first, and then chooses a user name.
                    people.link(userName: name, to: actor)
                } else {
                    actor = people.person(signInName: name)
                    // Pages for a user name ask for the address beside it.
                    if !name.contains("@"), let address = form["email"], let actor { people.link(address, to: actor) }
                }
            }
            // Somebody typed something, though the capture does not say what.
            if actor == nil, act.exchange.lacksRequestBody {
                let claims = flow.token?.claims("id_token") ?? flow.frontTokens["id_token"]
                actor = people.person(of: claims, orElse: nil)
            }
            guard let person = actor, case .submit = act.kind else { continue }
            learn(act, form, person)
        }
        if let actor {
            if flow.setsForcedPassword { people[actor].mustChangePassword = true }
            if flow.pages.contains(where: \.isWall) { people[actor].isRisky = true }
        }
        let claims = flow.token?.claims("id_token") ?? flow.frontTokens["id_token"]
        let isSignedIn: Bool
        switch flow.ending {
        case .code, .tokens: isSignedIn = true
        default: isSignedIn = false
        }
        for act in flow.acts {
            guard case .provider(let exchange) = act.kind,
                let name = providers.first(where: { $0.exchange == exchange })?.name
            else { continue }
            let person = people.person(of: claims, orElse: actor)
            if !people[person].providers.contains(name) {
                people[person].providers.append(name)
                // A person who is asked for more than the provider shows has no account yet.
                let isNew =
                    flow.pages.contains { $0.record.name == "signUp" } || claims?["newUser"] == .bool(true)
                    || flow.asksAfterProvider
                if isNew, people[person].password == nil { people[person].isRegistered = false }
            }
            // Nobody has an account of this name, says the service of a person that the provider knows.
            if case .error(_, let code?) = flow.ending, code == "AADB2C99002" || code == "AADB2C90053",
                people[person].password == nil
            {
                people[person].isRegistered = false
            }
            actor = person
        }
        guard isSignedIn || actor != nil || !flow.acts.isEmpty else { return nil }
        let person = people.person(of: isSignedIn ? claims : nil, orElse: actor)
        let policy = flow.policy.flatMap { policyIndex[$0] }.map { policies[$0] }
        if policy?.signInName == "username", flow.acts.contains(where: { $0.isSubmit && $0.exchange.lacksRequestBody })
        {
            people[person].hasUsername = true
        }
        if flow.isBlind, flow.signsUp, isSignedIn { people[person].isRegistered = false }
        learnNeeds(of: flow, person)
        return person
    }

    /// What somebody must have had to get as far as they did, where the capture does not say what they typed.
    private mutating func learnNeeds(of flow: Flow, _ person: Int) {
        var wasAtProvider = false
        var forgot = flow.policy.flatMap { policyIndex[$0] }.map { policies[$0].type == .passwordReset } ?? false
        for act in flow.acts {
            switch act.kind {
            case .provider: wasAtProvider = true
            case .press(let button): forgot = forgot || button == "forgotPassword"
            case .wrongCaptcha: continue
            case .sendCode, .verifyCode: people[person].hasPhone = people[person].hasPhone || act.isPhone
            case .submit:
                guard act.exchange.lacksRequestBody else { continue }
                switch act.page?.record.name {
                case "newPassword": people[person].setsNewPassword = true
                case "signIn": people[person].usesPassword = true
                case nil where forgot: people[person].setsNewPassword = true
                case nil where !wasAtProvider: people[person].usesPassword = true
                default: break
                }
            }
        }
    }

    private mutating func learn(_ act: Flow.Act, _ form: FormItems, _ person: Int) {
        let page = act.page?.record.name
        // What became of an account while the capture ran, it was not before.
        let isFirst = !people[person].hasActed
        people[person].hasActed = true
        learnAuthenticator(act, form, person)
        if let refusal = act.refusal {
            switch RefusalReason(refusal.code, refusal.message) {
            case .unknownUser where page == "signIn" || page == nil:
                if people[person].password == nil { people[person].isRegistered = false }
            case .locked: people[person].isLocked = isFirst
            case .disabled: people[person].isDisabled = isFirst
            default: break
            }
            return
        }
        // Who was let in has an account, whatever name was refused before.
        if page == "signUp" { people[person].hasSignedUp = true }
        if page == "signIn", act.exchange.lacksRequestBody, !people[person].hasSignedUp {
            people[person].isRegistered = true
        }
        if page == "signUp", people[person].password == nil { people[person].isRegistered = false }
        if let typed = Self.password(in: form, new: true) {
            if page == "signUp" || Self.signInName(in: form) != nil {
                if people[person].password == nil {
                    people[person].password = typed
                    people[person].isRegistered = false
                }
            } else {
                people[person].newPassword = typed
                people[person].setsNewPassword = true
            }
        } else if let typed = Self.password(in: form), people[person].password == nil,
            people[person].newPassword != typed
        {
            people[person].password = typed
        }
        if act.page?.settings?.api.lowercased() == "phonefactor" { people[person].hasPhone = true }
    }

    /// Who was asked for the code of an authenticator app has one, whether the code was right or not.
    private mutating func learnAuthenticator(_ act: Flow.Act, _ form: FormItems, _ person: Int) {
        guard act.page?.record.name == "mfa" else { return }
        if form.items.contains(where: {
            $0.name.lowercased() == "otpcode" || $0.name.lowercased() == "totpverificationcode"
        }),
            policyOfPage(act).map({ policies[$0].secondFactor }) == "totp"
        {
            people[person].usesAuthenticator = true
        }
        if !people[person].usesAuthenticator, act.page?.showsQRCode ?? false {
            people[person].setsUpAuthenticator = true
        }
    }

    private func policyOfPage(_ act: Flow.Act) -> Int? {
        act.page?.settings.flatMap { policyIndex[$0.policy.lowercased()] }
    }

    private mutating func learnAttributes(of flow: Flow, _ person: Int) {
        func learn(_ name: String, _ value: JSONValue) { self.learn(name, value, person) }
        for page in flow.pages where page.record.name != "signIn" {
            for field in page.settings?.fields ?? [] {
                if let text = field.prefilled, !text.isEmpty { learn(field.id, .string(text)) }
            }
        }
        for act in flow.acts {
            if act.page?.settings?.api.lowercased() == "phonefactor" { people[person].hasPhone = true }
            guard case .submit(let form) = act.kind, act.refusal == nil else { continue }
            // What a person changes on the profile page is not what they came with.
            let isEditing =
                flow.policy.flatMap { policyIndex[$0] }.map { policies[$0].type == .profileEditing } ?? false
            if isEditing { continue }
            for item in form.items where !item.value.isEmpty { learn(item.name, .string(item.value)) }
        }
        for claims in [flow.token?.claims("id_token"), flow.frontTokens["id_token"]] {
            self.learn(attributesIn: claims, person)
        }
        // What was refused is what somebody typed all the same.
        for act in flow.acts where act.refusal != nil && act.page?.record.name == "signUp" {
            guard case .submit(let form) = act.kind else { continue }
            for item in form.items where !item.value.isEmpty { learn(item.name, .string(item.value)) }
        }
        // Another address on the same pages is another record, of somebody who types the same.
        for act in flow.acts {
            guard case .sendCode(let form, _) = act.kind, let name = Self.signInName(in: form) else { continue }
            let other = people.person(signInName: name)
            for (name, value) in people[person].attributes.members where people[other].attributes[name] == nil {
                people[other].attributes[name] = value
            }
        }
        // A person who signs up has something for each field, though the capture may not say what.
        let policy = flow.policy.flatMap { policyIndex[$0] }.map { policies[$0] }
        let isSignUp = flow.acts.contains { $0.page?.record.name == "signUp" && $0.isSubmit }
        if isSignUp || (flow.isBlind && flow.signsUp) || flow.asksAfterProvider || policy?.type == .signUp {
            let asked = policy?.attributes ?? []
            for name in asked.isEmpty ? ["displayName"] : asked where people[person].attributes[name] == nil {
                people[person].attributes[name] = people.attribute(name, Self.unseen)
            }
        }
    }

    /// Notes what somebody's record says, as far as nothing before it did.
    private mutating func learn(_ name: String, _ value: JSONValue, _ person: Int) {
        guard UserFlowAttribute.isAsked(name) else { return }
        let stand = people.attribute(name, value)
        if people[person].attributes[name] == nil, !Self.isNothing(stand) { people[person].attributes[name] = stand }
    }

    /// Notes what the claims of an ID token say of somebody's record.
    private mutating func learn(attributesIn claims: JSONObject?, _ person: Int) {
        for (name, value) in claims?.members ?? [] {
            guard let attribute = Self.attribute(ofClaim: name) else { continue }
            learn(attribute, value, person)
        }
    }

    /// The attribute behind a claim of a token, where it is one that a person has.
    static func attribute(ofClaim name: String) -> String? {
        if name.hasPrefix(UserFlowAttribute.customPrefix) { return name }
        return UserFlowAttribute.all.first { $0.isAttribute && $0.isClaim && $0.tokenName == name }?.name
    }

    // MARK: The rest

    private mutating func noteWhatIsLeft() {
        if traffic.tenantSegments.count > 1 {
            let named = Set(traffic.tenantSegments.filter { GUID($0) == nil })
            if named.count > 1 {
                note(
                    "The capture has requests to \(named.count) tenants (\(named.sorted().joined(separator: ", "))); the script plays all at one."
                )
            }
        }
        if !traffic.otherHosts.isEmpty {
            let count = traffic.otherHosts.reduce(0) { $0 + $1.count }
            let hosts = traffic.otherHosts.sorted { ($1.count, $0.host) < ($0.count, $1.host) }
            note(
                "\(HARFile.count(count, "request", "requests")) of other hosts omitted: "
                    + hosts.prefix(6).map { people.scrubbed($0.host) }.joined(separator: ", ")
                    + (hosts.count > 6 ? ", ..." : "") + ".")
        }
    }

    static func fileName(_ text: String) -> String {
        var name = ""
        for character in text.lowercased() {
            let fits = character.isASCII && (character.isLetter || character.isNumber)
            if fits { name.append(character) } else if !name.isEmpty, name.last != "-" { name.append("-") }
        }
        while name.last == "-" { name.removeLast() }
        return name.isEmpty ? "imported" : name
    }

    private func usualName() -> String {
        var ids: [String] = []
        for item in story.items {
            guard case .flow(let flow) = item, let id = flow.policy, !ids.contains(id) else { continue }
            ids.append(id)
        }
        return Self.fileName("imported " + ids.prefix(2).map { policyName($0) ?? $0 }.joined(separator: " "))
    }

    // MARK: Tenant

    /// The tenant's short name and id, from addresses and issuers.
    private func tenantIdentity() -> (name: String, id: String?) {
        var name: String?
        var id: String?
        for segment in traffic.tenantSegments {
            if GUID(segment) != nil { id = id ?? segment }
            if segment.hasSuffix(".onmicrosoft.com"), name == nil { name = String(segment.dropLast(16)) }
        }
        if name == nil {
            name = traffic.authorityHosts.first { $0.hasSuffix(".b2clogin.com") }.map { String($0.dropLast(13)) }
        }
        if name == nil {
            name = traffic.tenantSegments.first { GUID($0) == nil }?.split(separator: ".").first.map(String.init)
        }
        for item in story.items where id == nil {
            var claims: JSONObject?
            switch item {
            case .flow(let flow): claims = flow.token?.claims("id_token") ?? flow.frontTokens["id_token"]
            case .token(let call): claims = call.claims("id_token")
            default: break
            }
            let parts =
                claims?["iss"]?.stringValue.flatMap { WebURL($0)?.path.split(separator: "/").map(String.init) } ?? []
            id = parts.first { GUID($0) != nil }
        }
        return (Self.fileName(name ?? "imported"), id)
    }

    private mutating func hosts(_ name: String) -> [String] {
        var hosts: [String] = []
        for host in traffic.authorityHosts {
            let url = WebURL("https://\(host)/")
            if (url?.isLoopback ?? true) || url?.port != nil {
                note("\(host) is a server of this machine; the script uses the tenant's usual host.")
            } else if !hosts.contains(host) {
                hosts.append(host)
            }
        }
        return hosts == ["\(name).b2clogin.com"] ? [] : hosts
    }

    private mutating func tenantJSON() -> JSONObject {
        let identity = tenantIdentity()
        var tenant = JSONObject()
        tenant["name"] = .string(identity.name)
        tenant["id"] = identity.id.map { .string($0) }
        let hosts = hosts(identity.name)
        if !hosts.isEmpty { tenant["hosts"] = .array(hosts.map { .string($0) }) }
        tenant["policies"] = .object(JSONObject(policies.map { ($0.name, .object($0.json())) }))
        if !apis.isEmpty { tenant["apis"] = .object(JSONObject(apis.map { ($0.name, apiJSON($0)) })) }
        tenant["apps"] = .object(
            JSONObject(clients.map { ($0.name, .object($0.json(policy: policyName($0.policy)))) }))
        if !providers.isEmpty {
            tenant["providers"] = .object(
                JSONObject(
                    providers.map { provider in
                        var entry: JSONObject = ["exchange": .string(provider.exchange)]
                        entry["domain"] = provider.domain.map { .string($0) }
                        return (provider.name, .object(entry))
                    }))
        }
        tenant["users"] = .object(people.json())
        return TenantFile.placed(.object(tenant)).objectValue ?? tenant
    }

    private func apiJSON(_ api: APIGuess) -> JSONValue {
        var entry = JSONObject()
        entry["baseUrl"] = api.baseURL.map { .string($0) }
        entry["appIdUri"] = api.appIdUri.map { .string($0) }
        entry["clientId"] = api.clientID.map { .string($0) }
        if !api.scopes.isEmpty { entry["scopes"] = .array(api.scopes.map { .string($0) }) }
        if api.isShared { entry["allowedOrigins"] = ["*"] }
        if !api.openPaths.isEmpty {
            entry["routes"] = .object(JSONObject(api.openPaths.map { ($0.isEmpty ? "/" : $0, ["anonymous": true]) }))
        }
        return .object(entry)
    }

    // MARK: Scenario

    private func scenarioJSON(_ name: String, _ steps: StepWriter) -> JSONObject {
        var scenario = JSONObject()
        let ids = policies.map(\.id).prefix(3).joined(separator: ", ")
        scenario["name"] = .string("Imported: " + (ids.isEmpty ? name : ids))
        var text = "Imported from \(options.source)."
        for client in clients {
            text += " The app `\(client.name)` is played as \(client.kind.rawValue): \(client.evidence)."
        }
        text += " People, passwords and ids are stand-ins."
        if !notes.isEmpty { text += "\nNot carried over, or guessed:\n- " + notes.joined(separator: "\n- ") }
        scenario["description"] = .string(text)
        scenario["tags"] = ["imported"]
        scenario["tenant"] = .string("tenants/\(name).json")
        scenario["app"] = .string(clients[0].name)
        if let start = story.items.first?.started, start.milliseconds > 0 {
            scenario["clock"] = .string(Timestamp(seconds: start.secondsSinceEpoch).rfc3339)
        }
        scenario["steps"] = .array(steps.steps.map { .object($0) })
        return scenario
    }
}
