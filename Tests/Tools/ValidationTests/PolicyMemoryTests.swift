import Determinism
import TestSupport
import Testing
import Validation

/// A validation that goes on from an earlier one finds what one that begins from nothing finds.
struct PolicyMemoryTests {
    private static let names = [
        "Base", "Linking", "OneProvider", "OneProviderShown", "ProviderSelection",
        "SettingsText",
    ]

    /// Numbers that look like random ones.
    private struct Draws {
        var state: UInt64

        mutating func next(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            return Int(StableHash.mix(state) % UInt64(max(limit, 1)))
        }
    }

    private static func originals() throws -> [(path: String, bytes: [UInt8])] {
        let all = try names.flatMap { name -> [(path: String, bytes: [UInt8])] in
            let bytes = try TestFiles.bytes("scenarios/policies/\(name).xml")
            return name.hasPrefix("One") || name == "ProviderSelection"
                ? [("one/\(name).xml", bytes), ("two/\(name).xml", bytes)] : [("\(name).xml", bytes)]
        }
        return all.sorted { $0.path < $1.path }
    }

    /// A text after somebody has typed a little: a word is misspelt, a piece is gone, a line is there twice.
    private static func edited(_ bytes: [UInt8], _ draws: inout Draws) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let place = draws.next(bytes.count)
        switch draws.next(4) {
        case 0: bytes[place] = UInt8(ascii: "a") + UInt8(draws.next(26))
        case 1: bytes.removeSubrange(place..<min(place + 1 + draws.next(30), bytes.count))
        case 2:
            let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
            let line = draws.next(lines.count)
            bytes = Array((lines[...line] + lines[line...]).joined(separator: [10]))
        default:
            // Inside of a name, most likely of one that something refers to.
            let letters = bytes.indices.filter { bytes[$0] == UInt8(ascii: "=") && $0 + 3 < bytes.count }
            if !letters.isEmpty { bytes[letters[draws.next(letters.count)] + 2] = UInt8(ascii: "x") }
        }
        return bytes
    }

    @Test func `two hundred edits are found as if nothing were known before`() throws {
        let originals = try Self.originals()
        var files = originals.map { ProjectFile(path: $0.path, bytes: $0.bytes) }
        let memory = PolicyMemory()
        var draws = Draws(state: 57)
        var different = 0
        var last: [Finding] = []
        for round in 0..<200 {
            let place = draws.next(files.count)
            let bytes =
                draws.next(3) == 0 ? originals[place].bytes : Self.edited(files[place].source.bytes, &draws)
            files[place] = ProjectFile(path: originals[place].path, bytes: bytes)
            var project = Project(files: files, now: noon)
            let fresh = Validator.validate(project)
            project.memory = memory
            let kept = Validator.validate(project)
            #expect(kept.findings == fresh.findings, "round \(round): \(originals[place].path)")
            #expect(kept.suppressed.map(\.finding) == fresh.suppressed.map(\.finding))
            if fresh.findings != last { different += 1 }
            last = fresh.findings
        }
        #expect(different > 50)
    }
}
