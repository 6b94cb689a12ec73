import B2CProtocol
import HTTPMessages
import Synchronization

/// The discovery and keys documents of a policy, written once for each address at which clients ask for them. They
/// change with the tenant only, and a changed tenant has policies of its own.
final class PublishedDocuments: Sendable {
    /// What a discovery document depends on besides the policy.
    private struct Address: Hashable {
        let origin: String
        let tenantSegment: String
        let form: AuthorityForm

        init(_ target: PolicyAddress) {
            origin = target.origin
            tenantSegment = target.tenantSegment
            form = target.form
        }
    }

    /// A client that makes up hosts does not fill the memory.
    static let limit = 64

    private let discovery = Mutex<[Address: ResponseMessage]>([:])
    private let keys = Mutex<ResponseMessage?>(nil)

    /// How many discovery documents are kept.
    var count: Int { discovery.withLock { $0.count } }

    /// The discovery document at an address.
    func discovery(at target: PolicyAddress, orMake make: () -> Draft) -> ResponseMessage {
        let address = Address(target)
        return discovery.withLock { known in
            if let document = known[address] { return document }
            if known.count >= Self.limit { known = [:] }
            let document = render(make())
            known[address] = document
            return document
        }
    }

    /// The keys document, which is the same at every address.
    func keys(orMake make: () -> Draft) -> ResponseMessage {
        keys.withLock { known in
            if let known { return known }
            let document = render(make())
            known = document
            return document
        }
    }
}
