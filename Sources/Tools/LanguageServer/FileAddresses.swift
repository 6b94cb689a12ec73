import CommandKit
import HTTPMessages

/// The addresses of files as a client writes them, and their paths as commands show them: seen from the working folder.
struct FileAddresses: Sendable {
    /// A folder of the client, which may lead there over links.
    struct Root: Hashable, Sendable {
        /// As the client writes it.
        var written: String
        /// Without links.
        var real: String
    }

    /// The folder that paths are seen from.
    let current: String
    private(set) var roots: [Root]
    /// Addresses of documents as the client spells them, by path: some clients compare them letter by letter.
    private var spelled: [String: String] = [:]

    /// - Parameter folders: Absolute paths of the client's folders.
    init(folders: [String]) {
        current = Machine.currentFolder
        roots = []
        setRoots(folders)
    }

    mutating func setRoots(_ folders: [String]) {
        roots = folders.map { Root(written: FilePath.normalised($0), real: FileSystem.real($0) ?? $0) }
    }

    /// The names from a root down to a path that commands show; of a path below none its own name.
    func namesBelowRoot(_ shown: String) -> [String] {
        let path = FilePath.normalised(FilePath.resolve(shown, in: current))
        let root = roots.map(\.real).first { path == $0 || path.hasPrefix($0 + "/") } ?? FilePath.folder(path)
        return path.dropFirst(root.count).split(separator: "/").map(String.init)
    }

    /// The roots as commands show them.
    var shownRoots: [String] { roots.map { FilePath.relative($0.real, to: current) } }

    /// The absolute path of a `file:` address; `nil` for any other.
    static func path(of uri: String) -> String? {
        guard uri.lowercased().hasPrefix("file://") else { return nil }
        // A host before the path is this machine.
        guard let slash = uri.dropFirst(7).firstIndex(of: "/") else { return nil }
        let path = uri[slash...].prefix { $0 != "?" && $0 != "#" }
        return FilePath.normalised(PercentCoding.decode(String(path), plusIsSpace: false))
    }

    /// The path as commands show it. What is not a file, such as a new text without a name, is its address.
    func shown(_ uri: String) -> String {
        guard var path = Self.path(of: uri) else { return uri }
        for root in roots where path == root.written || path.hasPrefix(root.written + "/") {
            path = root.real + path.dropFirst(root.written.count)
            break
        }
        return FilePath.relative(path, to: current)
    }

    /// The path of a document that the client opens.
    mutating func open(_ uri: String) -> String {
        let path = shown(uri)
        spelled[path] = uri
        return path
    }

    /// The address of a path that commands show.
    func uri(_ shown: String) -> String {
        if let uri = spelled[shown] { return uri }
        var path = FilePath.normalised(FilePath.resolve(shown, in: current))
        for root in roots where path == root.real || path.hasPrefix(root.real + "/") {
            path = root.written + path.dropFirst(root.real.count)
            break
        }
        return "file://"
            + path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.encodeComponent(String($0)) }.joined(separator: "/")
    }
}
