import HTTPMessages
import JSON
import Verbs

/// An error inside the library, before MSAL's converter makes it the error an app sees.
struct LibraryError: Error, Sendable, Hashable {
    /// The Objective-C domain it is made in.
    enum Domain: String, Sendable, Hashable, CaseIterable {
        case general = "MSIDErrorDomain"
        case oauth = "MSIDOAuthErrorDomain"
        case http = "MSIDHttpErrorCodeDomain"
        case keychain = "MSIDKeychainErrorDomain"
        case url = "NSURLErrorDomain"
        case cocoa = "NSCocoaErrorDomain"
        /// Made by MSAL itself; not converted a second time.
        case msal = "MSALErrorDomain"
    }

    var domain: Domain
    var code: Int
    var description: String?
    var oauthError: String?
    var subError: String?
    var stsCodes: [Int64] = []
    var httpStatus: Int?
    /// The answer's `Retry-After` header as it stands. That it is there makes the answer a throttling one.
    var retryAfterText: String?
    var grantedScopes: [String]?
    var declinedScopes: [String]?
    var partialResult: TokenResult?
    var displayableUserId: String?
    var homeAccountId: String?
    var throttlingCacheHit = false
    /// A better word than the table's, where one number serves several purposes.
    var kind: ClientErrorKind?
    /// Class and code in a library other than MSAL for Apple systems, if the kind alone does not determine them.
    var place: ForeignPlace?
    var underlying: LibraryError? {
        get { inner.first }
        set { inner = newValue.map { [$0] } ?? [] }
    }
    private var inner: [LibraryError] = []

    init(domain: Domain, code: Int, _ description: String? = nil) {
        self.domain = domain
        self.code = code
        self.description = description
    }

    init(_ code: IdentityCoreCode, _ description: String? = nil, kind: ClientErrorKind? = nil) {
        self.init(domain: Self.domain(of: code), code: code.rawValue, description)
        self.kind = kind
    }

    /// Whether the answer was HTTP 5xx: what allows a standby token to be used.
    var serverUnavailable: Bool { httpStatus.map { (500...599).contains($0) } ?? false }

    /// The IdentityCore number, when this is one of its errors.
    var identityCoreCode: IdentityCoreCode? {
        switch domain {
        case .general, .oauth, .http: IdentityCoreCode(rawValue: code)
        case .keychain, .url, .cocoa, .msal: nil
        }
    }

    private static func domain(of code: IdentityCoreCode) -> Domain {
        switch code {
        case .serverOauth, .serverInvalidResponse, .serverRefreshTokenRejected, .serverInvalidRequest,
            .serverInvalidClient, .serverInvalidGrant, .serverInvalidScope, .serverUnauthorizedClient,
            .serverDeclinedScopes, .serverAccessDenied, .serverError, .serverInvalidState,
            .serverProtectionPoliciesRequired, .authorizationFailed, .resetPasswordRequired:
            .oauth
        case .serverUnhandledResponse, .unexpectedHttpResponse: .http
        default: .general
        }
    }

    /// An error in a keychain call (Security framework status).
    static func keychain(_ status: Int) -> LibraryError {
        LibraryError(domain: .keychain, code: status)
    }

    /// A body that is not JSON, as `NSJSONSerialization` reports it.
    static let notJSON = LibraryError(domain: .cocoa, code: 3840)

    /// A failed transport as `NSURLSession` on Apple's systems reports it.
    static func network(_ error: TransportError) -> LibraryError {
        LibraryError(domain: .url, code: URLErrorTable.code(of: error))
    }
}

/// `NSURLErrorDomain` numbers for the ways a transport fails.
public enum URLErrorTable {
    /// The numbers the client can meet, with their Swift names (`URLError.Code`).
    public static let all: [(code: Int, name: String)] = [
        (-1, "unknown"),
        (-999, "cancelled"),
        (-1001, "timedOut"),
        (-1003, "cannotFindHost"),
        (-1004, "cannotConnectToHost"),
        (-1005, "networkConnectionLost"),
        (-1009, "notConnectedToInternet"),
        (-1202, "serverCertificateUntrusted"),
    ]

    /// The number of a transport error. A body cut short counts as a lost connection.
    public static func code(of error: TransportError) -> Int {
        switch error {
        case .offline: -1009
        case .refused: -1004
        case .reset, .truncated: -1005
        case .dns: -1003
        case .timeout: -1001
        case .tls: -1202
        case .cancelled: -999
        case .other: -1
        }
    }

    /// The errors after which a request is sent once more (MSIDAADRequestErrorHandler.m).
    public static let retried: [Int] = [-1001, -1003, -1004, -1005, -1009]

    static func name(_ code: Int) -> String? {
        all.first { $0.code == code }?.name
    }
}
