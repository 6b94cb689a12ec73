import Determinism
import Testing

@testable import JOSE

@Suite struct P256KeyTests {
    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// RFC 6979, appendix A.2.5.
    @Test(arguments: [
        (
            message: "sample", r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
            message: "test", r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
    ])
    func `signatures are those of RFC 6979`(message: String, r: String, s: String) throws {
        let key = try #require(
            P256Key(secret: bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")))
        #expect(
            key.publicBytes
                == [4] + bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
                + bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"))
        let expected = DER.sequence(DER.unsignedInteger(bytes(r).drop { $0 == 0 }), DER.unsignedInteger(bytes(s)))
        #expect(key.sign(Array(message.utf8), provider: .builtIn) == expected)
    }

    @Test func `secrets are between 1 and the order of the curve`() {
        let order = bytes("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
        let zeros = [UInt8](repeating: 0, count: 31)
        for secret in [zeros + [1], zeros + [2], order.dropLast() + [0x50]] { #expect(P256Key(secret: secret) != nil) }
        for secret in [[], zeros, zeros + [0], order, order.dropLast() + [0x52], [UInt8](repeating: 0xff, count: 32)] {
            #expect(P256Key(secret: secret) == nil)
        }
    }

    @Test(arguments: SignatureProvider.available)
    func `what one signs OpenSSL verifies`(provider: SignatureProvider) throws {
        guard SignatureProvider.available.contains(.openSSL) else { return }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let key = try #require(P256Key(secret: random.bytes(32)))
            let message = random.bytes(200)
            let signature = key.sign(message, provider: provider)
            let verifier = try #require(SignatureProvider.openSSL.publicKey(der: key.publicKey))
            #expect(verifier.isValid(signature, for: message))
            #expect(!verifier.isValid(signature, for: message + [0]))
            #expect(P256Key(pem: key.pem)?.publicKey == key.publicKey)
        }
    }
}
