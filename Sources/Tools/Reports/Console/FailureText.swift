import Diagnostics
import Exchanges
import JSON
import ScenarioRunner

/// Why a scenario failed, in words: the step and its place, the expected and the actual values, the exchanges that mattered,
/// and the command that repeats it.
struct FailureText {
    /// One line, the most important thing.
    let headline: String
    /// Everything below the scenario's title.
    let lines: [String]
    /// Where the script expects what did not happen, or the step that failed; `nil`: at no step.
    let place: SourceLocation?

    var text: String { lines.joined(separator: "\n") }

    /// - Parameters:
    ///   - option: The option that gives the run's seed, such as `--seed 42`.
    ///   - repeating: The command that repeats the run; `nil`: the script's file does, with the option.
    init(
        _ scenario: ScenarioReport, option: String, style: Style = Style(usesColor: false), repeating: String? = nil
    ) {
        var lines: [String] = []
        var place: SourceLocation?
        var headline = scenario.reason.map { Shown.text($0) } ?? "failed"
        if scenario.status == .unexpectedPass {
            headline = scenario.reason.map { Shown.text($0) } ?? "passed, though it is known to fail"
            lines.append(headline)
        } else {
            if let reason = scenario.reason { lines.append(Shown.text(reason)) }
            let failed = Self.innermostFailed(scenario.steps)
            if let first = failed.first {
                headline = Self.headline(first)
                place = first.expectation ?? first.location
            }
            for step in failed { lines += Self.lines(step, style) }
        }
        lines.append(style.dim("repeat") + "  " + (repeating ?? Self.command(scenario, option)))
        self.headline = headline
        self.place = place
        self.lines = lines
    }

    /// The failed steps that have something to say; a group that failed only because of its steps has not.
    static func innermostFailed(_ steps: [StepReport]) -> [StepReport] {
        steps.filter { $0.status == .failed }.flatMap { step in
            let inner = innermostFailed(step.steps)
            let saysSomething = !step.problems.isEmpty || !step.mismatches.isEmpty || inner.isEmpty
            return inner + (saysSomething ? [step] : [])
        }
    }

    /// The first thing that is wrong with the scenario, without names of its own: equal ones have one cause.
    static func cause(_ scenario: ScenarioReport) -> String? {
        guard scenario.status == .failed || scenario.status == .blocked else { return nil }
        guard let step = innermostFailed(scenario.steps).first else { return scenario.reason }
        return step.problems.first ?? step.mismatches.first.map { "\(step.verb) \($0.description)" }
    }

    private static func headline(_ step: StepReport) -> String {
        if let problem = step.problems.first { return "\(Shown.text(step.title)): \(Shown.sentence(problem))" }
        if let mismatch = step.mismatches.first {
            return "\(Shown.text(step.title)): \(headline(mismatch))"
        }
        return "\(Shown.text(step.title)) failed"
    }

    /// Values may be cut; why they differ although they look alike may not.
    private static func headline(_ mismatch: Mismatch) -> String {
        guard let note = mismatch.note else { return Shown.text(mismatch.description, limit: 300) }
        var plain = mismatch
        plain.text = mismatch.textWithoutNote
        return "\(Shown.text(plain.description, limit: 300)); \(Shown.text(note, limit: 300))"
    }

    /// `step signIn (acquireToken by ios) at scenarios/first.json:8`.
    static func heading(_ step: StepReport, _ style: Style) -> String {
        let file = Shown.text(step.location.file)
        let place = step.location.line.map { "\(file):\($0)" } ?? file
        let client = step.client.map { " by \($0)" } ?? ""
        // A step without id and name is called after its verb and pointer; the line says more than the pointer.
        let isNamed = step.title != "\(step.verb) at \(step.location.pointer ?? "")"
        let name =
            isNamed
            ? "\(style.bold(Shown.text(step.title))) (\(step.verb)\(client))" : "\(style.bold(step.verb))\(client)"
        return "step \(name) at \(place)"
    }

