import HTTPMessages

/// What happens to a journey from outside. One event gives one stop.
public enum JourneyEvent: Sendable {
    /// The request that starts the journey.
    case begin
    /// POST SelfAsserted or POST Phonefactor/verify: the fields of the page, with `request_type`.
    case submitted(FormItems)
    /// POST SelfAsserted/DisplayControlAction: one action of a display control (`SendCode`, `VerifyCode`).
    case action(control: String, name: String, FormItems)
    /// GET api/.../confirmed: the page was accepted and is left. `rememberMe` is what the keep-me-signed-in box said.
    case confirmed(rememberMe: Bool)
    /// GET api/.../unified?claimsexchange=ID: a button or link of the page.
    case chose(ClaimsExchangeID)
    /// GET api/.../unified?local=signup: the sign-up link of the combined page. `hint` is what stood in the name field.
    case signUp(hint: String?)
    /// GET api/.../forgotPassword: the legacy link, which hands AADB2C90118 to the app.
    case forgotPassword
    /// GET api/.../error: the person cancelled, or the page script reports a failure by `code` (`UX005` ...).
    case cancelled(code: String?, description: String?)
    /// The current page is asked for again.
    case reloaded
    /// The identity provider answered at the return address.
    case providerReturned(AuthorizationResponse)
    /// The request that the journey asked for was made.
    case finished(CalloutResult)
}

/// Id of a claims exchange, as a page's buttons carry it.
public typealias ClaimsExchangeID = String

/// What an identity provider sent to the return address, whichever response mode it used.
public struct AuthorizationResponse: Sendable {
    public var parameters: FormItems

    public init(parameters: FormItems) { self.parameters = parameters }
}

/// How a call-out ended.
public struct CalloutResult: Sendable {
    public var outcome: Result<ResponseMessage, TransportError>
    /// The number of the exchange, such as `6.1`; `nil` if nobody records exchanges.
    public var exchange: String?

    public init(_ outcome: Result<ResponseMessage, TransportError>, exchange: String? = nil) {
        self.outcome = outcome
        self.exchange = exchange
    }

    public static func answered(_ response: ResponseMessage) -> CalloutResult { CalloutResult(.success(response)) }
    public static func failed(_ error: TransportError) -> CalloutResult { CalloutResult(.failure(error)) }
}
