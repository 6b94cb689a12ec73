import Diagnostics
import TenantFiles

/// Custom policies, linked with their parents.
extension PolicyShelf {
    /// What is the same for all custom policies of a tenant, found out once for all of them.
    struct CustomSurroundings {
        var values: [(name: String, value: String)]
        var folders: [String]
        var number: Int
    }

    /// - Parameter known: What the custom policies of the tenant share; filled in by the first that asks for it.
    func policy(
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
        if let why = read.refusal(path) {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091", "policy file \(path) \(why)",
                    remedy: "Put the file into a folder that the tenant file names.", at: place))
        }
        guard read.bytes(path) != nil else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091", "there is no policy file \(path)",
                    remedy: read.nearest(path).map { "Did you mean \($0)?" }
                        ?? "Paths are relative to the tenant file.",
                    at: place))
        }
        let surroundings: CustomSurroundings
        if let known {
            surroundings = known
        } else {
            surroundings = try self.surroundings(tenant: tenant, folder: folder)
        }
        known = surroundings
        let packs = try packs(settings, tenant: tenant, folder: folder)
        let key = LinkedPolicies.LinkKey(
            path: path, production: settings.production, texts: settings.texts.map { [$0.language] + $0.files },
            surroundings: surroundings.number)
        let policy = try linked.policy(key) {
            do throws(InvalidInput) {
                return .success(try link(path, settings, surroundings, tenant: tenant, packs: packs))
            } catch {
                return .failure(error)
            }
        }
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
        let values = try read.values(tenant: tenant, folder: folder)
        let folders = tenant.policyFolders.map { PolicyPath.resolve($0, in: folder) }
        let key = LinkedPolicies.CustomKey(
            domain: tenant.domain, unknownElements: "\(tenant.authority.unknownElements)",
            rules: MergeRules(tenant.authority.defaults), folders: folders,
            values: values.flatMap { [$0.name, $0.value] })
        return CustomSurroundings(values: values, folders: folders, number: linked.number(of: key, for: tenant))
    }

    func chain(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [PolicyDocument] {
        let path = PolicyPath.resolve(settings.file ?? "", in: folder)
        let folders = [PolicyPath.folder(of: path)] + tenant.policyFolders.map { PolicyPath.resolve($0, in: folder) }
        return try chain(
            path, tenant: tenant, folders: folders, values: try read.values(tenant: tenant, folder: folder))
    }

    /// The documents from the root of the inheritance to a file.
    private func chain(
        _ path: String, tenant: Tenant, folders: [String], values: [(name: String, value: String)]
    ) throws(InvalidInput) -> [PolicyDocument] {
        let unknown: PolicyReader.UnknownElementHandling = tenant.authority.unknownElements == .warn ? .warn : .fail
        let first = try read.document(path, settings: values, tenant: tenant, unknownElements: unknown)
        let known = { self.read.ids(in: folders, values) }
        return try PolicyLibrary.chain(policyID: first.policyID, known: known) { id throws(InvalidInput) in
            if sameID(id, first.policyID) { return first }
            for folder in folders {
                let found = self.read.folder(folder, values)
                if let double = found.doubles.first(where: { sameID($0.id, id) }) {
                    throw InvalidInput(
                        Diagnostic(
                            rule: "B2C-POL-011", "a second policy \"\(double.id)\"; the first is \(double.first)",
                            at: SourceLocation(file: double.path, line: 1)))
                }
                if let path = found.byID[id.uppercased()] {
                    return try self.read.document(path, settings: values, tenant: tenant, unknownElements: unknown)
                }
            }
            if let builtIn = try UserFlowCompiler.builtIn(id) { return builtIn }
            // It may be in a file that is broken: then that is what is wrong.
            for folder in folders {
                for path in self.read.folder(folder, values).unreadable {
                    guard let bytes = self.read.bytes(path), contains(bytes, id) else { continue }
                    _ = try PolicyReader.read(file: path, bytes: bytes)
                }
            }
            if let (path, why) = folders.lazy.compactMap({ self.read.folder($0, values).refused.first }).first {
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
        linked.count.note()
        let folders = [PolicyPath.folder(of: path)] + surroundings.folders
        var chain = try chain(path, tenant: tenant, folders: folders, values: surroundings.values)
        if !packs.isEmpty { try lay(packs, into: &chain, settings, tenant: tenant) }
        var merged = PolicyInheritance.merge(chain, rules: MergeRules(tenant.authority.defaults))
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
            merged, personality: .customPolicy, rules: MergeRules(tenant.authority.defaults))
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
}

/// Whether bytes contain a text, ignoring case.
private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).lowercased().contains(text.lowercased())
}
