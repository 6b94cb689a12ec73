import Determinism
import JOSE

/// The code an authenticator app shows (RFC 6238 with SHA-1, 30 seconds, six digits: what Azure AD B2C enrols).
enum TOTP {
    static func code(secret: String, at now: Timestamp) -> String? {
        guard let key = base32(secret), !key.isEmpty else { return nil }
        let counter = UInt64(max(0, now.secondsSinceEpoch)) / 30
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * (7 - UInt64($0)))) }
        let digest = SHA1.hmac(key: key, message)
        guard digest.count == 20 else { return nil }
        let offset = Int(digest[19] & 0x0F)
        let number =
            (UInt32(digest[offset] & 0x7F) << 24) | (UInt32(digest[offset + 1]) << 16) | (UInt32(digest[offset + 2]) << 8)
            | UInt32(digest[offset + 3])
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// RFC 4648 section 6, without regard to letter case, blanks and padding.
    static func base32(_ text: String) -> [UInt8]? {
        var bits: UInt32 = 0
        var count = 0
        var out: [UInt8] = []
        for byte in text.utf8 where byte != 0x20 && byte != 0x3D && byte != 0x2D {
            let value: UInt32
            switch byte {
            case 0x41...0x5A: value = UInt32(byte - 0x41)
            case 0x61...0x7A: value = UInt32(byte - 0x61)
            case 0x32...0x37: value = UInt32(byte - 0x32) + 26
            default: return nil
            }
            bits = (bits << 5) | value
            count += 5
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return out
    }
}
