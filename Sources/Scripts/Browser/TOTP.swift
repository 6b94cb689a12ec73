import Determinism
import JOSE

/// What the person's authenticator app shows.
enum TOTP {
    static func code(secret: String, at now: Timestamp) -> String? {
        guard let key = Base32.decode(secret), !key.isEmpty else { return nil }
        return OneTimePassword.timeCode(secret: key, at: now)
    }
}
