import Determinism
import Diagnostics
import JSON
import Synchronization
import TenantFiles

/// Custom policies as they are read from files, each file read once however many scenarios play in it. What has changed
/// on the disk since is not noticed: make a new shelf.
///
/// Linked policies are large and linking takes half a millisecond, so those asked for last are kept: as many as the largest
/// tenant has, each patch of which asks for all of them, and some more.
///
/// What is wrong with a custom policy shows only when it is linked, so a tenant with custom policies links each of them
/// once. User flows whose settings differ in nothing but name and id have the same findings: the first of them is linked
/// when the tenant is loaded, the others when something uses them.
public final class PolicyShelf: Sendable {
    /// A folder with policy files.
    private struct Folder: Sendable {
        /// Paths of policies by id in upper case; of two files with one id the first.
        var byID: [String: String] = [:]
        /// Second files with an id that is taken: path, and the first file.
        var doubles: [(path: String, first: String, id: String)] = []
        /// XML files that are not policies.
        var unreadable: [String] = []
        /// XML files that are not to be read, and why.
        var refused: [(path: String, why: String)] = []
    }

    /// What a user flow compiles from.
    private struct FlowKey: Hashable, Sendable {
        var settings: PolicySettings
        /// The number of its surroundings.
        var surroundings: Int
        var packs: [TextPack]

        /// The same for all user flows that differ in name and id only. These two get into places, ids and texts of the
        /// policy, which no check reads: if one of the flows links, so do the others.
        var shape: FlowKey {
            var shape = self
            shape.settings.name = ""
            shape.settings.id = ""
            return shape
        }
    }

    /// What a custom policy is linked from, besides files.
    private struct PolicyKey: Hashable, Sendable {
        var path: String
        var production: Bool?
        /// Language and files of each entry of `texts`.
        var texts: [[String]]
        /// The number of its surroundings.
        var surroundings: Int
    }

    /// What the custom policies of a tenant are linked from, besides what is their own.
    private struct CustomKey: Hashable, Sendable {
        var domain: String
        var unknownElements: String
        var defaults: PolicyDefaults
        var folders: [String]
        /// Names and values of settings, in turn.
        var values: [String]
    }

    /// What is the same for all custom policies of a tenant, found out once for all of them.
    private struct CustomSurroundings {
        var values: [(name: String, value: String)]
        var folders: [String]
        var number: Int
    }

    /// What is the same for all user flows of a tenant.
    private struct NumberedFlowSurroundings {
        var value: FlowSurroundings
        var number: Int
    }

    /// Numbers in the place of values, so that a key of one policy does not hold all that is around it: equal values have
    /// one number, and no two values ever have the same.
    private struct Numbers<Value: Hashable & Sendable>: Sendable {
        private var known = RecentlyUsed<Value, Int>(limit: PolicyShelf.spare)
        private var last = 0

        mutating func number(of value: Value) -> Int {
            if let number = known.value(value) { return number }
            last += 1
            known.keep(last, for: value)
            return last
        }
    }

    /// The place of a policy, from before it is made: scenarios that ask for it at the same time wait for the one that
    /// makes it.
    private final class Slot: Sendable {
        private let policy = Mutex<Result<ResolvedPolicy, InvalidInput>?>(nil)

        func policy(
            _ make: () -> Result<ResolvedPolicy, InvalidInput>
        ) -> Result<ResolvedPolicy, InvalidInput> {
            policy.withLock { policy in
                if let policy { return policy }
                let made = make()
                policy = made
                return made
            }
        }
    }

    /// How many policies were linked.
    private final class LinkCount: Sendable {
        let links = Atomic<Int>(0)
    }

    /// So many linked policies are kept beyond those of the largest tenant: what patches have replaced.
    private static let spare = 128

