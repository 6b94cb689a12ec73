/// Names that published policies have in the place of a tenant's: `yourtenant.onmicrosoft.com` in Microsoft's starter packs,
/// `your-tenant` and `tenant-name` in its articles and samples.
public enum TenantPlaceholder {
    /// The first labels, longer ones first.
    private static let labels = [
        "your-tenant-name", "yourtenantname", "your-tenant", "your_tenant", "yourtenant", "tenant-name", "tenant_name",
    ]

    /// `LABEL.onmicrosoft.com`, as bytes in lower case.
    static let domains: [[UInt8]] = labels.map { Array("\($0).onmicrosoft.com".utf8) }

    /// Whether a tenant's name or domain is one of them, in any letter case.
    public static func isOne(_ tenant: String) -> Bool {
        let label = tenant.prefix { $0 != "." }.lowercased()
        return labels.contains(label) || label.hasPrefix("yourtenant")
    }
}
