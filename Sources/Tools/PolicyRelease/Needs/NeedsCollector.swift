import Diagnostics
import HTTPMessages
import TrustFramework

extension PolicyNeeds {
    /// Collects what policies need. Their parents are merged; nothing needs to link. What a parent needs that is not among
    /// the files is not known.
    ///
    /// - Parameters:
    ///   - files: The files as they were written, for `{Settings:NAME}`; a file without policy is ignored.
    ///   - environments: The settings file, for which environment has which setting.
    /// - Throws: What keeps a policy from being read.
    public init(
        _ built: BuiltPolicies, files: [(path: String, bytes: [UInt8])] = [], environments: PolicyEnvironments? = nil
    ) throws(InvalidInput) {
        var collector = NeedsCollector(built)
        try collector.collect()
        self = collector.needs
        settings = Self.settings(built, files, environments)
    }

    private static func settings(
        _ built: BuiltPolicies, _ files: [(path: String, bytes: [UInt8])], _ environments: PolicyEnvironments?
    ) -> [SettingNeed] {
        var list = NeedList<SettingNeed>()
        for policy in built.policies {
            guard let file = files.first(where: { $0.path == policy.file }) else { continue }
            let lines = file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains(UInt8(ascii: "{")) {
                for name in PolicySettingsText.names(in: String(decoding: line, as: UTF8.self)) {
                    let known = (environments?.environments ?? []).map { environment in
                        SettingNeed.Environment(
                            name: environment.name,
                            isSet: environment.values.contains { sameID($0.name, name) })
                    }
                    list.change(
                        name.uppercased(), else: SettingNeed(name: name, places: [], policies: [], environments: known)
                    ) { need in
                        need.places.include(SourceLocation(file: policy.file, line: index + 1))
                        need.policies.includeLast(policy.id)
                    }
                }
            }
        }
        return list.all.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }
}

/// Walks the policies of a folder in upload order.
private struct NeedsCollector {
    private let built: BuiltPolicies
    private let places: [String: OriginalPlaces]
    private var keys = NeedList<KeyNeed>()
    private var apps = NeedList<AppNeed>()
    private var attributes = NeedList<NamedNeed>()
    private var addresses = NeedList<AddressNeed>()
    private var pages = NeedList<NamedNeed>()

    init(_ built: BuiltPolicies) {
        self.built = built
        places = Dictionary(
            built.policies.map { ($0.file, OriginalPlaces($0)) }, uniquingKeysWith: { first, _ in first })
    }

    var needs: PolicyNeeds {
        PolicyNeeds(
            keys: keys.all.map { need in
                var need = need
                need.references.sort { $0.location < $1.location }
                return need
            }
            .sorted { $0.name < $1.name },
            apps: apps.all.sorted {
                ($0.role.rawValue, $0.identifier.rawValue) < ($1.role.rawValue, $1.identifier.rawValue)
            },
            attributes: attributes.all.sorted { $0.name < $1.name }, settings: [],
            addresses: addresses.all.sorted { ($0.host ?? "", $0.url) < ($1.host ?? "", $1.url) },
            pages: pages.all.sorted { $0.name < $1.name })
    }

    mutating func collect() throws(InvalidInput) {
        var read: [String: PolicyDocument] = [:]
        var findings: [Diagnostic] = []
        for policy in built.policies {
            do throws(InvalidInput) {
                // What the service does not know is for the rules to say.
                read[policy.id.uppercased()] = try PolicyReader.readThrough(
                    file: policy.file, bytes: policy.bytes, unknownElements: .warn
                ).document
            } catch {
                findings += error.diagnostics
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings.inSourceOrder) }
        for policy in built.policies {
            add(PolicyInheritance.merge(Self.chain(of: policy.id, in: read)), policy)
        }
    }

    /// The documents that a policy inherits from, root first, and its own. It begins below a parent that is not there.
    private static func chain(of id: String, in documents: [String: PolicyDocument]) -> [PolicyDocument] {
        var chain: [PolicyDocument] = []
        var wanted: String? = id
        while let id = wanted, let document = documents[id.uppercased()],
            chain.count < PolicyLibrary.deepestInheritance
        {
            chain.append(document)
            wanted = document.basePolicy?.policyID
        }
        return chain.reversed()
    }

    private mutating func add(_ merged: PolicyDocument, _ policy: BuiltPolicy) {
        let draft = PolicyDraft(merged)
        // A key, an app or a claim of an included profile belongs to that one: it comes first, and its place counts once.
        let profiles =
            draft.profiles.filter { sameID($0.root, $0.element.id) }
            + draft.profiles.filter { !sameID($0.root, $0.element.id) }
        for profile in profiles {
            addKeys(profile, policy.id)
            addApps(profile, policy.id)
            if profile.handler == .directory { addAttributes(profile, policy.id) }
        }
        guard policy.isRelyingParty else { return }
        let reached = merged.reachable()
        for profile in PolicyDraft(reached).profiles { addAddresses(profile, policy.id) }
        for page in reached.buildingBlocks.contentDefinitions {
            // `~/` is the service's own.
            guard let uri = page.loadURI, uri.contains("://") else { continue }
            let place = original(page.loadURILocation ?? page.location)
            pages.change(uri, else: NamedNeed(name: uri, places: [], policies: [])) { need in
                need.places.include(place)
                need.policies.includeLast(policy.id)
            }
        }
    }

