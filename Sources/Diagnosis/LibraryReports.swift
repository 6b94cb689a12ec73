import B2CProtocol
import Clients

/// What an app's library makes of a refusal: that of MSAL for iOS and macOS from the tables of the clients, those of MSAL.js,
/// MSAL.NET and MSAL for Android from the names in threads of the bug catalogue and these libraries' public types (inferred).
enum LibraryReports {
    /// How each library hands an error of the redirect URI or the token endpoint to the app.
    ///
    /// - Parameters:
    ///   - error: `error` of the answer.
    ///   - code: the AADB2C code in its description.
    ///   - isBody: whether the token endpoint answered it.
    static func facts(error: String, code: B2CErrorCode?, isBody: Bool) -> [Fact] {
        let places = isBody ? ["token endpoint", "/token", "refresh"] : ["redirect"]
        let rows = FailureTables.all.filter { row in
            places.contains { row.input.hasPrefix($0) } && words(row.input).contains(error)
                && !row.input.contains("suberror")
                && (AADB2C.firstCode(in: row.input).map { $0 == code?.id } ?? true)
        }
        var facts = rows.prefix(3).map { row in
            Fact(
                "MSAL iOS reports",
                "\(row.id.hasPrefix("Q") ? "silent call: " : "")\(row.outcome)" + (row.note.map { " (\($0))" } ?? ""))
        }
        let asks = ["interaction_required", "login_required", "consent_required"].contains(error)
        facts.append(
            Fact(
                "MSAL.js reports",
                "\(asks ? "InteractionRequiredAuthError" : "ServerError"), errorCode \(error), the description in errorMessage"
            ))
        // MSAL.NET turns refusals that a sign-in would mend into MsalUiRequiredException.
        let isUI = asks || (isBody && error == "invalid_grant")
        facts.append(
            Fact(
                "MSAL.NET reports",
                "\(isUI ? "MsalUiRequiredException" : "MsalServiceException"), ErrorCode \(error), the description in Message"
            ))
        facts.append(
            Fact(
                "MSAL Android reports",
                error == "access_denied" && !isBody
                    ? "MsalUserCancelException, in some versions without the description (B48)"
                    : "\(isUI ? "MsalUiRequiredException" : "MsalServiceException"), errorCode \(error)"))
        return facts
    }

    /// What a number of MSAL for iOS, or of the system under it, means.
    static func meaning(_ number: Int) -> String? {
        if let entry = MSALErrorTable.entry(number) { return "\(entry.objectiveCName): \(entry.meaning)" }
        if let entry = MSALInternalErrorTable.entry(number) { return "\(entry.objectiveCName): \(entry.trigger)" }
        if let code = IdentityCoreCode(rawValue: number) {
            return "\(code) of IdentityCore, which the app sees as \(IdentityCoreErrorTable.entry(code).mapped)"
        }
        if let row = FailureTables.rows(endingIn: number).first { return row.input }
        return system[number]
    }

    private static let system: [Int: String] = [
        -1001: "NSURLError: timed out", -1003: "NSURLError: the host was not found",
        -1004: "NSURLError: the host could not be reached", -1005: "NSURLError: the connection was lost",
        -1009: "NSURLError: no network", -1200: "NSURLError: no secure connection",
        -1202: "NSURLError: the certificate is not trusted",
        -34018: "the keychain: an entitlement is missing",
    ]

    private static func words(_ text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }
}
