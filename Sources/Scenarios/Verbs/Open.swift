import Records

/// A visit of the browser.
package struct Open: WireCall {
    package var request = WireRequest()
    package var frame = false

    package init() {}

    package static let name = "open"
    package static let doc = "The browser goes to an address and follows it as far as it leads; nothing is redeemed."
    package static let traits = VerbTraits.user
    package static let shape = wireShape()
    package static let settings: [Setting<Open>] = {
        var table = requestTable
        table.add("frame", \.frame, .bool, "In a hidden frame.")
        return table.rows
    }()

    package var resultMembers: [String]? { ["url", "status", "page", "request", "response", "delivered"] }
    package var needsClient: Bool { true }

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        frame ? [(.browserRequests, "opens a hidden frame")] : []
    }
}
