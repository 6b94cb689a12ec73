import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Scenarios

/// What every exchange of a world passes through: it numbers and records them, lets the rules of the script strike,
/// and keeps the turns of parallel lanes.
actor ExchangeHub: Transport {
    /// Rules that are in force, with what they have done so far.
    struct Rules {
        let id: Int
        let lane: LaneID
        var rules: [FaultRule]
        var met: [Int]
        var fired: [Int]
    }

    private let time: VirtualTime
    private let turnstile: Turnstile
    private let network: VirtualNetwork
    private var classifier: ExchangeClassifier
    private var host: (any EventSource)?

    private var exchanges: [Exchange] = []
    private var messages: [(lane: LaneID, json: JSONValue, addresses: [String])] = []
    private var traces: [(lane: LaneID, json: JSONValue)] = []
    private var problems: [(lane: LaneID, text: String)] = []
    private var rules: [Rules] = []
    private var lastRules = 0
    private var top = 0
    private var nested: [String: Int] = [:]
    private var deviceOfClient: [String: String] = [:]
    private var offlineDevices: [String] = []

    init(time: VirtualTime, turnstile: Turnstile, network: VirtualNetwork, tenant: Tenant) {
        self.time = time
        self.turnstile = turnstile
        self.network = network
        classifier = ExchangeClassifier(tenant: tenant)
    }

    func attach(_ host: any EventSource) { self.host = host }

    /// Lets go of everything that refers back to the hub. The parts of a world know one another in a circle, so a world
    /// that is over would otherwise stay in memory.
    func dissolve() {
        host = nil
        network.detach(hosts: network.hosts)
    }

    func classify(by tenant: Tenant) { classifier = ExchangeClassifier(tenant: tenant) }
    func place(client: String, on device: String) { deviceOfClient[client] = device }
    func setOffline(_ devices: [String]) { offlineDevices = devices }

    // MARK: Rules

    /// Puts rules in force for a lane and those below it, before the ones already there.
    func push(_ list: [FaultRule], lane: LaneID) -> Int {
        lastRules += 1
        rules.append(
            Rules(
                id: lastRules, lane: lane, rules: list, met: Array(repeating: 0, count: list.count),
                fired: Array(repeating: 0, count: list.count)))
        return lastRules
    }

    /// Takes rules out of force.
    ///
    /// - Returns: The rules that had to strike and did not.
    func pop(_ id: Int) -> [FaultRule] {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return [] }
        let gone = rules.remove(at: index)
        return zip(gone.rules, gone.fired).filter { $0.1 == 0 && !$0.0.optional }.map(\.0)
    }

    /// The first rule that strikes this exchange, innermost first.
    private func rule(for exchange: Exchange) -> FaultRule? {
        guard !rules.isEmpty else { return nil }
        var record: JSONValue?
        for index in rules.indices.reversed() where exchange.lane.path.starts(with: rules[index].lane.path) {
            for (position, rule) in rules[index].rules.enumerated() {
                if let times = rule.times, rules[index].fired[position] >= times { continue }
                let json = record ?? .object(exchange.requestJSON)
                record = json
                guard rule.meets(json) else { continue }
                rules[index].met[position] += 1
                if rules[index].met[position] <= rule.skip { continue }
                rules[index].fired[position] += 1
                return rule
            }
        }
        return nil
    }

    // MARK: Sending

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        try await turn(context.lane)
        let index = begin(request, context)
        let number = exchanges[index].number
        let rule = rule(for: exchanges[index])
        if rule != nil { exchanges[index].altered = true }
        let result = await answer(request, context, number: number, rule)
        if context.from != .authority { await collect(lane: context.lane) }
        try await arrive(context.lane)
        switch result {
        case .success(let response):
            exchanges[index].response = response
            return response
        case .failure(let error):
            exchanges[index].networkError = error
            throw error
        }
    }

    private func begin(_ request: RequestMessage, _ context: ExchangeContext) -> Int {
        let number: String
        if let parent = context.parent {
            nested[parent, default: 0] += 1
            number = "\(parent).\(nested[parent] ?? 1)"
        } else {
            top += 1
            number = "\(top)"
        }
        let what = classifier.classify(request, from: context.from)
        exchanges.append(
            Exchange(
                number: number, at: time.now, context: context, endpoint: what.endpoint, policy: what.policy,
                request: request))
        return exchanges.count - 1
    }

    /// What comes back, after the delays and with the changes that rules and the network make.
    private func answer(
        _ request: RequestMessage, _ context: ExchangeContext, number: String, _ rule: FaultRule?
    ) async -> Result<ResponseMessage, TransportError> {
        if let device = context.client.flatMap({ deviceOfClient[$0] }), context.from != .authority,
            context.from != .api,
            offlineDevices.contains(device)
        {
            return .failure(.offline)
        }
        var delay = rule?.delay ?? .zero
        var result: Result<ResponseMessage, TransportError>
        if let error = rule?.network, !Self.strikesLate(error) {
            if error == .timeout, let timeout = context.timeout { await pause(timeout, context.lane) }
            return .failure(error)
        }
        if let standIn = rule?.respond {
            result = .success(standIn.message)
        } else {
            var inner = context
            inner.number = number
            let delivery = await network.deliver(request, inner)
            delay = delay + delivery.delay
            result = delivery.outcome
        }
        if let timeout = context.timeout, delay > timeout {
            await pause(timeout, context.lane)
            return .failure(.timeout)
        }
        if delay > .zero { await pause(delay, context.lane) }
        if let error = rule?.network { return .failure(error) }
        if let patch = rule?.response, case .success(let response) = result {
            result = .success(patch.applied(to: response))
        }
        return result
    }

    /// These two lose the answer of a peer that has acted; the others keep the request from leaving.
    private static func strikesLate(_ error: TransportError) -> Bool { error == .reset || error == .truncated }

    private func pause(_ span: TimeSpan, _ lane: LaneID) async {
        try? await turnstile.wait(lane, for: .until(time.now + span))
    }

    private func turn(_ lane: LaneID) async throws(TransportError) {
        do throws(WorldError) { try await turnstile.wait(lane, for: .turn) } catch { throw .cancelled }
    }

    private func arrive(_ lane: LaneID) async throws(TransportError) {
        guard !lane.path.isEmpty else { return }
        try await turn(lane)
    }

    /// Takes over what the authority has to tell since the last time.
    func collect(lane: LaneID) async {
        guard let host else { return }
        for event in await host.takeEvents() {
            switch event {
            case .message(let message):
                messages.append((lane, .object(message.json), [message.to]))
            case .traced(_, let entry):
                traces.append((lane, .object(entry.json)))
            case .notSimulated(_, let what):
                problems.append((lane, what))
            case .refused:
                continue
            }
        }
    }

    /// A problem found outside the authority, such as a REST call that nobody stubbed.
    func note(problem: String, lane: LaneID) { problems.append((lane, problem)) }

    /// A callback that the browser handed to an app.
    func recordCallback(url: WebURL, form: FormItems?, client: String, lane: LaneID) {
        let request =
            form.map { RequestMessage.post(url, form: $0) } ?? RequestMessage.get(url)
        let index = begin(request, ExchangeContext(lane: lane, from: .browser, client: client))
        exchanges[index].endpoint = "callback"
    }

    // MARK: Logs

    /// A place in the logs; everything after it belongs to a step.
    struct Mark: Sendable {
        var exchanges: Int
        var messages: Int
        var traces: Int
        var problems: Int
    }

    func mark() -> Mark {
        Mark(exchanges: exchanges.count, messages: messages.count, traces: traces.count, problems: problems.count)
    }

    /// What a lane and those below it have done since a mark.
    func logs(since mark: Mark, lane: LaneID) -> StepLogs {
        func mine(_ other: LaneID) -> Bool { other.path.starts(with: lane.path) }
        return StepLogs(
            exchanges: exchanges[mark.exchanges...].filter { mine($0.lane) },
            messages: messages[mark.messages...].filter { mine($0.lane) }.map(\.json),
            trace: traces[mark.traces...].filter { mine($0.lane) }.map(\.json),
            problems: problems[mark.problems...].filter { mine($0.lane) }.map(\.text))
    }

    /// The newest message to one of these addresses.
    func newestMessage(to addresses: [String]) -> JSONValue? {
        let wanted = addresses.map { $0.lowercased() }
        return messages.last { $0.addresses.contains { wanted.contains($0.lowercased()) } }?.json
    }

    var exchangeCount: Int { exchanges.count }
}

/// What an authority tells besides its answers.
protocol EventSource: Sendable {
    func takeEvents() async -> [AuthorityEvent]
}

extension HostedEnvironment: EventSource {}

/// The logs of one step, as far as the wire and the authority have them.
struct StepLogs: Sendable {
    var exchanges: [Exchange] = []
    var messages: [JSONValue] = []
    var trace: [JSONValue] = []
    var problems: [String] = []
}
