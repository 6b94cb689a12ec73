import Determinism
import Diagnostics
import Markup

/// Reads policy files.
public enum PolicyReader {
    /// The XML namespace of policies.
    public static let namespace = "http://schemas.microsoft.com/online/cpim/schemas/2013/06"

    /// What becomes of an element or attribute that the schema does not know (`authority.unknownElements` of the tenant
    /// file).
    public enum UnknownElementHandling: Sendable {
        /// An error, as the service refuses such a file.
        case fail
        /// A warning; the policy is read without the element.
        case warn
    }

    /// Reads a file: UTF-8, no DOCTYPE, bounded in depth and size, valid against the policy schema.
    ///
    /// Throws every finding at once when one of them is an error; warnings of a file that could be read are in the
    /// document's `findings`.
    /// - Parameters:
    ///   - settings: Values for `{Settings:NAME}`, filled in before anything is checked.
    ///   - tenantDomain: What stands for `yourtenant.onmicrosoft.com`, the placeholder of Microsoft's starter packs.
    public static func read(
        file: String, bytes: [UInt8], settings: [(name: String, value: String)] = [], tenantDomain: String? = nil,
        unknownElements: UnknownElementHandling = .fail
    ) throws(InvalidInput) -> PolicyDocument {
        let (document, findings) = try readThrough(
            file: file, bytes: bytes, settings: settings, tenantDomain: tenantDomain, unknownElements: unknownElements)
        guard !findings.hasErrors else { throw InvalidInput(diagnostics: findings) }
        return document
    }

    /// As ``read(file:bytes:settings:tenantDomain:unknownElements:)``, but a file whose only errors are ids that stand
    /// twice is read all the same: what else is wrong in it and in its chain can be looked for. The errors are among the
    /// findings that come back, which are those of the document too.
    public static func readThrough(
        file: String, bytes: [UInt8], settings: [(name: String, value: String)] = [], tenantDomain: String? = nil,
        unknownElements: UnknownElementHandling = .fail
    ) throws(InvalidInput) -> (document: PolicyDocument, findings: [Diagnostic]) {
        var tree = try XMLTree(file: file, bytes: bytes, settings: settings)
        var findings = tree.unfilled
        if let tenantDomain { tree.name(tenantDomain) }
        if let finding = wrongRoot(tree) { throw InvalidInput(finding) }
        var check = GrammarCheck(tree, unknown: unknownElements)
        check.check(0, as: PolicyGrammar.policy)
        findings += check.findings
        var document = decoded(tree)
        let doubles = UniquenessCheck(document).findings
        guard !findings.hasErrors else { throw InvalidInput(diagnostics: (findings + doubles).inSourceOrder) }
        document.findings = (findings + doubles).inSourceOrder
        return (document, document.findings)
    }

    /// Reads a file of the program's own, which the tests have checked.
    static func builtIn(file: String, bytes: [UInt8]) throws(InvalidInput) -> PolicyDocument {
        decoded(try XMLTree(file: file, bytes: bytes))
    }

    private static func decoded(_ tree: XMLTree) -> PolicyDocument {
        var document = PolicyDecoder.document(ElementCursor(tree: tree, index: 0))
        document.contentHash = StableHash.fnv1a(String(decoding: tree.source.bytes, as: UTF8.self))
        return document
    }

    /// Whether bytes look like a policy, for folders that hold other XML files too. Never fails.
    public static func isPolicy(bytes: [UInt8]) -> Bool { policyID(bytes: bytes) != nil }

    /// The `PolicyId` of bytes that look like a policy, read off the root's start tag without looking further.
    public static func policyID(bytes: [UInt8]) -> String? {
        guard bytes.count <= XMLTree.largest else { return nil }
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        guard let (root, isWellFormed) = TagIndex.root(of: bytes, as: .policy), isWellFormed,
            text(root.name) == "TrustFrameworkPolicy",
            let place = root.attributes.first(where: { text($0.name) == "PolicyId" }),
            root.attributes.contains(where: { text($0.name) == "xmlns" && text($0.value) == namespace })
        else { return nil }
        return text(place.value)
    }

    private static func wrongRoot(_ tree: XMLTree) -> Diagnostic? {
        let root = ElementCursor(tree: tree, index: 0)
        guard root.name == "TrustFrameworkPolicy" else {
            return Diagnostic(
                rule: "B2C-POL-001", "this is not a policy: its root is <\(root.name)>",
                remedy: (nearestName(root.name, among: ["TrustFrameworkPolicy"]).map { "Did you mean <\($0)>? " } ?? "")
                    + "A policy's root is <TrustFrameworkPolicy xmlns=\"\(namespace)\">.", at: root.location)
        }
        guard root.attribute("xmlns") == namespace else {
            return Diagnostic(
                rule: "B2C-POL-001", "the root has the wrong namespace",
                remedy: "Write xmlns=\"\(namespace)\".", at: root.location(of: "xmlns"))
        }
        return nil
    }
}
