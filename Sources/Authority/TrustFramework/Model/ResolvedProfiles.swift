import Diagnostics

/// Metadata items in document order. Keys are compared exactly, as the service does.
public struct Metadata: Sendable, Hashable {
    public let items: [MetadataItem]

    public init(_ items: [MetadataItem]) { self.items = items }

    /// The text of a key; of several the last.
    public subscript(key: String) -> String? {
        for place in items.indices.reversed() {
            let candidate = items[place].key
            if candidate.utf8.count == key.utf8.count, candidate == key { return items[place].value }
        }
        return nil
    }

    /// A boolean key (`true`, `1` ignoring case), or the default when it is absent.
    public func bool(_ key: String, default standard: Bool) -> Bool {
        guard let text = self[key]?.lowercased() else { return standard }
        return text == "true" || text == "1"
    }

    /// A whole number, or `nil` when absent or not a number.
    public func int(_ key: String) -> Int? { self[key].flatMap { Int($0) } }

    /// Place of a key for messages.
    public func location(of key: String) -> SourceLocation? { items.last { $0.key == key }?.location }
}

/// What carries out a technical profile, worked out from protocol, handler, token formats and inputs.
public enum ProfileHandler: Sendable, Hashable {
    case selfAsserted, directory, claimsTransformation, rest, phoneFactor, oneTimePassword, azureMfa, aadSspr
    case userJourneyContext, conditionalAccess, applicationInsights, captcha
    /// Session-management profiles.
    case noopSession, defaultSession, externalLoginSession, oauthSession, samlSession
    /// An OpenID Connect profile that posts the user's name and password (`login-NonInteractive`).
    case passwordSignIn
    case openIdConnectProvider, oauth2Provider, oauth1Provider, samlProvider
    case jwtIssuer, samlIssuer, jsonIssuer, oauth2ErrorIssuer
    /// Protocol `None` without a token format that names its use: id_token_hint and refresh-token set-up.
    case none
    /// Checks the access token of a user-info call (protocol `None`, input format `JWT`).
    case tokenAuthorization
    /// A handler of our own, for what user flows have and policies have not; the name after `B2CHarness.`.
    case harness(String)
    /// Not simulated; what the policy names.
    case unknown(String)

    /// The name that traces show.
    public var name: String {
        switch self {
        case .selfAsserted: "SelfAssertedAttributeProvider"
        case .directory: "AzureActiveDirectoryProvider"
        case .claimsTransformation: "ClaimsTransformationProtocolProvider"
        case .rest: "RestfulProvider"
        case .phoneFactor: "PhoneFactorProtocolProvider"
        case .oneTimePassword: "OneTimePasswordProtocolProvider"
        case .azureMfa: "AzureMfaProtocolProvider"
        case .aadSspr: "AadSsprProtocolProvider"
        case .userJourneyContext: "UserJourneyContextProvider"
        case .conditionalAccess: "ConditionalAccessProtocolProvider"
        case .applicationInsights: "AzureApplicationInsightsProvider"
        case .captcha: "CaptchaProvider"
        case .noopSession: "NoopSSOSessionProvider"
        case .defaultSession: "DefaultSSOSessionProvider"
        case .externalLoginSession: "ExternalLoginSSOSessionProvider"
        case .oauthSession: "OAuthSSOSessionProvider"
        case .samlSession: "SamlSSOSessionProvider"
        case .passwordSignIn, .openIdConnectProvider: "OpenIdConnect"
        case .oauth2Provider: "OAuth2"
        case .oauth1Provider: "OAuth1"
        case .samlProvider: "SAML2"
        case .jwtIssuer: "JwtIssuer"
        case .samlIssuer: "Saml2Issuer"
        case .jsonIssuer: "JsonIssuer"
        case .oauth2ErrorIssuer: "OAuth2ErrorIssuer"
        case .none: "None"
        case .tokenAuthorization: "TokenAuthorization"
        case .harness(let name): "B2CHarness.\(name)"
        case .unknown(let name): name
        }
    }

    /// Whether the profile sends the browser to an identity provider.
    public var isFederation: Bool {
        switch self {
        case .openIdConnectProvider, .oauth2Provider, .oauth1Provider, .samlProvider: true
        default: false
        }
    }

    /// Whether the profile shows a page of ours.
    public var showsPage: Bool { self == .selfAsserted || self == .phoneFactor }
}

/// An input, persisted or output claim of a profile.
public final class ProfileClaim: Sendable {
    public let claim: ClaimTypeHandle
    /// `PartnerClaimType` as written, else `nil`.
    public let partnerName: String?
    /// Name on the other side: `PartnerClaimType`, else the protocol's default partner name where the element is one of a
    /// relying party, else the claim's id.
    public let wireName: String
    public let required: Bool
    public let defaultValue: String?
    public let alwaysUseDefaultValue: Bool
    public let overwriteIfExists: Bool
    public let location: SourceLocation

    init(
        claim: ClaimTypeHandle, partnerName: String?, wireName: String, required: Bool, defaultValue: String?,
        alwaysUseDefaultValue: Bool, overwriteIfExists: Bool, location: SourceLocation
    ) {
        self.claim = claim
        self.partnerName = partnerName
        self.wireName = wireName
        self.required = required
        self.defaultValue = defaultValue
        self.alwaysUseDefaultValue = alwaysUseDefaultValue
        self.overwriteIfExists = overwriteIfExists
        self.location = location
    }
}

/// One line of a page: a claim or a display control.
public struct DisplayClaim: Sendable {
    public enum Target: Sendable { case claim(ClaimTypeHandle), control(DisplayControlHandle) }
    public let target: Target
    public let required: Bool
    public let location: SourceLocation
}

