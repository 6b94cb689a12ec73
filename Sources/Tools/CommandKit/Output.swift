import Diagnostics
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One of the two outputs. Once its reader has gone, or its disk is full, everything written is dropped.
package final class Output: Sendable {
    private enum State {
        case open, closed, failed(String)
    }

    private let descriptor: Int32
    private let state: Mutex<(state: State, printed: PrintedText)>

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        state = Mutex(
            (.open, PrintedText(isTerminal: isTerminal, services: LogService.running { Machine.environment($0) })))
    }

    /// Writes a text for people whole, without characters that nobody sees and that a terminal or a CI service would obey.
    package func write(_ text: String) { write { $0.people(text) } }

    /// Writes what programs read, such as a report, whole. It keeps its meaning.
    package func write(data text: String) { write { $0.data(text) } }

    /// Writes commands of our own for a CI service.
    package func write(commands text: String, of service: LogService) { write { $0.commands(text, of: service) } }

    /// Writes messages of a protocol whose lengths are part of it, as they are.
    package func write(bytes: [UInt8]) { writeBytes { _ in bytes } }

    private func write(_ text: (inout PrintedText) -> String) { writeBytes { Array(text(&$0).utf8) } }

    private func writeBytes(_ bytes: (inout PrintedText) -> [UInt8]) {
        state.withLock { both in
            var rest = bytes(&both.printed)[...]
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

    /// Why something was not written, in the system's words. Not when the reader has gone.
    package var failure: String? {
        state.withLock { if case .failed(let reason) = $0.state { reason } else { nil } }
    }

    /// Whether its reader has gone.
    package var isClosed: Bool { state.withLock { if case .closed = $0.state { true } else { false } } }

    /// Whether a person looks at it.
    package let isTerminal: Bool

    /// Columns of the terminal.
    package var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// The system's `write`, for types that have a method of that name.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
