import Determinism
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Everything that the programs take from the machine and nobody can repeat: arguments, environment, terminal, clock, and
/// the one draw of a seed.
package enum Machine {
    /// The arguments without the program's name.
    static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// The name by which this program was called, without its folder.
    package static var calledName: String? { CommandLine.arguments.first.map { FilePath.name($0) } }

    /// Why the arguments cannot be read; `nil` where they can. A program always has its own name as the first, and Swift
    /// reads all of them from `/proc` on Linux: without that they are missing, and a program would do what nobody asked for.
    static var argumentsProblem: String? {
        CommandLine.arguments.isEmpty
            ? "the arguments cannot be read, because /proc/self/cmdline cannot. Mount /proc, such as with "
                + "`mount -t proc proc /proc`" : nil
    }

    /// What holds where the environment has no such variable: what a project file says.
    package static let defaults = Mutex<[String: String]>([:])

    /// A variable of the environment; an empty one counts as absent.
    package static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
            return defaults.withLock { $0[name] }
        }
        return value
    }

    /// Whether the environment itself has a variable, whatever a project file says.
    package static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

    /// A seed for a run that was given none. Nine digits are easy to repeat.
    package static func drawSeed() -> UInt64 {
        var system = SystemRandomNumberGenerator()
        return system.next() % 1_000_000_000
    }

    /// Bytes that nobody can guess.
    package static func drawBytes(_ count: Int) -> [UInt8] {
        var system = SystemRandomNumberGenerator()
        return (0..<count).map { _ in system.next() }
    }

    /// 32 hexadecimal digits that nobody can guess.
    @Sendable package static func drawSecret() -> String {
        drawBytes(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Time on a clock that never goes back, for wall times.
    package static var uptime: TimeSpan {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return TimeSpan(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The clock that commands hand down, for what ends: tokens and secrets of real tenants, certificates.
    package static let clock: any WallClock = RealTime()

    /// Makes a folder that nobody else can read, among the temporary files; `nil` where there can be none.
    package static func makeTemporaryFolder() -> String? {
        let path = (environment("TMPDIR") ?? "/tmp") + "/b2c-XXXXXX"
        guard let template = strdup(path) else { return nil }
        defer { free(template) }
        return mkdtemp(template).map { String(cString: $0) }
    }

    /// Waits between two looks at files that are watched.
    package static func rest(milliseconds: UInt32) {
        usleep(milliseconds * 1000)
    }

    /// What is piped in, at most so many bytes.
    package static func readInput(limit: Int) -> String {
        String(decoding: readInputBytes(limit: limit).bytes, as: UTF8.self)
    }

    /// What is piped in, at most so many bytes, and whether there was more.
    package static func readInputBytes(limit: Int) -> (bytes: [UInt8], isCut: Bool) {
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

    /// Whether a person types the standard input.
    package static var isTyped: Bool { isatty(0) == 1 }

    /// Reads the standard input to its end. Nothing else can: descriptor 0 is empty from now on.
    ///
    /// - Parameter take: Takes the next bytes; `false`: nothing more is read.
    package static func claimInput(_ take: (ArraySlice<UInt8>) -> Bool) {
        let own = fcntl(0, F_DUPFD_CLOEXEC, 3)
        let empty = open("/dev/null", O_RDONLY | O_CLOEXEC)
        dup2(empty, 0)
        if empty > 2 { close(empty) }
        defer { close(own) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var wait = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
        while true {
            let count = read(own, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN {
                poll(&wait, 1, -1)
                continue
            }
            guard count > 0, take(buffer[..<count]) else { return }
        }
    }

    /// The standard output for the caller alone: whatever else is written to descriptor 1 goes to the error output, or
    /// nowhere without one.
    package static func claimStandardOutput() -> Output {
        let own = fcntl(1, F_DUPFD_CLOEXEC, 3)
        if dup2(2, 1) < 0 { dup2(open("/dev/null", O_WRONLY), 1) }
        return Output(own)
    }

    /// The operating system and the processor, such as `Linux x86_64`.
    package static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        func text(_ field: UnsafeRawBufferPointer) -> String {
            String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
        }
        return withUnsafeBytes(of: &names.sysname, text) + " " + withUnsafeBytes(of: &names.machine, text)
    }

    /// Whether the system's administrator runs this, as in most containers.
    package static var isRoot: Bool { geteuid() == 0 }

    /// Distinguishes the files of this process from those of others.
    package static var processID: Int32 { getpid() }

    /// The process that started this one, or that has it since that one has ended.
    package static var parentID: Int32 { getppid() }

    /// ``parentID`` at the first look, which ``Program/arguments(of:)`` takes: later, that process may have ended already.
    package static let firstParentID = parentID

    /// Names the process that started a server, to that server.
    package static let parentVariable = "B2C_PARENT"

    /// Whether there is such a process, also of another user.
    @Sendable package static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    /// Returns when there is no such process any more. Looks every second.
    package static func waitForEnd(of process: Int32) async {
        while isRunning(process) { try? await Task.sleep(for: .seconds(1)) }
    }

    /// How many files this process may have open at a time; negative if there is no limit.
    static var mostOpenFiles: Int { sysconf(Int32(_SC_OPEN_MAX)) }

    /// How many scenarios can run at the same time.
    package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The folder that relative paths start from.
    package static var currentFolder: String {
        guard let text = getcwd(nil, 0) else { return "." }
        defer { free(text) }
        return String(cString: text)
    }

    /// Writing to a pipe that nobody reads any more, or more than the system lets a file have, is an error of `write`
    /// instead of the process's end.
    static func surviveFailedWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Gives memory that was freed back to the system, where the allocator keeps it otherwise.
    @Sendable package static func giveBackMemory() {
        #if canImport(Darwin)
            malloc_zone_pressure_relief(nil, 0)
        #else
            // The C library's own; others have no such call.
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            typealias Trim = @convention(c) (Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }

    /// The path of this program's own file.
    package static var program: String? {
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
    /// - Parameter name: What that program learns as the name by which it was called.
    /// - Returns: Why it did not, in the system's words.
    package static func replaceProgram(_ path: String, _ arguments: [String], called name: String) -> String {
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        // Its own first look comes later.
        setenv(parentVariable, "\(firstParentID)", 0)
        execv(path, words)
        return String(cString: strerror(errno))
    }

    /// Ends the process.
    package static func exit(_ status: Status) -> Never { exit(code: status.rawValue) }

    /// Ends the process with the exit code of another.
    package static func exit(code: Int32) -> Never {
        Subprocess.endAll()
        #if canImport(Darwin)
            Darwin.exit(code)
        #elseif canImport(Glibc)
            Glibc.exit(code)
        #elseif canImport(Musl)
            Musl.exit(code)
        #endif
    }

    /// The standard output.
    package static let out = Output(1)
    /// The standard error output.
    package static let error = Output(2)
}
