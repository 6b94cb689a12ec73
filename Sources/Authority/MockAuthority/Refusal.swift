import B2CProtocol
import Determinism
import Journeys

/// Why an endpoint refused a request: what the peer gets, and what only the developer sees.
struct Refusal: Error, Sendable {
    /// How the peer gets the error.
    enum ErrorDelivery: Sendable, Hashable {
        /// Parameters at the redirect URI of the request, by its response mode.
        case redirect
        /// Parameters in the fragment of another registered URI of the app (recorded 2018 to 2020).
        case registeredURI(String)
        /// HTML on the host of the service.
        case page
        /// A bare HTTP status.
        case status(Int)
    }

    /// `nil`: the text without a number that the service shows for an unexpected exception.
    var code: B2CErrorCode?
    /// Values for the message, in order.
    var inserts: [String]
    /// The OAuth error where it is not the one of the code.
    var error: String?
    /// A text in place of the code's message.
    var message: String?
    var delivery: ErrorDelivery
    /// The developer's reason, for the record of the exchange.
    var why: String

    init(
        _ code: B2CErrorCode?, _ inserts: [String] = [], error: String? = nil, message: String? = nil,
        delivery: ErrorDelivery = .redirect, why: String
    ) {
        self.code = code
        self.inserts = inserts
        self.error = error
        self.message = message
        self.delivery = delivery
        self.why = why
    }

    /// What the simulator could not play, if that is the reason.
    var notSimulated: String?

    /// A journey's failure, delivered as it says.
    init(_ failure: JourneyFailure) {
        self.init(failure.code, failure.inserts, message: failure.message, why: failure.detail)
        switch failure.kind {
        case .redirect(let error):
            self.error = error
        case .page:
            delivery = .page
        case .notSimulated:
            delivery = .page
            message = failure.text
            notSimulated = failure.text
        }
    }

    /// The OAuth error name.
    var oauthError: String { error ?? code?.oauthError ?? "server_error" }

    /// First line of the description: number and text.
    var headline: String {
        guard let code else { return text }
        return "\(code.id): \(text)"
    }

    /// The text without the number.
    var text: String {
        guard let code else { return message ?? "AADB2C: An exception has occurred." }
        return message ?? code.message(inserts)
    }

    /// The whole description with correlation id and time: three lines, each ended by CRLF.
    func description(correlationID: GUID, at now: Timestamp) -> String {
        "\(headline)\r\nCorrelation ID: \(correlationID)\r\nTimestamp: \(now.b2cText)\r\n"
    }
}
