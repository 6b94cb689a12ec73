import CommandFiles
import CommandKit
import Diagnostics
import JSON
import TrustFramework
import Validation

/// A refusal of an upload, error by error: what the service says, the rule, and where it is in the policies.
struct RefusalExplanation {
    private let refusal: ServiceRefusalText
    private let places: [Diagnostic]

    /// - Parameter folder: Where the policies are; `nil`: the current folder, if it has the policy.
    /// - Returns: `nil` if the text is not such a refusal, or a single error that has no place in the policies: the rule
    ///   says all of it then.
    init?(_ text: String, folder: String?) throws {
        guard let refusal = ServiceRefusalText(text) else { return nil }
        let files = try Self.policies(folder)
        let isOurs = files.contains { file in
            refusal.policy.map { PolicyReader.peekPolicyID(file.bytes)?.uppercased() == $0.uppercased() } ?? false
        }
        places = folder == nil && !isOurs ? refusal.placed(in: []) : refusal.placed(in: files)
        guard refusal.items.count > 1 || places.contains(where: { $0.location != nil }) else { return nil }
        self.refusal = refusal
    }

    /// One for each error.
    var explanations: [Explanation] {
        zip(refusal.items, places).enumerated().map { number, pair in
            let (item, place) = pair
            var facts = [("service says", Self.shown(item.text))]
            if !item.rules.isEmpty { facts.append(("rule", namesList(item.rules))) }
            if let remedy = place.remedy { facts.append(("fix", remedy)) }
            if place.location == nil { facts.append(("find it", "b2c explain --policies FOLDER says where")) }
            let count = refusal.items.count
            return Explanation(
                title: "error \(number + 1) of \(count)" + (place.location.map { "  \($0)" } ?? ""), facts: facts)
        }
    }

    /// For programs.
    var json: JSONObject {
        var object = JSONObject()
        if let policy = refusal.policy { object["policy"] = .string(policy) }
        if let tenant = refusal.tenant { object["tenant"] = .string(tenant) }
        object["errors"] = .array(
            zip(refusal.items, places).map { item, place in
                var error: JSONObject = [
                    "text": .string(Self.shown(item.text)), "rules": .array(item.rules.map { .string($0) }),
                ]
                if let location = place.location {
                    error["file"] = .string(location.file)
                    if let line = location.line { error["line"] = .integer(Int64(line)) }
                    if let column = location.column { error["column"] = .integer(Int64(column)) }
                }
                if let remedy = place.remedy { error["fix"] = .string(remedy) }
                return .object(error)
            })
        return object
    }

    /// Values of a schema error may be secrets.
    private static func shown(_ text: String) -> String { SecretText.masked(text) }

    // MARK: The files

    private static let mostDepth = 4

    private static func policies(_ folder: String?) throws -> [SourceText] {
        if let folder, FileSystem.kind(folder) != .folder {
            throw Failure.input("--policies: there is no folder \(folder)")
        }
        var files: [SourceText] = []
        add(folder.map { FilePath.relative($0, to: Machine.currentFolder) } ?? ".", depth: 0, to: &files)
        return files
    }

    private static func add(_ folder: String, depth: Int, to files: inout [SourceText]) {
        for name in (try? FileSystem.names(in: folder)) ?? [] {
            let path = folder == "." ? name : FilePath.join(folder, name)
            switch FileSystem.kind(path) {
            case .folder where depth < mostDepth && ProjectFinder.takes(folder: name) && !FileSystem.isLink(path):
                add(path, depth: depth + 1, to: &files)
            case .file where name.lowercased().hasSuffix(".xml"):
                // The service takes 1024 KB; a larger file is none of its policies.
                guard let bytes = try? FileSystem.read(path, limit: 1 << 20), bytes.count <= 1 << 20,
                    PolicyReader.peekPolicyID(bytes) != nil
                else { continue }
                files.append(SourceText(file: path, bytes: bytes))
            default: break
            }
        }
    }
}
