/// From the `error` text of an OAuth answer to IdentityCore's number (MSIDError.m).
public enum OAuthErrorTable {
    /// Every text that has a number of its own.
    public static let all: [(error: String, code: IdentityCoreCode)] = [
        ("invalid_request", .serverInvalidRequest),
        ("invalid_client", .serverInvalidClient),
        ("invalid_scope", .serverInvalidScope),
        ("invalid_grant", .serverInvalidGrant),
        ("unauthorized_client", .serverUnauthorizedClient),
        ("interaction_required", .interactionRequired),
        ("access_denied", .serverAccessDenied),
        ("server_error", .serverError),
        ("tokenTransferFailedOTC", .userCancel),
    ]

    /// The number of a text, letter case ignored.
    ///
    /// - Parameter other: For a text that has none: `authorizationFailed` on the redirect, `serverOauth` at the token
    ///   endpoint; an app sees both as -42104.
    public static func code(_ error: String, other: IdentityCoreCode) -> IdentityCoreCode {
        let wanted = error.lowercased()
        return all.first { $0.error.lowercased() == wanted }?.code ?? other
    }
}
