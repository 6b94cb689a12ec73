import Determinism
import JOSE
import JSON

/// Proof Key for Code Exchange (RFC 7636).
public enum PKCE {
    /// The methods of `code_challenge_method`.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// The challenge is the verifier.
        case plain
        /// The challenge is the SHA-256 of the verifier in base64url.
        case s256 = "S256"
    }

    /// A fresh verifier: 32 random bytes in base64url, 43 characters (RFC 7636 section 4.1).
    public static func verifier(_ random: inout SeededGenerator) -> String {
        Base64URL.encode(random.bytes(32))
    }

    /// The S256 challenge of a verifier (RFC 7636 section 4.2).
    public static func challenge(_ verifier: String) -> String {
        Base64URL.encode(SHA2.sha256(Array(verifier.utf8)))
    }

    /// Whether a verifier has 43 to 128 characters, all unreserved (RFC 7636 section 4.1).
    public static func isWellFormed(verifier: String) -> Bool {
        let bytes = verifier.utf8
        return (43...128).contains(bytes.count)
            && bytes.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
                default: false
                }
            }
    }

    /// Whether a verifier is the one behind a challenge (RFC 7636 section 4.6).
    public static func matches(verifier: String, challenge: String, method: Method) -> Bool {
        switch method {
        case .plain: sameText(verifier, challenge)
        case .s256: sameText(self.challenge(verifier), challenge)
        }
    }
}
