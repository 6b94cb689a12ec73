import Diagnostics
import Exchanges
import JSON
import ScenarioRunner

/// A failure on one screen: at most 15 lines of 80 columns. The difference comes first, then the reason that the other side
/// gave and the parameters of the request that it is about. `--verbose` shows everything.
struct BriefFailure {
    /// The most rows of a terminal that a failure takes, the scenario's title included.
    static let mostRows = 15
    /// Columns of the terminal.
    static let columns = 80
    /// Columns of a line below the title, which is indented by two.
    private static let width = columns - 2

    /// Everything below the scenario's title, without its indentation.
    let lines: [String]

    /// Lines that belong together, and when they are omitted.
    private struct Block {
        var lines: [String]
        /// Lower ones are kept before higher ones.
        var rank: Int
        var kind: Kind
    }

    /// What a block says, for the line that counts omitted ones.
    private enum Kind { case problem, difference, request }

    /// - Parameters:
    ///   - title: The line above, without colours: it counts.
    ///   - repeating: The command that repeats the run. It is never cut.
    init(_ scenario: ScenarioReport, title: String, repeating: String, style: Style) {
        var lines: [String] = []
        var blocks: [Block] = []
        if let reason = scenario.reason { lines.append(Shown.text(reason, limit: 2 * Self.width)) }
        let failed = FailureText.innermostFailed(scenario.steps)
        if let step = failed.first {
            lines.append(Self.fitted(FailureText.heading(step, style), style: style))
            blocks = Self.blocks(step, style)
            if failed.count > 1 {
                let others = failed.dropFirst()
                let names = others.prefix(3).map { Shown.text($0.title, limit: 30) }.joined(separator: ", ")
                let more = others.count > 3 ? " ..." : ""
                lines.append("\(Counted.text(others.count, "more step")) failed: \(names)\(more)")
            }
        }
        let last = style.dim("repeat") + "  " + repeating
        let fixed = Self.rows([title], Self.columns) + Self.rows(lines + ["repeat  " + repeating], Self.width)
        // One row is for the line that counts what is omitted.
        let (kept, omitted) = Self.kept(blocks, rows: max(3, Self.mostRows - fixed - 1))
        lines += kept.flatMap(\.lines)
        if !omitted.isEmpty { lines.append(style.dim("more") + "    -v shows \(Self.text(omitted))") }
        self.lines = lines + [last]
    }

    // MARK: What is said

    private static func blocks(_ step: StepReport, _ style: Style) -> [Block] {
        var blocks: [Block] = []
        for (index, problem) in step.problems.enumerated() {
            blocks.append(
                Block(
                    lines: ["  " + Shown.sentence(problem)], rank: index == 0 ? 0 : 3, kind: .problem)
            )
        }
        let sources = step.outcome.map { ClaimSources(outcome: $0) }
        for (index, mismatch) in step.mismatches.withoutRepeats.enumerated() {
            var lines = FailureText.lines(mismatch, style, width: width)
            if let source = sources?.line(at: mismatch.pointer) {
                lines.append("    \(style.bold("claim"))    \(Shown.text(source, limit: width - 13))")
            }
            blocks.append(Block(lines: lines, rank: index == 0 ? 1 : 4, kind: .difference))
        }
        let words = words(of: step)
        for (index, exchange) in step.tellingExchanges.enumerated() {
            let text = ExchangeText.brief(exchange, about: words, style: style, width: width - 2)
            blocks.append(Block(lines: text.map { "  " + $0 }, rank: index == 0 ? 2 : 5, kind: .request))
        }
        return blocks
    }

    /// The words of the failure: a parameter of the request that they name matters. Of hundreds of differences the first are
    /// enough, because each request is compared with all of them.
    private static func words(of step: StepReport) -> String {
        (step.problems.prefix(20) + step.mismatches.prefix(20).map { "\($0.pointer) \($0.text)" })
            .joined(separator: " ")
    }

    // MARK: What fits

    /// Blocks that fit, in their order, and those that do not.
    private static func kept(_ blocks: [Block], rows: Int) -> (kept: [Block], omitted: [Block]) {
        var left = rows
        var isKept = [Bool](repeating: false, count: blocks.count)
        let order = blocks.indices.sorted { (blocks[$0].rank, $0) < (blocks[$1].rank, $1) }
        for index in order {
            let needed = Self.rows(blocks[index].lines, width)
            guard needed <= left || left == rows else { continue }
            left -= needed
            isKept[index] = true
        }
        return (
            blocks.indices.filter { isKept[$0] }.map { blocks[$0] },
            blocks.indices.filter { !isKept[$0] }.map { blocks[$0] }
        )
    }

    /// The rows that lines take on a terminal.
    private static func rows(_ lines: [String], _ columns: Int) -> Int {
        lines.reduce(0) { $0 + max(1, (Style.plain($1).unicodeScalars.count + columns - 1) / columns) }
    }

    /// A line that takes two rows at most.
    private static func fitted(_ line: String, style: Style) -> String {
        Style.plain(line).unicodeScalars.count <= 2 * width ? line : Shown.text(Style.plain(line), limit: 2 * width - 3)
    }

    /// `2 more differences and 1 more request`.
    private static func text(_ omitted: [Block]) -> String {
        let words: [(Kind, String)] = [
            (.problem, "more problem"), (.difference, "more difference"), (.request, "more request"),
        ]
        let parts = words.compactMap { kind, word -> String? in
            let count = omitted.count { $0.kind == kind }
            return count == 0 ? nil : Counted.text(count, word)
        }
        return namesList(parts)
    }
}

/// A number with its noun.
enum Counted {
    /// `1 file`, `2 files`.
    static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
