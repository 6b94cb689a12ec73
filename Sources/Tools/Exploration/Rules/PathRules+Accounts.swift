import Determinism
import Diagnostics
import Journeys
import TrustFramework

/// Whose account: each token and each write has an account, and a person who acts. The account's owner must have shown in this
/// visit who they are, or have come with a session of their own.
extension PathRules {
    /// What somebody does with an account.
    private struct AccountAct {
        /// In words: `sets the password`.
        var words: String
        /// It takes the account from its owner: a session alone, which a browser shares, does not allow it.
        var takesOver: Bool
        /// The claim that names the account.
        var claim: ClaimTypeHandle
        /// The profile of the directory that does it.
        var profile: TechnicalProfile?
    }

    /// A token of an account is issued.
    func issued(_ id: GUID, _ place: PathState, _ result: inout Exploration) {
        guard let claim = policy.claimType("objectId") else { return }
        check(AccountAct(words: "gets a token", takesOver: false, claim: claim), on: id, place, &result)
    }

    /// A move wrote to the directory.
    ///
    /// - Parameter before: The directory before it.
    func wrote(_ place: PathState, from before: Directory, _ result: inout Exploration) {
        let start = result.starts[place.start]
        for id in start.objectIDs + start.others {
            guard let old = before[id] else { continue }
            let new = place.tenancy.directory[id]
            guard let change = WrittenChange(from: old, to: new) else { continue }
            let writer = writer(place)
            if place.facts.signsUp {
                result.note(.overwritten, [change.words], place.trail, at: writer?.location)
                continue
            }
            guard let writer, let key = writer.inputClaims.first else { continue }
            // What a policy counts or notes by itself, such as wrong passwords, comes before any proof.
            guard change != .attributes || isEntered(in: writer, place.facts.witness) else { continue }
            check(
                AccountAct(
                    words: change.verb, takesOver: change != .attributes, claim: key.claim, profile: writer), on: id,
                place, &result)
        }
    }

    /// Whether a profile writes something that a page has asked for, beside what it finds the account by.
    private func isEntered(in writer: TechnicalProfile, _ witness: PathEvidence) -> Bool {
        writer.persistedClaims.contains { persisted in
            persisted.claim != writer.inputClaims.first?.claim
                && (witness.isPosted(persisted.claim) || witness[persisted.claim]?.kind == .request)
        }
    }

    private func check(_ act: AccountAct, on id: GUID, _ place: PathState, _ result: inout Exploration) {
        let start = result.starts[place.start]
        let facts = place.facts
        let rule: ExplorationRule
        switch start.owner(of: id) {
        case .nobody, .new: return
        case .own:
            guard !facts.isProved, start.session == nil || start.signedIn != nil else { return }
            rule = .unproved
        case .other:
            // A provider that hands over an address of somebody else is a finding of its own.
            guard facts.handedOver.isEmpty else { return }
            // In a shared browser the provider still knows the person before, and says that it is them.
            guard start.signedIn == nil || facts.providers.isEmpty else { return }
            // Who uses a browser in which another person is signed in acts for that person, until they show who they are.
            let isShared = start.signedIn != nil && !facts.isProved && facts.witness.newPassword == nil
            if isShared, !act.takesOver { return }
            rule = .strangersAccount
        }
        // With the session alone somebody registers a number or an address of their own: a warning, since some want it so.
        let registered = place.tenancy.directory[id]?.texts.contains {
            TestPeople.secondNames.contains($0.lowercased())
        }
        let isMild = start.signedIn != nil && facts.witness.newPassword == nil && registered == true
        let owner =
            rule == .unproved ? "" : start.tenancy.directory[id]?.person ?? start.signedIn?.name ?? "somebody else"
        let origin = facts.witness.origin(of: act.claim, usedBy: act.profile, policy)
        let source = words(of: origin, act)
        let names =
            rule == .unproved ? [act.words, source.text] : [start.person.name, act.words, owner, source.text]
        result.note(
            rule, names, place.trail, at: source.location ?? act.profile?.location, cause: source.cause,
            of: start.person.name, isMild: isMild)
    }

    // MARK: Words

    /// Where an account comes from, for a finding.
    private struct OriginWords {
        var text = ""
        var location: SourceLocation?
        /// What the findings of one cause have in common.
        var cause: String
    }

