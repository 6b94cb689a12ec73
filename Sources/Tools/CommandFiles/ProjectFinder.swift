import CommandKit
import Diagnostics
import JSON
import Validation

/// Finds what `b2c validate` checks: files that are named, and in folders those that can be something it knows.
package struct ProjectFinder {
    /// Folders of dependencies and build products: other people's files, or copies.
    private static let otherFolders: Set<String> = [
        "node_modules", "Pods", "Carthage", "DerivedData", "build", "bin", "obj", "dist", "vendor",
    ]
    private static let endings = [
        ".xml", ".json", ".plist", ".entitlements", ".swift", ".m", ".mm", ".h", ".pbxproj", ".xcconfig", ".csproj",
        "podfile",
        "cartfile", ".gitignore",
    ]
    private static let mostDepth = 40
    /// Largest file that is looked into. A policy may have one megabyte, and nothing else that is checked comes near.
    static let largest = 8 << 20
    static let tooLarge = "the file has more than \(largest >> 20) MB, and was not checked"

    private let current = Machine.currentFolder
    /// Brings a file that was read before and is the same still.
    private let known: (String) -> ProjectFile?
    private(set) var files: [ProjectFile] = []
    private(set) var unreadable: [(path: String, reason: String)] = []
    private(set) var passedOver: [(path: String, reason: String)] = []
    private var seen: Set<String> = []

    package init(known: @escaping (String) -> ProjectFile? = { _ in nil }) { self.known = known }

    /// Whether files in a folder of this name are looked at when it lies below one that was named.
    package static func takes(folder name: String) -> Bool { !name.hasPrefix(".") && !otherFolders.contains(name) }

    /// Whether a file of this name is looked at when it lies in a folder that was named.
    package static func takes(file name: String) -> Bool {
        let lower = name.lowercased()
        return endings.contains { lower.hasSuffix($0) }
    }

    /// Adds a path that somebody named.
    mutating func add(_ path: String) {
        let path = FilePath.relative(path, to: current)
        switch FileSystem.kind(path) {
        case nil:
            unreadable.append((path, "there is no such file or folder"))
        case .folder:
            addFolder(path, depth: 0)
        case .file:
            addFile(path, isNamed: true)
        case .other:
            unreadable.append((path, "this is neither a file nor a folder"))
        }
    }

    private mutating func addFolder(_ folder: String, depth: Int) {
        let names: [String]
        do throws(FileSystem.Problem) {
            names = try FileSystem.names(in: folder)
        } catch {
            unreadable.append((folder, "the folder cannot be read: \(error.text)"))
            return
        }
        for name in names {
            let path = FilePath.join(folder, name)
            let isWanted = Self.takes(file: name)
            switch FileSystem.kind(path) {
            case .folder:
                guard Self.takes(folder: name) else { continue }
                if FileSystem.isLink(path) {
                    passedOver.append((path, "this is a link to a folder, and links to folders are not followed"))
                } else if depth >= Self.mostDepth {
                    passedOver.append((path, "folders lie more than \(Self.mostDepth) deep here"))
                } else {
                    addFolder(path, depth: depth + 1)
                }
            case .file:
                if isWanted { addFile(path, isNamed: false) }
            case .other:
                if isWanted { passedOver.append((path, "this is neither a file nor a folder")) }
            case nil:
                if isWanted { passedOver.append((path, "this link leads nowhere, or round in a circle")) }
            }
        }
    }

    mutating func addFile(_ path: String, isNamed: Bool) {
        guard seen.insert(path).inserted else { return }
        if let file = known(path) {
            files.append(file)
            return
        }
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(path, limit: Self.largest)
        } catch {
            unreadable.append((path, "it cannot be read: \(error.text)"))
            return
        }
        if bytes.count > Self.largest {
            // A folder may hold other people's data; a file that somebody named is wanted.
            if isNamed { unreadable.append((path, Self.tooLarge)) } else { passedOver.append((path, Self.tooLarge)) }
            return
        }
        let file = ProjectFile(path: path, bytes: bytes)
        if isNamed, file.kind == .other {
            passedOver.append((path, "this is not a file that b2c checks: \(Self.whatIsWrong(file))"))
        }
        files.append(file)
    }

    /// What a file lacks that would make it one of the kinds that are checked.
    private static func whatIsWrong(_ file: ProjectFile) -> String {
        let name = file.name.lowercased()
        if file.source.bytes.isEmpty { return "it is empty" }
        if name.hasSuffix(".json") {
            return file.isJSON ? "its members are those of no kind that is known" : "it is not JSON"
        }
        if file.source.bytes.prefix(4096).contains(0) { return "it is not text" }
        if name.hasSuffix(".xml") { return "it holds no TrustFrameworkPolicy" }
        return "neither its name nor its content is known"
    }
}
