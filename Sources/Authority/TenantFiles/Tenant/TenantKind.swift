import Records

/// What a tenant is.
public enum TenantKind: String, SettingWord {
    case b2c, workforce

    public var doc: String {
        switch self {
        case .b2c: "An Azure AD B2C tenant with policies."
        case .workforce:
            "A plain directory tenant for apps on `common`, `organizations` or a tenant id; it has no policies."
        }
    }
}
