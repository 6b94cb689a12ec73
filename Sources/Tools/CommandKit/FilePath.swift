/// Paths as texts.
package enum FilePath {
    /// A path seen from a folder, so that reports hold no absolute paths and the same files have the same names wherever
    /// they lie. `folder` is absolute.
    package static func relative(_ path: String, to folder: String) -> String {
        guard path.hasPrefix("/") else { return normalised(path) }
        let wanted = parts(path)
        let from = parts(folder)
        var common = 0
        while common < min(wanted.count, from.count), wanted[common] == from[common] { common += 1 }
        let steps = Array(repeating: "..", count: from.count - common) + wanted[common...]
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }

    /// Without `.`, doubled slashes, and `..` that a name before it undoes.
    package static func normalised(_ path: String) -> String {
        let text = parts(path).joined(separator: "/")
        if path.hasPrefix("/") { return "/" + text }
        return text.isEmpty ? "." : text
    }

    /// A path from the root on.
    package static func absolute(_ path: String) -> String { resolve(path, in: Machine.currentFolder) }

    /// A path as written in a file of a folder.
    package static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : join(folder, path)
    }

    /// A name in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder == "." ? name : (folder.hasSuffix("/") ? folder + name : folder + "/" + name)
    }

    /// The last part.
    package static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The folder of a file.
    package static func folder(_ path: String) -> String {
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
