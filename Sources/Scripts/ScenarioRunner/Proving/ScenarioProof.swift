import AuthorityHosting
import Determinism
import Diagnostics
import Exchanges
import JSON
import Scenarios
import Synchronization

/// The experiments with one scenario.
struct ScenarioProof: Sendable {
    /// A line that no run notices.
    struct Remark: Sendable {
        var rule: ProofRule
        var pointer: JSONPointer
        var message: String
        var remedy: String
    }

    /// What they showed.
    struct Result: Sendable {
        var findings: [Remark] = []
        var negatives: [NegativeName] = []
        var names = SeenNames()
        /// Why the scenario fails before any change.
        var failure: Diagnostic?
        var changes = 0
        var runs = 0
        var changedCases = 0
        var isTried = false
    }

    let scenario: Scenario
    let options: RunOptions
    let shelf: TenantShelf
    let isStopped: @Sendable () -> Bool

    /// One case as it runs unchanged.
    private struct UnchangedCase {
        var caseName: String?
        var records: [LaneID: [ProofWatch.Record]] = [:]
        var status: RunStatus
    }

    /// What the experiments with expectations showed, of all cases so far.
    private struct Expectations {
        /// Parts that held of everything, with some of that and how much there was.
        var tried: [JSONPointer: (part: ExpectedPart, what: ArraySlice<String>, count: Int)] = [:]
        /// What no outcome of a step can have, in words.
        var impossible: [JSONPointer: String] = [:]
        var deciding: Set<JSONPointer> = []
        /// Expectations that were compared with an outcome, as written.
        var observed: [JSONPointer: JSONValue] = [:]
    }

    func result() async -> Result {
        var result = Result()
        if scenario.tenant.tenant.live {
            result.findings.append(
                Self.notTried(
                    "a scenario in a real tenant is not tried", "Give its tenant file a simulated one to try it.",
                    at: JSONPointer(tokens: ["tenant"])))
            return result
        }
        var baselines: [UnchangedCase] = []
        var expectations = Expectations()
        var names = SeenNames()
        let keepsOutcomes = ProofChanges.areCarried(in: scenario)
        let marksTime = ProofChanges.areOfTime(in: scenario)
        let rules = Self.faultRules(in: scenario.document.root, at: .root)
        let altersTokens = rules.contains { $0.rule["claims"] != nil }
        for variant in CaseExpansion.variants(of: scenario) {
            guard options.cases.isEmpty || variant.caseName.map({ options.cases.containsText($0) }) ?? false else {
                continue
            }
            let watch = ProofWatch(keepsOutcomes: keepsOutcomes, marksTime: marksTime)
            let report = await run(variant, watch)
            result.runs += 1
            guard report.status.isGood else {
                result.failure = failure(report)
                return result
            }
            baselines.append(
                UnchangedCase(caseName: variant.caseName, records: watch.records, status: report.status))
            names.add(watch.names)
            for observation in watch.observations {
                Self.ask(
                    ExpectationProof(observation: observation, altersTokens: altersTokens), observation, &expectations)
            }
        }
        result.isTried = true
        result.names = names
        result.names.add(scenario.tenant.tenant.json, isSet: true)
        result.names.add(scenario.configurations, isSet: true)
        let tests = tests(by: expectations, &result)
        result.findings += unseen(baselines, expectations)
        result.findings += untried(rules, tests)
        var contrasts = ContrastResults()
        for change in ProofChanges.all(of: scenario, tests: tests) {
            await attempt(change, of: baselines, into: &result, contrasts: &contrasts)
        }
        // What has not been tried may still show them.
        if !isStopped() { result.findings += contrasts.bytes.remarks + contrasts.verdicts.remarks }
        result.findings.sort { scenario.comesBefore($0.pointer, $1.pointer) }
        return result
    }

