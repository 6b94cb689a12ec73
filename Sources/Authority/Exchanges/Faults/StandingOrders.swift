/// What fault rules have asked for exchanges that are not answered yet.
public struct StandingOrders: Sendable {
    /// Orders whose request never came must not pile up.
    private static let limit = 1024

    private var entries: [(exchange: String, orders: PeerOrders)] = []

    public init() {}

    /// What is asked for an exchange, in place of what was.
    public mutating func add(_ orders: PeerOrders, exchange: String) {
        entries.removeAll { $0.exchange == exchange }
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append((exchange, orders))
    }

    /// How an exchange is to be refused.
    public func refusal(exchange: String) -> RefusalOrders? {
        entries.first { $0.exchange == exchange }?.orders.refusal
    }

    /// The orders for an exchange that is answered now.
    public mutating func take(exchange: String) -> PeerOrders? {
        guard let index = entries.firstIndex(where: { $0.exchange == exchange }) else { return nil }
        return entries.remove(at: index).orders
    }

    /// Whether nothing is asked for any exchange.
    public var isEmpty: Bool { entries.isEmpty }
}
