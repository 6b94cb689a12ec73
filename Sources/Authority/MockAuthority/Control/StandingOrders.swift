import Exchanges
import HTTPMessages
import JSON

extension Authority {
    /// The reply with the claims of its tokens patched, if a rule asked for it.
    mutating func obeying(_ exchange: String?, _ reply: Reply) -> Reply {
        guard !orders.isEmpty, let exchange, case .send(var draft, let delay) = reply,
            let taken = orders.take(exchange: exchange)
        else { return reply }
        draft.obeyed = obey(taken, in: &draft)
        return .send(draft, after: delay)
    }

    /// Patches the claims of a reply's tokens.
    ///
    /// - Returns: What came of the orders. The reply may have been decided before a refusal that was asked for had its
    ///   turn.
    private func obey(_ orders: PeerOrders, in draft: inout Draft) -> ChangeEffect {
        var tokens: [(name: String, claims: JSONObject)] = []
        if case .parameters(let parameters, let delivery) = draft.body, orders.claims != nil {
            for parameter in parameters {
                if case .token(let token) = parameter.value { tokens.append((parameter.name, token.claims)) }
            }
            draft.body = .parameters(parameters.map { $0.patched(by: orders) }, delivery)
        }
        var effect = orders.effect { word in
            tokens.first { $0.name == (word == "idToken" ? "id_token" : "access_token") }?.claims
        }
        if let refusal = orders.refusal {
            effect.note(
                PeerOrders.refusalPart, isChange: draft.refusal == refusal.why,
                else: "the request was answered otherwise: \(draft.refusal ?? "status \(draft.status)")")
        }
        return effect
    }
}

extension Parameter {
    /// Other claims in a token; hash claims keep their place and are filled in when it is signed, unless they are patched.
    fileprivate func patched(by orders: PeerOrders) -> Parameter {
        let patch = name == "id_token" ? orders.idTokenClaims : name == "access_token" ? orders.accessTokenClaims : nil
        guard let patch, case .token(var token) = value else { return self }
        token.claims = JSONValue.object(token.claims).merging(patch: .object(patch)).objectValue ?? token.claims
        token.hashes.removeAll { patch[$0.claim] != nil }
        return Parameter(name, .token(token))
    }
}
