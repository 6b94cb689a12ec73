import CDocuments
import Diagnostics

/// A scenario that is shipped with the program, as the index knows it: the files are beside the program.
package struct ShippedScript: Sendable {
    /// Its path below `scenarios` without `.json`, such as `sign-in/window-closed`.
    package let path: String
    /// Its title.
    package let name: String
    /// What else it is about: words of its description, of its steps, and of the errors that it expects.
    let words: String

    /// The path below the folder that has `scenarios`.
    package var file: String { "scenarios/\(path).json" }

    /// The entry of docs/bugs.md or docs/tutorials.md that it plays: `B28`, `S0-R17`.
    package var entry: Substring? {
        let parts = path.split(separator: "/")
        guard let file = parts.last, let length = ["bugs": 1, "reports": 1, "tutorials": 2][String(parts[0])] else {
            return nil
        }
        let words = file.split(separator: "-").prefix(length)
        return words.last.map { file[..<$0.endIndex] }
    }

    /// All of them, by path. A test writes the file.
    package static let all: [ShippedScript] = asset_scripts().text.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        return cells.count == 3 ? ShippedScript(path: cells[0], name: cells[1], words: cells[2]) : nil
    }

    /// The script of a path, with or without `scenarios/` and `.json`, or of the beginning of a file's name up to a hyphen,
    /// such as `S0-R13`; `nil` where there is none, or several.
    package static func named(_ text: String) -> ShippedScript? {
        var wanted = Substring(text.lowercased())
        if wanted.hasPrefix("scenarios/") { wanted = wanted.dropFirst("scenarios/".count) }
        if wanted.hasSuffix(".json") { wanted = wanted.dropLast(".json".count) }
        if let exact = all.first(where: { $0.path.lowercased() == wanted }) { return exact }
        guard wanted.contains(where: \.isNumber), wanted.contains(where: { $0 == "-" }) else { return nil }
        let found = all.filter { $0.path.lowercased().split(separator: "/").last?.hasPrefix(wanted + "-") == true }
        return found.count == 1 ? found[0] : nil
    }
}
