import Diagnostics
import Exchanges
import JSON
import ScenarioRunner

/// Why a scenario failed, in words: the step and its place, what was wanted and found, the exchanges that mattered, and
/// the command that repeats it.
struct FailureText {
    /// One line, the most telling thing.
    let headline: String
    /// Everything below the scenario's title.
    let lines: [String]

    var text: String { lines.joined(separator: "\n") }

    /// - Parameters:
    ///   - option: The option that gives the run's seed, such as `--seed 42`.
    ///   - repeating: The command that repeats the run; `nil`: the script's file does, with the option.
    init(
        _ scenario: ScenarioReport, option: String, style: Style = Style(usesColor: false), repeating: String? = nil
    ) {
        var lines: [String] = []
        var headline = scenario.reason.map { Shown.text($0) } ?? "failed"
        if scenario.status == .unexpectedPass {
            headline = scenario.reason.map { Shown.text($0) } ?? "passed, though it is known to fail"
            lines.append(headline)
        } else {
            if let reason = scenario.reason { lines.append(Shown.text(reason)) }
            let failed = Self.innermostFailed(scenario.steps)
            if let first = failed.first { headline = Self.headline(first) }
            for step in failed { lines += Self.lines(step, style) }
        }
        lines.append(style.dim("repeat") + "  " + (repeating ?? Self.command(scenario, option)))
        self.headline = headline
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

    private static func headline(_ step: StepReport) -> String {
        if let problem = step.problems.first { return "\(Shown.text(step.title)): \(Shown.text(problem, limit: 300))" }
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

    /// One failed step: its place, what was wanted and found, the exchanges that mattered.
    static func lines(_ step: StepReport, _ style: Style) -> [String] {
        let file = Shown.text(step.location.file)
        let place = step.location.line.map { "\(file):\($0)" } ?? file
        let client = step.client.map { " by \($0)" } ?? ""
        // A step without id and name is called after its verb and pointer; the line says more than the pointer.
        let isNamed = step.title != "\(step.verb) at \(step.location.pointer ?? "")"
        let name =
            isNamed
            ? "\(style.bold(Shown.text(step.title))) (\(step.verb)\(client))" : "\(style.bold(step.verb))\(client)"
        var lines = ["step \(name) at \(place)"]
        for problem in step.problems { lines.append("  \(Shown.text(problem))") }
        for mismatch in step.mismatches.prefix(mostMismatches) { lines += self.lines(mismatch, style) }
        if step.mismatches.count > mostMismatches {
            lines.append("  and \(step.mismatches.count - mostMismatches) more differences")
        }
        for exchange in step.tellingExchanges.prefix(mostExchanges) {
            lines += ExchangeText(exchange, style: style).lines.map { "  \($0)" }
        }
        return lines
    }

    private static let mostMismatches = 20
    private static let mostExchanges = 3

    private static func lines(_ mismatch: Mismatch, _ style: Style) -> [String] {
        let pointer = mismatch.pointer.tokens.isEmpty ? "the outcome" : mismatch.pointer.description
        guard isPlainDifference(mismatch) else {
            return ["  \(style.bold(Shown.text(pointer)))", "    \(Shown.text(mismatch.text))"]
        }
        return [
            "  \(style.bold(Shown.text(pointer)))",
            "    \(style.green("expected")) \(Shown.value(mismatch.wanted, limit: 600))",
            "    \(style.red("actual"))   \(mismatch.found.map { Shown.value($0, limit: 600) } ?? "nothing")",
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

    private static func command(_ scenario: ScenarioReport, _ option: String) -> String {
        var words = ["b2c", "run", Shown.shellWord(scenario.file)]
        if let name = scenario.caseName.map(Shown.shellWord) {
            // A name that begins with a dash would be taken for an option of its own.
            words += scenario.caseName?.hasPrefix("-") == true ? ["--case=\(name)"] : ["--case", name]
        }
        return (words + [option]).joined(separator: " ")
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
