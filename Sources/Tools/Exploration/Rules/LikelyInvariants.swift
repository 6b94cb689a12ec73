import Diagnostics
import TrustFramework

/// What nearly all sign-ins of a kind have, and the path that lacks it.
///
/// The idea is that of likely invariants (Ernst and others, "Dynamically discovering likely program invariants", 2001):
/// nobody has written down what must hold, so it is inferred from what holds on most paths.
extension Exploration {
    /// A kind of sign-in: what found or made the account, at which providers, and whether the account is new.
    struct SignInKind: Hashable {
        var identifiedBy: ProfileHandle?
        var providers: Set<String>
        /// What the person chose in place of signing in: it asks for other things.
        var branches: Set<String>
        var isNew: Bool
        var isAgain: Bool
    }

    func kind(of issue: Issue) -> SignInKind {
        SignInKind(
            identifiedBy: issue.facts.witness.identifiedBy, providers: issue.facts.providers,
            branches: issue.facts.branches, isNew: issue.owner == .new, isAgain: false)
    }

    /// A kind in words: `for a new account of Facebook-OAUTH`.
    private func words(_ kind: SignInKind) -> String {
        var text = kind.isNew ? "for a new account" : "for an account that exists"
        if !kind.providers.isEmpty { text += " of \(kind.providers.sorted().joined(separator: ", "))" }
        if let profile = kind.identifiedBy { text += " (\(policy[profile].id))" }
        return text
    }

    func likelyInvariants() -> [ExplorationFinding] {
        let fresh = issues.filter {
            !$0.hasSession && !$0.facts.isFaulted && starts.indices.contains($0.start) && starts[$0.start].isUsual
        }
        var kinds: [(kind: SignInKind, issues: [Issue])] = []
        for issue in fresh {
            let kind = kind(of: issue)
            if let place = kinds.firstIndex(where: { $0.kind == kind }) {
                kinds[place].issues.append(issue)
            } else {
                kinds.append((kind, [issue]))
            }
        }
        var branches: [Set<String>] = []
        for (kind, _) in kinds where !branches.contains(kind.branches) { branches.append(kind.branches) }
        return branches.flatMap { branch in
            let alike = kinds.filter { $0.kind.branches == branch }
            return skippedChecks(alike) + missingClaims(alike)
        }
    }

    // MARK: Checks

    /// Something that a path can pass: a technical profile, or an assertion of one.
    private struct Check {
        var name: String
        var location: SourceLocation
        var isIn: (PathEvidence) -> Bool
    }

    /// Checks, consent pages and calls, which do nothing for a token but let a path pass.
    private var checks: [Check] {
        let purpose = PolicyGoals(policy)
        var checks: [Check] = []
        for handle in coverage.succeeded.sorted() {
            let profile = policy[handle]
            let isCheck =
                switch profile.handler {
                case .selfAsserted: purpose.asksConsentOnly(profile)
                case .claimsTransformation: purpose.refuses(profile)
                case .rest: true
                default: false
                }
            guard isCheck else { continue }
            checks.append(
                Check(name: profile.id, location: step(of: handle)?.location ?? profile.location) {
                    $0.ran.contains(handle)
                })
        }
        // Where the directory checks a password it refuses disabled accounts itself; a missing check has its own rule.
        let attributes = PathRules.attributes(of: policy)
        for transformation in policy.transformations
        where PolicyGoals.isAssertion(transformation)
            && !transformation.inputClaims.contains(where: { attributes[$0.claim] == "accountenabled" })
        {
            let user = policy.profiles.first {
                $0.handler != .claimsTransformation && coverage.succeeded.contains($0.handle)
                    && ($0.inputTransformations + $0.outputTransformations).contains(transformation.handle)
            }
            guard let user else { continue }
            checks.append(
                Check(name: transformation.id, location: user.location) {
                    $0.asserted.contains(transformation.handle)
                })
        }
        return checks
    }

    private func skippedChecks(_ kinds: [(kind: SignInKind, issues: [Issue])]) -> [ExplorationFinding] {
        checks.compactMap { check in
            for isNew in [true, false] {
                let part = kinds.filter { $0.kind.isNew == isNew }
                // Within one kind, with the same person: what was entered or answered decides.
                for (kind, issues) in part {
                    for bare in issues where !check.isIn(bare.facts.witness) {
                        guard let whole = issues.first(where: { check.isIn($0.facts.witness) && isLike($0, bare) })
                        else { continue }
                        return skipped(check, in: (kind, bare), unlike: (kind, whole))
                    }
                }
                let with = part.first { $0.issues.allSatisfy { check.isIn($0.facts.witness) } }
                let without = part.first { !$0.issues.contains { check.isIn($0.facts.witness) } }
                if let with, let without, let whole = with.issues.first, let bare = without.issues.first {
                    return skipped(check, in: (without.kind, bare), unlike: (with.kind, whole))
                }
            }
            // Nearly all kinds have it.
            let without = kinds.filter { !$0.issues.contains { check.isIn($0.facts.witness) } }
            let with = kinds.filter { $0.issues.allSatisfy { check.isIn($0.facts.witness) } }
            if kinds.count >= 3, without.count == 1, with.count == kinds.count - 1, let whole = with[0].issues.first,
                let bare = without[0].issues.first
            {
                return skipped(check, in: (without[0].kind, bare), unlike: (with[0].kind, whole))
            }
            return nil
        }
    }

    /// Whether two tokens are those of one person in one state of the directory.
    private func isLike(_ a: Issue, _ b: Issue) -> Bool {
        a.start == b.start
    }

    private func skipped(
        _ check: Check, in bare: (kind: SignInKind, issue: Issue), unlike whole: (kind: SignInKind, issue: Issue)
    ) -> ExplorationFinding {
        ExplorationFinding(
            rule: .checkSkipped,
            names: [
                check.name, words(whole.kind),
                bare.kind == whole.kind ? "on another path of that kind" : words(bare.kind),
            ],
            trail: bare.issue.trail, other: whole.issue.trail, location: check.location)
    }

    // MARK: Claims

    private func missingClaims(_ kinds: [(kind: SignInKind, issues: [Issue])]) -> [ExplorationFinding] {
        guard kinds.count >= 3 else { return [] }
        let lost = Set(lostClaims().compactMap(\.names.first))
        return policy.relyingParty.outputClaims.compactMap { claim in
            let name = claim.wireName
            guard !lost.contains(name) else { return nil }
            let without = kinds.filter { !$0.issues.contains { $0.claims[name] != nil } }
            let with = kinds.filter { $0.issues.contains { $0.claims[name] != nil } }
            guard without.count == 1, with.count >= 2,
                let whole = with[0].issues.first(where: { $0.claims[name] != nil }),
                let bare = without[0].issues.first
            else { return nil }
            return ExplorationFinding(
                rule: .claimMissing, names: [name, words(without[0].kind)], trail: bare.trail, other: whole.trail,
                location: reader(bare.facts.witness, name))
        }
    }
}