    /// What fails before any change.
    private func failure(_ report: ScenarioReport) -> Diagnostic {
        let step = report.failedStep
        let why = step.flatMap { $0.problems.first ?? $0.mismatches.first?.description } ?? report.reason
        return Diagnostic(
            rule: ProofRule.failsUnchanged.rawValue,
            "\(report.title) fails before any change\(why.map { ": \($0)" } ?? "")",
            remedy: "`b2c run` shows what is different.", at: step?.location ?? scenario.location(of: .root))
    }

    /// What no run in this process can show.
    private func untried(_ rules: [(pointer: JSONPointer, rule: JSONValue)], _ tests: Set<JSONPointer>) -> [Remark] {
        let chance = rules.filter { $0.rule["rate"].map { $0.doubleValue != 1 } ?? false }.map { pointer, _ in
            Self.notTried(
                "a fault with `rate` strikes by chance: that a run notices it is not tried",
                "Use `times` and `skip`, so that it strikes in every run.", at: pointer.appending("rate"))
        }
        let order = scenario.finally.flatMap(\.withInner).filter {
            ProofChanges.cleansUp($0) && !$0.verb.isGroup && !tests.contains($0.pointer)
        }.map { step in
            Self.notTried(
                "nothing runs after `finally`: that this step puts something in order is not tried",
                "Expect what the step shows.", at: step.pointer)
        }
        return chance + order
    }

    private static func notTried(_ message: String, _ remedy: String, at pointer: JSONPointer) -> Remark {
        Remark(
            rule: .notTried, pointer: pointer, message: message,
            remedy: "\(remedy) Or give the reason in `proves`.")
    }

    /// Every fault rule of a script with its place.
    private static func faultRules(
        in value: JSONValue, at pointer: JSONPointer
    ) -> [(pointer: JSONPointer, rule: JSONValue)] {
        switch value {
        case .array(let elements):
            return elements.enumerated().flatMap { faultRules(in: $0.element, at: pointer.appending($0.offset)) }
        case .object(let object):
            return object.members.flatMap { name, inner in
                let place = pointer.appending(name)
                let own = name == "faults" ? inner.arrayValue ?? [] : []
                return own.enumerated().map { (place.appending($0.offset), $0.element) }
                    + faultRules(in: inner, at: place)
            }
        default: return []
        }
    }

    // MARK: Expectations

    /// Asks an expectation about outcomes that its step did not have.
    private static func ask(
        _ proof: ExpectationProof, _ observation: ProofWatch.Observation, _ known: inout Expectations
    ) {
        known.observed[observation.pointer] = observation.raw
        for part in ExpectedPart.all(of: observation.raw, own: observation.ownID) {
            // Beside the endings of other cases it says that the step just succeeds.
            if part.path == ["result"], part.matcher == [:], observation.pointer.tokens.dropLast().last == "expectIn" {
                continue
            }
            let pointer = JSONPointer(tokens: observation.pointer.tokens + part.path)
            switch part.question {
            case .alternatives:
                let places = (part.matcher["$any"]?.arrayValue ?? []).indices.map { pointer.appending($0) }
                let before = Set(places.indices.filter { known.deciding.contains(places[$0]) })
                let deciding = proof.deciding(part, known: before)
                for (index, place) in places.enumerated() {
                    if deciding.contains(index) {
                        known.deciding.insert(place)
                    } else {
                        known.tried[place] = (part, [], 0)
                    }
                }
            case .canFail:
                guard !known.deciding.contains(pointer) else { continue }
                switch proof.answer(part) {
                case .decides: known.deciding.insert(pointer)
                case .holds(let what): known.tried[pointer] = (part, what.prefix(3), what.count)
                case .never(let words):
                    known.tried[pointer] = (part, [], 0)
                    known.impossible[pointer] = words
                }
            }
        }
    }

