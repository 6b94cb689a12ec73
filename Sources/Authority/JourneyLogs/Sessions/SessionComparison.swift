import Determinism
import JSON

/// Compares what a session of a log did with what the policy does in the simulator, up to the first difference.
///
/// Values that no run repeats do not count: identifiers, times, tokens and passwords. Of attempts that a page refused the
/// message counts, where the simulator made them too.
public struct SessionComparison {
    /// The first difference.
    public struct StepDifference: Sendable, Hashable {
        /// The policy element to look at.
        public enum AffectedElement: Sendable, Hashable {
            case step(journey: String?, order: Int)
            /// A technical profile that a step calls.
            case profile(String, journey: String?, order: Int)
            /// What a technical profile says in the simulator when it fails.
            case message(String, text: String)
            /// A claim, with what set it: in the simulator, or else in the log.
            case claim(String, journey: String?, after: Int, setter: Setter?)
        }

        /// What sets a claim, by its id.
        public enum Setter: Sendable, Hashable {
            case profile(String)
            case transformation(String)

            /// The id.
            public var id: String {
                switch self {
                case .profile(let id), .transformation(let id): id
                }
            }
        }

        public var element: AffectedElement
        /// What differs.
        public var message: String
        /// In the log. `nil` if there is nothing.
        public var there: String?
        /// In the simulator.
        public var here: String?
        /// What a script expects of the simulator to do the same as the log.
        public var expected: Expected
        /// How many steps were the same before it.
        public var stepsBefore = 0
    }

    /// An expectation of the scenario language.
    public enum Expected: Sendable, Hashable {
        /// A record of `trace`. Its `claims` are those of the log as they are.
        case record(JSONObject)
        /// Tokens.
        case result
        /// An error with this text, as the log has it.
        case error(String)
        /// A page that waits for the person.
        case page

        /// A record of a step.
        fileprivate static func record(of order: Int, in journey: String? = nil, _ members: JSONObject) -> Expected {
            var record = JSONObject()
            record["journey"] = journey.map { .string($0) }
            record["step"] = .integer(Int64(order))
            for (key, value) in members.members { record[key] = value }
            return .record(record)
        }
    }

    /// An orchestration step of either side.
    private struct ComparedStep {
        var journey: String?
        var order: Int
        var ran = true
        var because = ""
        var profiles: [Profile] = []
        /// What validation technical profiles said when they failed, also in attempts that were repeated.
        var failures: [ValidationFailure] = []
        var transformations: [String] = []
        var claims: JSONObject?
        /// What gave each claim the value that it has in the end.
        var setters: [String: (setter: StepDifference.Setter, value: JSONValue)] = [:]
        var isFinished = false

        mutating func note(_ setter: StepDifference.Setter, of claims: JSONObject?) {
            for (name, value) in claims?.members ?? [] where setters[name]?.value != value {
                setters[name] = (setter, value)
            }
        }
    }

    /// A validation technical profile that failed.
    private struct ValidationFailure {
        var id: String
        var texts: [String]
        /// What the page showed.
        var shown: String?
    }

    private let there: [ComparedStep]
    private let here: [ComparedStep]
    private let story: LoggedSession
    private let failure: String?
    /// Whether an error came to the app.
    private let hasFailed: Bool
    /// Whether a page waits in the simulator.
    private let isWaiting: Bool
    /// The step of that page if it is one of the policy.
    private let waitingStep: Int?
    private let isDeclared: (String) -> Bool
    private let comparesMessages: Bool

    /// - Parameters:
    ///   - outcome: Of a step that signs in, with its log `trace`.
    ///   - failure: Why no token came of it.
    ///   - comparesMessages: Whether the messages of failed technical profiles count.
    ///   - isDeclared: Whether the policy has a claim type.
    public init(
        _ story: LoggedSession, outcome: JSONValue, failure: String?, comparesMessages: Bool = true,
        isDeclared: @escaping (String) -> Bool
    ) {
        self.story = story
        self.comparesMessages = comparesMessages
        self.failure = failure
        hasFailed = outcome["error"]?.objectValue != nil
        isWaiting = outcome["pending", "page"]?.objectValue != nil
        waitingStep = outcome["pending", "page", "step"]?.intValue.map { Int(clamping: $0) }
        self.isDeclared = isDeclared
        there = story.steps.filter { !$0.invokesSubJourney }.map { step in
            let items = step.items.filter { !$0.isRetried }
            var found = ComparedStep(
                journey: step.journey, order: step.order, ran: step.ran, because: step.because,
                profiles: items.filter { $0.kind != .transformation }.map {
                    ($0.id, $0.kind == .validation, Self.error($0, among: items), Self.isLeft($0, in: step))
                },
                failures: step.items.filter { $0.kind == .validation }.compactMap { item in
                    item.error.map { ValidationFailure(id: item.id, texts: $0.texts, shown: item.shownError) }
                }, transformations: items.filter { $0.kind == .transformation }.map(\.id), claims: step.claims,
                isFinished: step.isFinished)
            for item in items {
                found.note(item.kind == .transformation ? .transformation(item.id) : .profile(item.id), of: item.output)
            }
            return found
        }
        here = Self.steps(outcome)
    }

