import B2CProtocol
import HTTPMessages

/// Addresses read before: clients ask for the same few paths again and again.
struct AddressBook: Sendable {
    private static let limit = 512
    private var known: [String: B2CAddress] = [:]

    /// Reads the address of a request; `nil` if the path is not one of an endpoint.
    mutating func address(of url: WebURL) -> B2CAddress? {
        if let address = known[url.path] { return address }
        guard let address = B2CAddress.parse(url) else { return nil }
        // With the policy in the query the path says too little.
        guard address.form != .query else { return address }
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        known[url.path] = address
        return address
    }
}
