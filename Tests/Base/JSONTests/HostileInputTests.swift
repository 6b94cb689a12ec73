import Diagnostics
import Foundation
import JSON
import Testing

/// Whatever the bytes are: no crash, and every refusal says where.
@Suite struct HostileInputTests {
    private static let valid = """
        { "$schema": "../schemas/scenario.schema.json", "name": "Ada é😀 \\u00e9\\ud83d\\ude00 \\"quoted\\" \\\\",
          "clock": "2026-01-15T12:00:00Z", "numbers": [0, -1, 12.5, 1e10, 9223372036854775807, 2.5E-3],
          "flags": [true, false, null], "nested": { "a": { "b": [ { "c": [] }, {} ] } },
          "steps": [ { "id": "first", "acquireToken": { "policy": "susi", "scopes": ["read"] }, "user": "ada" },
                     { "advanceClock": "PT61M" }, { "acquireTokenSilent": {}, "expect": { "requests": 0 } } ] }
        """

    /// SplitMix64, so that a failure repeats.
    private struct Generator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    }

    private func survive(_ bytes: [UInt8], _ note: String) {
        do throws(InvalidInput) {
            let document = try JSONDocument(file: "h.json", bytes: bytes)
            let text = JSONWriter.compactBytes(document.root)
            let again = try JSONParser.parse(text)
            #expect(again == document.root, "\(note)")
            _ = document.location(of: "/steps/0/acquireToken/scopes/0", key: true)
        } catch {
            #expect(!error.diagnostics.isEmpty, "\(note)")
            for finding in error.diagnostics {
                let line = finding.location?.line ?? 0
                let column = finding.location?.column ?? 0
                #expect(line >= 1 && column >= 1 && !finding.message.isEmpty, "\(note)")
                let source = SourceText(file: "h.json", bytes: bytes)
                #expect(source.line(line) != nil, "\(note)")
                #expect(!DiagnosticRenderer(color: false, sources: [source]).render(finding).isEmpty)
            }
        }
    }

    @Test func `a file cut off anywhere`() throws {
        let bytes = Array(Self.valid.utf8)
        survive(bytes, "whole")
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            #expect(throws: InvalidInput.self) { try JSONDocument(file: "h.json", bytes: cut) }
            survive(cut, "cut at \(count)")
            survive(Array(bytes.dropFirst(count + 1)), "without the first \(count + 1)")
        }
    }

    @Test(arguments: 1...8)
    func `bytes changed, removed, doubled and swapped`(seed: UInt64) {
        var generator = Generator(state: seed)
        let original = Array(Self.valid.utf8)
        let interesting = Array("{}[]\",:\\'/#0-+.eEtfn\u{0}\u{1b}\n".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF, 0xEF]
        for round in 0..<250 {
            var bytes = original
            for _ in 0...generator.below(6) {
                let place = generator.below(bytes.count)
                switch generator.below(5) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                case 1: bytes[place] ^= 1 << UInt8(generator.below(8))
                case 2: bytes.remove(at: place)
                case 3: bytes.insert(interesting[generator.below(interesting.count)], at: place)
                default:
                    let end = min(bytes.count, place + 1 + generator.below(30))
                    bytes.insert(contentsOf: bytes[place..<end], at: generator.below(bytes.count))
                }
            }
            survive(bytes, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 1...4)
    func `random bytes and random tokens`(seed: UInt64) {
        var generator = Generator(state: seed)
        let tokens = ["{", "}", "[", "]", ",", ":", "\"a\"", "\"", "1", "-", "true", "nul", "\\", "//", "'", " ", "é"]
        for round in 0..<250 {
            let noise = (0..<generator.below(40)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            survive(noise, "noise, seed \(seed), round \(round)")
            let soup = (0..<generator.below(25)).map { _ in tokens[generator.below(tokens.count)] }.joined()
            survive(Array(soup.utf8), "soup \(soup)")
            _ = LooseScript.assignments(in: "<script>S=" + soup, names: ["S"])
            _ = LooseScript.assignments(in: String(decoding: noise, as: UTF8.self), names: ["S"])
            _ = JSONPointer(soup)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `long runs of one thing stay quick`() {
        for unit in ["\"", "\\", ",", "-", "a", "{}", "[]", "'", "\n", "\u{0}", "1", "é", "\"a\":", "//", "0x"] {
            survive(Array(String(repeating: unit, count: 20_000).utf8), "run of \(unit)")
            survive(Array(("[\"" + String(repeating: unit, count: 20_000)).utf8), "run of \(unit) in a text")
        }
    }

    /// The smallest stack that a thread of ours may have: secondary threads on macOS get 512 KB.
    @Test func `the deepest value that is read can be used on a small stack`() async throws {
        let depth = JSONLimits.depth
        let text =
            String(repeating: "{\"a\":[", count: depth / 2) + String(repeating: "]}", count: depth / 2)
        let recursive: [String: Shape] = [
            "node": .anyOf([
                .nullable(.object(ObjectShape(title: "node", fields: [Field("a", .array(of: .ref("node")), "next")]))),
                .object(ObjectShape(title: "other", fields: [Field("b", .ref("node"), required: true, "never")])),
            ])
        ]
        let summary: [Int] = await withCheckedContinuation { continuation in
            let thread = Thread {
                do throws(InvalidInput) {
                    let document = try JSONDocument(file: "deep.json", bytes: Array(text.utf8))
                    let value = document.root
                    var patched = value.merging(patch: value)
                    let pointer = JSONPointer(
                        tokens: Array(repeating: ["a", "0"], count: depth / 2 - 1).flatMap { $0 } + ["a"])
                    let done = patched.set(["x"], at: pointer)
                    let checker = ShapeChecker(
                        document: document, named: recursive, allowTemplates: true, rulePrefix: "T")
                    continuation.resume(returning: [
                        JSONWriter.compact(value).count, JSONWriter.pretty(value).count > depth ? 1 : 0,
                        value.sameValue(as: value) && value == value && value.hashValue == value.hashValue ? 1 : 0,
                        done && patched != value ? 1 : 0, document.location(of: pointer).column ?? 0,
                        checker.check(value, at: .root, as: .ref("node")).count,
                        checker.check(patched, at: .root, as: .ref("node")).count,
                    ])
                } catch {
                    continuation.resume(returning: [])
                }
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(summary == [text.utf8.count, 1, 1, 1, (depth / 2 - 1) * 6 + 6, 0, 1])
    }
}