    /// The error of an item. A page has that of its validation technical profiles.
    private static func error(_ item: LoggedSession.Item, among items: [LoggedSession.Item]) -> String? {
        if let error = item.error { return error.text }
        guard item.kind == .profile else { return nil }
        return items.last { $0.kind == .validation && $0.error != nil }?.error?.text
    }

    /// Whether the person may have left a page or an identity provider without finishing it, such as by a link: nothing is
    /// recorded but that it was shown. The simulator records such a technical profile once it is finished.
    private static func isLeft(_ item: LoggedSession.Item, in step: LoggedStep) -> Bool {
        guard item.kind == .profile, item.error == nil, item.output.isEmpty, item.received.isEmpty,
            !step.items.contains(where: { $0.kind == .validation })
        else { return false }
        return (step.contentDefinition != nil && item.input.isEmpty)
            || ["SelfAssertedAttributeProvider", "ProtocolProvider"].contains { item.handler.hasSuffix($0) }
    }

    private static func steps(_ outcome: JSONValue) -> [ComparedStep] {
        var steps: [ComparedStep] = []
        var waiting = ComparedStep(order: 0)
        for record in outcome["trace"]?.arrayValue ?? [] {
            if let id = record["transformation"]?.stringValue {
                waiting.transformations.append(id)
                waiting.note(.transformation(id), of: record["out"]?.objectValue)
                waiting.order = record["step"]?.intValue.map { Int(clamping: $0) } ?? waiting.order
            } else if let id = record["profile"]?.stringValue {
                waiting.order = record["step"]?.intValue.map { Int(clamping: $0) } ?? waiting.order
                // A session or EnabledForUserJourneys kept it from running.
                if record["skipped"] != nil { continue }
                let isValidation = record["validation"]?.boolValue ?? false
                let error = record["error"]?.stringValue
                waiting.profiles.append((id, isValidation, error, false))
                waiting.note(.profile(id), of: record["out"]?.objectValue)
                if isValidation, let error { waiting.failures.append(ValidationFailure(id: id, texts: [error])) }
            } else if record["stepType"] == "InvokeSubJourney", record["ran"] == true {
                // It does nothing by itself, and is recorded when the sub-journey is over.
                continue
            } else if let order = record["step"]?.intValue {
                waiting.journey = record["journey"]?.stringValue
                waiting.order = Int(clamping: order)
                waiting.ran = record["ran"]?.boolValue ?? true
                waiting.because = record["because"]?.stringValue ?? ""
                waiting.claims = record["claims"]?.objectValue
                waiting.isFinished = true
                waiting.profiles = withoutAttempts(waiting.profiles)
                steps.append(waiting)
                waiting = ComparedStep(order: 0)
            }
        }
        waiting.profiles = withoutAttempts(waiting.profiles)
        if !waiting.profiles.isEmpty || !waiting.transformations.isEmpty { steps.append(waiting) }
        // Each refusal shows its page again.
        let pages = outcome["pages"]?.arrayValue ?? []
        for index in steps.indices {
            let order = JSONValue.integer(Int64(steps[index].order))
            let shown = pages.filter { $0["step"] == order }.compactMap { $0["error"]?.stringValue }.filter {
                !$0.isEmpty
            }
            guard shown.count == steps[index].failures.count else { continue }
            for place in shown.indices { steps[index].failures[place].shown = shown[place] }
        }
        return steps
    }

