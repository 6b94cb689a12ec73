/// Why no response came. An HTTP status is never an error here.
public enum TransportError: Error, Hashable, Sendable {
    /// The device has no network.
    case offline
    /// Nothing listens there.
    case refused
    /// The connection broke before the response began.
    case reset
    /// The host name is not known.
    case dns
    /// No response within the time the caller allowed.
    case timeout
    /// No secure connection: certificate, host name or protocol.
    case tls
    /// The connection broke in the middle of the response.
    case truncated
    /// The caller gave up.
    case cancelled
    /// Anything else, in words.
    case other(String)

    /// The word for it in scenario files: `offline`, `timeout` ...
    public var word: String {
        switch self {
        case .offline: "offline"
        case .refused: "refused"
        case .reset: "reset"
        case .dns: "dns"
        case .timeout: "timeout"
        case .tls: "tls"
        case .truncated: "truncated"
        case .cancelled: "cancelled"
        case .other: "other"
        }
    }

    /// The failures a script can ask for, in the order its reference lists them.
    public static let scriptable: [TransportError] = [.offline, .refused, .reset, .dns, .timeout, .tls, .truncated]

    /// The failure a script means by a word; `nil` for a word that is not in `scriptable`.
    public static func named(_ word: String) -> TransportError? {
        scriptable.first { $0.word == word }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String {
        if case .other(let text) = self { text } else { word }
    }
}
