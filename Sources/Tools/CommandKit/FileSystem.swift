import Diagnostics
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files as the programs use them: read whole, written whole, listed in the order of their names' bytes.
package enum FileSystem {
    /// What is at a path.
    package enum Kind {
        case file, folder, other
    }

    /// Why a file could not be read or written, in the system's words.
    package struct Problem: Error {
        package var text: String
        /// Whether the machine is in trouble, which shows nothing about the file: too many files are open, or a disk fails.
        package let isOfMachine: Bool

        /// The system's words for an error number.
        package init(errno code: Int32) {
            text = String(cString: strerror(code))
            isOfMachine = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EIO].contains(code)
            if code == EMFILE { text += " (this process may have \(Machine.mostOpenFiles); `ulimit -n` changes that)" }
        }

        fileprivate init(_ text: String) {
            self.text = text
            isOfMachine = false
        }
    }

    /// Files and folders that were read since ``keepLog()``; `nil`: nobody keeps them.
    private static let log = Mutex<Set<String>?>(nil)

    /// Keeps the paths of everything that is read from now on, for `--watch`.
    package static func keepLog() { log.withLock { $0 = $0 ?? [] } }

    /// What was read since ``keepLog()``.
    package static var logged: Set<String> { log.withLock { $0 ?? [] } }

    private static func note(_ path: String) {
        log.withLock { log in
            guard log != nil else { return }
            log?.insert(path)
        }
    }

    /// Distinguishes a file from every other one of the machine, whatever name it has.
    package struct Identity: Hashable, Sendable {
        fileprivate var device: UInt64
        fileprivate var node: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// A file as it is now: other numbers mean that it was changed.
    package struct Stamp: Hashable, Sendable {
        fileprivate var identity: Identity
        fileprivate var nanoseconds: Int64
        fileprivate var size: Int64
        /// Whether it is a folder.
        package fileprivate(set) var isFolder: Bool
    }

    /// The file that a name stands for; `nil` where there is none.
    package static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// By which a changed file is recognised; `nil` where there is none.
    package static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Stamp(
            identity: Identity(status), nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            size: Int64(status.st_size), isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }

    /// What is at a path; `nil` for nothing.
    package static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Permission bits of a file.
    package static func mode(_ path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
    }

    /// Whether a path is a symbolic link.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Where a link leads that leaves its folder and the current one; `nil` for any other path. A folder that is a link as
    /// a whole is its target. Files of a folder that somebody else made must not show other files of the machine.
    ///
    /// - Parameter current: The current folder.
    package static func linkOutside(_ path: String, current: String = Machine.currentFolder) -> String? {
        guard isLink(path), let target = real(path) else { return nil }
        let roots = [FilePath.folder(path), current].compactMap { real($0) }.filter { $0 != "/" }
        return roots.contains { target.hasPrefix($0 + "/") } ? nil : target
    }

    /// A file as findings may show it: without its lines if it is such a link.
    package static func shown(_ source: SourceText) -> SourceText {
        guard let target = linkOutside(source.file) else { return source }
        return SourceText(
            file: source.file,
            concealedBecause: "\(source.file) is a link to \(target), outside its folder, so its lines are not shown")
    }

    /// Makes a folder the one that relative paths start from.
    package static func enter(_ folder: String) throws(Problem) {
        guard chdir(folder) == 0 else { throw Problem(errno: errno) }
    }

    /// The names in a folder, sorted by their bytes.
    package static func names(in folder: String) throws(Problem) -> [String] {
        note(folder)
        guard let directory = opendir(folder) else { throw Problem(errno: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                guard errno == 0 else { throw Problem(errno: errno) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    /// The content of a file. No more than `limit` bytes and one are read, so that a wrong path to something huge is
    /// noticed and does not fill the memory. A pipe, a socket or a device is refused unless a shell gives it in place of a
    /// file, `<(...)` or the standard input: nobody may ever write to it, or it may never end.
    package static func read(_ path: String, limit: Int = 64 << 20) throws(Problem) -> [UInt8] {
        note(path)
        if kind(path) == .folder { throw Problem(errno: EISDIR) }
        let isGivenByShell = path.hasSuffix("/dev/stdin") || path.contains("/dev/fd/")
        // Another file may have the name by the time it is opened, so the file that was opened is looked at.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isGivenByShell ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG || isGivenByShell else {
            close(descriptor)
            throw Problem("it is not a regular file")
        }
        guard let file = fdopen(descriptor, "rb") else {
            close(descriptor)
            throw Problem(errno: errno)
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        // A large file takes its own size once, without the smaller buffers that growing would take.
        if status.st_mode & S_IFMT == S_IFREG { bytes.reserveCapacity(min(max(Int(status.st_size), 0), limit) + 1) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        if ferror(file) != 0 { throw Problem(errno: errno) }
        return bytes
    }

    /// Writes a file, replacing what was there at once: a reader sees the old content or the new, and a full disk leaves the
    /// old. A link stays a link. A pipe, a device, and a file whose folder takes no other file are written in place.
    ///
    /// - Parameter mode: The permission bits, whatever the process's mask is; `nil`: those of the file that was there, else
    ///   what the mask leaves.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32? = nil) throws(Problem) {
        try write(to: path, mode: mode) { put in bytes.withUnsafeBufferPointer(put) }
    }

    /// The same, and the file is on the disk when this returns, also if the power fails then.
    package static func writeDurably(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Problem) {
        try write(to: path, mode: mode, isDurable: true) { put in bytes.withUnsafeBufferPointer(put) }
        // The name is durable once the folder is.
        let folder = open(FilePath.folder(path), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Takes the next bytes of a file.
    package typealias Put = (UnsafeBufferPointer<UInt8>) -> Void

    /// The same, of a content that is made while it is written.
    ///
    /// - Parameters:
    ///   - isDurable: The content is on the disk before the file has its name.
    ///   - content: Hands over the bytes, in order. Called again where a file cannot be replaced.
    package static func write(
        to path: String, mode: UInt32? = nil, isDurable: Bool = false, _ content: (@escaping Put) -> Void
    ) throws(Problem) {
        guard kind(path) != .other, !isDescriptor(path) else { return try writeInPlace(content, to: path, mode) }
        // A link without such a path leads to what is not there yet, or to an open file that was removed.
        guard let target = real(path) ?? (isLink(path) ? nil : path) else {
            return try writeInPlace(content, to: path, mode)
        }
        var status = stat()
        let isThere = stat(target, &status) == 0
        let draft = "\(target).\(getpid()).new"
        let descriptor = open(
            draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_t(mode ?? 0o666))
        guard descriptor >= 0, let file = fdopen(descriptor, "wb") else {
            let code = errno
            if descriptor >= 0 {
                close(descriptor)
                unlink(draft)
            }
            guard isThere else { throw Problem(errno: code) }
            return try writeInPlace(content, to: target, mode)
        }
        if mode == nil, isThere { fchmod(descriptor, status.st_mode & 0o7777) }
        var code = write(content, closing: file, mode, isDurable: isDurable)
        if code == 0, rename(draft, target) != 0 { code = errno }
        if code != 0 { unlink(draft) }
        // A file that a container has mounted takes no other one in its place.
        if code == EBUSY { return try writeInPlace(content, to: target, mode) }
        if code != 0 { throw Problem(errno: code) }
    }

    /// Whether a path names an open file: `/dev/stdout` may be a file that this process goes on writing.
    private static func isDescriptor(_ path: String) -> Bool {
        ["/dev/std", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) }
    }

    private static func writeInPlace(
        _ content: (@escaping Put) -> Void, to path: String, _ mode: UInt32?
    ) throws(Problem) {
        guard let file = fopen(path, "wb") else { throw Problem(errno: errno) }
        let code = write(content, closing: file, kind(path) == .file ? mode : nil)
        if code != 0 { throw Problem(errno: code) }
    }

    /// The system's code of what went wrong; 0 if nothing did.
    private static func write(
        _ content: (@escaping Put) -> Void, closing file: UnsafeMutablePointer<FILE>, _ mode: UInt32?,
        isDurable: Bool = false
    ) -> Int32 {
        // Before the first byte, since the content may be for its owner alone.
        var code: Int32 = 0
        if let mode, fchmod(fileno(file), mode_t(mode)) != 0 { code = errno }
        if code == 0 {
            content { bytes in
                guard code == 0, fwrite(bytes.baseAddress, 1, bytes.count, file) != bytes.count else { return }
                code = errno
            }
        }
        if code == 0, isDurable, fflush(file) != 0 || fsync(fileno(file)) != 0 { code = errno }
        return fclose(file) == 0 || code != 0 ? code : errno
    }

    /// A path without links and dots; `nil` where nothing is.
    package static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Removes a file; nothing happens where there is none.
    package static func remove(_ path: String) { unlink(path) }

    /// Removes a folder that this program has made, with what is in it; links are not followed.
    package static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            let inner = FilePath.join(path, name)
            if kind(inner) == .folder, !isLink(inner) { removeFolder(inner) } else { remove(inner) }
        }
        rmdir(path)
    }

    /// Makes a folder and those above it.
    ///
    /// - Parameter mode: The permission bits of the last one, if it is new.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o777) throws(Problem) {
        var made = path.hasPrefix("/") ? "/" : ""
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            let bits = index == parts.count - 1 ? mode : 0o777
            if mkdir(made, mode_t(bits)) != 0, errno != EEXIST, errno != EISDIR { throw Problem(errno: errno) }
        }
        guard path.isEmpty || kind(path) == .folder else { throw Problem(errno: ENOTDIR) }
    }

    /// Makes an empty file that was not there, for its owner alone.
    package static func make(_ path: String) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        close(descriptor)
    }

    /// Gives a file the name `path` instead of its own, so that it is there whole or not at all.
    ///
    /// - Returns: Whether it has the name; not when another file had it already. The file's own name is gone anyway.
    package static func publish(_ draft: String, as path: String) throws(Problem) -> Bool {
        let code = link(draft, path) == 0 ? 0 : errno
        unlink(draft)
        if code == EEXIST { return false }
        guard code == 0 else { throw Problem(errno: code) }
        // The name is durable once the folder is.
        let directory = open(FilePath.folder(path), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return true }
        fsync(directory)
        close(directory)
        return true
    }

    /// Why this process may not read and write a file or folder; `nil` when it may.
    package static func problem(writing path: String) -> Problem? {
        access(path, R_OK | W_OK) == 0 ? nil : Problem(errno: errno)
    }

    /// Lets nobody but its owner read a file.
    package static func keepPrivate(_ path: String) { chmod(path, mode_t(0o600)) }

    /// Locks a file until this process ends, however it ends.
    ///
    /// - Returns: Not if another process has it.
    package static func lockForever(_ path: String) throws(Problem) -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else {
                let code = errno
                close(descriptor)
                if code == EWOULDBLOCK { return false }
                throw Problem(errno: code)
            }
        }
        return true
    }

    /// Does something while no other process that locks the same file does anything.
    package static func locked<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Failure.machine("\(path) cannot be opened: \(Problem(errno: errno).text)") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw Failure.machine("\(path) cannot be locked: \(Problem(errno: errno).text)")
            }
        }
        return try body()
    }
}
