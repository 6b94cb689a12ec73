import CommandKit
import Determinism
import Diagnostics
import JSON
import PolicyTools

/// Where tools may read and write, and what they may reach.
package struct AgentWorkspace: Sendable {
    /// A real path. The process has changed to it, so relative paths are those of the commands.
    package var root: String
    /// Whether tools may reach a live tenant.
    package var allowsLive: Bool

    package init(root: String, allowsLive: Bool) {
        self.root = root
        self.allowsLive = allowsLive
    }

    /// The path as commands show it, without dots. There may be nothing at it yet.
    ///
    /// - Throws: A refusal if it is outside of the root: by `..`, as an absolute path or through a link.
    func path(_ given: String) throws(AgentRefusal) -> String {
        let whole = FilePath.normalised(FilePath.resolve(given, in: root))
        var existing = whole
        while FileSystem.real(existing) == nil, existing != "/" { existing = FilePath.folder(existing) }
        guard isInside(whole), let real = FileSystem.real(existing), isInside(real) else {
            throw AgentRefusal(
                "\(given) is outside of the root folder of this server. Name a path below it, or start the server with "
                    + "another root")
        }
        return FilePath.relative(whole, to: Machine.currentFolder)
    }

    private func isInside(_ path: String) -> Bool { path == root || path.hasPrefix(root == "/" ? root : root + "/") }

    /// The path of a file that commands name.
    func path(inside shown: String) throws(AgentRefusal) -> String { try path(FilePath.absolute(shown)) }

    /// The content of a file that commands name; `nil` for one outside of the root.
    func read(_ shown: String) -> [UInt8]? {
        (try? path(inside: shown)) == nil ? nil : try? FileSystem.read(shown)
    }
}

/// Why a tool does nothing: what is wrong and what to do next.
struct AgentRefusal: Error {
    var text: String
    var findings: [Diagnostic]

    init(_ text: String, findings: [Diagnostic] = []) {
        self.text = text
        self.findings = findings
    }
}

/// What every tool of a server has.
struct AgentContext: Sendable {
    let workspace: AgentWorkspace
    let reports: AgentReports
    let clock: any WallClock
    /// Policies of earlier calls.
    let shelf = AgentShelf()

    /// The policies that the arguments `folder`, `policy` and `environment` name.
    func policies(_ arguments: JSONObject) throws -> PlacedPolicies {
        let path = try workspace.path(try arguments.text("folder"))
        let isTenant = FileSystem.kind(path) == .file && !path.lowercased().hasSuffix(".xml")
        let policy = arguments["policy"]?.stringValue
        guard !isTenant else { return try shelf.policies(PolicySource(tenant: path, policy: policy), in: workspace) }
        return try shelf.policies(
            PolicySource(
                place: path, policy: policy, values: .init(environment: arguments["environment"]?.stringValue)),
            in: workspace)
    }
}

extension JSONObject {
    /// An argument that is required.
    func text(_ name: String) throws(AgentRefusal) -> String {
        guard let text = self[name]?.stringValue else { throw AgentRefusal("`\(name)` is required, and is a string") }
        return text
    }
}
