import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

extension CapturedTenant {
    // MARK: Clients

    func client(_ id: String?) -> Int? {
        guard let id else { return clients.isEmpty ? nil : 0 }
        return clientIndex[id.lowercased()]
    }

    private mutating func add(client id: String) -> Int {
        clientIndex[id.lowercased()] = clients.count
        clients.append(ClientGuess(clientID: id))
        return clients.count - 1
    }

    mutating func learnClients() {
        // Requests whose bodies are missing are those of the only app that is named.
        let ids = Set(story.items.compactMap { $0.clientID?.lowercased() })
        let only = ids.count == 1 ? ids.first : nil
        for item in story.items where item.asksForTokens {
            guard let id = item.clientID ?? only else { continue }
            let index = clientIndex[id.lowercased()] ?? add(client: id)
            if let flow = item.flow { clients[index].learn(flow) }
            if let call = item.tokenCall { clients[index].learn(call) }
            if case .token(let call) = item, policy(call.policy)?.settings.type == .ropc {
                clients[index].usesPasswordGrant = true
            }
        }
        if clients.isEmpty {
            _ = add(client: GUID.derived(from: "imported app").description)
            note("No request of the capture names the app: its client id was made up.")
        }
        learnPauses()
        for index in clients.indices {
            let kind = clients[index].decideKind()
            clients[index].name = clientNames.take(kind.traits.word)
            if let sku = clients[index].facts.sku, kind.traits.replacesOthers {
                note("The library of the app (\(sku)) is not played; an OpenID Connect client replaces it.")
            }
            if kind.traits.runsOnServer, clients[index].responseMode == "fragment" {
                clients[index].responseMode = nil
                note("The app has its answer in the fragment, which no server sees: response_mode is omitted.")
            }
            people.keep(guid: clients[index].clientID)
        }
    }

    /// Whether apps try again, and whether they hold back after a refusal: MSAL answers a silent call from memory for a
    /// while (MSAL for iOS and macOS, IdentityCore/src/throttling).
    private mutating func learnPauses() {
        var refused: [Int: TokenCall] = [:]
        for item in story.items where item.asksForTokens {
            guard let index = client(item.clientID) else { continue }
            if let call = item.tokenCall, call.isDown || !call.earlier.isEmpty {
                clients[index].retries = max(clients[index].retries ?? 0, call.earlier.count)
            }
            guard case .token(let call) = item else {
                if refused[index].map({ !$0.isDown }) ?? false { refused[index] = nil }
                continue
            }
            if let before = refused[index], before.form["scope"] == call.form["scope"], before.policy == call.policy {
                let pause: TimeSpan = before.exchange.response?.status == 400 ? .seconds(120) : .seconds(60)
                if call.exchange.started - before.exchange.started < pause { clients[index].asksAgain = true }
            }
            refused[index] = call.isGood ? nil : call
        }
    }

    /// The scopes that an app asks for itself.
    static func scopes(_ text: String) -> [String] { ScopeList(parsing: text).withoutReserved.scopes }

    // MARK: APIs

    mutating func learnAPIs() {
        for item in story.items {
            if let flow = item.flow { learn(scopes: flow.query["scope"], audience: flow.accessToken) }
            if let call = item.tokenCall { learn(scopes: call.form["scope"], audience: call.claims("access_token")) }
        }
        // Those whose scopes were learnt have no address yet.
        var free = 0
        for item in story.items {
            guard case .api(let exchange) = item else { continue }
            let url = exchange.request.url
            if let index = api(at: url) {
                if apis[index].appIdUri.isEmpty { apis[index].open(url.path) }
            } else if free < apis.count {
                apis[free].baseUrl = url.origin
                apiOrigins[url.origin] = free
                free += 1
            } else {
                let index = add(api: "api") { $0.baseUrl = url.origin }
                apiOrigins[url.origin] = index
                free = apis.count
                apis[index].open(url.path)
                note(
                    "Which scope opens \(url.origin) is not in the capture: the API of the mock takes calls there without a token."
                )
            }
            if exchange.response?.headers["Access-Control-Allow-Origin"] != nil, let index = api(at: url) {
                apis[index].allowedOrigins = ["*"]
            }
        }
    }

    /// The API that answers at an address.
    func api(at url: WebURL) -> Int? { apiOrigins[url.origin] }

    private mutating func add(api word: String, _ change: (inout APISettings) -> Void) -> Int {
        var api = APISettings()
        api.name = apiNames.take(word)
        api.scopes = []
        change(&api)
        apis.append(api)
        return apis.count - 1
    }

    private mutating func learn(scopes text: String?, audience claims: JSONObject?) {
        var found: [Int] = []
        for scope in Self.scopes(text ?? "") {
            guard let slash = scope.lastIndex(of: "/"), scope.contains("://") else { continue }
            let resource = String(scope[..<slash])
            let short = String(scope[scope.index(after: slash)...])
            guard !short.isEmpty, !resource.hasSuffix("/"), !resource.contains("graph.microsoft.com") else { continue }
            let index: Int
            if let known = apiResources[resource.lowercased()] {
                index = known
            } else {
                let last = resource.split(separator: "/").last.map(String.init) ?? ""
                let word = GUID(last) != nil || last.contains(":") || last.contains(".") ? "api" : last.lowercased()
                index = add(api: word) { $0.appIdUri = resource }
                apiResources[resource.lowercased()] = index
                if let guid = resource.split(separator: "/").last, GUID(String(guid)) != nil {
                    people.keep(guid: String(guid))
                }
            }
            if short != ".default" { apis[index].scopes.note(short) }
            found.append(index)
        }
        if Set(found).count == 1, let index = found.first, apis[index].clientId.isEmpty,
            let audience = claims?["aud"]?.stringValue
        {
            apis[index].clientId = audience
            people.keep(guid: audience)
        }
    }
}

extension APISettings {
    /// Whether a path takes calls without a token.
    func isOpen(_ path: String) -> Bool { routes.contains { $0.path == Self.route(path) && $0.anonymous } }

    /// Lets a path take calls without a token.
    fileprivate mutating func open(_ path: String) {
        guard !isOpen(path) else { return }
        routes.append(
            APIRoute {
                $0.path = Self.route(path)
                $0.anonymous = true
            })
    }

    private static func route(_ path: String) -> String { path.isEmpty ? "/" : path }
}
