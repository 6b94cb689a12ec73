import Exchanges
import HTTPMessages
import MockAuthority

/// Microsoft Graph of a B2C tenant, which pages of every origin may read: policies and keys are managed here, and the
/// authority, which has the people, answers the rest.
struct GraphEndpoint: DelayingResponder {
    private let host: AuthorityHost
    private let management: PolicyManagement?
    /// Makes rows durable and lets sign-ins see what they may.
    private let keep: @Sendable ([RowChange]) async -> Bool

    /// - Parameter management: `nil`: the tenant is not managed over Graph.
    init(
        _ host: AuthorityHost, management: PolicyManagement? = nil,
        keep: @escaping @Sendable ([RowChange]) async -> Bool = { _ in true }
    ) {
        self.host = host
        self.management = management
        self.keep = keep
    }

    func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        // Microsoft docs: CORS support of Microsoft Graph, inferred in its details.
        let sharing = CrossOriginAnswers(origins: ["*"])
        if let answer = sharing.preflight(request, lack: "") { return .response(answer) }
        var delivery: Delivery
        if let answer = await management?.delivery(of: request, keep: keep) {
            delivery = answer
        } else {
            delivery = await host.delivery(of: request, context)
        }
        if case .success(let answer) = delivery.outcome {
            delivery.outcome = .success(sharing.shared(answer, with: request))
        }
        return delivery
    }
}
