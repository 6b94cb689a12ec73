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
    func issued(_ issuance: Issuance, as issue: Exploration.Issue, _ place: Place, _ result: inout Exploration) {
        let start = result.starts[place.start]
        let witness = place.facts.witness
        let identified = witness.identifiedBy.map { policy[$0].location }
        for claim in issuance.claims {
            for text in [claim.value.stringValue].compactMap(\.self)
                + (claim.value.arrayValue ?? []).compactMap(\.stringValue)
            where text.contains("@") && witness.typed.contains(text.lowercased())
                && !place.facts.proved.contains(text.lowercased()) && !isProvedClaim(claim.id, witness)
            {
                result.note(.unverified, [claim.name], place.trail, at: origin(of: claim.id, witness))
            }
        }
        checkFields(place, &result)
        let account = issuance.objectID.flatMap { place.tenancy.directory[$0] }
        let isOwn = issue.owner == .own
        if start.person.record["accountEnabled"] == false, start.after == nil, isOwn {
            // The directory itself refuses a disabled account only where it checks the password.
            let isSocial = start.person.record["providers"] != nil || start.person.record["password"] == nil
            result.note(isSocial ? .disabledSocial : .disabled, [start.person.words], place.trail, at: identified)
        }
        if isOwn, !place.facts.isProved, start.session == nil {
            result.note(.unproved, [], place.trail, at: identified)
        }
        if let after = start.after, start.session == nil, !place.facts.providers.isEmpty,
            result.issues[after].facts.providers == place.facts.providers,
            place.tenancy.directory.count > start.count, start.administered == nil
        {
            result.note(
                .madeAgain, [place.facts.providers.sorted().joined(separator: ", ")], place.trail,
                at: writer(place) ?? identified)
        }
        guard let account else { return }
        // Nobody but its owner knows the password of the other account or reads the codes that go to it.
        if issue.owner == .other, let owner = account.person, start.session == nil, place.facts.handedOver.isEmpty,
            start.request.isUsual,
            !account.signInNames.contains(where: { place.facts.proved.contains($0.value.lowercased()) })
        {
            result.note(.strangersAccount, [start.person.name, owner], place.trail, at: identified)
        }
        if let password = witness.newPassword, account.password != password {
            let page = witness.passwordPage.map { policy[$0] }
            result.note(.passwordNotKept, [page?.id ?? ""], place.trail, at: page?.location)
        }
        if start.session == nil { compare(issuance, with: account, place, &result) }
        if let subject = issuance.subject, subject.contains("@"), start.session == nil {
            let claim = policy.relyingParty.outputClaims.first { output in
                policy.relyingParty.subjectNaming.map { sameID($0.claimType, output.wireName) } ?? false
            }
            result.note(
                .subjectChanges, [claim.map { policy[$0.claim].id } ?? "an address"], place.trail, at: claim?.location)
        }
    }

    /// Fields that nothing has taken until the token.
    private func checkFields(_ place: Place, _ result: inout Exploration) {
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
    private func isProvedClaim(_ id: String, _ witness: Witness) -> Bool {
        guard let claim = policy.claimType(id) else { return false }
        return witness.verified.contains(claim) || witness[claim]?.claim.map(witness.verified.contains) ?? false
    }

    /// The output claim of the page, or the profile, where the value of a claim came in.
    private func origin(of id: String, _ witness: Witness) -> SourceLocation? {
        guard let claim = policy.claimType(id), let source = witness[claim], let handle = source.profile else {
            return nil
        }
        let profile = policy[handle]
        return profile.outputClaims.first { $0.claim == source.claim }?.location ?? profile.location
    }

    /// Claims of a token that differ from what the account has under the attribute that they are written to.
    private func compare(
        _ issuance: Issuance, with account: Account, _ place: Place, _ result: inout Exploration
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
            result.note(
                .accountDiffers, [issued.name, "\"\(given)\"", "\(attribute) is \"\(text)\""], place.trail,
                at: origin(of: issued.id, witness) ?? output(issued.name))
        }
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
                let decisive = policy[handle].outputClaims.filter { purpose.deciding.contains($0.claim) }
                guard let claim = decisive.first,
                    let whole = result.twin(
                        of: issue, where: { $0.ran.contains(handle) && !$0.emptied.contains(handle) })
                else { continue }
                result.note(
                    .emptyAnswerPasses, [policy[handle].id, policy[claim.claim].id], issue.trail, other: whole.trail,
                    at: claim.location)
            }
        }
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

    /// A refresh token works after it was revoked.
    ///
    /// - Parameter journey: The journey of refresh tokens.
    func refreshedThoughRevoked(_ issue: Exploration.Issue, by journey: JourneyHandle, _ result: inout Exploration) {
        result.note(.refreshIgnoresRevocation, [], issue.trail, at: policy[journey].location)
    }
}

extension Exploration {
    /// A token with the same claims, of the same person.
    fileprivate func twin(of issue: Issue, where holds: (Witness) -> Bool) -> Issue? {
        issues.first { $0.start == issue.start && $0.claims == issue.claims && holds($0.facts.witness) }
    }
}
