import JOSE
import JSON

/// Reads a JWT without verifying anything, as the library does.
enum CompactToken {
    /// Header and claims; `nil` if the text is not a JWT.
    static func parts(_ text: String) -> (header: JSONObject, claims: JSONObject)? {
        guard let token = JWS(compact: text), let claims = token.claims else { return nil }
        return (token.header, claims)
    }
}
