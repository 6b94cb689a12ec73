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

    private static func measure(_ command: String, _ arguments: [String]) -> (seconds: Double, status: Int32)? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let clock = ContinuousClock()
        let start = clock.now
        do { try process.run() } catch { return nil }
        process.waitUntilExit()
        return ((clock.now - start) / .seconds(1), process.terminationStatus)
    }
}