/// A profile that checks a page, or one that an action of a display control runs.
public struct ValidationProfile: Sendable {
    public let profile: ProfileHandle
    /// Default false: the first failure stops and is shown.
    public let continueOnError: Bool
    /// Default true: false stops after a success.
    public let continueOnSuccess: Bool
    public let preconditions: [Precondition]
    public let location: SourceLocation
}

/// A condition under which a step or a validation profile is skipped.
public struct Precondition: Sendable {
    public let type: PreconditionType
    public let executeActionsIf: Bool
    /// The claims asked about: one for `claimEquals`, all of them for `claimsExist`.
    public let claims: [ClaimTypeHandle]
    /// The literal of `claimEquals`, trimmed.
    public let value: String?
    /// The same with the white space around it.
    public let literal: String?
    public let location: SourceLocation

    /// What the value of the claim is compared with; `nil` for `claimsExist`.
    ///
    /// - Parameter trimmed: The default `trimsPreconditionValues`.
    public func value(trimmed: Bool) -> String? { trimmed ? value : literal }

    /// When it skips, such as `objectId exists`.
    public func words(in policy: ResolvedPolicy) -> String {
        let names = claims.map { policy[$0].id }
        let isOne = names.count == 1
        switch type {
        case .claimsExist:
            if executeActionsIf { return names.joined(separator: " and ") + (isOne ? " exists" : " exist") }
            return (isOne ? "" : "one of ") + names.joined(separator: ", ") + " does not exist"
        case .claimEquals:
            return "\(names.first ?? "") \(executeActionsIf ? "equals" : "differs from") \(value ?? "")"
        }
    }
}

/// A technical profile: inheritance and includes applied, references resolved.
public final class TechnicalProfile: Sendable {
    public let handle: ProfileHandle
    public let id: String
    /// Domains of the claims provider: what `domain_hint` selects.
    public let domains: [String]
    public let providerName: String?
    public let displayName: String?
    public let handler: ProfileHandler
    public let protocolName: ProtocolName
    public let inputTokenFormat: TokenFormat?
    public let outputTokenFormat: TokenFormat?
    public let metadata: Metadata
    public let cryptographicKeys: [CryptographicKeyElement]
    public let includeInSso: Bool
    public let inputTransformations: [TransformationHandle]
    public let inputClaims: [ProfileClaim]
    public let displayClaims: [DisplayClaim]
    public let persistedClaims: [ProfileClaim]
    public let outputClaims: [ProfileClaim]
    public let outputTransformations: [TransformationHandle]
    public let validationProfiles: [ValidationProfile]
    public let subjectNaming: SubjectNamingInfoElement?
    public let sessionProfile: ProfileHandle?
    public let errorHandlers: [ErrorHandlerElement]
    public let enabled: EnabledForUserJourneys
    public let authenticationRequirements: AuthenticationRequirementsElement?
    /// The content definition named in the metadata, resolved.
    public let contentDefinition: ContentDefinitionHandle?
    /// What of the profile is not simulated, if anything: a journey that runs it fails there.
    public let refusal: (what: String, location: SourceLocation)?
    public let location: SourceLocation

    init(
        handle: ProfileHandle, id: String, domains: [String], providerName: String?, displayName: String?,
        handler: ProfileHandler, protocolName: ProtocolName, inputTokenFormat: TokenFormat?,
        outputTokenFormat: TokenFormat?, metadata: Metadata, cryptographicKeys: [CryptographicKeyElement],
        includeInSso: Bool, inputTransformations: [TransformationHandle], inputClaims: [ProfileClaim],
        displayClaims: [DisplayClaim], persistedClaims: [ProfileClaim], outputClaims: [ProfileClaim],
        outputTransformations: [TransformationHandle], validationProfiles: [ValidationProfile],
        subjectNaming: SubjectNamingInfoElement?, sessionProfile: ProfileHandle?,
        errorHandlers: [ErrorHandlerElement], enabled: EnabledForUserJourneys,
        authenticationRequirements: AuthenticationRequirementsElement?,
        contentDefinition: ContentDefinitionHandle?, refusal: (what: String, location: SourceLocation)?,
        location: SourceLocation
    ) {
        self.handle = handle
        self.id = id
        self.domains = domains
        self.providerName = providerName
        self.displayName = displayName
        self.handler = handler
        self.protocolName = protocolName
        self.inputTokenFormat = inputTokenFormat
        self.outputTokenFormat = outputTokenFormat
        self.metadata = metadata
        self.resolvesClaims = metadata.bool("IncludeClaimResolvingInClaimsHandling", default: false)
        self.cryptographicKeys = cryptographicKeys
        self.includeInSso = includeInSso
        self.inputTransformations = inputTransformations
        self.inputClaims = inputClaims
        self.displayClaims = displayClaims
        self.persistedClaims = persistedClaims
        self.outputClaims = outputClaims
        self.outputTransformations = outputTransformations
        self.validationProfiles = validationProfiles
        self.subjectNaming = subjectNaming
        self.sessionProfile = sessionProfile
        self.errorHandlers = errorHandlers
        self.enabled = enabled
        self.authenticationRequirements = authenticationRequirements
        self.contentDefinition = contentDefinition
        self.refusal = refusal
        self.location = location
    }

    /// Metadata `IncludeClaimResolvingInClaimsHandling`.
    public let resolvesClaims: Bool

    /// A key's storage reference id, by key id ignoring case.
    public func key(_ id: String) -> String? { cryptographicKeys.last { sameID($0.id, id) }?.storageReferenceID }
}
