import Determinism
import JSON
import Records

/// The top level of a tenant file as it is read and written: nothing derived yet.
struct TenantTable: TenantRecord {
    var name = ""
    var id: GUID?
    var kind = TenantKind.b2c
    var live = false
    var hosts: [String] = []
    var policies: [PolicySettings] = []
    var apps: [AppSettings] = []
    var apis: [APISettings] = []
    var users: [UserRecord] = []
    var providers: [ProviderSettings] = []
    var rest: [RestStub] = []
    var keySets: [KeySetSettings] = []
    var policyKeys: [PolicyKeySettings] = []
    var pages = JSONObject()
    var policySettings = JSONObject()
    var policySettingsFile: String?
    var policyEnvironment: String?
    var policyFolders: [String] = []
    var authority = AuthoritySettings()
    var device = DeviceSettings()
    var browser = BrowserSettings()
    var inbox: InboxSettings?
    var schema: String?

    package static let title = "tenant file"
    package static let summary = """
        The world that scenarios happen in: a tenant, its policies, apps, APIs and people. Only the name is required; \
        everything else is derived from it.
        """
    package static let settings: [Setting<TenantTable>] = {
        var table = SettingsTable<TenantTable>()
        table.add("$schema", \.schema, .optionalText, "Path or URL of the JSON Schema, for editors.")
        table.add(
            "name", \.name, .tenantName,
            "Short name of the tenant: `contoso` has the domain `contoso.onmicrosoft.com`.", required: true)
        table.add("id", \.id, Codec<GUID>.guid.optional(), "Tenant id.", default: "derived from the name")
        table.add("kind", \.kind, .word(), "What the tenant is.")
        table.add(
            "live", \.live, .bool,
            """
            A real tenant: the file holds what a client needs, and secrets come from `{{secret/...}}`; one in \
            the file itself is refused.
            """)
        table.add(
            "hosts", \.hosts, .texts, "Host names at which the authority answers; the first is the default.",
            default: "`NAME.b2clogin.com`; `login.microsoftonline.com` for a workforce tenant")
        table.add("policies", \.policies, .policies, "Policies by name; the entry `*` holds settings for all of them.")
        table.add("apps", \.apps, .keyed("name of the app", \.name, keys: .app), "Apps by name.")
        table.add("apis", \.apis, .keyed("name of the API", \.name, keys: .apiName), "Web APIs by name.")
        table.add("users", \.users, .users, "People by name: the directory, and who can sit at the browser.")
        table.add(
            "providers", \.providers, .keyed("name of the provider", \.name, keys: .provider),
            "Identity providers by name.", limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "rest", \.rest, .keyed("name of the stub", \.name, keys: .restStub),
            "Answers to calls that a policy makes. A call that nothing matches fails the step with the JSON to paste.",
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "keySets", \.keySets, .keyed("name of the key set", \.name, keys: .keySet),
            """
            Signing keys. User flows sign with `service`, custom policies with `tenant`; `grants` seals codes and refresh \
            tokens. Naming a new key creates it.
            """,
            default: "`service`, `tenant` and `grants` with one key each")
        table.add(
            "policyKeys", \.policyKeys, .keyed("storage reference id", \.name, keys: .policyKey),
            "Contents of the storage references of custom policies.",
            default: "made up for the names not given, and reported", limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "pages", \.pages, .textMap,
            """
            Folders that have the files at addresses of page templates, by the beginning of the address: \
            `{"https://cdn.contoso.example/b2c/": "pages"}`. A file is read each time that a browser asks for it.
            """,
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "policySettings", \.policySettings, .textMap, "Values for `{Settings:NAME}` in custom policies.",
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "policySettingsFile", \.policySettingsFile, .optionalText,
            """
            Path of an `appsettings.json` with environments, as the Visual Studio Code extension keeps it: further values \
            for `{Settings:NAME}`.
            """,
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "policyEnvironment", \.policyEnvironment, .optionalText, "Which environment of `policySettingsFile`.",
            default: "the first", limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "policyFolders", \.policyFolders, .texts, "Where parents of a custom policy are found.",
            default: "the folder of the file", limit: .tenants(.b2c, "it has no policies"))
        table.add("authority", \.authority, .record(), "Behaviour of the authority as a whole.")
        table.add("device", \.device, .record(), "The device apps run on.")
        table.add("browser", \.browser, .record(), "The browser of the device.")
        table.add(
            "inbox", \.inbox, .optionalRecord(), "Where codes come from on a live tenant, unless its target file says.")
        return table.rows
    }()
}

extension Codec<String> {
    /// A DNS label: it becomes part of host names.
    static var tenantName: Codec {
        Codec(
            shape: .pattern("^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$", hint: "letters, digits and -"),
            decode: { value, cursor in
                guard let text = value.stringValue, !text.isEmpty, !text.hasPrefix("-"), !text.hasSuffix("-"),
                    text.utf8.allSatisfy({ byte in
                        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    })
                else { return cursor.expected("a name of letters, digits and -", value) }
                return text
            },
            encode: { .string($0) })
    }
}

extension Codec<[PolicySettings]> {
    /// Policies by name; the settings under `*` are the defaults of each.
    static var policies: Codec {
        Codec(
            shape: .map(of: PolicySettings.shape, keyHint: "name of the policy, or *", keys: .policy),
            decode: { value, cursor in
                guard let object = cursor.object(value) else { return nil }
                let shared = object["*"]
                if let shared { _ = PolicySettings.decode(shared, cursor.at("*")) }
                return object.members.compactMap { key, member in
                    if key == "*" { return nil }
                    let inner = cursor.at(key)
                    // The entry is read alone for its findings, then over the shared settings for its value.
                    guard var policy = PolicySettings.decode(member, inner) else { return nil }
                    if let shared {
                        let unheard = SettingsCursor(
                            pointer: inner.pointer, allowsTemplates: inner.allowsTemplates)
                        policy = PolicySettings.decode(shared.merging(patch: member), unheard) ?? policy
                    }
                    policy.name = key
                    return policy
                }
            },
            encode: { policies in
                .object(JSONObject(policies.map { ($0.name, .object($0.object)) }))
            })
    }
}

extension Codec<[UserRecord]> {
    static var users: Codec {
        Codec(
            shape: .map(of: UserRecord.openShape, keyHint: "name of the person", keys: .person),
            decode: { value, cursor in
                guard let object = cursor.object(value) else { return nil }
                return object.members.compactMap { key, member in
                    guard var user = UserRecord.decodeOpen(member, cursor.at(key)) else { return nil }
                    user.name = key
                    return user
                }
            },
            encode: { users in
                .object(JSONObject(users.map { ($0.name, .object($0.json)) }))
            })
    }
}
