import B2CProtocol
import Diagnostics

/// Why a journey ended without issuing, or why an event was refused. The peer gets code and message; `detail` is in the
/// log only, for the developer.
public struct JourneyFailure: Error, Sendable {
    public enum Kind: Sendable, Hashable {
        /// Sent to the relying party's redirect URI (or the token endpoint's caller) under this OAuth error.
        case redirect(error: String)
        /// Shown on the error page of the B2C host.
        case page
        /// The simulator cannot do what the policy asks for: WHAT at FILE:LINE.
        case notSimulated(what: String, location: SourceLocation?)
    }

    public var kind: Kind
    public var code: B2CErrorCode?
    /// Values for the code's message, in order.
    public var inserts: [String]
    /// A text that replaces the code's message: a page's cancel message, the text of an `OAuth2Error` issuer.
    public var message: String?
    /// What happened, for the log.
    public var detail: String

    public init(
        _ kind: Kind, code: B2CErrorCode? = nil, inserts: [String] = [], message: String? = nil, detail: String
    ) {
        self.kind = kind
        self.code = code
        self.inserts = inserts
        self.message = message
        self.detail = detail
    }

    /// The first line of `error_description` without correlation id and time: `AADB2C90091: ...`. Without a code number
    /// it is the text that B2C shows for an unexpected policy exception.
    public var text: String {
        switch kind {
        case .notSimulated(let what, let location):
            return "not simulated: \(what)" + (location.map { " at \(Self.place($0))" } ?? "")
        case .redirect, .page:
            guard let code else { return message ?? "AADB2C: An exception has occurred." }
            return "\(code.id): \(message ?? code.message(inserts))"
        }
    }

    /// `FILE:LINE` as far as known.
    static func place(_ location: SourceLocation) -> String {
        guard let line = location.line else { return location.file }
        return "\(location.file):\(line)"
    }
}
