/// What the app lists in `MSALPublicClientApplicationConfig.knownAuthorities`.
enum KnownAuthorityList: Sendable, Hashable {
    /// The check is switched off.
    case anything
    /// These and no others. The library does not add the app's own authority.
    case listed([MSALAuthority])
    /// Every authority on one of these hosts (MSAL.js).
    case hosts([String])

    /// Whether the authority needs no validation: listed exactly so, class, letter case and trailing slash included.
    func contains(_ authority: MSALAuthority) -> Bool {
        switch self {
        case .anything: true
        case .listed(let authorities): authorities.contains(authority)
        case .hosts(let hosts): hosts.contains { $0.lowercased() == authority.environment }
        }
    }
}
