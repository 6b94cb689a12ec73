import Foundation

/// The command as a user starts it: how long it takes to start, and to run every shipped script.
enum CommandBenchmark {
    static func run() {
        let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("b2c").path
        guard FileManager.default.isExecutableFile(atPath: command) else {
            Benchmarks.line("b2c", "not built", "swift build -c release --product b2c")
            return
        }
        let start = (0..<20).compactMap { _ in measure(command, ["--version"])?.seconds }.sorted()
        if let median = start.dropFirst(start.count / 2).first {
            Benchmarks.line(
                "b2c --version, median of 20", "\(Benchmarks.number(1000 * median, digits: 1)) ms",
                "(wanted: under 20 ms)")
        }
        let suite = (0..<5).compactMap { _ in measure(command, ["run", "scenarios", "--seed", "7"]) }
            .sorted { $0.seconds < $1.seconds }
        if let median = suite.dropFirst(suite.count / 2).first {
            Benchmarks.line(
                "b2c run scenarios, median of 5", "\(Benchmarks.number(1000 * median.seconds)) ms",
                "exit \(median.status) (wanted: under 1000 ms)")
        }
        var usage = rusage()
        #if os(macOS)
            let (who, unit) = (RUSAGE_CHILDREN, 1_048_576.0)
        #else
            let (who, unit) = (__rusage_who_t(RUSAGE_CHILDREN.rawValue), 1024.0)
        #endif
        if getrusage(who, &usage) == 0 {
            let megabytes = Double(usage.ru_maxrss) / unit
            Benchmarks.line("peak memory of the command", "\(Benchmarks.number(megabytes)) MB", "(wanted: under 60 MB)")
        }
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