    /// What ran in a step without the attempts that a page refused: its own failures before it ran again, and of validation what
    /// failed then or ran again later.
    private static func withoutAttempts(_ profiles: [Profile]) -> [Profile] {
        var dropped: Set<Int> = []
        var start = 0
        for (place, page) in profiles.enumerated() where !page.isValidation {
            defer { start = place + 1 }
            let later = profiles[(place + 1)...]
            guard page.error != nil, later.contains(where: { !$0.isValidation && $0.id == page.id }) else { continue }
            dropped.insert(place)
            for before in start..<place {
                let validation = profiles[before]
                if validation.error != nil || later.contains(where: { $0.isValidation && $0.id == validation.id }) {
                    dropped.insert(before)
                }
            }
        }
        return profiles.indices.filter { !dropped.contains($0) }.map { profiles[$0] }
    }

    /// The first difference; `nil` if there is none.
    public var first: StepDifference? {
        var before: (there: JSONObject, here: JSONObject) = (JSONObject(), JSONObject())
        for index in 0..<max(there.count, here.count) {
            guard index < there.count else {
                let step = here[index]
                // What the person did not finish is not a difference.
                if story.end == .waiting || story.end == .unknown { return nil }
                if case .token = story.end, !step.isFinished { return nil }
                return StepDifference(
                    element: .step(journey: step.journey, order: step.order),
                    message: "step \(step.order) does not occur in the log", there: shown(story.end),
                    here: step.ran ? "ran" : "skipped", expected: Self.absent(step), stepsBefore: index)
            }
            guard index < here.count else {
                let step = there[index]
                if waitsToo(in: step) { return nil }
                // The page on which an error ended the session has no record in a trace.
                if case .error = story.end, hasFailed, !step.isFinished, index == there.count - 1 {
                    return endDifference(after: index)
                }
                return StepDifference(
                    element: .step(journey: nil, order: step.order),
                    message: waitingStep == step.order
                        ? "step \(step.order) is not finished in the simulator"
                        : "step \(step.order) does not occur in the simulator",
                    there: step.ran ? "ran" : "skipped", here: failure.map { "ended: \($0)" } ?? "ended",
                    expected: .record(of: step.order, ["ran": .bool(step.ran)]), stepsBefore: index)
            }
            if var found = difference(there[index], here[index], before) {
                found.stepsBefore = index
                return found
            }
            before = (there[index].claims ?? before.there, here[index].claims ?? before.here)
        }
        return endDifference(after: here.count)
    }

    /// Whether both sides wait for the person in a step, of which a trace has no record then.
    private func waitsToo(in step: ComparedStep) -> Bool {
        guard case .waiting = story.end, !step.isFinished, isWaiting else { return false }
        return waitingStep.map { $0 == step.order } ?? true
    }

    private static func absent(_ step: ComparedStep) -> Expected {
        // A step that waits has no record of its own.
        guard !step.isFinished, let profile = step.profiles.first else {
            return .record(of: step.order, in: step.journey, ["ran": .bool(step.ran), "$times": 0])
        }
        return .record(of: step.order, ["profile": .string(profile.id), "$times": 0])
    }

    private func shown(_ end: LoggedSession.End) -> String {
        switch end {
        case .token: "issued a token"
        case .error(let text): "ended: \(text)"
        case .waiting: "waits for the person"
        case .unknown: "breaks off"
        }
    }

    private func endDifference(after steps: Int) -> StepDifference? {
        func difference(_ message: String, there: String, here: String, expected: Expected) -> StepDifference {
            StepDifference(
                element: .step(journey: self.here.last?.journey, order: self.there.last?.order ?? 0), message: message,
                there: there, here: here, expected: expected, stepsBefore: steps)
        }
        let (end, ended) = (shown(story.end), failure.map { "ended: \($0)" } ?? "issued a token")
        switch (story.end, failure) {
        case (.waiting, nil), (.token, nil), (.unknown, _): return nil
        case (.waiting, _?):
            // Here the person waits as well, or their record does not bring them further.
            guard hasFailed else { return nil }
            return difference(
                "the page waited for the person there, and the journey failed here", there: end, here: ended,
                expected: .page)
        case (.token, _?):
            return difference("a token was issued there and not here", there: end, here: ended, expected: .result)
        case (.error(let text), nil):
            return difference(
                "the journey failed there and not here", there: end, here: ended, expected: .error(text))
        case (.error(let text), let failure?):
            let texts = story.raised.last.map { $0.text == text ? $0.exception.texts : [text] } ?? [text]
            if texts.contains(where: { Self.agree($0, failure) }) { return nil }
            // Each kind of page has another sentence for Cancel.
            if text.contains("AADB2C90091"), failure.contains("AADB2C90091") { return nil }
            return difference(
                "the journey failed with another error", there: text, here: failure, expected: .error(text))
        }
    }

