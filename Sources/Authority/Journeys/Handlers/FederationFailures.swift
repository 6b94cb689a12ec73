import B2CProtocol
import HTTPMessages
import TrustFramework

/// How conversations with identity providers fail, whatever the protocol.
enum FederationFailures {
    /// The provider sent the person back with an OAuth error, and the app gets its parts in one text. The app's own error
    /// is `server_error` (AzureAD/microsoft-authentication-library-for-js#2801); that `access_denied` stays is inferred.
    static func answered(_ parameters: FormItems, error: String, _ call: ProfileCall) -> ProfileFailure {
        let parts = [
            ("Error", error), ("Error Description", parameters["error_description"] ?? ""),
            ("Error Uri", parameters["error_uri"] ?? ""),
        ]
        let text = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }.joined(separator: ",")
        return error == OAuthErrorName.accessDenied ? cancelled(text, call) : invalid(text, call)
    }

    /// Somebody pressed cancel at the provider (Microsoft docs: troubleshoot).
    static func cancelled(_ text: String, _ call: ProfileCall) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .redirect(error: OAuthErrorName.accessDenied), code: .c90273, inserts: [text],
                detail: "identity provider \(call.profile.id) answered \(text)"))
    }

    static func invalid(_ text: String, _ call: ProfileCall) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .redirect(error: OAuthErrorName.serverError), code: .c90273, inserts: [text],
                detail: "identity provider \(call.profile.id): \(text)"))
    }

    /// The provider's ID token is refused. Each check has its own code (Microsoft docs: error-codes;
    /// MicrosoftDocs/azure-docs#53238), and nothing goes to the app.
    static func refusedToken(
        _ code: B2CErrorCode, inserts: [String] = [], _ text: String, _ call: ProfileCall
    ) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .page, code: code, inserts: inserts, detail: "identity provider \(call.profile.id): \(text)"))
    }

    static func unreachable(_ text: String, _ call: ProfileCall) -> ProfileFailure {
        .ending(JourneyFailure(.page, code: .c90289, detail: "identity provider \(call.profile.id): \(text)"))
    }

    /// The provider's token endpoint answered with an OAuth error: the message names it.
    static func refused(error: String, _ call: ProfileCall) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .page, code: .c90289, message: B2CErrorCode.c90289.message(variant: 0, [error]),
                detail: "identity provider \(call.profile.id): '\(error)'"))
    }

    static func noAddress(_ what: String, _ text: String, _ call: ProfileCall) -> ProfileFailure {
        let unfilled = UnfilledText.placeholders(in: text)
        guard unfilled.isEmpty else {
            let names = unfilled.joined(separator: ", ")
            return .ending(
                JourneyFailure(
                    .redirect(error: OAuthErrorName.serverError),
                    message: "\(what) of \(call.profile.id) contains a placeholder: \(names)",
                    detail: "\(call.profile.id): \(what) is \(text)"))
        }
        return .policyFault(
            .c90023, [call.profile.id, what], detail: "\(call.profile.id): \(what) is not an address: \(text)")
    }
}
