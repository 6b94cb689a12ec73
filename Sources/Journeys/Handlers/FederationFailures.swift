import B2CProtocol
import TrustFramework

/// How conversations with identity providers fail, whatever the protocol.
enum FederationFailures {
    /// The provider answered with an error: mostly, somebody pressed cancel there (Microsoft docs: troubleshoot).
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
        .policyFault(
            .c90023, [call.profile.id, what], detail: "\(call.profile.id): \(what) is not an address: \(text)")
    }
}
