import CommandKit
import Diagnostics
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles

/// A file that the arguments lead to.
package struct FoundFile {
    package enum Content {
        case scenario, tenant
        /// `b2c.json`.
        case project
    }

    /// The path from the current folder.
    package var path: String
    package var content: Content
    package var bytes: [UInt8]
    /// Id of the last step to run: `file.json#step`.
    package var step: String?

    package init(
        path: String, content: Content, bytes: [UInt8], step: String? = nil
    ) {
        self.path = path
        self.content = content
        self.bytes = bytes
        self.step = step
    }
}

/// Finds scenario and tenant files: those named, and in named folders those that their content shows to be such files.
package struct FileFinder {
    /// Folders whose files are never scenarios.
    private static let otherFolders: Set<String> = ["schemas", "policies", "node_modules"]
    private static let mostDepth = 40

    private let current = Machine.currentFolder
    package private(set) var files: [FoundFile] = []
    package private(set) var findings: [Diagnostic] = []
    /// Files in folders that are neither, with the reason; shown with `--verbose`.
    package private(set) var passedOver: [String] = []
    private var seen: Set<String> = []

    package init() {}

    /// What `run` and `check` take when no path is given.
    package static var usualPaths: [String] { FileSystem.kind("scenarios") == .folder ? ["scenarios"] : ["."] }

    /// Takes one argument: a file, a folder, or `file.json#step`.
    package mutating func add(_ argument: String) {
        var selection = ScenarioSelection(parsing: argument)
        if FileSystem.kind(selection.path) == nil, FileSystem.kind(argument) != nil {
            selection = ScenarioSelection(parsing: "")
            selection.path = argument
        }
        let path = FilePath.relative(selection.path, to: current)
        switch FileSystem.kind(path) {
        case nil:
            let near = nearestName(FilePath.name(path), among: (try? FileSystem.names(in: FilePath.folder(path))) ?? [])
            fail(
                path, "there is no file or folder \(argument)",
                near.map { "Did you mean \(FilePath.join(FilePath.folder(path), $0))?" })
        case .folder:
            if selection.step != nil {
                fail(path, "#\(selection.step ?? "") goes with a file, and \(path) is a folder")
            }
            addFolder(path, depth: 0)
        case .file, .other:
            addFile(path, step: selection.step, isNamed: true)
        }
    }

    private mutating func addFolder(_ folder: String, depth: Int) {
        guard depth < Self.mostDepth else {
            fail(folder, "folders lie more than \(Self.mostDepth) deep here")
            return
        }
        let names: [String]
        do {
            names = try FileSystem.names(in: folder)
        } catch {
            fail(folder, "cannot be listed: \(error.text)")
            return
        }
        for name in names where !name.hasPrefix(".") {
            let path = FilePath.join(folder, name)
            switch FileSystem.kind(path) {
            case .folder:
                // A link to a folder may lead round in a circle.
                guard !Self.otherFolders.contains(name), !FileSystem.isLink(path) else { continue }
                addFolder(path, depth: depth + 1)
            case .file:
                if name.lowercased().hasSuffix(".json") { addFile(path, step: nil, isNamed: false) }
            case .other, nil:
                continue
            }
        }
    }

    private mutating func addFile(_ path: String, step: String?, isNamed: Bool) {
        let bytes: [UInt8]
        do {
            bytes = try FileSystem.read(path)
        } catch {
            fail(path, "cannot be read: \(error.text)")
            return
        }
        let content: FoundFile.Content
        switch Self.recognize(bytes, name: FilePath.name(path), isNamed: isNamed) {
        case .content(let known):
            content = known
        case .other:
            passedOver.append("\(path) is neither a scenario nor a tenant file")
            return
        case .broken:
            findings.append(
                Diagnostic(
                    .warning, rule: "B2C-CLI-003", "this is not JSON and is passed over",
                    remedy: "`b2c check \(path)` says what is wrong with it.", at: SourceLocation(file: path)))
            return
        }
        guard seen.insert(path + "#" + (step ?? "")).inserted else { return }
        files.append(FoundFile(path: path, content: content, bytes: bytes, step: step))
    }

    private enum Recognized {
        case content(FoundFile.Content), other, broken
    }

    /// What a file is, by its members. A file that the user named counts as a scenario when in doubt, one that was
    /// found is ignored, unless it is broken and names steps.
    private static func recognize(_ bytes: [UInt8], name: String, isNamed: Bool) -> Recognized {
        if name == ProjectSettings.name, !contains(bytes.prefix(1 << 20), "\"steps\"") { return .content(.project) }
        guard bytes.count <= JSONLimits.bytes, let root = try? JSONParser.parse(bytes) else {
            let start = bytes.prefix(1 << 20)
            let speaksOfSteps = contains(start, "\"steps\"") || contains(start, "scenario.schema")
            return isNamed || speaksOfSteps ? .content(.scenario) : .broken
        }
        guard case .object(let object) = root else { return isNamed ? .content(.scenario) : .other }
        let schema = object["$schema"]?.stringValue ?? ""
        let kind = object["kind"]?.stringValue.flatMap { TargetKind(rawValue: $0) }
        if object["steps"] == nil, schema.hasSuffix("target.schema.json") || kind != nil { return .other }
        if schema.hasSuffix("scenario.schema.json") || object["steps"] != nil { return .content(.scenario) }
        if schema.hasSuffix("tenant.schema.json") || schema.isEmpty && looksLikeTenant(object) {
            return .content(.tenant)
        }
        return isNamed || object["tenant"] != nil && object["name"] != nil ? .content(.scenario) : .other
    }

    private static func looksLikeTenant(_ object: JSONObject) -> Bool {
        object["name"]?.stringValue != nil && object["tenant"] == nil
            && ["policies", "apps", "users", "apis", "hosts"].contains { object[$0] != nil }
    }

    private static func contains(_ bytes: some Collection<UInt8>, _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        let all = Array(bytes)
        guard all.count >= wanted.count else { return false }
        return (0...(all.count - wanted.count)).contains {
            all[$0] == wanted[0] && all[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }

    private mutating func fail(_ path: String, _ message: String, _ remedy: String? = nil) {
        findings.append(
            Diagnostic(rule: "B2C-CLI-001", message, remedy: remedy, at: SourceLocation(file: path)))
    }
}
