import JSON

/// A trace as text, for reading.
public struct TraceText: Sendable {
    private let style: Style

    /// A writer with or without colours.
    public init(style: Style) {
        self.style = style
    }

    /// Each orchestration step with its pages and the profiles and transformations that ran in it, in the order in which
    /// they ran, and what else it did to the claims; behind a claim, what put it there.
    public func text(_ trace: TraceModel) -> String {
        var lines: [String] = []
        for journey in trace.journeys {
            lines.append(style.bold("journey \(journey.name)"))
            for step in journey.steps {
                lines.append(head(step))
                lines += step.pages.map(page)
                lines += step.items.flatMap(item)
                lines += step.changes.filter { !$0.isShown }.map(change)
                lines += claims("out", step.issued)
            }
        }
        // A journey that failed or waits has left no record of its last step.
        if !trace.unfinished.isEmpty || !trace.unfinishedPages.isEmpty {
            let name = trace.unfinishedStep.map { "step \($0)" } ?? "a step that"
            lines.append("  \(name) " + style.yellow("was not finished"))
            lines += trace.unfinishedPages.map(page)
            lines += trace.unfinished.flatMap(item)
        }
        return lines.isEmpty ? "no journey ran\n" : lines.joined(separator: "\n") + "\n"
    }

    private func head(_ step: TraceModel.TracedStep) -> String {
        let number = step.number.map { String($0) } ?? "?"
        let because = step.because.isEmpty ? "" : ": \(Shown.text(step.because))"
        return "  step \(number) \(step.type) " + (step.ran ? style.green("ran") : style.yellow("skipped")) + because
    }

    private func page(_ page: TraceModel.TracedPage) -> String {
        let fields = page.fields.isEmpty ? "" : ": " + page.fields.map { Shown.text($0) }.joined(separator: ", ")
        return "    page \(style.bold(Shown.text(page.name)))\(style.dim(" (\(page.contentDefinition))"))\(fields)"
    }

    private func item(_ item: TraceModel.Item) -> [String] {
        if item.isTransformation {
            return ["    transformation \(item.name)\(style.dim(" (\(item.kind))"))"] + claims("in ", item.input)
                + claims("out", item.output)
        }
        let handler = item.kind.isEmpty ? "" : " (\(item.kind))"
        let validation = item.isValidation ? ", as validation" : ""
        let skipped = item.skipped.map { ", omitted: \(Shown.text($0))" } ?? ""
        var lines = ["    profile \(style.bold(item.name))\(style.dim(handler))\(validation)\(skipped)"]
        lines += claims("in ", item.input)
        if let call = item.call {
            let answer = call.isGood ? style.green(call.answer) : style.red(call.answer)
            lines.append(
                "      \(style.dim("call")) \(call.method) \(Shown.text(call.url)) -> \(answer)"
                    + style.dim("  exchange \(call.number)"))
            if let received = call.received { lines.append("           \(Shown.value(received, limit: 160))") }
        }
        lines += claims("out", item.output)
        if let error = item.error { lines.append("      " + style.red("failed: \(Shown.text(error))")) }
        return lines
    }

    private func claims(_ word: String, _ claims: [TraceModel.Claim]) -> [String] {
        claims.enumerated().map { index, claim in
            "      \(style.dim(index == 0 ? word : "   ")) \(shown(claim))"
        }
    }

    private func shown(_ claim: TraceModel.Claim) -> String {
        let from = claim.from.map { style.dim("  \($0.words)") } ?? ""
        return "\(claim.name) = \(Shown.value(claim.value, limit: 120))\(from)"
    }

    private func change(_ change: TraceModel.Change) -> String {
        switch change.kind {
        case .added: "    \(style.green("+")) \(shown(change.claim))"
        case .changed: "    \(style.green("~")) \(shown(change.claim))"
        case .removed: "    \(style.red("-")) \(change.claim.name)"
        }
    }
}
