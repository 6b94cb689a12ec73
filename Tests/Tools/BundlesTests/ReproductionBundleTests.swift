import Bundles
import Determinism
import JSON
import Testing

struct ReproductionBundleTests {
    static let bundle = ReproductionBundle(
        maker: ReproductionBundle.Producer(tool: "0.1.0", swift: "6.3", system: "Linux x86_64"), seed: .max,
        scripts: [
            ReproductionBundle.Script(path: "scenarios/a.json", clock: "2026-01-15T12:00:00Z"),
            ReproductionBundle.Script(path: "../b.json", step: "last", clock: "2026-01-15T12:00:00Z"),
        ],
        cases: ["one"], bail: true, variables: [ReproductionBundle.Named("host", "login.contoso.test")],
        environment: [ReproductionBundle.Named("LANG", "C")], secrets: ["PIN"],
        files: [
            ReproductionBundle.File(path: "../b.json", bytes: Array("{}".utf8)),
            ReproductionBundle.File(path: "/etc/t.json", bytes: [0, 255]),
            ReproductionBundle.File(path: "_up/b.json", bytes: [1]),
            ReproductionBundle.File(path: "scenarios/a.json", bytes: Array("{ \"a\": 1 }".utf8)),
        ],
        report: Array("{\"result\":\"failed\"}".utf8), trace: Array("{\"result\":\"failed\",\"steps\":[1,2]}".utf8))

    /// The bundle with an entry changed, as somebody does who unpacks, edits and packs again.
    private func edited(_ change: (inout [ArchiveEntry]) -> Void) throws -> [UInt8] {
        var entries = try ZIPReader.entries(try Self.bundle.archive())
        change(&entries)
        return try ZIPWriter.bytes(entries)
    }

    private func complaint(_ bytes: [UInt8], allowAltered: Bool = false) -> String {
        do {
            _ = try ReproductionBundle.open(bytes, allowAltered: allowAltered)
            return "opened"
        } catch {
            return error.description
        }
    }

    private static func put(_ text: String, in name: String, _ entries: inout [ArchiveEntry]) {
        for index in entries.indices where entries[index].name == name { entries[index].bytes = Array(text.utf8) }
    }

    @Test func `a bundle is read as it was written`() throws {
        let archive = try Self.bundle.archive()
        let opened = try ReproductionBundle.open(archive)
        #expect(opened.bundle == Self.bundle)
        #expect(opened.altered.isEmpty)
        #expect(try opened.bundle.archive() == archive)
    }

