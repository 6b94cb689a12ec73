import Determinism
import Exchanges
import JOSE
import JSON

/// The records of a scenario's whole log.
enum ExchangeLog {
    /// The record of one exchange, with `arrived`, `step` and `tokens`.
    ///
    /// - Parameter json: Its record in the outcome of a step.
    static func record(_ exchange: Exchange, json: JSONValue) -> JSONValue {
        guard var record = json.objectValue else { return json }
        if let arrived = exchange.arrived { record["arrived"] = .string(arrived.rfc3339) }
        if let step = exchange.step { record["step"] = .string(step) }
        // Read before secrets are taken out: what is in a token stays readable when the token itself is gone.
        let tokens = tokens(in: exchange.response?.json)
        if !tokens.isEmpty { record["tokens"] = .object(tokens) }
        return .object(record)
    }

    private static func tokens(in answer: JSONValue?) -> JSONObject {
        var tokens = JSONObject()
        for name in ["id_token", "access_token"] {
            guard let text = answer?[name]?.stringValue, let token = JWS(compact: text), let claims = token.claims
            else {
                continue
            }
            tokens[name] = ["header": .object(token.header), "claims": .object(claims)]
        }
        return tokens
    }
}
