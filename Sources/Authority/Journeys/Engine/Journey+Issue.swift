import B2CProtocol
import Determinism
import JSON
import TrustFramework

extension Journey {
    /// Step `SendClaims`.
    ///
    /// - Parameter issuer: The step's own, else the default of the user journey, also in a sub journey that it transfers to.
    mutating func issue(
        _ step: OrchestrationStep, by issuer: ProfileHandle?, of journey: UserJourney, decision: PreconditionDecision,
        in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move {
        guard let issuer else {
            return .failed(
                .policyFault(.c90108, [String(step.order)], detail: "step \(step.order) names no token issuer"))
        }
        let profile = turn.policy[issuer]
        do throws(ProfileFailure) {
            try requireSimulated(profile)
            if let foreign = turn.policy.foreignParty { throw .notSimulated(foreign.what, at: foreign.location) }
            try requireActiveKeys(of: profile, turn)
            try transform(profile.inputTransformations, for: profile, page: nil, &turn)
        } catch {
            return .failed(error)
        }
        note(step, of: journey, decision: decision, &turn)
        switch profile.handler {
        case .jwtIssuer:
            persistSession(profile, turn)
            let issuance = issuance(by: issuer, in: &tenancy, turn)
            let party = turn.policy.relyingParty
            // An app on its own is its own subject (inferred).
            if issuance.subject == nil, entry != .clientCredentials, let name = party.subjectNaming?.claimType,
                party.outputClaims.contains(where: { sameID($0.wireName, name) })
            {
                return .end(.failed(missingSubject(name)))
            }
            return .end(.issue(issuance))
        case .jsonIssuer:
            var issuance = issuance(by: issuer, in: &tenancy, turn)
            var body = JSONObject()
            for claim in profile.inputClaims {
                guard let value = value(of: claim, for: profile, turn), !value.isEmpty else { continue }
                body.append(claim.wireName, value.json(as: turn.policy[claim.claim].dataType))
            }
            issuance.userInfo = body
            return .end(.issue(issuance))
        case .oauth2ErrorIssuer:
            return .end(.failed(customError(profile, turn)))
        default:
            return .failed(
                .notSimulated("token issuer \(profile.id) of kind \(profile.handler.name)", at: profile.location))
        }
    }

    /// The claim that the relying party names the subject by has no value for this account. A refresh ends as any
    /// refused grant does, with a code that says nothing (docs/bugs.md, B126 and B128).
    private func missingSubject(_ name: String) -> JourneyFailure {
        let detail = "the claim \(name), which SubjectNamingInfo names, has no value"
        guard entry == .refresh else {
            return JourneyFailure(
                .redirect(error: OAuthErrorName.serverError),
                message: "The subject claim '\(name)' has no value for this account.", detail: detail)
        }
        return JourneyFailure(.redirect(error: OAuthErrorName.invalidGrant), code: .c90085, detail: detail)
    }

    /// An `OAuth2Error` issuer: the app gets an error of the policy's own.
    private func customError(_ profile: TechnicalProfile, _ turn: Turn) -> JourneyFailure {
        var code = ""
        var message = ""
        for claim in profile.inputClaims {
            let text = value(of: claim, for: profile, turn)?.text ?? ""
            if sameID(claim.wireName, "errorCode") { code = text }
            if sameID(claim.wireName, "errorMessage") { message = text }
        }
        return JourneyFailure(
            .redirect(error: OAuthErrorName.accessDenied), message: "AAD_Custom_\(code): \(message)",
            detail: "the policy sends an error of its own")
    }

    /// Issues without walking a journey: a refresh that copies the claims, client credentials without a journey.
    mutating func issueDirectly(in tenancy: inout Tenancy, _ turn: inout Turn) -> JourneyStop {
        guard let issuer = turn.policy.tokenIssuer?.profile else {
            return .failed(
                JourneyFailure(
                    .redirect(error: OAuthErrorName.serverError), code: .c90108, inserts: ["1"],
                    detail: "the policy has no JWT issuer"))
        }
        if let foreign = turn.policy.foreignParty {
            return .failed(
                JourneyFailure(
                    .notSimulated(what: foreign.what, location: foreign.location),
                    detail: "the policy asks for something not simulated"))
        }
        do throws(ProfileFailure) {
            try requireActiveKeys(of: turn.policy[issuer], turn)
        } catch {
            return .failed(error.ending(for: entry))
        }
        return .issue(issuance(by: issuer, in: &tenancy, turn))
    }

    /// User flows sign with the keys of the service, which are always active.
    private func requireActiveKeys(of issuer: TechnicalProfile, _ turn: Turn) throws(ProfileFailure) {
        guard issuer.handler == .jwtIssuer, !turn.policy.personality.isUserFlow else { return }
        for key in issuer.cryptographicKeys {
            try turn.call.environment.requireActiveKey(key.storageReferenceID)
        }
    }

    private mutating func issuance(by issuer: ProfileHandle, in tenancy: inout Tenancy, _ turn: Turn) -> Issuance {
        let party = turn.policy.relyingParty
        var issued: [IssuedClaim] = []
        for output in party.outputClaims {
            let type = turn.policy[output.claim]
            var value = output.alwaysUseDefaultValue ? nil : claims[output.claim]
            if value == nil, let standard = output.defaultValue {
                // Without AlwaysUseDefaultValue a resolver is text (Microsoft docs: claim-resolver-overview); {policy} and
                // other templates are filled in either way.
                let text = Resolvers.fill(
                    standard, bag: claims, call: turn.call, profile: nil, resolves: output.alwaysUseDefaultValue)
                value = text.isEmpty ? nil : ClaimValue(text, as: type.dataType)
            }
            guard let value = value ?? claims[output.claim], !value.isEmpty else { continue }
            issued.append(IssuedClaim(id: type.id, name: output.wireName, value: value.tokenJSON(as: type.dataType)))
        }
        let authTime = authTime(turn)
        let objectID = objectID(turn)
        return Issuance(
            claims: issued, subject: subject(issued, turn), objectID: objectID, authTime: authTime,
            fromSession: sso.used && sso.authenticatedAt == nil,
            session: keepSession(in: &tenancy, turn, authTime: authTime), keepSignedIn: sso.keepSignedIn,
            issuer: issuer, refresh: refreshIdentity(tenancy, turn, authTime: authTime), userInfo: nil)
    }

    private func authTime(_ turn: Turn) -> Timestamp {
        if let refresh = turn.request.refresh, !entry.isInteractive { return refresh.authTime }
        if let instant = sso.authenticatedAt { return instant }
        if sso.used, let found = sso.found { return found.authTime }
        return turn.now
    }

    private func subject(_ issued: [IssuedClaim], _ turn: Turn) -> String? {
        guard let name = turn.policy.relyingParty.subjectNaming?.claimType else { return nil }
        if let claim = issued.first(where: { sameID($0.name, name) }) {
            return claim.value.stringValue ?? claim.value.description
        }
        return turn.policy.claimType(name).flatMap { claims[$0]?.text }
    }

    /// What a refresh token of this issuance stands for: the identity, and the claims a later refresh may need.
    private func refreshIdentity(_ tenancy: Tenancy, _ turn: Turn, authTime: Timestamp) -> RefreshIdentity? {
        guard let settings = turn.policy.tokenIssuer else { return nil }
        let claimType = settings.refreshIdentityClaim
        guard let identity = turn.policy.claimType(claimType).flatMap({ claims[$0]?.text }) else { return nil }
        var wanted = turn.policy.relyingParty.outputClaims.map(\.claim)
        if let journey = turn.policy.relyingParty.journey(endpoint: "Token")
            ?? settings.refreshJourney.flatMap({ turn.policy.journey($0) })
        {
            for step in turn.policy[journey].steps {
                for exchange in step.exchanges where turn.policy[exchange.profile].handler == .none {
                    wanted += turn.policy[exchange.profile].outputClaims.map(\.claim)
                }
            }
        }
        var kept: [KeptClaim] = []
        for claim in wanted {
            let id = turn.policy[claim].id
            guard let value = claims[claim], !kept.contains(where: { $0.id == id }) else { continue }
            kept.append(KeptClaim(id, value))
        }
        let revision = objectID(turn).flatMap { tenancy.directory[$0]?.revision } ?? 0
        return RefreshIdentity(
            identity: identity, claimType: claimType, issuedAt: turn.now, authTime: authTime, revision: revision,
            claims: kept)
    }
}
