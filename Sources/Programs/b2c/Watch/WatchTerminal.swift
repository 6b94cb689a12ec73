import CommandKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Single keys from the standard input, while files are watched.
final class WatchTerminal {
    /// What came.
    enum Event {
        case key(Character)
        /// Nobody pressed a key in time.
        case nothing
    }

    private let isTerminal = isatty(0) == 1
    private var hasEnded = false
    private var before = termios()

    /// At a terminal, keys arrive one by one until ``restore()``; control-C restores the terminal too.
    init() {
        guard isTerminal, tcgetattr(0, &before) == 0 else { return }
        Self.saved = before
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &raw)
        // Only calls that a signal handler may make (POSIX, 2.4.3).
        signal(SIGINT) { _ in
            tcsetattr(0, TCSANOW, &WatchTerminal.saved)
            Subprocess.endAll()
            _exit(130)
        }
    }

    /// The terminal as it was found, for the handler of the signal. Set once before the handler is.
    private nonisolated(unsafe) static var saved = termios()

    /// The terminal as it was found.
    func restore() {
        guard isTerminal else { return }
        tcsetattr(0, TCSANOW, &before)
    }

    /// Waits for a key, at most so long.
    func next(milliseconds: Int32) -> Event {
        guard !hasEnded else {
            Machine.rest(milliseconds: UInt32(milliseconds))
            return .nothing
        }
        var wait = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) > 0 else { return .nothing }
        var byte: UInt8 = 0
        guard read(0, &byte, 1) == 1 else {
            hasEnded = true
            return .nothing
        }
        return .key(Character(Unicode.Scalar(byte)))
    }

    /// Asks for a line, shown while it is typed.
    func line(_ question: String) -> String {
        restore()
        defer {
            if isTerminal {
                var raw = before
                raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
                tcsetattr(0, TCSANOW, &raw)
            }
        }
        Machine.error.write(question)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
