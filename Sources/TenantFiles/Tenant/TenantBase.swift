import Determinism
import JSON
import Records

/// A tenant as its file says it, for reading others that differ from it in a few places: only these are read.
public final class TenantBase: Sendable {
    let json: JSONValue
    let table: TenantTable
    /// Whether texts with `{{...}}` stand for values that are not known yet.
    let allowsTemplates: Bool

    /// - Returns: `nil` if something is wrong with it.
    public init?(_ json: JSONValue, allowsTemplates: Bool) {
        let cursor = SettingsCursor(allowsTemplates: allowsTemplates)
        guard let table = TenantTable.decode(json, cursor), cursor.findings.all.isEmpty else { return nil }
        self.json = json
        self.table = table
        self.allowsTemplates = allowsTemplates
    }

    /// What the file of another tenant says; `nil` where all of it has to be read.
    func table(of other: JSONValue, _ cursor: SettingsCursor) -> TenantTable? {
        guard cursor.allowsTemplates == allowsTemplates else { return nil }
        return TenantTable.decode(other, like: (json, table), allowsTemplates: allowsTemplates)
    }
}

/// Tenants as far as they are known before `{{...}}` are replaced, each read once: the checks of a script ask for the same
/// few. Used by one reading at a time.
public final class TenantOutlines {
    /// What was read, and what is wrong with it.
    struct Outline {
        var tenant: Tenant
        var findings: [SettingsFinding]
    }

    /// So many are kept.
    private static let limit = 16

    private let base: Deferred<TenantBase?>?
    private var known: [(json: JSONValue, outline: Outline)] = []
    private var oldest = 0

    /// - Parameter base: The tenant that the others differ from in a few places.
    public init(over base: Deferred<TenantBase?>? = nil) {
        self.base = base
    }

    /// The tenant of a JSON object.
    public func tenant(of json: JSONValue) -> Tenant { outline(of: json).tenant }

    func outline(of json: JSONValue) -> Outline {
        if let found = known.first(where: { $0.json == json }) { return found.outline }
        let cursor = SettingsCursor(allowsTemplates: true)
        let tenant = Tenant.read(json, cursor, over: base?.value)
        let outline = Outline(tenant: tenant, findings: cursor.findings.all)
        if known.count < Self.limit {
            known.append((json, outline))
        } else {
            known[oldest] = (json, outline)
            oldest = (oldest + 1) % Self.limit
        }
        return outline
    }
}
