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

    private static func run(_ arguments: [String]) -> Result<String, TargetProblem> {
        guard let program = arguments.first else { return .failure(TargetProblem("no program is named")) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return .failure(TargetProblem("the system gives no pipe")) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, &actions, nil, words, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard code == 0 else {
            return .failure(TargetProblem("\(program) cannot be run: \(String(cString: strerror(code)))"))
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count < 1 << 20 else { break }
            bytes += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // The exit status is in the second byte, the first is 0 after a normal end (wait(2)).
        guard status == 0 else {
            let how = status & 0x7f == 0 ? "ended with status \((status >> 8) & 0xff)" : "was stopped by a signal"
            return .failure(TargetProblem("\(program) \(how)"))
        }
        return .success(String(decoding: bytes, as: UTF8.self))
    }
}
