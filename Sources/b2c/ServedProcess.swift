import CurlHTTP
import ScenarioRunner
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A mock-server that this command has started and will end.
struct ServedProcess: Sendable {
    let url: String
    fileprivate let process: pid_t
    fileprivate let output: Int32

    /// Starts it and waits for the line that says that it is ready.
    static func start(_ arguments: [String]) async throws -> ServedProcess {
        let result: Result<ServedProcess, Failure> =
            await Subprocess.onThread { launch(arguments) }
            ?? .failure(Failure(status: .machine, text: "b2c: the system gives no thread"))
        return try result.get()
    }

    private static func launch(_ arguments: [String]) -> Result<ServedProcess, Failure> {
        let running: Subprocess.Running
        switch Subprocess.start(arguments, ownGroup: true) {
        case .success(let started): running = started
        case .failure(let problem): return .failure(Failure(status: .machine, text: "b2c: \(problem.text)"))
        }
        let marker = "mock-server ready: "
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(running.output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(marker) }) {
                return .success(
                    ServedProcess(
                        url: String(line.dropFirst(marker.count)), process: running.process, output: running.output))
            }
        }
        close(running.output)
        let status = Subprocess.code(of: running.process)
        // It has said what is wrong.
        return .failure(Failure.silent(Status(rawValue: status) ?? .machine))
    }

    /// Ends it and waits until it has.
    func end() async {
        kill(process, SIGTERM)
        let process = process
        _ = await Subprocess.onThread { Subprocess.code(of: process) }
        close(output)
    }
}

extension Subprocess {
    /// The command in the foreground; signals are handed on to it.
    private static let foregroundProcess = Atomic<Int32>(0)

    /// Does something that blocks, beside the threads of tasks; `nil` where the system gives no thread.
    static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let started = SystemThread.start { continuation.resume(returning: body()) }
            if !started { continuation.resume(returning: nil) }
        }
    }

    /// Waits for the end of a process.
    ///
    /// - Returns: Its exit code; 128 and the signal's number where one ended it, as shells count.
    static func code(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return Status.machine.rawValue }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Runs a command with the inputs and outputs of this one, and hands signals on to it.
    ///
    /// - Parameter variables: What is set in its environment; the last one of a name counts.
    /// - Returns: Its exit code; 127 where there is no such command and 126 where it cannot be run, as shells have it.
    static func foreground(_ command: [String], setting variables: [(String, String)]) async throws -> Int32 {
        // At a terminal the system sends these to the command too; b2c waits for what it makes of them.
        let atTerminal = isatty(0) == 1
        for number in [SIGINT, SIGQUIT] {
            if atTerminal { signal(number, SIG_IGN) } else { signal(number, handOn) }
        }
        for number in [SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] { signal(number, handOn) }
        return await onThread { runForeground(command, variables) } ?? Status.machine.rawValue
    }

    private static let handOn: @convention(c) (Int32) -> Void = { number in
        let process = Subprocess.foregroundProcess.load(ordering: .relaxed)
        if process > 0 { kill(process, number) }
    }

    private static func runForeground(_ command: [String], _ variables: [(String, String)]) -> Int32 {
        guard let program = command.first else { return 127 }
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        for (name, value) in variables { setenv(name, value, 1) }
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let problem = posix_spawnp(&process, program, nil, &attributes, words, environ)
        guard problem == 0 else {
            let why =
                problem == ENOENT
                ? "there is no such command" : "it cannot be run: \(String(cString: strerror(problem)))"
            Machine.error.write("b2c: \(program): \(why)\n")
            return problem == ENOENT ? 127 : 126
        }
        foregroundProcess.store(process, ordering: .relaxed)
        defer { foregroundProcess.store(0, ordering: .relaxed) }
        return code(of: process)
    }
}