    /// What no outcome fails.
    ///
    /// - Returns: The places of steps that have an expectation that can fail.
    private func tests(by known: Expectations, _ result: inout Result) -> Set<JSONPointer> {
        result.changes += known.deciding.count
        var silent: Set<JSONPointer> = []
        for (pointer, tried) in known.tried where !known.deciding.contains(pointer) {
            silent.insert(pointer)
            result.changes += 1
            // A branch of an `$any` that cannot fail at all goes with it.
            let owner = pointer.parent ?? .root
            if case .alternatives = tried.part.question, known.tried[owner] != nil, !known.deciding.contains(owner) {
                continue
            }
            result.findings.append(
                Self.remark(
                    tried.part, pointer, Array(tried.what), of: tried.count, impossible: known.impossible[pointer]))
        }
        let steps = Set(scenario.allSteps.map(\.pointer))
        var tests: Set<JSONPointer> = []
        for (pointer, raw) in known.observed {
            for negative in NegativeName.all(in: raw, at: pointer) where !silent.contains(negative.pointer) {
                result.negatives.append(negative)
            }
            if Self.decides(raw, pointer, silent) { tests.insert(pointer.innermost(of: steps)) }
        }
        result.negatives.sort { scenario.comesBefore($0.pointer, $1.pointer) }
        // What holds of everything is said at the expectation, and not once more of its step.
        for pointer in silent { tests.insert(pointer.innermost(of: steps)) }
        return tests
    }

    /// Whether an expectation has a part that can fail.
    private static func decides(_ value: JSONValue, _ pointer: JSONPointer, _ silent: Set<JSONPointer>) -> Bool {
        guard !silent.contains(pointer) else { return false }
        switch value {
        case .object(let object):
            return object.isEmpty || object.members.contains { decides($0.value, pointer.appending($0.key), silent) }
        case .array(let elements):
            return elements.isEmpty
                || elements.enumerated().contains { decides($0.element, pointer.appending($0.offset), silent) }
        default: return true
        }
    }

    private static func remark(
        _ part: ExpectedPart, _ pointer: JSONPointer, _ tried: [String], of count: Int, impossible: String?
    ) -> Remark {
        switch part.question {
        case .alternatives:
            return Remark(
                rule: .branchDecidesNothing, pointer: pointer,
                message: "this alternative decides nothing: without it the same outcomes pass", remedy: "Remove it.")
        case .canFail where impossible != nil:
            return Remark(
                rule: .expectationHolds, pointer: pointer, message: "this cannot fail: \(impossible ?? "")",
                remedy: "Remove it, or expect something that the step can have.")
        case .canFail:
            let shown = namesList(tried)
            let rest = count > 3 ? " and for \(count - 3) other \(count == 4 ? "change" : "changes")" : ""
            return Remark(
                rule: .expectationHolds, pointer: pointer,
                message: "this cannot fail: \(shown)\(rest) it still holds",
                remedy: "Expect what the step must show, such as the value that it has now.")
        }
    }

    // MARK: Changes

    /// What lines with a contrast showed.
    private struct Contrasts {
        var noticed: Set<String> = []
        var open: [(key: String, remark: Remark)] = []

        var remarks: [Remark] { open.filter { !isShown($0.key) }.map(\.remark) }

        /// Whether another case shows that the same setting, or a part of it, acts.
        private func isShown(_ key: String) -> Bool {
            noticed.contains { $0 == key || $0.hasPrefix(key + "/") || key.hasPrefix($0 + "/") }
        }
    }

    /// What contrasts showed by different bytes, and what by expectations that failed.
    private struct ContrastResults {
        var bytes = Contrasts()
        var verdicts = Contrasts()
    }

    /// What came of a change.
    private enum Effect: Comparable {
        case none
        case differs
        case fails
    }

