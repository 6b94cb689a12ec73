/// One public error of MSAL for iOS and macOS: an entry of `MSALError` (MSALError.h).
public struct MSALErrorEntry: Sendable, Hashable {
    /// The number, such as -50002.
    public let number: Int
    /// The Swift case, such as `interactionRequired`.
    public let name: String
    /// The Objective-C name, such as `MSALErrorInteractionRequired`.
    public let objectiveCName: String
    /// Whether an app ever sees the number as `NSError.code`; otherwise it is only the value of
    /// `MSALInternalErrorCodeKey` of a -50000.
    public let appearsAsCode: Bool
    /// What it means in practice.
    public let meaning: String
}

/// The public errors of MSAL for iOS and macOS (domain `MSALErrorDomain`).
public enum MSALErrorTable {
    /// The domain's name.
    public static let domain = "MSALErrorDomain"

    /// The catch-all; `MSALInternalErrorCodeKey` says what happened.
    public static let catchAll = -50000

    /// Every entry, by number from -50000 down.
    public static let all: [MSALErrorEntry] = [
        entry(-50000, "internal", true, meaning: "catch-all; MSALInternalErrorCodeKey says what happened"),
        entry(
            -50001, "workplaceJoinRequired", true,
            meaning: "the broker or a device registration is required (directory tenants only)"),
        entry(-50002, "interactionRequired", true, meaning: "call acquireToken: the tokens at hand no longer do"),
        entry(-50003, "serverDeclinedScopes", true, meaning: "fewer scopes were granted than asked for"),
        entry(-50004, "serverProtectionPoliciesRequired", true, meaning: "Intune app protection is required"),
        entry(-50005, "userCanceled", true, meaning: "the browser was closed, or the server answered access_denied"),
        entry(-50006, "serverError", false, meaning: "the server answered the OAuth error server_error"),
        entry(
            -50007, "insufficientDeviceStrength", false,
            meaning: "transfer of a personal account was refused for this device"),
        entry(-50008, "mdmEnrollmentCompletedNeedsRetry", false, meaning: "device enrolment is done, try again"),
        entry(
            -50142, "serverInvalidRequestResetPasswordRequired", true,
            meaning: "the token endpoint answered invalid_request with service code 50142: the password must be changed"
        ),
    ]

    /// The entry of a number; `nil` for numbers MSAL does not have.
    public static func entry(_ number: Int) -> MSALErrorEntry? {
        all.first { $0.number == number }
    }

    /// The entry by its Swift or Objective-C name, letter case ignored.
    public static func entry(named name: String) -> MSALErrorEntry? {
        let wanted = name.lowercased()
        return all.first { $0.name.lowercased() == wanted || $0.objectiveCName.lowercased() == wanted }
    }

    private static func entry(
        _ number: Int, _ name: String, _ appearsAsCode: Bool, meaning: String
    ) -> MSALErrorEntry {
        MSALErrorEntry(
            number: number, name: name,
            objectiveCName: "MSALError"
                + (name == "mdmEnrollmentCompletedNeedsRetry" ? "MDM" + name.dropFirst(3) : capitalised(name)),
            appearsAsCode: appearsAsCode, meaning: meaning)
    }
}

/// The text with its first letter in upper case.
func capitalised(_ text: String) -> String {
    guard let first = text.first else { return text }
    return String(first).uppercased() + text.dropFirst()
}
