import Foundation

/// Measures what the design promises and prints each figure as a ratio to a limit measured in the same run.
///
/// Build it in release: `make bench`. Figures of a debug build say nothing.
@main
struct Benchmarks {
    static func main() async {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 2
        // First, since Linux counts this process's own memory into that of the commands it starts.
        CommandBenchmark.run()
        SignInBenchmark.run(seconds: seconds)
    }

    static func line(_ name: String, _ value: String, _ note: String = "") {
        let padding = String(repeating: " ", count: max(1, 44 - name.count))
        print(name + padding + value + (note.isEmpty ? "" : "  " + note))
    }

    static func number(_ value: Double, digits: Int = 0) -> String {
        String(format: "%.\(digits)f", value)
    }
}
