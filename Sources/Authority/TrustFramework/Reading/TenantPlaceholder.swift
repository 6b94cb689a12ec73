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

    /// A text with the placeholders replaced by a tenant's domain, in any letter case; `nil` where none occurs.
    static func filled(_ bytes: [UInt8], _ tenantDomain: String) -> [UInt8]? {
        var result: [UInt8] = []
        var at = 0
        var found = false
        while at < bytes.count {
            if let length = length(at: at, in: bytes) {
                result += tenantDomain.utf8
                at += length
                found = true
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return found ? result : nil
    }

    /// The length of the placeholder that begins at a byte; `nil` where none begins.
    private static func length(at start: Int, in bytes: [UInt8]) -> Int? {
        let first = bytes[start] | 0x20
        for domain in domains where domain[0] == first && start + domain.count <= bytes.count {
            if zip(bytes[start..<(start + domain.count)], domain).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) {
                return domain.count
            }
        }
        return nil
    }
}
