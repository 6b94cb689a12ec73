import AuthorityHosting
import CurlHTTP
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles

/// A real tenant as the far side. Time is the machine's, nothing can be changed from outside, messages come from
/// wherever the target file says, else the tenant file.
actor LiveFarSide: TargetBackend {
    private let target: RunTarget
    private let time: VirtualTime
    private let hosts: Set<String>
    /// Hosts that the target file reaches without TLS, on this machine.
    private let plain: Set<String>
    private let inbox: InboxSettings?
    private let real: any PassingTime
    private let started: Timestamp
    /// When the page last asked for a code.
    private var askedForCode: Timestamp?
    private var unread: [FarNews] = []
    private var retryAfter: TimeSpan?

    init(target: RunTarget, tenant: Tenant, time: VirtualTime) {
        self.target = target
        self.time = time
        real = target.services.time
        started = real.now()
        hosts = Self.hosts(of: tenant, target.settings)
        plain = target.settings.plainHosts
        inbox = target.settings.inbox ?? tenant.inbox
    }

    /// The hosts that may be contacted: those that the two files name.
    static func hosts(of tenant: Tenant, _ settings: TargetSettings) -> Set<String> {
        var hosts = Set((tenant.hosts + settings.hosts).map { $0.lowercased() })
        for api in tenant.apis {
            if let host = WebURL(api.baseUrl)?.host { hosts.insert(host) }
        }
        return hosts
    }

    func begin() async { followClock() }

    func end() async {}

    /// Base time follows the machine's. Where a wait has moved it ahead, the next request waits for real.
    func catchUp() async { followClock() }

    private func followClock() { time.advance(to: real.now()) }

    // MARK: Exchanges

    func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        guard let host = request.url.host, hosts.contains(host) else {
            let host = request.url.host ?? ""
            unread.append(
                .blocked(
                    "\(host) is not a host of this target, so nothing was sent there. Add it to `hosts` of the target "
                        + "file if it belongs to the tenant; what an identity provider shows needs a real browser: run "
                        + "this with --browser"))
            return .failure(.other("\(host) is not a host of the target"))
        }
        guard request.url.scheme == "https" || plain.contains(host) || request.url.isLoopback else {
            unread.append(
                .blocked(
                    "\(request.url.origin)\(request.url.path) would go over the network without TLS, so nothing was sent "
                        + "there: a real tenant is asked over https only"))
            return .failure(.other("\(host) is asked over https only"))
        }
        if let pause = await target.pacer.refusal(at: real.now()) {
            unread.append(
                .blocked(
                    "the target has asked to be left alone for \(pause.iso8601) more (429), and nothing waits longer than "
                        + "\(Pacer.longestPause.iso8601): run this later"))
            return .failure(.other("the target has asked to be left alone"))
        }
        await real.wait(until: await target.pacer.place(at: max(real.now(), time.now)))
        followClock()
        if Self.asksForCode(request) { askedForCode = real.now() }
        let delivery: Delivery
        do throws(CurlFailure) {
            var sent = request
            if plain.contains(host) { sent.url.scheme = "http" }
            delivery = .response(try await target.transport.exchange(sent, timeout: context.timeout))
        } catch {
            unread.append(.note(error.text))
            delivery = .failure(error.error)
        }
        followClock()
        if case .success(let response) = delivery.outcome, response.status == 429 {
            let pause = response.retryAfter(at: real.now()) ?? .seconds(10)
            retryAfter = pause
            await target.pacer.hold(until: real.now() + pause)
        }
        return delivery
    }

    // MARK: A real browser

    /// The hosts that may be contacted, where the target file says they are.
    func browserRoute() -> BrowserRoute? {
        let routes = target.settings.connectTo.members.compactMap { member -> BrowserRoute.Host? in
            guard let text = member.value.stringValue, !TargetFile.isPlain(text), let to = TargetFile.place(text) else {
                return nil
            }
            let from = TargetFile.place(member.key)?.host ?? member.key
            return BrowserRoute.Host(host: from.lowercased(), address: "\(to.host):\(to.port)")
        }
        return BrowserRoute(hosts: routes, onlyHosts: hosts.sorted(), trustedKeys: target.trustedKeys)
    }

    func browserActs() async {
        await real.wait(until: await target.pacer.place(at: max(real.now(), time.now)))
        followClock()
        // Pressing may send a code; the page decides which button does.
        askedForCode = real.now()
    }

    func browserRests() async { followClock() }

    private static func asksForCode(_ request: RequestMessage) -> Bool {
        request.method == "POST"
            && (request.url.path.hasSuffix("/SendCode") || request.text.contains("request_type=VERIFICATION_REQUEST"))
    }

    func news() async -> [FarNews] {
        defer { unread = [] }
        return unread
    }

    func throttle() async -> TimeSpan? { retryAfter }

    // MARK: Messages

    func fetchMessage(to addresses: [String]) async -> JSONValue? {
        guard let inbox, let address = addresses.first else { return nil }
        if let command = inbox.command, !command.isEmpty { return await run(command, for: address) }
        guard inbox.prompt else { return nil }
        await target.terminal.enter([""])
        let text = await target.services.ask("The code that \(address) has received: ")
        await target.terminal.leave([""])
        guard let text, !text.isEmpty else {
            unread.append(.problem("no code was given for \(address): there is no terminal to ask at"))
            return nil
        }
        followClock()
        return Self.record(text, to: address)
    }

    /// Asks the program until it has something, for a minute at most.
    private func run(_ command: [String], for address: String) async -> JSONValue? {
        let since = (askedForCode ?? started).rfc3339
        let arguments = command.map {
            $0.replacing("{to}", with: address).replacing("{since}", with: since)
        }
        let deadline = real.now() + .minutes(1)
        var last = "it printed nothing"
        while true {
            switch await target.services.run(arguments) {
            case .success(let text) where !text.allSatisfy(\.isWhitespace):
                followClock()
                return Self.record(text, to: address)
            case .success:
                last = "it printed nothing"
            case .failure(let problem) where problem.isLasting:
                followClock()
                unread.append(.problem("the inbox command brings no message to \(address): \(problem.text)"))
                return nil
            case .failure(let problem):
                last = problem.text
            }
            guard real.now() < deadline else { break }
            await real.wait(until: real.now() + .seconds(2))
        }
        followClock()
        unread.append(.problem("the inbox command brought no message to \(address) within a minute: \(last)"))
        return nil
    }

    /// The record of the `messages` log: a JSON object as the program printed it, or a text with a code in it.
    static func record(_ printed: String, to address: String) -> JSONValue {
        var record = JSONObject()
        record["to"] = .string(address)
        record["kind"] = address.contains("@") ? "email" : "sms"
        if let object = (try? JSONParser.parse(printed))?.objectValue {
            // The program was asked for this address, so the message is one to it, whatever its own `to` says.
            for (key, value) in object.members where key != "to" && key != "code" { record[key] = value }
            record["code"] = object["code"].flatMap { Self.code($0) }.map { .string($0) }
        } else {
            record["text"] = .string(printable(printed))
        }
        if record["code"] == nil, let code = code(in: record["text"]?.stringValue ?? "") {
            record["code"] = .string(code)
        }
        return .object(record)
    }

    /// A code as a text, or as a number where a program has made one of it.
    private static func code(_ value: JSONValue) -> String? {
        if let number = value.intValue { return String(number) }
        guard let text = value.stringValue else { return nil }
        let trimmed = text.filter { !$0.isWhitespace }
        return trimmed.isEmpty || trimmed.utf8.count > 64 ? nil : trimmed
    }

    /// Without characters that would move a terminal, and no more of it than a report can show.
    private static func printable(_ text: String) -> String {
        VisibleText.of(String(String.UnicodeScalarView(text.unicodeScalars.prefix(20_000))), keeping: ["\n", "\t"])
    }

    /// The first run of exactly six digits, else of four to eight.
    static func code(in text: String) -> String? {
        let runs = text.split { !$0.isASCII || !$0.isNumber }
        let found = runs.first { $0.count == 6 } ?? runs.first { (4...8).contains($0.count) }
        return found.map(String.init)
    }

    // MARK: What a real tenant does not do

    func configure(tenant: CompiledTenant, patch: JSONValue) async throws(StepProblem) {
        let ours: Set<String> = ["device", "browser", "apps"]
        for key in patch.objectValue?.keys ?? [] where !ours.contains(key) {
            throw StepProblem("`\(key)` of a real tenant cannot be changed from here")
        }
    }

    func command(_ command: ControlCommand) async -> ControlAnswer {
        .refused("a real tenant takes no such command")
    }

    func restartAPI(_ name: String?) async throws(StepProblem) {
        throw StepProblem("the APIs of a real tenant cannot be restarted from here")
    }
}
