import AuthorityHosting
import Determinism
import Exchanges
import HTTPMessages
import JSON
import Synchronization

/// Everything between the wire and the worlds: it checks a request, finds its world, and writes the access log.
///
/// It knows no sockets, so tests can call it as they are.
final class Front: Sendable {
    let worlds: Worlds
    let desk: (any ControlDesk)?
    let gate: ControlGate
    let limits: Limits
    let access: AccessLog
    /// What clients call the server behind a proxy.
    let outer: OuterAddress
    private let clock: any MonotonicClock
    /// The port of the console; `nil` until it listens.
    let consolePort = Mutex<Int?>(nil)
    /// How many requests were answered.
    let answered = Atomic<Int>(0)

    /// - Parameter desk: Who answers below `/_b2c`.
    init(
        worlds: Worlds, desk: (any ControlDesk)?, gate: ControlGate, limits: Limits = Limits(), access: AccessLog,
        outer: OuterAddress = OuterAddress(), clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.worlds = worlds
        self.desk = desk
        self.gate = gate
        self.limits = limits
        self.access = access
        self.outer = outer
        self.clock = clock
    }

    /// Answers a request and writes its line of the access log.
    func answer(_ incoming: IncomingRequest) async -> ServerAnswer {
        let start = clock.microseconds()
        answered.wrappingAdd(1, ordering: .relaxed)
        let route = route(incoming)
        var answer = await carryOut(route, incoming)
        if case .message(var message) = answer {
            finish(&message, route, incoming)
            answer = .message(message)
        }
        access.write(
            AccessRecord(incoming, world: route.worldName, answer: answer, microseconds: clock.microseconds() - start))
        return answer
    }

    /// Writes the line of a request that was refused before it was whole.
    func refused(_ incoming: IncomingRequest, status: Int) {
        access.write(
            AccessRecord(
                incoming, world: nil, answer: .message(ResponseMessage(status: status)), microseconds: 0))
    }

    /// A refusal of the server itself, in words.
    static func problem(_ status: Int, _ text: String) -> ResponseMessage {
        var message = ResponseMessage.text(status, text + "\n")
        message.refusal = text
        return message
    }

    /// A refusal of the server itself in the form that the caller expects: JSON below the control API's path, else text.
    static func problem(_ status: Int, _ text: String, for incoming: IncomingRequest) -> ResponseMessage {
        guard isControl(incoming.target) else { return problem(status, text) }
        return ControlFault.answer(status: status, text)
    }

    /// The refusal of a body that is larger than the limit of its call.
    static func tooLarge(limit: Int, for incoming: IncomingRequest) -> ResponseMessage {
        var text = "the body is larger than \(limit) bytes"
        if incoming.method == "PUT", incoming.target.prefix(while: { $0 != "?" }) == "\(ControlAPI.prefix)/state" {
            text +=
                " (\(limit >> 20) MB, about 50000 accounts); a state file has no such limit: start the server with --state FILE"
        }
        return problem(413, text, for: incoming)
    }

    /// Path of the inspector page.
    static let inspector = "/_b2c/"

    /// Whether a request target is that of the start page.
    static func isStart(_ target: String) -> Bool { target == StartPage.path || target.hasPrefix("/?") }

    /// What is done about a request before its body is read. Only who may use the control API may send it a large body.
    func admission(_ head: IncomingRequest, _ limits: Limits) -> Admission {
        guard Self.isControl(head.target) else { return .body(limit: limits.bodySize) }
        guard case .control(let request, _) = route(head), !InspectorFiles.isOne(request) else {
            return .body(limit: limits.bodySize)
        }
        if let problem = gate.problem(head) { return .refused(problem) }
        return .body(limit: limits.controlBodySize)
    }

    /// Whether a request target belongs to the control API or the inspector page.
    static func isControl(_ target: String) -> Bool {
        guard target.hasPrefix("/_b2c") else { return false }
        let next = target.dropFirst("/_b2c".count).first
        return next == nil || next == "/" || next == "?"
    }

    // MARK: Answering

