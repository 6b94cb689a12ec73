import Determinism
import JOSE
import JSON
import TenantFiles

/// `state` of one authorization request.
struct RequestState: Sendable, Hashable {
    /// As it is sent.
    var wire: String
    /// The caller's own part, given back with the result.
    var callers: String?

    /// - Parameters:
    ///   - id: What tells this request from others.
    ///   - interaction: How MSAL.js shows the page: `popup`, `redirect` or `silent`.
    ///   - callers: What the caller wants back. MSAL.js puts it behind a `|` after its own part (ProtocolUtils.ts); AppAuth
    ///     and server libraries send it in place of theirs.
    init(_ kind: ClientKind, id: String, interaction: String, callers: String?) {
        self.callers = callers
        switch kind {
        case .msalBrowser:
            let own: JSONValue = ["id": .string(id.lowercased()), "meta": ["interactionType": .string(interaction)]]
            wire = Base64.encode(Array(JSONWriter.compact(own).utf8)) + (callers.map { "|" + $0 } ?? "")
        case .appAuth, .web: wire = callers ?? Self.encoded(id)
        case .msalIOS, .msalMacOS, .msalAndroid: wire = Self.encoded(id)
        }
    }

    /// The text in base64url (MSIDWebviewFactory.m).
    static func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    /// Whether a state that came back is the one sent: the same text, or the same bytes where base64url was sent.
    static func matches(_ found: String, sent: String) -> Bool {
        if sameText(found, sent) { return true }
        guard let bytes = Base64URL.decode(sent), sameText(Base64URL.encode(bytes), sent) else { return false }
        return Base64URL.decode(found) == bytes
    }
}
