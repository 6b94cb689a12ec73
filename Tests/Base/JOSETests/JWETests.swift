import JOSE
import JSON
import Testing

@Suite struct JWETests {
    /// Counts, so that another implementation can draw the same bytes.
    private struct Counter: RandomNumberGenerator {
        var number: UInt64 = 0

        mutating func next() -> UInt64 {
            defer { number += 1 }
            return number
        }
    }

    private let key = JWK(
        kid: "k1",
        n: "4II4_9yJvB22q8F9Akwv2NFl365JKRNcrXgkCHl8Fx6UFzJYsZ13GZ7Q_Ile90-1nXiJGX83wuMuOPDfJlSLLZonkgQz8yX8TxsIbl8i"
            + "6TlPWoj-qKyNl4TZcGcKQEifl5SjkVAW3rwjAn1NC2bIxe9I5xi6p1gAh5AtEv4Z5yJE4w11KDO_gVf5-nqqHhKtGQeRUXnOJWYXRLGQg5yO"
            + "eSySTZnsmbIG3_PK9uZ7ST_wbKvOC2AJ47gzqbyLmdTszoawjFR63BOU_zCAciaQPGc9Aiypn_4jyS-C9YVShnP7xXvLEdjRNiOq7CAtd4lS"
            + "_cPVq-fOP2ijTvsxOlE4EQ",
        e: "AQAB")
    private let content = Array(#"{"user-password":"Pass-Ada-1843","username":"ada@example.test"}"#.utf8)

    /// SHA-256 of the texts that Python's integers, its hashes and OpenSSL's AES make of the same drawn bytes.
    @Test(
        arguments: [
            (
                JWE.KeyAlgorithm.rsaOAEP, JWE.ContentEncryption.a256GCM,
                "eb5a3f93f069d97d76f7ced65863bbbcf35576673054aebc45864555da01fd75"
            ),
            (.rsaOAEP, .a256CBCHS512, "10999d1c4f3b130f351b38ceca2b1a3e6d69766ab4631df69d494769c21192e2"),
            (.rsaOAEP256, .a256GCM, "947630f4fc61fd731536e5e97b53f4e38c980ba3cb22f2f34caf6d3dc3981641"),
            (.rsaOAEP256, .a256CBCHS512, "7c7ba3951f00b37b317a79a2625c1e599a8be4da5a545c7aae94871138d42b7c"),
        ])
    func `a text is what another implementation makes of the same draws`(
        algorithm: JWE.KeyAlgorithm, encryption: JWE.ContentEncryption, hash: String
    ) throws {
        var generator = Counter()
        let text = try JWE.encrypt(
            content, contentType: "JWT", for: key, algorithm: algorithm, encryption: encryption, using: &generator)
        #expect(text.split(separator: ".").count == 5)
        let sum = SHA2.sha256(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(sum == hash)
    }

    @Test func `an empty content and one of whole blocks are encrypted too`() throws {
        for encryption in JWE.ContentEncryption.allCases {
            for count in [0, 15, 16, 17] {
                var generator = Counter()
                let text = try JWE.encrypt(
                    [UInt8](repeating: 7, count: count), for: key, encryption: encryption, using: &generator)
                let part = Base64URL.decode(String(text.split(separator: ".", omittingEmptySubsequences: false)[3]))
                #expect(part?.count == (encryption == .a256GCM ? count : (count / 16 + 1) * 16))
            }
        }
    }

    @Test func `a key that is not RSA or too short is refused`() {
        var generator = Counter()
        let short = JWK(n: Base64URL.encode([UInt8](repeating: 0xFF, count: 64)), e: "AQAB")
        for key in [JWK(kty: "EC"), short] {
            #expect(throws: JOSEError.self) { try JWE.encrypt([], for: key, using: &generator) }
        }
    }
}