    private func attempt(
        _ change: Mutation, of baselines: [UnchangedCase], into result: inout Result, contrasts: inout ContrastResults
    ) async {
        guard !isStopped() else { return }
        let concerned = baselines.filter { baseline in
            change.cases.map { $0.containsText(baseline.caseName ?? "") } ?? true
        }
        // A case that is skipped shows nothing, whatever is changed in it.
        guard concerned.contains(where: { $0.status != .skipped }) || change.rule == .markWithoutEffect else { return }
        result.changes += 1
        var isNoticed = false
        var verdict = ProofVerdict()
        var change = change
        // Another case has shown that an expectation notices it.
        if !change.removes, let key = change.contrast, contrasts.verdicts.noticed.contains(key) {
            change.needsVerdict = false
        }
        for way in change.ways where !isNoticed || change.needsVerdict && !verdict.isReached {
            let effect = await effect(of: way, change, concerned, &result)
            if isStopped() { return }
            isNoticed = isNoticed || effect > .none
            if change.needsVerdict {
                verdict.add(effect, isRefused: change.leavingOut == nil && isRefused(way, change))
            }
        }
        if !isNoticed, change.leavingOut == nil, change.removes, let way = change.ways.first {
            isNoticed = isRefused(way, change)
        }
        for way in change.extremes where change.needsVerdict ? !verdict.isReached : !isNoticed {
            guard !isRefused(way, change) else { continue }
            let effect = await effect(of: way, change, concerned, &result)
            if isStopped() { return }
            isNoticed = isNoticed || effect > .none
            if change.needsVerdict { verdict.add(effect, isRefused: false) }
        }
        if isNoticed {
            if let key = change.contrast { contrasts.bytes.noticed.insert(key) }
            if change.needsVerdict {
                await expect(
                    change, of: concerned, known: verdict, into: &result, contrasts: &contrasts.verdicts)
            }
            for inner in change.inner { await attempt(inner, of: baselines, into: &result, contrasts: &contrasts) }
            return
        }
        let remark = Remark(
            rule: change.rule, pointer: change.pointer, message: message(of: change, concerned), remedy: change.remedy)
        if let key = change.contrast {
            contrasts.bytes.open.append((key, remark))
        } else {
            result.findings.append(remark)
        }
    }

    /// Whether an expectation notices a change whose bytes differ. What the reader refuses shows nothing, unless it
    /// refuses every value.
    private struct ProofVerdict {
        private(set) var isReached = false
        private var passes = false

        /// Whether a script that may be written passes, and none fails.
        var isMissing: Bool { passes && !isReached }

        mutating func add(_ effect: Effect, isRefused: Bool) {
            guard !isRefused else { return }
            if effect == .fails { isReached = true } else { passes = true }
        }
    }

    private func expect(
        _ change: Mutation, of baselines: [UnchangedCase], known: ProofVerdict, into result: inout Result,
        contrasts: inout Contrasts
    ) async {
        // What the file must say has to have some value.
        if change.removes, change.leavingOut == nil, let removal = change.ways.first, isRefused(removal, change) {
            return
        }
        var verdict = known
        for way in change.others where !verdict.isReached {
            let effect = await effect(of: way, change, baselines, &result)
            if isStopped() { return }
            verdict.add(effect, isRefused: isRefused(way, change))
        }
        guard verdict.isMissing else {
            if verdict.isReached, let key = change.contrast { contrasts.noticed.insert(key) }
            return
        }
        let remark = Remark(
            rule: .changeNotExpected, pointer: change.pointer,
            message: change.removes
                ? "without \(change.subject), and with other values, the run differs and no expectation fails"
                : "with other values of \(change.subject) the run differs and no expectation fails",
            remedy: "Expect what it changes, or remove it.")
        if let key = change.contrast { contrasts.open.append((key, remark)) } else { result.findings.append(remark) }
    }

