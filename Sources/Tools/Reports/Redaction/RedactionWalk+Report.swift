import Diagnostics
import Exchanges
import JSON
import ScenarioRunner

/// The walks over a scenario's report.
extension RedactionWalk {
    // MARK: Learning

    mutating func learn(_ scenario: ScenarioReport) {
        for text in [scenario.name, scenario.reason].compactMap({ $0 }) { learn(text) }
        for step in scenario.steps { learn(step) }
        // After the steps, so that labels are the same whether the log is kept or not.
        for record in scenario.log { learn(record, []) }
    }

    mutating func learn(_ step: StepReport) {
        if let outcome = step.outcome { learn(outcome, []) }
        for exchange in step.tellingExchanges { learn(exchange, []) }
        for mismatch in step.mismatches {
            learn(mismatch.wanted, mismatch.pointer.tokens)
            if let found = mismatch.found { learn(found, mismatch.pointer.tokens) }
        }
        // Last, since these texts may hold cut pieces of what the documents hold whole.
        for text in step.problems + step.mismatches.map(\.text) { learn(text) }
        for inner in step.steps { learn(inner) }
    }

    // MARK: Masking

    func masked(_ scenario: ScenarioReport) -> ScenarioReport {
        var result = scenario
        result.name = masked(scenario.name)
        result.caseName = scenario.caseName.map { masked($0) }
        result.reason = scenario.reason.map { masked($0) }
        result.tags = scenario.tags.map { masked($0) }
        result.steps = scenario.steps.map { masked($0) }
        result.log = scenario.log.map { masked($0, []) }
        return result
    }

    func masked(_ step: StepReport) -> StepReport {
        var result = step
        result.title = masked(step.title)
        result.client = step.client.map { masked($0) }
        result.problems = step.problems.map { StubText.usable(masked($0), original: $0) }
        result.mismatches = step.mismatches.map { masked($0) }
        result.outcome = step.outcome.map { masked($0, []) }
        result.tellingExchanges = step.tellingExchanges.map { masked($0, []) }
        result.steps = step.steps.map { masked($0) }
        result.source = step.source.map { masked($0) }
        return result
    }

    /// The lines of a script, which may hold what a person types.
    private func masked(_ source: SourceExcerpt) -> SourceExcerpt {
        var result = source
        result.lines = source.lines.map { masked($0) }
        let place = source.line - source.first
        if source.lines.indices.contains(place), result.lines[place] != source.lines[place] {
            let before = String(String.UnicodeScalarView(source.lines[place].unicodeScalars.prefix(source.column - 1)))
            result.column = masked(before).unicodeScalars.count + 1
        }
        return result
    }

    private func masked(_ mismatch: Mismatch) -> Mismatch {
        var result = mismatch
        result.pointer = JSONPointer(tokens: mismatch.pointer.tokens.map { masked($0) })
        result.wanted = masked(mismatch.wanted, mismatch.pointer.tokens)
        result.found = mismatch.found.map { masked($0, mismatch.pointer.tokens) }
        // Numbers of characters would give away a part of a value that is masked.
        if mismatch.note != nil, result.wanted != mismatch.wanted || result.found != mismatch.found {
            result.note = "they look alike"
            result.text = masked("\(mismatch.textWithoutNote); they look alike")
        } else {
            result.note = mismatch.note.map { masked($0) }
            result.text = masked(mismatch.text)
        }
        // A short secret is not a pattern, but the text repeats the two values.
        for value in [mismatch.wanted, mismatch.found ?? .null] {
            guard case .string(let secret) = value, kind(mismatch.pointer.tokens, secret) != nil,
                let label = ledger.label(of: secret)
            else { continue }
            result.text = TextMask([TextMask.Spelling(JSONWriter.compact(value), label: "\"\(label)\"")])
                .masked(result.text)
        }
        return result
    }
}
