import Diagnostics
import TrustFramework

/// What the service refuses of a policy at upload.
public struct UploadFinding: Hashable, Sendable {
    /// What is wrong, where, and how to fix it.
    public var diagnostic: Diagnostic
    /// What the service says of it: its own wording where one was published, else a sentence of ours.
    public var text: String

    public init(diagnostic: Diagnostic, text: String) {
        self.diagnostic = diagnostic
        self.text = text
    }
}

/// What the service refuses when a policy is uploaded. It reads the file with all of its parents, merges and links them.
///
/// Input claims, output claims and steps are checked only where the uploaded file has a relying party; of a base or an
/// extensions file the schema and the references are checked (Microsoft docs: troubleshoot-custom-policies).
public enum UploadCheck {
    /// What the service refuses of the last file of a chain, each with the service's text, in the order of the files.
    ///
    /// - Parameters:
    ///   - policyID: The id that the file is uploaded under, in any letter case.
    ///   - chain: The files, root first, under the names that findings show.
    ///   - tenantDomain: The tenant that the policy is uploaded to, such as `contoso.onmicrosoft.com`.
    ///   - keySets: Ids of the policy keys that exist; `nil` if they are not known.
    public static func findings(
        of policyID: String, chain: [(file: String, bytes: [UInt8])], tenantDomain: String, keySets: Set<String>?
    ) -> [UploadFinding] {
        guard !chain.isEmpty else { return [] }
        let files = chain.map { ProjectFile(path: $0.file, bytes: $0.bytes) }
        var folder = PolicyFolder(files, isStrict: false)
        // A chain that does not end in its root has no parent in the tenant, whatever else is in the folder.
        var all = (folder.findings + folder.circles).map(\.diagnostic).map { finding in
            var finding = finding
            if finding.rule == "B2C-POL-006" { finding.severity = .error }
            return finding
        }
        for document in folder.documents.compactMap(\.self) {
            all += PolicyHygiene(document).findings.map(\.diagnostic)
        }
        let last = files.count - 1
        if let document = folder.documents[last] {
            all += tenant(of: document, tenantDomain)
            all += folder.linked(last).map(\.diagnostic)
            all += missingKeys(folder.documents.compactMap(\.self), keySets)
        }
        // Where a step is missing, the steps behind it are out of order by that alone.
        let isStepMissing = all.contains { $0.rule == "B2C-POL-030" && $0.message.contains("no step with Order") }
        let refused = all.filter { finding in
            finding.severity == .error && isRefused(finding.rule)
                && !(isStepMissing && finding.rule == "B2C-POL-030" && finding.message.contains("is written after"))
        }
        guard !refused.isEmpty else { return [] }
        var texts = UploadText(files: files, policyID: policyID, tenant: tenantDomain)
        let order = Dictionary(chain.enumerated().map { ($1.file, $0) }) { first, _ in first }
        var seen: Set<UploadFinding> = []
        return refused.enumerated()
            .sorted { left, right in
                key(left.element, order, left.offset).lexicographicallyPrecedes(
                    key(right.element, order, right.offset))
            }
            .map { UploadFinding(diagnostic: $0.element, text: texts.text(of: $0.element)) }
            .filter { finding in
                // One mistake that two checks find at one place.
                var plain = finding
                plain.diagnostic = Diagnostic(rule: "", "", at: finding.diagnostic.location)
                return seen.insert(plain).inserted
            }
    }

    /// The message of the service: a heading, then the texts without anything between them. A file that is not XML is
    /// refused without the heading.
    public static func message(_ findings: [UploadFinding], policyID: String, tenantDomain: String) -> String {
        if let unreadable = findings.first(where: { $0.diagnostic.rule == "B2C-POL-001" }) { return unreadable.text }
        var texts: [String] = []
        for finding in findings where !texts.contains(finding.text) { texts.append(finding.text) }
        return "Validation failed: \(texts.count) validation error(s) found in policy \"\(policyID.uppercased())\" of "
            + "tenant \"\(tenantDomain)\"." + texts.joined()
    }

    private static func key(_ finding: Diagnostic, _ order: [String: Int], _ place: Int) -> [Int] {
        [
            order[finding.location?.file ?? ""] ?? 0, finding.location?.line ?? 0, finding.location?.column ?? 0,
            place,
        ]
    }

    /// Whether an error of the rule stops an upload. Others fail when a person signs in.
    static func isRefused(_ rule: String) -> Bool {
        if foundByLinking.contains(rule) { return true }
        guard let rule = Rules.named(rule), !foundAtSignIn.contains(rule.id) else { return false }
        return !rule.serviceTexts.isEmpty || rule.reason.contains("upload") || rule.reason.contains("service refuses")
    }

    /// What the linker finds although the rule's reason names the sign-in.
    private static let foundByLinking: Set<String> = ["B2C-POL-016", "B2C-POL-027", "B2C-POL-033"]

    /// A second policy with the same id replaces the first.
    private static let foundAtSignIn: Set<String> = ["B2C-POL-011"]

    /// The tenant that is written in the file is the one that it is uploaded to.
    private static func tenant(of document: PolicyDocument, _ tenantDomain: String) -> [Diagnostic] {
        func wrong(_ written: String?, _ what: String, _ place: SourceLocation?) -> Diagnostic? {
            guard let written, !sameID(written, tenantDomain) else { return nil }
            return Diagnostic(
                rule: "B2C-POL-007", "\(what) is \"\(written)\", and the policy is uploaded to \"\(tenantDomain)\"",
                remedy: "Write \(tenantDomain).", at: place)
        }
        let base = document.basePolicy
        return [
            wrong(document.tenantID, "TenantId", document.place(of: "TenantId")),
            wrong(base?.tenantID, "TenantId of BasePolicy", base?.tenantLocation ?? base?.location),
        ].compactMap(\.self)
    }

    /// Keys that the merged technical profiles name and that the tenant does not have. What a child file writes under the
    /// same Id takes the place of the parent's.
    private static func missingKeys(_ documents: [PolicyDocument], _ keySets: Set<String>?) -> [Diagnostic] {
        guard let keySets else { return [] }
        let known = Set(keySets.map { $0.uppercased() })
        var keys: [[String]: (name: String, place: SourceLocation)] = [:]
        for document in documents {
            for profile in document.technicalProfiles + (document.relyingParty?.profiles ?? []) {
                for key in profile.cryptographicKeys {
                    keys[[profile.id.uppercased(), key.id.uppercased()]] = (key.storageReferenceID, key.location)
                }
            }
        }
        return keys.values.filter { key in
            !key.name.isEmpty && PolicyChecker.isKeyName(key.name) && !known.contains(key.name.uppercased())
        }
        .map { key in
            Diagnostic(
                rule: "B2C-POL-026", "the tenant has no policy key \"\(key.name)\"",
                remedy: "Create it (b2c policy keys deploy), or fix the name.", at: key.place)
        }
        .inSourceOrder
    }
}
