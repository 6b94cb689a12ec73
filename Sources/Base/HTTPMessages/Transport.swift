import Determinism
import Synchronization

/// Who sends a request.
public enum Party: String, Sendable, Hashable, CaseIterable {
    case client, browser, authority, api
}

/// What a sender asks of the peer itself. The module of the sender defines it and the peer reads it; those between them pass
/// it on.
public protocol PeerInstructions: Sendable {}

/// Hands a sender the number that its exchange gets.
public final class ExchangeReceipt: Sendable {
    private let held = Mutex<String?>(nil)

    public init() {}

    /// The number; `nil` if nobody records exchanges.
    public var number: String? { held.withLock { $0 } }

    /// The exchange has been given a number.
    public func note(number: String) { held.withLock { $0 = number } }
}

/// What is known about an exchange besides the request itself. None of it goes on the wire.
public struct ExchangeContext: Sendable {
    public var lane: LaneID
    public var from: Party
    /// The client's name in the script.
    public var client: String?
    /// The device's name in the script; its network is the one that may be off.
    public var device: String?
    /// The request is made in a hidden frame, or by one.
    public var frame: Bool
    /// How long the caller waits for the answer, in base time.
    public var timeout: TimeSpan?
    /// The number of the exchange that caused this one: `4` for the call-outs `4.1`, `4.2`.
    public var parent: String?
    /// This exchange's own number, once the recorder has given it one. The peer names it as the parent of
    /// what it asks for meanwhile.
    public var number: String?
    /// What is asked of the peer itself, beside the request.
    public var orders: (any PeerInstructions)?
    /// Gets the number of the exchange.
    public var receipt: ExchangeReceipt?

    public init(
        lane: LaneID = .main, from: Party = .client, client: String? = nil, device: String? = nil, frame: Bool = false,
        timeout: TimeSpan? = nil, parent: String? = nil, number: String? = nil,
        orders: (any PeerInstructions)? = nil, receipt: ExchangeReceipt? = nil
    ) {
        self.lane = lane
        self.from = from
        self.client = client
        self.device = device
        self.frame = frame
        self.timeout = timeout
        self.parent = parent
        self.number = number
        self.orders = orders
        self.receipt = receipt
    }
}

/// The way every exchange goes, whatever the target. Redirects are not followed and cookies not kept here.
public protocol Transport: Sendable {
    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage

    /// A browser keeps the newest answer on a lane from the page or script that asked for it. For the part that records
    /// exchanges; the request has been answered all the same.
    func keptBack(_ reason: Withholding, on lane: LaneID) async
}

extension Transport {
    public func keptBack(_ reason: Withholding, on lane: LaneID) async {}
}

/// Why a browser keeps an answer from the page or script that asked for it.
public enum Withholding: String, Sendable, Hashable, CaseIterable {
    /// It does not allow the origin of the script (Fetch, section 3.2.5).
    case cors
    /// It forbids to be shown in a frame.
    case frame
}

/// Anything that answers requests: a host on the network inside the process.
public protocol Responder: Sendable {
    func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage
}

/// One branch of a script as its code sees it: where its requests go and where it waits. It is handed down as an
/// argument.
public struct Lane: Sendable {
    public let id: LaneID
    public let transport: any Transport
    public let turnstile: Turnstile
    public let time: VirtualTime

    public init(id: LaneID, transport: any Transport, turnstile: Turnstile, time: VirtualTime) {
        self.id = id
        self.transport = transport
        self.turnstile = turnstile
        self.time = time
    }

    /// Waits for the lane's next turn.
    public func turn() async throws(WorldError) {
        try await turnstile.wait(id, for: .turn)
    }

    /// Lets a span of base time pass; nobody really waits.
    public func pause(_ span: TimeSpan) async throws(WorldError) {
        try await turnstile.wait(id, for: .until(time.now + span))
    }

    /// The same surroundings under another lane.
    public func branch(_ index: Int) -> Lane {
        Lane(id: id.branch(index), transport: transport, turnstile: turnstile, time: time)
    }
}
