import B2CProtocol
import Determinism
import JSON
import Verbs

/// Writes the steps of a script, and keeps track of what the mock will know by then: who is signed in where.
struct StepWriter {
    let context: ScriptContext
    private(set) var steps: [Step] = []
    /// One line for each step: what it was made of.
    private(set) var lines: [String] = []
    /// For each step the position in the story of what it was made of.
    private(set) var origins: [Int] = []
    private(set) var origin = 0
    /// Where each app asked for tokens last, other than without the person.
    let lastAsked: [String?: Int]
    /// One line for each thing that is written with less than was captured.
    private(set) var reductions: [String] = []

    /// The browser has a single sign-on session by now.
    var hasSession = false
    /// Apps that have tokens, with the policies that they got them from.
    var signedIn: [Int: Set<String>] = [:]
    /// People who have accounts in apps, the newest last.
    var holders: [Int: [Int]] = [:]
    /// The newest step that brought tokens.
    var newestID: String?
    private var ids = UniqueNames()
    private var last: Timestamp?
    /// People who made an account in the capture and have it still.
    var hasAccount: Set<Int> = []
    /// People who let the telephone ring.
    var silentPhones: Set<Int> = []
    /// Attributes as they are by now, where they are not as in the tenant file.
    var attributes: [Int: JSONObject] = [:]
    /// The newest step that brought tokens for a password, or with the refresh token of such a step, by app and policy.
    var granted: [Int: [String: String]] = [:]
    /// Steps by the ID token that they brought, as the capture writes it.
    var idTokens: [String: String] = [:]
    /// What is waited for, once it is shorter than usual: a client that holds back, an account that is locked.
    private var isHeldBack = false

    init(_ context: ScriptContext) {
        self.context = context
        var lastAsked: [String?: Int] = [:]
        for (index, item) in context.story.items.enumerated()
        where item.asksForTokens && !(item.flow?.isSilent ?? false) { lastAsked[item.clientID] = index }
        self.lastAsked = lastAsked
    }

    mutating func run() {
        for (index, item) in context.story.items.enumerated() {
            origin = index
            wait(until: item.started, for: item)
            last = max(last ?? item.started, item.end)
            noteReduction(of: item)
            if isLeftOut(item) { continue }
            let actor = tenant.actors[index]
            switch item {
            case .flow(let flow): write(flow, actor: actor)
            case .token(let call): write(call, actor: actor)
            case .logout(let call): write(call)
            case .api(let exchange): writeCall(exchange)
            case .userInfo(let exchange, let policy): writeUserInfo(exchange, policy)
            }
            if item.asksForTokens { isHeldBack = Self.holdsBack(item) }
            takeOut(item)
        }
    }

    var tenant: CapturedTenant { context.tenant }

    /// What became of the step when it was tried.
    var attempt: CaptureImport.Attempt { context.options.attempts[origin] ?? CaptureImport.Attempt() }

    private mutating func noteReduction(of item: CapturedFlow.Item) {
        guard attempt != CaptureImport.Attempt() else { return }
        let fidelity = attempt.fidelity >= item.leastFidelity ? Fidelity.omitted : attempt.fidelity
        let rest = attempt.unmet.isEmpty ? "" : " What the mock does otherwise is not expected."
        reductions.append("\(fidelity)  \(item.place), \(item.inWords): \(fidelity.sentence)\(rest)")
    }

    /// What cannot be played at all is omitted: a script that fails shows nothing.
    private func isLeftOut(_ item: CapturedFlow.Item) -> Bool {
        guard let why = attempt.reasons.last, attempt.fidelity >= item.leastFidelity else { return false }
        context.note(
            "\(item.place): \(item.inWords) is not in the script, because the mock does not play it as it was captured "
                + "(\(why)); write the step in once you know what led to it.")
        return true
    }

