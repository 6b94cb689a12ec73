import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files as the command uses them: read whole, written whole, listed in the order of their names' bytes.
enum FileSystem {
    /// What stands under a path.
    enum Kind {
        case file, folder, other
    }

    /// Why a file could not be read or written, in the system's words.
    struct Problem: Error {
        var text: String

        fileprivate init(errno code: Int32) {
            text = String(cString: strerror(code))
        }

        fileprivate init(_ text: String) {
            self.text = text
        }
    }

    /// Files and folders that were read since ``keepLog()``; `nil`: nobody keeps them.
    private static let log = Mutex<Set<String>?>(nil)

    /// Keeps the paths of everything that is read from now on, for `--watch`.
    static func keepLog() { log.withLock { $0 = $0 ?? [] } }

    /// What was read since ``keepLog()``.
    static var logged: Set<String> { log.withLock { $0 ?? [] } }

    private static func note(_ path: String) {
        log.withLock { log in
            guard log != nil else { return }
            log?.insert(path)
        }
    }

    /// A file as it is now: other numbers mean that it was changed.
    struct Stamp: Hashable {
        fileprivate var nanoseconds: Int64
        fileprivate var size: Int64
        fileprivate var inode: UInt64
        /// Whether it is a folder.
        fileprivate(set) var isFolder: Bool
    }

    /// `nil`: there is no such file.
    static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Stamp(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), size: Int64(status.st_size),
            inode: UInt64(status.st_ino), isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }

    /// What stands under a path; `nil` for nothing.
    static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Whether a path is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The names in a folder, sorted by their bytes.
    static func names(in folder: String) throws(Problem) -> [String] {
        note(folder)
        guard let directory = opendir(folder) else { throw Problem(errno: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
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
    static func read(_ path: String, limit: Int = 64 << 20) throws(Problem) -> [UInt8] {
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
    static func write(_ bytes: [UInt8], to path: String) throws(Problem) {
        guard kind(path) != .other, kind(path) != nil || !isLink(path) else { return try writeInPlace(bytes, to: path) }
        let target = real(path) ?? path
        var status = stat()
        let isThere = stat(target, &status) == 0
        let draft = "\(target).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0, let file = fdopen(descriptor, "wb") else {
            let code = errno
            if descriptor >= 0 {
                close(descriptor)
                unlink(draft)
            }
            guard isThere else { throw Problem(errno: code) }
            return try writeInPlace(bytes, to: target)
        }
        if isThere { fchmod(descriptor, status.st_mode & 0o7777) }
        var code = Self.write(bytes, closing: file)
        if code == 0, rename(draft, target) != 0 { code = errno }
        if code != 0 { unlink(draft) }
        // A file that a container has mounted takes no other one in its place.
        if code == EBUSY { return try writeInPlace(bytes, to: target) }
        if code != 0 { throw Problem(errno: code) }
    }

    private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(Problem) {
        guard let file = fopen(path, "wb") else { throw Problem(errno: errno) }
        let code = write(bytes, closing: file)
        if code != 0 { throw Problem(errno: code) }
    }

    /// The system's code of what went wrong; 0 if nothing did.
    private static func write(_ bytes: [UInt8], closing file: UnsafeMutablePointer<FILE>) -> Int32 {
        let written = bytes.withUnsafeBufferPointer { fwrite($0.baseAddress, 1, $0.count, file) }
        let code = written == bytes.count ? 0 : errno
        return fclose(file) == 0 || code != 0 ? code : errno
    }

    /// A path without links and dots; `nil` if nothing is there.
    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Removes a file; nothing happens where there is none.
    static func remove(_ path: String) { unlink(path) }

    /// Removes a folder that this program has made, with what is in it; links are not followed.
    static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            let inner = FilePath.join(path, name)
            if kind(inner) == .folder, !isLink(inner) { removeFolder(inner) } else { remove(inner) }
        }
        rmdir(path)
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) throws(Problem) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            if mkdir(made, 0o777) != 0, errno != EEXIST { throw Problem(errno: errno) }
        }
        guard path.isEmpty || kind(path) == .folder else { throw Problem(errno: ENOTDIR) }
    }
}

/// Paths as texts.
enum FilePath {
    /// A path seen from a folder, so that reports hold no absolute paths and the same files have the same names wherever
    /// they lie. `folder` is absolute.
    static func relative(_ path: String, to folder: String) -> String {
        guard path.hasPrefix("/") else { return normalised(path) }
        let wanted = parts(path)
        let from = parts(folder)
        var common = 0
        while common < min(wanted.count, from.count), wanted[common] == from[common] { common += 1 }
        let steps = Array(repeating: "..", count: from.count - common) + wanted[common...]
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }

    /// Without `.`, doubled slashes, and `..` that a name before it undoes.
    static func normalised(_ path: String) -> String {
        let text = parts(path).joined(separator: "/")
        if path.hasPrefix("/") { return "/" + text }
        return text.isEmpty ? "." : text
    }

    /// A name in a folder.
    static func join(_ folder: String, _ name: String) -> String {
        folder == "." ? name : (folder.hasSuffix("/") ? folder + name : folder + "/" + name)
    }

    /// The last part.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The folder a file stands in.
    static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func parts(_ path: String) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(String(part))
            }
        }
        return parts
    }
}
