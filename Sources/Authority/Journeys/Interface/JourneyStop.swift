import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// Where `advance` stopped: what the endpoint that brought the event is to answer.
public enum JourneyStop: Sendable {
    /// A hosted page.
    case page(Page)
    /// The JSON that the script of the current page waits for: accepted, or why not.
    case answer(PageAnswer)
    /// Send the browser to an identity provider.
    case provider(ProviderRedirect)
    /// Make this request and come back with `.finished`; the interrupted request is answered after that.
    case callout(RequestMessage, timeout: TimeSpan)
    /// The journey is over: issue to the relying party.
    case issue(Issuance)
    /// The journey is over: send the error to the relying party or show the error page, as the failure says.
    case failed(JourneyFailure)
    /// The event does not fit the state of the journey. Nothing has changed.
    case refused(JourneyFailure)

    /// Whether the journey is over with this stop.
    public var isEnd: Bool {
        switch self {
        case .issue, .failed: true
        case .page, .answer, .provider, .callout, .refused: false
        }
    }
}

/// The JSON object a page post is answered with; always HTTP 200 (recorded from live tenants).
public struct PageAnswer: Sendable {
    /// `200` accepted, `400` refused, and on the phone page `429` throttled, `448` unreachable, `449` wrong code.
    public var status: String
    /// Goes out as `errorCode`.
    public var code: B2CErrorCode?
    /// The text shown above the form, in the page's language.
    public var message: String?
    /// Further members.
    public var extra: JSONObject

    public init(status: String, code: B2CErrorCode? = nil, message: String? = nil, extra: JSONObject = JSONObject()) {
        self.status = status
        self.code = code
        self.message = message
        self.extra = extra
    }

    /// Accepted.
    public static let accepted = PageAnswer(status: "200")

    /// The object on the wire: `status`, `errorCode`, `message`, then the rest.
    public var json: JSONObject {
        var object = JSONObject()
        object["status"] = .string(status)
        if let code { object["errorCode"] = .string(code.id) }
        if let message { object["message"] = .string(message) }
        for member in extra.members { object[member.key] = member.value }
        return object
    }
}

/// A redirect to an identity provider's authorization endpoint.
public struct ProviderRedirect: Sendable {
    /// The whole URL, with `state`, `nonce`, `redirect_uri` and the profile's own parameters.
    public var url: WebURL
    /// Id of the technical profile.
    public var technicalProfile: String
    /// `state` as sent: `StateProperties=` and the base64url of `{"SID":...,"TID":...}` (recorded from a live tenant).
    public var state: String

    public init(url: WebURL, technicalProfile: String, state: String) {
        self.url = url
        self.technicalProfile = technicalProfile
        self.state = state
    }
}
