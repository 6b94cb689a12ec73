import CommandKit
import Crypto
import Foundation
import Testing
import X509

@testable import MockServerCore

/// The local certificate authority.
@Suite struct CertificateTests {
    private let now = Date(timeIntervalSince1970: 1_768_478_400)

    /// A folder that goes when the test ends.
    private func inFolder(_ body: (CertificateFolder) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "b2c-certificates-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(CertificateFolder(path + "/kept"))
    }

    @Test func `the authority is made once, and its key is for its owner alone`() throws {
        try inFolder { folder in
            let first = try CertificateAuthority.kept(in: folder, owner: "ada", now: now)
            let second = try CertificateAuthority.kept(in: folder, owner: "grace", now: now)
            #expect(first.certificate == second.certificate)
            #expect(FileSystem.mode(folder.privateKey) == 0o600)
            #expect(FileSystem.mode(folder.certificate) == 0o644)
            #expect(FileSystem.mode(folder.path) == 0o700)
            #expect("\(first.certificate.subject)".contains("ada"))
        }
    }

    @Test func `certificates name every host that was asked for, and the authority has signed them`() throws {
        let authority = try CertificateAuthority.make(owner: "ada", now: now)
        let names = ["contoso.b2clogin.com", "localhost", "127.0.0.1", "::1"]
        let leaf = try authority.leaf(for: names, now: now)
        #expect(leaf.chain.count == 2)
        let certificate = try Certificate(derEncoded: leaf.chain[0])
        let alternatives = try #require(try certificate.extensions.subjectAlternativeNames)
        #expect(Array(alternatives).count == names.count)
        #expect(alternatives.contains(.dnsName("contoso.b2clogin.com")))
        #expect(authority.certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
        #expect(certificate.notValidAfter < now.addingTimeInterval(398 * 86_400))
        #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)
        #expect(try Certificate(derEncoded: leaf.chain[1]) == authority.certificate)
    }

    @Test(arguments: ["", "*.b2clogin.com", "a b", "a/b", "contoso:443"])
    func `texts other than host names are skipped`(name: String) throws {
        let authority = try CertificateAuthority.make(owner: "ada", now: now)
        let leaf = try authority.leaf(for: ["localhost", name], now: now)
        let certificate = try Certificate(derEncoded: leaf.chain[0])
        #expect(try certificate.extensions.subjectAlternativeNames.map { Array($0).count } == 1)
    }

    @Test func `what cannot be used is refused with a way out`() throws {
        try inFolder { folder in
            _ = try CertificateAuthority.kept(in: folder, owner: "ada", now: now)
            let late = now.addingTimeInterval(CertificateAuthority.lifetime + 1)
            #expect(refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: late) }.contains("expired"))
            let key = try FileSystem.read(folder.privateKey)
            try FileSystem.write(key, to: folder.privateKey, mode: 0o644)
            #expect(
                refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: now) }.contains("chmod 600"))
            let other = P256.Signing.PrivateKey().pemRepresentation
            try FileSystem.write(Array(other.utf8), to: folder.privateKey, mode: 0o600)
            #expect(
                refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: now) }
                    .contains("do not belong together"))
            try FileSystem.write(Array("nonsense".utf8), to: folder.privateKey, mode: 0o600)
            let nonsense = refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: now) }
            #expect(nonsense.contains("not our certificate authority"))
            #expect(nonsense.contains("b2c certificate create --force"))
            FileSystem.remove(folder.certificate)
            #expect(
                refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: now) }
                    .contains("cannot be read"))
        }
    }

    private func refusal(_ body: () throws -> CertificateAuthority) -> String {
        do {
            _ = try body()
            return "not refused"
        } catch let problem as CertificateAuthority.Unusable {
            return problem.text
        } catch {
            return "\(error)"
        }
    }

    @Test func `the hash is that of the key as Chromium counts it`() throws {
        let authority = try CertificateAuthority.make(owner: "ada", now: now)
        let hash = try #require(Data(base64Encoded: authority.publicKeyHash))
        #expect(hash.count == 32)
        let key = try #require(P256.Signing.PublicKey(authority.certificate.publicKey))
        #expect(Array(hash) == Array(SHA256.hash(data: key.derRepresentation)))
    }

    @Test func `the guide has a shell take paths as they are`() {
        #expect(TrustGuide.quoted("/home/ada/ca.pem") == "/home/ada/ca.pem")
        #expect(TrustGuide.quoted("/Users/ada/Library/Application Support/ca.pem").hasPrefix("'"))
        #expect(TrustGuide.quoted("/a'b") == "'/a'\\''b'")
        let text = TrustGuide(certificate: "/c a/ca.pem", publicKeyHash: "aGFzaA==").text
        for word in [
            "update-ca-certificates", "update-ca-trust", "simctl", "certutil", "NODE_EXTRA_CA_CERTS", "aGFzaA==",
        ] { #expect(text.contains(word)) }
    }
}
