import CommandKit
import CurlHTTP
import HTTPMessages

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A WebDriver server that this command has started, with all its browsers.
struct DriverProgram {
    /// Where it listens.
    let address: WebURL
    private let process: pid_t

    /// How long it may take to say where it listens, in milliseconds.
    private static let patience: Int32 = 20_000

    /// Starts chromedriver, geckodriver or what else takes `--port=0` and says which port it got.
    static func start(_ program: String) async -> Result<DriverProgram, Subprocess.Problem> {
        await withCheckedContinuation { continuation in
            let started = SystemThread.start {
                switch Subprocess.start([program, "--port=0"], ownGroup: true, isQuiet: true) {
                case .failure(let problem): continuation.resume(returning: .failure(problem))
                case .success(let running):
                    guard let port = port(said: running.output) else {
                        continuation.resume(returning: .failure(problem(of: program, running)))
                        return
                    }
                    continuation.resume(
                        returning: .success(
                            DriverProgram(
                                address: WebURL(scheme: "http", host: "127.0.0.1", port: port, path: "/"),
                                process: running.process)))
                    // Whatever else it prints must not fill the pipe.
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while read(running.output, &buffer, buffer.count) > 0 {}
                }
            }
            if !started { continuation.resume(returning: .failure(Subprocess.Problem("the system gives no thread"))) }
        }
    }

    /// Why a program that has been started is not a WebDriver server; it is ended.
    private static func problem(of program: String, _ running: Subprocess.Running) -> Subprocess.Problem {
        defer { Subprocess.forget(running.process) }
        var status: Int32 = 0
        // One whose output has ended is about to end too, on a busy machine after a while.
        var output = pollfd(fd: running.output, events: Int16(POLLIN), revents: 0)
        let isEnding = poll(&output, 1, 0) > 0 && output.revents & Int16(POLLHUP) != 0
        for _ in 0..<(isEnding ? 6_000 : 50) where waitpid(running.process, &status, WNOHANG) == 0 { usleep(10_000) }
        let hasEnded = kill(running.process, 0) != 0
        if !hasEnded {
            kill(-running.process, SIGKILL)
            while waitpid(running.process, &status, 0) < 0, errno == EINTR {}
            return Subprocess.Problem("\(program) does not say at which port it listens: is it a WebDriver server?")
        }
        let how = status & 0x7f == 0 ? "with status \((status >> 8) & 0xff)" : "by a signal"
        return Subprocess.Problem("\(program) has ended \(how) and has not said at which port it listens")
    }

    /// Ends it with its browsers.
    func stop() {
        kill(-process, SIGTERM)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // Browsers that the server has left behind.
        kill(-process, SIGKILL)
        Subprocess.forget(process)
    }

    /// Reads what the program says until it names its port.
    private static func port(said output: Int32) -> Int? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        while text.utf8.count < 1 << 16, poll(&wait, 1, patience) > 0 {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            if let port = port(in: text) { return port }
        }
        return nil
    }

    /// `ChromeDriver was started successfully on port 9515.`, `Listening on 127.0.0.1:4444`; the lines before them repeat
    /// the port that was asked for.
    static func port(in text: String) -> Int? {
        for line in text.split(whereSeparator: \.isNewline) {
            guard line.contains("successfully on port ") || line.contains("Listening on ") else { continue }
            let digits = line.split { !$0.isASCII || !$0.isNumber }
            if let port = digits.last.flatMap({ Int($0) }), port > 0 { return port }
        }
        return nil
    }
}