    private struct State: Sendable {
        var bytes: [String: [UInt8]] = [:]
        var folders: [String: Folder] = [:]
        var documents: [String: Result<PolicyDocument, InvalidInput>] = [:]
        var policies = RecentlyUsed<PolicyKey, Slot>(limit: PolicyShelf.spare)
        var flows = RecentlyUsed<FlowKey, Slot>(limit: PolicyShelf.spare)
        /// Shapes of which a user flow has linked.
        var shapes = RecentlyUsed<FlowKey, Bool>(limit: PolicyShelf.spare)
        var flowSurroundings = Numbers<FlowSurroundings>()
        var customSurroundings = Numbers<CustomKey>()
        var settings: [String: Result<PolicyEnvironments, InvalidInput>] = [:]
        var packs: [String: Result<TextPack, InvalidInput>] = [:]

        mutating func makeRoom(for tenant: Tenant) {
            let most = tenant.policies.count + PolicyShelf.spare
            policies.allow(most)
            flows.allow(most)
            shapes.allow(most)
        }
    }

    private let files: PolicyFiles
    private let state = Mutex(State())
    private let count = LinkCount()

    /// How many policies were linked so far: for tests of how work grows.
    package var linkedPolicies: Int { count.links.load(ordering: .relaxed) }

    public init(files: PolicyFiles) {
        self.files = files
    }

    // MARK: Tenants

