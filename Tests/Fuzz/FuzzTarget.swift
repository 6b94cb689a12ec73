import Foundation

/// One reader of bytes from outside, and what has to hold whatever it is given.
///
/// `Tests/Fuzz/fuzz.py` reads the names and meanings off the sources, so each is a literal.
struct FuzzTarget: Sendable {
    /// What `TARGET=` takes.
    let name: String
    /// What is tried, for the list of targets.
    let meaning: String
    /// The longest input, in bytes. Shorter ones reach the same code sooner.
    let longest: Int
    /// Pieces of text that open doors which single bytes do not.
    var words: [String] = []
    /// Inputs to begin with.
    let seeds: @Sendable () -> [[UInt8]]
    /// Tries one input. It ends the process when a property does not hold.
    let run: @Sendable ([UInt8]) -> Void

    static let all: [FuzzTarget] = [
        .http, .cookie, .jws, .json, .shapes, .policy, .har, .zip, .state, .part, .textPack, .control, .pattern,
        .outlines,
    ]
}

/// Ends the process unless something holds. The input that led here is then kept in a file.
func check(_ holds: Bool, _ property: @autoclosure () -> String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data("property does not hold: \(property())\n".utf8))
    abort()
}

/// Files of the repository, which is the working folder.
enum Seeds {
    /// The files below a folder whose names end in one of these ways and that are not too long, in the order of their
    /// paths.
    static func files(_ folder: String, _ endings: [String], upTo longest: Int) -> [[UInt8]] {
        let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
        return names.compactMap { name in
            guard endings.contains(where: { name.hasSuffix($0) }), let bytes = file(folder + "/" + name),
                bytes.count <= longest
            else { return nil }
            return bytes
        }
    }

    /// A file; `nil` where there is none.
    static func file(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    static func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
