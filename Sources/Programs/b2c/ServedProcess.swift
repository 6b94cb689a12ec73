import CommandKit

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
            ?? .failure(Failure.machine("the system gives no thread"))
        return try result.get()
    }

    private static func launch(_ arguments: [String]) -> Result<ServedProcess, Failure> {
        let running: Subprocess.Running
        // Before the server looks who started it, that may have ended. Not for the command beside the server.
        setenv(Machine.parentVariable, "\(Machine.processID)", 1)
        defer { unsetenv(Machine.parentVariable) }
        switch Subprocess.start(arguments, ownGroup: true) {
        case .success(let started): running = started
        case .failure(let problem): return .failure(Failure.machine("\(problem.text)"))
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
        Subprocess.forget(running.process)
        // It has said what is wrong.
        return .failure(Failure.silent(Status(rawValue: status) ?? .machine))
    }

    /// Ends it and waits until it has.
    func end() async {
        kill(process, SIGTERM)
        let process = process
        _ = await Subprocess.onThread { Subprocess.code(of: process) }
        Subprocess.forget(process)
        close(output)
    }
}
