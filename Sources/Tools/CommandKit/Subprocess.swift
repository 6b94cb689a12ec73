import CurlHTTP
import Determinism
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Programs that a target file names. They are started without a shell: their arguments are what the file says.
package enum Subprocess {
    /// Why a program has no output.
    package struct Problem: Error {
        package var text: String
        /// Trying again would not help.
        package var isLasting: Bool

        package init(_ text: String, isLasting: Bool = false) {
            self.text = text
            self.isLasting = isLasting
        }
    }

    /// How long a program may take, in seconds.
    package static let patience = 30
    /// How much it may print, in bytes.
    private static let mostOutput = 1 << 20

    /// Runs a program, found by the PATH, and brings what it prints on its standard output. Its error output is ours, its
    /// input is empty. One that takes longer than half a minute or prints more than 1 MiB is ended with all it has started.
    ///
    /// The threads of tasks must not block, so a thread of its own reads and waits.
    ///
    /// - Parameters:
    ///   - isQuiet: Its error output is thrown away instead of ours.
    ///   - seconds: How long it may take.
    package static func output(
        of arguments: [String], isQuiet: Bool = false, within seconds: Int = patience
    ) async -> Result<String, Problem> {
        await onThread { run(arguments, isQuiet: isQuiet, within: seconds) }
            ?? .failure(Problem("the system gives no thread"))
    }

    /// Asks at the terminal, where there is one.
    package static func ask(_ question: String) async -> String? {
        guard isatty(0) == 1 else { return nil }
        return await withCheckedContinuation { continuation in
            let started = SystemThread.start {
                Machine.error.write(question)
                continuation.resume(returning: readLine())
            }
            if !started { continuation.resume(returning: nil) }
        }
    }

    /// A program that has been started, and the end of the pipe that it prints into.
    package struct Running {
        package var process: pid_t
        package var output: Int32
    }

    /// Starts a program, found by the PATH.
    ///
    /// - Parameters:
    ///   - ownGroup: It leads a process group of its own, so that it can be ended with everything it starts. Unless it is
    ///     silent it ends with this process: until ``forget(_:)`` the group is killed where this process ends.
    ///   - isQuiet: Its error output is thrown away instead of ours.
    ///   - isSilent: What it prints is thrown away too, so that it can outlive this process.
    package static func start(
        _ arguments: [String], ownGroup: Bool = false, isQuiet: Bool = false, isSilent: Bool = false
    ) -> Result<Running, Problem> {
        guard let program = arguments.first else { return .failure(Problem("no program is named")) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return .failure(Problem("the system gives no pipe")) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        // What waits for input must not take the terminal's.
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if isSilent { posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        posix_spawnattr_init(&attributes)
        // Threads of the pool hold signals back, and a program that inherited that could not be ended.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK)
        if ownGroup {
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
            posix_spawnattr_setpgroup(&attributes, 0)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        func spawn() -> Int32 { posix_spawnp(&process, program, &actions, &attributes, words, environ) }
        let code = ownGroup && !isSilent ? noting({ process }, spawn) : spawn()
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            return .failure(
                Problem("\(program) cannot be run: \(String(cString: strerror(code)))", isLasting: true))
        }
        return .success(Running(process: process, output: ends[0]))
    }

    private static func run(_ arguments: [String], isQuiet: Bool, within seconds: Int) -> Result<String, Problem> {
        let running: Running
        switch start(arguments, ownGroup: true, isQuiet: isQuiet) {
        case .success(let started): running = started
        case .failure(let problem): return .failure(problem)
        }
        defer { close(running.output) }
        let read = output(of: running, within: seconds)
        if case .failure = read { kill(-running.process, SIGKILL) }
        let status = ended(running.process)
        // What it has left running is of no use to anybody.
        kill(-running.process, SIGKILL)
        forget(running.process)
        let name = arguments.first ?? ""
        switch read {
        case .failure(let problem):
            return .failure(Problem("\(name) \(problem.text)", isLasting: true))
        case .success(let bytes):
            // The exit status is in the second byte, the first is 0 after a normal end (wait(2)).
            guard status == 0 else {
                let how = status & 0x7f == 0 ? "ended with status \((status >> 8) & 0xff)" : "was stopped by a signal"
                return .failure(Problem("\(name) \(how)"))
            }
            return .success(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Waits for a program whose output has ended; one that goes on all the same for five seconds is stopped.
    private static func ended(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        for _ in 0..<500 {
            let found = waitpid(process, &status, WNOHANG)
            if found == process { return status }
            if found < 0, errno != EINTR { return 0 }
            usleep(10_000)
        }
        kill(-process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Reads to the end of what a program prints, as long as it keeps to the limits.
    private static func output(of running: Running, within seconds: Int) -> Result<[UInt8], Problem> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        var wait = pollfd(fd: running.output, events: Int16(POLLIN), revents: 0)
        var left = Int32(clamping: seconds * 1000)
        while true {
            let begun = Machine.uptime
            let ready = poll(&wait, 1, left)
            left -= Int32(clamping: (Machine.uptime - begun).milliseconds)
            if ready < 0, errno == EINTR, left > 0 { continue }
            guard ready > 0 else {
                return .failure(Problem("did not end within \(seconds) seconds, so it was stopped"))
            }
            let count = read(running.output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .success(bytes) }
            bytes += buffer[..<count]
            guard bytes.count <= mostOutput else {
                return .failure(Problem("prints more than \(mostOutput >> 20) MiB, so it was stopped"))
            }
            left = max(0, left)
        }
    }
}

/// Programs that end with this process.
extension Subprocess {
    private static let mostGroups = 256
    /// Their groups; 0 is a free place. Not in an array, since a signal handler looks at them.
    private nonisolated(unsafe) static let groups = {
        let places = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: mostGroups)
        for index in 0..<mostGroups { (places + index).initialize(to: Atomic(0)) }
        return places
    }()
    /// How many threads are about to start one.
    private static let starting = Atomic<Int32>(0)
    /// Whether all were ended, and no more may start.
    private static let isEnding = Atomic<Bool>(false)
    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    /// Where nothing else is done about them, signals that end this process end the programs first. Done once.
    private static let watch: Void = {
        for number in endingSignals {
            let before = signal(number) { number in
                Subprocess.endAll()
                signal(number, SIG_DFL)
                raise(number)
            }
            // Ignored, as by nohup, or handled.
            if unsafeBitCast(before, to: Int.self) != 0 { signal(number, before) }
        }
    }()

    /// Starts a group and notes it. No signal ends this process in between: this thread holds them back, and the handler
    /// waits in another.
    private static func noting(_ process: () -> pid_t, _ spawn: () -> Int32) -> Int32 {
        _ = watch
        var held = sigset_t()
        sigemptyset(&held)
        for number in endingSignals { sigaddset(&held, number) }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &held, &before)
        starting.add(1, ordering: .sequentiallyConsistent)
        defer {
            starting.subtract(1, ordering: .sequentiallyConsistent)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        guard !isEnding.load(ordering: .sequentiallyConsistent) else { return ECANCELED }
        let code = spawn()
        if code == 0 { replace(0, by: process()) }
        return code
    }

    private static func replace(_ old: pid_t, by new: pid_t) {
        for index in 0..<mostGroups
        where groups[index].compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged {
            return
        }
    }

    /// A program has ended: its number may be that of another one soon. Does not return if it was ended because this
    /// process ends, which must end by the signal, not by the failure of the program.
    package static func forget(_ process: pid_t) {
        replace(process, by: 0)
        while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
    }

    /// Kills all programs that end with this process, because it ends now. A signal handler may call it.
    package static func endAll() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        while starting.load(ordering: .sequentiallyConsistent) > 0 { poll(nil, 0, 1) }
        for index in 0..<mostGroups {
            let group = groups[index].exchange(0, ordering: .sequentiallyConsistent)
            if group > 0 { kill(-group, SIGKILL) }
        }
    }
}

extension Subprocess {
    /// The command in the foreground; signals are handed on to it.
    private static let foregroundProcess = Atomic<Int32>(0)

    /// Does something that blocks, beside the threads of tasks; `nil` where the system gives no thread.
    package static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let started = SystemThread.start { continuation.resume(returning: body()) }
            if !started { continuation.resume(returning: nil) }
        }
    }

    /// Waits for the end of a process.
    ///
    /// - Returns: Its exit code; 128 and the signal's number where one ended it, as shells count.
    package static func code(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return Status.machine.rawValue }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Runs a command with the inputs and outputs of this one, and hands signals on to it.
    ///
    /// - Parameters:
    ///   - variables: What is set in its environment; the last one of a name counts.
    ///   - caller: The name of this program, for the error output.
    /// - Returns: Its exit code; as in a shell, 127 if the command does not exist and 126 if it cannot run.
    package static func foreground(_ command: [String], setting variables: [(String, String)], for caller: String)
        async throws
        -> Int32
    {
        // At a terminal the system sends these to the command too; b2c waits for its reaction.
        let atTerminal = isatty(0) == 1
        for number in [SIGINT, SIGQUIT] {
            if atTerminal { signal(number, SIG_IGN) } else { signal(number, handOn) }
        }
        for number in [SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] { signal(number, handOn) }
        return await onThread { runForeground(command, variables, caller) } ?? Status.machine.rawValue
    }

    private static let handOn: @convention(c) (Int32) -> Void = { number in
        let process = Subprocess.foregroundProcess.load(ordering: .relaxed)
        if process > 0 { kill(process, number) }
    }

    private static func runForeground(_ command: [String], _ variables: [(String, String)], _ caller: String) -> Int32 {
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
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ] {
            sigaddset(&usual, number)
        }
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
            Machine.error.write("\(caller): \(program): \(why)\n")
            return problem == ENOENT ? 127 : 126
        }
        foregroundProcess.store(process, ordering: .relaxed)
        defer { foregroundProcess.store(0, ordering: .relaxed) }
        return code(of: process)
    }
}
