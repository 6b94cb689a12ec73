import Diagnostics
import JSON

extension ReproductionBundle {
    /// What was read.
    public struct Opened: Sendable {
        /// The bundle.
        public var bundle: ReproductionBundle
        /// Entries that are not as they were when the bundle was made, in the order of the archive; empty unless that is
        /// allowed.
        public var altered: [String]
    }

    /// Reads a bundle.
    ///
    /// - Parameter allowAltered: Takes entries as they are now, though they were changed since the bundle was made.
    /// - Throws: ``BundleProblem`` for anything that is not a bundle, is damaged or was altered.
    public static func open(_ bytes: [UInt8], allowAltered: Bool = false) throws(BundleProblem) -> Opened {
        let entries: [ArchiveEntry]
        do throws(ArchiveProblem) {
            entries = try ZIPReader.entries(bytes)
        } catch {
            throw BundleProblem(error.description)
        }
        var contents: [String: [UInt8]] = [:]
        for entry in entries { contents[entry.name] = entry.bytes }
        guard let text = contents[BundleEntry.manifest] else {
            throw BundleProblem("it has no entry \(BundleEntry.manifest): it was not made by `b2c run --bundle`")
        }
        let manifest: JSONValue
        do throws(InvalidInput) {
            manifest = try JSONParser.parse(text, file: BundleEntry.manifest)
        } catch {
            let reason = error.diagnostics.first.map { ": \($0.message)" } ?? ""
            throw BundleProblem("\(BundleEntry.manifest) is not JSON\(reason)")
        }
        let reader = ManifestReader(manifest)
        try reader.checkVersion()
        let listed = try reader.entries()
        let altered = try Self.altered(entries, contents, text, listed)
        if let first = altered.first, !allowAltered {
            let more = altered.count == 1 ? "" : " (and \(altered.count - 1) more)"
            throw BundleProblem(
                "\(first.name) \(first.how) since the bundle was made\(more); --allow-altered runs it as it is now")
        }
        func content(_ name: String) throws(BundleProblem) -> [UInt8] {
            guard let bytes = contents[name] else { throw BundleProblem("it has no entry \(name)") }
            return bytes
        }
        var files: [File] = []
        var paths: Set<String> = []
        for entry in listed {
            guard let path = entry.path else { continue }
            guard paths.insert(path).inserted else {
                throw BundleProblem("\(BundleEntry.manifest) names the file \(path) twice")
            }
            files.append(File(path: path, bytes: try content(entry.name)))
        }
        let bundle = ReproductionBundle(
            maker: try reader.maker(), seed: try reader.seed(), drawsOrder: try reader.drawsOrder(),
            scripts: try reader.scripts(files),
            cases: try reader.texts("cases"), bail: try reader.bail(), variables: try reader.values("variables"),
            environment: try reader.values("environment"), secrets: try reader.texts("secrets"),
            replaced: try reader.optionalTexts("replaced"), keepsSecrets: try reader.keepsSecrets(), files: files,
            report: try content(BundleEntry.report), trace: try content(BundleEntry.trace))
        return Opened(bundle: bundle, altered: altered.map(\.name))
    }

    private static func altered(
        _ entries: [ArchiveEntry], _ contents: [String: [UInt8]], _ manifest: [UInt8],
        _ listed: [ManifestReader.Entry]
    ) throws(BundleProblem) -> [(name: String, how: String)] {
        var altered: [(name: String, how: String)] = []
        let seal = contents[BundleEntry.seal].map { String(decoding: $0, as: UTF8.self) }
        if seal?.split(separator: " ").first.map(String.init) != hash(manifest) {
            altered.append((BundleEntry.manifest, "was altered"))
        }
        var hashes: [String: String] = [:]
        for entry in listed {
            guard hashes.updateValue(entry.hash, forKey: entry.name) == nil else {
                throw BundleProblem("\(BundleEntry.manifest) names the entry \(entry.name) twice")
            }
        }
        for entry in entries where entry.name != BundleEntry.manifest && entry.name != BundleEntry.seal {
            if let wanted = hashes[entry.name] {
                if hash(entry.bytes) != wanted { altered.append((entry.name, "was altered")) }
            } else {
                altered.append((entry.name, "was added"))
            }
        }
        for entry in listed where contents[entry.name] == nil {
            throw BundleProblem("its entry \(entry.name) is missing")
        }
        return altered
    }
}

