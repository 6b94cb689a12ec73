import HTTPMessages
import Synchronization

/// What the app lists in `MSALPublicClientApplicationConfig.knownAuthorities`.
enum KnownAuthorityList: Sendable, Hashable {
    /// The check is switched off.
    case anything
    /// These and no others. The library does not add the app's own authority.
    case listed(Set<MSALAuthority>)
    /// Every authority on one of these hosts (MSAL.js).
    case hosts([String])

    /// A host as ``hosts(_:)`` has it: with its port unless that is 443.
    static func host(_ url: WebURL) -> String {
        url.effectivePort == 443 ? url.host ?? "" : "\(url.host ?? ""):\(url.effectivePort)"
    }

    /// Whether the authority needs no validation: listed exactly so, class, letter case and trailing slash included.
    func contains(_ authority: MSALAuthority) -> Bool {
        switch self {
        case .anything: true
        case .listed(let authorities): authorities.contains(authority)
        case .hosts(let hosts): hosts.contains { $0.lowercased() == authority.environment }
        }
    }
}

/// Keeps the list of known authorities of one configuration. The list grows with the tenant, so it is made once and not
/// with each call.
final class KnownAuthorityMemo: Sendable {
    private struct State: Sendable {
        var list: KnownAuthorityList?
        var steps = 0
    }

    private let state = Mutex(State())

    /// How many policies were turned into addresses so far.
    var steps: Int { state.withLock { $0.steps } }

    func countStep() { state.withLock { $0.steps += 1 } }

    /// The list, made when it is first asked for. Two that ask at the same time may both make it: they make the same one.
    func list(_ make: () -> KnownAuthorityList) -> KnownAuthorityList {
        if let list = state.withLock({ $0.list }) { return list }
        let made = make()
        state.withLock { $0.list = made }
        return made
    }
}