    /// Expectations that no run compares with anything.
    private func unseen(_ baselines: [UnchangedCase], _ known: Expectations) -> [Remark] {
        // After a failure and where only some cases run, more could have been seen.
        guard options.cases.isEmpty, baselines.contains(where: { $0.status == .passed }),
            baselines.allSatisfy({ $0.status == .passed || $0.status == .skipped })
        else { return [] }
        let skipped = baselines.filter { $0.status == .skipped }.compactMap(\.caseName)
        return scenario.allSteps.flatMap { step -> [Remark] in
            let own = step.expectIn.map { step.pointer.appending("expectIn").appending($0.caseName) }
            let all = ([step.pointer.appending("expect")] + own).filter {
                scenario.document.root.value(at: $0) != nil
            }
            let missing = all.filter { known.observed[$0] == nil }
            let isForSkipped = skipped.contains { step.expectation(in: $0) != nil && step.runs(in: $0) }
            // What a step shows in other cases is what the skipped one waits for.
            if isForSkipped, missing.count < all.count { return [] }
            return missing.map {
                Remark(
                    rule: .expectationHolds, pointer: $0,
                    message: isForSkipped
                        ? "this cannot fail: every case that runs the step with this expectation is skipped"
                        : "this cannot fail: no case runs the step with this expectation",
                    remedy: "Remove it, or let a case run the step with it.")
            }
        }
    }

    /// Whether a script without a line is refused when it is read: what the file must say is not without effect.
    private func isRefused(_ way: ScriptEdit, _ change: Mutation) -> Bool {
        // What can be read with the cases that have the line alone need not be read with all others, and so with what
        // cannot be read because of the change.
        if change.cases != nil {
            let some = scenario.root(of: change)
            if isReadable(way.applied(to: some)) { return false }
            if isReadable(some) { return true }
        }
        // Where the files of the script are out of reach, no text can be read.
        return !isReadable(way.applied(to: scenario.document.root)) && isReadable(scenario.document.root)
    }

    private func isReadable(_ root: JSONValue) -> Bool {
        var text = root
        let names = root["cases"]?.objectValue?.keys ?? []
        for place in [["configure"]] + names.map({ ["cases", $0, "configure"] }) {
            let pointer = JSONPointer(tokens: place)
            if text.value(at: pointer)?.objectValue?.isEmpty == true { text.set(nil, at: pointer) }
        }
        let tenants = TenantLibrary(files: options.readFile, policies: options.policies)
        do throws(InvalidInput) {
            _ = try ScenarioReader.read(JSONDocument(file: scenario.file, value: text), tenants: tenants)
            return true
        } catch {
            return false
        }
    }

    /// What a changed script comes to in any case: the first difference, and where an expectation must notice it, the
    /// first failure.
    private func effect(
        of way: ScriptEdit, _ change: Mutation, _ baselines: [UnchangedCase], _ result: inout Result
    ) async -> Effect {
        let changed = scenario.changed(to: way.applied(to: scenario.root(of: change)))
        let variants = Dictionary(
            CaseExpansion.variants(of: changed).map { ($0.caseName.map { ExactText($0) }, $0) }
        ) { first, _ in first }
        result.changedCases += variants.count
        var effect = Effect.none
        for baseline in baselines {
            guard let variant = variants[baseline.caseName.map { ExactText($0) }] else { return .fails }
            // A case that did not run has nothing to be compared with.
            let watch = ProofWatch(
                comparedWith: baseline.status == .skipped
                    ? nil
                    : ProofWatch.ReferenceRun(
                        records: baseline.records, leavingOut: change.leavingOut, carrying: change.carrying,
                        wantsVerdict: change.needsVerdict, ignoresTime: change.ignoresTime))
            let report = await run(variant, watch)
            result.runs += 1
            if report.status != baseline.status {
                // A case that was skipped and passes now has lost nothing but its reason.
                guard baseline.status == .skipped, report.status == .passed else { return .fails }
                continue
            }
            if baseline.status != .skipped, !watch.isSame { effect = .differs }
            if isStopped() { return .fails }
            if effect == .differs, !change.needsVerdict { return effect }
        }
        return effect
    }

    private func run(_ variant: ScenarioVariant, _ watch: ProofWatch) async -> ScenarioReport {
        var options = options
        options.proof = watch
        // What a script writes it may read again; nothing reaches the disk.
        let files = WrittenFiles(read: options.readFile)
        options.readFile = { files.read($0) }
        options.writeFile = { path, bytes in
            files.write(bytes, to: path)
            return nil
        }
        return await ScenarioRun(variant: variant, options: options, shelf: shelf).run()
    }

