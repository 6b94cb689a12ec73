import JOSE
import Testing

struct PublicKeyPinTests {
    /// A certificate made with `openssl req -x509`, its hash as `openssl pkey -pubin -outform der | openssl dgst` has it.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBbTCCAROgAwIBAgIUUwOKML1YMp7crtC4/Kxh/cRz8sQwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBYTAeFw0yNjExMjIwNDE5MTFaFw0yNjExMjUwNDE5MTFaMAwx
        CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR02RJ98yzU4QoN
        R/uwBuZhX0x/pWkJdL7vgdoq3k9IvDgelRacE+a2hy3Cio2k9qMnRfi/1UL6DxQ+
        O4KCWucWo1MwUTAdBgNVHQ4EFgQU5xtLHcpKBFb0CgDxqW5ZpkMWmSwwHwYDVR0j
        BBgwFoAU5xtLHcpKBFb0CgDxqW5ZpkMWmSwwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNIADBFAiEAq+SCRUINZmVF4OPuvSohhPXGl1eC5iY8McdaOgzhlXgC
        IBli3kIJpCUcLNNR/12ZGFHhgyzBT/zL+trhwVLfnral
        -----END CERTIFICATE-----
        """
    static let hash = "DfbpFO2/r6cF1nFnQlWQ4p3/TyJaGcnwTnALpIdOQyU="

    @Test func `the hash is that of the public key, for each certificate of the text`() {
        let text = "An authority:\n" + Self.certificate + "\n\n" + Self.certificate + "\n"
        #expect(PublicKeyPins.hashes(pem: text) == [Self.hash, Self.hash])
    }

    @Test func `what is not a certificate has none`() {
        #expect(PublicKeyPins.hashes(pem: "") == [])
        #expect(PublicKeyPins.hashes(pem: TestKeys.named("k1").publicKeyPEM) == [])
        // Cut anywhere, it is none or the same: never a crash.
        for count in 0..<Self.certificate.count {
            #expect(PublicKeyPins.hashes(pem: String(Self.certificate.prefix(count))) == [])
        }
        let body = Self.certificate.split(separator: "\n").dropFirst().dropLast().joined()
        let bytes = Base64.decode(body) ?? []
        #expect(!bytes.isEmpty)
        for count in stride(from: 0, to: 200, by: 1) {
            let cut = PEM.write("CERTIFICATE", Array(bytes.prefix(count)))
            #expect(PublicKeyPins.hashes(pem: cut) == [])
        }
    }
}
