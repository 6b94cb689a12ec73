import JOSE
import JSON
import Testing

@Suite struct KeyTests {
    /// RFC 7638, section 3.1.
    @Test func `the thumbprint is that of RFC 7638`() {
        let n =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZC"
            + "iFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJ"
            + "ZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xB"
            + "niIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let key = JWK(kid: "2011-04-29", n: n, e: "AQAB", alg: "RS256")
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test func `the pool has different keys`() {
        #expect(TestKeys.count >= 8)
        let keys = (0..<TestKeys.count).map { TestKeys.key($0) }
        #expect(Set(keys.map(\.kid)).count == TestKeys.count)
        for key in keys {
            #expect(key.kid.count == 43 && key.jwk.thumbprint == key.kid)
            #expect(key.jwk.n?.count == 342 && key.jwk.e == "AQAB")
            #expect(key.sign([1, 2, 3]).count == 256)
        }
        #expect(TestKeys.key(TestKeys.count).kid == keys[0].kid)
        #expect(TestKeys.key(-1).kid == keys[TestKeys.count - 1].kid)
        #expect(TestKeys.key(.min).kid.count == 43)
    }

    @Test func `names keep their keys`() {
        let common = ["k1", "k2", "k3", "k4", "service", "tenant"]
        let keys = common.map { TestKeys.named($0) }
        #expect(Set(keys.map(\.kid)).count == common.count)
        #expect(keys.map(\.name) == common)
        for name in ["rogue", "B2C_1A_TokenSigningKeyContainer", "", "ключ"] {
            let key = TestKeys.named(name)
            #expect(TestKeys.named(name).kid == key.kid)
            #expect(!keys.map(\.kid).contains(key.kid))
            #expect(TestKeys.named(name, avoiding: [key.kid]).kid != key.kid)
        }
        let all = (0..<TestKeys.count).map { TestKeys.key($0).kid }
        #expect(all.contains(TestKeys.named("rogue", avoiding: all).kid))
    }

    @Test func `keys are parsed once from many threads`() async {
        let kids = await withTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { TestKeys.key(3).kid } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(kids.count == 1)
    }

    @Test func `keys are written as documented`() throws {
        let key = TestKeys.key(0)
        var published = key.jwk
        published.nbf = 1_493_763_266
        #expect(published.json.keys == ["kid", "nbf", "use", "kty", "e", "n"])
        #expect(JWK(json: .object(published.json)) == published)
        let set = JWKSet(keys: [published, TestKeys.key(1).jwk])
        let read = try #require(JWKSet(json: .object(set.json)))
        #expect(read == set)
        #expect(read[kid: key.kid] == published)
        #expect(key.publicKeyPEM == key.jwk.pem)
        #expect(key.publicKeyPEM.hasPrefix("-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"))
        #expect(key.publicKeyPEM.split(separator: "\n").allSatisfy { $0.count <= 64 })
    }

    @Test func `a set skips what is not a key`() throws {
        let text = #"{"keys": [{"kty": "EC", "crv": "P-256"}, {"kid": "x"}, 5, {"kty": "RSA", "n": "!", "e": "AQAB"}]}"#
        let set = try #require(JWKSet(json: try JSONParser.parse(text)))
        #expect(set.keys.count == 2)
        #expect(set.keys.allSatisfy { $0.pem == nil })
        #expect(JWKSet(json: ["keys": 1]) == nil && JWKSet(json: []) == nil)
    }

    @Test func `own keys are read`() throws {
        let pem = TestKeys.key(5).pem
        #expect(try SigningKey(name: "own", pem: "Some text before\r\n" + pem).kid == TestKeys.key(5).kid)
    }

    @Test(arguments: [
        ("", "expected a private key in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE", "expected a private key in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----", "expected a private key in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----", "expected an RSA private key"),
        ("-----BEGIN PRIVATE KEY-----\nMIT/////\n-----END PRIVATE KEY-----", "expected an RSA private key"),
        ("-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----", "found PUBLIC KEY"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----", "found ENCRYPTED"),
        // P-256.
        (
            """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2
            OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r
            1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G
            -----END PRIVATE KEY-----
            """, "only RSA keys sign RS256"
        ),
    ])
    func `other texts are refused in words`(pem: String, words: String) {
        #expect {
            try SigningKey(name: "x", pem: pem)
        } throws: { error in
            "\(error)".contains(words)
        }
    }

    @Test func `short keys are refused`() {
        // 1024 bits: the two numbers are enough to see that.
        let modulus = [UInt8](repeating: 0x7f, count: 128)
        let body: [UInt8] = [0x02, 0x01, 0x00, 0x02, 0x81, 0x80] + modulus + [0x02, 0x03, 0x01, 0x00, 0x01]
        let der: [UInt8] = [0x30, 0x81, UInt8(body.count)] + body
        let pem = "-----BEGIN RSA PRIVATE KEY-----\n\(Base64.encode(der))\n-----END RSA PRIVATE KEY-----\n"
        #expect(
            throws: JOSEError.unsupportedKey(
                "the RSA key has 1024 bits; RS256 needs at least 2048 (RFC 7518, section 3.3)")
        ) {
            try SigningKey(name: "x", pem: pem)
        }
    }
}