    private func words(of origin: PathEvidence.Origin, _ act: AccountAct) -> OriginWords {
        let key = policy[origin.key].id
        var parts: [String] = []
        if let writer = act.profile { parts.append("\(writer.id) writes it") }
        if let finder = origin.finder.map({ policy[$0] }), finder.handle != act.profile?.handle {
            parts.append("\(finder.id) finds it by \(key)")
        }
        guard let source = origin.source, let handle = source.profile else {
            let finder = origin.finder.map { policy[$0] } ?? act.profile
            return OriginWords(
                text: parts.isEmpty ? "" : ": " + parts.joined(separator: ", "),
                location: finder?.location, cause: "\(key) \(finder?.id ?? "")")
        }
        let profile = policy[handle]
        let came = source.claim.map { policy[$0].id } ?? key
        let location = self.location(of: source)
        switch source.kind {
        case .session:
            let session = profile.sessionProfile.map { policy[$0].id } ?? "the session provider"
            parts.append("\(key) comes from the session, which \(session) restores at \(profile.id)")
        case .page: parts.append("\(came) is what somebody enters at \(profile.id)")
        case .request: parts.append("\(came) comes from the request: \(profile.id) reads \(standard(of: source) ?? "")")
        case .provider: parts.append("\(came) comes from \(profile.id)")
        case .service: parts.append("\(came) is the answer of \(profile.id)")
        case .constant: parts.append("\(came) is \(standard(of: source) ?? "constant") in \(profile.id)")
        case .directory: parts.append("\(came) comes from \(profile.id)")
        }
        return OriginWords(
            text: ": " + parts.joined(separator: ", "), location: location,
            cause: "\(source.kind) \(profile.id) \(came)")
    }

    /// The default of the claim that is a source.
    func standard(of source: ClaimSource) -> String? {
        element(of: source)?.defaultValue
    }

    private func element(of source: ClaimSource) -> ProfileClaim? {
        guard let profile = source.profile.map({ policy[$0] }) else { return nil }
        return (profile.outputClaims + profile.inputClaims).first {
            $0.claim == source.claim && (source.kind != .request && source.kind != .constant || $0.defaultValue != nil)
        }
    }

    /// The element of the policy that brings in what a source is.
    func location(of source: ClaimSource) -> SourceLocation? {
        guard let profile = source.profile.map({ policy[$0] }) else { return nil }
        if source.kind == .session { return policy.sessionReference(of: profile) ?? profile.location }
        return element(of: source)?.location ?? profile.location
    }
}

/// What an act has changed of an account, what is worst first.
private enum WrittenChange: Sendable {
    case deleted, password, names, factor, identities, contact, attributes

    init?(from old: Account, to new: Account?) {
        guard let new else {
            self = .deleted
            return
        }
        func differs(_ names: [String]) -> Bool {
            func values(_ account: Account) -> [String] {
                account.attributes.filter { item in names.contains { item.id.lowercased().hasPrefix($0) } }
                    .map { "\($0.id.lowercased()) \($0.value)" }.sorted()
            }
            return values(old) != values(new)
        }
        if new.password != old.password {
            self = .password
        } else if new.signInNames != old.signInNames {
            self = .names
        } else if differs(["strongauthentication"]) {
            self = .factor
        } else if new.identities != old.identities {
            self = .identities
        } else if differs(["othermails", "mail", "email", "mobilephone"]) {
            self = .contact
        } else if new.attributes != old.attributes {
            self = .attributes
        } else {
            return nil
        }
    }

    /// What changes, as the object of a sentence.
    var words: String {
        switch self {
        case .deleted: "everything"
        case .password: "the password"
        case .names, .factor, .identities, .contact, .attributes: "attributes"
        }
    }

    var verb: String {
        switch self {
        case .deleted: "deletes everything"
        case .password: "sets the password"
        case .names: "changes the sign-in name"
        case .factor: "changes the number or address of the second factor"
        case .identities: "changes the identities"
        case .contact: "changes the address"
        case .attributes: "changes attributes"
        }
    }
}

extension ResolvedPolicy {
    /// Where a profile names its session provider, in itself or in a profile that it includes.
    fileprivate func sessionReference(of profile: TechnicalProfile) -> SourceLocation? {
        let all = document.claimsProviders.flatMap(\.technicalProfiles)
        var id: String? = profile.id
        for _ in 0..<6 {
            guard let wanted = id, let element = all.first(where: { sameID($0.id, wanted) }) else { return nil }
            if let reference = element.sessionProfile { return reference.location }
            id = element.includes?.id
        }
        return nil
    }
}
