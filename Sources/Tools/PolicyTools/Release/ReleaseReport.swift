import Diagnostics
import JSON
import PolicyRelease
import Reports
import TrustFramework
import Validation

/// Writes what a release changes, or how a tenant differs from its folder.
package struct ReleaseReport {
    /// What is reported.
    package enum Subject {
        /// A release that is planned.
        case plan
        /// How a tenant differs from the folder or revision of this name.
        case drift(from: String)
    }

    package var subject = Subject.plan
    package var plan: ReleasePlan
    package var refused: [Diagnostic] = []
    package var signIns: [ChangedSignIn] = []
    package var unchanged: [String] = []
    package var missing: [MissingNeed] = []
    package var states: [UploadState] = []
    package var avoided: [UploadState] = []
    package var needsStaging = false
    /// Kinds that `--forbid` names and that were found.
    package var forbidden: [ChangeKind] = []
    /// What the release does beside what the sign-ins show.
    private var others: Set<ChangeKind> = []

    package init(plan: ReleasePlan, subject: Subject) {
        self.plan = plan
        self.subject = subject
    }

    package init(_ release: ReleaseComparison, forbidden: Set<ChangeKind>) {
        plan = release.plan
        refused = release.refused
        signIns = release.signIns
        unchanged = release.unchanged
        missing = release.missing
        states = release.states
        avoided = release.avoided
        needsStaging = release.needsStaging
        others = release.kinds
        self.forbidden = release.kinds.intersection(forbidden).sorted()
    }

    var isDrift: Bool { if case .drift = subject { true } else { false } }

    package var rows: [NoticedRow] { signIns.flatMap(\.rows) }

    /// Policies of which it is not known what people notice.
    package var untested: [String] { signIns.filter(\.isUntested).map(\.policy) }

    /// The kinds of everything that changes, in their order.
    package var kinds: [ChangeKind] { signIns.reduce(into: others) { $0.formUnion($1.kinds) }.sorted() }

    /// The result in a few sentences.
    package var headline: String {
        let count = plan.steps.count { $0.action != .unchanged }
        let total = plan.steps.count
        var sentences: [String] = []
        if !refused.isEmpty {
            let files = Set(refused.map { $0.location?.file ?? "" }).count
            sentences.append("The service refuses \(Self.count(files, "file", "files")).")
        }
        if count == 0 {
            sentences.append(isDrift ? "The tenant has what the folder has." : "Nothing changes.")
        } else if isDrift {
            sentences.append("\(count) of \(total) policies \(count == 1 ? "differs" : "differ") in the tenant.")
        } else {
            sentences.append("\(count) of \(total) policies \(count == 1 ? "changes" : "change").")
        }
        let weaker = rows.count(where: \.isWeaker)
        if weaker > 0 {
            let verb = isDrift ? ("is weaker", "are weaker") : ("gets weaker", "get weaker")
            sentences.append("\(Self.count(weaker, "sign-in \(verb.0)", "sign-ins \(verb.1)")).")
        }
        if !untested.isEmpty {
            sentences.append("Not compared: \(namesList(untested)).")
        }
        let keys = missing.count(where: \.isKey)
        if keys > 0 { sentences.append("\(Self.count(keys, "key is", "keys are")) missing.") }
        let needs = missing.count - keys
        if needs > 0 { sentences.append("\(Self.count(needs, "other need is", "other needs are")) missing.") }
        let broken = states.count { !$0.broken.isEmpty }
        if broken > 0 {
            sentences.append(
                "\(Self.count(broken, "state between two uploads is", "states between two uploads are")) broken.")
        }
        return sentences.joined(separator: " ")
    }

    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// The elements that differ, each once, with the policies that have them.
    package var elements: [(difference: PolicyDifference, policies: [String])] {
        struct Key: Hashable {
            var kind: PolicyDifference.Kind
            var path: [String]
            var old: String?
            var new: String?
        }
        var places: [Key: Int] = [:]
        var found: [(difference: PolicyDifference, policies: [String])] = []
        for change in signIns {
            for difference in change.structure {
                let key = Key(
                    kind: difference.kind, path: difference.path, old: difference.old, new: difference.new)
                if let place = places[key] {
                    found[place].policies.append(change.policy)
                    if difference.isReached { found[place].difference.isReached = true }
                } else {
                    places[key] = found.count
                    found.append((difference, [change.policy]))
                }
            }
        }
        return found.filter(\.difference.isReached) + found.filter { !$0.difference.isReached }
    }

    // MARK: Lines that formats share

    /// What must happen before the upload.
    package var needs: [String] {
        missing.map { need in
            let place = need.place.map { " (\($0.file)\($0.line.map { ":\($0)" } ?? ""))" } ?? ""
            return need.text + place + (need.remedy.map { ": \($0)" } ?? "")
        }
    }

    /// What happens between the uploads.
    package var between: [String] {
        var lines = states.flatMap { described($0) }
        if !avoided.isEmpty {
            let order = plan.uploads.map(\.id).joined(separator: ", ")
            lines.append("this order has no broken state: \(order)")
            lines += avoided.flatMap { described($0) }.map { "with parents first: \($0)" }
        }
        if needsStaging {
            lines.append(
                "no order without a broken state was found: use b2c policy deploy --staged PREFIX, which uploads the "
                    + "policies under new names")
        }
        return lines
    }

    private func described(_ state: UploadState) -> [String] {
        let start = "after \(state.count) of \(state.of) (\(state.last)): "
        return state.broken.map { broken in
            let place = broken.why.location.map { " (\(PolicyState.shown($0.file))\($0.line.map { ":\($0)" } ?? ""))" }
            return start + "\(broken.policy) ends in AADB2C90037 for everybody: \(broken.why.message)\(place ?? "")"
        } + state.rows.map { start + $0.sentence + ($0.isWeaker ? " (weaker)" : "") }
    }

    /// Why nobody notices a change of a policy; `nil`: somebody does.
    func silence(_ change: ChangedSignIn) -> String? {
        guard change.rows.isEmpty else { return nil }
        switch change.status {
        case .added:
            return isDrift ? "only the tenant's policy has a relying party" : "a new policy: no app calls it yet"
        case .removed: return "the policy does not exist"
        case .same, .changed: break
        }
        if !change.problems.isEmpty { return "it does not link" }
        if change.structure.isEmpty { return change.notes.first ?? "the merged policy is the same" }
        if change.isUntested { return "not known: no sign-in could be run with both states" }
        if !change.structure.contains(where: \.isReached) { return "no sign-in reaches what differs" }
        return change.notes.isEmpty ? "" : "as far as it was compared"
    }

    // MARK: Findings

    /// What changes, as findings: for code scanning, annotations and the viewer.
    package var findings: [Diagnostic] {
        var found = refused
        func add(_ kinds: Set<ChangeKind>, _ text: String, remedy: String? = nil, at place: SourceLocation?) {
            let kind = kinds.min()
            let isForbidden = kinds.contains(where: forbidden.contains)
            let severity: Severity =
                isForbidden ? .error : isDrift || kinds.contains(where: \.isRisk) ? .warning : .advice
            var location = place
            location?.file = PolicyState.shown(place?.file ?? "")
            found.append(
                Diagnostic(
                    severity, rule: kind?.rawValue ?? "changed-policy", text, remedy: remedy, at: location))
        }
        for change in signIns {
            for row in change.rows {
                let remedy = [row.because, row.repeated.map { "Repeat it: \($0)" }].compactMap(\.self)
                add(
                    row.kinds, row.sentence, remedy: remedy.isEmpty ? nil : remedy.joined(separator: ". "),
                    at: row.causes.first?.place)
            }
            if let silence = silence(change), change.problems.isEmpty {
                let place = change.structure.first.flatMap { DifferenceCause($0).place }
                add([], "\(change.policy): nobody notices\(silence.isEmpty ? "" : ": \(silence)")", at: place)
            }
            for finding in change.appeared {
                add([.newFinding], "\(change.policy): \(finding.rule) \(finding.message)", at: finding.location)
            }
        }
        for need in missing {
            add(need.isKey ? [.missingKey] : [], need.text, remedy: need.remedy, at: need.place)
        }
        for state in states {
            for broken in state.broken {
                add(
                    [.brokenState], "after \(state.count) of \(state.of) uploads \(broken.policy) fails for everybody",
                    remedy: broken.why.message, at: broken.why.location)
            }
        }
        for step in plan.deletions { add([.deletedPolicy], "\(step.id) is deleted from the tenant", at: nil) }
        return found
    }

    /// The report in a format of findings.
    ///
    /// - Parameter sources: Texts whose lines may be shown.
    package func findingsReport(sources: [SourceText], version: String) -> FindingsReport {
        FindingsReport(
            ValidationResult(findings: findings.map { Finding($0) }, judged: [(.policy, plan.steps.count)]),
            sources: sources, version: version, command: isDrift ? .drift : .plan)
    }
}
