import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import Exploration
import JSON
import TenantFiles
import TrustFramework

/// Explores policies of a place, one after another.
package struct PolicyWalk {
    /// Where invariants are.
    package enum InvariantSource {
        case file(String)
        /// What an `explore.json` holds.
        case value(JSONValue)
    }

    /// The policies to explore, in their order.
    package let wanted: [PolicySettings]
    /// What came of those that were explored.
    package private(set) var summary: ExplorationSummary
    private let found: PlacedPolicies
    private let limits: ExplorationLimits
    private let seconds: Int
    private let invariants: InvariantSource?
    /// People come to a policy with the session of another.
    private let neighbours: [ResolvedPolicy]
    private let sessions = NeighbourSessions()

    /// - Parameter seconds: At most so many for each policy.
    /// - Throws: ``Failure`` if there is no such policy, or invariants go with several.
    package init(_ found: PlacedPolicies, limits: ExplorationLimits, seconds: Int, invariants: InvariantSource?) throws
    {
        self.found = found
        self.limits = limits
        self.seconds = seconds
        self.invariants = invariants
        wanted = try found.explored()
        summary = ExplorationSummary(isOfSeveral: wanted.count > 1)
        guard wanted.count == 1 || invariants == nil else {
            throw Failure.usage(
                "--invariants names claims and technical profiles of one policy, and \(found.shown) has \(wanted.count): "
                    + "name one by --policy")
        }
        neighbours = found.linkable
    }

    /// Explores one policy into the summary; `nil` when it cannot be explored and others may be. A cancelled task ends the
    /// walk where it is.
    package mutating func explore(
        _ settings: PolicySettings
    ) throws -> (policy: ResolvedPolicy, exploration: Exploration)? {
        if summary.isOfSeveral, settings.unsupported != nil {
            summary.unsupported.append(settings.name)
            return nil
        }
        let (end, tooFar) = Machine.clock.now().secondsSinceEpoch.addingReportingOverflow(Int64(seconds))
        do {
            let policy = try found.linked(settings)
            let exploration: Exploration
            do throws(InvalidInput) {
                exploration = try Explorer.explore(
                    policy, neighbours: neighbours, sessions: sessions, tenant: found.tenant.name,
                    switches: found.tenant.authority.defaults, limits: limits,
                    invariants: try readInvariants(policy),
                    isOutOfTime: {
                        Task.isCancelled || !tooFar && Machine.clock.now().secondsSinceEpoch >= end
                    })
            } catch {
                PlacedPolicies.report(error.diagnostics)
                throw Failure.silent(.input) as any Error
            }
            summary.add(exploration)
            return (policy, exploration)
        } catch let failure as Failure where summary.isOfSeveral && failure.status == .input {
            summary.broken.append(settings.name)
            return nil
        }
    }

    private func readInvariants(_ policy: ResolvedPolicy) throws(InvalidInput) -> Invariants {
        switch invariants {
        case nil: return Invariants()
        case .value(let value):
            return try Invariants(file: "invariants", bytes: Array(JSONWriter.pretty(value).utf8), policy: policy)
        case .file(let name):
            let path = FilePath.relative(name, to: Machine.currentFolder)
            guard let bytes = try? FileSystem.read(path) else {
                throw InvalidInput(
                    Diagnostic(
                        rule: "B2C-EXP-100", "\(path) cannot be read", remedy: "Name a file with invariants.",
                        at: SourceLocation(file: path)))
            }
            return try Invariants(file: path, bytes: bytes, policy: policy)
        }
    }
}