    /// Takes out of the step what does not hold against the mock, and says so.
    private mutating func takeOut(_ item: CapturedFlow.Item) {
        let unmet = attempt.unmet
        guard !unmet.isEmpty, origins.last == origin, var step = steps.popLast() else { return }
        for one in unmet {
            let inner = JSONPointer(tokens: Array(one.pointer.tokens.dropFirst()))
            if one.pointer.tokens.first == "expect" { step.expect?.set(nil, at: inner) } else { step.faults = nil }
        }
        steps.append(step)
        let rest = unmet.count - Self.mostReasons
        context.note(
            "\(item.place): the mock does not do all that the capture shows, and the script does not expect it: "
                + unmet.prefix(Self.mostReasons).map(\.why).joined(separator: "; ")
                + (rest > 0 ? "; and \(rest) more" : ""))
    }

    /// How many things that the mock does otherwise are listed of one step.
    private static let mostReasons = 32

    // MARK: Parts of steps

    mutating func append(_ step: Step, _ line: String) {
        steps.append(step)
        lines.append(line)
        origins.append(origin)
    }

    /// Appends a step with what it expects, and with the rules that it needs.
    mutating func append(_ step: Step, _ ending: CapturedExpectation.Ending, _ line: String) {
        var step = step
        if !ending.faults.isEmpty { step.faults = .array(ending.faults) }
        step.expect = .object(ending.expect)
        for note in ending.notes { context.note(note) }
        append(step, line)
    }

    func step(_ call: some VerbRecord, _ title: String, client: Int = 0, id: String? = nil) -> Step {
        Step(call, id: id, name: title, client: client == 0 ? nil : tenant.clients[client].name)
    }

    mutating func id(_ word: String) -> String { ids.take(word) }

    func client(_ id: String?) -> Int { tenant.client(id) ?? 0 }

    /// The policy of a call, where it is not the one that the app asks by itself.
    func policyName(_ id: String?, unlessOf client: Int) -> String? {
        tenant.policyName(id).flatMap { $0 == tenant.policyName(tenant.clients[client].policy) ? nil : $0 }
    }

    /// The scopes of a call, where they are not those that the app asks for by itself.
    func scopes(_ text: String?, unlessOf client: Int) -> [String]? {
        text.map(CapturedTenant.scopes).flatMap { $0 == tenant.clients[client].scopes ? nil : $0 }
    }

    mutating func hold(_ person: Int, _ client: Int) {
        holders[client, default: []].removeAll { $0 == person }
        holders[client, default: []].append(person)
    }

    /// Whether something is refused for a while after it: libraries do not ask again at once, accounts stay locked.
    private static func holdsBack(_ item: CapturedFlow.Item) -> Bool {
        if let flow = item.flow {
            return flow.acts.contains { $0.refusal.map { RefusalReason($0.code, $0.message) } == .locked }
        }
        return item.tokenCall.map { !$0.isGood } ?? false
    }

    /// Time passes where it may count: tokens end, sessions end.
    private mutating func wait(until time: Timestamp, for item: CapturedFlow.Item) {
        let isShort = isHeldBack && item.asksForTokens
        guard let last, time - last >= (isShort ? .seconds(1) : .minutes(5)) else { return }
        let span = TimeSpan.seconds((time - last).wholeSeconds)
        append(Step(AdvanceClock { $0.value = span }), "time passes: \(span.iso8601)")
    }
}

extension CapturedFlow.Item {
    /// From which fidelity on it is omitted: only a sign-in can be written with less.
    fileprivate var leastFidelity: Fidelity {
        switch self {
        case .flow(let flow): flow.isSilent ? .withoutRequests : .omitted
        case .token(let call): call.grant == "authorization_code" ? .accountGiven : .withoutRequests
        case .logout, .api, .userInfo: .withoutRequests
        }
    }

    fileprivate var inWords: String {
        switch self {
        case .flow(let flow): flow.isSilent ? "the request without the person" : "the sign-in"
        case .token: "the request for tokens"
        case .logout: "the sign-out"
        case .api: "the call of the API"
        case .userInfo: "the call of the userinfo endpoint"
        }
    }
}
