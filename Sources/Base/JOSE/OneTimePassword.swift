import Determinism

/// The codes an authenticator app shows.
public enum OneTimePassword {
    /// The code of a counter (RFC 4226, section 5.3).
    ///
    /// - Parameter digits: 1 to 9; others are held at the ends.
    public static func counterCode(secret: [UInt8], counter: UInt64, digits: Int = 6) -> String {
        let message = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> $0) }
        let hash = SHA1.hmac(key: secret, message)
        let offset = Int(hash[19] & 15)
        let word = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let digits = min(max(digits, 1), 9)
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let code = String(word % modulus)
        return String(repeating: "0", count: digits - code.count) + code
    }

    /// The code of an instant (RFC 6238, section 4): the counter is the number of whole periods since 1970.
    ///
    /// - Parameters:
    ///   - period: In seconds; anything below 1 counts as 30.
    ///   - drift: So many periods later, or earlier when negative: the windows a server also accepts.
    public static func timeCode(
        secret: [UInt8], at instant: Timestamp, period: Int64 = 30, digits: Int = 6, drift: Int64 = 0
    ) -> String {
        let counter = max(0, instant.secondsSinceEpoch / (period < 1 ? 30 : period) + drift)
        return counterCode(secret: secret, counter: UInt64(counter), digits: digits)
    }
}
