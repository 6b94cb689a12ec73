import CommandKit
import Diagnostics
import JSON
import PolicyRelease
import TenantFiles
import TrustFramework

/// The custom policies of a tenant at one moment, in memory: before a release, after it, or between two uploads.
package struct PolicyState {
    /// A policy with its text.
    package struct File {
        package var id: String
        package var base: String?
        /// The source file, or a path of ``tenantFolder``.
        package var path: String
        package var bytes: [UInt8]
        package var isRelyingParty: Bool
        /// ``PolicyMeaning/digest(_:)`` of the text.
        package var digest: String

        package init(_ policy: BuiltPolicy) {
            id = policy.id
            base = policy.base
            path = FilePath.normalised(policy.file)
            bytes = policy.bytes
            isRelyingParty = policy.isRelyingParty
            digest = PolicyMeaning.digest(policy.bytes)
        }

        package init(_ policy: TenantPolicy) {
            id = policy.id
            base = PolicyParent.id(of: policy.bytes)
            path = "\(PolicyState.tenantFolder)/\(policy.id).xml"
            bytes = policy.bytes
            isRelyingParty = String(decoding: policy.bytes, as: UTF8.self).contains("<RelyingParty")
            digest = PolicyMeaning.digest(policy.bytes)
        }
    }

    /// The folder that policies of the tenant seem to lie in.
    static let tenantFolder = "tenant:"

    /// By id in upper case.
    private var byID: [String: File] = [:]
    /// Ids in upper case, in order.
    private var order: [String] = []

    package init(_ files: [File]) {
        for file in files { put(file) }
    }

    package var files: [File] { order.compactMap { byID[$0] } }

    package func file(_ id: String) -> File? { byID[id.uppercased()] }

    /// Adds a policy, or puts it in the place of the one with its id.
    package mutating func put(_ file: File) {
        let key = file.id.uppercased()
        if byID.updateValue(file, forKey: key) == nil { order.append(key) }
    }

    package mutating func remove(_ id: String) {
        byID[id.uppercased()] = nil
        order.removeAll { $0 == id.uppercased() }
    }

    /// A policy and what it inherits from, as far as the state has it, the policy first.
    package func chain(_ id: String) -> [File] {
        var chain: [File] = []
        var next: String? = id
        while let id = next, let file = file(id), !chain.contains(where: { sameID($0.id, id) }) {
            chain.append(file)
            next = file.base
        }
        return chain
    }

    /// What is equal for two states that give a policy the same meaning.
    package func meaning(of id: String) -> [String] { chain(id).flatMap { [$0.id.uppercased(), $0.digest] } }

    /// A path as people read it: `tenant:B2C_1A_SignIn` for a policy of the tenant.
    package static func shown(_ path: String) -> String {
        guard path.hasPrefix(tenantFolder + "/") else { return path }
        return tenantFolder + path.dropFirst(tenantFolder.count + 1).dropLast(".xml".count)
    }

    package static func isOfTenant(_ path: String) -> Bool { path.hasPrefix(tenantFolder + "/") }

    /// The state as commands find policies.
    ///
    /// - Parameters:
    ///   - domain: The tenant's, such as `contoso.onmicrosoft.com`.
    ///   - callable: Ids of policies that apps can call; others of the state are their parents.
    package func placed(in domain: String, callable: [String]) -> PlacedPolicies {
        let json = tenantFile(in: domain, callable: callable, path: \.path)
        let texts = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        var names: [String: [String]] = [:]
        for path in texts.keys.sorted() { names[FilePath.folder(path), default: []].append(FilePath.name(path)) }
        let folders = names
        let source = PolicyFiles(read: { texts[$0] }, list: { folders[$0] })
        return PlacedPolicies(
            shown: domain, tenant: TenantFile.outline(of: json), json: json, document: nil, folder: ".", wanted: nil,
            isFolder: true, policyFiles: source, shelf: PolicyShelf(files: source))
    }

    /// A tenant with policies of the state, as a tenant file would have it.
    func tenantFile(in domain: String, callable: [String], path: (File) -> String) -> JSONValue {
        var policies = JSONObject()
        for file in callable.compactMap({ self.file($0) }) {
            policies[file.id] = ["id": .string(file.id), "type": "custom", "file": .string(path(file))]
        }
        var seen: Set<String> = []
        let folders = files.map { FilePath.folder(path($0)) }.filter { seen.insert($0).inserted }
        return [
            "name": .string(Self.name(domain)), "policies": .object(policies),
            "policyFolders": .array(folders.map { .string($0) }), "users": DemoPeople.json,
        ]
    }

    /// The short name of a tenant.
    private static func name(_ domain: String) -> String {
        let name = domain.split(separator: ".").first.map(String.init) ?? ""
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 < 0x80 && ($0 == 0x2D || $0 >= 0x30 && $0 != 0x5F) }
        return isName && !name.contains("{") && !TenantPlaceholder.isOne(name) ? name : "contoso"
    }
}

/// A state with its policies linked, each once.
package final class LinkedState {
    let state: PolicyState
    private let domain: String
    private let found: PlacedPolicies
    private var sides: [String: Result<PolicyComparison.Side, InvalidInput>] = [:]

    /// - Parameter callable: Ids of the policies that are linked and played.
    init(_ state: PolicyState, domain: String, callable: [String]) {
        self.state = state
        self.domain = domain
        found = state.placed(in: domain, callable: callable)
    }

    /// A policy as one side of a comparison.
    func side(_ id: String) throws(InvalidInput) -> PolicyComparison.Side {
        if let known = sides[id.uppercased()] { return try known.get() }
        let linked: Result<PolicyComparison.Side, InvalidInput>
        do throws(InvalidInput) {
            guard let settings = found.tenant.policy(id: id) else {
                throw InvalidInput(Diagnostic(rule: "B2C-POL-091", "there is no policy \(id)"))
            }
            let policy = try found.shelf.policy(settings, tenant: found.tenant, folder: found.folder)
            linked = .success(PolicyComparison.Side(found: found, settings: settings, policy: policy))
        } catch {
            linked = .failure(error)
        }
        sides[id.uppercased()] = linked
        return try linked.get()
    }

    /// Why a policy does not link; empty: it does.
    func problems(_ id: String) -> [Diagnostic] {
        do throws(InvalidInput) {
            _ = try side(id)
            return []
        } catch {
            return error.diagnostics.filter { $0.severity == .error }
        }
    }
}
