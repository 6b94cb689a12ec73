import Diagnostics
import Exploration
import TenantFiles
import TrustFramework

/// An element of a policy or a place of an app, with what becomes of it.
package struct MigrationElement: Sendable {
    /// Such as `technical profile`.
    package var kind: String
    package var id: String
    package var rule: MigrationRule
    package var location: SourceLocation?
    /// Relying parties that lead to it.
    package var policies: [String] = []
    /// What sets the people apart that it concerns.
    package var people: [String] = []
    /// On how many paths of how many it runs.
    package var paths = 0
    package var allPaths = 0
    /// Whether all people meet it.
    package var isForEverybody = false
    /// Scripts that run it; `nil`: none were asked for.
    package var scripts: [String]?
    package var inputs: [MigrationClaim] = []
    package var outputs: [MigrationClaim] = []
    package var notes: [String] = []

    package var row: MigrationRow { rule.row }
    /// Whether some relying party leads to it. A place of an app is always met.
    package var isReached: Bool { !policies.isEmpty || kind == Self.appKind }
    static let appKind = "app"

    /// Request and answer of the extension that replaces it; `nil`: nothing has to.
    package var skeleton: ExtensionSkeleton? {
        guard isReached, let event = row.event else { return nil }
        return ExtensionSkeleton(event, inputs: inputs, outputs: outputs)
    }
}

/// A relying party with its paths.
package struct MigratedPolicy: Sendable {
    package struct Path: Sendable {
        package var person: String
        package var title: String
        package var words: String
        /// The hardest verdict of what runs on it.
        package var verdict: MigrationVerdict
        /// What runs on it, by kind and id.
        package var elements: [String]
    }

    package var id: String
    package var paths: [Path]
    /// Paths that were found and are not among these.
    package var left: Int
    /// What ended the walk before it was complete.
    package var cut: String?

    package func count(_ verdict: MigrationVerdict) -> Int { paths.count { $0.verdict == verdict } }
}

/// What becomes of policies and apps in Microsoft Entra External ID.
package struct Migration: Sendable {
    /// Paths of a policy that are looked at: one of each kind comes first.
    package static let mostPaths = 120
    package private(set) var policies: [MigratedPolicy] = []
    package private(set) var elements: [MigrationElement] = []
    private let coverage: ScriptCoverage?
    private var known: [Key: Int] = [:]

    private struct Key: Hashable {
        var kind: String
        var id: String
        var location: SourceLocation?
    }

    /// - Parameter coverage: What scripts run; `nil`: nothing is said about scripts.
    package init(coverage: ScriptCoverage? = nil) { self.coverage = coverage }

    /// Walks a policy and adds its elements. An element that several policies inherit is one.
    ///
    /// - Parameter moves: Events of the walk at most, which take about 30 microseconds each.
    /// - Throws: ``InvalidInput`` if the policy cannot be walked.
    package mutating func add(
        _ policy: ResolvedPolicy, tenant: Tenant, moves: Int, seed: UInt64 = 1
    ) throws(InvalidInput) {
        let exploration = try Explorer.explore(
            policy, tenant: tenant.name, switches: tenant.authority.defaults,
            limits: ExplorationLimits(moves: moves, seed: seed))
        let (walked, left) = exploration.walkedPaths(most: Self.mostPaths)
        let everybody = Set(walked.map(\.person))
        var verdicts = walked.map { _ in MigrationVerdict.builtIn }
        var names = walked.map { _ in [String]() }
        for found in ElementFinder(policy).all() {
            let met = walked.indices.filter { place in
                found.isEverywhere || !found.profiles.isDisjoint(with: walked[place].profiles)
                    || !found.journeys.isDisjoint(with: walked[place].subJourneys)
            }
            for place in met where !found.isEverywhere {
                verdicts[place] = max(verdicts[place], found.rule.row.verdict)
                names[place].append("\(found.kind) \(found.id)")
            }
            var people: [String] = []
            for place in met where !people.contains(walked[place].person) { people.append(walked[place].person) }
            var element = MigrationElement(
                kind: found.kind, id: found.id, rule: found.rule, location: found.location,
                policies: found.isReached ? [policy.id] : [], people: people, paths: found.isReached ? met.count : 0,
                allPaths: found.isReached ? walked.count : 0, isForEverybody: people.count == everybody.count,
                inputs: found.inputs, outputs: found.outputs, notes: found.notes)
            element.scripts = coverage.map { $0.scripts(at: Self.places(found, policy)) }
            merge(element, of: policy.id)
        }
        policies.append(
            MigratedPolicy(
                id: policy.id,
                paths: walked.indices.map { place in
                    MigratedPolicy.Path(
                        person: walked[place].person, title: walked[place].title, words: walked[place].words,
                        verdict: verdicts[place], elements: names[place])
                }, left: left, cut: exploration.cut))
    }

    /// Adds places of apps.
    package mutating func add(_ places: [MigrationElement]) {
        for place in places { merge(place, of: "") }
    }

    /// Where a run counts something of an element.
    private static func places(_ found: FoundElement, _ policy: ResolvedPolicy) -> [SourceLocation] {
        if found.kind == "claims transformation" { return found.location.map { [$0] } ?? [] }
        return found.profiles.map { policy[$0].location }
            + found.journeys.flatMap { policy[$0].steps.map(\.location) }
    }

    private mutating func merge(_ element: MigrationElement, of policy: String) {
        // The place of these is the first one that a policy leads to.
        let isAnywhere = ["policy key", "localization"].contains(element.kind)
        let key = Key(
            kind: element.kind, id: element.id.lowercased(), location: isAnywhere ? nil : element.location)
        guard let place = known[key] else {
            known[key] = elements.count
            return elements.append(element)
        }
        let old = elements[place]
        guard element.isReached else { return }
        var both = old
        // One element has one verdict: a call at sign-up counts more than the same call elsewhere.
        if !old.isReached || element.rule.rawValue < old.rule.rawValue {
            both.rule = element.rule
            both.notes = element.notes
        }
        if old.isReached, old.rule != element.rule {
            let (rule, policies) =
                both.rule == old.rule ? (element.rule, policy) : (old.rule, old.policies.joined(separator: ", "))
            both.notes.append("In \(policies) it is \(rule.row.means): \(rule.row.verdict.doc).")
        }
        both.policies += element.policies
        both.paths += element.paths
        both.allPaths += element.allPaths
        both.isForEverybody = (old.isForEverybody || !old.isReached) && element.isForEverybody
        both.people += element.people.filter { !old.people.contains($0) }
        both.outputs += element.outputs.filter { !old.outputs.contains($0) }
        elements[place] = both
    }
}
