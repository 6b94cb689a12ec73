import Foundation
import JSON
import TestSupport
import Testing

/// The scenarios that ship, run as a person runs them.
@Suite(.blocking) struct ShippedSuiteTests {
    @Test func `every shipped scenario passes, and a seed gives the same bytes whatever runs beside it`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let scenarios = TestFiles.root().appendingPathComponent("scenarios").path
        func run(jobs: Int) throws -> (report: String, trace: Data) {
            let trace = "trace-\(jobs).json"
            let run = try tool.run("run", scenarios, "--seed", "7", "--json", "--jobs", "\(jobs)", "--trace", trace)
            #expect(run.status == 0, "\(run.error)")
            return (run.out, try Data(contentsOf: tool.folder.appendingPathComponent(trace)))
        }
        let alone = try run(jobs: 1)
        let report = try JSONParser.parse(alone.report)
        func count(_ name: String) -> String { report["counts", name]?.intValue.map { "\($0)" } ?? "no \(name)" }
        let files = Set((report["scenarios"]?.arrayValue ?? []).compactMap { $0["file"]?.stringValue }).count
        let line =
            "\(count("total")) scenarios in \(files) files: \(count("passed")) passed, "
            + "\(count("expectedFailure")) failed as expected"
        let readme = String(decoding: try TestFiles.bytes("README.md"), as: UTF8.self)
        #expect(readme.contains(line), "README.md has another last line of `make run` than: \(line)")
        let beside = try run(jobs: 4)
        // No description of the difference: it would be many megabytes long.
        let isSameReport = alone.report == beside.report
        let isSameTrace = alone.trace == beside.trace
        #expect(isSameReport && isSameTrace)
    }
}
