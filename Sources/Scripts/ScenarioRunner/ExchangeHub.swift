import AuthorityHosting
import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JSON

/// What every exchange of a world passes through: it numbers and records them, lets the rules of the script strike,
/// and keeps the turns of parallel lanes.
actor ExchangeHub: Transport {
    private let time: VirtualTime
    let turnstile: Turnstile
    var recorder: ExchangeRecorder
    /// Absent before the world begins and after it ends: the parts of a world know one another in a circle.
    private(set) var far: (any TargetBackend)?

    private var exchanges = LaneLog<Exchange>()
    /// Their records, each made once for the outcomes of all steps and for the log, with the changes that the exchange had
    /// then.
    private var records: [Int: (changes: Int, record: ExchangeRecord)] = [:]
    private var messages = LaneLog<(json: JSONValue, addresses: [String])>()
    private var traces = LaneLog<JSONValue>()
    /// Exchanges that wait for their answer.
    private var openCount = 0
    private var problems = LaneLog<String>()
    private var notes: [(lane: LaneID, text: String)] = []
    /// What kept the scenario from running on this target at all.
    private(set) var blocked: String?
    /// The device of a client. A request that is made by hand needs no running app, so this does not wait for one.
    private let deviceOfClient: @Sendable (String) -> String
    private var offlineDevices: [String] = []
    /// The step that runs on each lane.
    private var steps: [LaneID: String] = [:]

    /// - Parameters:
    ///   - random: What rules with a probability draw from.
    ///   - device: The name of the device of a client, by the client's name.
    init(
        time: VirtualTime, turnstile: Turnstile, tenant: CompiledTenant, random: SeededGenerator,
        device: @escaping @Sendable (String) -> String
    ) {
        deviceOfClient = device
        recorder = ExchangeRecorder(classifier: tenant.classifier, random: random)
        self.time = time
        self.turnstile = turnstile
    }

    func attach(_ far: any TargetBackend) { self.far = far }

    /// Drops every reference back to the hub. The parts of a world refer to one another in a circle, so a finished
    /// world would otherwise stay in memory.
    func dissolve() async {
        await far?.end()
        far = nil
    }

    /// Brings true time up to date where it passes by itself.
    func catchUp() async { await far?.catchUp() }

    /// How long the far side has asked to be left alone.
    func throttle() async -> TimeSpan? { await far?.throttle() }

    /// Notes what keeps the scenario from running on this target at all; the first reason counts.
    func block(_ reason: String) { blocked = blocked ?? reason }

    /// What libcurl said about failed exchanges, for the report of a step that failed.
    func takeNotes(lane: LaneID) -> [String] {
        let mine = notes.filter { $0.lane.path.starts(with: lane.path) }.map(\.text)
        notes.removeAll { $0.lane.path.starts(with: lane.path) }
        return mine
    }

    func classify(by tenant: CompiledTenant) { recorder.classifier = tenant.classifier }
    func setOffline(_ devices: [String]) { offlineDevices = devices }

    // MARK: Rules

    /// Puts rules in force for a lane and those below it, before the ones already there.
    func push(_ list: [FaultRule], lane: LaneID) -> Int { recorder.rules.push(list, lane: lane) }

    /// Takes rules out of force.
    ///
    /// - Returns: The rules that had to change something and did not.
    func pop(_ id: Int) -> [FaultRules.Unused] { recorder.rules.pop(id) }

    // MARK: Sending

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        try await turn(context.lane)
        openCount += 1
        defer { openCount -= 1 }
        var (underWay, index) = begin(request, context)
        let result: Result<ResponseMessage, TransportError>
        if let problem = underWay.exchange.request.headers.problem {
            // The same on every target, though only a real network is in danger.
            let sent = underWay.exchange.request
            note(problem: "\(sent.method) \(sent.url.origin): \(problem)", lane: context.lane)
            result = .failure(.other(problem))
        } else {
            result = await answer(&underWay)
        }
        note(&underWay, index)
        if context.from != .authority { await collect(lane: context.lane) }
        try await arrive(context.lane)
        exchanges[index].arrived = time.now
        exchanges[index].record(result)
        return try result.get()
    }

    /// Notes what came of a rule, which the exchange's record then shows.
    private func note(_ underWay: inout ExchangeUnderWay, _ index: Int) {
        recorder.note(&underWay)
        exchanges[index].altered = underWay.exchange.altered
    }

    func keptBack(_ reason: Withholding, on lane: LaneID) {
        let own = exchanges.last(of: lane) {
            $0.lane == lane && ($0.context.from == .browser || $0.context.from == .client)
        }
        if let own { exchanges[own].blocked = reason }
    }

    private func begin(
        _ request: RequestMessage, _ context: ExchangeContext, as endpoint: String? = nil, mayBeChanged: Bool = true
    ) -> (underWay: ExchangeUnderWay, index: Int) {
        var underWay = recorder.begin(
            request, context, at: time.now, as: endpoint, mayBeChanged: mayBeChanged)
        underWay.exchange.step = step(on: context.lane)
        exchanges.append(underWay.exchange, lane: context.lane)
        return (underWay, exchanges.count - 1)
    }

    /// Notes which step runs on a lane from now on.
    func enter(step title: String, lane: LaneID) { steps[lane] = title }

    /// The step that runs on a lane, or on the nearest one above it.
    private func step(on lane: LaneID) -> String? {
        var lane: LaneID? = lane
        while let here = lane {
            if let title = steps[here] { return title }
            lane = here.parent
        }
        return nil
    }

    /// What comes back, after the delays and with the changes that rules and the network make.
    private func answer(_ underWay: inout ExchangeUnderWay) async -> Result<ResponseMessage, TransportError> {
        let context = underWay.context
        if !offlineDevices.isEmpty, context.from == .client || context.from == .browser,
            let device = context.client.map(deviceOfClient), offlineDevices.contains(device)
        {
            underWay.sending.idle(because: "the device `\(device)` is offline")
            return .failure(.offline)
        }
        let far = far
        await far?.obey(recorder.rules.standing(in: context.lane))
        let answer = await underWay.answer { await far?.deliver($0, $1) ?? .failure(.cancelled) }
        if let counts = await far?.counts() { recorder.rules.count(counts, in: context.lane) }
        if answer.delay > .zero { await pause(answer.delay, context.lane) }
        return answer.outcome
    }

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

    /// Takes over what the authority has recorded since the last time.
    func collect(lane: LaneID) async {
        guard let far else { return }
        for news in await far.news() {
            switch news {
            case .message(let record, let address):
                messages.append((record, [address]), lane: lane)
            case .trace(let record):
                traces.append(record, lane: lane)
            case .problem(let text):
                problems.append(text, lane: lane)
            case .blocked(let text):
                problems.append(text, lane: lane)
                blocked = blocked ?? text
            case .note(let text):
                notes.append((lane, text))
            case .passed(let number):
                recorder.passed(number)
            case .exchange(var exchange):
                exchange.context.lane = lane
                exchange.step = step(on: lane)
                exchanges.append(exchange, lane: lane)
            }
        }
    }

    /// A problem found outside the authority, such as a REST call that nobody stubbed.
    func note(problem: String, lane: LaneID) { problems.append(problem, lane: lane) }

    /// Puts the handing over of a callback to an app into the log and lets the rules for callbacks strike.
    ///
    /// - Returns: What is handed over, which client gets it, and how often. The delay has passed by then.
    func handOver(
        url: WebURL, form: FormItems?, client: String, frame: Bool = false, lane: LaneID
    ) async -> CallbackDelivery {
        var context = ExchangeContext(lane: lane, from: .browser, client: client, frame: frame)
        var (underWay, index) = begin(Self.message(url, form), context, as: "callback")
        let delivery = underWay.sending.callback(url, form, client: client)
        note(&underWay, index)
        exchanges[index].request = Self.message(delivery.url, delivery.form)
        exchanges[index].context.client = delivery.client
        context.client = delivery.client
        for _ in 1..<max(2, delivery.copies) where delivery.copies > 1 {
            let again = begin(exchanges[index].request, context, as: "callback", mayBeChanged: false)
            exchanges[again.index].altered = true
        }
        if delivery.copies == 0 { exchanges[index].networkError = .reset }
        if let delay = underWay.strike?.rule.delay { await pause(delay, lane) }
        return delivery
    }

    private static func message(_ url: WebURL, _ form: FormItems?) -> RequestMessage {
        form.map { RequestMessage.post(url, form: $0) } ?? RequestMessage.get(url)
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
        let indices = exchanges.indices(since: mark.exchanges, lane: lane)
        return StepLogs(
            exchanges: indices.map { exchanges[$0] }, records: indices.map { record(of: $0) },
            messages: messages.since(mark.messages, lane: lane).map(\.json),
            trace: traces.since(mark.traces, lane: lane), problems: problems.since(mark.problems, lane: lane))
    }

    /// The newest message to one of these addresses. On targets that do not report messages a person or a program
    /// supplies it, and the log then has it.
    func newestMessage(to addresses: [String], lane: LaneID = .main) async -> JSONValue? {
        let fetched = await far?.fetchMessage(to: addresses)
        // The reason why there is none is recorded here, since no exchange may follow that could record it.
        await collect(lane: lane)
        if let fetched {
            messages.append((fetched, addresses), lane: lane)
            return fetched
        }
        return knownMessage(to: addresses)
    }

    /// The newest message to one of these addresses that is in the log already.
    func knownMessage(to addresses: [String]) -> JSONValue? {
        let wanted = addresses.map { $0.lowercased() }
        return messages.entries.last { $0.addresses.contains { wanted.contains($0.lowercased()) } }?.json
    }

    /// The code in the newest call of a policy that asks a service to send something to one of these addresses.
    func newestServiceMail(to addresses: [String]) -> String? {
        for exchange in exchanges.entries.reversed() where exchange.endpoint == "rest" {
            if let code = ServiceMail(body: exchange.request.body)?.code(to: addresses) { return code }
        }
        return nil
    }

    /// Drops what the logs have of steps that are over: the exchanges, and what the policies did. Messages stay, because a
    /// person may read one later.
    func dropLogs() {
        // An answer finds its exchange by the index.
        guard openCount == 0 else { return }
        exchanges.dropAll()
        records.removeAll(keepingCapacity: true)
        traces.dropAll()
    }

    var exchangeCount: Int { exchanges.count }

    /// All exchanges so far as records.
    func exchangeRecords() -> [JSONValue] { exchanges.indices.map { record(of: $0).json } }

    private func record(of index: Int) -> ExchangeRecord {
        let changes = exchanges.changes(of: index)
        if let known = records[index], known.changes == changes { return known.record }
        let record = ExchangeRecord(exchanges[index])
        records[index] = (changes, record)
        return record
    }

    /// The records of all exchanges so far, with what the log of a step leaves to other members of its outcome: the time
    /// of the answer, the step, and what is in the tokens of the answer.
    func log() -> [JSONValue] {
        exchanges.indices.map { ExchangeLog.record(exchanges[$0], json: record(of: $0).json) }
    }
}

/// The logs of one step, as far as the wire and the authority have them.
struct StepLogs: Sendable {
    var exchanges: [Exchange] = []
    /// Of these exchanges.
    var records: [ExchangeRecord] = []
    var messages: [JSONValue] = []
    var trace: [JSONValue] = []
    var problems: [String] = []
}

/// The record of an exchange. Most are read by nobody: its JSON is written when an outcome or a report asks for it.
final class ExchangeRecord: Sendable {
    private let written: Deferred<JSONValue>

    init(_ exchange: Exchange) { written = Deferred { exchange.json } }

    var json: JSONValue { written.value }
}
