import Diagnostics
import Markup
import TrustFramework

/// Policies under new names, so that the ones that apps use stay as they are until somebody switches the apps.
public struct StagedRelease: Sendable {
    /// With new names, a parent before its children.
    public private(set) var policies: [BuiltPolicy] = []
    /// What keeps it from being uploaded.
    public private(set) var findings: [Diagnostic] = []

    /// Most characters of a policy's id.
    public static let longestID = 64

    /// Renames the changed policies and those that inherit from them: `PolicyId`, `BasePolicy/PolicyId` and the last part
    /// of `PublicPolicyUri`. Nothing else in them changes.
    ///
    /// - Parameters:
    ///   - changed: The ids of policies that the tenant does not have so.
    ///   - prefix: What follows `B2C_1A_` in the new names.
    public init(_ built: BuiltPolicies, changed: [String], prefix: String) {
        var names: [String: String] = [:]
        // Parents come first, so one pass finds all that inherit.
        for policy in built.policies {
            let inherits = policy.base.map { names[$0.lowercased()] != nil } ?? false
            guard inherits || changed.contains(where: { sameID($0, policy.id) }) else { continue }
            names[policy.id.lowercased()] = Self.name(policy.id, prefix: prefix)
        }
        for policy in built.policies {
            guard let name = names[policy.id.lowercased()] else { continue }
            guard let outline = PolicyOutline(policy.source) else {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-001", "\(policy.file) cannot be read as a policy, so it cannot be renamed",
                        at: policy.source.location(at: 0)))
                continue
            }
            findings += Self.findings(name, outline, policy)
            if let other = built.policy(name) {
                findings.append(
                    Diagnostic(
                        rule: "B2C-REL-042", "\(policy.id) gets the name \(name), which \(other.file) already has",
                        remedy: "Choose another prefix.", at: policy.source.location(at: outline.id.range.lowerBound)))
            }
            policies.append(Self.renamed(policy, outline, to: name, names: names))
        }
    }

    /// `B2C_1A_SignIn` with the prefix `V2` is `B2C_1A_V2_SignIn`.
    static func name(_ id: String, prefix: String) -> String { "B2C_1A_\(prefix)_\(KeySet.bare(id))" }

    /// Whether a text can be a prefix: letters, digits, `_` and `-`.
    public static func isPrefix(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isOfName) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    private static func findings(_ name: String, _ outline: PolicyOutline, _ policy: BuiltPolicy) -> [Diagnostic] {
        let place = policy.source.location(at: outline.id.range.lowerBound, byteLength: outline.id.range.count)
        if let other = name.unicodeScalars.first(where: { !$0.isASCII || !isOfName(UInt8($0.value)) }) {
            return [
                Diagnostic(
                    rule: "B2C-REL-041", "the new name \(name) has the character \(other), which an id must not have",
                    remedy: "Use letters, digits, _ and - only.", at: place)
            ]
        }
        guard name.utf8.count > longestID else { return [] }
        return [
            Diagnostic(
                rule: "B2C-REL-041", "the new name \(name) has \(name.utf8.count) characters, at most \(longestID) fit",
                remedy: "Choose a shorter prefix.", at: place)
        ]
    }

    /// Only the bytes of the names are replaced, by their places in the tree.
    private static func renamed(
        _ policy: BuiltPolicy, _ outline: PolicyOutline, to name: String, names: [String: String]
    ) -> BuiltPolicy {
        let old = policy.source.bytes
        var edits = [(range: outline.id.range, text: name)]
        if let uri = outline.publicURI, let slash = old[uri.range].lastIndex(of: UInt8(ascii: "/")) {
            let last = slash + 1..<uri.range.upperBound
            if sameID(policy.source.text(last), policy.id) { edits.append((last, name)) }
        }
        let base = policy.base.flatMap { names[$0.lowercased()] }
        if let base, let written = outline.base { edits.append((written.range, base)) }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        var bytes: [UInt8] = []
        var changes: [SourceText.Change] = []
        var done = 0
        for edit in edits {
            bytes += old[done..<edit.range.lowerBound]
            let start = bytes.count
            bytes += edit.text.utf8
            changes.append(SourceText.Change(range: start..<bytes.count, original: edit.range))
            done = edit.range.upperBound
        }
        bytes += old[done...]
        return BuiltPolicy(
            id: name, base: base ?? policy.base, file: policy.file, bytes: bytes,
            source: SourceText(bytes: bytes, madeFrom: policy.source, changes: changes),
            isRelyingParty: policy.isRelyingParty)
    }

    /// What is uploaded.
    ///
    /// - Parameters:
    ///   - tenant: What it has of the new names.
    ///   - journal: What earlier staged deployments created.
    /// - Returns: The steps, and names that the tenant has from somebody else, which are not replaced.
    public func steps(
        tenant: TenantSnapshot, journal: DeploymentJournal
    ) -> (steps: [DeploymentStep], foreign: [String]) {
        let own = Set(journal.stagedPolicies.map { $0.id.lowercased() })
        var steps: [DeploymentStep] = []
        var foreign: [String] = []
        for policy in policies {
            let (before, after) = (tenant.digest(policy.id), PolicyMeaning.digest(policy.bytes))
            if before == after { continue }
            if before != nil, !own.contains(policy.id.lowercased()) { foreign.append(policy.id) }
            steps.append(DeploymentStep(id: policy.id, file: policy.file, before: before, after: after))
        }
        return (steps, foreign)
    }
}

extension DeploymentJournal {
    /// The steps that delete what staged deployments of a prefix created, children first.
    public func removal(of prefix: String) -> [DeploymentStep] {
        stagedPolicies.filter { $0.prefix.lowercased() == prefix.lowercased() }.reversed().map {
            DeploymentStep(id: $0.id, before: $0.digest, after: nil)
        }
    }
}
