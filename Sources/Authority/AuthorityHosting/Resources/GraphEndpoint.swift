import Exchanges
import HTTPMessages

/// Microsoft Graph of a B2C tenant: the authority answers, which has the people, and pages of every origin may read it.
struct GraphEndpoint: DelayingResponder {
    private let host: AuthorityHost

    init(_ host: AuthorityHost) {
        self.host = host
    }

    func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        // Microsoft docs: CORS support of Microsoft Graph, inferred in its details.
        let sharing = CrossOriginAnswers(origins: ["*"])
        if let answer = sharing.preflight(request, lack: "") { return .response(answer) }
        var delivery = await host.delivery(of: request, context)
        if case .success(let answer) = delivery.outcome {
            delivery.outcome = .success(sharing.shared(answer, with: request))
        }
        return delivery
    }
}
