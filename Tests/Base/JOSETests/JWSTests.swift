import Determinism
import JOSE
import JSON
import Testing

@Suite struct JWSTests {
    let header: JSONObject = ["alg": "RS256", "kid": "x", "typ": "JWT"]
    let claims: JSONObject = ["iss": "https://contoso.b2clogin.com/", "exp": 1_768_482_000, "name": "Ada | Lovelace é"]

    /// RFC 7515, appendix A.2.
    static let standardKey = JWK(
        n: "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SF"
            + "d2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-U"
            + "To7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2et"
            + "hFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ", e: "AQAB")
    static let standardPayload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    static let standardToken =
        "eyJhbGciOiJSUzI1NiJ9." + standardPayload
        + ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
        + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383Lc"
        + "OLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVm"
        + "tVrBp0igcN_IoypGlUPQGe77Rw"

    @Test func `the RS256 token of RFC 7515 verifies`() throws {
        let token = try #require(JWS(compact: JWSTests.standardToken))
        #expect(token.claims?["iss"] == "joe")
        #expect(token.verify(with: JWSTests.standardKey))
        #expect(!token.verify(with: TestKeys.key(0).jwk))
        #expect(token.compact == JWSTests.standardToken)
    }

    /// RFC 7515, appendix A.1.
    @Test func `the HS256 token of RFC 7515 verifies`() throws {
        let secret = try #require(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let token = try #require(
            JWS(
                compact: "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + JWSTests.standardPayload
                    + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(token.verifyHS256(secret: secret))
        #expect(!token.verifyHS256(secret: [1]))
    }

    @Test func `signed tokens verify`() throws {
        for index in 0..<4 {
            let key = TestKeys.key(index)
            var header = header
            header["kid"] = .string(key.kid)
            let text = JWS.sign(header: header, claims: claims, key: key)
            let token = try #require(JWS(compact: text))
            #expect(token.header == header && token.claims == claims)
            #expect(token.signature.count == 256)
            #expect(token.verify(with: key.jwk))
            #expect(throws: Never.self) { try token.verify(in: JWKSet(keys: [TestKeys.key(9).jwk, key.jwk])).get() }
            // PKCS #1 v1.5 has no randomness.
            #expect(JWS.sign(header: header, claims: claims, key: key) == text)
        }
    }

    @Test func `every changed character is noticed`() throws {
        let key = TestKeys.key(0)
        let text = Array(JWS.sign(header: ["alg": "RS256"], claims: ["sub": "a"], key: key).utf8)
        for index in text.indices where text[index] != UInt8(ascii: ".") {
            var changed = text
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let token = JWS(compact: String(decoding: changed, as: UTF8.self))
            #expect(token?.verify(with: key.jwk) ?? false == false)
        }
    }

    @Test func `refusals say why`() throws {
        let key = TestKeys.key(0)
        let set = JWKSet(keys: [key.jwk])
        func verdict(_ text: String) -> JOSEError? {
            guard let token = JWS(compact: text), case .failure(let error) = token.verify(in: set) else { return nil }
            return error
        }
        let stranger = JWS.sign(header: ["alg": "RS256", "kid": "zz"], claims: claims, key: key)
        #expect(verdict(stranger) == .unknownKey(kid: "zz"))
        let forged = JWS.sign(
            header: ["alg": "RS256", "kid": .string(key.kid)], claims: claims, key: TestKeys.key(1))
        #expect(verdict(forged) == .badSignature)
        #expect(verdict(JWS.sign(header: ["alg": "RS256"], claims: claims, key: key)) == nil)
        #expect(
            verdict(JWS.sign(header: ["alg": "RS256"], claims: claims, key: TestKeys.key(1))) == .unknownKey(kid: nil))
        let unsigned = JWS.unsigned(header: ["alg": "none", "kid": .string(key.kid)], claims: claims)
        #expect(unsigned.hasSuffix("."))
        #expect(verdict(unsigned) == .unsupportedAlgorithm("none"))
        // The public key as an HMAC secret, the classic confusion.
        let confused = JWS.signHS256(
            header: ["alg": "HS256", "kid": .string(key.kid)], claims: claims, secret: Array(key.publicKeyPEM.utf8))
        #expect(verdict(confused) == .unsupportedAlgorithm("HS256"))
        #expect(
            verdict(JWS.sign(header: ["typ": "JWT"], claims: claims, key: key)) == .unsupportedAlgorithm("no algorithm")
        )
        #expect(JWS(compact: confused)?.verifyHS256(secret: Array(key.publicKeyPEM.utf8)) == true)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c", "e30.e30", "e30.e30.e30.e30", "W10.e30.", "e30.e30.A", "e3 0.e30.", "e30=.e30.",
    ])
    func `what is not a token is not read`(text: String) {
        #expect(JWS(compact: text) == nil)
    }

    @Test func `payloads need not be claims`() throws {
        let text = JWS.compact(["alg": "none"], Array("plain".utf8)) { _ in [] }
        let token = try #require(JWS(compact: text))
        #expect(token.claims == nil && token.payload == Array("plain".utf8) && token.signature.isEmpty)
    }

    @Test func `signing and verifying from many threads`() async {
        let key = TestKeys.key(2)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for n in 0..<64 {
                group.addTask {
                    let text = JWS.sign(header: ["alg": "RS256"], claims: ["n": .integer(Int64(n))], key: key)
                    return JWS(compact: text)?.verify(with: key.jwk) ?? false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 0 : 1 }
        }
        #expect(failures == 0)
    }
}
