import Determinism
import Exchanges
import HTTPMessages
import JOSE
import JSON
import TrustFramework

/// A reply that is decided, but neither rendered nor signed.
///
/// Deciding touches state and is done one request at a time; writing HTML and signing tokens touch none and are done
/// by `render(_:)`, wherever there is a free core.
public struct Draft: Sendable {
    /// HTTP status.
    public var status: Int
    /// Header fields in the order they are sent, without those that `headers` stands for.
    public var fields: [HeaderField]
    /// The set of common fields that go with it.
    public var headers: CommonHeaders
    /// Cookies to set or clear, in order.
    public var cookies: [CookieDraft]
    public var body: Body
    /// Why the request was refused, for the developer: in the exchange's record, never on the wire.
    public var refusal: String?
    /// What came of the orders of a fault rule, if there were any.
    public var obeyed: ChangeEffect?

    public enum Body: Sendable {
        case none
        case text(String, contentType: String)
        case json(JSONObject, contentType: String)
        case page(PageDraft)
        case errorPage(ErrorPageDraft)
        /// A redirect to an address that is complete already.
        case redirect(String)
        case parameters([Parameter], ParameterDelivery)
        /// The whole answer, written before; the draft's own fields and cookies come behind its fields.
        case written(ResponseMessage)
    }

    /// Which fields every answer of a kind carries (recorded from live tenants).
    public enum CommonHeaders: Sendable {
        /// Authorize, page and token answers.
        case service(gatewayRequestID: String)
        /// The same, and what only HTML pages of a journey carry.
        case page(
            gatewayRequestID: String, transactionID: String, reportPath: String, nonce: String,
            framing: JourneyFramingElement?)
        /// Documents anybody may read: discovery, keys, static files.
        case document
        /// None: `fields` has them all.
        case own
    }

    init(
        status: Int = 200, fields: [HeaderField] = [], headers: CommonHeaders, cookies: [CookieDraft] = [],
        body: Body = .none, refusal: String? = nil
    ) {
        self.status = status
        self.fields = fields
        self.headers = headers
        self.cookies = cookies
        self.body = body
        self.refusal = refusal
    }

    /// An answer that was written before.
    init(_ written: ResponseMessage) {
        self.init(status: written.status, headers: .own, body: .written(written))
    }
}

/// How the members of a response travel.
public enum ParameterDelivery: Sendable {
    /// Members of a JSON object: the token endpoint.
    case json
    /// Appended to this URI after `?`, `#`, or posted to it by a page that submits itself.
    case query(String), fragment(String), formPost(String)
}

/// One member of an authorization or token response.
public struct Parameter: Sendable {
    public var name: String
    public var value: Value

    public enum Value: Sendable {
        case text(String), number(Int64), token(TokenDraft)
    }

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    init(_ name: String, text: String) {
        self.init(name, .text(text))
    }
}

/// A token whose claims are settled and which only has to be signed.
public struct TokenDraft: Sendable {
    public var header: JSONObject
    /// All claims in the order they are written; a hash claim is null in its place until its value is known.
    public var claims: JSONObject
    /// The key in use when the token was decided: a roll-over in between changes nothing.
    public var key: SigningKey
    public var signature: SignatureKind
    /// Claims that hold the half hash of another member of the same response.
    public var hashes: [HashClaim]

    public enum SignatureKind: Sendable {
        case rs256, hs256(secret: [UInt8]), none
    }

    public struct HashClaim: Sendable {
        /// `at_hash` or `c_hash`.
        public var claim: String
        /// Name of the response member whose text is hashed.
        public var of: String
    }
}

/// A `Set-Cookie` field: its value is written when the reply is rendered, for that of a state cookie is long.
public struct CookieDraft: Sendable {
    public var name: String
    public var value: Value
    public var scope: CookieScope
    /// Text of the `expires` attribute; `nil` for a session cookie.
    public var expires: String?

    public enum Value: Sendable {
        case text(String)
        case sealed(StateText)
    }
}

/// Where a cookie holds, and how it is guarded.
public struct CookieScope: Sendable {
    /// The host named in the cookie; `nil` at addresses that are not a host of the tenant, since clients do not accept
    /// `localhost` as a domain.
    var domain: String?
    /// `Secure` and `SameSite=None`, which demands it; off in the clear, where clients drop such cookies.
    var isSecure = true
}

/// The text of an `m1.` cookie, not yet written.
public struct StateText: Sendable {
    let texts: OpaqueText
    let id: GUID
    let round: Int

    var bytes: [UInt8] { texts.cookieBytes(id, round: round) }
}
