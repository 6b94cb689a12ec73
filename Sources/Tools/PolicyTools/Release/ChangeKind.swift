import ArgumentParser
import CommandKit
import Diagnostics

/// What a release may do that `--forbid` refuses.
package enum ChangeKind: String, CaseIterable, Hashable, Comparable, Sendable {
    case weakerSignIn = "weaker-sign-in"
    case newPathWithoutSecondFactor = "new-path-without-second-factor"
    case lostClaim = "lost-claim"
    case changedClaim = "changed-claim"
    case newPage = "new-page"
    case brokenState = "broken-state"
    case missingKey = "missing-key"
    case deletedPolicy = "deleted-policy"
    case newFinding = "new-finding"

    /// One line of help.
    package var help: String {
        switch self {
        case .weakerSignIn:
            "a path that ends in a token no longer checks a second factor, a code or a password that it checked before"
        case .newPathWithoutSecondFactor:
            "a path without a second factor ends in a token, and did not do so before"
        case .lostClaim: "a token no longer has a claim"
        case .changedClaim: "a claim of a token has another value"
        case .newPage: "people see a page that they did not see before"
        case .brokenState: "a policy fails between two uploads"
        case .missingKey: "a policy key that a policy needs does not exist"
        case .deletedPolicy: "a policy of the tenant is deleted"
        case .newFinding: "exploring the policies finds something that it did not find before"
        }
    }

    /// Whether a person would call it a risk.
    var isRisk: Bool {
        switch self {
        case .weakerSignIn, .newPathWithoutSecondFactor, .lostClaim, .brokenState, .missingKey, .deletedPolicy: true
        case .changedClaim, .newPage, .newFinding: false
        }
    }

    package static func < (one: ChangeKind, other: ChangeKind) -> Bool { one.place < other.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// All kinds with their help, for the help of a command.
    package static var table: String {
        let width = allCases.map(\.rawValue.count).max() ?? 0
        return allCases.map { kind in
            let name = kind.rawValue
            return "  \(name)\(String(repeating: " ", count: width - name.count + 2))\(kind.help)"
        }.joined(separator: "\n")
    }

    /// The kinds that an option names, separated by commas.
    ///
    /// - Throws: ``Failure`` for a name that is not a kind.
    package static func list(_ text: String) throws -> Set<ChangeKind> {
        var kinds: Set<ChangeKind> = []
        for name in text.split(separator: ",").map({ $0.filter { !$0.isWhitespace } }) {
            guard let kind = ChangeKind(rawValue: name.lowercased()) else {
                let names = allCases.map(\.rawValue)
                let near =
                    nearestName(name, among: names).map { "Did you mean \($0)?" } ?? "Kinds are \(namesList(names))."
                throw Failure.usage("--forbid: there is no kind \(name). \(near)")
            }
            kinds.insert(kind)
        }
        guard !kinds.isEmpty else {
            throw Failure.usage("--forbid needs a kind: \(namesList(allCases.map(\.rawValue)))")
        }
        return kinds
    }
}
