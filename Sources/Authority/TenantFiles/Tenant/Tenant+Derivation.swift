import Determinism
import HTTPMessages
import JOSE
import JSON
import Records

// Whatever a tenant file leaves out follows from names, so that ids, addresses and URIs are the same on every run and
// the same in two files that name things alike.

extension Tenant {
    /// Fills in what `given` leaves out.
    mutating func derive(given: JSONValue) {
        if hosts.isEmpty {
            hosts = kind == .workforce ? ["login.microsoftonline.com"] : ["\(name).b2clogin.com"]
        }
        if authority.extensionsAppId == .empty {
            authority.extensionsAppId = GUID.derived(from: "tenant/\(name)/b2c-extensions-app")
        }
        each(\.policies) { $0.derivePolicy(&$1) }
        each(\.apis) { $0.deriveAPI(&$1, given: given["apis", $1.name]) }
        each(\.providers) { $0.deriveProvider(&$1, given: given["providers", $1.name]) }
        each(\.users) { $0.deriveUser(&$1) }
        deriveKeySets(given: given["keySets"])
        each(\.apps) { $0.deriveApp(&$1, given: given["apps", $1.name]) }
    }

    /// Derives each element of a list from the rest of the tenant.
    ///
    /// The list is taken out meanwhile. The tenant is read while an element changes, so a list that stayed in it would be
    /// copied whole for every element.
    private mutating func each<Item>(
        _ list: WritableKeyPath<Tenant, [Item]>, _ derive: (Tenant, inout Item) -> Void
    ) {
        var items: [Item] = []
        swap(&items, &self[keyPath: list])
        for index in items.indices { derive(self, &items[index]) }
        swap(&items, &self[keyPath: list])
    }

    private func derivePolicy(_ policy: inout PolicySettings) {
        if policy.id.isEmpty { policy.id = policy.name }
        if !PolicyType.supported.contains(policy.type) {
            policy.unsupported = "policy \"\(policy.name)\" has type \(policy.type.rawValue), which is not built yet"
        }
    }

    private func deriveAPI(_ api: inout APISettings, given: JSONValue?) {
        if api.baseUrl.isEmpty { api.baseUrl = "https://\(api.name.lowercased()).api.\(name).test" }
        if api.appIdUri.isEmpty { api.appIdUri = "https://\(domain)/\(api.name)" }
        if api.clientId.isEmpty { api.clientId = GUID.derived(from: "tenant/\(name)/apis/\(api.name)").description }
        let validation = given?["validation"]
        if validation?["metadata"] == nil {
            api.validation.metadata = policies.filter { $0.unsupported == nil && $0.type != .ropc }.map(\.name)
        }
        if validation?["audiences"] == nil { api.validation.audiences = [api.clientId] }
    }

    private func deriveProvider(_ provider: inout ProviderSettings, given: JSONValue?) {
        let known = WellKnownProvider.named(provider.name)
        if provider.exchange.isEmpty {
            provider.exchange =
                known?.exchange ?? provider.name.prefix(1).uppercased() + provider.name.dropFirst() + "Exchange"
        }
        if provider.domain.isEmpty { provider.domain = known?.domain ?? "\(provider.name.lowercased()).provider.test" }
        if provider.issuer.isEmpty { provider.issuer = "https://\(provider.name.lowercased()).provider.test" }
        if given?["type"] == nil, let type = known?.type { provider.type = type }
    }

    private func deriveUser(_ user: inout UserRecord) {
        if user.username == nil { user.username = user.name }
        if user.objectId == .empty { user.objectId = GUID.derived(from: "tenant/\(name)/users/\(user.name)") }
    }

    private mutating func deriveKeySets(given: JSONValue?) {
        for (setName, key) in [("service", "k1"), ("tenant", "tenant"), ("grants", "grants")]
        where keySet(named: setName) == nil {
            keySets.append(
                KeySetSettings {
                    $0.name = setName
                    $0.use = key
                    $0.publish = [key]
                })
        }
        for index in keySets.indices {
            guard let entry = given?[keySets[index].name] else { continue }
            if entry["publish"] == nil { keySets[index].publish = [keySets[index].use] }
            if entry["use"] == nil, let first = keySets[index].publish.first { keySets[index].use = first }
        }
    }

    private func deriveApp(_ app: inout AppSettings, given: JSONValue?) {
        if given?["client", "kind"] == nil, given?["platform", "os"] != nil {
            app.client.kind = ClientKind.standard(on: app.platform.os)
        }
        derivePlatform(&app.platform, of: app, given: given?["platform"])
        deriveRegistrationID(&app.registration, of: app)
        deriveClient(&app.client, of: app, given: given?["client"])
        if given?["registration", "redirectUris"] == nil {
            app.registration.redirectUris[app.client.kind.traits.platformType] = [app.client.redirectUri]
        }
        if given?["registration", "scopes"] == nil {
            app.registration.scopes = apis.flatMap(\.scopeNames) + (kind == .workforce ? ["User.Read"] : [])
        }
        deriveFromClient(&app.platform, client: app.client, given: given?["platform"])
    }

