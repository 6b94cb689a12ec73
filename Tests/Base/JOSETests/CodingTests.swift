import Determinism
import JOSE
import Testing

@Suite struct CodingTests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "MY"), ("fo", "Zm8=", "MZXQ"), ("foo", "Zm9v", "MZXW6"),
        ("foob", "Zm9vYg==", "MZXW6YQ"), ("fooba", "Zm9vYmE=", "MZXW6YTB"), ("foobar", "Zm9vYmFy", "MZXW6YTBOI"),
    ])
    func `test vectors of RFC 4648 hold`(text: String, base64: String, base32: String) {
        let bytes = Array(text.utf8)
        #expect(Base64.encode(bytes) == base64)
        #expect(Base64.decode(base64) == bytes)
        #expect(Base64URL.encode(bytes) == base64.replacing("=", with: ""))
        #expect(Base64URL.decode(base64.replacing("=", with: "")) == bytes)
        #expect(Base32.encode(bytes) == base32)
        #expect(Base32.decode(base32) == bytes)
    }

    /// RFC 7515, appendix C.
    @Test func `base64url has its own alphabet`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
        #expect(Base64.encode([3, 236, 255, 224, 193]) == "A+z/4ME=")
    }

    @Test func `any bytes come back`() {
        var random = SeededGenerator(seed: 1)
        for length in 0..<300 {
            let bytes = random.bytes(length)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
            var appended = Array("x.".utf8)
            Base64URL.append(bytes, to: &appended)
            #expect(String(decoding: appended, as: UTF8.self) == "x." + Base64URL.encode(bytes))
        }
    }

    @Test(arguments: ["A", "AAAAA", "Zg==", "A+z/4ME", "Zh", "Zm9", "Zm9v\n", "Zm 9", "Zm9é", "=", "A-z_4MF"])
    func `other texts are not base64url`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "====", "Zh==", "A-z_", "Z===", "Zg==Zg==", "Zm9v\n", "=Zg="])
    func `other texts are not base64`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `base32 is read as people type it`() {
        #expect(Base32.decode("mzxw 6ytb oi======") == Array("foobar".utf8))
        #expect(Base32.decode("MZXW1") == nil)
        #expect(Base32.decode("MY=MY") == nil)
    }
}
