import AuthorityHosting
import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JSON
import Journeys
import MockAuthority

/// The far side as a world of a mock-server. It is made for one scenario and removed after it.
///
/// Each request carries the world's name, its own number and the time. What happened meanwhile is read from the
/// server's journal before the answer is handed on, so logs come out in the order they have in process.
actor RemoteBackend: TargetBackend {
    private let control: ControlClient
    private let time: VirtualTime
    private let tenant: CompiledTenant
    private let seed: UInt64
    private let stream: String
    /// Hashes of the keys of the authorities that have signed for the server.
    private let trustedKeys: [String]
    private var world: String?
    private var since: Int64 = 0
    private var unread: [FarNews] = []
    /// The rules as the server has them, and which of those in force they are.
    private var told: JSONObject?
    private var toldOf: [Int] = []
    private var standing: [FaultRules.Count] = []
    /// The server has sent something of its own, so its rules may have counted.
    private var mayHaveStruck = false

    init(
        control: ControlClient, time: VirtualTime, tenant: CompiledTenant, seed: UInt64, stream: String,
        trustedKeys: [String] = []
    ) {
        self.trustedKeys = trustedKeys
        self.control = control
        self.time = time
        self.tenant = tenant
        self.seed = seed
        self.stream = stream
    }

    func begin() async throws(StepProblem) {
        var order = JSONObject()
        order["tenant"] = tenant.json
        order["seed"] = .string(String(seed))
        order["seedPath"] = .string(stream)
        order["now"] = .string(time.now.rfc3339)
        let texts = tenant.policyTexts
        if !texts.isEmpty { order["policies"] = .object(JSONObject(texts.map { ($0.path, .string($0.text)) })) }
        do throws(ControlClient.Problem) {
            let made = try await control.call("POST", "/worlds", .object(order))
            guard let name = made["world"]?.stringValue else {
                throw ControlClient.Problem(text: "the server has made a world without a name", status: 0)
            }
            world = name
        } catch {
            throw StepProblem("the target makes no world: \(error.text)")
        }
    }

    func end() async {
        guard let world else { return }
        self.world = nil
        _ = try? await control.call("DELETE", "/worlds/\(world)")
    }

    // MARK: Exchanges

    func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        guard let world else { return .failure(.other("the world is gone")) }
        let number = context.number ?? ""
        if let orders = context.orders as? PeerOrders, !number.isEmpty {
            await tell("POST", "/faults/effects", orders.controlJSON(exchange: number))
        }
        let outcome: Result<ResponseMessage, TransportError>
        do throws(TransportError) {
            // The caller's patience is measured in base time, by the hub.
            outcome = .success(
                try await control.transport.send(
                    addressed(request, world, number, from: context.from), ExchangeContext()))
        } catch {
            outcome = .failure(error)
        }
        let records = await readJournal(after: number)
        switch outcome {
        case .failure(let error):
            return .failure(error)
        case .success(var response):
            if let now = response.headers["B2C-World-Now"].flatMap({ Timestamp(rfc3339: $0) }) {
                time.advance(to: now)
            }
            let obeyed = response.headers["B2C-World-Obeyed"].flatMap { text in
                try? JSONParser.parse(PercentCoding.decode(text, plusIsSpace: false))
            }
            let delay = response.headers["B2C-World-Delay"].flatMap { TimeSpan(iso8601: $0) } ?? .zero
            if let word = response.headers["B2C-World-Error"] {
                return .failure(TransportError.named(word) ?? .other(word), delay: delay)
            }
            response.headers.fields.removeAll { field in
                Self.ofTheServer.contains(field.name.lowercased()) || field.name.lowercased().hasPrefix("b2c-world-")
            }
            response.refusal = records.last { $0["number"]?.stringValue == number }?["refusal"]?.stringValue
            return .response(response, delay: delay, obeyed: obeyed.map { ChangeEffect(json: $0) })
        }
    }

    /// Fields that come with the connection, not from the world.
    private static let ofTheServer: Set<String> = [
        "content-length", "date", "server", "connection", "keep-alive", "transfer-encoding",
    ]

    /// The request with the world's name on it. The server speaks one scheme, TLS or not; a URL of the other says
    /// which it was.
    private func addressed(
        _ request: RequestMessage, _ world: String, _ number: String, from party: Party
    ) -> RequestMessage {
        var request = request
        var selector = "\(world);exchange=\(number);now=\(time.now.rfc3339);from=\(party.rawValue)"
        if request.url.scheme != control.base.scheme {
            selector += ";scheme=\(request.url.scheme)"
            request.url.scheme = control.base.scheme
        }
        request.headers.append("B2C-World", selector)
        return request
    }

    /// Reads the journal on from where it was left.
    ///
    /// - Parameter number: That of the exchange that was delivered, which is in the log already.
    /// - Returns: The records of requests in it.
    private func readJournal(after number: String? = nil) async -> [JSONValue] {
        guard let world else { return [] }
        var records: [JSONValue] = []
        do throws(ControlClient.Problem) {
            let page = try await control.call("GET", "/events?since=\(since)&secrets=show", world: world)
            since = page["next"]?.intValue ?? since
            if page["dropped"]?.boolValue == true {
                unread.append(.problem("the server's journal has lost entries: the logs of this step are incomplete"))
            }
            for event in page["events"]?.arrayValue ?? [] {
                if event["type"]?.stringValue == "request", let record = event["request"] { records.append(record) }
                guard let news = FarNews(event: event) else { continue }
                if case .exchange(let exchange) = news {
                    if exchange.number == number { continue }
                    mayHaveStruck = true
                }
                unread.append(news)
            }
        } catch {
            unread.append(.problem("what happened on the target cannot be read: \(error.text)"))
        }
        return records
    }

    func news() async -> [FarNews] {
        defer { unread = [] }
        return unread
    }

    // MARK: A real browser

    /// All hosts of the world are the server's, and every request names its world.
    func browserRoute() -> BrowserRoute? {
        guard let world, let host = control.base.host else { return nil }
        return BrowserRoute(
            hosts: [.init(host: "*", address: "\(host):\(control.base.effectivePort)")], trustedKeys: trustedKeys,
            headers: [.init(name: "B2C-World", value: "\(world);from=browser")])
    }

    func browserActs() async {
        do throws(ControlClient.Problem) {
            try await moveClock()
        } catch {
            unread.append(.problem("the target did not take a command: \(error.text)"))
        }
    }

    func browserRests() async { _ = await readJournal() }

    // MARK: Rules

    func obey(_ rules: [(rule: FaultRule, count: FaultRules.Count)]) async {
        standing = rules.map(\.count)
        toldOf = rules.indices.filter { Self.mayMeetOwn(rules[$0].rule) }
        guard !toldOf.isEmpty else {
            if told != nil { await tell("DELETE", "/faults", [:]) }
            told = nil
            return
        }
        var body = JSONObject()
        body["rules"] = .array(toldOf.map { rules[$0].rule.json })
        body["strikes"] = "own"
        body["counts"] = .array(toldOf.map { .object(rules[$0].count.json) })
        guard body != told else { return }
        await tell("PUT", "/faults", .object(body))
        told = body
    }

    /// Whether a rule can meet an exchange that the server sends by itself.
    private static func mayMeetOwn(_ rule: FaultRule) -> Bool {
        if rule.to != nil || rule.match?["endpoint"]?.stringValue == "callback" { return false }
        guard let from = rule.match?["from"]?.stringValue else { return true }
        return from == Party.authority.rawValue || from == Party.api.rawValue
    }

    func counts() async -> [FaultRules.Count]? {
        guard mayHaveStruck else { return nil }
        mayHaveStruck = false
        guard told != nil, let world else { return nil }
        guard let rules = (try? await control.call("GET", "/faults", world: world))?["rules"]?.arrayValue,
            rules.count == toldOf.count
        else { return nil }
        var counts: [JSONValue] = []
        for (index, rule) in zip(toldOf, rules) {
            let count = FaultRules.Count(json: rule)
            standing[index] = count
            counts.append(.object(count.json))
        }
        told?["counts"] = .array(counts)
        return standing
    }

    // MARK: Commands

    /// A call whose failure is a problem of the step under way.
    private func tell(_ method: String, _ path: String, _ body: JSONValue) async {
        do throws(ControlClient.Problem) {
            _ = try await control.call(method, path, world: world, body)
        } catch {
            unread.append(.problem("the target did not take a command: \(error.text)"))
        }
    }

    private func moveClock() async throws(ControlClient.Problem) {
        _ = try await control.call("PATCH", "/clock", world: world, ["now": .string(time.now.rfc3339)])
    }

    func configure(tenant: CompiledTenant, patch: JSONValue) async throws(StepProblem) {
        do throws(ControlClient.Problem) {
            try await moveClock()
            _ = try await control.call("PATCH", "/tenant", world: world, ["patch": patch])
        } catch {
            throw StepProblem(error.text)
        }
        _ = await readJournal()
    }

    func command(_ command: ControlCommand) async -> ControlAnswer {
        do throws(ControlClient.Problem) {
            try await moveClock()
            switch command {
            case .inspect(.users):
                return .value(try await get("/users?secrets=show", "users"))
            case .inspect(.inbox):
                return .value(try await get("/inbox", "messages"))
            case .inspect(.keys):
                return .value(try await get("/keys", "keySets"))
            case .inspect(.sessions):
                return .value(try await get("/sessions", "sessions"))
            case .mint(let order):
                return .value(try await control.call("POST", "/tokens", world: world, .object(order.object)))
            case .reset:
                _ = try await control.call("POST", "/reset", world: world)
                return .done
            default:
                return .refused("the control API of a mock-server has no such command")
            }
        } catch {
            return .refused(error.text)
        }
    }

    private func get(_ path: String, _ member: String) async throws(ControlClient.Problem) -> JSONValue {
        try await control.call("GET", path, world: world)[member] ?? .null
    }

    func restartAPI(_ name: String?) async throws(StepProblem) {
        do throws(ControlClient.Problem) {
            _ = try await control.call("POST", "/apis/\(name ?? "*")/restart", world: world)
        } catch {
            throw StepProblem(error.text)
        }
    }
}