    /// All policies of a tenant in the order of its file. Policies that cannot run yet are skipped.
    ///
    /// - Parameter folder: The folder of the tenant file.
    /// - Throws: All findings of all policies together. Those about the tenant file have a JSON pointer and no line.
    public func load(tenant: Tenant, folder: String) throws(InvalidInput) -> [ResolvedPolicy] {
        var policies: [ResolvedPolicy] = []
        var findings: [Diagnostic] = []
        let surroundings = flowSurroundings(of: tenant)
        var custom: CustomSurroundings?
        for settings in tenant.policies where settings.unsupported == nil {
            do throws(InvalidInput) {
                policies.append(
                    settings.type == .custom
                        ? try policy(settings, &custom, tenant: tenant, folder: folder)
                        : try userFlow(settings, surroundings, tenant: tenant, folder: folder))
            } catch {
                findings += error.diagnostics
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return policies
    }

    /// A compiled user flow. Most patches of a script change one policy or none: the others are not compiled again.
    private func userFlow(
        _ settings: PolicySettings, _ surroundings: NumberedFlowSurroundings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        let key = FlowKey(
            settings: settings, surroundings: surroundings.number,
            packs: try packs(settings, tenant: tenant, folder: folder))
        let slot = state.withLock { state -> Slot in
            if let known = state.flows.value(key) { return known }
            let slot = Slot()
            state.flows.keep(slot, for: key)
            return slot
        }
        return try slot.policy { userFlow(key, surroundings.value) }.get()
    }

    private func userFlow(
        _ key: FlowKey, _ surroundings: FlowSurroundings
    ) -> Result<ResolvedPolicy, InvalidInput> {
        let shape = key.shape
        if state.withLock({ $0.shapes.value(shape) }) != nil { return .success(later(key, surroundings)) }
        do throws(InvalidInput) {
            let policy = try now(key, surroundings)
            state.withLock { $0.shapes.keep(true, for: shape) }
            return .success(policy)
        } catch {
            return .failure(error)
        }
    }

    /// A user flow, linked.
    private func now(_ key: FlowKey, _ surroundings: FlowSurroundings) throws(InvalidInput) -> ResolvedPolicy {
        count.links.add(1, ordering: .relaxed)
        return ResolvedPolicy(try UserFlowCompiler.linked(key.settings, in: surroundings, packs: key.packs))
    }

    /// A user flow that is known to link, to be linked when something uses it.
    private func later(_ key: FlowKey, _ surroundings: FlowSurroundings) -> ResolvedPolicy {
        // Only the count is kept: the shelf holds the policy, so the policy must not hold the shelf.
        let count = count
        return ResolvedPolicy(id: key.settings.id, personality: UserFlowCompiler.personality(key.settings)) {
            count.links.add(1, ordering: .relaxed)
            do throws(InvalidInput) {
                return try UserFlowCompiler.linked(key.settings, in: surroundings, packs: key.packs)
            } catch {
                preconditionFailure("a user flow does not link, and one with the same settings does: \(error)")
            }
        }
    }

    private func flowSurroundings(of tenant: Tenant) -> NumberedFlowSurroundings {
        let value = FlowSurroundings(of: tenant)
        let number = state.withLock { state in
            state.makeRoom(for: tenant)
            return state.flowSurroundings.number(of: value)
        }
        return NumberedFlowSurroundings(value: value, number: number)
    }

    /// The files that the custom policies of a tenant were read from, with their paths as seen from the tenant file: for
    /// handing a tenant over to somebody who has another disk. Only what `load` has read is known.
    public func texts(of tenant: Tenant, folder: String) -> [(path: String, text: String)] {
        var folders = Set(tenant.policyFolders.map { PolicyPath.resolve($0, in: folder) })
        for policy in tenant.policies where policy.type == .custom {
            if let file = policy.file { folders.insert(PolicyPath.folder(of: PolicyPath.resolve(file, in: folder))) }
        }
        let settings = tenant.policySettingsFile.map { PolicyPath.resolve($0, in: folder) }
        let packs = Set(tenant.policies.flatMap(\.texts).flatMap(\.files).map { PolicyPath.resolve($0, in: folder) })
        let known = state.withLock { $0.bytes }
        return known.keys.sorted().filter {
            $0 == settings || packs.contains($0) || folders.contains(PolicyPath.folder(of: $0))
        }.map {
            path in
            (PolicyPath.relative(path, to: folder), String(decoding: known[path] ?? [], as: UTF8.self))
        }
    }

    /// The policy of a user flow with its text packs.
    public func compile(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        try userFlow(settings, flowSurroundings(of: tenant), tenant: tenant, folder: folder)
    }

    /// What the files of a policy's `texts` hold, in their order. Each file is read once.
    ///
    /// - Throws: All findings of all files. Those about the tenant file have a JSON pointer and no line.
    public func packs(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [TextPack] {
        guard !settings.texts.isEmpty else { return [] }
        var packs: [TextPack] = []
        var findings: [Diagnostic] = []
        for entry in settings.texts {
            for (index, written) in entry.files.enumerated() {
                let isList = entry.files.count > 1
                let place = SourceLocation(
                    file: "tenant \(tenant.name)",
                    pointer: JSONPointer(
                        tokens: ["policies", settings.name, "texts", entry.language] + (isList ? [String(index)] : [])
                    ).description)
                do throws(InvalidInput) {
                    packs.append(try pack(written, language: entry.language, folder: folder, at: place))
                } catch {
                    findings += error.diagnostics
                }
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return packs
    }

    private func pack(
        _ written: String, language: String, folder: String, at place: SourceLocation
    ) throws(InvalidInput) -> TextPack {
        func refuse(_ message: String, _ remedy: String) -> InvalidInput {
            InvalidInput(Diagnostic(rule: "B2C-TXT-001", message, remedy: remedy, at: place))
        }
        let path = PolicyPath.resolve(written, in: folder)
        let seen = PolicyPath.relative(path, to: folder)
        if written.hasPrefix("/") || seen == ".." || seen.hasPrefix("../") {
            throw refuse(
                "text pack \(written) lies outside the folder of the tenant file",
                "Put the file below that folder, and write the path as seen from there.")
        }
        if let why = files.refusal(path) {
            throw refuse("text pack \(path) \(why)", "Name a regular file below the folder of the tenant file.")
        }
        guard let bytes = bytes(path) else {
            let names = files.list(PolicyPath.folder(of: path)) ?? []
            let near = nearestName(path.split(separator: "/").last.map(String.init) ?? path, among: names)
            throw refuse(
                "there is no text pack \(path)",
                near.map { "Did you mean \($0)?" } ?? "Paths are relative to the tenant file.")
        }
        let key = [path, language.lowercased()].joined(separator: "\u{0}")
        if let known = state.withLock({ $0.packs[key] }) { return try known.get() }
        let read: Result<TextPack, InvalidInput>
        do throws(InvalidInput) {
            read = .success(try TextPack.read(file: path, bytes: bytes, language: language))
        } catch {
            read = .failure(error)
        }
        state.withLock { $0.packs[key] = read }
        return try read.get()
    }

    /// A custom policy of a tenant file, linked with its parents: those in its own folder first, then those in the
    /// tenant file's `policyFolders` in their order, then the base that is built in.
    public func policy(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        var surroundings: CustomSurroundings?
        return try policy(settings, &surroundings, tenant: tenant, folder: folder)
    }

    /// - Parameter known: What the custom policies of the tenant share; filled in by the first that asks for it.
    private func policy(
        _ settings: PolicySettings, _ known: inout CustomSurroundings?, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        let place = SourceLocation(file: "tenant \(tenant.name)", pointer: "/policies/\(settings.name)/file")
        guard let written = settings.file else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091", "policy \"\(settings.name)\" has type custom and no `file`",
                    remedy: "Name the XML file of its relying party.", at: place))
        }
        let path = PolicyPath.resolve(written, in: folder)
        if let why = files.refusal(path) {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091", "policy file \(path) \(why)",
                    remedy: "Put the file into a folder that the tenant file names.", at: place))
        }
        guard bytes(path) != nil else {
            let near = nearestName(
                path.split(separator: "/").last.map(String.init) ?? path,
                among: files.list(PolicyPath.folder(of: path)) ?? [])
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091", "there is no policy file \(path)",
                    remedy: near.map { "Did you mean \($0)?" } ?? "Paths are relative to the tenant file.", at: place))
        }
        let surroundings: CustomSurroundings
        if let known {
            surroundings = known
        } else {
            surroundings = try self.surroundings(tenant: tenant, folder: folder)
        }
        known = surroundings
        let packs = try packs(settings, tenant: tenant, folder: folder)
        let key = PolicyKey(
            path: path, production: settings.production, texts: settings.texts.map { [$0.language] + $0.files },
            surroundings: surroundings.number)
        let slot = state.withLock { state -> Slot in
            if let known = state.policies.value(key) { return known }
            let slot = Slot()
            state.policies.keep(slot, for: key)
            return slot
        }
        let policy = try slot.policy {
            do throws(InvalidInput) {
                return .success(try link(path, settings, surroundings, tenant: tenant, packs: packs))
            } catch {
                return .failure(error)
            }
        }.get()
        guard sameID(policy.id, settings.id) else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091",
                    "policy \"\(settings.name)\" has the id \(settings.id), and the PolicyId of \(path) is \(policy.id)",
                    remedy: "Write \"id\": \"\(policy.id)\".",
                    at: SourceLocation(file: place.file, pointer: "/policies/\(settings.name)/id")))
        }
        return policy
    }

    private func surroundings(tenant: Tenant, folder: String) throws(InvalidInput) -> CustomSurroundings {
        let values = try values(tenant: tenant, folder: folder)
        let folders = tenant.policyFolders.map { PolicyPath.resolve($0, in: folder) }
        let key = CustomKey(
            domain: tenant.domain, unknownElements: "\(tenant.authority.unknownElements)",
            defaults: tenant.authority.defaults, folders: folders, values: values.flatMap { [$0.name, $0.value] })
        let number = state.withLock { state in
            state.makeRoom(for: tenant)
            return state.customSurroundings.number(of: key)
        }
        return CustomSurroundings(values: values, folders: folders, number: number)
    }

    /// The ids that a custom policy inherits from, nearest first.
    public func parents(
        of settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [String] {
        try chain(settings, tenant: tenant, folder: folder).dropLast().reversed().map(\.policyID)
    }

    /// A custom policy's own file as it was read, without its parents.
    public func own(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> PolicyDocument {
        let chain = try chain(settings, tenant: tenant, folder: folder)
        return chain[chain.count - 1]
    }

    private func chain(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [PolicyDocument] {
        let path = PolicyPath.resolve(settings.file ?? "", in: folder)
        let folders = [PolicyPath.folder(of: path)] + tenant.policyFolders.map { PolicyPath.resolve($0, in: folder) }
        return try chain(path, tenant: tenant, folders: folders, values: try values(tenant: tenant, folder: folder))
    }

    /// The files that a custom policy is made of, from its own to its oldest ancestor. A base that is built in has none.
    public func files(
        of settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [(file: String, bytes: [UInt8])] {
        let documents: [PolicyDocument] = try chain(settings, tenant: tenant, folder: folder)
        return documents.reversed().compactMap { document in
            bytes(document.location.file).map { (document.location.file, $0) }
        }
    }

    /// The documents from the root of the inheritance to a file.
    private func chain(
        _ path: String, tenant: Tenant, folders: [String], values: [(name: String, value: String)]
    ) throws(InvalidInput) -> [PolicyDocument] {
        let unknown: PolicyReader.UnknownElements = tenant.authority.unknownElements == .warn ? .warn : .fail
        let first = try document(path, settings: values, tenant: tenant, unknownElements: unknown)
        let known = { self.ids(in: folders, values) }
        return try PolicyLibrary.chain(policyID: first.policyID, known: known) { id throws(InvalidInput) in
            if sameID(id, first.policyID) { return first }
            for folder in folders {
                let found = self.folder(folder, values)
                if let double = found.doubles.first(where: { sameID($0.id, id) }) {
                    throw InvalidInput(
                        Diagnostic(
                            rule: "B2C-POL-011", "a second policy \"\(double.id)\"; the first is \(double.first)",
                            at: SourceLocation(file: double.path, line: 1)))
                }
                if let path = found.byID[id.uppercased()] {
                    return try self.document(path, settings: values, tenant: tenant, unknownElements: unknown)
                }
            }
            if let builtIn = try UserFlowCompiler.builtIn(id) { return builtIn }
            // It may be in a file that is broken: then that is what is wrong.
            for folder in folders {
                for path in self.folder(folder, values).unreadable {
                    guard let bytes = self.bytes(path), contains(bytes, id) else { continue }
                    _ = try PolicyReader.read(file: path, bytes: bytes)
                }
            }
            if let (path, why) = folders.lazy.compactMap({ self.folder($0, values).refused.first }).first {
                throw InvalidInput(
                    Diagnostic(
                        rule: "B2C-POL-091", "policy file \(path) \(why)",
                        remedy: "Policy \"\(id)\" is in no other file. Put the file itself into the folder.",
                        at: first.location))
            }
            return nil
        }
    }

    private func link(
        _ path: String, _ settings: PolicySettings, _ surroundings: CustomSurroundings, tenant: Tenant,
        packs: [TextPack]
    ) throws(InvalidInput) -> ResolvedPolicy {
        count.links.add(1, ordering: .relaxed)
        let folders = [PolicyPath.folder(of: path)] + surroundings.folders
        var chain = try chain(path, tenant: tenant, folders: folders, values: surroundings.values)
        if !packs.isEmpty { try lay(packs, into: &chain, settings, tenant: tenant) }
        var merged = PolicyInheritance.merge(chain, defaults: tenant.authority.defaults)
        if let production = settings.production {
            merged.deploymentMode = production ? .production : .development
        }
        if let first = chain.last, let own = first.tenantID, !sameID(own, tenant.domain), !own.contains("{") {
            merged.findings.append(
                Diagnostic(
                    .warning, rule: "B2C-POL-007",
                    "the policy is of tenant \(own), and is played in tenant \(tenant.domain)",
                    remedy: "Name the tenant after the policies, or write yourtenant.onmicrosoft.com.",
                    at: first.location))
        }
        return try PolicyLinker.link(
            merged, personality: .customPolicy, defaults: tenant.authority.defaults)
    }

    /// Puts text packs between the base that is built in and the policy's own files.
    private func lay(
        _ packs: [TextPack], into chain: inout [PolicyDocument], _ settings: PolicySettings, tenant: Tenant
    ) throws(InvalidInput) {
        let place = SourceLocation(file: "tenant \(tenant.name)", pointer: "/policies/\(settings.name)/texts")
        var base: Int?
        for (index, document) in chain.enumerated() {
            guard let builtIn = try UserFlowCompiler.builtIn(document.policyID), builtIn.location == document.location
            else { continue }
            base = index
        }
        guard let base else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-TXT-005",
                    "`texts` does nothing on a policy that does not inherit from the built-in base",
                    remedy: "Its texts are in its `LocalizedResources`. Remove `texts`.", at: place))
        }
        chain.insert(try UserFlowCompiler.texts(packs, over: chain[base], at: place), at: base + 1)
    }

    // MARK: Files

    private func bytes(_ path: String) -> [UInt8]? {
        if let known = state.withLock({ $0.bytes[path] }) { return known }
        guard let bytes = files.read(path) else { return nil }
        state.withLock { $0.bytes[path] = bytes }
        return bytes
    }

    private func document(
        _ path: String, settings values: [(name: String, value: String)], tenant: Tenant,
        unknownElements unknown: PolicyReader.UnknownElements
    ) throws(InvalidInput) -> PolicyDocument {
        let key =
            ([path, tenant.domain, "\(unknown)"] + values.flatMap { [$0.name, $0.value] }).joined(separator: "\u{0}")
        if let known = state.withLock({ $0.documents[key] }) { return try known.get() }
        let read: Result<PolicyDocument, InvalidInput>
        do throws(InvalidInput) {
            read = .success(
                try PolicyReader.read(
                    file: path, bytes: bytes(path) ?? [], settings: values, tenantDomain: tenant.domain,
                    unknownElements: unknown))
        } catch {
            read = .failure(error)
        }
        state.withLock { $0.documents[key] = read }
        return try read.get()
    }

    private func folder(_ path: String, _ values: [(name: String, value: String)]) -> Folder {
        let key = ([path] + values.flatMap { [$0.name, $0.value] }).joined(separator: "\u{0}")
        if let known = state.withLock({ $0.folders[key] }) { return known }
        var folder = Folder()
        for name in files.list(path) ?? [] where name.lowercased().hasSuffix(".xml") {
            let file = PolicyPath.join(path, name)
            guard let bytes = bytes(file) else {
                if let why = files.refusal(file) { folder.refused.append((file, why)) }
                continue
            }
            guard let read = PolicyReader.peekPolicyID(bytes) else {
                folder.unreadable.append(file)
                continue
            }
            let id = PolicySettingsText.filled(read, values)
            if let first = folder.byID[id.uppercased()] {
                folder.doubles.append((file, first, id))
            } else {
                folder.byID[id.uppercased()] = file
            }
        }
        let found = folder
        state.withLock { $0.folders[key] = found }
        return found
    }

    private func ids(in folders: [String], _ values: [(name: String, value: String)]) -> [String] {
        folders.flatMap { folder($0, values).byID.keys.sorted() }
    }

    // MARK: Settings

    /// Values for `{Settings:NAME}`: those of the tenant file, then those of its settings file, then what follows from
    /// the tenant.
    private func values(tenant: Tenant, folder: String) throws(InvalidInput) -> [(name: String, value: String)] {
        var values = tenant.policySettings.map { (name: $0.0, value: $0.1) }
        if let written = tenant.policySettingsFile {
            let path = PolicyPath.resolve(written, in: folder)
            if let why = files.refusal(path) {
                throw InvalidInput(
                    Diagnostic(
                        rule: "B2C-POL-092", "settings file \(path) \(why)",
                        remedy: "Put the file into a folder that the tenant file names.",
                        at: SourceLocation(file: "tenant \(tenant.name)", pointer: "/policySettingsFile")))
            }
            let environments: PolicyEnvironments
            if let known = state.withLock({ $0.settings[path] }) {
                environments = try known.get()
            } else {
                let read: Result<PolicyEnvironments, InvalidInput>
                do throws(InvalidInput) {
                    read = .success(try PolicyEnvironments.read(file: path, bytes: bytes(path)))
                } catch {
                    read = .failure(error)
                }
                state.withLock { $0.settings[path] = read }
                environments = try read.get()
            }
            values += try environments.values(of: tenant.policyEnvironment)
        }
        return values + [("Tenant", tenant.domain)]
    }
}

/// Whether bytes contain a text, ignoring case.
private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).lowercased().contains(text.lowercased())
}
