import Determinism
import ExtensionCalls
import HTTPMessages
import JOSE
import JSON
import Synchronization
import TenantFiles

/// The tenant, app and person of these tests.
enum Sample {
    static let start = Timestamp(seconds: 1_800_000_000)
    static let audience = "11111111-0000-4000-8000-000000000001"
    static let key = TestKeys.key(9)

    static func url(_ text: String) -> WebURL { WebURL(text) ?? WebURL(scheme: "http", host: "invalid.test") }
    static let origin = url("http://localhost:9400")

    static let tenant: Tenant = {
        var tenant = Tenant(name: "contoso")
        tenant.id = GUID(high: 0xaaaa, low: 1)
        tenant.authority.extensionsAppId = GUID(high: 0xcccc, low: 3)
        return tenant
    }()

    static let person: UserRecord = {
        var person = UserRecord()
        person.name = "ada"
        person.email = "ada@contoso.test"
        person.password = "Correct-Horse-9"
        person.objectId = GUID(high: 0xbbbb, low: 2)
        person.attributes = [
            "displayName": "Ada", "givenName": "Ada", "surname": "Lovelace", "age": 36, "newsletter": true,
            "extension_points": 7,
        ]
        return person
    }()

    static let app: AppSettings = {
        var app = AppSettings()
        app.name = "shop"
        app.registration.clientId = "22222222-0000-4000-8000-000000000002"
        return app
    }()

    static func call(_ event: ExtensionEvent, origin: WebURL? = Sample.origin) -> ExtensionCall {
        var generator = SeededGenerator(seed: 1)
        var call = ExtensionCall(
            event, url: url("https://function.test/api/event"), person: person, app: app, tenant: tenant,
            audience: audience, origin: origin, using: &generator)
        call.correlationID = GUID(high: 1, low: 1)
        call.listenerID = GUID(high: 2, low: 2)
        call.extensionID = GUID(high: 3, low: 3)
        call.nonce = GUID(high: 4, low: 4)
        call.oneTimeCode = "12345678"
        call.encryption = ExtensionEncryption(key: key.jwk)
        return call
    }

    /// `@odata.type` of an action.
    static func action(_ name: String, _ members: JSONObject = [:]) -> JSONValue {
        var action: JSONObject = ["@odata.type": .string("microsoft.graph.\(name)")]
        for (key, value) in members.members { action.append(key, value) }
        return .object(action)
    }

    static func goodAction(_ event: ExtensionEvent) -> JSONValue {
        switch event {
        case .tokenIssuanceStart:
            action("tokenIssuanceStart.provideClaimsForToken", ["claims": ["tier": "gold", "roles": ["a", "b"]]])
        case .attributeCollectionStart:
            action("attributeCollectionStart.setPrefillValues", ["inputs": ["displayName": "A."]])
        case .attributeCollectionSubmit:
            action("attributeCollectionSubmit.modifyAttributeValues", ["attributes": ["displayName": "A.", "age": 3]])
        case .emailOtpSend: action("OtpSend.continueWithDefaultBehavior")
        case .passwordSubmit: action("passwordSubmit.MigratePassword")
        case .verifiedIdClaimValidation: action("verifiedIdClaimValidation.pass")
        }
    }

    static func answer(_ event: ExtensionEvent, _ actions: [JSONValue]) -> JSONValue {
        var data: JSONObject = ["@odata.type": .string(event.responseDataType), "actions": .array(actions)]
        if event == .passwordSubmit { data.append("nonce", .string(call(event).nonce.description)) }
        return ["data": .object(data)]
    }
}

/// A function that answers an event, with at most one thing wrong.
struct Receiver: Sendable {
    /// The case that finds it.
    var name: String
    var event = ExtensionEvent.tokenIssuanceStart
    /// Checks of the token that it does not have.
    var lacks: Set<String> = []
    /// Whose keys it reads.
    var keys = ExtensionIssuer.Host.external
    /// What it does in place of the rest; `count` counts its requests.
    var instead: @Sendable (RequestMessage, _ count: Int) throws(TransportError) -> ResponseMessage? = { _, _ in nil }
    /// Its action in place of the good one.
    var action: JSONValue?
    /// What it does to the good answer.
    var change: @Sendable (inout ResponseMessage) -> Void = { _ in }
    /// How long it takes, in milliseconds.
    var delay: Int64 = 10
    /// Whether it migrates a password; no receiver opens a JWE here, so it gets the name of the case.
    var migrates: @Sendable (_ case: String) -> Bool = { !$0.hasPrefix("wrong-password") }

    /// Whether the token is that of the service.
    func accepts(_ header: String?, now: Timestamp) -> Bool {
        guard let header else { return lacks.contains("token") }
        let path = "/extension-caller/\(keys.rawValue)/\(Sample.tenant.id)/discovery/v2.0/keys"
        guard header.hasPrefix("Bearer "), let token = JWS(compact: String(header.dropFirst(7))),
            let claims = token.claims, let answer = ExtensionIssuer.answer(path, origin: Sample.origin),
            let set = answer.json.flatMap({ JWKSet(json: $0) })
        else { return false }
        let isUnsigned = token.header["alg"] == "none" && lacks.contains("algorithm")
        var isSigned = lacks.contains("signature") || isUnsigned
        if case .success = token.verify(in: set) { isSigned = true }
        let isFirst = claims["ver"] == "1.0"
        let caller = claims[isFirst ? "appid" : "azp"]?.stringValue
        let isCaller =
            caller == ExtensionIssuer.callerID || lacks.contains("caller") || lacks.contains("appid") && isFirst
        let issuer = "http://localhost:9400/extension-caller/external/\(Sample.tenant.id)/v2.0"
        return isSigned && isCaller && !(isFirst && lacks.contains("version 1"))
            && (claims["aud"]?.stringValue == Sample.audience || lacks.contains("audience"))
            && (claims["iss"]?.stringValue == issuer || lacks.contains("issuer"))
            && ((claims["exp"]?.intValue ?? 0) > now.secondsSinceEpoch || lacks.contains("expiry"))
    }

    func response(in name: String) -> ResponseMessage {
        var good = action ?? Sample.goodAction(event)
        if event == .passwordSubmit, !migrates(name) { good = Sample.action("passwordSubmit.Retry") }
        var response = ResponseMessage.json(200, Sample.answer(event, [good]))
        change(&response)
        return response
    }
}

/// The network with one receiver.
final class ReceiverTransport: Transport {
    let receiver: Receiver
    let time = VirtualTime(Sample.start)
    private let state = Mutex((count: 0, name: "good-token", limits: [TimeSpan?]()))

    init(_ receiver: Receiver) { self.receiver = receiver }

    /// The limits of the requests.
    var limits: [TimeSpan?] { state.withLock { $0.limits } }

    func begin(_ name: String) { state.withLock { $0.name = name } }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        let (count, name) = state.withLock { state in
            state.count += 1
            state.limits.append(context.timeout)
            return (state.count, state.name)
        }
        time.advance(by: .milliseconds(receiver.delay))
        if let answer = try receiver.instead(request, count) { return answer }
        if request.method == "GET" { return .text(200, "ready") }
        guard receiver.accepts(request.headers["Authorization"], now: time.now) else {
            return ResponseMessage(status: 401)
        }
        return receiver.response(in: name)
    }
}
