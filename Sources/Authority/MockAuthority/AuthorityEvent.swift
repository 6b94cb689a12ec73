import JSON
import Journeys

/// Something that happened inside the authority: material for logs and reports, no part of the wire.
public enum AuthorityEvent: Sendable {
    /// A journey did something while the exchange was answered.
    case traced(exchange: String, TraceEntry)
    /// An e-mail, SMS or call went out.
    case message(OutboxMessage)
    /// A request was refused, and why: for the developer.
    case refused(exchange: String, reason: String)
    /// A journey ran into something that the simulator does not play.
    case notSimulated(exchange: String, what: String)

    public var json: JSONObject {
        switch self {
        case .traced(let exchange, let entry):
            return ["type": "trace", "exchange": .string(exchange), "entry": .object(entry.json)]
        case .message(let message):
            return ["type": "message", "message": .object(message.json)]
        case .refused(let exchange, let reason):
            return ["type": "refusal", "exchange": .string(exchange), "reason": .string(reason)]
        case .notSimulated(let exchange, let what):
            return ["type": "notSimulated", "exchange": .string(exchange), "what": .string(what)]
        }
    }
}