    @Test func `paths that lead out get names that do not, each its own`() throws {
        let names = try ZIPReader.entries(try Self.bundle.archive()).map(\.name)
        #expect(
            names == [
                "bundle.json", "bundle.json.sha256", "README.txt", "report.json", "trace.json", "files/_up/b.json",
                "files/_root/etc/t.json", "files/_up/b.json.2", "files/scenarios/a.json",
            ])
    }

    @Test func `what was altered, added or left out is named`() throws {
        #expect(
            try complaint(edited { Self.put("{ \"a\": 2 }", in: "files/scenarios/a.json", &$0) })
                == "files/scenarios/a.json was altered since the bundle was made; --allow-altered runs it as it is now")
        #expect(
            try complaint(edited { $0.append(ArchiveEntry(name: "extra", bytes: [])) }).hasPrefix("extra was added"))
        #expect(
            try complaint(edited { $0.removeAll { $0.name == "trace.json" } }) == "its entry trace.json is missing")
        #expect(
            try complaint(edited { $0.removeAll { $0.name == "bundle.json" } })
                == "it has no entry bundle.json: it was not made by `b2c run --bundle`")
        // The manifest is held by its seal, so nobody changes a hash in it unseen.
        let manifest = try edited { entries in
            let old = String(decoding: entries[0].bytes, as: UTF8.self)
            Self.put(old.replacing("\"bail\": true", with: "\"bail\": false"), in: "bundle.json", &entries)
        }
        #expect(complaint(manifest).hasPrefix("bundle.json was altered"))
        #expect(try ReproductionBundle.open(manifest, allowAltered: true).bundle.bail == false)
        #expect(try ReproductionBundle.open(manifest, allowAltered: true).altered == ["bundle.json"])
        #expect(try complaint(edited { $0.removeAll { $0.name == "bundle.json.sha256" } }).hasPrefix("bundle.json was"))
    }

    @Test func `an invalid manifest is refused with a sentence`() throws {
        func with(_ old: String, _ new: String) throws -> String {
            try complaint(
                edited { entries in
                    let text = String(decoding: entries[0].bytes, as: UTF8.self)
                    #expect(text.contains(old))
                    Self.put(text.replacing(old, with: new), in: "bundle.json", &entries)
                }, allowAltered: true)
        }
        #expect(try with("\"version\": 1", "\"version\": 3").contains("version 3, and this b2c reads versions up to 2"))
        #expect(try with("\"version\": 1", "\"version\": \"1\"") == "bundle.json: /version must be a number")
        #expect(try with("\"18446744073709551615\"", "\"-1\"") == "bundle.json: /seed must be a whole number as a text")
        #expect(try with("\"bail\": true", "\"bail\": 1") == "bundle.json: /bail must be true or false")
        #expect(try with("\"PIN\"", "7") == "bundle.json: /secrets/0 must be a text")
        #expect(try with("\"swift\"", "\"swft\"") == "bundle.json: /made/swift must be a text")
        #expect(
            try with("\"path\": \"scenarios/a.json\",\n      \"clock\"", "\"path\": \"gone.json\",\n      \"clock\"")
                == "bundle.json names the script gone.json, and no entry holds it")
        #expect(try with("{\n  \"version\"", "\n  \"version\"").hasPrefix("bundle.json is not JSON"))
    }

    @Test func `a secret that was written into a file is found`() throws {
        func leak(_ value: String) -> String? {
            Self.bundle.leak(of: [ReproductionBundle.Named("PIN", value)]).map { "\($0.place): \($0.secret)" }
        }
        #expect(leak("login.contoso.test") == "the variable host: PIN")
        #expect(leak("{ \"a\": 1 }") == "the file scenarios/a.json: PIN")
        #expect(leak("failed") == "report.json: PIN")
        #expect(leak("1") == nil)
        #expect(leak("nothing-of-the-kind") == nil)
    }

    @Test func `the first difference is named`() {
        let bundle = Self.bundle
        #expect(bundle.difference(report: bundle.report, trace: bundle.trace) == nil)
        #expect(
            bundle.difference(report: Array("{\"result\":\"passed\"}".utf8), trace: bundle.trace)
                == "report.json at /result was \"failed\", and is \"passed\" now")
        #expect(
            bundle.difference(report: bundle.report, trace: Array("{\"result\":\"failed\",\"steps\":[1,2,3]}".utf8))
                == "trace.json at /steps/2 was absent, and is 3 now")
    }

    @Test func `files of a bundle are read, listed, and written in memory`() {
        let files = BundleFiles(Self.bundle)
        #expect(files.read("../b.json") == Array("{}".utf8))
        #expect(files.read("b.json") == nil)
        #expect(files.names(in: "scenarios") == ["a.json"])
        #expect(files.names(in: "..") == ["b.json"])
        #expect(files.names(in: "nowhere") == nil)
        files.write([7], to: "scenarios/new.json")
        #expect(files.read("scenarios/new.json") == [7])
    }

    @Test func `a recorder keeps what was read first, and not what the run wrote`() {
        let recorder = FileRecorder { $0 == "gone" ? nil : Array($0.utf8) }
        #expect(recorder.read("a") == Array("a".utf8))
        #expect(recorder.read("gone") == nil)
        recorder.keep([1], as: "a")
        recorder.wrote("out")
        #expect(recorder.read("out") == Array("out".utf8))
        #expect(recorder.files == [ReproductionBundle.File(path: "a", bytes: Array("a".utf8))])
    }

    @Test func `whatever the bytes of a bundle, there is an answer`() throws {
        var random = SeededGenerator(seed: 5)
        let good = try Self.bundle.archive()
        for _ in 0..<500 {
            var bytes = good
            for _ in 0...Int(random.next() % 3) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            let answer = complaint(bytes, allowAltered: random.next() % 2 == 0)
            #expect(!answer.isEmpty)
        }
    }
}
