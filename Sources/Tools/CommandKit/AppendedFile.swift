import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that texts are added to while the program runs, for its owner alone if it is new.
package final class AppendedFile: Sendable {
    private let descriptor: Int32
    private let hasFailed = Mutex(false)
    private let onFailure: @Sendable (FileSystem.Problem) -> Void

    /// - Parameters:
    ///   - path: What is there stays. A last line without its end gets one.
    ///   - onFailure: Runs once if the file can no longer be written. What follows is dropped.
    package init(
        _ path: String, onFailure: @escaping @Sendable (FileSystem.Problem) -> Void
    ) throws(FileSystem.Problem) {
        self.onFailure = onFailure
        let opened = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mode_t(0o600))
        guard opened >= 0 else { throw FileSystem.Problem(errno: errno) }
        descriptor = opened
        var last: UInt8 = 0
        let end = lseek(descriptor, 0, SEEK_END)
        if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") { write("\n") }
    }

    deinit { close(descriptor) }

    /// Adds a text whole.
    package func write(_ text: String) {
        let problem: FileSystem.Problem? = hasFailed.withLock { hasFailed in
            guard !hasFailed else { return nil }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR, errno != EAGAIN {
                    hasFailed = true
                    return FileSystem.Problem(errno: errno)
                }
            }
            return nil
        }
        if let problem { onFailure(problem) }
    }
}