extension FarNews {
    /// An entry of a mock-server's journal; nil: nothing that a log of the runner shows.
    init?(event: JSONValue) {
        switch event["type"]?.stringValue {
        case "message":
            guard let message = event["message"] else { return nil }
            self = .message(message, to: message["to"]?.stringValue ?? "")
        case "trace":
            guard let entry = event["entry"] else { return nil }
            self = .trace(entry)
        case "notSimulated":
            guard let what = event["what"]?.stringValue else { return nil }
            self = .problem(what)
        case "unmatched":
            guard let text = event["text"]?.stringValue else { return nil }
            self = .problem(text)
        case "request":
            guard let record = event["request"], let exchange = Exchange(record: record) else { return nil }
            switch exchange.context.from {
            case .authority, .api: self = .exchange(exchange)
            case .browser, .client:
                guard let number = Int(exchange.number), (0..<(1 << 53)).contains(number) else { return nil }
                self = .passed(number: number)
            }
        default:
            return nil
        }
    }
}

extension PeerOrders {
    /// The orders as the control API takes them, for one exchange.
    func controlJSON(exchange: String) -> JSONValue {
        var json = JSONObject()
        json["exchange"] = .string(exchange)
        if let claims { json["claims"] = .object(claims) }
        if let refusal { json["b2cError"] = refusal.json }
        return .object(json)
    }
}
