import HTTPMessages
import Synchronization

/// The origins at which a mock on the network is asked, besides the hosts of its tenant.
///
/// Tokens name the address that they were asked at. An API of the same mock takes the issuer of such an address for the
/// published one with the same path; so do its tokens from `localhost`, from a container's name or from behind a proxy work.
public final class OwnAddresses: Sendable {
    /// A client that makes up names does not fill the memory.
    static let limit = 256

    private let origins = Mutex<Set<String>>([])

    public init() {}

    /// Takes note of the address of a request. Loopback addresses always count.
    public func note(_ url: WebURL) {
        guard !url.isLoopback else { return }
        let origin = url.origin
        origins.withLock { origins in
            if origins.count < Self.limit { origins.insert(origin) }
        }
    }

    /// Whether the mock is asked at the origin of a URL.
    public func contains(_ url: WebURL) -> Bool {
        url.isLoopback || origins.withLock { $0.contains(url.origin) }
    }
}
