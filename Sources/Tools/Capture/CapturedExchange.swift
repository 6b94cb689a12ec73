import Determinism
import HTTPMessages
import JSON

/// One request with its answer as somebody outside saw it: in the file of a browser's tools, or in a proxy.
///
/// ``CaptureImport`` makes a script of a list of these. A proxy that records fills in `started`, `request` and
/// `response` and leaves the rest alone.
public struct CapturedExchange: Sendable {
    /// When the request left.
    public var started: Timestamp
    public var request: RequestMessage
    /// The answer; absent where none came or none was seen.
    public var response: ResponseMessage?
    /// Why there is no answer, in the capture's words, such as `net::ERR_FAILED`.
    public var failure: String?
    /// The request had a body, and the capture does not say what was in it.
    public var lacksRequestBody = false
    /// The answer had a body, and the capture does not say what was in it.
    public var lacksResponseBody = false
    /// Tokens of the answer that its text does not show, by the names of the token response (`id_token`,
    /// `access_token`): a capture of our own masks them and shows what is in them.
    public var tokens: [String: Token] = [:]
    /// Its place, for messages about it: `entry 12`.
    public var place: String

    /// The readable parts of a token.
    public struct Token: Sendable, Hashable {
        public var header: JSONObject
        public var claims: JSONObject

        public init(header: JSONObject, claims: JSONObject) {
            self.header = header
            self.claims = claims
        }
    }

    public init(
        started: Timestamp, request: RequestMessage, response: ResponseMessage?, failure: String? = nil,
        place: String = ""
    ) {
        self.started = started
        self.request = request
        self.response = response
        self.failure = failure
        self.place = place
    }
}

extension CapturedExchange {
    /// The body read as a form, whatever its type says.
    var form: FormItems { request.form ?? FormItems(parsing: request.body) }
}
