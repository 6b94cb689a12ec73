import Determinism
import Exchanges
import JSON
import Scenarios

/// What came of a step, and what was expected.
extension Executor {
    func mismatches(_ step: Step, _ outcome: JSONValue, _ context: StepContext) async throws(StepProblem)
        -> [Mismatch]
    {
        let raw = step.expectation(in: world.variant.caseName)
        // A group without expectation depends on its steps alone.
        if step.verb.isGroup && raw == nil { return [] }
        var expected = raw
        if let value = raw {
            await observe(value, of: step, in: outcome, context)
            do throws(ValueError) {
                expected = try await Interpolation.resolve(value, in: await world.scope(index: context.index))
            } catch {
                throw StepProblem("expect\(error.pointer): \(error.description)")
            }
        }
        return Expectation.mismatches(outcome: outcome, expected: expected)
    }

    /// Keeps an expectation for the experiments with it, with everything filled in but what the step itself shows: that
    /// changes with the outcome.
    private func observe(
        _ raw: JSONValue, of step: Step, in outcome: JSONValue, _ context: StepContext
    ) async {
        guard let proof = world.options.proof, proof.keepsExpectations else { return }
        let isOwnCase = step.expectIn.first { sameText($0.caseName, world.variant.caseName ?? "") }
        var pointer = step.pointer.appending("expect")
        if let isOwnCase { pointer = step.pointer.appending("expectIn").appending(isOwnCase.caseName) }
        var expected = raw
        var namesItself = false
        if Interpolation.isNeeded(in: raw) {
            let scope = await world.scope(index: context.index)
            var known: [ValueReference: JSONValue] = [:]
            for reference in Interpolation.occurrences(in: raw).references.map(\.reference) {
                if let id = step.id, sameText(reference.root, id) {
                    namesItself = true
                } else if known[reference] == nil {
                    known[reference] = try? await scope.value(of: reference)
                }
            }
            expected = Interpolation.substituting(in: raw) { known[$0] }
        }
        proof.saw(
            ProofWatch.Observation(
                pointer: pointer, raw: raw, expected: expected, outcome: outcome,
                ownID: namesItself ? step.id : nil))
    }

    /// The exchanges that explain a failure: the record a log matcher came nearest to, else the last refusal.
    static func telling(_ report: StepReport, _ logs: StepLogs) -> [JSONValue] {
        var found: [Exchange] = []
        for mismatch in report.mismatches {
            if mismatch.pointer.tokens.first == "requests", let record = mismatch.record, record < logs.exchanges.count
            {
                found.append(logs.exchanges[record])
            }
        }
        if found.isEmpty {
            let refused = logs.exchanges.last {
                ($0.response?.status ?? 0) >= 400 || $0.response?.refusal != nil || $0.networkError != nil
            }
            found = [refused ?? logs.exchanges.last].compactMap { $0 }
        }
        return found.map(\.json)
    }

    static func outcome(of done: Attempt, _ logs: StepLogs, elapsed: TimeSpan) -> JSONValue {
        let (yield, steps) = (done.yield, done.steps)
        var outcome = yield.members
        outcome["elapsed"] =
            elapsed.milliseconds % 1000 == 0 ? .integer(elapsed.milliseconds / 1000) : .number(elapsed.seconds)
        outcome["requests"] = .array(logs.records)
        var pages = yield.pages.map(\.json)
        var events = yield.events.map { JSONValue.object($0) }
        for step in steps ?? [] {
            pages += step["pages"]?.arrayValue ?? []
            events += step["events"]?.arrayValue ?? []
        }
        outcome["pages"] = .array(pages)
        outcome["messages"] = .array(logs.messages)
        outcome["events"] = .array(events)
        outcome["trace"] = .array(logs.trace)
        if let steps { outcome["steps"] = .array(steps) }
        return .object(outcome)
    }
}
