import Diagnostics
import PolicyRelease
import TrustFramework

/// A tenant between two uploads.
package struct UploadState {
    /// A policy that cannot run in this state.
    package struct Broken {
        var policy: String
        /// What keeps it from being linked.
        var why: Diagnostic
    }

    /// How many of the uploads have happened, of how many.
    var count: Int
    var of: Int
    /// The policy that was uploaded last.
    var last: String
    var broken: [Broken] = []
    /// What people notice in this state that they notice neither before nor after the release.
    var rows: [NoticedRow] = []

    var isCalm: Bool { broken.isEmpty && rows.isEmpty }
}

/// Looks at the states between the uploads of a release.
///
/// The service checks an uploaded policy with its parents, and no policy that inherits from it: a state in which a child does
/// not fit its new parent is live until the child is uploaded.
package final class UploadStates {
    private let old: PolicyState
    private let new: PolicyState
    private let domain: String
    private let uploads: [ReleasePlan.ReleaseStep]
    /// Policies linked with the parents of a state, by what they and their parents are.
    private var linked: [[String]: LinkedState] = [:]
    /// Rows by what a policy and its parents are.
    private var rows: [[String]: [NoticedRow]] = [:]

    init(from old: PolicyState, to new: PolicyState, domain: String, uploads: [ReleasePlan.ReleaseStep]) {
        self.old = old
        self.new = new
        self.domain = domain
        self.uploads = uploads
    }

    /// An order of the uploads in which nothing is broken between two of them; `nil`: none was found.
    func unbrokenOrder() -> [String]? {
        let order = UploadOrder(
            uploads.map { step in
                UploadOrder.Upload(
                    id: step.id, base: new.file(step.id)?.base, exists: step.action != .create)
            })
        return order.unbroken { places in
            !self.broken(in: self.state(after: places.map { self.uploads[$0].id })).isEmpty
        }
    }

    /// The states of an order, with what is broken in each.
    func states(of order: [String]) -> [UploadState] {
        order.indices.dropLast().map { place in
            UploadState(
                count: place + 1, of: order.count, last: order[place],
                broken: broken(in: state(after: Array(order[...place]))))
        }
    }

    /// What people notice in a state and neither before nor after the release.
    ///
    /// - Parameter known: What they notice after it.
    func rows(
        in order: [String], after count: Int, known: [NoticedRow], limits: ComparisonLimits
    ) async throws -> [NoticedRow] {
        let state = state(after: Array(order.prefix(count)))
        var found: [NoticedRow] = []
        for id in mixed(in: state) where old.file(id) != nil {
            let key = state.meaning(of: id)
            if rows[key] == nil { rows[key] = try await rows(of: id, in: state, known: known, limits) }
            found += rows[key] ?? []
        }
        return found
    }

    private func rows(
        of id: String, in state: PolicyState, known: [NoticedRow], _ limits: ComparisonLimits
    ) async throws -> [NoticedRow] {
        let between = link(id, in: state)
        let (before, after) = (link(id, in: old), link(id, in: new))
        guard between.problems(id).isEmpty, before.problems(id).isEmpty, after.problems(id).isEmpty else { return [] }
        let sides = (try before.side(id), try between.side(id), try after.side(id))
        // Whatever is reached is as it was, or as it will be.
        for side in [sides.0, sides.2] {
            guard try PolicyComparison(side, sides.1).structure.contains(where: \.isReached) else { return [] }
        }
        let change = try await SignInChanges.compared(sides.0, sides.1, limits)
        return change.rows.filter { row in
            !known.contains {
                sameID($0.policy, row.policy) && $0.before == row.before && $0.after == row.after
            }
        }
    }

    // MARK: States

    private func state(after ids: [String]) -> PolicyState {
        var state = old
        for id in ids { if let file = new.file(id) { state.put(file) } }
        return state
    }

    /// Policies that apps can call in a state and that are neither as before nor as afterwards.
    private func mixed(in state: PolicyState) -> [String] {
        state.files.filter(\.isRelyingParty).map(\.id).filter { id in
            let meaning = state.meaning(of: id)
            return meaning != new.meaning(of: id) && (old.file(id) == nil || meaning != old.meaning(of: id))
        }
    }

    private func broken(in state: PolicyState) -> [UploadState.Broken] {
        mixed(in: state).compactMap { id in
            guard let why = link(id, in: state).problems(id).first else { return nil }
            // What is broken now is not broken by the release.
            if old.file(id) != nil, !link(id, in: old).problems(id).isEmpty { return nil }
            return UploadState.Broken(policy: id, why: why)
        }
    }

    private func link(_ id: String, in state: PolicyState) -> LinkedState {
        let key = state.meaning(of: id)
        if let known = linked[key] { return known }
        let made = LinkedState(PolicyState(state.chain(id)), domain: domain, callable: [id])
        linked[key] = made
        return made
    }
}
