import Determinism
import Foundation
import Validation

/// How long `b2c validate` takes over a repository of custom policies.
enum ValidationBenchmark {
    private static let wantedFiles = 300

    /// Copies of the repository's own policies, each set in a folder of its own as one per environment, until there are
    /// three hundred files. They lie in memory: the disk is not what is measured.
    static func run(_ targets: inout Targets) {
        let name = "a repository of \(wantedFiles) policies, checked"
        let root = "scenarios/policies"
        let names = (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).sorted()
        let texts = names.filter { $0.hasSuffix(".xml") }.compactMap { name in
            FileManager.default.contents(atPath: "\(root)/\(name)").map { (name, [UInt8]($0)) }
        }
        guard !texts.isEmpty else {
            Benchmarks.line(name, "no policy files in \(root)")
            return
        }
        var files: [(path: String, bytes: [UInt8])] = []
        while files.count < wantedFiles {
            let (file, bytes) = texts[files.count % texts.count]
            files.append(("environment\(files.count / texts.count)/\(file)", bytes))
        }
        let clock = ContinuousClock()
        var findings = 0
        let times = (0..<5).map { _ in
            clock.measure {
                let project = Project(
                    files: files.map { ProjectFile(path: $0.path, bytes: $0.bytes) }, now: Timestamp(seconds: 0))
                findings = Validator.validate(project).findings.count
            }
        }.sorted()
        let median = times[times.count / 2]
        let size = files.reduce(0) { $0 + $1.bytes.count }
        Benchmarks.line(
            name, "\(Benchmarks.number(median / .milliseconds(1))) ms",
            "\(size / 1024) KB, \(findings) findings, median of 5 "
                + targets.wanted("\(wantedFiles) policies checked under 1000 ms", median < .seconds(1)))
        keystroke(files, &targets)
    }

    /// How long it takes until an editor shows what is wrong with a policy of that repository after a key was pressed in it.
    private static func keystroke(_ files: [(path: String, bytes: [UInt8])], _ targets: inout Targets) {
        var project = Project(
            files: files.map { ProjectFile(path: $0.path, bytes: $0.bytes) }, now: Timestamp(seconds: 0))
        project.memory = PolicyMemory()
        _ = Validator.validate(project)
        let clock = ContinuousClock()
        let times = files.indices.prefix(40).map { place in
            clock.measure {
                let path = files[place].path
                project.files[place] = ProjectFile(path: path, bytes: files[place].bytes + [0x0A])
                var steps = StepwiseValidation(project)
                for chain in steps.chains(of: path).prefix(StepwiseValidation.firstChains) { steps.check(chain) }
                _ = steps.findings(in: path)
            }
        }.sorted()
        let slowest = times[times.count - 1]
        Benchmarks.line(
            "a keystroke in one of them", "\(Benchmarks.number(slowest / .milliseconds(1))) ms",
            "the slowest of \(times.count) " + targets.wanted("a keystroke under 150 ms", slowest < .milliseconds(150)))
    }
}
