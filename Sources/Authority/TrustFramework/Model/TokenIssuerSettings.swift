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

        /// The issuer, always with the tenant's GUID and a slash at its end.
        ///
        /// - Parameters:
        ///   - origin: Scheme and host of the request.
        ///   - policy: The policy's id in lower case.
        public func issuer(origin: String, tenant: GUID, policy: String) -> String {
            switch self {
            case .tenant: "\(origin)/\(tenant)/v2.0/"
            case .policy: "\(origin)/tfp/\(tenant)/\(policy)/v2.0/"
            }
        }
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

extension TokenIssuerSettings {
    /// Reads the metadata of a JWT issuer. What is missing or no number has its default.
    init(_ issuer: TechnicalProfile) {
        func seconds(_ key: String, _ standard: Int64) -> TimeSpan {
            TimeSpan(milliseconds: (issuer.metadata[key].flatMap { Int64($0) } ?? standard).multipliedOrMax(by: 1000))
        }
        profile = issuer.handle
        accessTokenLifetime = seconds("token_lifetime_secs", 3600)
        idTokenLifetime = seconds("id_token_lifetime_secs", 3600)
        refreshTokenLifetime = seconds("refresh_token_lifetime_secs", 1_209_600)
        slidingWindow =
            issuer.metadata.bool("allow_infinite_rolling_refresh_token", default: false)
            ? nil : seconds("rolling_refresh_token_lifetime_secs", 7_776_000)
        let pattern = issuer.metadata["IssuanceClaimPattern"] ?? ""
        issuerPattern = IssuerPattern.allCases.first { sameID($0.rawValue, pattern) } ?? .tenant
        addsPolicyAsAcr = sameID(issuer.metadata["AuthenticationContextReferenceClaimPattern"] ?? "", "PolicyId")
        jsonNumbers = issuer.metadata.bool("SendTokenResponseBodyWithJsonNumbers", default: false)
        refreshIdentityClaim = issuer.metadata["issuer_refresh_token_user_identity_claim_type"] ?? "objectId"
        refreshJourney = issuer.metadata["RefreshTokenUserJourneyId"]
        clientCredentialsJourney = issuer.metadata["ClientCredentialsUserJourneyId"]
        signingKey = issuer.key("issuer_secret")
        refreshTokenKey = issuer.key("issuer_refresh_token_key")
    }
}

extension Int64 {
    fileprivate func multipliedOrMax(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
