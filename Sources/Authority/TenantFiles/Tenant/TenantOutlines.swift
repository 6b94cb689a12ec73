import Determinism
import JSON
import Records

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
