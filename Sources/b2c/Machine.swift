import Determinism
import Diagnostics
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Everything the command takes from the machine that nobody can repeat: arguments, environment, terminal, files, and
/// the one draw of a seed.
enum Machine {
    /// The arguments without the program's name.
    static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// Why the arguments cannot be read; `nil` where they can. A program always has its own name as the first, and Swift
    /// reads all of them from `/proc` on Linux: without that they are missing, and no command is recognised.
    static var argumentsProblem: String? {
        CommandLine.arguments.isEmpty
            ? "b2c: the arguments cannot be read, because /proc/self/cmdline cannot. Mount /proc, such as with "
                + "`mount -t proc proc /proc`" : nil
    }

    /// What holds where the environment has no such variable: what a project file says.
    static let defaults = Mutex<[String: String]>([:])

    /// A variable of the environment; an empty one counts as absent.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
            return defaults.withLock { $0[name] }
        }
        return value
    }

    /// A seed for a run that was given none. Nine digits are easy to repeat.
    static func drawSeed() -> UInt64 {
        var system = SystemRandomNumberGenerator()
        return system.next() % 1_000_000_000
    }

    /// Time on a clock that never goes back, for wall times.
    static var uptime: TimeSpan {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return TimeSpan(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The moment of the call, for checking what ends: tokens and secrets of real tenants.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Makes a folder that nobody else can read, among the temporary files; `nil` where there can be none.
    static func makeTemporaryFolder() -> String? {
        let path = (environment("TMPDIR") ?? "/tmp") + "/b2c-XXXXXX"
        guard let template = strdup(path) else { return nil }
        defer { free(template) }
        return mkdtemp(template).map { String(cString: $0) }
    }

    /// Waits between two looks at files that are watched.
    static func rest(milliseconds: UInt32) {
        usleep(milliseconds * 1000)
    }

    /// What is piped in, at most so many bytes.
    static func readInput(limit: Int) -> String {
        String(decoding: readInputBytes(limit: limit).bytes, as: UTF8.self)
    }

    /// What is piped in, at most so many bytes, and whether there was more.
    static func readInputBytes(limit: Int) -> (bytes: [UInt8], isCut: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = read(0, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let isCut = bytes.count > limit
        if isCut { bytes.removeSubrange(limit...) }
        return (bytes, isCut)
    }

    /// The operating system and the processor, such as `Linux x86_64`.
    static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        func text(_ field: UnsafeRawBufferPointer) -> String {
            String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
        }
        return withUnsafeBytes(of: &names.sysname, text) + " " + withUnsafeBytes(of: &names.machine, text)
    }

    /// Whether the system's administrator runs this, as in most containers.
    static var isRoot: Bool { geteuid() == 0 }

    /// How many scenarios can run at the same time.
    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The folder that relative paths start from.
    static var currentFolder: String {
        guard let text = getcwd(nil, 0) else { return "." }
        defer { free(text) }
        return String(cString: text)
    }

    /// Writing to a pipe that nobody reads any more is an error of `write` instead of the process's end.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// The path of this program's own file.
    static var program: String? {
        #if canImport(Darwin)
            var size: UInt32 = 4096
            var buffer = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&buffer, &size) == 0, let path = realpath(buffer, nil) else { return nil }
        #else
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
        #endif
        defer { free(path) }
        return String(cString: path)
    }

    /// Becomes another program with these arguments.
    ///
    /// - Returns: Why it did not, in the system's words.
    static func replaceProgram(_ path: String, _ arguments: [String]) -> String {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        execv(path, words)
        return String(cString: strerror(errno))
    }

    /// Ends the process.
    static func exit(_ status: Status) -> Never { exit(code: status.rawValue) }

    /// Ends the process with the exit code of another.
    static func exit(code: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code)
        #elseif canImport(Glibc)
            Glibc.exit(code)
        #elseif canImport(Musl)
            Musl.exit(code)
        #endif
    }

    /// The standard output.
    static let out = Output(1)
    /// The standard error output.
    static let error = Output(2)
}

/// One of the two outputs. Once its reader has gone, or its disk is full, everything written is dropped.
final class Output: Sendable {
    private enum State {
        case open, closed, failed(String)
    }

    private let descriptor: Int32
    private let state: Mutex<(state: State, printed: PrintedText)>

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        state = Mutex(
            (.open, PrintedText(isTerminal: isTerminal, services: LogService.running { Machine.environment($0) })))
    }

    /// Writes a text for people whole, without characters that nobody sees and that a terminal or a CI service would obey.
    func write(_ text: String) { write { $0.people(text) } }

    /// Writes what programs read, such as a report, whole. It keeps its meaning.
    func write(data text: String) { write { $0.data(text) } }

    /// Writes commands of our own for a CI service.
    func write(commands text: String, of service: LogService) { write { $0.commands(text, of: service) } }

    private func write(_ text: (inout PrintedText) -> String) {
        state.withLock { both in
            var rest = Array(text(&both.printed).utf8)[...]
            while case .open = both.state, !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR, errno != EAGAIN {
                    both.state = errno == EPIPE ? .closed : .failed(String(cString: strerror(errno)))
                }
            }
        }
    }

    /// Why something was not written, in the system's words. A reader who has gone is no reason.
    var failure: String? {
        state.withLock { if case .failed(let reason) = $0.state { reason } else { nil } }
    }

    /// Whether a person looks at it.
    let isTerminal: Bool

    /// Columns of the terminal.
    var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