    private func message(of change: Mutation, _ baselines: [UnchangedCase]) -> String {
        let counts = Counts(of: baselines.flatMap { $0.records.values.joined() }, leavingOut: change.leavingOut)
        let without = change.removes ? "without \(change.subject)" : "with another value of \(change.subject)"
        switch change.rule {
        case .stepDoesNothing:
            return "this step has no expectation that can fail, and without it \(counts.text(isRest: true))"
                + (change.ignoresTime ? " at another time; with thirty times as much too" : "")
        case .personDoesNothing where change.ignoresTime:
            return "\(without) \(counts.text(isRest: true)) at another time; with thirty times as much too"
        case .parameterWithoutEffect where change.carrying != nil:
            return "\(without) every answer is the same; only the request that carries it differs"
        case .markWithoutEffect
        where change.pointer.tokens.last == "skip" && baselines.contains { $0.status == .skipped }:
            return "without `skip` this runs and passes"
        case .markWithoutEffect:
            return "\(without) the verdict and \(counts.text(isRest: change.leavingOut != nil))"
        default: return "\(without) \(counts.text(isRest: false))"
        }
    }

    /// How much is the same, for a sentence.
    private struct Counts {
        private var requests = 0
        private var pages = 0
        private var events = 0

        init(of records: [ProofWatch.Record], leavingOut: JSONPointer?) {
            for record in records {
                if let leavingOut, record.pointer.tokens.starts(with: leavingOut.tokens) { continue }
                requests += record.outcome.counts.requests
                pages += record.outcome.counts.pages
                events += record.outcome.counts.events
            }
        }

        func text(isRest: Bool) -> String {
            let words = [(requests, "request"), (pages, "page"), (events, "event")].filter { $0.0 > 0 }
                .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
            if words.isEmpty { return isRest ? "nothing else changes" : "every outcome is the same" }
            return isRest
                ? "all other outcomes, with \(namesList(words)), are the same"
                : "all outcomes, with \(namesList(words)), are the same bytes"
        }
    }
}

/// Files that one run writes, kept in memory.
private final class WrittenFiles: Sendable {
    private let files = Mutex<[String: [UInt8]]>([:])
    private let readOther: @Sendable (String) -> [UInt8]?

    init(read: @escaping @Sendable (String) -> [UInt8]?) { readOther = read }

    func write(_ bytes: [UInt8], to path: String) { files.withLock { $0[path] = bytes } }

    func read(_ path: String) -> [UInt8]? { files.withLock { $0[path] } ?? readOther(path) }
}

extension JSONPointer {
    /// The innermost of some places in which this one lies.
    fileprivate func innermost(of places: Set<JSONPointer>) -> JSONPointer {
        var place = self
        while !places.contains(place), let outer = place.parent { place = outer }
        return place
    }
}

extension Scenario {
    /// The text with those cases alone in which a change counts: that does not take longer with many cases.
    fileprivate func root(of change: Mutation) -> JSONValue {
        guard let names = change.cases, let all = document.root["cases"] else { return document.root }
        let counted = names.compactMap { name in all[name].map { (name, $0) } }
        guard counted.count < cases.count else { return document.root }
        var root = document.root
        root.set(.object(JSONObject(counted)), at: "cases")
        return root
    }

    /// Whether a place comes before another in the text.
    fileprivate func comesBefore(_ one: JSONPointer, _ other: JSONPointer) -> Bool {
        let a = location(of: one)
        let b = location(of: other)
        return (a.line ?? 0, a.column ?? 0) < (b.line ?? 0, b.column ?? 0)
    }

    /// Everything that the script sets, whose names may come up in runs.
    fileprivate var configurations: JSONValue {
        let patches =
            [configure] + cases.map(\.configure) + allSteps.map { $0.verb == .configure ? $0.parameters : nil }
        return .array(patches.compactMap { $0 } + [.object(variables)] + cases.map { .object($0.values) })
    }
}
