import Determinism
import HTTPMessages
import Journeys

/// An input of the authority.
public enum Input: Sendable {
    /// A request from a client, a browser or an API.
    case request(RequestMessage, ExchangeID)
    /// The answer to a call-out that an earlier decision asked for.
    case calloutFinished(CalloutID, CalloutResult)
    /// A change or question from outside the wire: settings, directory, keys, inbox.
    case command(ControlCommand)
}

/// The host's name for one exchange; events about the exchange carry it.
public struct ExchangeID: Hashable, Sendable {
    public var number: String
    /// Address of the caller as the authority sees it; smart lockout and `{Context:IPAddress}` use it.
    public var remoteAddress: String

    public init(_ number: String, remoteAddress: String = "203.0.113.7") {
        self.number = number
        self.remoteAddress = remoteAddress
    }
}

/// Names one call-out until its result is handed in.
public struct CalloutID: Hashable, Sendable {
    let number: UInt64
}

/// What came of one input.
public struct Decision: Sendable {
    public var reply: Reply
    /// What happened on the way, in order.
    public var events: [AuthorityEvent]
    /// Rows that changed, in order, for a state store; empty unless the authority records changes.
    public var changes: [RowChange]
    /// What the journeys of custom policies did, for a record; empty unless the authority keeps it.
    public var turns: [RecordedTurn] = []
}

/// A turn of a journey and the exchange in which it was taken.
public struct RecordedTurn: Sendable {
    /// The host's name for the exchange.
    public var exchange: String
    public var turn: JourneyTurn

    public init(exchange: String, turn: JourneyTurn) {
        self.exchange = exchange
        self.turn = turn
    }

    /// Whether the exchange waits for a call that the journey has asked for: another turn of it follows.
    public var waitsForCall: Bool {
        if case .callout = turn.stop { true } else { false }
    }
}

/// How an exchange goes on.
public enum Reply: Sendable {
    /// Render, sign and send.
    case send(Draft, after: TimeSpan)
    /// Say nothing.
    case drop(after: TimeSpan)
    /// Perform this request, then hand in its result under the id; that decision answers the same exchange.
    case callOut(CalloutID, RequestMessage, timeout: TimeSpan)
    /// The answer to a control command.
    case answered(ControlAnswer)
}
