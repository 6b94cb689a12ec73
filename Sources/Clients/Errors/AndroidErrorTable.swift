/// The exceptions of MSAL for Android and their error codes.
///
/// Classes and codes are those of MsalClientException.java, MsalUiRequiredException.java, MsalExceptionAdapter.java and
/// MicrosoftAuthorizationErrorResponse.java (`user_cancelled`); the codes of failures that none of them names are inferred.
enum AndroidErrorTable {
    static let client = "MsalClientException"
    static let service = "MsalServiceException"
    static let uiRequired = "MsalUiRequiredException"

    /// The exception and its code for an error of the shared flow.
    static func place(_ error: ClientError) -> (domain: String, code: ClientError.Code) {
        if let oauth = error.oauthError {
            if oauth == "invalid_instance" { return (client, "unknown_authority") }
            // What the person must fix is its own class; a page that ends in access_denied is an answer of the server.
            let asks = ["invalid_grant", "interaction_required"].contains(oauth)
            return (asks ? uiRequired : service, .text(oauth))
        }
        switch error.kind {
        case .interactionRequired: return (uiRequired, "no_tokens_found")
        case .noAccount: return (client, "no_account_found")
        case .userCanceled: return ("MsalUserCancelException", "user_cancelled")
        case .declinedScopes: return ("MsalDeclinedScopeException", "declined_scope_error")
        case .interactionInProgress: return (client, "duplicate_command")
        case .network: return (client, error.code == .number(-1009) ? "device_network_not_available" : "io_error")
        case .invalidResponse:
            if error.domain == "NSCocoaErrorDomain" { return (client, "json_parse_failure") }
            return (client, (error.description ?? "").contains("state") ? "state_mismatch" : "unknown_error")
        case .configuration:
            return error.internalCode == -42000
                ? ("MsalArgumentException", "illegal_argument_exception") : (client, "unknown_authority")
        case .server, .throttled: return (service, "service_not_available")
        case .storage, .other: return (client, "unknown_error")
        }
    }
}
