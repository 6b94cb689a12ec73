import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import JourneyLogs
import Journeys
import TrustFramework

extension RecorderMessage {
    /// What the journey recorder writes about one request: the turns that the journey took in it, with its calls between
    /// them.
    ///
    /// Names and order of the clips are those of published logs and of programs that read them. What these do not show is
    /// inferred: the handlers of a wait, the details of `Settings`, and which items of the state a handler sets.
    ///
    /// - Parameters:
    ///   - turns: All of one journey, one at least; the first brought the request.
    ///   - passwords: The claim types of the policy that hold passwords.
    ///   - hidden: Passwords; they are not written.
    init(of turns: [JourneyTurn], passwords: Set<ClaimTypeHandle>, hiding hidden: HiddenTexts) {
        self.init()
        guard let first = turns.first, let last = turns.last else { return }
        var script = MessageScript(first, passwords: passwords, hiding: hidden)
        script.open(turns)
        for item in TurnItem.items(of: turns) { script.play(item) }
        script.close(last)
        clips = script.clips
    }
}

/// Writes the clips of one request.
struct MessageScript {
    typealias Entry = RecorderRecord.Entry
    typealias Key = RecorderStatebag.Key

    let first: JourneyTurn
    let policy: ResolvedPolicy
    let facts: RequestFacts
    private let passwords: Set<ClaimTypeHandle>
    let hidden: HiddenTexts
    let time: String
    var clips: [RecorderClip] = []
    /// The claims as far as the items that were played say.
    private var bag: [ClaimTypeHandle: ClaimValue] = [:]
    /// The claims that the message has shown.
    private var shown: JSONObject?
    /// Calls that were made, by technical profile.
    var calls: [(profile: String, url: WebURL)] = []
    /// The step under way.
    var step: OrchestrationStep?
    /// The claims exchange that a page has chosen.
    var chosen: String?
    /// Validation technical profiles that no result shows yet.
    var validation: [ProfileRecord] = []
    /// The page whose claims exchange has begun.
    var initiated: ProfileHandle?

    /// A technical profile within the result of a page.
    struct ProfileRecord {
        var id: String
        var details: [Entry]
    }

    init(_ turn: JourneyTurn, passwords: Set<ClaimTypeHandle>, hiding hidden: HiddenTexts) {
        first = turn
        policy = turn.call.policy
        facts = turn.call.request
        time = turn.call.now.dotNetRoundTrip()
        self.passwords = passwords
        self.hidden = hidden
        step = turn.open.last.flatMap { MessageScript.step($0, in: turn.call.policy) }
        take(turn.before)
    }

    static func step(_ place: JourneyTurn.Beginning, in policy: ResolvedPolicy) -> OrchestrationStep? {
        let steps = policy[place.journey].steps
        return steps.indices.contains(place.place) ? steps[place.place] : nil
    }

    // MARK: Clips

    mutating func predicate(
        _ name: String, _ holds: Bool = true, record: [Entry] = [], state: [(String, String)] = [],
        exception: RecorderException? = nil, apiResult: JSONObject? = nil
    ) {
        clips.append(.predicate(RecorderHandler.name(name)))
        result(
            holds, predicate: holds, record: record, state: state, exception: exception, apiResult: apiResult)
    }

    mutating func action(
        _ name: String, _ succeeds: Bool = true, record: [Entry] = [], state: [(String, String)] = [],
        exception: RecorderException? = nil
    ) {
        clips.append(.action(name.contains(".") ? name : RecorderHandler.name(name)))
        result(succeeds, record: record, state: state, exception: exception)
    }

    private mutating func result(
        _ succeeds: Bool, predicate: Bool? = nil, record: [Entry], state: [(String, String)],
        exception: RecorderException?, apiResult: JSONObject? = nil
    ) {
        clips.append(
            .handlerResult(
                RecorderResult(
                    // A predicate that does not hold has succeeded; one with an exception has not.
                    result: predicate == nil ? succeeds : exception == nil, predicateResult: predicate,
                    statebag: statebag(state, apiResult), record: record.isEmpty ? nil : RecorderRecord(record),
                    exception: exception)))
    }

    /// What changed: the items, and the claims if they are others than those shown last.
    private mutating func statebag(_ state: [(String, String)], _ apiResult: JSONObject?) -> RecorderStatebag? {
        let claims = claims
        let isNew = claims != shown
        if state.isEmpty, apiResult == nil, !isNew { return nil }
        shown = claims
        return RecorderStatebag(
            entries: state.map { RecorderStatebag.Entry($0.0, $0.1, created: time) },
            complexItems: isNew ? "CLMS" : nil, claims: isNew ? claims : nil, apiResult: apiResult)
    }

    func exception(_ message: String, isOfPolicy: Bool = false) -> RecorderException {
        RecorderException(message: hidden.masked(message), data: ["IsPolicySpecificError": .bool(isOfPolicy)])
    }

    // MARK: Claims

    private var claims: JSONObject {
        var object = JSONObject()
        for claim in bag.keys.sorted() {
            guard let value = bag[claim] else { continue }
            object[policy[claim].id] = shown(value, of: claim)
        }
        return object
    }

    private func shown(_ value: ClaimValue, of claim: ClaimTypeHandle) -> JSONValue {
        if passwords.contains(claim) { return .string(HiddenTexts.mask) }
        if let text = value.text { return .string(hidden.masked(text)) }
        return .array((value.listValue ?? []).map { .string(hidden.masked($0)) })
    }

    /// A value of a claim as text.
    func text(_ value: ClaimValue, of claim: ClaimTypeHandle) -> String {
        let value = shown(value, of: claim)
        return value.stringValue ?? JSONWriter.compact(value)
    }

    /// From now on the claims are these.
    mutating func take(_ claims: TracedClaims) {
        bag = Dictionary(claims.claims.map { ($0.claim, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Further claims have values.
    mutating func add(_ claims: TracedClaims) {
        for traced in claims.claims { bag[traced.claim] = traced.value }
    }

    func value(_ claim: ClaimTypeHandle) -> ClaimValue? { bag[claim] }
}
