/// One value of `MSALInternalErrorCodeKey` (MSALError.h).
public struct MSALInternalErrorEntry: Sendable, Hashable {
    /// The number, such as -42004.
    public let number: Int
    /// The Objective-C name without its prefix and with a small first letter, such as `invalidGrant`.
    public let name: String
    /// The Objective-C name, such as `MSALInternalErrorInvalidGrant`.
    public let objectiveCName: String
    /// What typically leads to it.
    public let trigger: String
    /// Whether an app of a B2C tenant can meet it; the rest belong to brokers, Intune and platform single sign-on.
    public let reachableWithB2C: Bool
}

/// The numbers behind a -50000: what MSAL for iOS and macOS really wants to say.
public enum MSALInternalErrorTable {
    /// Every entry, by number from -42000 down. Numbers between them do not exist.
    public static let all: [MSALInternalErrorEntry] = [
        entry(
            -42000, "invalidParameter", "MSALInternalErrorInvalidParameter",
            "a parameter of the developer was rejected"),
        entry(
            -42001, "redirectSchemeNotRegistered", "MSALInternalErrorRedirectSchemeNotRegistered",
            "the redirect scheme is not in Info.plist, or the broker's query schemes are missing"),
        entry(-42002, "invalidRequest", "MSALInternalErrorInvalidRequest", "OAuth error invalid_request"),
        entry(-42003, "invalidClient", "MSALInternalErrorInvalidClient", "OAuth error invalid_client"),
        entry(
            -42004, "invalidGrant", "MSALInternalErrorInvalidGrant",
            "OAuth error invalid_grant: redeeming the code, or underlying a silent -50002"),
        entry(-42005, "invalidScope", "MSALInternalErrorInvalidScope", "OAuth error invalid_scope"),
        entry(-42006, "unauthorizedClient", "MSALInternalErrorUnauthorizedClient", "OAuth error unauthorized_client"),
        entry(
            -42007, "unhandledResponse", "MSALInternalErrorUnhandledResponse",
            "an HTTP status other than 200, 400 and 401"),
        entry(
            -42008, "unexpected", "MSALInternalErrorUnexpected",
            "everything whose own number would be -50000, an unknown B2C authority included"),
        entry(
            -42009, "unexpectedHttpResponse", "MSALInternalErrorUnexpectedHttpResponse",
            "underlying error of HTTP 403 and 404"),
        entry(
            -42010, "failedAuthorityValidation", "MSALInternalErrorFailedAuthorityValidation",
            "instance discovery called the authority invalid, or its metadata is broken"),
        entry(
            -42011, "invalidRedirectURI", "MSALInternalErrorInvalidRedirectURI",
            "the redirect URI does not have the form a directory tenant wants; found when the app starts"),
        entry(
            -42101, "mismatchedUser", "MSALInternalErrorMismatchedUser",
            "reserved: this version does not compare accounts"),
        entry(
            -42102, "ambiguousAccount", "MSALInternalErrorAmbiguousAccount",
            "getCurrentAccount met more than one signed-in account"),
        entry(
            -42104, "authorizationFailed", "MSALInternalErrorAuthorizationFailed",
            "an OAuth error MSAL does not know, such as login_required or temporarily_unavailable"),
        entry(
            -42106, "accountRequired", "MSALInternalErrorAccountRequired",
            "a silent request without account identifier; the public API answers -50002 before it comes to that"),
        entry(
            -42401, "sessionCanceled", "MSALInternalErrorSessionCanceled",
            "defined, never produced: cancelling by program gives -50005"),
        entry(
            -42402, "interactiveSessionAlreadyRunning", "MSALInternalErrorInteractiveSessionAlreadyRunning",
            "two interactive calls at once"),
        entry(-42403, "noViewController", "MSALInternalErrorNoViewController", "no main view controller"),
        entry(
            -42404, "attemptToOpenURLFromExtension", "MSALInternalErrorAttemptToOpenURLFromExtension",
            "an app extension tried to open a URL"),
        entry(
            -42405, "uINotSupportedInExtension", "MSALInternalErrorUINotSupportedInExtension",
            "an app extension tried to show a page"),
        entry(-42501, "invalidState", "MSALInternalErrorInvalidState", "state missing or different on the redirect"),
        entry(
            -42600, "invalidResponse", "MSALInternalErrorInvalidResponse",
            "redirect without code and error, token_type not bearer, JSON that is not an object, missing id_token"),
        entry(
            -42602, "nonHttpsRedirect", "MSALInternalErrorNonHttpsRedirect",
            "the embedded web view was sent to plain http"),
        entry(
            -42700, "brokerResponseNotReceived", "MSALInternalErrorBrokerResponseNotReceived",
            "broker only", reachable: false),
        entry(
            -42701, "brokerNoResumeStateFound", "MSALInternalErrorBrokerNoResumeStateFound",
            "broker only", reachable: false),
        entry(
            -42702, "brokerBadResumeStateFound", "MSALInternalErrorBrokerBadResumeStateFound",
            "broker only", reachable: false),
        entry(
            -42703, "brokerMismatchedResumeState", "MSALInternalErrorBrokerMismatchedResumeState",
            "broker only", reachable: false),
        entry(
            -42704, "brokerResponseHashMissing", "MSALInternalErrorBrokerResponseHashMissing",
            "broker only", reachable: false),
        entry(
            -42705, "brokerCorruptedResponse", "MSALInternalErrorBrokerCorruptedResponse",
            "broker only", reachable: false),
        entry(
            -42706, "brokerResponseDecryptionFailed", "MSALInternalErrorBrokerResponseDecryptionFailed",
            "broker only", reachable: false),
        entry(
            -42707, "brokerResponseHashMismatch", "MSALInternalErrorBrokerResponseHashMismatch",
            "broker only", reachable: false),
        entry(
            -42708, "brokerKeyFailedToCreate", "MSALInternalErrorBrokerKeyFailedToCreate",
            "broker only", reachable: false),
        entry(-42709, "brokerKeyNotFound", "MSALInternalErrorBrokerKeyNotFound", "broker only", reachable: false),
        entry(-42711, "brokerUnknown", "MSALInternalErrorBrokerUnknown", "broker only", reachable: false),
        entry(
            -42712, "brokerApplicationTokenWriteFailed", "MSALInternalErrorBrokerApplicationTokenWriteFailed",
            "broker only", reachable: false),
        entry(
            -42713, "brokerApplicationTokenReadFailed", "MSALInternalErrorBrokerApplicationTokenReadFailed",
            "broker only", reachable: false),
        entry(
            -42714, "brokerNotAvailable", "MSALInternalBrokerNotAvailable",
            "device information asked of an app that cannot use a broker, as every B2C app"),
        entry(
            -42715, "jitLinkServerConfirmationError", "MSALInternalErrorJITLinkServerConfirmationError",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42716, "jitLinkAcquireTokenError", "MSALInternalErrorJITLinkAcquireTokenError",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42717, "jitLinkTokenAcquiredWrongTenant", "MSALInternalErrorJITLinkTokenAcquiredWrongTenant",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42718, "jitLinkError", "MSALInternalErrorJITLinkError",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42719, "jitComplianceCheckResultNotCompliant", "MSALInternalErrorJITComplianceCheckResultNotCompliant",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42720, "jitComplianceCheckResultTimeout", "MSALInternalErrorJITComplianceCheckResultTimeout",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42721, "jitComplianceCheckResultUnknown", "MSALInternalErrorJITComplianceCheckResultUnknown",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42722, "jitComplianceCheckInvalidLinkPayload", "MSALErrorJITComplianceCheckInvalidLinkPayload",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42723, "jitComplianceCheckCreateController", "MSALErrorJITComplianceCheckCreateController",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42724, "jitLinkConfigNotFound", "MSALErrorJITLinkConfigNotFound",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42725, "jitInvalidLinkTokenConfig", "MSALErrorJITInvalidLinkTokenConfig",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42726, "jitWPJDeviceRegistrationFailed", "MSALErrorJITWPJDeviceRegistrationFailed",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42727, "jitWPJAccountIdentifierNil", "MSALErrorJITWPJAccountIdentifierNil",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42728, "jitWPJAcquireTokenError", "MSALErrorJITWPJAcquireTokenError",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42729, "jitRetryRequired", "MSALErrorJITRetryRequired",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42730, "jitUnknownStatusWebCP", "MSALErrorJITUnknownStatusWebCP",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42731, "jitTroubleshootingCreateController", "MSALErrorJITTroubleshootingCreateController",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42732, "jitTroubleshootingAcquireToken", "MSALErrorJITTroubleshootingAcquireToken",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42733, "jitLinkServerConfirmationTimeout", "MSALInternalErrorJITLinkServerConfirmationTimeout",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42734, "jitTroubleshootingRequired", "MSALErrorJITTroubleshootingRequired",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42735, "jitTroubleshootingResultUnknown", "MSALErrorJITTroubleshootingResultUnknown",
            "Intune just-in-time registration", reachable: false),
        entry(
            -42736, "deviceNotPSSORegistered", "MSALErrorDeviceNotPSSORegistered",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42737, "pssoKeyIdMismatch", "MSALErrorPSSOKeyIdMismatch",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42738, "jitErrorHandlingConfigNotFound", "MSALErrorJITErrorHandlingConfigNotFound",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42739, "pssoBiometricPolicyMismatch", "MSALErrorPSSOBiometricPolicyMismatch",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42740, "pssoInvalidPasskeyExtension", "MSALErrorPSSOInvalidPasskeyExtension",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42741, "pssoSaveLoginConfigFailure", "MSALErrorPSSOSaveLoginConfigFailure",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42742, "pssoPasskeyLAError", "MSALErrorPSSOPasskeyLAError",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42743, "pssoBiometricsNotAvailable", "MSALErrorPSSOBiometricsNotAvailable",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42744, "pssoBiometricsNotEnrolled", "MSALErrorPSSOBiometricsNotEnrolled",
            "platform single sign-on on macOS", reachable: false),
        entry(
            -42745, "invalidASWebAuthenticationURL", "MSALInternalErrorInvalidASWebAuthenticationURL",
            "the start address is of no use to the system session"),
    ]

    /// The entry of a number; `nil` for numbers MSAL does not have.
    public static func entry(_ number: Int) -> MSALInternalErrorEntry? {
        all.first { $0.number == number }
    }

    /// The entry by its short or Objective-C name, letter case ignored.
    public static func entry(named name: String) -> MSALInternalErrorEntry? {
        let wanted = name.lowercased()
        return all.first { $0.name.lowercased() == wanted || $0.objectiveCName.lowercased() == wanted }
    }

    /// The name of a value of `MSALInternalErrorCodeKey`, which may also be a public number such as -50006.
    static func name(_ number: Int) -> String? {
        entry(number)?.name ?? MSALErrorTable.entry(number)?.name
    }

    private static func entry(
        _ number: Int, _ name: String, _ objectiveCName: String, _ trigger: String, reachable: Bool = true
    ) -> MSALInternalErrorEntry {
        MSALInternalErrorEntry(
            number: number, name: name, objectiveCName: objectiveCName, trigger: trigger, reachableWithB2C: reachable)
    }
}
