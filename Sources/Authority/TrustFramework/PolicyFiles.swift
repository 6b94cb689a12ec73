/// Where policy files come from: a disk, or the texts of a test.
public struct PolicyFiles: Sendable {
    /// The content of a file by its path; `nil` where there is none.
    public var read: @Sendable (String) -> [UInt8]?
    /// The names in a folder, sorted; `nil` where there is none.
    public var list: @Sendable (String) -> [String]?
    /// Why a path is not to be read, in words that follow its name; `nil` where it may be.
    public var refusal: @Sendable (String) -> String?

    public init(
        read: @escaping @Sendable (String) -> [UInt8]?, list: @escaping @Sendable (String) -> [String]? = { _ in nil },
        refusal: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.read = read
        self.list = list
        self.refusal = refusal
    }

    /// Nothing there: for tenants that have user flows only.
    public static let none = PolicyFiles(read: { _ in nil })

    /// Texts by path, as if they lay on a disk.
    public static func texts(_ texts: [String: String]) -> PolicyFiles {
        PolicyFiles(
            read: { path in texts[path].map { Array($0.utf8) } },
            list: { folder in
                let start = folder == "." ? "" : folder + "/"
                let names = texts.keys.filter { $0.hasPrefix(start) && !$0.dropFirst(start.count).contains("/") }
                    .map { String($0.dropFirst(start.count)) }.sorted()
                return names.isEmpty ? nil : names
            })
    }
}

/// Paths of policy files as texts.
enum PolicyPath {
    /// Resolves a path that a file in `folder` names.
    static func resolve(_ path: String, in folder: String) -> String {
        normalised(path.hasPrefix("/") || folder == "." ? path : folder + "/" + path)
    }

    /// A path seen from a folder; both are absolute, or both start from the same place.
    static func relative(_ path: String, to folder: String) -> String {
        let wanted = path.split(separator: "/")
        let from = folder == "." ? [] : folder.split(separator: "/")
        var common = 0
        while common < min(wanted.count - 1, from.count), wanted[common] == from[common] { common += 1 }
        return (Array(repeating: "..", count: from.count - common) + wanted[common...]).joined(separator: "/")
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder == "." ? name : folder == "/" ? "/" + name : folder + "/" + name
    }

    static func normalised(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        let text = parts.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + text : text.isEmpty ? "." : text
    }
}
