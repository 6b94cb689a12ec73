import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// The rules about tokens.
extension PathRules {
    /// A token is issued: everything that it shows by itself.
    func issued(_ issuance: Issuance, as issue: Exploration.Issue, _ place: PathState, _ result: inout Exploration) {
        let start = result.starts[place.start]
        let witness = place.facts.witness
        let identified = witness.identifiedBy.map { policy[$0].location }
        let account = issuance.objectID.flatMap { place.tenancy.directory[$0] }
        checkAddresses(issuance, of: account, at: place, in: &result)
        checkFields(place, &result)
        let isOwn = issue.owner == .own
        if start.person.record["accountEnabled"] == false, start.after == nil, isOwn {
            // The directory itself refuses a disabled account only where it checks the password.
            let isSocial = start.person.record["providers"] != nil || start.person.record["password"] == nil
            result.note(isSocial ? .disabledSocial : .disabled, [start.person.words], place.trail, at: identified)
        }
        if let after = start.after, start.session == nil, !place.facts.providers.isEmpty,
            result.issues[after].facts.providers == place.facts.providers,
            place.tenancy.directory.count > start.count, start.administered == nil
        {
            result.note(
                .madeAgain, [place.facts.providers.sorted().joined(separator: ", ")], place.trail,
                at: writer(place)?.location ?? identified)
        }
        guard let account else { return }
        issued(account.objectID, place, &result)
        if let password = witness.newPassword, account.password != password {
            let page = witness.passwordPage.map { policy[$0] }
            result.note(.passwordNotKept, [page?.id ?? ""], place.trail, at: page?.location)
        }
        // What an administrator changed since is not in what a session keeps, and the wrong account is a finding of its own.
        let isOther = issue.owner == .other && start.signedIn == nil
        if !isOther, start.session == nil || start.administered == nil {
            compare(issuance, with: account, place, &result)
        }
        if let subject = issuance.subject, subject.contains("@") {
            let claim = policy.relyingParty.outputClaims.first { output in
                policy.relyingParty.subjectNaming.map { sameID($0.claimType, output.wireName) } ?? false
            }
            result.note(
                .subjectChanges, [claim.map { policy[$0.claim].id } ?? "an address"], place.trail, at: claim?.location)
        }
    }

    /// Addresses that nobody verified: somebody entered them, or the request holds them and the account has others.
    private func checkAddresses(
        _ issuance: Issuance, of account: Account?, at place: PathState, in result: inout Exploration
    ) {
        let witness = place.facts.witness
        let start = result.starts[place.start]
        let asked = account == nil ? [] : start.request.parameters.map { $0.value.lowercased() }
        for claim in issuance.claims {
            for text in [claim.value.stringValue].compactMap(\.self)
                + (claim.value.arrayValue ?? []).compactMap(\.stringValue)
            where text.contains("@") && !place.facts.proved.contains(text.lowercased()) {
                if witness.typed.contains(text.lowercased()) {
                    if isProvedClaim(claim.id, witness) { continue }
                    result.note(.unverified, [claim.name, ""], place.trail, at: origin(of: claim.id, witness))
                } else if asked.contains(text.lowercased()), isName(claim) {
                    let source = requestSource(of: claim, witness)
                    let owner = account?.person.map { " of an account of \($0)" } ?? ""
                    result.note(
                        .unverified, [claim.name, "\(owner) (\(source.words))"], place.trail, at: source.location,
                        cause: "\(claim.name) \(source.words)", of: start.person.name)
                }
            }
        }
    }

    /// Whether a claim of a token says who the person is, as far as its name says.
    private func isName(_ claim: IssuedClaim) -> Bool {
        let names = "\(claim.name) \(claim.id)".lowercased()
        let subject = policy.relyingParty.subjectNaming.map { sameID($0.claimType, claim.name) } ?? false
        return subject
            || ["mail", "upn", "username", "userprincipalname", "signinname"].contains { names.contains($0) }
                && !names.contains("hint")
    }

    /// Where the request comes into a claim of a token.
    private func requestSource(
        of claim: IssuedClaim, _ witness: PathEvidence
    ) -> (words: String, location: SourceLocation?) {
        if let output = policy.relyingParty.outputClaims.first(where: { $0.wireName == claim.name }),
            let standard = output.defaultValue, standard.contains("{"),
            output.alwaysUseDefaultValue || policy.claimType(claim.id).flatMap({ witness[$0] }) == nil
        {
            return ("it is \(standard) of the request", output.location)
        }
        guard let handle = policy.claimType(claim.id), let source = witness[handle],
            let profile = source.profile.map({ policy[$0] })
        else { return ("it comes from the request", output(claim.name)) }
        let what = standard(of: source) ?? source.claim.map { policy[$0].id } ?? "it"
        return ("\(profile.id) takes it from \(what) of the request", location(of: source))
    }

