import Determinism
import Diagnostics
import JSON
import TenantFiles
import TrustFramework

/// What a policy directory holds.
struct PolicyDirectoryState: Sendable {
    /// Routes besides those of policies.
    struct Routes: Sendable {
        var keySets: KeySetDirectory
        var directory: TenantDirectoryRoutes
    }

    /// Which versions sign-ins see.
    private struct View: Hashable {
        /// A relying party, and which of the sets it is linked in.
        struct LinkedParty: Hashable {
            var id: String
            var set: Int
        }

        var parties: [LinkedParty] = []
        /// Numbers of versions by id in upper case. Relying parties in development see another set than the others.
        var sets: [[String: Int]] = []
    }

    let seed: SeededGenerator
    var random: SeededGenerator
    /// The tenant without what was uploaded.
    private(set) var declared: CompiledTenant
    /// The tenant as sign-ins see it.
    private(set) var served: CompiledTenant
    /// The same with the key sets of the tenant file.
    private var linked: CompiledTenant
    /// What `served` has of the key sets; `nil`: those of the tenant file.
    private var servedKeys: [PolicyKeySettings]?
    /// Ids of policies that are being written.
    var writing: Set<String> = []
    /// The policies of the tenant file by id in upper case; `nil`: nobody has asked for them yet.
    private var own: [String: StoredPolicy]?
    /// What was uploaded, by id in upper case.
    private var uploads: [String: PolicyUploads] = [:]
    private var lastNumber = 0
    /// What `served` was made of; `nil`: of the tenant file alone.
    private var view: View?
    /// `nil`: nobody has asked for them yet.
    private var lazyRoutes: Routes?

    init(_ tenant: CompiledTenant, seed: SeededGenerator) {
        self.seed = seed
        random = seed.stream("graph/management")
        declared = tenant
        served = tenant
        linked = tenant
    }

    mutating func routes<Answer>(_ work: (inout Routes) -> Answer) -> Answer {
        var routes =
            lazyRoutes
            ?? Routes(
                // What an earlier run kept is linked already: its key sets are there again.
                keySets: KeySetDirectory(tenant: declared.tenant, references: linked.keyReferences, seed: seed),
                directory: TenantDirectoryRoutes(tenant: declared.tenant))
        defer { lazyRoutes = routes }
        return work(&routes)
    }

    mutating func declare(_ tenant: CompiledTenant, at now: Timestamp) {
        declared = tenant
        own = nil
        view = nil
        lazyRoutes?.keySets.configure(tenant: tenant.tenant)
        lazyRoutes?.directory.configure(tenant: tenant.tenant)
        let before = served
        served = tenant
        linked = tenant
        servedKeys = nil
        _ = serve(at: now, before: before)
    }

    // MARK: Policies

    private mutating func ownPolicies() -> [String: StoredPolicy] {
        if let own { return own }
        var read: [String: StoredPolicy] = [:]
        for file in declared.deployedPolicies {
            read[file.id.uppercased()] = try? StoredPolicy(file.bytes, file: file.id + ".xml")
        }
        own = read
        return read
    }

    var newest: [StoredPolicy] {
        mutating get {
            let own = ownPolicies()
            return Set(own.keys).union(uploads.keys).sorted().compactMap { newest($0) }
        }
    }

    mutating func newest(_ id: String) -> StoredPolicy? {
        let id = id.uppercased()
        if let uploads = uploads[id] { return uploads.newest.policy }
        return ownPolicies()[id]
    }

    mutating func add(_ policy: StoredPolicy?, id: String, at now: Timestamp) {
        add(PolicyUploads.Version(number: lastNumber + 1, policy: policy, uploadedAt: now), id: id)
    }

    mutating func add(_ version: PolicyUploads.Version, id: String) {
        lastNumber = max(lastNumber, version.number)
        if uploads[id.uppercased()] == nil {
            uploads[id.uppercased()] = PolicyUploads(id: version.policy?.id ?? id, version)
        } else {
            uploads[id.uppercased()]?.add(version)
        }
    }

    /// What a state file keeps of a policy.
    mutating func row(_ id: String, at now: Timestamp) -> JSONValue? {
        uploads[id.uppercased()]?.forget(before: now)
        return uploads[id.uppercased()]?.json
    }

    // MARK: What sign-ins see

    /// Milliseconds since the epoch of the next instant at which sign-ins see something new.
    func nextChange(after now: Timestamp) -> Int64 {
        let policies = uploads.values.lazy.flatMap(\.versions).map { $0.uploadedAt + PolicyUploads.cached }
            .filter { $0 > now }.min()
        return min(
            policies?.milliseconds ?? .max, lazyRoutes?.keySets.nextChange(after: now)?.milliseconds ?? .max)
    }

    /// Makes `served` what sign-ins see at an instant.
    ///
    /// - Parameter before: The tenant as sign-ins have seen it so far; `nil`: `served`.
    /// - Returns: Whether it has changed.
    mutating func serve(at now: Timestamp, before: CompiledTenant? = nil) -> Bool {
        let isLinked = link(at: now, before: before)
        let keySets = lazyRoutes.flatMap { $0.keySets.revision > 0 ? $0.keySets : nil }
        let keys = keySets?.policyKeys(at: now)
        guard isLinked || keys != servedKeys else { return false }
        servedKeys = keys
        served = keys.map { linked.with(policyKeys: $0) } ?? linked
        return true
    }

