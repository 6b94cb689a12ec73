import B2CProtocol
import Clients

/// What an app's library makes of a refusal: that of MSAL for iOS and macOS from the tables of the clients, those of the
/// others from their sources: MSAL.js (response/ResponseHandler.ts and error/InteractionRequiredAuthError.ts of
/// msal-common), MSAL.NET (InteractiveRequest.cs, MsalServiceExceptionFactory.cs) and MSAL for Android
/// (MicrosoftStsAuthorizationResultFactory.java and ExceptionAdapter.java of its common library,
/// MsalExceptionAdapter.java).
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
        facts.append(Fact("MSAL.js reports", script(error, isBody)))
        facts.append(Fact("MSAL.NET reports", dotNet(error, isBody)))
        facts.append(Fact("MSAL Android reports", android(error, isBody, forgot: code == .c90118)))
        return facts
    }

    private static func script(_ error: String, _ isBody: Bool) -> String {
        let asks = ["interaction_required", "login_required", "consent_required"].contains(error)
        // Of an answer of the token endpoint it makes one line; the members that B2C does not send are empty in it.
        let text = isBody ? "the description after \"Description:\" in errorMessage" : "the description in errorMessage"
        return "\(asks ? "InteractionRequiredAuthError" : "ServerError"), errorCode \(error), \(text)"
    }

    private static func dotNet(_ error: String, _ isBody: Bool) -> String {
        if isBody {
            // Refusals that a sign-in would fix are a class of their own.
            let isUI = error == "invalid_grant" || error == "interaction_required"
            return
                "\(isUI ? "MsalUiRequiredException" : "MsalServiceException"), ErrorCode \(error), the description in Message"
        }
        if error == "login_required" {
            return "MsalUiRequiredException, ErrorCode no_prompt_failed, without the description"
        }
        return "MsalServiceException, ErrorCode \(error), the description in Message"
    }

    private static func android(_ error: String, _ isBody: Bool, forgot: Bool) -> String {
        let isUI = isBody && (error == "invalid_grant" || error == "interaction_required")
        let plain =
            "\(isUI ? "MsalUiRequiredException" : "MsalServiceException"), errorCode \(error), the description in its message"
        return forgot && !isBody ? plain + "; a plain cancel in some versions (B48)" : plain
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
