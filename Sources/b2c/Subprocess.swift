import CurlHTTP
import ScenarioRunner

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Programs that a target file names. They are started without a shell: their arguments are what stands in the file.
enum Subprocess {
    /// Runs a program, found by the PATH, and brings what it prints on its standard output. Its error output is ours.
    ///
    /// The threads of tasks must not block, so a thread of its own reads and waits.
    static func output(of arguments: [String]) async -> Result<String, TargetProblem> {
        await withCheckedContinuation { continuation in
            let started = SystemThread.start { continuation.resume(returning: run(arguments)) }
            if !started { continuation.resume(returning: .failure(TargetProblem("the system gives no thread"))) }
        }
    }

    /// Asks at the terminal, where there is one.
    static func ask(_ question: String) async -> String? {
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
    struct Running {
        var process: pid_t
        var output: Int32
    }

    /// Starts a program, found by the PATH.
    ///
    /// - Parameters:
    ///   - ownGroup: It leads a process group of its own, so that it can be ended with everything it starts.
    ///   - isQuiet: Its error output is thrown away instead of ours.
    static func start(
        _ arguments: [String], ownGroup: Bool = false, isQuiet: Bool = false
    ) -> Result<Running, TargetProblem> {
        guard let program = arguments.first else { return .failure(TargetProblem("no program is named")) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return .failure(TargetProblem("the system gives no pipe")) }
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
        let code = posix_spawnp(&process, program, &actions, &attributes, words, environ)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            return .failure(TargetProblem("\(program) cannot be run: \(String(cString: strerror(code)))"))
        }
        return .success(Running(process: process, output: ends[0]))
    }

    private static func run(_ arguments: [String]) -> Result<String, TargetProblem> {
        let running: Running
        switch start(arguments) {
        case .success(let started): running = started
        case .failure(let problem): return .failure(problem)
        }
        defer { close(running.output) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(running.output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count < 1 << 20 else { break }
            bytes += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(running.process, &status, 0) < 0, errno == EINTR {}
        // The exit status is in the second byte, the first is 0 after a normal end (wait(2)).
        guard status == 0 else {
            let how = status & 0x7f == 0 ? "ended with status \((status >> 8) & 0xff)" : "was stopped by a signal"
            return .failure(TargetProblem("\(arguments.first ?? "") \(how)"))
        }
        return .success(String(decoding: bytes, as: UTF8.self))
    }
}
