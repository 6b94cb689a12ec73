import B2CProtocol
import Determinism
import TrustFramework

/// What a handler gets of the technical profile it carries out.
struct ProfileCall: Sendable {
    let profile: TechnicalProfile
    /// Input claims under their partner names.
    let inputs: PartnerClaims
    /// Persisted claims under their partner names, those without value left out.
    let persisted: PartnerClaims
    /// The bag, for the few handlers whose metadata name a claim.
    let bag: ClaimsBag
    let journey: JourneyCall
    /// The page that called, if one did.
    let page: ProfileHandle?

    /// A text of the profile's metadata with resolvers and claims filled in.
    func metadata(_ key: String) -> String? {
        profile.metadata[key].map { Resolvers.fill($0, bag: bag, call: journey, profile: profile) }
    }

    /// The secret of a storage reference id.
    ///
    /// - Throws: AADB2C90220 if no key of its container is active.
    func secret(_ reference: String) throws(ProfileFailure) -> String {
        try journey.environment.requireActiveKey(reference)
        return journey.environment.secrets.secret(reference)
    }
}

extension JourneyEnvironment {
    /// - Throws: AADB2C90220 for a key container none of whose keys is active (Microsoft docs: error-codes).
    func requireActiveKey(_ reference: String) throws(ProfileFailure) {
        guard secrets.isInactive(reference) else { return }
        throw .policyFault(
            .c90220, [tenantDomain, reference],
            detail: "no key of \(reference) is active now: add a key, or enable one that has not expired")
    }
}

/// A handler that answers at once: directory, sign-in with a password, one-time codes, conditional access.
protocol ImmediateHandler: Sendable {
    /// Carries out the action of the profile and returns claims under partner names.
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims
}

/// A handler that talks to somebody else and so stops the journey: REST and identity providers.
protocol ConversingHandler: Sendable {
    func begin(_ call: ProfileCall, random: inout SeededGenerator) throws(ProfileFailure) -> HandlerMove
    func resume(
        _ event: JourneyEvent, from memory: HandlerMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove
}

/// What a conversing handler does next.
enum HandlerMove: Sendable {
    case done(PartnerClaims)
    case ask(JourneyStop, remember: HandlerMemory)
    /// The event is not one that it waits for.
    case refuse(String)
}

/// Which handler carries out which kind of profile.
enum Handlers {
    static func immediate(_ handler: ProfileHandler) -> (any ImmediateHandler)? {
        switch handler {
        case .directory: DirectoryHandler()
        case .claimsTransformation: ClaimsTransformationHandler()
        case .passwordSignIn: PasswordSignInHandler()
        case .oneTimePassword: OneTimePasswordHandler()
        case .azureMfa: AzureMfaHandler()
        case .aadSspr: EmailCodeHandler()
        case .userJourneyContext: JourneyContextHandler()
        case .conditionalAccess: ConditionalAccessHandler()
        case .applicationInsights: EventSinkHandler()
        case .captcha: CaptchaHandler()
        case .none: TokenSetupHandler()
        default: nil
        }
    }

    static func conversing(_ handler: ProfileHandler) -> (any ConversingHandler)? {
        switch handler {
        case .rest: RESTHandler()
        case .openIdConnectProvider, .oauth2Provider: FederationHandler()
        case .oauth1Provider: OAuth1Handler()
        default: nil
        }
    }
}
