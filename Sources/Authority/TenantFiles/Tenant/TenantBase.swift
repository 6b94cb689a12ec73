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
