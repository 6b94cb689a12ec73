import Determinism

/// How a JWT issuer profile issues tokens, read from its metadata with the defaults of "Microsoft docs:
/// jwt-issuer-technical-profile".
public struct TokenIssuerSettings: Sendable, Hashable {
    /// `IssuanceClaimPattern`.
    public enum IssuerPattern: String, Sendable, Hashable, CaseIterable {
        /// `https://{host}/{tenant id}/v2.0/`.
        case tenant = "AuthorityAndTenantGuid"
        /// `https://{host}/tfp/{tenant id}/{policy in lower case}/v2.0/`.
        case policy = "AuthorityWithTfp"
    }

    public let profile: ProfileHandle
    public let accessTokenLifetime: TimeSpan
    public let idTokenLifetime: TimeSpan
    public let refreshTokenLifetime: TimeSpan
    /// `nil`: refresh tokens roll over for ever.
    public let slidingWindow: TimeSpan?
    public let issuerPattern: IssuerPattern
    /// `AuthenticationContextReferenceClaimPattern` is `PolicyId`: the issuer adds `acr`, the policy's name.
    public let addsPolicyAsAcr: Bool
    /// `SendTokenResponseBodyWithJsonNumbers`: `expires_in` and its like are numbers instead of strings.
    public let jsonNumbers: Bool
    /// The claim that names the user in a refresh token (`objectId`, `sub`).
    public let refreshIdentityClaim: String
    public let refreshJourney: String?
    public let clientCredentialsJourney: String?
    /// Storage reference ids of the signing and the encryption key.
    public let signingKey: String?
    public let refreshTokenKey: String?
}
