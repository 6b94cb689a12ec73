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

/// The numbers behind a -50000: the errors that MSAL for iOS and macOS means.
public enum MSALInternalErrorTable {
    /// Every entry, by number from -42000 down. Numbers between them do not exist.
    public static let all: [MSALInternalErrorEntry] = [
        entry(
            -42000, "invalidParameter", "MSALInternalErrorInvalidParameter",
            trigger: "a parameter of the developer was rejected"),
        entry(
            -42001, "redirectSchemeNotRegistered", "MSALInternalErrorRedirectSchemeNotRegistered",
            trigger: "the redirect scheme is not in Info.plist, or the broker's query schemes are missing"),
        entry(-42002, "invalidRequest", "MSALInternalErrorInvalidRequest", trigger: "OAuth error invalid_request"),
        entry(-42003, "invalidClient", "MSALInternalErrorInvalidClient", trigger: "OAuth error invalid_client"),
        entry(
            -42004, "invalidGrant", "MSALInternalErrorInvalidGrant",
            trigger: "OAuth error invalid_grant: redeeming the code, or underlying a silent -50002"),
        entry(-42005, "invalidScope", "MSALInternalErrorInvalidScope", trigger: "OAuth error invalid_scope"),
        entry(
            -42006, "unauthorizedClient", "MSALInternalErrorUnauthorizedClient",
            trigger: "OAuth error unauthorized_client"),
        entry(
            -42007, "unhandledResponse", "MSALInternalErrorUnhandledResponse",
            trigger: "an HTTP status other than 200, 400 and 401"),
        entry(
            -42008, "unexpected", "MSALInternalErrorUnexpected",
            trigger: "everything whose own number would be -50000, an unknown B2C authority included"),
        entry(
            -42009, "unexpectedHttpResponse", "MSALInternalErrorUnexpectedHttpResponse",
            trigger: "underlying error of HTTP 403 and 404"),
        entry(
            -42010, "failedAuthorityValidation", "MSALInternalErrorFailedAuthorityValidation",
            trigger: "instance discovery called the authority invalid, or its metadata is broken"),
        entry(
            -42011, "invalidRedirectURI", "MSALInternalErrorInvalidRedirectURI",
            trigger: "the redirect URI does not have the form a directory tenant wants; found when the app starts"),
        entry(
            -42101, "mismatchedUser", "MSALInternalErrorMismatchedUser",
            trigger: "reserved: this version does not compare accounts"),
        entry(
            -42102, "ambiguousAccount", "MSALInternalErrorAmbiguousAccount",
            trigger: "getCurrentAccount met more than one signed-in account"),
        entry(
            -42104, "authorizationFailed", "MSALInternalErrorAuthorizationFailed",
            trigger: "an OAuth error MSAL does not know, such as login_required or temporarily_unavailable"),
        entry(
            -42106, "accountRequired", "MSALInternalErrorAccountRequired",
            trigger:
                "a silent request without account identifier; the public API answers -50002 before it comes to that"),
        entry(
            -42401, "sessionCanceled", "MSALInternalErrorSessionCanceled",
            trigger: "defined, never produced: cancelling by program gives -50005"),
        entry(
            -42402, "interactiveSessionAlreadyRunning", "MSALInternalErrorInteractiveSessionAlreadyRunning",
            trigger: "two interactive calls at once"),
        entry(-42403, "noViewController", "MSALInternalErrorNoViewController", trigger: "no main view controller"),
        entry(
            -42404, "attemptToOpenURLFromExtension", "MSALInternalErrorAttemptToOpenURLFromExtension",
            trigger: "an app extension tried to open a URL"),
        entry(
            -42405, "uINotSupportedInExtension", "MSALInternalErrorUINotSupportedInExtension",
            trigger: "an app extension tried to show a page"),
        entry(
            -42501, "invalidState", "MSALInternalErrorInvalidState",
            trigger: "state missing or different on the redirect"),
        entry(
            -42600, "invalidResponse", "MSALInternalErrorInvalidResponse",
            trigger:
                "redirect without code and error, token_type not bearer, JSON that is not an object, missing id_token"),
        entry(
            -42602, "nonHttpsRedirect", "MSALInternalErrorNonHttpsRedirect",
            trigger: "the embedded web view was sent to plain http"),
        entry(
            -42700, "brokerResponseNotReceived", "MSALInternalErrorBrokerResponseNotReceived",
            trigger: "broker only", reachable: false),
        entry(
            -42701, "brokerNoResumeStateFound", "MSALInternalErrorBrokerNoResumeStateFound",
            trigger: "broker only", reachable: false),
        entry(
            -42702, "brokerBadResumeStateFound", "MSALInternalErrorBrokerBadResumeStateFound",
            trigger: "broker only", reachable: false),
        entry(
            -42703, "brokerMismatchedResumeState", "MSALInternalErrorBrokerMismatchedResumeState",
            trigger: "broker only", reachable: false),
        entry(
            -42704, "brokerResponseHashMissing", "MSALInternalErrorBrokerResponseHashMissing",
            trigger: "broker only", reachable: false),
        entry(
            -42705, "brokerCorruptedResponse", "MSALInternalErrorBrokerCorruptedResponse",
            trigger: "broker only", reachable: false),
        entry(
            -42706, "brokerResponseDecryptionFailed", "MSALInternalErrorBrokerResponseDecryptionFailed",
            trigger: "broker only", reachable: false),
        entry(
            -42707, "brokerResponseHashMismatch", "MSALInternalErrorBrokerResponseHashMismatch",
            trigger: "broker only", reachable: false),
        entry(
            -42708, "brokerKeyFailedToCreate", "MSALInternalErrorBrokerKeyFailedToCreate",
            trigger: "broker only", reachable: false),
        entry(
            -42709, "brokerKeyNotFound", "MSALInternalErrorBrokerKeyNotFound", trigger: "broker only", reachable: false),
        entry(-42711, "brokerUnknown", "MSALInternalErrorBrokerUnknown", trigger: "broker only", reachable: false),
        entry(
            -42712, "brokerApplicationTokenWriteFailed", "MSALInternalErrorBrokerApplicationTokenWriteFailed",
            trigger: "broker only", reachable: false),
        entry(
            -42713, "brokerApplicationTokenReadFailed", "MSALInternalErrorBrokerApplicationTokenReadFailed",
            trigger: "broker only", reachable: false),
        entry(
            -42714, "brokerNotAvailable", "MSALInternalBrokerNotAvailable",
            trigger: "device information asked of an app that cannot use a broker, as every B2C app"),
        entry(
            -42715, "jitLinkServerConfirmationError", "MSALInternalErrorJITLinkServerConfirmationError",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42716, "jitLinkAcquireTokenError", "MSALInternalErrorJITLinkAcquireTokenError",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42717, "jitLinkTokenAcquiredWrongTenant", "MSALInternalErrorJITLinkTokenAcquiredWrongTenant",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42718, "jitLinkError", "MSALInternalErrorJITLinkError",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42719, "jitComplianceCheckResultNotCompliant", "MSALInternalErrorJITComplianceCheckResultNotCompliant",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42720, "jitComplianceCheckResultTimeout", "MSALInternalErrorJITComplianceCheckResultTimeout",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42721, "jitComplianceCheckResultUnknown", "MSALInternalErrorJITComplianceCheckResultUnknown",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42722, "jitComplianceCheckInvalidLinkPayload", "MSALErrorJITComplianceCheckInvalidLinkPayload",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42723, "jitComplianceCheckCreateController", "MSALErrorJITComplianceCheckCreateController",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42724, "jitLinkConfigNotFound", "MSALErrorJITLinkConfigNotFound",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42725, "jitInvalidLinkTokenConfig", "MSALErrorJITInvalidLinkTokenConfig",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42726, "jitWPJDeviceRegistrationFailed", "MSALErrorJITWPJDeviceRegistrationFailed",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42727, "jitWPJAccountIdentifierNil", "MSALErrorJITWPJAccountIdentifierNil",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42728, "jitWPJAcquireTokenError", "MSALErrorJITWPJAcquireTokenError",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42729, "jitRetryRequired", "MSALErrorJITRetryRequired",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42730, "jitUnknownStatusWebCP", "MSALErrorJITUnknownStatusWebCP",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42731, "jitTroubleshootingCreateController", "MSALErrorJITTroubleshootingCreateController",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42732, "jitTroubleshootingAcquireToken", "MSALErrorJITTroubleshootingAcquireToken",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42733, "jitLinkServerConfirmationTimeout", "MSALInternalErrorJITLinkServerConfirmationTimeout",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42734, "jitTroubleshootingRequired", "MSALErrorJITTroubleshootingRequired",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42735, "jitTroubleshootingResultUnknown", "MSALErrorJITTroubleshootingResultUnknown",
            trigger: "Intune just-in-time registration", reachable: false),
        entry(
            -42736, "deviceNotPSSORegistered", "MSALErrorDeviceNotPSSORegistered",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42737, "pssoKeyIdMismatch", "MSALErrorPSSOKeyIdMismatch",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42738, "jitErrorHandlingConfigNotFound", "MSALErrorJITErrorHandlingConfigNotFound",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42739, "pssoBiometricPolicyMismatch", "MSALErrorPSSOBiometricPolicyMismatch",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42740, "pssoInvalidPasskeyExtension", "MSALErrorPSSOInvalidPasskeyExtension",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42741, "pssoSaveLoginConfigFailure", "MSALErrorPSSOSaveLoginConfigFailure",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42742, "pssoPasskeyLAError", "MSALErrorPSSOPasskeyLAError",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42743, "pssoBiometricsNotAvailable", "MSALErrorPSSOBiometricsNotAvailable",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42744, "pssoBiometricsNotEnrolled", "MSALErrorPSSOBiometricsNotEnrolled",
            trigger: "platform single sign-on on macOS", reachable: false),
        entry(
            -42745, "invalidASWebAuthenticationURL", "MSALInternalErrorInvalidASWebAuthenticationURL",
            trigger: "the start address is of no use to the system session"),
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
        _ number: Int, _ name: String, _ objectiveCName: String, trigger: String, reachable: Bool = true
    ) -> MSALInternalErrorEntry {
        MSALInternalErrorEntry(
            number: number, name: name, objectiveCName: objectiveCName, trigger: trigger, reachableWithB2C: reachable)
    }
}
