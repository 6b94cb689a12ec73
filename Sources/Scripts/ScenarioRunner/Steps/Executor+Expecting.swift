import Determinism
import Exchanges
import JSON
import Scenarios
import Verbs

/// What came of a step, and what was expected.
extension Executor {
    func mismatches(_ step: Step, _ outcome: StepOutcome, _ context: StepContext) async throws(StepProblem)
        -> [Mismatch]
    {
        let raw = step.expectation(in: world.variant.caseName)
        // A group without expectation depends on its steps alone.
        if step.verb.isGroup && raw == nil { return [] }
        // A step that was to succeed and did needs no look into what it returned.
        if raw == nil, outcome.yield.result != nil { return [] }
        var expected = raw
        if let value = raw {
            await observe(value, of: step, in: outcome, context)
            do throws(ValueError) {
                expected = try await Interpolation.resolve(value, in: await world.scope(index: context.index))
            } catch {
                throw StepProblem("expect\(error.pointer): \(error.description)")
            }
        }
        return Expectation.mismatches(outcome: outcome.json, expected: expected)
    }

    /// Keeps an expectation for the experiments with it, with everything filled in but what the step itself shows: that
    /// changes with the outcome.
    private func observe(
        _ raw: JSONValue, of step: Step, in outcome: StepOutcome, _ context: StepContext
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
                pointer: pointer, raw: raw, expected: expected, outcome: outcome.json,
                ownID: namesItself ? step.id : nil,
                reach: await world.reach(of: step, inheriting: context.client),
                returned: await world.origin(of: step).record.returned))
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
}
