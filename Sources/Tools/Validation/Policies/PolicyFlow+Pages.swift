import Diagnostics
import TrustFramework

/// Claims that end with a page: what its validation profiles and the actions of its display controls write, unless the
/// page lists it among its output claims (B2C-POL-098; Microsoft docs: validation-technical-profile).
extension PolicyFlow {
    /// Adds what a profile of a step may write.
    func leave(_ handle: ProfileHandle, _ bag: inout Bag) {
        let profile = policy[handle]
        let all = written(handle)
        guard profile.handler == .selfAsserted else { return bag.add(all) }
        let goingOn = policy.claimsLeaving(profile).union(kept(by: profile))
        let ends = policy.claimsInside(profile).subtracting(goingOn)
        bag.add(all.subtracting(ends))
        for claim in ends {
            bag.written.insert(claim)
            bag.pages[claim] = bag.pages[claim] ?? handle
        }
    }

    /// What a page writes before it is shown, and what its session brings back.
    private func kept(by profile: TechnicalProfile) -> Set<ClaimTypeHandle> {
        transformed(by: profile.inputTransformations).union(remembered(by: profile.sessionProfile))
    }

    /// Claims among these that only something inside an earlier page writes, each once.
    mutating func hidden(
        _ reads: [(claim: ClaimTypeHandle, location: SourceLocation?)], in bag: Bag, reader: String
    ) {
        var seen: Set<ClaimTypeHandle> = []
        for read in reads {
            guard !bag.goesOn.contains(read.claim), let page = bag.pages[read.claim], seen.insert(read.claim).inserted
            else { continue }
            let name = policy[read.claim].id
            let id = policy[page].id
            report(
                "B2C-POL-098",
                "\(name) is \(reader), and ends with the page \(id): only what the page runs inside writes it",
                remedy: "Add \(name) to the OutputClaims of \(id).", at: read.location)
        }
    }

    mutating func hidden(_ profile: TechnicalProfile, in bag: Bag, at place: StepPlace) {
        hidden(reads(of: profile, bag, given: []), in: bag, reader: "read by \(profile.id) in \(place)")
        // What the page has inside sees everything that is written there.
        let inside = written(profile.handle)
        var lists = [profile.validationProfiles]
        for item in profile.displayClaims {
            if case .control(let control) = item.target { lists += policy[control].actions.map(\.profiles) }
        }
        for called in lists.joined() {
            let conditions = called.preconditions.flatMap { condition in
                condition.claims.filter { !inside.contains($0) }.map { ($0, condition.location) }
            }
            let id = policy[called.profile].id
            hidden(
                conditions + reads(of: policy[called.profile], bag, given: inside), in: bag,
                reader: "read by \(id) in \(place)")
        }
    }

    /// Claims that a profile takes out of the bag.
    private func reads(
        of profile: TechnicalProfile, _ bag: Bag, given: Set<ClaimTypeHandle>
    ) -> [(claim: ClaimTypeHandle, location: SourceLocation?)] {
        var own = given
        var all: [(claim: ClaimTypeHandle, location: SourceLocation?)] = []
        func transform(_ list: [TransformationHandle]) {
            for handle in list {
                let transformation = policy[handle]
                for input in transformation.inputClaims where !own.contains(input.claim) {
                    all.append((input.claim, transformation.location))
                }
                own.formUnion(transformation.outputClaims.map(\.claim))
            }
        }
        transform(profile.inputTransformations)
        for list in [profile.inputClaims, profile.persistedClaims] {
            for input in list where input.defaultValue == nil && !own.contains(input.claim) {
                // Another claim under the same name on the other side may take its place, as oldPassword does.
                let isReplaced = list.contains { other in
                    other.claim != input.claim && sameID(other.wireName, input.wireName)
                        && (other.defaultValue != nil || own.contains(other.claim) || bag.goesOn.contains(other.claim))
                }
                if !isReplaced { all.append((input.claim, input.location)) }
            }
        }
        own.formUnion(written(profile.handle))
        transform(profile.outputTransformations)
        return all
    }
}
