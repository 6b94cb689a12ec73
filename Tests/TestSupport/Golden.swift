import Foundation

/// A text that differs from its golden file.
public struct GoldenMismatch: Error, CustomStringConvertible {
    /// What differs, and how to accept it.
    public let description: String
}

/// Holds a text against the golden file `Tests/Golden/<test target>/<name>`.
///
/// A missing file is a failure. To accept what the tests produce now, run them with `B2C_RECORD=1` and look at the
/// difference before committing it.
///
/// - Throws: ``GoldenMismatch`` with a line difference.
public func matchGolden(_ text: String, _ name: String, file: String = #filePath) throws {
    let golden = TestFiles.golden(name, file: file)
    if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
        try FileManager.default.createDirectory(
            at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: golden)
        return
    }
    let shownPath = golden.pathComponents.suffix(4).joined(separator: "/")
    guard let data = try? Data(contentsOf: golden) else {
        throw GoldenMismatch(description: "\(shownPath) is missing; record it with B2C_RECORD=1. The text is:\n\(text)")
    }
    let expected = String(decoding: data, as: UTF8.self)
    guard expected != text else { return }
    throw GoldenMismatch(
        description: "the text differs from \(shownPath); if that is right, record it with B2C_RECORD=1.\n"
            + lineDifference(expected: expected, found: text))
}

/// The lines between the common beginning and the common end of two texts, `-` expected and `+` found.
public func lineDifference(expected: String, found: String, limit: Int = 30) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = found.split(separator: "\n", omittingEmptySubsequences: false)
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    func lines(_ all: [Substring], _ mark: String) -> [String] {
        let changed = all[head..<(all.count - tail)]
        let rest = changed.count > limit ? ["\(mark) ... \(changed.count - limit) more lines"] : []
        return changed.prefix(limit).map { "\(mark) \($0)" } + rest
    }
    return (["line \(head + 1):"] + lines(old, "-") + lines(new, "+")).joined(separator: "\n")
}

/// Files of the repository, found from a test's own place in it.
public enum TestFiles {
    /// The folder that holds `Package.swift`.
    public static func root(file: String = #filePath) -> URL {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while folder.lastPathComponent != "Tests", folder.pathComponents.count > 1 { folder.deleteLastPathComponent() }
        return folder.deletingLastPathComponent()
    }

    /// The content of a file by its path from the root of the repository.
    public static func bytes(_ path: String, file: String = #filePath) throws -> [UInt8] {
        Array(try Data(contentsOf: root(file: file).appendingPathComponent(path)))
    }

    /// A golden file of the test target that `file` belongs to.
    static func golden(_ name: String, file: String) -> URL {
        let tests = root(file: file).appendingPathComponent("Tests")
        let path = URL(fileURLWithPath: file).pathComponents
        let target = path.last { $0.hasSuffix("Tests") } ?? "Tests"
        return tests.appendingPathComponent("Golden").appendingPathComponent(target).appendingPathComponent(name)
    }
}
