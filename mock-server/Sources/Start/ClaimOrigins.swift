import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import TrustFramework

/// Where the claims of a token come from: the technical profile or claims transformation of the policy, or the token
/// endpoint itself.
///
/// A claim's origin is what last put its value among the claims of the sign-in. Where the journal no longer has that, or the
/// value is another one, there is no origin: nothing is guessed.
struct ClaimOrigins {
    /// What ran in the sign-in, newest first, as the trace log has it.
    private var trace: [JSONObject] = []
    private let policy: ResolvedPolicy?

    /// - Parameters:
    ///   - journal: Of the world.
    ///   - code: The authorization code that the sign-in ended with.
    ///   - policy: The policy that was signed in at; `nil`: a directory tenant has none.
    init(_ journal: Journal, code: String, policy: ResolvedPolicy?) {
        self.policy = policy
        let entries = journal.page(since: 0, limit: Journal.mostEntries, types: ["request", "trace"]).entries
        // Backwards from the answer that brought the code to the authorize request. What an exchange caused precedes it.
        var isInside = false
        for entry in entries.reversed() {
            switch entry.content {
            case .exchange(let exchange):
                // The request before the one that began the sign-in.
                if isInside, begun { return }
                let location = exchange.response?.headers["Location"].flatMap { WebURL($0) }
                if location?.queryItems["code"] == code { isInside = true }
                if isInside, exchange.request.url.path.hasSuffix("/authorize") { begun = true }
            case .event(let event):
                if isInside, let record = event.json["entry"]?.objectValue { trace.append(record) }
            case .note:
                continue
            }
        }
    }

    /// Whether the authorize request was met on the way back.
    private var begun = false

    /// Where a claim of a token comes from, in words.
    func origin(of name: String, _ value: JSONValue) -> String {
        if let words = Self.protocolClaims[name] { return words }
        let claim = policy?.relyingParty.outputClaims.first { $0.wireName == name }
        let type = claim.flatMap { claim in policy.map { $0[claim.claim].id } } ?? name
        if let record = trace.first(where: { $0["out"]?[type] == value }) {
            return "\(type), from \(Self.maker(record))"
        }
        // `sub` has the value of another claim.
        if let text = value.stringValue, text.utf8.count >= 8 {
            for record in trace {
                let same = record["out"]?.objectValue?.members.first { $0.value == value }
                if let same { return "the value of \(same.key), from \(Self.maker(record))" }
            }
        }
        return claim == nil ? "" : "\(type), an output claim of the policy"
    }

    /// `AAD-UserReadUsingObjectId (AzureActiveDirectoryProvider, step 3)`.
    private static func maker(_ record: JSONObject) -> String {
        if let transformation = record["transformation"]?.stringValue {
            return "\(transformation) (\(record["method"]?.stringValue ?? ""))"
        }
        let step = record["step"]?.intValue.map { ", step \($0)" } ?? ""
        return "\(record["profile"]?.stringValue ?? "") (\(record["handler"]?.stringValue ?? "")\(step))"
    }

    /// Claims that the token endpoint writes by itself (RFC 7519, OpenID Connect Core, and the documents of B2C's tokens).
    private static let protocolClaims = [
        "iss": "the authority of this server", "aud": "the app or API that the token is for",
        "exp": "the clock, and the lifetime of the token", "iat": "the clock", "nbf": "the clock",
        "auth_time": "the clock, when the person signed in", "nonce": "the authorize request",
        "azp": "the app that asked for it",
        "scp": "the scopes that were asked for", "ver": "the token format", "tfp": "the policy",
        "acr": "the policy", "at_hash": "a hash of the access token", "c_hash": "a hash of the code",
    ]
}
