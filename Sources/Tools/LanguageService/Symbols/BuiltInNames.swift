import Diagnostics
import Markup
import Synchronization
import TrustFramework

/// A built-in policy that policies of a workspace inherit from. It has no file, so nothing leads into it.
struct BuiltInNames: Sendable {
    let policyID: String
    let baseID: String?
    let declared: [NameOccurrence]

    /// Those that were asked for, by their ids in upper case.
    private static let known = Mutex<[String: BuiltInNames]>([:])

    /// The built-in policies under a policy that inherits from the one of an id, root first; none if it has a file.
    static func chain(from baseID: String?) -> [BuiltInNames] {
        var chain: [BuiltInNames] = []
        var next = baseID
        while let id = next, let policy = named(id) {
            chain.append(policy)
            next = policy.baseID
        }
        return chain.reversed()
    }

    private static func named(_ id: String) -> BuiltInNames? {
        let key = id.uppercased()
        if let policy = known.withLock({ $0[key] }) { return policy }
        guard let document = (try? UserFlowCompiler.builtIn(id)) ?? nil else { return nil }
        let source = SourceText(file: document.policyID, bytes: Array(PolicyWriter.xml(document).utf8))
        let policy = BuiltInNames(
            policyID: document.policyID, baseID: document.basePolicy?.policyID,
            declared: PolicyOccurrences.all(in: MarkupOutline(source)).filter(\.isDeclaration))
        known.withLock { $0[key] = policy }
        return policy
    }
}

extension LanguageWorkspace {
    /// The built-in policies that the chain of a file lies over, root first.
    func builtInNames(under path: String) -> [BuiltInNames] {
        guard let root = families.chain(path).first, families.base(root) == nil else { return [] }
        return BuiltInNames.chain(from: families.baseID(root))
    }
}
