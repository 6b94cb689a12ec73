import AuthorityHosting
import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import TrustFramework

/// Everything of a world that is not on our side of the wire: the authority, its directory, the APIs, the providers.
///
/// In this process it is a hosted environment, on a mock-server a world of that server, against a live tenant the
/// tenant itself. The runner, the clients and the browser cannot see the difference.
protocol TargetBackend: Sendable {
    /// Makes it ready; called once, before the first request.
    func begin() async throws(StepProblem)

    /// Carries a request over and brings what comes back, without waiting for its delay.
    func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery

    /// What has happened over there since the last time.
    func news() async -> [FarNews]

    /// Goes on with a changed tenant.
    func configure(tenant: CompiledTenant, patch: JSONValue) async throws(StepProblem)

    func command(_ command: ControlCommand) async -> ControlAnswer

    /// - Parameter name: An API of the tenant file; nil: all.
    func restartAPI(_ name: String?) async throws(StepProblem)

    /// Sends the rules that are in force before an exchange. The far side applies them to exchanges of its own: its
    /// call-outs.
    func obey(_ rules: [(rule: FaultRule, count: FaultRules.Count)]) async

    /// How often those rules have struck after the exchange; nil: nothing has changed.
    func counts() async -> [FaultRules.Count]?

    /// The newest message to one of these addresses, if the far side does not report messages by itself.
    func fetchMessage(to addresses: [String]) async -> JSONValue?

    /// Brings true time up to date where it passes by itself.
    func catchUp() async

    /// How long the far side has asked to be left alone; nil: it has not.
    func throttle() async -> TimeSpan?

    /// How a real browser reaches it; nil: it cannot.
    func browserRoute() async -> BrowserRoute?

    /// A real browser is about to send something that nobody delivers.
    func browserActs() async

    /// It has come to rest.
    func browserRests() async

    /// Releases everything; called once, at the end.
    func end() async
}

/// Something that the far side reports besides its answers.
enum FarNews: Sendable {
    /// An e-mail, SMS or call went out: the record of the `messages` log, and its address.
    case message(JSONValue, to: String)
    /// The record of the `trace` log.
    case trace(JSONValue)
    /// Something that keeps the step from counting, in words.
    case problem(String)
    /// What keeps the scenario from being run here at all, and what would help.
    case blocked(String)
    /// Something worth saying beside a failure, in words.
    case note(String)
    /// An exchange of the far side's own, whole.
    case exchange(Exchange)
    /// An exchange that was not delivered from here has had this number.
    case passed(number: Int)

    init?(_ event: AuthorityEvent) {
        switch event {
        case .message(let message): self = .message(.object(message.json), to: message.to)
        case .traced(_, let entry): self = .trace(.object(entry.json))
        case .notSimulated(_, let what): self = .problem(what)
        case .refused: return nil
        }
    }
}

extension TargetBackend {
    func obey(_ rules: [(rule: FaultRule, count: FaultRules.Count)]) async {}
    func counts() async -> [FaultRules.Count]? { nil }
    func fetchMessage(to addresses: [String]) async -> JSONValue? { nil }
    func catchUp() async {}
    func throttle() async -> TimeSpan? { nil }
    func browserRoute() async -> BrowserRoute? { nil }
    func browserActs() async {}
    func browserRests() async {}
}

/// The far side in this process: a network without sockets, and everything mounted on it.
struct LocalBackend: TargetBackend {
    let environment: HostedEnvironment
    let network: VirtualNetwork
    /// Counts what is exercised of custom policies.
    let coverage: PolicyCoverage?

    func begin() async { await environment.attach() }

    func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        await network.deliver(request, context)
    }

    func news() async -> [FarNews] {
        let events = environment.drainEvents()
        if let coverage {
            for case .traced(_, let entry) in events { coverage.record(entry) }
        }
        return events.compactMap { FarNews($0) } + environment.drainProblems().map { .problem($0) }
    }

    func configure(tenant: CompiledTenant, patch: JSONValue) async {
        coverage?.add(tenant.policies)
        await environment.configure(tenant, patch: patch)
    }

    func command(_ command: ControlCommand) async -> ControlAnswer { await environment.command(command) }

    func restartAPI(_ name: String?) async { await environment.restartAPI(name) }

    /// The parts of a world know one another in a circle: this cuts it.
    func end() async { network.detach(hosts: network.hosts) }
}
