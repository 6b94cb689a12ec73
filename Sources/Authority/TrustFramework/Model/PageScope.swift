/// Which claims leave a page.
///
/// Claims that validation profiles and the actions of display controls write live within the page and what it runs. They
/// go on to later orchestration steps as output claims of the page's own technical profile (Microsoft docs:
/// validation-technical-profile).
extension ResolvedPolicy {
    /// Claims that what a page runs inside may write: validation profiles and the actions of display controls, with
    /// their transformations.
    public func claimsInside(_ page: TechnicalProfile) -> Set<ClaimTypeHandle> {
        var claims: Set<ClaimTypeHandle> = []
        for handle in profilesInside(page) {
            let profile = self[handle]
            claims.formUnion(profile.outputClaims.map(\.claim))
            for transformation in profile.inputTransformations + profile.outputTransformations {
                claims.formUnion(self[transformation].outputClaims.map(\.claim))
            }
        }
        return claims
    }

    /// Claims whose value goes on when a page is left: its output claims, what its output transformations write, and
    /// fields that a person typed into, unless something inside writes them too (inferred for fields that are not
    /// output claims).
    public func claimsLeaving(_ page: TechnicalProfile) -> Set<ClaimTypeHandle> {
        var leaving: Set<ClaimTypeHandle> = []
        for item in page.displayClaims {
            switch item.target {
            case .claim(let claim): leaving.insert(claim)
            case .control(let handle):
                let control = self[handle]
                guard control.type != .captcha else { continue }
                leaving.formUnion(control.displayClaims.map(\.claim).filter { $0 != control.codeClaim })
            }
        }
        leaving = leaving.filter { ![.readonly, .paragraph].contains(self[$0].userInputType) }
        leaving.subtract(claimsInside(page))
        leaving.formUnion(page.outputClaims.map(\.claim))
        for transformation in page.outputTransformations {
            leaving.formUnion(self[transformation].outputClaims.map(\.claim))
        }
        return leaving
    }

    /// The profiles that a page runs inside, without repeats.
    private func profilesInside(_ page: TechnicalProfile) -> [ProfileHandle] {
        var handles = page.validationProfiles.map(\.profile)
        for item in page.displayClaims {
            guard case .control(let control) = item.target else { continue }
            handles += self[control].actions.flatMap { $0.profiles.map(\.profile) }
        }
        var seen: Set<ProfileHandle> = []
        return handles.filter { seen.insert($0).inserted }
    }
}
