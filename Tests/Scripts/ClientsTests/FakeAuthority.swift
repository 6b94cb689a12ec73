import Clients
import Determinism
import HTTPMessages
import JOSE
import JSON
import Synchronization

/// Answers a client's requests as a test says, and as a well-behaved B2C tenant otherwise.
final class FakeAuthority: Transport {
    /// One answer.
    enum Answer: Sendable {
        case json(Int, JSONValue)
        case raw(Int, String, Headers = [:])
        case fail(TransportError)
        /// The usual success, changed member by member; `nil` removes.
        case tokens([String: JSONValue?])
    }

    struct State: Sendable {
        var requests: [RequestMessage] = []
        var tokenAnswers: [Answer] = []
        var metadataAnswers: [Answer] = []
        var instanceAnswers: [Answer] = []
        /// Given to every token request once `tokenAnswers` is used up.
        var tokenAnswer: Answer = .tokens([:])
        var issued = 0
    }

    static let tenantID = "5a1e8f6c-1111-4222-8333-123456789abc"
    static let person = "0d1c2b3a-aaaa-4bbb-8ccc-0123456789ab"

    private let state = Mutex(State())
    let clock: VirtualTime

    init(_ clock: VirtualTime) {
        self.clock = clock
    }

    func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
    }

    var requests: [RequestMessage] { state.withLock { $0.requests } }
    var tokenRequests: [RequestMessage] { requests.filter { $0.method == "POST" } }

    func forget() { state.withLock { $0.requests = [] } }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        let (answer, number) = state.withLock { state -> (Answer, Int) in
            state.requests.append(request)
            if request.method == "POST" {
                state.issued += 1
                return (state.tokenAnswers.isEmpty ? state.tokenAnswer : state.tokenAnswers.removeFirst(), state.issued)
            }
            if request.url.path.hasSuffix("/discovery/instance") {
                return (
                    state.instanceAnswers.isEmpty ? Self.instance : state.instanceAnswers.removeFirst(), state.issued
                )
            }
            if state.metadataAnswers.isEmpty { return (.json(200, Self.metadata(of: request.url)), state.issued) }
            return (state.metadataAnswers.removeFirst(), state.issued)
        }
        switch answer {
        case .json(let status, let value): return .json(status, value)
        case .raw(let status, let text, let headers): return .text(status, text, headers: headers)
        case .fail(let error): throw error
        case .tokens(let changes):
            var tokens = tokens(for: request, number: number)
            for (name, value) in changes.sorted(by: { $0.key < $1.key }) { tokens[name] = value }
            return .json(200, .object(tokens))
        }
    }

    static let instance = Answer.json(
        200,
        [
            "tenant_discovery_endpoint": "https://login.microsoftonline.com/common/.well-known/openid-configuration",
            "metadata": [
                [
                    "preferred_network": "login.microsoftonline.com", "preferred_cache": "login.windows.net",
                    "aliases": ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com"],
                ]
            ],
        ])

    static func metadata(of url: WebURL) -> JSONValue {
        let base = url.description.replacing("/v2.0/.well-known/openid-configuration", with: "")
        return [
            "issuer": .string(base + "/v2.0/"),
            "authorization_endpoint": .string(base + "/oauth2/v2.0/authorize?dropped=1"),
            "token_endpoint": .string(base + "/oauth2/v2.0/token"),
            "end_session_endpoint": .string(base + "/oauth2/v2.0/logout?dropped=1"),
            "jwks_uri": .string(base + "/discovery/v2.0/keys"),
        ]
    }

    /// A token answer for the policy in the request's path.
    private func tokens(for request: RequestMessage, number: Int) -> JSONObject {
        let segments = request.url.path.split(separator: "/").map(String.init)
        let policyPlace = segments.first == "tfp" ? 2 : 1
        let isB2C = request.url.host?.hasSuffix("b2clogin.com") ?? false
        let uid = isB2C ? "\(Self.person)-\(segments[policyPlace].lowercased())" : Self.person
        let reserved = ["openid", "profile", "offline_access"]
        let scope = (request.form?["scope"] ?? "").split(separator: " ").map(String.init)
            .filter { !reserved.contains($0) }.joined(separator: " ")
        return [
            "access_token": .string("access-\(number)"),
            "id_token": .string(Self.idToken(policy: isB2C ? segments[policyPlace] : nil, number: number)),
            "token_type": "Bearer",
            "not_before": .integer(clock.now.secondsSinceEpoch),
            "expires_in": 3600,
            "expires_on": .integer(clock.now.secondsSinceEpoch + 3600),
            "client_info": .string(Self.clientInfo(uid: uid)),
            "scope": .string(scope),
            "refresh_token": .string("refresh-\(number)"),
            "refresh_token_expires_in": 1_209_600,
        ]
    }

    static func clientInfo(uid: String, utid: String = tenantID) -> String {
        Base64URL.encode(JSONWriter.compactBytes(["uid": .string(uid), "utid": .string(utid)] as JSONObject))
    }

    static func idToken(policy: String?, number: Int = 1, extra: JSONObject = [:]) -> String {
        var claims: JSONObject = [
            "iss": .string("https://contoso.b2clogin.com/\(tenantID)/v2.0/"), "oid": .string(person.uppercased()),
            "sub": .string(person), "tid": .string(tenantID), "name": "Ada", "nonce_number": .integer(Int64(number)),
        ]
        claims["tfp"] = policy.map { .string($0) }
        for (name, value) in extra.members { claims[name] = value }
        return JWS.compact(["alg": "RS256", "typ": "JWT", "kid": "k1"], JSONWriter.compactBytes(claims)) { _ in [1, 2] }
    }
}