    /// An error text without what differs from run to run.
    private static func plain(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
        return line.split(separator: " ").filter { !isVolatile(String($0)) }.joined(separator: " ")
            .lowercased()
    }

    /// Whether two texts say the same, or one of them more than the other.
    private static func agree(_ text: String, _ other: String) -> Bool {
        let (left, right) = (plain(text), plain(other))
        return left.contains(right) || right.contains(left)
    }

    private func difference(
        _ there: ComparedStep, _ here: ComparedStep, _ before: (there: JSONObject, here: JSONObject)
    ) -> StepDifference? {
        // Claims transformations before a page that waits do not name their step.
        guard there.order == here.order || (here.order == 0 && !here.isFinished) else {
            return StepDifference(
                element: .step(journey: here.journey, order: here.order),
                message: "after step \(max(0, min(there.order, here.order) - 1)) another step follows",
                there: "step \(there.order)", here: "step \(here.order)",
                expected: .record(of: there.order, ["ran": .bool(there.ran)]))
        }
        let element = StepDifference.AffectedElement.step(journey: here.journey, order: here.order)
        guard there.ran == here.ran else {
            func words(_ step: ComparedStep) -> String {
                (step.ran ? "ran" : "skipped") + (step.because.isEmpty ? "" : ": \(step.because)")
            }
            return StepDifference(
                element: element,
                message:
                    "step \(here.order) \(there.ran ? "ran there and is skipped" : "was skipped there and runs") here",
                there: words(there), here: words(here),
                expected: .record(of: here.order, in: here.journey, ["ran": .bool(there.ran)]))
        }
        let isWhole = there.isFinished && here.isFinished
        // A page is recorded before its validation profiles on one side and after them on the other. What a page says of its
        // failure follows from theirs.
        for (isValidation, comparesErrors) in [(false, false), (true, true), (false, true)] {
            let found = profileDifference(
                there.profiles.filter { $0.isValidation == isValidation },
                here.profiles.filter { $0.isValidation == isValidation }, in: here, isWhole: isWhole,
                comparesErrors: comparesErrors)
            if let found { return found }
        }
        if comparesMessages, let found = failureDifference(there.failures, here.failures, order: here.order) {
            return found
        }
        return isWhole ? claimDifference(there, here, before) : nil
    }

    private typealias Profile = (id: String, isValidation: Bool, error: String?, isLeft: Bool)

    private func profileDifference(
        _ there: [Profile], _ here: [Profile], in hereStep: ComparedStep, isWhole: Bool, comparesErrors: Bool
    ) -> StepDifference? {
        let (journey, order) = (hereStep.journey, hereStep.order)
        let step = StepDifference.AffectedElement.step(journey: journey, order: order)
        let there = there.filter { left in
            !left.isLeft || here.contains { $0.id.lowercased() == left.id.lowercased() }
        }
        for index in 0..<max(there.count, here.count) {
            let left = there.indices.contains(index) ? there[index] : nil
            let right = here.indices.contains(index) ? here[index] : nil
            if let left, let right, left.id.lowercased() == right.id.lowercased() {
                if !comparesErrors || (left.error == nil) == (right.error == nil) { continue }
                return StepDifference(
                    element: .profile(right.id, journey: journey, order: order),
                    message: left.error == nil
                        ? "\(right.id) succeeded there and fails here" : "\(right.id) failed there and succeeds here",
                    there: left.error ?? "succeeded", here: right.error ?? "succeeded",
                    expected: .record(
                        of: order,
                        [
                            "profile": .string(right.id), "validation": .bool(right.isValidation),
                            "error": ["$exists": .bool(left.error != nil)],
                        ]))
            }
            // A step that was not finished on one side says only what ran until then.
            if !isWhole, left == nil || right == nil { return nil }
            let id = right?.id ?? left?.id ?? ""
            let isValidation = (right ?? left)?.isValidation ?? false
            return StepDifference(
                element: isValidation || right != nil ? .profile(id, journey: journey, order: order) : step,
                message: left == nil
                    ? "\(id) runs here and did not run there in step \(order)"
                    : right == nil
                        ? "\(id) ran there and does not run here in step \(order)"
                        : "step \(order) calls another technical profile",
                there: left?.id, here: right?.id,
                expected: .record(
                    of: order, left.map { ["profile": .string($0.id)] } ?? ["profile": .string(id), "$times": 0]))
        }
        return nil
    }

