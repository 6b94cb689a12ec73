import B2CProtocol
import Determinism
import Journeys

/// A journey that runs for a request that no page answers: tokens, or what the user-info endpoint says. It is kept while a
/// call-out is under way.
struct TokenJourney: Sendable {
    /// What the end of the journey is turned into.
    enum Answer: Sendable {
        case tokens(TokenTerms)
        case appToken(AppTerms)
        case userInfo

        /// The journey, for the developer.
        var journey: String {
            switch self {
            case .tokens: "the journey of a token request"
            case .appToken: "the journey of an app on its own"
            case .userInfo: "the journey of the user-info endpoint"
            }
        }
    }

    let address: PolicyAddress
    let facts: RequestFacts
    var journey: Journey
    let answer: Answer
}

/// What a token request established before its tokens are issued.
struct TokenTerms: Sendable {
    let request: TokenRequest
    let scopes: GrantedScopes
    let nonce: String?
    let platform: GrantPlatform
    /// The chain that the new refresh token goes on with; `nil` for a new one.
    let chain: RefreshChain?
}

/// What an app asks for on its own.
struct AppTerms: Sendable {
    let request: TokenRequest
    let resource: APIResource
    let roles: [String]
}

extension Authority {
    /// Begins the journey of a request that shows no page.
    mutating func begin(
        _ entry: JourneyEntry, _ facts: RequestFacts, _ call: Call, at target: PolicyAddress,
        answer: TokenJourney.Answer
    ) -> Reply {
        let journey = Journey(
            entry, policy: target.policy.resolved, random: random.stream("journey \(facts.correlationID)"))
        return advance(TokenJourney(address: target, facts: facts, journey: journey, answer: answer), .begin, call)
    }

    /// Passes what happened to a journey that shows no page, and answers its request when it ends.
    mutating func advance(_ running: consuming TokenJourney, _ event: JourneyEvent, _ call: Call) -> Reply {
        let target = running.address
        let correlationID = running.facts.correlationID
        let answer = running.answer
        let stop = run(&running.journey, event, at: target, facts: running.facts, call)
        do throws(Refusal) {
            switch stop {
            case .issue(let issuance):
                return try reply(answer, with: issuance, call, target)
            case .callout(let request, let timeout):
                return callOut(request, timeout, PendingCallout(call: call, shape: .token(running)))
            case .failed(let failure), .refused(let failure):
                throw Refusal(failure)
            case .page, .answer, .provider:
                throw Refusal(.c90037, why: "\(answer.journey) asked for a page: policy \(target.policy.id)")
            }
        } catch {
            if case .userInfo = answer { return userInfoError(error, call) }
            return tokenError(error, call, at: target, correlationID: correlationID)
        }
    }

    private mutating func reply(
        _ answer: TokenJourney.Answer, with issuance: Issuance, _ call: Call, _ target: PolicyAddress
    ) throws(Refusal) -> Reply {
        switch answer {
        case .tokens(let terms): try tokens(issuance, terms, call, at: target)
        case .appToken(let terms): try appToken(terms, adding: issuance.claims, call, target)
        case .userInfo: userInfo(issuance, call)
        }
    }
}
