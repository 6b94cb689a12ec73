import B2CProtocol
import Determinism
import TrustFramework

extension Journey {
    /// Chooses the user journey that this entry runs and puts it on the stack. A stop means that none is needed.
    mutating func begin(
        in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Result<JourneyStop?, JourneyFailure> {
        let party = turn.policy.relyingParty
        switch entry {
        case .signIn:
            findSession(in: tenancy, turn)
            frames = [.steps(StepsFrame(journey: party.defaultJourney))]
        case .password:
            frames = [.steps(StepsFrame(journey: party.defaultJourney))]
        case .refresh:
            return beginRefresh(in: &tenancy, &turn)
        case .userInfo:
            guard let journey = party.journey(endpoint: "UserInfo") else {
                return .failure(
                    JourneyFailure(.page, code: .c90037, detail: "the policy declares no UserInfo endpoint"))
            }
            takeToken(turn.policy[journey], &turn)
            frames = [.steps(StepsFrame(journey: journey))]
        case .clientCredentials:
            guard let id = turn.policy.tokenIssuer?.clientCredentialsJourney else {
                return .success(issueDirectly(in: &tenancy, &turn))
            }
            guard let journey = turn.policy.journey(id) else {
                return .failure(missing(journey: id, turn))
            }
            frames = [.steps(StepsFrame(journey: journey))]
        }
        return .success(nil)
    }

    private mutating func beginRefresh(
        in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Result<JourneyStop?, JourneyFailure> {
        guard let identity = turn.request.refresh else {
            return .failure(
                JourneyFailure(
                    .redirect(error: OAuthErrorName.invalidGrant), code: .c90085, detail: "no refresh identity"))
        }
        var journey = turn.policy.relyingParty.journey(endpoint: "Token")
        if journey == nil, let id = turn.policy.tokenIssuer?.refreshJourney {
            journey = turn.policy.journey(id)
            if journey == nil { return .failure(missing(journey: id, turn)) }
        }
        // The service looks after its own flows. In an uploaded policy only its refresh journey does.
        if turn.policy.personality.isUserFlow || journey == nil, sameID(identity.claimType, "objectId") {
            switch tenancy.directory.state(of: identity) {
            case .good: break
            case .deleted: return .failure(.grant(.c90128, "the account of the refresh token is gone"))
            case .revoked: return .failure(.grant(.c90129, "the refresh token was revoked"))
            case .disabled: return .failure(.grant(.c90129, "the account of the refresh token is disabled"))
            }
        }
        guard let journey else {
            for kept in identity.claims {
                guard let claim = turn.policy.claimType(kept.id) else { continue }
                claims[claim] = kept.value.converted(to: turn.policy[claim].dataType)
            }
            // The subject of the token, whether or not the relying party issues that claim.
            if let claim = turn.policy.claimType(identity.claimType), claims[claim] == nil {
                claims[claim] = ClaimValue(identity.identity, as: turn.policy[claim].dataType)
            }
            return .success(issueDirectly(in: &tenancy, &turn))
        }
        frames = [.steps(StepsFrame(journey: journey))]
        return .success(nil)
    }

    private func missing(journey id: String, _ turn: Turn) -> JourneyFailure {
        let issuer = turn.policy.tokenIssuer.map { turn.policy[$0.profile].id } ?? ""
        return JourneyFailure(
            .redirect(error: OAuthErrorName.invalidGrant), code: .c90288,
            inserts: [id, issuer, turn.call.environment.tenantDomain, turn.policy.id],
            detail: "user journey \(id) is not in the policy")
    }

    /// Puts the claims of an access token into the bag, as the authorization profiles of a user-info journey say.
    private mutating func takeToken(_ journey: UserJourney, _ turn: inout Turn) {
        guard let identity = turn.request.refresh else { return }
        let returned = PartnerClaims(identity.claims.map { ($0.id, $0.value) })
        for handle in journey.authorizationProfiles {
            let profile = turn.policy[handle]
            let out = deliver(returned, for: profile, turn)
            note(profile, validation: false, out: out, &turn)
        }
    }

    /// Step `GetClaims`: the claims of a verified `id_token_hint`, as the relying party's input claims say.
    ///
    /// - Parameter out: The claims that it writes are appended.
    mutating func takeHint(
        _ step: OrchestrationStep, _ out: inout [TracedClaim], _ turn: Turn
    ) -> ProfileFailure? {
        if let issuer = step.issuer, let refusal = turn.policy[issuer].refusal {
            return .notSimulated(refusal.what, at: refusal.location)
        }
        guard let hint = turn.request.idTokenHint else {
            return .ending(
                JourneyFailure(.page, code: .c90272, detail: "the policy takes an id_token_hint and none was sent"))
        }
        for input in turn.policy.relyingParty.inputClaims {
            let type = turn.policy[input.claim].dataType
            if let value = hint[input.wireName].flatMap({ ClaimValue($0, as: type) }) {
                claims[input.claim] = value
                out.append(TracedClaim(input.claim, value, from: .hint))
            } else if let standard = input.defaultValue {
                claims[input.claim] = ClaimValue(standard, as: type)
                if let value = claims[input.claim] { out.append(TracedClaim(input.claim, value, from: .default)) }
            } else if input.required {
                return .ending(
                    JourneyFailure(.page, code: .c90210, detail: "id_token_hint lacks \(input.wireName)"))
            }
        }
        return nil
    }
}

extension JourneyFailure {
    /// A refusal of the token endpoint about a grant.
    static func grant(_ code: B2CErrorCode, _ detail: String) -> JourneyFailure {
        JourneyFailure(.redirect(error: OAuthErrorName.invalidGrant), code: code, detail: detail)
    }
}
