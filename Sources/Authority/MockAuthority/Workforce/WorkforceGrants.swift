import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// What an authorization code stands for.
struct WorkforceCode: Sendable {
    var clientID: String
    var redirectURI: String
    var platform: GrantPlatform
    var person: String
    var audience: WorkforceAudience
    var scopes: [WorkforceScope]
    var nonce: String?
    var challenge: (text: String, method: PKCE.Method)?
    var authTime: Timestamp
    var issuedAt: Timestamp
    /// The row outlives the first redemption, to distinguish the second one from an unknown code.
    var isRedeemed = false

    /// Forgets what only a redemption needs.
    mutating func spend() {
        isRedeemed = true
        (redirectURI, scopes, nonce, challenge) = ("", [], nil, nil)
    }

    /// How long the row is kept; the code itself lives as long as `authority.codeLifetime` says.
    static let kept = TimeSpan.hours(24)
    static let header = "1"
    static let length = 400
}

/// What a refresh token stands for. It is good for any permission the person has granted, at any tenant that knows
/// them.
struct WorkforceRefresh: Sendable {
    var clientID: String
    var platform: GrantPlatform
    var person: String
    var scopes: [WorkforceScope]
    var authTime: Timestamp
    /// When this token was issued.
    var issuedAt: Timestamp
    /// When the first of its line was: a single-page app's line has a fixed end.
    var firstIssuedAt: Timestamp

    static let lifetime = TimeSpan.days(90)
    static let singlePageLifetime = TimeSpan.hours(24)
    /// How long a row is kept after its end, so that the answer can say why it is refused.
    static let kept = TimeSpan.days(180)
    static let header = "0"
    static let length = 600
}

extension WorkforceAuthority {
    /// Issues a code and sends the browser back with it.
    mutating func code(
        for request: WorkforceAuthorizeRequest, _ person: WorkforceIdentity, _ scopes: [WorkforceScope],
        since authTime: Timestamp, _ call: WorkforceCall
    ) -> WorkforceDraft {
        let id = random.guid()
        codes.insert(
            id,
            WorkforceCode(
                clientID: request.app.clientID, redirectURI: request.redirectURI, platform: request.platform,
                person: person.user.name, audience: request.place.audience, scopes: scopes, nonce: request.nonce,
                challenge: request.challenge, authTime: authTime, issuedAt: call.now),
            expires: call.now + WorkforceCode.kept)
        var items = FormItems()
        items.append("code", texts.grant(id, header: WorkforceCode.header, ciphertextLength: WorkforceCode.length))
        if request.wantsClientInfo { items.append("client_info", person.clientInfo.encoded) }
        if let state = request.state { items.append("state", state) }
        items.append("session_state", random.guid().description)
        return WorkforceDraft(
            headers: WorkforceDraft.fields(call), body: .parameters(items, to: request.redirectURI, request.mode))
    }

    /// The row id behind a code or refresh token; nil for a text that was never issued here.
    func grantID(_ text: String, header: String, length: Int) -> GUID? {
        guard let parts = texts.parts(ofGrant: text), parts.header == header,
            texts.grant(parts.id, header: header, ciphertextLength: length) == text
        else { return nil }
        return parts.id
    }

    /// The instant before which everything issued to a person is revoked.
    func validFrom(_ person: WorkforceIdentity) -> Timestamp {
        let never = Timestamp(milliseconds: .min)
        return max(person.user.refreshTokensValidFrom ?? never, standings[person.user.name]?.validFrom ?? never)
    }
}
