import Synchronization

/// The files of a run: read from the disk and remembered, so that a bundle holds what the run has read, as it was then.
public final class FileRecorder: Sendable {
    private struct State {
        var read: [String: [UInt8]] = [:]
        var written: Set<String> = []
    }

    private let state = Mutex(State())
    private let source: @Sendable (String) -> [UInt8]?

    /// - Parameter source: the content of a file by its path; `nil` where there is none.
    public init(source: @escaping @Sendable (String) -> [UInt8]?) {
        self.source = source
    }

    /// The content of a file, which is remembered.
    public func read(_ path: String) -> [UInt8]? {
        guard let bytes = source(path) else { return nil }
        keep(bytes, as: path)
        return bytes
    }

    /// Remembers what was read in another way. What was read first stays.
    public func keep(_ bytes: [UInt8], as path: String) {
        state.withLock { state in
            // What the run itself has written a replay writes too.
            guard !state.written.contains(path), state.read[path] == nil else { return }
            state.read[path] = bytes
        }
    }

    /// Notes that the run wrote a file.
    public func wrote(_ path: String) {
        state.withLock { _ = $0.written.insert(path) }
    }

    /// What was read, in the order of the paths.
    public var files: [ReproductionBundle.File] {
        state.withLock { state in
            state.read.keys.sorted().map { ReproductionBundle.File(path: $0, bytes: state.read[$0] ?? []) }
        }
    }
}

/// The files of a bundle, as if they lay on a disk. What a script writes stays in memory: a bundle from elsewhere must not
/// choose where something is written.
public final class BundleFiles: Sendable {
    private let files: Mutex<[String: [UInt8]]>

    /// The files of a bundle.
    public init(_ bundle: ReproductionBundle) {
        var files: [String: [UInt8]] = [:]
        for file in bundle.files { files[file.path] = file.bytes }
        self.files = Mutex(files)
    }

    /// The content of a file by its path in the run that was bundled; `nil` where it read none.
    public func read(_ path: String) -> [UInt8]? { files.withLock { $0[path] } }

    /// Writes a file in memory.
    public func write(_ bytes: [UInt8], to path: String) { files.withLock { $0[path] = bytes } }

    /// The names of the files directly in a folder, sorted by their bytes; `nil` where there are none.
    public func names(in folder: String) -> [String]? {
        let start = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let names = files.withLock { files in
            files.keys.filter { $0.hasPrefix(start) && !$0.dropFirst(start.count).contains("/") }
                .map { String($0.dropFirst(start.count)) }
        }
        guard !names.isEmpty else { return nil }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
}
