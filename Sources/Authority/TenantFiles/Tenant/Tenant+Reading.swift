import Determinism
import Diagnostics
import JSON
import Records

extension Tenant {
    /// Reads a tenant object, fills in the defaults and derives missing values.
    ///
    /// Throws all findings at once; they name the value by its JSON pointer, since no file is known here.
    ///
    /// - Parameter base: A tenant that differs from it in a few places: only these are read.
    public init(json: JSONValue, over base: TenantBase? = nil) throws(InvalidInput) {
        let cursor = SettingsCursor()
        self = Tenant.read(json, cursor, over: base)
        guard cursor.findings.all.isEmpty else {
            throw InvalidInput(diagnostics: cursor.findings.all.map { $0.diagnostic(in: nil, at: .root) })
        }
    }

    /// A tenant of that name with nothing in it.
    public init(name: String) {
        self = Tenant.read(.object(["name": .string(name)]), SettingsCursor())
    }

    /// Reads what can be read; what cannot is noted at the cursor and left at its default.
    ///
    /// - Parameter base: A tenant that differs from it in a few places: only these are read.
    static func read(_ json: JSONValue, _ cursor: SettingsCursor, over base: TenantBase? = nil) -> Tenant {
        let table = base?.table(of: json, cursor) ?? TenantTable.decode(json, cursor) ?? TenantTable()
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
        pageFolders = table.pages
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
    public var json: JSONValue { TenantFile.placed(.object(table.object), of: self) }

    /// One member of the whole file: `users`, `policies`; `nil` if the file has no such key or it holds nothing.
    public func json(of section: String) -> JSONValue? {
        guard let value = TenantTable.setting(named: section)?.write(table) else { return nil }
        return TenantFile.placed(.object([section: value]), of: self)[section]
    }

    private var table: TenantTable {
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
        table.pages = pageFolders
        table.policySettings = policySettingValues
        table.policySettingsFile = policySettingsFile
        table.policyEnvironment = policyEnvironment
        table.policyFolders = policyFolders
        table.authority = authority
        table.device = device
        table.browser = browser
        table.inbox = inbox
        return table
    }
}

extension Tenant: Equatable {
    /// Two tenants are equal when they would be written alike.
    public static func == (left: Tenant, right: Tenant) -> Bool { left.json == right.json }
}
