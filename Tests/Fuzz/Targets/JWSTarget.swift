import Foundation

@testable import JOSE
@testable import JSON

extension FuzzTarget {
    static let jws = FuzzTarget(
        name: "jws", meaning: "signed tokens, keys as JWK and PEM, and their encodings",
        longest: 2048,
        words: [
            "eyJhbGciOiJSUzI1NiJ9.", "eyJhbGciOiJub25lIn0.", "e30.", "\"kty\":\"RSA\"", "\"keys\":[", "\"n\":\"",
            "\"e\":\"AQAB\"",
            "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\n", "-----END PRIVATE KEY-----",
        ],
        seeds: {
            let key = TestKeys.key(0)
            let token = JWS.sign(
                header: ["alg": "RS256", "kid": .string(key.kid), "typ": "JWT"],
                claims: ["iss": "https://contoso.b2clogin.com/", "exp": 1_768_482_000, "sub": "ada"], key: key)
            return [Array(token.utf8), Array(key.pem.utf8), JSONWriter.compactBytes(JWKSet(keys: [key.jwk]).json)]
                + Seeds.texts("e30.e30.", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", "MFRGGZDFMZTQ====")
        },
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let token = JWS(compact: text) { checkToken(token, text) }
            if let decoded = Base64URL.decode(text) {
                check(Base64URL.encode(decoded).utf8.elementsEqual(text.utf8), "base64url has one text for some bytes")
            }
            if let decoded = Base64.decode(text) {
                check(Base64.encode(decoded).utf8.elementsEqual(text.utf8), "base64 has one text for some bytes")
            }
            check(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "base64url returns the bytes that it encoded")
            check(Base64.decode(Base64.encode(bytes)) == bytes, "base64 returns the bytes that it encoded")
            check(Base32.decode(Base32.encode(bytes)) == bytes, "base32 returns the bytes that it encoded")
            _ = Base32.decode(text)
            checkKeys(bytes, text)
        })

    private static let verifier = JWKSet(keys: [TestKeys.key(0).jwk])

    private static func checkToken(_ token: JWS, _ text: String) {
        check(token.compact.utf8.elementsEqual(text.utf8), "a token that was read is written as it was")
        if case .failure(let error) = token.verify(in: verifier) {
            check(!error.description.isEmpty, "a token that cannot be verified has a reason")
        }
        guard let claims = token.claims else { return }
        var header = token.header
        header["alg"] = "HS256"
        let secret = token.signature
        let signed = JWS.signHS256(header: header, claims: claims, secret: secret)
        guard let again = JWS(compact: signed) else {
            check(false, "a token that was signed can be read")
            return
        }
        check(again.header == header && again.claims == claims, "a token that was signed holds what it was made of")
        check(again.verifyHS256(secret: secret), "a token that was signed is verified")
        check(!again.verifyHS256(secret: secret + [1]), "a token is not verified under another secret")
    }

    private static func checkKeys(_ bytes: [UInt8], _ text: String) {
        if let json = try? JSONParser.parse(bytes) {
            let keys = (JWKSet(json: json)?.keys ?? []) + (JWK(json: json).map { [$0] } ?? [])
            for key in keys {
                check(JWK(json: .object(key.json)) == key, "a key that is written can be read")
                if let pem = key.pem { check(PEM.read(pem)?.bytes == key.der, "a key in PEM form can be read") }
                _ = key.thumbprint
            }
        }
        if let block = PEM.read(text) {
            _ = DER.numbers(privateKey: block.bytes, pkcs8: true)
            _ = DER.numbers(privateKey: block.bytes, pkcs8: false)
            _ = Certificate(der: block.bytes)
        }
        _ = DER.numbers(privateKey: bytes, pkcs8: true)
        _ = Certificate(der: bytes)
        if let key = P256Key(pem: text) {
            check(P256Key(pem: key.pem)?.publicKey == key.publicKey, "a key of a certificate is read as it was written")
        }
        do throws(JOSEError) {
            let key = try SigningKey(name: "fuzz", pem: text)
            check(key.kid.utf8.count == 43, "a key has a thumbprint")
        } catch {
            check(!error.description.isEmpty, "a key that cannot be read has a reason")
        }
    }
}
