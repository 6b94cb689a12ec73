import CommandKit
import Diagnostics
import JSON

/// Finds in apps, their configuration and APIs what a migration changes: lines that match the patterns of the table.
package enum AppScan {
    /// Folders of dependencies and build products.
    private static let otherFolders: Set<String> = [
        "node_modules", "Pods", "Carthage", "DerivedData", "build", "bin", "obj", "dist", "vendor", "target",
    ]
    private static let endings: Set<String> = [
        "swift", "m", "mm", "h", "kt", "kts", "java", "js", "mjs", "cjs", "ts", "tsx", "jsx", "vue", "cs", "cshtml",
        "py", "go", "rb", "php", "dart", "json", "plist", "xml", "yaml", "yml", "properties", "config", "env", "toml",
    ]
    private static let mostDepth = 40
    private static let largest = 2 << 20
    /// Characters of a line that is compared: longer ones are not written by people.
    private static let longest = 2000

    private struct LinePattern {
        var rule: MigrationRule
        var words: [[UInt8]]
        var patterns: [Pattern]
        var spare: [Pattern]
    }

    private static let signs: [LinePattern] = MigrationRule.allCases.compactMap { rule in
        let row = rule.row
        guard !row.signs.isEmpty else { return nil }
        return LinePattern(
            rule: rule, words: row.words.map { Array($0.utf8) }, patterns: row.signs.compactMap { try? Pattern($0) },
            spare: row.spare.compactMap { try? Pattern($0) })
    }

    /// What is in a file or below a folder, in the order of files and lines.
    ///
    /// - Throws: ``Failure`` for a path that does not exist.
    package static func places(in path: String) throws -> [MigrationElement] {
        let path = FilePath.relative(path, to: Machine.currentFolder)
        switch FileSystem.kind(path) {
        case nil: throw Failure.usage("--app: there is no file or folder \(path)")
        case .folder: return folder(path, depth: 0)
        case .file, .other: return file(path)
        }
    }

    private static func folder(_ folder: String, depth: Int) -> [MigrationElement] {
        guard depth < mostDepth, let names = try? FileSystem.names(in: folder) else { return [] }
        return names.flatMap { name -> [MigrationElement] in
            let path = FilePath.join(folder, name)
            switch FileSystem.kind(path) {
            case .folder:
                let isWanted = !name.hasPrefix(".") && !otherFolders.contains(name) && !FileSystem.isLink(path)
                return isWanted ? self.folder(path, depth: depth + 1) : []
            case .file:
                let ending = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
                return endings.contains(ending.lowercased()) ? file(path) : []
            case .other, nil: return []
            }
        }
    }

    private static func file(_ path: String) -> [MigrationElement] {
        guard let bytes = try? FileSystem.read(path, limit: largest), bytes.count <= largest else { return [] }
        return places(in: SourceText(file: path, bytes: bytes))
    }

    /// What is in a text. A policy is not an app.
    package static func places(in source: SourceText) -> [MigrationElement] {
        let lower = source.bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        guard lines(of: Array("<trustframeworkpolicy".utf8), in: lower, source).isEmpty else { return [] }
        var found: [MigrationElement] = []
        for sign in signs {
            for number in Set(sign.words.flatMap { lines(of: $0, in: lower, source) }).sorted() {
                guard let line = source.line(number), line.utf8.count <= longest, !isComment(line),
                    matches(sign.patterns, line), !matches(sign.spare, line)
                else { continue }
                found.append(
                    MigrationElement(
                        kind: MigrationElement.appKind, id: "\(source.file):\(number)", rule: sign.rule,
                        location: SourceLocation(file: source.file, line: number, column: 1)))
            }
        }
        return found
    }

    private static func matches(_ patterns: [Pattern], _ line: String) -> Bool {
        patterns.contains { (try? $0.hasMatch(in: line)) ?? false }
    }

    private static func isComment(_ line: String) -> Bool {
        let start = line.drop { $0 == " " || $0 == "\t" }
        return ["//", "/*", "* ", "<!--"].contains { start.hasPrefix($0) }
    }

    /// The numbers of the lines that have a word, each once.
    private static func lines(of word: [UInt8], in bytes: [UInt8], _ source: SourceText) -> [Int] {
        var found: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            word.withUnsafeBufferPointer { word in
                var start = 0
                while start < bytes.count {
                    let rest = UnsafeBufferPointer(rebasing: bytes[start...])
                    let offset = ByteSearch.offset(of: word, in: rest)
                    guard offset < rest.count else { return }
                    let line = source.position(at: start + offset).line
                    if found.last != line { found.append(line) }
                    start += offset + word.count
                }
            }
        }
        return found
    }
}
