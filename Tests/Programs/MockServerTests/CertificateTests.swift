import CommandKit
import Determinism
import Foundation
import JOSE
import Testing

@testable import MockServerCore

/// The local certificate authority.
@Suite struct CertificateTests {
    private let now = Timestamp(seconds: 1_768_478_400)

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
            #expect(String(decoding: first.certificate.subject, as: UTF8.self).contains("ada"))
            let pem = String(decoding: try FileSystem.read(folder.certificate), as: UTF8.self)
            #expect(PublicKeyPins.hashes(pem: pem) == [first.publicKeyHash])
        }
    }

    /// A certificate as the contents of its elements, from outside to inside: constructed ones as lists.
    private indirect enum Element: Equatable {
        case list(UInt8, [Element])
        case value(UInt8, [UInt8])

        static func read(_ bytes: ArraySlice<UInt8>) -> [Element]? {
            var elements: [Element] = []
            var rest = bytes
            while let tag = rest.first {
                var reader = DERReader(rest)
                guard let contents = reader.element(tag) else { return nil }
                rest = rest[contents.endIndex...]
                guard tag & 0x20 != 0 else {
                    elements.append(.value(tag, Array(contents)))
                    continue
                }
                guard let inner = read(contents) else { return nil }
                elements.append(.list(tag, inner))
            }
            return elements
        }
    }

    /// The alternative names of a certificate, as their tags and contents.
    private func alternatives(_ certificate: Certificate) throws -> [Element] {
        let value = try #require(certificate[[2, 5, 29, 17]])
        guard case .list(DER.sequence, let names)? = Element.read(value[...])?.first else { return [] }
        return names
    }

    @Test func `a server's certificate has every member as RFC 5280 wants it`() throws {
        let authority = try CertificateAuthority.make(owner: "ada", now: now)
        let names = ["contoso.b2clogin.com", "localhost", "127.0.0.1", "::1"]
        let leaf = authority.leaf(for: names, now: now)
        #expect(leaf.chain.count == 2 && leaf.chain[1] == authority.certificate.bytes)
        let certificate = try #require(Certificate(der: leaf.chain[0]))
        #expect(
            try alternatives(certificate) == [
                .value(0x82, Array("contoso.b2clogin.com".utf8)), .value(0x82, Array("localhost".utf8)),
                .value(0x87, [127, 0, 0, 1]), .value(0x87, [UInt8](repeating: 0, count: 15) + [1]),
            ])
        #expect(certificate.issuer == authority.certificate.subject)
        #expect(certificate.publicKey == P256Key(pem: leaf.privateKey)?.publicKey)
        #expect(certificate.notBefore == now - .days(1) && certificate.notAfter == now + .days(397))
        #expect(authority.certificate.notAfter == now + .days(3650))
        // Basic constraints, key usage, what it is for; and the keys.
        #expect(certificate[[2, 5, 29, 19]] == [0x30, 0])
        #expect(authority.certificate[[2, 5, 29, 19]] == [0x30, 6, 1, 1, 0xff, 2, 1, 0])
        #expect(certificate[[2, 5, 29, 15]] == [3, 2, 7, 0x80])
        #expect(authority.certificate[[2, 5, 29, 15]] == [3, 2, 1, 6])
        #expect(certificate[[2, 5, 29, 37]] == [0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 1])
        let identifier = try #require(authority.certificate[[2, 5, 29, 14]])
        #expect(certificate[[2, 5, 29, 35]].map { Array($0.dropFirst(4)) } == Array(identifier.dropFirst(2)))
        guard case .list(_, let parts)? = Element.read(leaf.chain[0][...])?.first, parts.count == 3,
            case .list(_, let signed) = parts[0], case .value(DER.integer, let serial) = signed[1]
        else {
            Issue.record("the certificate cannot be read")
            return
        }
        #expect(signed[0] == .list(0xa0, [.value(DER.integer, [2])]) && signed[2] == parts[1])
        #expect(serial.count == 20 && serial[0] < 0x80)
    }

    /// A certificate of a long life, and one whose dates have four digits for the year.
    @Test(arguments: ["2026-01-15T12:00:00Z", "2039-12-31T23:59:59Z", "2049-06-01T00:00:00Z", "2060-02-29T00:00:00Z"])
    func `OpenSSL verifies a chain, whenever it was made`(time: String) throws {
        let now = try #require(Timestamp(rfc3339: time))
        try inFolder { folder in
            let authority = try CertificateAuthority.kept(in: folder, owner: "ada", now: now)
            #expect(try CertificateAuthority.read(folder, now: now).certificate == authority.certificate)
            let leaf = authority.leaf(for: ["contoso.b2clogin.com", "10.1.2.3", "::1"], now: now)
            let server = folder.path + "/server.pem"
            try FileSystem.write(Array(PEM.write("CERTIFICATE", leaf.chain[0]).utf8), to: server, mode: 0o644)
            for name in [
                ["-verify_hostname", "contoso.b2clogin.com"], ["-verify_ip", "10.1.2.3"], ["-verify_ip", "::1"],
            ] {
                let words = ["verify", "-x509_strict", "-purpose", "sslserver", "-attime", "\(now.secondsSinceEpoch)"]
                let said = try openssl(words + name + ["-CAfile", folder.certificate, server])
                #expect(said.map { $0.hasSuffix(": OK\n") } ?? true, "\(said ?? "")")
            }
            let other = try openssl([
                "verify", "-verify_hostname", "fabrikam.b2clogin.com", "-CAfile", folder.certificate, server,
            ])
            #expect(other.map { !$0.hasSuffix(": OK\n") } ?? true)
        }
    }

    /// What the program prints; `nil` where it is not installed.
    private func openssl(_ arguments: [String]) throws -> String? {
        let path = "/usr/bin/openssl"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }

    /// The files of an authority that an earlier version made, with the elliptic curve key in either form.
    @Test(arguments: ["PRIVATE KEY", "EC PRIVATE KEY"])
    func `an authority that was made before is kept`(form: String) throws {
        try inFolder { folder in
            try FileSystem.makeFolder(folder.path, mode: 0o700)
            try FileSystem.write(Array(Self.earlier.certificate.utf8), to: folder.certificate, mode: 0o644)
            let key = try #require(Self.earlier.keys[form])
            try FileSystem.write(Array(key.utf8), to: folder.privateKey, mode: 0o600)
            let authority = try CertificateAuthority.kept(in: folder, owner: "ada", now: now)
            #expect(authority.certificate.bytes == PEM.read(Self.earlier.certificate)?.bytes)
            let certificate = try #require(Certificate(der: authority.leaf(for: ["localhost"], now: now).chain[0]))
            #expect(certificate.issuer == authority.certificate.subject)
        }
    }

    private static let earlier = (
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBzzCCAXWgAwIBAgIUFBYPP+EaaSoqwWBjfipfn3Kj1WUwCgYIKoZIzj0EAwIw
        RDEUMBIGA1UECgwLYjJjLWhhcm5lc3MxLDAqBgNVBAMMI2IyYy1oYXJuZXNzIGxv
        Y2FsIGF1dGhvcml0eSAobG9jYWwpMB4XDTI2MTEyODA5Mjc0MloXDTM2MTEyNjA5
        Mjc0MlowRDEUMBIGA1UECgwLYjJjLWhhcm5lc3MxLDAqBgNVBAMMI2IyYy1oYXJu
        ZXNzIGxvY2FsIGF1dGhvcml0eSAobG9jYWwpMFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEaVyHhYY21ymHwGuM9YU/1zieEzGwLHLp+BZqPRdAcpF4jOdbjkpAuHQ3
        FQjjqNszFtJUAmaO+tIKIg0dJiqO2qNFMEMwEgYDVR0TAQH/BAgwBgEB/wIBADAO
        BgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFCwd76aJK7l9zei8X9RxGCpLChqbMAoG
        CCqGSM49BAMCA0gAMEUCIGmlmf+t8v40ZSnPm6GbukMaXGfm23ATVVvdhxPZe9i5
        AiEAkxwIVPP+iJl7kz8BnCm8ON2iAEhZ3dHYZ3AIFwQG9Bg=
        -----END CERTIFICATE-----
        """,
        keys: [
            "PRIVATE KEY": """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTDVCFHbQToyMdfuB
            HBS56bO5UshF1iK3lCb4TSMeFzShRANCAARpXIeFhjbXKYfAa4z1hT/XOJ4TMbAs
            cun4Fmo9F0BykXiM51uOSkC4dDcVCOOo2zMW0lQCZo760goiDR0mKo7a
            -----END PRIVATE KEY-----
            """,
            "EC PRIVATE KEY": """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIEw1QhR20E6MjHX7gRwUuemzuVLIRdYit5Qm+E0jHhc0oAoGCCqGSM49
            AwEHoUQDQgAEaVyHhYY21ymHwGuM9YU/1zieEzGwLHLp+BZqPRdAcpF4jOdbjkpA
            uHQ3FQjjqNszFtJUAmaO+tIKIg0dJiqO2g==
            -----END EC PRIVATE KEY-----
            """,
        ]
    )

    @Test(arguments: ["", "*.b2clogin.com", "a b", "a/b", "contoso:443"])
    func `texts other than host names are skipped`(name: String) throws {
        let authority = try CertificateAuthority.make(owner: "ada", now: now)
        let leaf = authority.leaf(for: ["localhost", name], now: now)
        #expect(try alternatives(try #require(Certificate(der: leaf.chain[0]))).count == 1)
    }

    @Test func `what cannot be used is refused with a way out`() throws {
        try inFolder { folder in
            _ = try CertificateAuthority.kept(in: folder, owner: "ada", now: now)
            let late = now + CertificateAuthority.lifetime + .seconds(1)
            #expect(refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: late) }.contains("expired"))
            let key = try FileSystem.read(folder.privateKey)
            try FileSystem.write(key, to: folder.privateKey, mode: 0o644)
            #expect(
                refusal { try CertificateAuthority.kept(in: folder, owner: "ada", now: now) }.contains("chmod 600"))
            let other = try #require(P256Key(secret: [UInt8](repeating: 7, count: 32))).pem
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
