import Determinism

/// What sets the service's user flows apart from an uploaded policy and cannot be said in a policy: kept beside the policy.
public struct Personality: Sendable, Hashable {
    /// Limits of one-time codes. The service does not document its own; the tenant file may set them.
    public struct CodeLimits: Sendable, Hashable {
        /// How long a code is good.
        public var lifetime: TimeSpan
        /// Wrong codes until no more are taken.
        public var maxTries: Int
        /// Soonest that a further code may be asked for.
        public var resendAfter: TimeSpan

        public init(lifetime: TimeSpan, maxTries: Int, resendAfter: TimeSpan) {
            self.lifetime = lifetime
            self.maxTries = maxTries
            self.resendAfter = resendAfter
        }
    }

    /// A user flow: shares the service's signing key, lists `tfp` among the claims of its discovery document.
    public var isUserFlow: Bool
    /// Names of claims in the order a token holds them; `*` stands for the relying party's claims that are not named.
    /// A claim that is neither named nor covered by `*` goes last.
    public var idTokenClaimOrder: [String]
    public var accessTokenClaimOrder: [String]
    /// `kid` in the header of refresh tokens and codes; `nil`: the thumbprint of the policy's own key.
    public var refreshTokenKeyID: String?
    /// Name in the tenant file's `keySets` of the keys that sign.
    public var keySet: String
    /// Claims of the discovery document after those of the relying party.
    public var discoveryClaims: [String]
    /// Codes of the built-in e-mail verification.
    public var emailCodes: CodeLimits
    /// Codes by SMS, call, e-mail or authenticator as a second factor.
    public var mfaCodes: CodeLimits
    /// Whether the policy may have profiles named `B2CHarness.*`: only policies that the simulator compiles may.
    public var allowsHarnessHandlers: Bool

    /// A policy somebody wrote.
    public static let customPolicy = Personality(
        isUserFlow: false,
        idTokenClaimOrder: [
            "ver", "iss", "sub", "aud", "exp", "nonce", "iat", "auth_time", "*", "at_hash", "c_hash", "nbf",
        ],
        accessTokenClaimOrder: ["sub", "*", "nonce", "scp", "azp", "ver", "iat", "aud", "exp", "iss", "nbf"],
        refreshTokenKeyID: nil, keySet: "tenant",
        discoveryClaims: ["iss", "iat", "exp", "aud", "acr", "nonce", "auth_time"],
        emailCodes: .init(lifetime: .minutes(20), maxTries: 5, resendAfter: .minutes(0)),
        mfaCodes: .init(lifetime: .minutes(10), maxTries: 3, resendAfter: .milliseconds(30_000)),
        allowsHarnessHandlers: false)

    /// A user flow of the service, before the settings of the tenant file.
    public static let userFlow = Personality(
        isUserFlow: true,
        idTokenClaimOrder: [
            "exp", "nbf", "ver", "iss", "sub", "aud", "acr", "nonce", "iat", "auth_time", "oid", "*", "tfp", "at_hash",
            "c_hash",
        ],
        accessTokenClaimOrder: [
            "iss", "exp", "nbf", "aud", "acr", "oid", "sub", "*", "tfp", "nonce", "scp", "azp", "ver", "iat",
        ],
        refreshTokenKeyID: "cpimcore_09252015", keySet: "service",
        discoveryClaims: ["tfp", "iss", "iat", "exp", "aud", "acr", "nonce", "auth_time"],
        emailCodes: .init(lifetime: .minutes(20), maxTries: 5, resendAfter: .minutes(0)),
        mfaCodes: .init(lifetime: .minutes(10), maxTries: 3, resendAfter: .milliseconds(30_000)),
        allowsHarnessHandlers: true)

    /// Everything in one line, for the fingerprint of a policy.
    var fingerprintText: String {
        let codes = [emailCodes, mfaCodes].map {
            "\($0.lifetime.milliseconds),\($0.maxTries),\($0.resendAfter.milliseconds)"
        }
        let lists = [idTokenClaimOrder, accessTokenClaimOrder, discoveryClaims].map { $0.joined(separator: ",") }
        return ([isUserFlow ? "flow" : "file", refreshTokenKeyID ?? "", keySet] + lists + codes).joined(separator: "|")
    }
}
