import Determinism
import TrustFramework

/// `ClaimsTransformationProtocolProvider`: its transformations are stages of every profile; the action is empty.
struct ClaimsTransformationHandler: ImmediateHandler {
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) -> PartnerClaims { PartnerClaims() }
}

/// `UserJourneyContextProvider`: facts of the request, by the names of the published samples that use it.
struct JourneyContextHandler: ImmediateHandler {
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) -> PartnerClaims {
        PartnerClaims([
            ("IP-Address", .text(call.journey.request.ipAddress)),
            ("CorrelationId", .text(call.journey.request.correlationID.description)),
            ("CurrentUserJourney", .text(call.journey.policy[call.journey.policy.relyingParty.defaultJourney].id)),
        ])
    }
}

/// Application Insights: events go to telemetry, which a simulation has none of. What was sent is in the trace.
struct EventSinkHandler: ImmediateHandler {
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) -> PartnerClaims { PartnerClaims() }
}

/// Protocol `None`: `RefreshTokenReadAndSetup` of a refresh journey, which gives the claims of the refresh token that the
/// profile lists, and set-up profiles of other journeys such as `ClientCredentials_Setup`, whose output claims have
/// defaults (published samples of the client credentials grant).
struct TokenSetupHandler: ImmediateHandler {
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        guard let identity = call.journey.request.refresh else { return PartnerClaims() }
        var claims = PartnerClaims([
            (identity.claimType, .text(identity.identity)),
            ("refreshTokenIssuedOnDateTime", .dateTime(identity.issuedAt)),
        ])
        for kept in identity.claims where claims[kept.id] == nil { claims.append(kept.id, kept.value) }
        return claims
    }
}

/// `ConditionalAccessProtocolProvider` (Microsoft docs: conditional-access-technical-profile). Risk is an input: the
/// directory attribute `risk` of the user, one of `none`, `low`, `medium` (a second factor is asked) and `high` (blocked
/// where no second factor is registered, else asked); `block`, `mfa` and `chg_pwd` name the challenge itself.
struct ConditionalAccessHandler: ImmediateHandler {
    static let riskAttribute = "risk"

    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        let operation = call.profile.metadata["OperationType"] ?? call.profile.metadata["Operation"] ?? "Evaluation"
        switch operation.lowercased() {
        case "evaluation":
            let account = call.inputs.text("UserId").flatMap { tenancy.directory.find(.objectID($0)) }
            let risk = account?.stored(Self.riskAttribute)?.text?.lowercased() ?? "none"
            let challenges: [String]
            switch risk {
            case "", "none": challenges = []
            case "low", "medium", "mfa": challenges = ["mfa"]
            case "high":
                let registered = call.inputs["IsMfaRegistered"]?.booleanValue ?? false
                challenges = [registered ? "mfa" : "block"]
            case "block": challenges = ["block"]
            case "chg_pwd": challenges = ["chg_pwd"]
            default:
                throw .notSimulated("risk \"\(risk)\" of a user", at: call.profile.location)
            }
            return PartnerClaims([
                ("Challenges", .list(challenges)),
                ("MultiConditionalAccessStatus", .text(challenges.isEmpty ? "noChallenge" : "challenge")),
            ])
        case "remediation":
            return PartnerClaims()
        default:
            throw .notSimulated("conditional access operation \(operation)", at: call.profile.location)
        }
    }
}
