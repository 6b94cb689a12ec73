import CommandFiles
import Diagnostics
import Testing

/// What functions of commands say to callers that do not print.
struct FindingCollectorTests {
    @Test func `findings and warnings of a task are collected once each`() {
        let collector = FindingCollector()
        let finding = Diagnostic(rule: "B2C-X-001", "it is wrong")
        FindingCollector.$current.withValue(collector) {
            FindingsPrinter(sources: []).print([finding, finding])
            _ = FindingsPrinter(sources: []).failure([finding])
            for _ in 0..<2 { FindingCollector.warn("something is missing") }
        }
        #expect(collector.findings == [finding] && collector.warnings == ["something is missing"])
        #expect(FindingCollector.current == nil)
    }
}
