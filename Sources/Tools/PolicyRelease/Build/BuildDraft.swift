import Diagnostics
import Markup
import TrustFramework

extension PolicyBuild {
    /// A policy that could be read.
    struct BuildDraft {
        var policy: BuiltPolicy
        /// Where its `PolicyId` is.
        var place: SourceLocation
        /// `TenantId`, and where it is.
        var tenant: (text: String, place: SourceLocation)?
        /// Where its `BasePolicy` is.
        var basePlace: SourceLocation?
        /// `TenantId` of its `BasePolicy`.
        var baseTenant: String?

        init(_ tree: XMLTree, path: String) throws(InvalidInput) {
            let root = tree.nodes[0]
            guard root.name == "TrustFrameworkPolicy" else {
                throw InvalidInput(
                    Diagnostic(
                        rule: "B2C-POL-001", "this is not a policy: its root is <\(root.name)>",
                        remedy: "A policy's root is <TrustFrameworkPolicy xmlns=\"\(PolicyReader.namespace)\">.",
                        at: tree.location(of: 0)))
            }
            func attribute(_ name: String) -> (text: String, place: SourceLocation)? {
                guard let place = root.attributes.firstIndex(where: { $0.name == name }) else { return nil }
                return (root.attributes[place].value, tree.location(ofValue: place, of: 0))
            }
            guard let id = attribute("PolicyId"), !id.text.isEmpty else {
                throw InvalidInput(
                    Diagnostic(
                        rule: "B2C-POL-002", "<TrustFrameworkPolicy> needs the attribute PolicyId",
                        at: tree.location(of: 0)))
            }
            let base = root.children.first { tree.nodes[$0].name == "BasePolicy" }
            func ofBase(_ name: String) -> String? {
                base.flatMap { base in tree.nodes[base].children.first { tree.nodes[$0].name == name } }
                    .map { tree.nodes[$0].text.trimmingWhitespace }
            }
            policy = BuiltPolicy(
                id: id.text, base: ofBase("PolicyId"), file: path, bytes: tree.source.bytes, source: tree.source,
                isRelyingParty: root.children.contains { tree.nodes[$0].name == "RelyingParty" })
            place = id.place
            tenant = attribute("TenantId")
            basePlace = base.map { tree.location(of: $0) }
            baseTenant = ofBase("TenantId")
        }
    }

    /// Two files with one id.
    static func doubles(_ drafts: [BuildDraft]) -> [Diagnostic] {
        var known: [String: BuildDraft] = [:]
        return drafts.compactMap { draft in
            let id = draft.policy.id.uppercased()
            guard let first = known[id] else {
                known[id] = draft
                return nil
            }
            return Diagnostic(
                rule: "B2C-POL-011", "a second policy \"\(draft.policy.id)\"; the first is \(first.policy.file)",
                remedy: "Remove one of the files, or give it another PolicyId.", at: draft.place)
        }
    }

    /// Policies of several tenants, and tenants that nothing fills in.
    static func tenants(_ drafts: [BuildDraft]) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        let first = drafts.first { $0.tenant != nil }
        for draft in drafts {
            guard let tenant = draft.tenant else { continue }
            if let first, let expected = first.tenant?.text, !sameID(expected, tenant.text) {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-009",
                        "the policy is of tenant \"\(tenant.text)\", and \(first.policy.file) is of \"\(expected)\"",
                        remedy:
                            "A folder is built for one tenant. Write {Settings:Tenant}, or use one folder per tenant.",
                        at: tenant.place))
            }
            if let base = draft.baseTenant, !base.isEmpty, !sameID(base, tenant.text) {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-007", "BasePolicy names tenant \"\(base)\", the policy \"\(tenant.text)\"",
                        at: draft.basePlace))
            }
        }
        if let tenant = first?.tenant, TenantPlaceholder.isOne(tenant.text) {
            findings.append(
                Diagnostic(
                    .warning, rule: "B2C-POL-012", "the tenant is \"\(tenant.text)\", which is a placeholder",
                    remedy: "Write \"Tenant\" in an environment of the settings file.", at: tenant.place))
        }
        return findings
    }

    /// The policies by depth, those of one depth in the order of files, and what is wrong with what they inherit from.
    static func uploadOrder(_ drafts: [BuildDraft]) -> (order: [Int], findings: [Diagnostic]) {
        var byID: [String: Int] = [:]
        for (place, draft) in drafts.enumerated() where byID[draft.policy.id.uppercased()] == nil {
            byID[draft.policy.id.uppercased()] = place
        }
        let parents = drafts.map { draft in draft.policy.base.flatMap { byID[$0.uppercased()] } }
        let (depths, cycles) = depths(parents)
        var findings: [Diagnostic] = []
        for (place, draft) in drafts.enumerated() {
            guard let base = draft.policy.base else { continue }
            if let cycle = cycles[place] {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-006", "\"\(draft.policy.id)\" inherits from itself",
                        remedy: cycle.count > 1
                            ? "Its parents are \(namesList(cycle.dropFirst().map { drafts[$0].policy.id }))." : nil,
                        at: draft.basePlace))
            } else if depths[place] > PolicyLibrary.deepestInheritance {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-006",
                        "inheritance is \(depths[place]) levels deep; the service takes "
                            + "\(PolicyLibrary.deepestInheritance)",
                        at: draft.basePlace))
            }
            if byID[base.uppercased()] == nil {
                let near = nearestName(base, among: drafts.map(\.policy.id)).map { "Did you mean \"\($0)\"? " } ?? ""
                findings.append(
                    Diagnostic(
                        .warning, rule: "B2C-POL-006", "there is no policy \"\(base)\" among the files",
                        remedy: "\(near)The tenant must have it before this policy is uploaded.", at: draft.basePlace))
            }
        }
        let order = drafts.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }
        return (order, findings)
    }

    /// How many levels each policy has, its own included, and the cycles: of each member the members from it on.
    ///
    /// - Parameter parents: The parent of each policy; `nil`: it has none here.
    private static func depths(_ parents: [Int?]) -> (depths: [Int], cycles: [Int: [Int]]) {
        var depths = [Int?](repeating: nil, count: parents.count)
        var cycles: [Int: [Int]] = [:]
        for start in parents.indices where depths[start] == nil {
            var path = [start]
            var positions = [start: 0]
            while let parent = parents[path[path.count - 1]], depths[parent] == nil, positions[parent] == nil {
                positions[parent] = path.count
                path.append(parent)
            }
            let parent = parents[path[path.count - 1]]
            if let first = parent.flatMap({ positions[$0] }) {
                let cycle = Array(path[first...])
                for (offset, member) in cycle.enumerated() {
                    cycles[member] = Array(cycle[offset...] + cycle[..<offset])
                    depths[member] = cycle.count
                }
            }
            for place in path.reversed() where depths[place] == nil {
                depths[place] = (parents[place].flatMap { depths[$0] } ?? 0) + 1
            }
        }
        return (depths.map { $0 ?? 1 }, cycles)
    }
}
