import Exploration
import TrustFramework

/// What the pages of a relying party are for, and where it calls REST technical profiles: the place decides the event.
struct CallPlaces {
    let policy: ResolvedPolicy
    let reach: ReachableElements
    /// Claims of the token, and those that transformations make them of.
    let tokenClaims: Set<ClaimTypeHandle>
    /// The exchanges of the default journey in order, those of its sub journeys among them.
    private let order: [ProfileHandle]

    init(_ policy: ResolvedPolicy) {
        self.policy = policy
        reach = ReachableElements(policy)
        var claims = Set(policy.relyingParty.outputClaims.map(\.claim))
        var count = 0
        while count < claims.count {
            count = claims.count
            for transformation in reach.transformations.map({ policy[$0] })
            where transformation.outputClaims.contains(where: { claims.contains($0.claim) }) {
                claims.formUnion(transformation.inputClaims.map(\.claim))
            }
        }
        tokenClaims = claims
        var order: [ProfileHandle] = []
        var seen: Set<JourneyHandle> = []
        func add(_ journey: JourneyHandle) {
            guard seen.insert(journey).inserted else { return }
            for step in policy[journey].steps {
                order += step.selections.map(\.profile) + step.exchanges.map(\.profile)
                step.subJourneys.forEach(add)
            }
        }
        add(policy.relyingParty.defaultJourney)
        self.order = order
    }

    /// Technical profiles that a relying party leads to and that show a page of the policy.
    var pages: [TechnicalProfile] { reach.profiles.map { policy[$0] }.filter { $0.handler == .selfAsserted } }

    // MARK: Pages

    /// What a page is for.
    func purpose(_ page: TechnicalProfile) -> MigrationRule {
        let checks = checks(page)
        if checks.contains(where: { $0.handler == .passwordSignIn }) { return .signInPage }
        if checks.contains(where: creates) { return .signUpPage }
        if checks.contains(where: writesPassword) { return .resetPage }
        if checks.contains(where: { !$0.persistedClaims.isEmpty }) { return .editPage }
        let later = later(than: page.handle)
        if later.contains(where: creates) { return .signUpPage }
        if later.contains(where: writesPassword) { return .resetPage }
        let own = Set(page.outputClaims.map(\.claim))
        return later.contains { $0.persistedClaims.contains { own.contains($0.claim) } } ? .editPage : .otherPage
    }

    private func checks(_ page: TechnicalProfile) -> [TechnicalProfile] {
        page.validationProfiles.map { policy[$0.profile] }
    }

    /// What runs after a technical profile, with what checks its pages.
    private func later(than profile: ProfileHandle) -> [TechnicalProfile] {
        guard let place = order.lastIndex(of: profile) else { return [] }
        return order[(place + 1)...].map { policy[$0] }.flatMap { [$0] + checks($0) }
    }

    private func creates(_ profile: TechnicalProfile) -> Bool {
        profile.handler == .directory
            && (profile.outputClaims.contains { sameID($0.wireName, "newClaimsPrincipalCreated") }
                || profile.metadata.bool("RaiseErrorIfClaimsPrincipalAlreadyExists", default: false))
    }

    private func writesPassword(_ profile: TechnicalProfile) -> Bool {
        profile.handler == .directory && profile.persistedClaims.contains { sameID($0.wireName, "password") }
    }

    // MARK: Calls

    /// The rule of a REST technical profile, and what else is to be known.
    func rule(of call: TechnicalProfile) -> (rule: MigrationRule, notes: [String]) {
        guard reach.profiles.contains(call.handle) else {
            return (.callElsewhere, ["No relying party leads to it."])
        }
        let outputs = Set(call.outputClaims.map(\.claim))
        let uses = pages.filter { $0.validationProfiles.contains { $0.profile == call.handle } }.map(purpose)
        if sendsCode(call) { return (.callSendsCode, []) }
        if takesPassword(call), uses.contains(.signInPage) || uses.isEmpty { return (.callChecksPassword, []) }
        if uses.contains(.signUpPage) { return (.callAtSignUp, notes(of: call)) }
        let fillsIn = later(than: call.handle).contains { page in
            page.handler == .selfAsserted && purpose(page) == .signUpPage
                && page.inputClaims.contains { outputs.contains($0.claim) }
        }
        if fillsIn { return (.callBeforeSignUp, []) }
        if !outputs.isDisjoint(with: tokenClaims) { return (.callForToken, []) }
        return (.callElsewhere, uses.map { "It checks \($0.row.means), and no claim of its answer is in the token." })
    }

    private func notes(of call: TechnicalProfile) -> [String] {
        let kept = Set(reach.profiles.flatMap { policy[$0].persistedClaims.map(\.claim) })
        let lost = call.outputClaims.filter { tokenClaims.contains($0.claim) && !kept.contains($0.claim) }
        return
            (takesPassword(call) ? ["It gets the password now; the extension does not."] : [])
            + (lost.isEmpty
                ? []
                : [
                    "\(lost.map { policy[$0.claim].id }.joined(separator: ", ")) of its answer is in the token and not in "
                        + "the directory: return it by tokenIssuanceStart too."
                ])
    }

    private func takesPassword(_ call: TechnicalProfile) -> Bool {
        call.inputClaims.contains { policy[$0.claim].userInputType == .password }
    }

    /// Whether a call sends a code by e-mail: an action of a display control runs it, or it gets a code that was made.
    private func sendsCode(_ call: TechnicalProfile) -> Bool {
        let isAction = reach.controls.map { policy[$0] }.contains { control in
            !isPhone(control)
                && control.actions.contains { action in
                    !sameID(action.id, "VerifyCode") && action.profiles.contains { $0.profile == call.handle }
                }
        }
        let codes = reach.profiles.map { policy[$0] }.filter { $0.handler == .oneTimePassword }
            .flatMap { $0.outputClaims.map(\.claim) }
        let address = call.inputClaims.contains { policy[$0.claim].dataType == .phoneNumber }
        return isAction || !address && call.inputClaims.contains { codes.contains($0.claim) }
    }

    /// Whether a display control is about a phone number.
    func isPhone(_ control: DisplayControl) -> Bool {
        control.displayClaims.contains {
            ["Phone", "CountryCode"].contains($0.controlClaimType ?? "") || policy[$0.claim].dataType == .phoneNumber
        }
    }
}
