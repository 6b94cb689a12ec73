import Determinism
import JOSE
import JSON

/// `state` of one authorization request.
struct RequestState: Sendable, Hashable {
    /// As it is sent.
    var wire: String
    /// The caller's own part, given back with the result.
    var callers: String?

    /// The text in base64url (MSIDWebviewFactory.m).
    static func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    /// Whether a state that came back is the one sent: the same text, or the same bytes where base64url was sent.
    static func matches(_ found: String, sent: String) -> Bool {
        if sameText(found, sent) { return true }
        guard let bytes = Base64URL.decode(sent), sameText(Base64URL.encode(bytes), sent) else { return false }
        return Base64URL.decode(found) == bytes
    }
}
