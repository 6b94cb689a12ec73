import Determinism
import HTTPMessages

/// What the request header `B2C-World` says: `w1-3f...;exchange=4;now=2026-01-01T00:00:00.000Z`.
///
/// The name of a world that a runner made cannot be guessed, and only the control API returns it: a caller that knows it may move the
/// time of that world. The default world has a name that everybody knows, so nothing of it can be steered this way.
///
/// Parameters are optional. `exchange` is the number that the runner gave the request, `now` the true time at which it
/// departs, `from` who sends it (`client`, `browser`, `api`; `authority` asks the REST stubs), `scheme` that of the URL
/// where the connection has another.
struct WorldSelector: Sendable, Equatable {
    static let header = "B2C-World"
    /// How much base time passes until the answer arrives, where time is not real: `PT2S`.
    static let delayHeader = "B2C-World-Delay"
    /// The failure of the network in place of the answer, in a world that was made: `dns`, `reset`.
    static let errorHeader = "B2C-World-Error"
    /// What the authority did about the orders that came before the request: JSON, percent-encoded.
    static let obeyedHeader = "B2C-World-Obeyed"

    var world: String
    var exchange: String?
    var now: Timestamp?
    var from: Party?
    var scheme: String?

    /// Reads the header's value; nil for one that is malformed.
    init?(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.drop { $0 == " " }
        }
        guard let name = parts.first, !name.isEmpty, name.utf8.count <= 64 else { return nil }
        world = String(name)
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            let value = String(pair[1])
            switch pair[0] {
            case "exchange":
                guard Self.isNumber(value) else { return nil }
                exchange = value
            case "now":
                guard let instant = Timestamp(rfc3339: value) else { return nil }
                now = instant
            case "from":
                guard let party = Party(rawValue: value) else { return nil }
                from = party
            case "scheme":
                guard value == "http" || value == "https" else { return nil }
                scheme = value
            default: return nil
            }
        }
    }

    /// Whether it steers the world instead of only naming it.
    var steers: Bool { exchange != nil || now != nil || from != nil }

    /// Whether a text numbers an exchange: `4`, or `4.1.2` for one within another. Nobody sends a thousand million.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                (1...9).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
            }
    }
}

extension WorldSelector {
    /// The answer to a browser that asks whether a page's script may send this header elsewhere; nil: it asks for more.
    ///
    /// Chromium asks where a runner has it send the header with everything. The page itself never asked, so whether it
    /// may have the answer is for the answer itself to say. A page that does ask gains nothing: it knows no world but the
    /// default one.
    static func preflight(_ incoming: IncomingRequest) -> ResponseMessage? {
        guard incoming.method == "OPTIONS", incoming.headers[header] == nil,
            let asked = incoming.headers["Access-Control-Request-Headers"],
            asked.lowercased() == header.lowercased(),
            let method = incoming.headers["Access-Control-Request-Method"], ["GET", "HEAD", "POST"].contains(method),
            let origin = incoming.headers["Origin"]
        else { return nil }
        return ResponseMessage(
            status: 204,
            headers: [
                "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Methods": method,
                "Access-Control-Allow-Headers": header, "Vary": "Origin",
            ])
    }
}
