import Records

/// Which part of an authority URL names the policy.
public enum AuthorityForm: String, SettingWord {
    case tfp, te, path, query

    public var doc: String {
        switch self {
        case .tfp: "`https://{host}/tfp/{tenant}/{policy}`, the form MSAL recognises as B2C."
        case .te: "`https://{host}/te/{tenant}/{policy}`, the older spelling of the same."
        case .path: "`https://{host}/{tenant}/{policy}`."
        case .query: "`https://{host}/{tenant}`, the policy as parameter `p`."
        }
    }
}