    private func original(_ location: SourceLocation) -> SourceLocation {
        places[location.file]?.original(location) ?? location
    }

    private mutating func addKeys(_ profile: PolicyDraft.Profile, _ policy: String) {
        for key in profile.element.cryptographicKeys {
            let place = original(key.location)
            keys.change(
                KeySet.bare(key.storageReferenceID).uppercased(),
                else: KeyNeed(name: key.storageReferenceID, references: [], policies: [])
            ) { need in
                if !need.references.contains(where: { $0.location == place }) {
                    need.references.append(
                        KeyReference(
                            element: key.id, profile: profile.element.id,
                            requirement: KeyRequirement(element: key.id, handler: profile.handler), location: place))
                }
                need.policies.includeLast(policy)
            }
        }
    }

    private mutating func addApps(_ profile: PolicyDraft.Profile, _ policy: String) {
        switch profile.handler {
        case .directory:
            add(.extensions, .client, in: profile.item("ClientId"), of: policy)
            add(.extensions, .object, in: profile.item("ApplicationObjectId"), of: policy)
        case .passwordSignIn where Self.isTenantItself(profile):
            add(.proxy, .client, in: profile.item("client_id"), of: policy)
            add(.identityExperienceFramework, .client, in: profile.item("IdTokenAudience"), of: policy)
            for claim in profile.element.inputClaims {
                guard let value = claim.defaultValue else { continue }
                switch (claim.partnerClaimType ?? claim.claim).lowercased() {
                case "client_id": add(.proxy, .client, value, at: claim.location, of: policy)
                case "resource", "resource_id":
                    add(.identityExperienceFramework, .client, value, at: claim.location, of: policy)
                default: break
                }
            }
        default: break
        }
    }

    /// Whether a password goes to the tenant, not to another identity provider. All clouds have their own hosts.
    private static func isTenantItself(_ profile: PolicyDraft.Profile) -> Bool {
        guard let address = profile.text("METADATA") ?? profile.text("authorization_endpoint") else { return true }
        guard let host = WebURL(address)?.host else { return true }
        return ["microsoftonline", "windows.net", "chinacloudapi.cn"].contains { host.contains($0) }
    }

    private mutating func add(
        _ role: AppNeed.Role, _ identifier: AppNeed.Identifier, in item: MetadataItem?, of policy: String
    ) {
        if let item { add(role, identifier, item.value, at: item.location, of: policy) }
    }

    private mutating func add(
        _ role: AppNeed.Role, _ identifier: AppNeed.Identifier, _ value: String, at location: SourceLocation,
        of policy: String
    ) {
        guard !value.isEmpty else { return }
        let place = original(location)
        apps.change(
            "\(role.rawValue) \(identifier.rawValue) \(value)".uppercased(),
            else: AppNeed(role: role, identifier: identifier, value: value, places: [], policies: [])
        ) { need in
            need.places.include(place)
            need.policies.includeLast(policy)
        }
    }

    private mutating func addAttributes(_ profile: PolicyDraft.Profile, _ policy: String) {
        let element = profile.element
        for claim in element.inputClaims + element.persistedClaims + element.outputClaims {
            let name = claim.partnerClaimType.flatMap { $0.isEmpty ? nil : $0 } ?? claim.claim
            guard name.lowercased().hasPrefix("extension_") else { continue }
            let place = original(claim.location)
            attributes.change(name.uppercased(), else: NamedNeed(name: name, places: [], policies: [])) { need in
                need.places.include(place)
                need.policies.includeLast(policy)
            }
        }
    }

    private mutating func addAddresses(_ profile: PolicyDraft.Profile, _ policy: String) {
        for item in profile.element.metadata where AddressKeys.all.contains(item.key) {
            // The entity of a SAML partner may be the XML itself.
            guard item.key == "ServiceUrl" || item.value.contains("://"), !item.value.hasPrefix("<") else { continue }
            let host = WebURL(item.value).map(\.authority).flatMap { $0.isEmpty || $0.contains("{") ? nil : $0 }
            let found = AddressNeed.Item(
                key: item.key, profile: profile.element.id, location: original(item.location))
            addresses.change(
                item.value, else: AddressNeed(url: item.value, host: host, items: [], policies: [])
            ) { need in
                if !need.items.contains(where: { $0.location == found.location }) { need.items.append(found) }
                need.policies.includeLast(policy)
            }
        }
    }
}
