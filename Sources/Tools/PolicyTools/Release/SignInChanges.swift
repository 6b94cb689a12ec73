import CommandKit
import Diagnostics
import Exploration
import TrustFramework

/// What changes for one policy that apps call.
package struct ChangedSignIn {
    var policy: String
    var status: PolicyComparison.ComparisonStatus
    var rows: [NoticedRow] = []
    /// Elements that differ.
    var structure: [PolicyDifference] = []
    /// Findings of the exploration that only one of the two has.
    var appeared: [Diagnostic] = []
    var gone: [Diagnostic] = []
    /// What was not compared, in sentences.
    var notes: [String] = []
    /// Sign-ins reach what differs, and none could be run with both states.
    var isUntested = false
    /// What keeps the new policy from being linked.
    var problems: [Diagnostic] = []

    var isWeaker: Bool { rows.contains(where: \.isWeaker) }

    /// The kinds of everything that changes.
    var kinds: Set<ChangeKind> {
        var kinds = rows.reduce(into: Set<ChangeKind>()) { $0.formUnion($1.kinds) }
        if !appeared.isEmpty { kinds.insert(.newFinding) }
        if appeared.contains(where: { $0.rule == "B2C-EXP-014" }) { kinds.insert(.newPathWithoutSecondFactor) }
        return kinds
    }
}

/// How far sign-ins are compared.
package struct ComparisonLimits {
    package var limits: ExplorationLimits
    /// For each walk through a policy.
    package var seconds: Int
    /// Whether only elements are compared.
    package var structureOnly = false

    package init(limits: ExplorationLimits, seconds: Int, structureOnly: Bool = false) {
        (self.limits, self.seconds, self.structureOnly) = (limits, seconds, structureOnly)
    }
}

/// Compares what people, apps and services notice of two states of a tenant.
package struct SignInChanges {
    /// Unchanged policies that take part, so that people come with the session of another policy.
    private static let others = 2
    /// Paths of each state that are run for a policy: one of each kind comes first, and a release compares many policies.
    private static let mostPaths = 120

    package let old: LinkedState
    package let new: LinkedState
    package let limits: ComparisonLimits
    /// Ids of policies that apps call, in either state: those that differ, and all.
    package let changed: [String]
    package let all: [String]

    /// - Parameter domain: The tenant's, such as `contoso.onmicrosoft.com`.
    package init(from old: PolicyState, to new: PolicyState, domain: String, limits: ComparisonLimits) {
        self.limits = limits
        var all = new.files.filter(\.isRelyingParty).map(\.id)
        all += old.files.filter { $0.isRelyingParty && new.file($0.id) == nil }.map(\.id)
        self.all = all
        let changed = all.filter { old.meaning(of: $0) != new.meaning(of: $0) }
        self.changed = changed
        let same = all.filter { id in !changed.contains(id) }.prefix(Self.others)
        self.old = LinkedState(old, domain: domain, callable: changed + same)
        self.new = LinkedState(new, domain: domain, callable: changed + same)
    }

    /// Every policy that differs, in the order of the new state.
    package func compare() async throws -> [ChangedSignIn] {
        var found: [ChangedSignIn] = []
        let bar = changed.count > 1 && Machine.error.isTerminal ? Machine.error : nil
        for (number, id) in changed.enumerated() {
            bar?.write("\r\u{1b}[K\(number)/\(changed.count) policies compared")
            found.append(try await compare(id))
        }
        bar?.write("\r\u{1b}[K")
        return found
    }

    private func compare(_ id: String) async throws -> ChangedSignIn {
        guard let before = old.state.file(id), before.isRelyingParty else {
            return ChangedSignIn(policy: id, status: .added, problems: new.problems(id))
        }
        guard let after = new.state.file(id), after.isRelyingParty else {
            return ChangedSignIn(policy: id, status: .removed, rows: [Self.removed(id)])
        }
        let (oldProblems, newProblems) = (old.problems(id), new.problems(id))
        guard newProblems.isEmpty else {
            return ChangedSignIn(policy: id, status: .changed, problems: newProblems)
        }
        guard oldProblems.isEmpty else {
            let why = oldProblems[0]
            var changed = ChangedSignIn(policy: id, status: .changed)
            changed.notes = ["the policy that is replaced does not link, so nothing is compared: \(why.message)"]
            changed.isUntested = true
            return changed
        }
        return try await Self.compared(try old.side(id), try new.side(id), limits)
    }

    /// Two states of a policy that link.
    package static func compared(
        _ old: PolicyComparison.Side, _ new: PolicyComparison.Side, _ limits: ComparisonLimits
    ) async throws -> ChangedSignIn {
        var comparison = try PolicyComparison(old, new)
        var changed = ChangedSignIn(
            policy: comparison.policy, status: comparison.status, structure: comparison.structure)
        guard !limits.structureOnly else { return changed }
        let recorder = PathRecorder(old: old.policy, new: new.policy)
        comparison.observer = { recorder.record($0) }
        try await comparison.compareBehaviour(
            old, new, limits: limits.limits, seconds: limits.seconds, most: Self.mostPaths)
        let finder = CauseFinder(comparison.structure, old: old.policy, new: new.policy)
        changed.rows = NoticedRows(comparison: comparison, recorder: recorder, finder: finder).rows
        changed.isUntested = comparison.structure.contains(where: \.isReached) && (comparison.paths ?? 0) == 0
        changed.appeared = comparison.appeared
        changed.gone = comparison.gone
        changed.notes =
            comparison.notes
            + comparison.notCompared.map { "not compared: \($0.path.joined(separator: " > ")): \($0.reason)" }
        return changed
    }

    private static func removed(_ id: String) -> NoticedRow {
        NoticedRow(
            policy: id, who: "everybody", before: "the policy exists", after: "the policy does not exist",
            kinds: [.deletedPolicy])
    }
}
