import Determinism
import JOSE
import Testing

private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

@Suite struct HashTests {
    let abc = Array("abc".utf8)

    /// The check value that catalogues of such sums have.
    @Test func `a CRC-32 sum is that of the catalogues`() {
        #expect(CRC32.sum(of: Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.sum(of: []) == 0)
    }

    /// FIPS 180-2, appendices A to C.
    @Test func `hashes of abc are those of the standard`() {
        #expect(hex(SHA2.sha256(abc)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex(SHA2.sha384(abc))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        #expect(hex(SHA2.sha512(abc)).hasPrefix("ddaf35a193617abacc417349ae204131"))
        #expect(hex(SHA1.hash(abc)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(hex(SHA2.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    /// RFC 4231 and RFC 2202, first test cases.
    @Test func `message codes are those of the standard`() {
        let key = [UInt8](repeating: 0x0b, count: 20)
        let message = Array("Hi There".utf8)
        #expect(
            hex(SHA2.hmacSHA256(key: key, message))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(hex(SHA1.hmac(key: key, message)) == "b617318655057264e28bc0b6fb378c8ef146be00")
    }

    /// RFC 4226, appendix D.
    @Test func `counter codes are those of RFC 4226`() {
        let secret = Array("12345678901234567890".utf8)
        let codes = (0..<10).map { OneTimePassword.counterCode(secret: secret, counter: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    /// RFC 6238, appendix B.
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `time codes are those of RFC 6238`(seconds: Int64, code: String) {
        let secret = Array("12345678901234567890".utf8)
        let instant = Timestamp(seconds: seconds)
        #expect(OneTimePassword.timeCode(secret: secret, at: instant, digits: 8) == code)
        #expect(OneTimePassword.timeCode(secret: secret, at: instant) == code.suffix(6))
        #expect(
            OneTimePassword.timeCode(secret: secret, at: instant + .seconds(30), digits: 8, drift: -1) == code)
    }

    @Test func `odd code requests do not trap`() {
        #expect(OneTimePassword.counterCode(secret: [], counter: .max, digits: 0).count == 1)
        #expect(OneTimePassword.counterCode(secret: [], counter: 0, digits: 99).count == 9)
        let early = Timestamp(milliseconds: .min)
        #expect(OneTimePassword.timeCode(secret: [1], at: early, period: 0).count == 6)
    }

    /// OpenID Connect Core 1.0, appendix A.6.
    @Test func `a left half is half of the hash`() {
        #expect(TokenHash.s256("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(
            TokenHash.s256("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk") == "LDktKdoQak3Pk0cnXxCltA")
    }
}