/// Reads the manifest of a bundle, member by member.
struct ManifestReader {
    struct Entry {
        var name: String
        var path: String?
        var hash: String
    }

    private let root: JSONValue

    init(_ root: JSONValue) {
        self.root = root
    }

    func checkVersion() throws(BundleProblem) {
        guard let version = root["version"]?.intValue else { throw wrong("version", "a number") }
        guard (1...ReproductionBundle.version).contains(version) else {
            throw BundleProblem(
                "it is a bundle of version \(version), and this b2c reads versions up to \(ReproductionBundle.version): take a newer one"
            )
        }
    }

    func seed() throws(BundleProblem) -> UInt64 {
        guard let seed = root["seed"]?.stringValue.flatMap({ UInt64($0) }) else {
            throw wrong("seed", "a whole number as a text")
        }
        return seed
    }

    func maker() throws(BundleProblem) -> ReproductionBundle.Producer {
        ReproductionBundle.Producer(
            tool: try text(root["made"]?["b2c"], "made/b2c"), swift: try text(root["made"]?["swift"], "made/swift"),
            system: try text(root["made"]?["system"], "made/system"))
    }

    /// Bundles of version 1 have no drawn order.
    func drawsOrder() throws(BundleProblem) -> Bool {
        guard let order = root["order"] else { return false }
        guard order.stringValue == "drawn" else { throw wrong("order", "\"drawn\", or not there") }
        return true
    }

    func bail() throws(BundleProblem) -> Bool {
        guard let value = root["bail"]?.boolValue else { throw wrong("bail", "true or false") }
        return value
    }

    func texts(_ name: String) throws(BundleProblem) -> [String] {
        guard let values = root[name]?.arrayValue else { throw wrong(name, "a list of texts") }
        var texts: [String] = []
        for (index, value) in values.enumerated() { texts.append(try text(value, "\(name)/\(index)")) }
        return texts
    }

    /// A list that bundles of older versions of b2c do not have.
    func optionalTexts(_ name: String) throws(BundleProblem) -> [String] {
        root[name] == nil ? [] : try texts(name)
    }

    /// Older bundles hold what was written as it was.
    func keepsSecrets() throws(BundleProblem) -> Bool {
        guard let written = root["keepsSecrets"] else { return true }
        guard let value = written.boolValue else { throw wrong("keepsSecrets", "true or false") }
        return value
    }

    func values(_ name: String) throws(BundleProblem) -> [ReproductionBundle.Named] {
        guard let object = root[name]?.objectValue else { throw wrong(name, "an object of names and texts") }
        var values: [ReproductionBundle.Named] = []
        for (key, value) in object.members {
            values.append(ReproductionBundle.Named(key, try text(value, "\(name)/\(key)")))
        }
        return values
    }

    func scripts(_ files: [ReproductionBundle.File]) throws(BundleProblem) -> [ReproductionBundle.Script] {
        guard let values = root["scripts"]?.arrayValue, !values.isEmpty else {
            throw wrong("scripts", "a list of scripts")
        }
        var scripts: [ReproductionBundle.Script] = []
        for (index, value) in values.enumerated() {
            let path = try text(value["path"], "scripts/\(index)/path")
            guard files.contains(where: { $0.path == path }) else {
                throw BundleProblem("\(BundleEntry.manifest) names the script \(path), and no entry holds it")
            }
            var step: String?
            if let written = value["step"] { step = try text(written, "scripts/\(index)/step") }
            scripts.append(
                ReproductionBundle.Script(
                    path: path, step: step, clock: try text(value["clock"], "scripts/\(index)/clock")))
        }
        return scripts
    }

    func entries() throws(BundleProblem) -> [Entry] {
        guard let values = root["entries"]?.arrayValue else { throw wrong("entries", "a list of entries") }
        var entries: [Entry] = []
        for (index, value) in values.enumerated() {
            var path: String?
            if let written = value["path"] { path = try text(written, "entries/\(index)/path") }
            entries.append(
                Entry(
                    name: try text(value["name"], "entries/\(index)/name"), path: path,
                    hash: try text(value["sha256"], "entries/\(index)/sha256")))
        }
        return entries
    }

    private func text(_ value: JSONValue?, _ place: String) throws(BundleProblem) -> String {
        guard let text = value?.stringValue else { throw wrong(place, "a text") }
        return text
    }

    private func wrong(_ place: String, _ wanted: String) -> BundleProblem {
        BundleProblem("\(BundleEntry.manifest): /\(place) must be \(wanted)")
    }
}
