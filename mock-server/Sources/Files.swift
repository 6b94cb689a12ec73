#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files as the server uses them: read whole, written whole.
enum Files {
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

    /// Tells a file from every other one of the machine, whatever name it has.
    struct Identity: Equatable {
        var device: UInt64
        var node: UInt64
    }

    /// The file that a name stands for; `nil` where there is none.
    static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// By which a changed file is recognised.
    struct Stamp: Equatable {
        var identity: Identity
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    /// The stamp of a file; `nil` where there is none.
    static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Stamp(
            identity: Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino)),
            size: Int64(truncatingIfNeeded: status.st_size), seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    /// A path without links and dots; `nil` where nothing is.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// What a shell gives in place of a file: `<(...)` and the standard input.
    private static func isGivenByShell(_ path: String) -> Bool {
        path.hasSuffix("/dev/stdin") || path.contains("/dev/fd/")
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether there is a file, and no folder or device.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Permission bits of a file.
    static func mode(_ path: String) -> UInt32? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return UInt32(status.st_mode) & 0o777
    }

    /// The content of a file, up to `limit` bytes. A pipe, a socket or a device is refused: the first nobody may ever
    /// write to, and reading the last may never end.
    static func read(_ path: String, limit: Int = 64 << 20) throws(Problem) -> [UInt8] {
        if isFolder(path) { throw Problem(errno: EISDIR) }
        // Another file may have the name by the time it is opened, so the file that was opened is looked at.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isGivenByShell(path) ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG || isGivenByShell(path) else {
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

    /// Writes a file, replacing what was there at once: a reader sees the old or the new, never a part.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws(Problem) {
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        var rest = bytes[...]
        var code: Int32 = 0
        while !rest.isEmpty, code == 0 {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { code = errno }
        }
        // The mask of the process may have taken bits away that are wanted, or left some that are not.
        if code == 0, fchmod(descriptor, mode_t(mode)) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(draft, path) != 0 { code = errno }
        if code != 0 {
            unlink(draft)
            throw Problem(errno: code)
        }
    }

    /// Makes an empty file that was not there, for its owner alone.
    static func make(_ path: String) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        close(descriptor)
    }

    /// Gives a file the name `path` instead of its own, so that it is there whole or not at all.
    ///
    /// - Returns: Whether it has the name; not when another file had it already. The file's own name is gone anyway.
    static func publish(_ draft: String, as path: String) throws(Problem) -> Bool {
        let code = link(draft, path) == 0 ? 0 : errno
        unlink(draft)
        if code == EEXIST { return false }
        guard code == 0 else { throw Problem(errno: code) }
        // The name is durable once the folder is.
        let directory = open(folder(path), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return true }
        fsync(directory)
        close(directory)
        return true
    }

    /// Why this process may not read and write a file or folder; `nil` when it may.
    static func problem(writing path: String) -> Problem? {
        access(path, R_OK | W_OK) == 0 ? nil : Problem(errno: errno)
    }

    /// Lets nobody but its owner read a file.
    static func keepPrivate(_ path: String) { chmod(path, mode_t(0o600)) }

    /// Takes a file away, if it is there.
    static func remove(_ path: String) { unlink(path) }

    /// The system's words for an error number.
    static func words(_ code: Int32) -> String { Problem(errno: code).text }

    /// Makes a folder and those above it; the last one for its owner alone.
    static func makeFolder(_ path: String, mode: UInt32 = 0o777) throws(Problem) {
        var made = path.hasPrefix("/") ? "/" : ""
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            let bits = index == parts.count - 1 ? mode : 0o777
            if mkdir(made, mode_t(bits)) != 0, errno != EEXIST, errno != EISDIR { throw Problem(errno: errno) }
        }
        guard isFolder(path) else { throw Problem(errno: ENOTDIR) }
    }

    /// Does something while no other process that locks the same file does anything.
    static func locked<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Failure.machine("\(path) cannot be opened: \(words(errno))") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure.machine("\(path) cannot be locked: \(words(errno))") }
        }
        return try body()
    }

    /// The names in a folder, sorted by their bytes; `nil` where there is none.
    static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
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

    /// The folder a file stands in.
    static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path as written in a file that stands in `folder`.
    static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder == "." ? path : folder + "/" + path
    }

    /// A path from the root on.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The last part of a path.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
