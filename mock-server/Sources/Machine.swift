import Determinism
import Diagnostics
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How the command ends: the numbers of `b2c`.
enum Status: Int32 {
    /// It was stopped as it should be.
    case success = 0
    /// The command was not used as it can be.
    case usage = 1
    /// A file cannot be read or is wrong.
    case input = 2
    /// It could not run: the port is taken, a file cannot be written.
    case machine = 3
}

/// The end of a command that did not succeed.
struct Failure: Error {
    var status: Status
    /// Printed to the error output; `nil` when everything has been said.
    var text: String?

    static func usage(_ text: String) -> Failure { Failure(status: .usage, text: text) }
    static func input(_ text: String) -> Failure { Failure(status: .input, text: text) }
    static func machine(_ text: String) -> Failure { Failure(status: .machine, text: text) }
}

/// What the server takes from the machine: arguments, environment, outputs, the one draw of a seed.
enum Machine {
    /// The arguments without the program's name.
    static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// Why the arguments cannot be read; `nil` where they can. A program always has its own name as the first, and Swift
    /// reads all of them from `/proc` on Linux: without that the server would run with other settings than it was given.
    static var argumentsProblem: String? {
        CommandLine.arguments.isEmpty
            ? "the arguments cannot be read, because /proc/self/cmdline cannot. Mount /proc, such as with "
                + "`mount -t proc proc /proc`" : nil
    }

    /// A variable of the environment; an empty one counts as absent.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }

    /// Whether a switch in the environment is on: `1`, `true`, `yes` or `on`.
    static func isOn(_ name: String) -> Bool {
        ["1", "true", "yes", "on"].contains(environment(name)?.lowercased() ?? "")
    }

    /// A seed for a server that was given none. Nine digits are easy to repeat.
    static func drawSeed() -> UInt64 {
        var system = SystemRandomNumberGenerator()
        return system.next() % 1_000_000_000
    }

    /// 32 hexadecimal digits that nobody can guess.
    @Sendable static func drawSecret() -> String {
        var system = SystemRandomNumberGenerator()
        let digits = [system.next(), system.next()].map { (word: UInt64) in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits.joined()
    }

    /// Tells the files of this process from those of others.
    static var processID: Int32 { getpid() }

    /// The process that started this one, or that has it since that one has ended.
    static var parentID: Int32 { getppid() }

    /// The clock that commands hand down.
    static let clock: any WallClock = RealTime()

    /// Writing to a pipe that nobody reads any more, or more than the system lets a file have, is an error of `write`
    /// instead of the process's end.
    static func surviveFailedWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Gives memory that was freed back to the system, where the allocator keeps it otherwise.
    @Sendable static func giveBackMemory() {
        #if canImport(Darwin)
            malloc_zone_pressure_relief(nil, 0)
        #else
            // The C library's own; others have no such call.
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            typealias Trim = @convention(c) (Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }

    /// Ends the process.
    static func exit(_ status: Status) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status.rawValue)
        #elseif canImport(Glibc)
            Glibc.exit(status.rawValue)
        #elseif canImport(Musl)
            Musl.exit(status.rawValue)
        #endif
    }

    /// The standard output.
    static let out = Output(1)
    /// The standard error output.
    static let error = Output(2)
}

/// One of the two outputs. Once its reader has gone, or its disk is full, everything written is dropped.
final class Output: Sendable {
    private let descriptor: Int32
    private let state: Mutex<(isOpen: Bool, printed: PrintedText)>

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        state = Mutex(
            (true, PrintedText(isTerminal: isTerminal, services: LogService.running { Machine.environment($0) })))
    }

    /// Writes a text for people whole, without characters that nobody sees and that a terminal or a CI service would obey.
    func write(_ text: String) { write { $0.people(text) } }

    /// Writes what programs read whole, such as a line of JSON. It keeps its meaning.
    func write(data text: String) { write { $0.data(text) } }

    private func write(_ text: (inout PrintedText) -> String) {
        state.withLock { state in
            var rest = Array(text(&state.printed).utf8)[...]
            while state.isOpen, !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR, errno != EAGAIN {
                    state.isOpen = false
                }
            }
        }
    }

    /// Whether a person looks at it.
    let isTerminal: Bool
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

extension WallClock {
    /// Now as certificates want it.
    func date() -> Date { Date(timeIntervalSince1970: Double(now().milliseconds) / 1000) }
}
