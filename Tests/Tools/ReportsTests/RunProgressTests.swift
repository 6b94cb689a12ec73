import Reports
import ScenarioRunner
import Synchronization
import Testing

struct RunProgressTests {
    /// Keeps what is written.
    final class Paper: Sendable {
        private let lines = Mutex("")
        var text: String { lines.withLock { $0 } }
        func write(_ text: String) { lines.withLock { $0 += text } }
    }

    private let names = ["a", "b", "c"]

    private func progress(_ manner: RunProgress.Manner, bail: Bool = false, _ paper: Paper) -> RunProgress {
        RunProgress(
            order: names.map { RunKey(file: "\($0).json", caseName: nil) }, manner: manner,
            maxFailures: bail ? 1 : nil, style: Style(usesColor: false), redaction: Redaction()
        ) { paper.write($0) }
    }

    private func end(_ name: String, _ status: RunStatus = .passed) -> RunEvent {
        .finished(Sample.scenario("\(name).json", name, status: status))
    }

    @Test func `lines come in the order of files, whatever ends first`() {
        let paper = Paper()
        let progress = progress(.lines(verbose: false), paper)
        for event in [end("c"), end("a"), end("b", .failed)] { progress.take(event) }
        #expect(paper.text == "ok   a.json: a\nFAIL b.json: b\nok   c.json: c\n")
    }

    @Test func `what counts as not run is not reported`() {
        let paper = Paper()
        let progress = progress(.lines(verbose: false), bail: true, paper)
        for event in [end("c"), end("a", .failed), end("b")] { progress.take(event) }
        #expect(paper.text == "FAIL a.json: a\n")
    }

    @Test func `a terminal has one line that is rewritten and goes away`() {
        let paper = Paper()
        let progress = progress(.terminal(columns: 30), paper)
        progress.take(.started(file: "a.json", title: "a name much longer than the terminal is wide"))
        progress.take(end("a", .failed))
        progress.end()
        #expect(paper.text == "\r\u{1b}[K0/3  a name much longer than \r\u{1b}[K1/3, 1 failed  a\r\u{1b}[K")
        #expect(!paper.text.contains("\n"))
    }
}
