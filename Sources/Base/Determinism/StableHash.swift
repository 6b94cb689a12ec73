/// Hashes that are the same in every process and on every machine, unlike the standard library's `Hasher`.
///
/// They name random streams and derive identifiers; nothing about them is secret or safe against an adversary.
public enum StableHash {
    static let offsetBasis: UInt64 = 0xcbf2_9ce4_8422_2325
    static let prime: UInt64 = 0x0000_0100_0000_01b3

    /// FNV-1a with 64 bits over the text's UTF-8, going on from a state.
    public static func fnv1a(_ text: String, from state: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        var hash = state
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* prime
        }
        return hash
    }

    /// The finishing step of splitmix64: a bijection that spreads every input bit over the whole word.
    public static func mix(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