    /// Fields that nothing has taken until the token.
    private func checkFields(_ place: PathState, _ result: inout Exploration) {
        let issued = policy.relyingParty.outputClaims.map(\.claim)
        for (claim, page) in place.facts.witness.untaken {
            let type = policy[claim]
            // A password that nothing checks is a finding of its own, and the service itself compares the second entry.
            guard type.userInputType != .password, !issued.contains(claim),
                !purpose.deciding.contains(claim), !purpose.controlled.contains(claim)
            else {
                continue
            }
            let profile = policy[page]
            result.note(
                .fieldUnused, [type.id, profile.id], place.trail,
                at: profile.outputClaims.first { $0.claim == claim }?.location ?? profile.location)
        }
    }

    /// Whether a code proved the claim that the value of a claim was entered in.
    private func isProvedClaim(_ id: String, _ witness: PathEvidence) -> Bool {
        guard let claim = policy.claimType(id) else { return false }
        return witness.verified.contains(claim) || witness[claim]?.claim.map(witness.verified.contains) ?? false
    }

    /// The output claim of the page, or the profile, where the value of a claim came in.
    private func origin(of id: String, _ witness: PathEvidence) -> SourceLocation? {
        guard let claim = policy.claimType(id), let source = witness[claim], let handle = source.profile else {
            return nil
        }
        return location(of: source) ?? policy[handle].location
    }

    /// Claims of a token that differ from what the account has under the attribute that they are written to.
    private func compare(
        _ issuance: Issuance, with account: Account, _ place: PathState, _ result: inout Exploration
    ) {
        for issued in issuance.claims {
            guard let claim = policy.claimType(issued.id), let attribute = attributes[claim],
                let kept = place.tenancy.directory.value(attribute, of: account, as: policy[claim].dataType)
            else { continue }
            let value = kept.json(as: policy[claim].dataType)
            guard case .string(let text) = value, case .string(let given) = issued.value, text != given,
                // The provider hands over an address of another account, which says nothing about this one.
                !place.facts.handedOver.contains(given.lowercased())
            else { continue }
            let witness = place.facts.witness
            // A service that the policy asks knows better than the directory.
            if witness[claim]?.kind == .service { continue }
            let output = policy.relyingParty.outputClaims.first { $0.wireName == issued.name }
            let isOverruled = output.map { $0.defaultValue != nil && $0.alwaysUseDefaultValue } ?? false
            let location = isOverruled ? output?.location : origin(of: issued.id, witness) ?? output?.location
            result.note(
                .accountDiffers,
                [issued.name, "\"\(given)\"", "\(attribute) is \"\(text)\"", source(of: claim, witness, isOverruled)],
                place.trail, at: location, cause: "\(issued.name) \(location?.description ?? "")",
                of: result.starts[place.start].person.name)
        }
    }

    /// Which profile gave a claim of a token its value, for a finding.
    private func source(of claim: ClaimTypeHandle, _ witness: PathEvidence, _ isOverruled: Bool) -> String {
        guard !isOverruled, let source = witness[claim], let profile = source.profile.map({ policy[$0] }) else {
            return ""
        }
        let standard = source.kind == .constant || source.kind == .request ? standard(of: source) : nil
        return ": \(profile.id) gives \(policy[source.claim ?? claim].id)"
            + (standard.map { " the default \"\($0)\"" } ?? "")
    }

    private func output(_ name: String) -> SourceLocation? {
        policy.relyingParty.outputClaims.first { $0.wireName == name }?.location
    }

    /// The attribute of each claim that is written to one attribute, or read from one.
    static func attributes(of policy: ResolvedPolicy) -> [ClaimTypeHandle: String] {
        var names: [ClaimTypeHandle: Set<String>] = [:]
        for profile in policy.profiles where profile.handler == .directory {
            for claim in profile.persistedClaims + profile.outputClaims
            where claim.defaultValue == nil || !claim.alwaysUseDefaultValue {
                names[claim.claim, default: []].insert(claim.wireName.lowercased())
            }
        }
        let own: Set<String> = ["objectid", "newclaimsprincipalcreated", "userprincipalname"]
        return names.compactMapValues { $0.count == 1 && own.isDisjoint(with: $0) ? $0.first : nil }
    }

    // MARK: Afterwards

    /// All ways have been walked: what a failure, or an empty answer, has changed in tokens.
    func ended(_ result: inout Exploration) {
        for issue in result.issues where result.starts[issue.start].isUsual {
            let witness = issue.facts.witness
            for handle in witness.ignored.handles {
                guard
                    let whole = result.twin(
                        of: issue, where: { $0.ran.contains(handle) && !$0.ignored.contains(handle) })
                else { continue }
                result.note(
                    .failureIgnored, [policy[handle].id], issue.trail, other: whole.trail,
                    at: caller(of: handle) ?? policy[handle].location)
            }
            for handle in witness.emptied.handles where !witness.ignored.contains(handle) {
                let decisive = policy[handle].outputClaims.filter {
                    purpose.deciding.contains($0.claim) && !$0.alwaysUseDefaultValue
                }
                guard let claim = decisive.first(where: { $0.defaultValue != nil }) ?? decisive.first,
                    let whole = result.twin(
                        of: issue, where: { $0.ran.contains(handle) && !$0.emptied.contains(handle) })
                else { continue }
                result.note(
                    .emptyAnswerPasses, [policy[handle].id, policy[claim.claim].id, words(ofCheck: claim)], issue.trail,
                    other: whole.trail, at: claim.location)
            }
        }
    }