    private func carryOut(_ route: Route, _ incoming: IncomingRequest) async -> ServerAnswer {
        switch route {
        case .health:
            return .message(.json(200, ["status": "ready"]))
        case .refusal(let message):
            return .message(message)
        case .start(let world, let url, let inspector):
            // Who may read the people at this port may see their names here.
            let showsPeople = desk != nil && gate.problem(incoming) == nil
            let page = StartPage(
                tenant: world.tenant, inspector: inspector, showsPeople: showsPeople,
                showsPasswords: showsPeople && incoming.isLoopback, origin: url.origin)
            return .message(page.answer)
        case .landing(let world, let url, let inspector):
            let answer = await LandingPage(world: world, url: url, inspector: inspector).answer()
            return await hasSettled(world) ? .message(answer) : .drop
        case .control(let request, let world):
            // The page itself is not a secret, and a browser that opens it shows no token.
            let isPage = incoming.isConsole && gate.token != nil && InspectorFiles.isOne(request)
            let opensPage = incoming.isConsole && request.method == "GET" && request.url.path == Self.inspector
            if !isPage, let problem = gate.problem(incoming, opensPage: opensPage) { return .message(problem) }
            guard let desk else {
                return .message(Self.problem(501, "not built yet: the control API and the inspector page"))
            }
            let answer = await desk.answer(request, world: world)
            return await hasSettled(worlds.world(named: world)) ? answer : .drop
        case .world(let world, let request, let selector, let local):
            if let now = selector?.now { world.time.advance(to: now) }
            let delivery = await world.delivery(
                of: request, number: selector?.exchange, from: selector?.from ?? .client)
            if world.isDefault, delivery.delay > .zero { await world.time.pass(delivery.delay) }
            var answer = self.answer(delivery, of: world, local, from: request.url.host)
            if !world.isDefault, selector?.from == .browser, selector?.exchange == nil,
                case .message(var message) = answer
            {
                message.moveCookies(by: world.time.system.now() - world.time.now())
                answer = .message(message)
            }
            // The authority has waited for its own changes. Its neighbours and the clock have nobody who waits for them.
            let isOfAuthority = world.place(of: request.url.host ?? "") != .neighbour
            if isOfAuthority, delivery.delay == .zero || !world.time.isFrozen { return answer }
            return await hasSettled(world) ? answer : .drop
        }
    }

    /// Whether the state file, if there is one, has everything that an answer may contain.
    private func hasSettled(_ world: ServerWorld?) async -> Bool {
        guard let world, world.keepsState else { return true }
        return await world.settle()
    }

    private func answer(
        _ delivery: Delivery, of world: ServerWorld, _ local: LocalAddress?, from host: String?
    ) -> ServerAnswer {
        switch delivery.outcome {
        case .failure where world.isDefault: return .drop
        case .failure(let error):
            var message = ResponseMessage(status: 502, headers: [WorldSelector.errorHeader: error.word])
            message.refusal = "\(error)"
            if delivery.delay > .zero { message.headers[WorldSelector.delayHeader] = delivery.delay.iso8601 }
            return .message(message)
        case .success(var message):
            if let local { local.adapt(&message, of: world, from: host) }
            if !world.isDefault, delivery.delay > .zero {
                message.headers[WorldSelector.delayHeader] = delivery.delay.iso8601
            }
            if !world.isDefault, let obeyed = delivery.obeyed {
                let text = JSONWriter.compact(.object(obeyed.json))
                message.headers[WorldSelector.obeyedHeader] = PercentCoding.encodeComponent(text)
            }
            if message.headers["Date"] == nil { message.headers.append("Date", world.time.now().httpDate) }
            return .message(message)
        }
    }

    private func finish(_ message: inout ResponseMessage, _ route: Route, _ incoming: IncomingRequest) {
        if message.headers["Date"] == nil {
            message.headers.append("Date", (worlds.world(named: nil)?.time ?? worlds.clock).now().httpDate)
        }
    }
}

/// A clock that only measures.
protocol MonotonicClock: Sendable {
    func microseconds() -> Int64
}

struct SystemMonotonicClock: MonotonicClock {
    private let start = ContinuousClock.now

    func microseconds() -> Int64 {
        let passed = start.duration(to: .now).components
        return passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
    }
}

/// What a `Host` field may have.
enum HostName {
    /// A name of letters, digits, `-`, `_` and `.`, an IPv4 address or an IPv6 address in brackets, and a port.
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 260 else { return false }
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > 1,
                rest[1..<end].allSatisfy({ isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return false }
            rest = rest[(end + 1)...]
        } else {
            let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            guard end > 0, rest[..<end].allSatisfy(isNameByte) else { return false }
            rest = rest[end...]
        }
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        return colon == UInt8(ascii: ":") && (1...5).contains(digits.count)
            && digits.allSatisfy { (48...57).contains($0) }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte | 0x20)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 0x20)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
}