    /// One failed step: its place, the expected and the actual values, the exchanges that mattered.
    static func lines(_ step: StepReport, _ style: Style) -> [String] {
        var lines = [heading(step, style)]
        for problem in step.problems { lines.append("  \(Shown.text(problem))") }
        let sources = step.outcome.map { ClaimSources(outcome: $0) }
        let mismatches = step.mismatches.withoutRepeats
        for mismatch in mismatches.prefix(mostMismatches) {
            lines += self.lines(mismatch, style)
            if let source = sources?.line(at: mismatch.pointer) {
                lines.append("    \(style.bold("claim"))    \(source)")
            }
        }
        if mismatches.count > mostMismatches {
            lines.append("  and \(mismatches.count - mostMismatches) more differences")
        }
        for exchange in step.tellingExchanges.prefix(mostExchanges) {
            lines += ExchangeText(exchange, style: style).lines.map { "  \($0)" }
        }
        return lines
    }

    private static let mostMismatches = 20
    private static let mostExchanges = 3

    /// The place of a difference and the two values.
    ///
    /// - Parameter width: Columns of a line; longer values are cut around the first character that differs. `nil`: values
    ///   are shown up to 600 characters.
    static func lines(_ mismatch: Mismatch, _ style: Style, width: Int? = nil) -> [String] {
        let pointer = mismatch.pointer.tokens.isEmpty ? "the outcome" : mismatch.pointer.description
        guard isPlainDifference(mismatch) else {
            let limit = width.map { 2 * $0 - 7 } ?? 4000
            return [
                "  \(style.bold(Shown.text(pointer, limit: limit)))", "    \(Shown.text(mismatch.text, limit: limit))",
            ]
        }
        var wanted = Shown.value(mismatch.wanted, limit: 600)
        var found = mismatch.found.map { Shown.value($0, limit: 600) } ?? "nothing"
        if let width {
            // Four columns of indentation, nine of the label, three for each mark of a cut.
            (wanted, found) = Shown.pair(
                JSONWriter.compact(mismatch.wanted), mismatch.found.map { JSONWriter.compact($0) } ?? "nothing",
                width: width - 19)
        }
        return [
            "  \(style.bold(Shown.text(pointer, limit: width.map { $0 - 5 } ?? 4000)))",
            "    \(style.green("expected")) \(wanted)", "    \(style.red("actual"))   \(found)",
        ] + (mismatch.note.map { ["    \(style.bold("note"))     \(Shown.text($0))"] } ?? [])
    }

    /// Whether the words say no more than the two values.
    private static func isPlainDifference(_ mismatch: Mismatch) -> Bool {
        guard mismatch.text.hasPrefix("expected "), let comma = mismatch.text.range(of: ", actual ") else {
            return false
        }
        let wanted = mismatch.text[mismatch.text.index(mismatch.text.startIndex, offsetBy: 9)..<comma]
        return wanted == JSONWriter.compact(mismatch.wanted) || wanted.hasSuffix("...")
    }

    /// The command that repeats a scenario.
    static func command(_ scenario: ScenarioReport, _ option: String) -> String {
        var words = ["b2c", "run", Shown.shellWord(scenario.file)]
        if let name = scenario.caseName.map(Shown.shellWord) {
            // A name that begins with a dash would be taken for an option of its own.
            words += scenario.caseName?.hasPrefix("-") == true ? ["--case=\(name)"] : ["--case", name]
        }
        return (words + [option]).joined(separator: " ")
    }
}

extension [Mismatch] {
    /// A step that ended otherwise says so twice, of its end and of the result that was expected: once is enough.
    var withoutRepeats: [Mismatch] {
        guard let result = first(where: { $0.pointer.tokens == ["result"] }) else { return self }
        return filter { one in
            let isEnd = one.pointer.tokens == ["error"] || one.pointer.tokens == ["pending"]
            return !isEnd || !result.text.hasSuffix(", but \(one.text)")
        }
    }
}

extension String {
    /// Where a piece begins.
    fileprivate func range(of piece: String) -> String.Index? {
        guard let first = piece.first else { return nil }
        var place = startIndex
        while let next = self[place...].firstIndex(of: first) {
            if self[next...].hasPrefix(piece) { return next }
            place = index(after: next)
        }
        return nil
    }
}
