import Determinism
import Diagnostics
import JSON
import Records

extension Tenant {
    /// Reads a tenant object, fills in the defaults and derives missing values.
    ///
    /// Throws all findings at once; they name the value by its JSON pointer, since no file is known here.
    public init(json: JSONValue) throws(InvalidInput) {
        let cursor = SettingsCursor()
        self = Tenant.read(json, cursor)
        guard cursor.findings.all.isEmpty else {
            throw InvalidInput(diagnostics: cursor.findings.all.map { $0.diagnostic(in: nil, at: .root) })
        }
    }

    /// A tenant of that name with nothing in it.
    public init(name: String) {
        self = Tenant.read(.object(["name": .string(name)]), SettingsCursor())
    }

    /// Reads what can be read; what cannot is noted at the cursor and left at its default.
    static func read(_ json: JSONValue, _ cursor: SettingsCursor) -> Tenant {
        let table = TenantTable.decode(json, cursor) ?? TenantTable()
        var tenant = Tenant(table)
        tenant.derive(given: json)
        return tenant
    }

    private init(_ table: TenantTable) {
        name = table.name.isEmpty ? "contoso" : table.name
        id = table.id ?? GUID.derived(from: "tenant/\(name)")
        kind = table.kind
        live = table.live
        hosts = table.hosts
        policies = table.policies
        apps = table.apps
        apis = table.apis
        users = table.users
        providers = table.providers
        rest = table.rest
        keySets = table.keySets
        policyKeys = table.policyKeys
        policySettingValues = table.policySettings
        policySettingsFile = table.policySettingsFile
        policyEnvironment = table.policyEnvironment
        policyFolders = table.policyFolders
        authority = table.authority
        device = table.device
        browser = table.browser
        inbox = table.inbox
    }

    /// The whole tenant file with all defaults filled in, as far as they apply: a custom policy has no second factor, an
    /// app for iOS no origin. Reading it gives this tenant again.
    public var json: JSONValue {
        var table = TenantTable()
        table.name = name
        table.id = id
        table.kind = kind
        table.live = live
        table.hosts = hosts
        table.policies = policies
        table.apps = apps
        table.apis = apis
        table.users = users
        table.providers = providers
        table.rest = rest
        table.keySets = keySets
        table.policyKeys = policyKeys
        table.policySettings = policySettingValues
        table.policySettingsFile = policySettingsFile
        table.policyEnvironment = policyEnvironment
        table.policyFolders = policyFolders
        table.authority = authority
        table.device = device
        table.browser = browser
        table.inbox = inbox
        return TenantFile.placed(.object(table.object), of: self)
    }
}

extension Tenant: Equatable {
    /// Two tenants are equal when they would be written alike.
    public static func == (left: Tenant, right: Tenant) -> Bool { left.json == right.json }
}