    /// - Returns: Whether the policies have changed.
    private mutating func link(at now: Timestamp, before: CompiledTenant?) -> Bool {
        guard !uploads.isEmpty else { return false }
        let (view, policies) = seen(at: now)
        guard view != self.view else { return false }
        self.view = view
        if let view {
            linked = tenant(of: view, policies, earlier: before ?? served) ?? linked
        } else {
            linked = declared
        }
        return true
    }

    /// - Returns: The versions that sign-ins see, `nil` where they are those of the tenant file; and the policies of each
    ///   set.
    private mutating func seen(at now: Timestamp) -> (View?, [[String: StoredPolicy]]) {
        let own = ownPolicies()
        var view = View()
        var policies: [[String: StoredPolicy]] = []
        for id in Set(own.keys).union(uploads.keys).sorted() {
            let horizon = horizon(of: id, own: own[id], at: now)
            guard let party = policy(id, own: own[id], from: horizon)?.policy, party.isRelyingParty else { continue }
            var numbers: [String: Int] = [:]
            var set: [String: StoredPolicy] = [:]
            for id in Set(own.keys).union(uploads.keys) {
                guard let (number, found) = policy(id, own: own[id], from: horizon), let found else { continue }
                numbers[id] = number
                set[id] = found
            }
            let place = view.sets.firstIndex(of: numbers) ?? view.sets.count
            if place == view.sets.count {
                view.sets.append(numbers)
                policies.append(set)
            }
            view.parties.append(View.LinkedParty(id: party.id, set: place))
        }
        let parties = own.keys.sorted().compactMap { own[$0] }.filter(\.isRelyingParty)
        let plain = View(
            parties: parties.map { View.LinkedParty(id: $0.id, set: 0) },
            sets: [own.mapValues { _ in 0 }])
        return view == plain ? (nil, []) : (view, policies)
    }

    /// Up to where sign-ins at a relying party see uploads.
    private func horizon(of id: String, own: StoredPolicy?, at now: Timestamp) -> PolicyHorizon {
        let newest = uploads[id]?.versions.last { $0.policy != nil }?.policy ?? own
        let production = declared.tenant.policy(id: id)?.production
        // `production` of the tenant file goes before what the policy says.
        if production.map({ !$0 }) ?? newest?.isInDevelopment ?? false { return .newest }
        // What there was when a relying party was made over Graph, its first version included, is seen from then on.
        let created = own == nil ? uploads[id]?.versions.first?.number : nil
        return PolicyHorizon(instant: now - PolicyUploads.cached, number: created ?? 0)
    }

    private func policy(
        _ id: String, own: StoredPolicy?, from horizon: PolicyHorizon
    ) -> (number: Int, policy: StoredPolicy?)? {
        if let version = uploads[id]?.version(seenFrom: horizon) { return (version.number, version.policy) }
        return own.map { (0, $0) }
    }

    /// The tenant with other versions of its policies; `nil` if they do not make a tenant.
    private func tenant(
        of view: View, _ policies: [[String: StoredPolicy]], earlier: CompiledTenant
    ) -> CompiledTenant? {
        var files: [String: [UInt8]] = [:]
        for (place, set) in policies.enumerated() {
            for policy in set.values { files[Self.path(policy.id, place)] = policy.bytes }
        }
        var entries = JSONObject()
        for party in view.parties {
            let file = JSONValue.string(Self.path(party.id, party.set))
            let known = declared.tenant.policy(id: party.id)
            if let known, known.type != .custom { continue }
            entries[known?.name ?? party.id] =
                known == nil ? ["id": .string(party.id), "type": "custom", "file": file] : ["file": file]
        }
        let gone = declared.tenant.policies.filter { settings in
            settings.type == .custom && !view.parties.contains { sameID($0.id, settings.id) }
        }
        var removals = entries
        for settings in gone { removals[settings.name] = .null }
        // An entry that something else of the tenant file names stays, without a policy.
        for entries in [removals, entries] {
            let patch: JSONValue = ["policies": .object(entries), "policyFolders": .null]
            let made = try? declared.replacing(files, patch: patch) { id in
                if gone.contains(where: { sameID($0.id, id) }) { return nil }
                return (earlier.policies + declared.policies).first { sameID($0.id, id) }
            }
            if let made { return made }
        }
        return nil
    }

    /// Where a policy file is, as seen from the tenant file. Nothing is on a disk there.
    private static func path(_ id: String, _ set: Int) -> String {
        let name = String(id.map { $0 == "/" || $0 == "\\" ? "-" : $0 }) + ".xml"
        return set == 0 ? "uploaded/\(name)" : "uploaded/\(set)/\(name)"
    }
}

extension CompiledTenant {
    /// The keys that its custom policies refer to, each set once.
    fileprivate var keyReferences: [CryptographicKeyElement] {
        let custom = policies.filter { policy in tenant.policy(id: policy.id)?.type == .custom }
        var seen: Set<String> = []
        return custom.flatMap(\.profiles).flatMap(\.cryptographicKeys).filter { key in
            let name = key.storageReferenceID
            return !name.isEmpty && !name.contains("{") && seen.insert(name.lowercased()).inserted
        }
    }
}
