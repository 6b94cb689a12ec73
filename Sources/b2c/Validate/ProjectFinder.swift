import Diagnostics
import JSON
import Validation

/// Finds what `b2c validate` judges: files that are named, and in folders those that can be something it knows.
struct ProjectFinder {
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
    /// Largest file that is looked into; nothing that is judged comes near.
    private static let largest = 64 << 20

    private let current = Machine.currentFolder
    private(set) var files: [ProjectFile] = []
    private(set) var unreadable: [(path: String, reason: String)] = []
    private var seen: Set<String> = []

    /// Adds a path that somebody named.
    mutating func add(_ path: String) {
        let path = FilePath.relative(path, to: current)
        switch FileSystem.kind(path) {
        case nil:
            unreadable.append((path, "there is no such file or folder"))
        case .folder:
            addFolder(path, depth: 0)
        case .file:
            addFile(path)
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
            switch FileSystem.kind(path) {
            case .folder:
                let isOther = name.hasPrefix(".") || Self.otherFolders.contains(name)
                if !isOther, !FileSystem.isLink(path), depth < Self.mostDepth { addFolder(path, depth: depth + 1) }
            case .file:
                let lower = name.lowercased()
                if Self.endings.contains(where: lower.hasSuffix) { addFile(path) }
            default:
                continue
            }
        }
    }

    private mutating func addFile(_ path: String) {
        guard seen.insert(path).inserted else { return }
        do throws(FileSystem.Problem) {
            let bytes = try FileSystem.read(path, limit: Self.largest)
            if bytes.count > Self.largest {
                unreadable.append((path, "the file has more than \(Self.largest >> 20) MB"))
            } else {
                files.append(ProjectFile(path: path, bytes: bytes))
            }
        } catch {
            unreadable.append((path, "it cannot be read: \(error.text)"))
        }
    }
}
