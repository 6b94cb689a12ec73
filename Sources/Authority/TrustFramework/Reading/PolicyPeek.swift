import Markup

extension PolicyReader {
    /// The `PolicyId` of a text whose first start tag is `TrustFrameworkPolicy`, without reading further. What follows
    /// may be broken: this is for finding files in a folder. Code that needs the policy reads the whole file.
    public static func peekPolicyID(_ bytes: [UInt8]) -> String? { peek("PolicyId", bytes) }

    /// The `TenantId` of a text, likewise.
    public static func peekTenantID(_ bytes: [UInt8]) -> String? { peek("TenantId", bytes) }

    private static func peek(_ name: String, _ bytes: [UInt8]) -> String? {
        guard let root = TagIndex.root(of: bytes, as: .policy)?.tag,
            bytes[root.name].elementsEqual("TrustFrameworkPolicy".utf8),
            let attribute = root.attributes.first(where: { bytes[$0.name].elementsEqual(name.utf8) })
        else { return nil }
        return String(decoding: bytes[attribute.value], as: UTF8.self)
    }
}