    /// Other messages than there. The texts of the directory are not for people: what a page says of them is the policy's.
    private func failureDifference(
        _ there: [ValidationFailure], _ here: [ValidationFailure], order: Int
    ) -> StepDifference? {
        var rest = here[...]
        for left in there {
            let texts = left.texts.filter { !$0.hasPrefix("AADSTS") }
            guard let text = texts.first,
                let place = rest.firstIndex(where: { $0.id.lowercased() == left.id.lowercased() })
            else { continue }
            let other = rest[place]
            rest = rest[(place + 1)...]
            let right = other.shown ?? other.texts.first ?? ""
            // What both pages showed decides; a log may have only what the technical profile said.
            if let shown = left.shown, other.shown != nil {
                if Self.agree(shown, right) { continue }
            } else if texts.contains(where: { text in (other.texts + [right]).contains { Self.agree(text, $0) } }) {
                continue
            }
            return StepDifference(
                element: .message(left.id, text: right), message: "\(left.id) failed with another message",
                there: left.shown ?? text, here: right,
                expected: .record(
                    of: order, ["profile": .string(left.id), "validation": true, "error": ["$contains": .string(text)]])
            )
        }
        return nil
    }

    private func claimDifference(
        _ thereStep: ComparedStep, _ hereStep: ComparedStep, _ before: (there: JSONObject, here: JSONObject)
    ) -> StepDifference? {
        guard let left = thereStep.claims, let right = hereStep.claims else { return nil }
        let order = hereStep.order
        for name in left.keys(with: right) where isDeclared(name) && !Self.isSecret(name) {
            let (there, here) = (left[name], right[name])
            // What was so before is reported for the step where it began.
            if there == before.there[name], here == before.here[name] { continue }
            if Self.isSame(there, here) { continue }
            // A validation technical profile set it, and its page does not return it.
            let isSet = hereStep.setters[name] != nil
            return StepDifference(
                element: .claim(
                    name, journey: hereStep.journey, after: order,
                    setter: here == nil && isSet
                        ? hereStep.profiles.first { !$0.isValidation }.map { StepDifference.Setter.profile($0.id) }
                        : (hereStep.setters[name] ?? thereStep.setters[name])?.setter),
                message: there == nil
                    ? "\(name) has a value here and had none there after step \(order)"
                    : here == nil
                        ? "\(name) had a value there and has none here after step \(order)"
                            + (thereStep.setters[name].map { ": \($0.setter.id) set it there" } ?? "")
                        : "\(name) has another value after step \(order)",
                there: there.map { Self.text($0) }, here: here.map { Self.text($0) },
                expected: .record(
                    of: order, ["claims": .object(JSONObject([(name, there ?? ["$exists": false])]))]))
        }
        return nil
    }

    // MARK: Values

    private static func isSecret(_ claim: String) -> Bool {
        let name = claim.lowercased()
        return ["password", "secret", "otp", "verificationcode", "token", "correlationid", "nonce"]
            .contains {
                name.contains($0)
            }
    }

    private static func text(_ value: JSONValue) -> String { value.stringValue ?? JSONWriter.compact(value) }

    private static func isSame(_ there: JSONValue?, _ here: JSONValue?) -> Bool {
        let (left, right) = (there.map(text) ?? "", here.map(text) ?? "")
        if left.lowercased() == right.lowercased() { return true }
        if left.isEmpty || right.isEmpty { return false }
        if isVolatile(left), isVolatile(right) { return true }
        // Values that contain an identifier or a time, such as an alternative security id.
        let (a, b) = (words(left), words(right))
        return a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || (isVolatile($0) && isVolatile($1)) }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || "-:+.=/".contains($0)) }.map { String($0) }
    }

    /// Identifiers, times and tokens, and the names of tenants: policies are tried with other ones.
    private static func isVolatile(_ text: String) -> Bool {
        if text.hasPrefix("eyJ") || text == "***" { return true }
        if GUID(text) != nil || RecorderTime(text) != nil { return true }
        if text.lowercased().hasSuffix(".onmicrosoft.com"), !text.contains("@"), !text.contains("_") { return true }
        let isRandom = text.contains(where: \.isNumber) && text.contains(where: \.isLetter)
        if text.utf8.count >= 32, isRandom, text.utf8.allSatisfy({ Self.isOfToken($0) }) { return true }
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return digits && text.utf8.count >= 9
    }

    /// Letters, digits and the marks of Base64 and of tokens.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "+/=_-.".utf8.contains(byte)
        }
    }
}