    /// What decides by a claim, and the default that it has in place of an answer.
    private func words(ofCheck claim: ProfileClaim) -> String {
        let checks = policy.transformations.filter { transformation in
            PolicyGoals.isAssertion(transformation) && transformation.inputClaims.contains { $0.claim == claim.claim }
        }
        let check = checks.first.map { " (\($0.id))" } ?? ""
        return check + (claim.defaultValue.map { ": it is \"\($0)\" by DefaultValue" } ?? "")
    }

    /// Where a page calls a profile whose failure it ignores.
    private func caller(of handle: ProfileHandle) -> SourceLocation? {
        for profile in policy.profiles {
            if let found = profile.validationProfiles.first(where: { $0.profile == handle && $0.continueOnError }) {
                return found.location
            }
        }
        return nil
    }

    // MARK: Refresh tokens

    /// The technical profiles of a journey, in their order.
    private func profiles(of journey: JourneyHandle) -> [TechnicalProfile] {
        policy[journey].steps.flatMap(\.exchanges).map { policy[$0.profile] }
    }

    /// The comparisons of two times in a journey, each with the profile that runs it.
    private func timeAssertions(
        of journey: JourneyHandle
    ) -> [(profile: TechnicalProfile, transformation: ClaimsTransformation)] {
        profiles(of: journey).flatMap { profile in
            (profile.inputTransformations + profile.outputTransformations).map { (profile, policy[$0]) }
        }.filter { sameID($0.transformation.method, "AssertDateTimeIsGreaterThan") }
    }

    /// How long after the token its revocation comes: a policy that ignores it keeps a stolen token alive beyond its access
    /// token.
    static let revocationDelay = TimeSpan.hours(1)

    /// How far two times may be apart that the refresh journey takes for equal: a revocation within it is not seen.
    func revocationWindow(of journey: JourneyHandle) -> TimeSpan {
        let windows = timeAssertions(of: journey).compactMap { item in
            ["TreatAsEqualIfWithinMillseconds", "TreatAsEqualIfWithinMilliseconds"].lazy.compactMap {
                item.transformation.parameter($0).flatMap { Int64($0) }
            }.first
        }
        // bounded: a century
        return .milliseconds(min(max(windows.max() ?? 0, 0), 3_155_760_000_000))
    }

    /// A refresh token works after it was revoked.
    ///
    /// - Parameters:
    ///   - journey: The journey of refresh tokens.
    ///   - window: How far two times may be apart that it takes for equal.
    func refreshedThoughRevoked(
        _ issue: Exploration.Issue, by journey: JourneyHandle, _ window: TimeSpan, _ result: inout Exploration
    ) {
        let assertion = timeAssertions(of: journey).first
        let reader = profiles(of: journey).first { $0.handler == .directory }
        let words: String
        if let assertion {
            words =
                window >= Self.revocationDelay
                ? "\(assertion.transformation.id) takes times within \(window.wholeSeconds) s for equal"
                : "\(assertion.transformation.id) of \(assertion.profile.id) passes"
        } else {
            words =
                (reader.map { "\($0.id) reads the account, and " } ?? "")
                + "nothing in \(policy[journey].id) compares the time of the token with that of the revocation"
        }
        let place = assertion?.transformation.inputParameters.first {
            $0.id.lowercased().hasPrefix("treatasequal") && window >= Self.revocationDelay
        }?.location
        result.note(
            .refreshIgnoresRevocation, [": " + words], issue.trail,
            at: place ?? assertion?.transformation.location ?? reader?.location ?? policy[journey].location)
    }

    /// Where a refresh failed, and why, for a finding.
    func refreshFailure(_ failure: JourneyFailure) -> (words: String, location: SourceLocation?) {
        guard
            let journey = policy.relyingParty.journey(endpoint: "Token")
                ?? policy.tokenIssuer?.refreshJourney.flatMap({ policy.journey($0) })
        else { return (failure.told, self.failure) }
        let all = profiles(of: journey)
        guard let failed = failedProfile, let place = all.firstIndex(where: { $0.handle == failed.handle }),
            failed.handler == .directory, let key = failed.inputClaims.first,
            !all[..<place].contains(where: { $0.outputClaims.contains { $0.claim == key.claim } })
        else { return (failure.told, self.failure ?? policy[journey].location) }
        let setUp = all.first { $0.handler == .none }
        let id = policy[key.claim].id
        return (
            "\(failed.id) needs \(id), and "
                + (setUp.map { "\($0.id) does not read it from the token" }
                    ?? "no step of \(policy[journey].id) gives it"),
            setUp?.location ?? policy[journey].location
        )
    }
}

extension Exploration {
    /// A token with the same claims, of the same person.
    fileprivate func twin(of issue: Issue, where holds: (PathEvidence) -> Bool) -> Issue? {
        issues.first { $0.start == issue.start && $0.claims == issue.claims && holds($0.facts.witness) }
    }
}
