import Foundation
import JSON

/// The command as a user starts it: how long it takes to start, and to run every shipped script.
enum CommandBenchmark {
    /// An everyday script: a sign-in.
    private static let oneScript = "scenarios/sign-in/login-hint.json"
    /// How many scripts the target for a suite has.
    private static let suiteSize = 120

    static func run(_ targets: inout Targets) {
        let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("b2c").path
        guard FileManager.default.isExecutableFile(atPath: command) else {
            Benchmarks.line("b2c", "not built", "swift build -c release --product b2c")
            return
        }
        let least = median(20, "/usr/bin/true", [])
        if let start = median(20, command, ["--version"]), let least {
            Benchmarks.line(
                "b2c --version, median of 20", "\(Benchmarks.number(1000 * start, digits: 1)) ms",
                "\(Benchmarks.number(start / least)) times `true` "
                    + targets.wanted("20 times `true` to start", start / least <= 20))
        }
        if let one = median(20, command, ["run", "--seed", "7", oneScript]), let least {
            Benchmarks.line(
                "b2c run, one script, median of 20", "\(Benchmarks.number(1000 * one, digits: 1)) ms",
                "\(Benchmarks.number(one / least)) times `true` "
                    + targets.wanted("one script in 100 times `true`", one / least <= 100))
        } else {
            Benchmarks.line("b2c run, one script", "failed", oneScript)
        }
        // What one script takes is the program and its libraries: pages of files, which all programs share.
        let base = peakMegabytes()
        // Always the same ones: the first by path in byte order, so that new scripts do not move the figure.
        let scripts = Array(scripts(in: "scenarios").prefix(suiteSize))
        if scripts.count == suiteSize, let median = suite(command, scripts) {
            Benchmarks.line(
                "b2c run, the first \(suiteSize) scripts, median of 5",
                "\(Benchmarks.number(1000 * median.seconds)) ms",
                "exit \(median.status) "
                    + targets.wanted(
                        "\(suiteSize) scripts under 1000 ms", median.seconds < 1 && median.status == 0))
        } else {
            Benchmarks.line("b2c run, the first \(suiteSize) scripts", "no such folder here: scenarios")
        }
        // The target is for that suite; the peak of all children so far is its peak.
        if let megabytes = peakMegabytes(), let base {
            Benchmarks.line(
                "peak memory of these", "\(Benchmarks.number(megabytes)) MB",
                "one script \(Benchmarks.number(base)) MB "
                    + targets.wanted("at most 24 MB more than one script", megabytes - base <= 24))
        }
        if let median = suite(command, ["scenarios/bugs"]) {
            Benchmarks.line(
                "b2c run scenarios/bugs, median of 5", "\(Benchmarks.number(1000 * median.seconds)) ms",
                "exit \(median.status) "
                    + targets.wanted(
                        "all reported bugs under 2000 ms", median.seconds < 2 && median.status == 0))
        }
        if let median = suite(command, ["scenarios"]) {
            Benchmarks.line(
                "b2c run scenarios, median of 5", "\(Benchmarks.number(1000 * median.seconds)) ms",
                "exit \(median.status)")
        }
        if let megabytes = peakMegabytes() {
            Benchmarks.line("peak memory of all scenarios", "\(Benchmarks.number(megabytes)) MB")
        }
        if scripts.count == suiteSize, let once = suite(command, scripts)?.seconds {
            let proofs = (0..<3).compactMap { _ in measure(command, ["check", "--prove"] + scripts)?.seconds }.sorted()
            if proofs.count == 3 {
                Benchmarks.line(
                    "b2c check --prove, the first \(suiteSize) scripts, median of 3",
                    "\(Benchmarks.number(1000 * proofs[1])) ms",
                    "\(Benchmarks.number(proofs[1] / once, digits: 1)) times a run "
                        + targets.wanted("a proof in at most 10 times a run", proofs[1] / once <= 10))
            }
        }
        let succeeds = { (arguments: [String]) in
            measure(command, arguments).flatMap { $0.status == 0 ? $0.seconds : nil }
        }
        LengthBenchmark.run(&targets, seconds: succeeds)
        LengthBenchmark.imports(&targets, seconds: succeeds)
    }

    /// The most that any child of this process has held.
    private static func peakMegabytes() -> Double? {
        var usage = rusage()
        #if os(macOS)
            let (who, unit) = (RUSAGE_CHILDREN, 1_048_576.0)
        #else
            let (who, unit) = (__rusage_who_t(RUSAGE_CHILDREN.rawValue), 1024.0)
        #endif
        return getrusage(who, &usage) == 0 ? Double(usage.ru_maxrss) / unit : nil
    }

    /// Files with a script in a folder and below it, by path in byte order; without tenant files and schemas.
    private static func scripts(in folder: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        return names.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".json") }
            .map { "\(folder)/\($0)" }
            .filter { path in
                guard let bytes = FileManager.default.contents(atPath: path),
                    case .object(let object)? = try? JSONParser.parse([UInt8](bytes))
                else { return false }
                return object["steps"] != nil
            }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The median of some runs that succeed, in seconds.
    private static func median(_ count: Int, _ command: String, _ arguments: [String]) -> Double? {
        let runs = (0..<count).compactMap { _ in measure(command, arguments) }.filter { $0.status == 0 }
        guard runs.count == count else { return nil }
        return runs.map(\.seconds).sorted()[count / 2]
    }

    /// The median of five runs.
    private static func suite(_ command: String, _ paths: [String]) -> (seconds: Double, status: Int32)? {
        let runs = (0..<5).compactMap { _ in measure(command, ["run"] + paths + ["--seed", "7"]) }
            .sorted { $0.seconds < $1.seconds }
        return runs.dropFirst(runs.count / 2).first
    }

    /// Starts the command without a shell and waits; Foundation's `Process` would add more than the command takes.
    private static func measure(_ command: String, _ arguments: [String]) -> (seconds: Double, status: Int32)? {
        #if os(macOS)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([command] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let clock = ContinuousClock()
        let start = clock.now
        var process: pid_t = 0
        guard posix_spawn(&process, command, &actions, nil, &words, environ) == 0 else { return nil }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { return nil }
        return ((clock.now - start) / .seconds(1), (status >> 8) & 0xFF)
    }
}
