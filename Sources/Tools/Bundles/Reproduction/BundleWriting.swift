import JOSE
import JSON

extension ReproductionBundle {
    /// The bundle as a ZIP file. Equal bundles give equal bytes.
    ///
    /// - Throws: ``BundleProblem`` where it would be too large, or a path cannot be in an archive.
    public func archive() throws(BundleProblem) -> [UInt8] {
        var entries: [ArchiveEntry] = []
        var paths: [String?] = []
        func add(_ name: String, _ bytes: [UInt8], path: String? = nil) {
            entries.append(ArchiveEntry(name: name, bytes: bytes))
            paths.append(path)
        }
        add(BundleEntry.guide, Array(guide.utf8))
        add(BundleEntry.report, report)
        add(BundleEntry.trace, trace)
        var names: Set<String> = []
        for file in files {
            let usual = BundleEntry.name(for: file.path)
            var name = usual
            var number = 1
            while !names.insert(name).inserted {
                number += 1
                name = usual + ".\(number)"
            }
            add(name, file.bytes, path: file.path)
        }
        let manifest = Array((JSONWriter.pretty(.object(manifest(entries, paths))) + "\n").utf8)
        let seal = "\(Self.hash(manifest))  \(BundleEntry.manifest)\n"
        let all =
            [
                ArchiveEntry(name: BundleEntry.manifest, bytes: manifest),
                ArchiveEntry(name: BundleEntry.seal, bytes: Array(seal.utf8)),
            ] + entries
        do throws(ArchiveProblem) {
            return try ZIPWriter.bytes(all)
        } catch {
            throw BundleProblem(error.description)
        }
    }

    private func manifest(_ entries: [ArchiveEntry], _ paths: [String?]) -> JSONObject {
        var manifest = JSONObject()
        manifest["version"] = .integer(version)
        manifest["made"] = [
            "b2c": .string(maker.tool), "swift": .string(maker.swift), "system": .string(maker.system),
        ]
        // A text, since it may need all 64 bits and JSON numbers are often read as doubles.
        manifest["seed"] = .string(String(seed))
        if drawsOrder { manifest["order"] = "drawn" }
        manifest["scripts"] = .array(
            scripts.map { script in
                var object = JSONObject([("path", .string(script.path))])
                if let step = script.step { object["step"] = .string(step) }
                object["clock"] = .string(script.clock)
                return .object(object)
            })
        manifest["cases"] = .array(cases.map { .string($0) })
        manifest["bail"] = .bool(bail)
        manifest["variables"] = Self.object(variables)
        manifest["environment"] = Self.object(environment)
        manifest["secrets"] = .array(secrets.map { .string($0) })
        manifest["replaced"] = .array(replaced.map { .string($0) })
        manifest["keepsSecrets"] = .bool(keepsSecrets)
        manifest["entries"] = .array(
            zip(entries, paths).map { entry, path in
                var object = JSONObject([("name", .string(entry.name))])
                if let path { object["path"] = .string(path) }
                object["bytes"] = .integer(Int64(entry.bytes.count))
                object["sha256"] = .string(Self.hash(entry.bytes))
                return .object(object)
            })
        return manifest
    }

    private static func object(_ values: [Named]) -> JSONValue {
        .object(JSONObject(values.map { ($0.name, .string($0.value)) }))
    }

    /// SHA-256 in hexadecimal digits.
    static func hash(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: SHA2.sha256(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// For somebody who finds the file without knowing what it is.
    private var guide: String {
        var lines = [
            "A run of b2c with everything it depended on.", "",
            "  b2c run THIS.zip          repeats it, byte for byte, and says where it differs if it does",
            "  b2c run THIS.zip --step   the same, step by step", "", "Made by \(maker.text).",
        ]
        lines += [
            "report.json is the report of the run, trace.json the same with every request, page and event, without",
            "secrets. files/ holds what the run read. bundle.json says what else it depended on.",
        ]
        if !secrets.isEmpty {
            lines.append("These secrets were given and are not included: \(secrets.joined(separator: ", ")).")
        }
        if keepsSecrets {
            lines.append("Passwords and keys in its scripts and tenant files are as they were written.")
        } else if !replaced.isEmpty {
            lines += [
                "Passwords and keys that stood in scripts and tenant files were replaced by others of the same length:"
            ]
            lines += replaced.map { "  \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
