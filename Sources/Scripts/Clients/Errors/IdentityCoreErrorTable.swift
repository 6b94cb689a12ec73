import Verbs

/// An error number of IdentityCore, the library under MSAL (MSIDError.h), as far as its requests can end with it.
public enum IdentityCoreCode: Int, Sendable, CaseIterable {
    case internalError = -51100
    case invalidInternalParameter = -51111
    case invalidDeveloperParameter = -51112
    case missingAccountParameter = -51113
    case unsupportedFunctionality = -51114
    case interactionRequired = -51115
    case serverNonHttpsRedirect = -51116
    case mismatchedAccount = -51117
    case redirectSchemeNotRegistered = -51118
    case invalidRedirectURI = -51119
    case cacheMultipleUsers = -51200
    case cacheBadFormat = -51201
    case serverOauth = -51400
    case serverInvalidResponse = -51401
    case serverRefreshTokenRejected = -514102
    case serverInvalidRequest = -51410
    case serverInvalidClient = -51411
    case serverInvalidGrant = -51412
    case serverInvalidScope = -51413
    case serverUnauthorizedClient = -51414
    case serverDeclinedScopes = -51415
    case serverAccessDenied = -51416
    case serverError = -51417
    case serverInvalidState = -51420
    case serverProtectionPoliciesRequired = -51430
    case authorizationFailed = -51440
    case serverUnhandledResponse = -51500
    case unexpectedHttpResponse = -51501
    case authorityValidation = -51600
    case userCancel = -51700
    case sessionCanceledProgrammatically = -51701
    case interactiveSessionStartFailure = -51702
    case interactiveSessionAlreadyRunning = -51710
    case insufficientDeviceStrength = -51732
    case mdmEnrollmentCompletedNeedsRetry = -51733
    case invalidASWebAuthenticationURL = -51734
    case workplaceJoinRequired = -51810
    case resetPasswordRequired = -50142
}

/// How one IdentityCore number reaches an app (MSALErrorConverter.m).
public struct IdentityCoreErrorEntry: Sendable {
    /// The number inside the library.
    public let code: IdentityCoreCode
    /// The number of `MSALError` or `MSALInternalError` it maps to, before numbers that are not public fold into
    /// -50000.
    public let mapped: Int
    /// The word for it that all clients share.
    public let kind: ClientErrorKind
}

/// From IdentityCore's numbers to MSAL's.
public enum IdentityCoreErrorTable {
    /// Every row.
    public static let all: [IdentityCoreErrorEntry] = [
        row(.internalError, -50000, .invalidResponse),
        row(.invalidInternalParameter, -50000, .configuration),
        row(.invalidDeveloperParameter, -42000, .configuration),
        row(.missingAccountParameter, -42106, .noAccount),
        row(.unsupportedFunctionality, -50000, .configuration),
        row(.interactionRequired, -50002, .interactionRequired),
        row(.serverNonHttpsRedirect, -42602, .invalidResponse),
        row(.mismatchedAccount, -42101, .invalidResponse),
        row(.redirectSchemeNotRegistered, -42001, .configuration),
        row(.invalidRedirectURI, -42011, .configuration),
        row(.cacheMultipleUsers, -42102, .other),
        row(.cacheBadFormat, -50000, .storage),
        row(.serverOauth, -42104, .server),
        row(.serverInvalidResponse, -42600, .invalidResponse),
        row(.serverRefreshTokenRejected, -50000, .server),
        row(.serverInvalidRequest, -42002, .server),
        row(.serverInvalidClient, -42003, .server),
        row(.serverInvalidGrant, -42004, .server),
        row(.serverInvalidScope, -42005, .server),
        row(.serverUnauthorizedClient, -42006, .server),
        row(.serverDeclinedScopes, -50003, .declinedScopes),
        row(.serverAccessDenied, -50005, .userCanceled),
        row(.serverError, -50006, .server),
        row(.serverInvalidState, -42501, .invalidResponse),
        row(.serverProtectionPoliciesRequired, -50004, .server),
        row(.authorizationFailed, -42104, .server),
        row(.serverUnhandledResponse, -42007, .server),
        row(.unexpectedHttpResponse, -42009, .server),
        row(.authorityValidation, -42010, .configuration),
        row(.userCancel, -50005, .userCanceled),
        row(.sessionCanceledProgrammatically, -50005, .userCanceled),
        row(.interactiveSessionStartFailure, -50000, .other),
        row(.interactiveSessionAlreadyRunning, -42402, .interactionInProgress),
        row(.insufficientDeviceStrength, -50007, .server),
        row(.mdmEnrollmentCompletedNeedsRetry, -50008, .other),
        row(.invalidASWebAuthenticationURL, -42745, .other),
        row(.workplaceJoinRequired, -50001, .other),
        row(.resetPasswordRequired, -50142, .server),
    ]

    /// The row of a code.
    public static func entry(_ code: IdentityCoreCode) -> IdentityCoreErrorEntry {
        byCode[code] ?? row(code, -50000, .other)
    }

    private static let byCode: [IdentityCoreCode: IdentityCoreErrorEntry] = Dictionary(
        all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    private static func row(_ code: IdentityCoreCode, _ mapped: Int, _ kind: ClientErrorKind) -> IdentityCoreErrorEntry
    {
        IdentityCoreErrorEntry(code: code, mapped: mapped, kind: kind)
    }
}
