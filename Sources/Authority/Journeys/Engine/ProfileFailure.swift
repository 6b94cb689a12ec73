import B2CProtocol
import Diagnostics
import TrustFramework

/// Why a technical profile failed. A page that called it shows the message and stays; where no page did, the journey
/// ends.
struct ProfileFailure: Error, Sendable {
    /// The code that a page post answers with, and that the app gets when there is no page.
    var code: B2CErrorCode?
    /// Name of the message among localised `ErrorMessage` texts and in the metadata of the page or the profile.
    var messageKey: String?
    /// A second name, for where policy and language have nothing under the first.
    var otherKey: String?
    /// The message when policy and language have none.
    var message: String
    /// Values for `{0}`, `{1}` in the code's own text, and in the message unless it has its own.
    var inserts: [String]
    /// Values for `{0}`, `{1}` in the message where these are others.
    var messageInserts: [String]?
    /// The same for the message under the second name.
    var otherInserts: [String]?
    /// The profile whose metadata may hold the message.
    var profile: ProfileHandle?
    /// The message that the app gets instead of the code's text.
    var ownMessage: String?
    /// For the log.
    var detail: String
    /// Ends the journey even under a page: what the simulator cannot do, or what B2C itself never shows on a page.
    var fatal: JourneyFailure?
    /// OAuth error when no page takes the failure.
    var oauthError: String
    /// The trace has a record of it already.
    private(set) var isRecorded = false

    init(
        code: B2CErrorCode? = nil, messageKey: String? = nil, message: String, inserts: [String] = [],
        oauthError: String = OAuthErrorName.serverError, detail: String
    ) {
        self.code = code
        self.messageKey = messageKey
        self.message = message
        self.inserts = inserts
        self.oauthError = oauthError
        self.detail = detail
    }

    /// The text that the trace shows.
    var text: String { fatal?.text ?? message }

    /// What names the failure in the trace: see ``TraceEntry/ProfileTrace/failure``.
    var name: String {
        let parts = [code?.id, messageKey].compactMap(\.self)
        return parts.isEmpty ? text : parts.joined(separator: " ")
    }

    /// The same, once the trace has a record of it.
    var recorded: ProfileFailure {
        var failure = self
        failure.isRecorded = true
        return failure
    }

    /// Ends the journey whatever is below.
    static func ending(_ failure: JourneyFailure) -> ProfileFailure {
        var result = ProfileFailure(code: failure.code, message: failure.text, detail: failure.detail)
        result.fatal = failure
        return result
    }

    /// "not simulated: WHAT at FILE:LINE".
    static func notSimulated(_ what: String, at location: SourceLocation?) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .notSimulated(what: what, location: location), detail: "the policy asks for something not simulated"))
    }

    /// A fault of the policy: the app gets `server_error`.
    static func policyFault(_ code: B2CErrorCode, _ inserts: [String], detail: String) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .redirect(error: OAuthErrorName.serverError), code: code, inserts: inserts, detail: detail))
    }

    /// How the journey ends when no frame takes the failure. At the token endpoint a refusal is about the grant.
    func ending(for entry: JourneyEntry) -> JourneyFailure {
        if let fatal { return fatal }
        var code = code
        var error = oauthError
        if entry == .refresh {
            error = OAuthErrorName.invalidGrant
            if code == .c90053 || code == .c99002 { code = .c90128 }
            if messageKey == "DateTimeGreaterThan" { code = .c90129 }
        }
        return JourneyFailure(
            .redirect(error: error), code: code, inserts: inserts,
            message: code == nil ? message : entry == .refresh ? nil : ownMessage,
            detail: detail)
    }
}