    private func derivePlatform(_ platform: inout PlatformSettings, of app: AppSettings, given: JSONValue?) {
        if given?["os"] == nil { platform.os = app.client.kind.traits.systems[0] }
        if platform.bundleId.isEmpty { platform.bundleId = "com.\(name).\(app.name)" }
        if platform.teamId.isEmpty {
            platform.teamId = String(
                GUID.derived(from: "tenant/\(name)/team").uppercase.filter { $0 != "-" }.prefix(10))
        }
        if platform.origin.isEmpty { platform.origin = "https://\(app.name.lowercased()).\(name).test" }
        if platform.os == .android, platform.signatureHash == nil {
            // As long as a SHA-1 value.
            let digits = ["a", "b"].flatMap { GUID.derived(from: "tenant/\(name)/signing key/\($0)").bytes }
            platform.signatureHash = Base64.encode(Array(digits.prefix(20)))
        }
        if given?["keychainGroup"] == nil {
            platform.keychainGroup =
                platform.os == .macos ? "com.microsoft.identity.universalstorage" : "com.microsoft.adalcache"
        }
        if given?["keychainGroups"] == nil {
            platform.keychainGroups = platform.keychainGroup.isEmpty ? [] : [platform.keychainGroup]
        }
    }

    private func deriveRegistrationID(_ registration: inout RegistrationSettings, of app: AppSettings) {
        if registration.clientId.isEmpty {
            registration.clientId = GUID.derived(from: "tenant/\(name)/apps/\(app.name)").description
        }
    }

    private func deriveClient(_ client: inout ClientSettings, of app: AppSettings, given: JSONValue?) {
        let traits = client.kind.traits
        if client.clientId.isEmpty { client.clientId = app.registration.clientId }
        if client.clientSecret == nil { client.clientSecret = app.registration.secrets.first }
        if client.redirectUri.isEmpty {
            // Where Info.plist lacks both schemes of the library, the usual one, so that its checks have one to refuse.
            let own = app.platform.redirect(of: client.kind, clientID: client.clientId)
            client.redirectUri =
                (try? own.get())?.uri ?? app.platform.standardRedirectURI(for: client.kind)
        }
        if client.policy == nil, client.authority == nil, policies.count == 1 { client.policy = policies[0].name }
        if given?["authorityType"] == nil { client.authorityType = kind == .workforce ? .workforce : .b2c }
        if given?["scopes"] == nil {
            client.scopes = kind == .workforce ? ["User.Read"] : apis.first?.scopeNames ?? [client.clientId]
        }
        if given?["responseMode"] == nil { client.responseMode = traits.responseMode(client) }
        if given?["prompt"] == nil { client.prompt = traits.prompt }
        if given?["cacheAttached"] == nil { client.cacheAttached = traits.persistsCache }
        if given?["serverRetries"] == nil { client.serverRetries = traits.serverRetries }
        var checks = traits.checks
        if let written = given?["checks"] {
            // Findings about these values were made when the app was read.
            _ = checks.read(written, SettingsCursor(allowsTemplates: true))
        }
        client.checks = checks
    }

    private func deriveFromClient(_ platform: inout PlatformSettings, client: ClientSettings, given: JSONValue?) {
        if given?["urlSchemes"] == nil, let colon = client.redirectUri.firstIndex(of: ":") {
            platform.urlSchemes = [String(client.redirectUri[..<colon])]
        }
        if platform.os == .android, let url = WebURL(client.redirectUri) {
            let right = ManifestFilter(taking: url)
            var filter = platform.manifest ?? right
            if given?["manifest", "scheme"] == nil { filter.scheme = right.scheme }
            if given?["manifest", "host"] == nil { filter.host = right.host }
            if given?["manifest", "path"] == nil { filter.path = right.path }
            platform.manifest = filter
        }
    }
}

extension ClientKind {
    /// The library that an app on a system uses unless it says otherwise.
    static func standard(on os: OperatingSystem) -> ClientKind {
        switch os {
        case .ios: .msalIOS
        case .macos: .msalMacOS
        case .android: .msalAndroid
        case .windows, .linux: .msalDotNet
        case .web: .msalBrowser
        }
    }
}

/// Providers that a user flow knows by name, with their exchange id and domain hint (Microsoft docs: direct-signin).
struct WellKnownProvider {
    var exchange: String
    var domain: String
    var type: ProviderType

    static func named(_ name: String) -> WellKnownProvider? {
        switch name.lowercased() {
        case "facebook": WellKnownProvider(exchange: "FacebookExchange", domain: "facebook.com", type: .oauth2)
        case "google": WellKnownProvider(exchange: "GoogleExchange", domain: "google.com", type: .oauth2)
        case "amazon": WellKnownProvider(exchange: "AmazonExchange", domain: "amazon.com", type: .oauth2)
        case "github": WellKnownProvider(exchange: "GitHubExchange", domain: "github.com", type: .oauth2)
        case "linkedin": WellKnownProvider(exchange: "LinkedInExchange", domain: "linkedin.com", type: .oauth2)
        case "microsoft":
            WellKnownProvider(exchange: "MicrosoftAccountExchange", domain: "microsoft.com", type: .oauth2)
        case "apple": WellKnownProvider(exchange: "AppleExchange", domain: "apple.com", type: .oidc)
        case "twitter": WellKnownProvider(exchange: "TwitterExchange", domain: "twitter.com", type: .oauth2)
        case "wechat": WellKnownProvider(exchange: "WeChatExchange", domain: "wechat.com", type: .oauth2)
        case "weibo": WellKnownProvider(exchange: "WeiboExchange", domain: "weibo.com", type: .oauth2)
        case "qq": WellKnownProvider(exchange: "QQExchange", domain: "qq.com", type: .oauth2)
        default: nil
        }
    }
}
