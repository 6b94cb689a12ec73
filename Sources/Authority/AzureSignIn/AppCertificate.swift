import Determinism
import Diagnostics
import JOSE
import JSON

/// A certificate with its private key, by which an app proves itself (Microsoft docs: certificate credentials).
struct AppCertificate {
    private let key: SigningKey
    /// DER, the app's own first.
    private let chain: [[UInt8]]

    /// Reads a PEM file with an RSA key and its certificate, in any order.
    ///
    /// - Parameters:
    ///   - name: The variable that names the file.
    ///   - path: The file, for messages.
    init(_ bytes: [UInt8], name: String, path: String) throws(AzureProblem) {
        func refuse(_ text: String, _ remedy: String) -> AzureProblem {
            AzureProblem(.usage, "\(path) (\(name)) \(text)", remedy: remedy)
        }
        let expected = "Expected is a PEM file with -----BEGIN PRIVATE KEY----- and -----BEGIN CERTIFICATE-----."
        if bytes.first == 0x30 {
            throw refuse(
                "is not PEM; it looks like PKCS #12 (.pfx) or DER",
                "Convert it: openssl pkcs12 -in FILE.pfx -nodes -out FILE.pem, and keep FILE.pem private (chmod 600).")
        }
        let blocks = Self.blocks(String(decoding: bytes, as: UTF8.self))
        if blocks.contains(where: { $0.label == "ENCRYPTED PRIVATE KEY" || $0.text.contains("Proc-Type: 4,ENCRYPTED") })
        {
            throw refuse(
                "has an encrypted private key",
                "Decrypt it into a file of its own: openssl pkey -in FILE.pem -out KEY.pem, and put key and certificate "
                    + "into one file (chmod 600).")
        }
        guard let written = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw refuse("has no private key", expected)
        }
        let certificates = blocks.filter { $0.label == "CERTIFICATE" }.compactMap { Base64.decode($0.body) }
        guard !certificates.isEmpty else { throw refuse("has no certificate", expected) }
        do throws(JOSEError) {
            key = try SigningKey(name: "certificate", pem: written.text)
        } catch {
            throw refuse(
                "has a private key that cannot be used: \(error)",
                "Use a certificate with an RSA key of 2048 bits or more.")
        }
        // The certificate that has the key's modulus is its own; others are those of its issuers.
        let modulus = key.jwk.n.flatMap { Base64URL.decode($0) } ?? []
        guard let own = certificates.firstIndex(where: { Self.contains($0, modulus) }) else {
            throw refuse(
                "has a private key that is not the key of its certificate",
                "Put the certificate of this key into the file: openssl x509 -in CERT.pem -noout -modulus and openssl rsa -in "
                    + "KEY.pem -noout -modulus print the same for a pair.")
        }
        chain = [certificates[own]] + certificates.indices.filter { $0 != own }.map { certificates[$0] }
    }

    private static func blocks(_ text: String) -> [(label: String, text: String, body: String)] {
        var found: [(label: String, text: String, body: String)] = []
        var open: (label: String, lines: [Substring])?
        for line in text.split(whereSeparator: \.isNewline) {
            if let block = open {
                open?.lines.append(line)
                guard line.hasPrefix("-----END \(block.label)-----") else { continue }
                let body = block.lines.dropFirst().filter { !$0.contains(":") }.joined().filter { !$0.isWhitespace }
                found.append((block.label, (block.lines + [line]).joined(separator: "\n") + "\n", body))
                open = nil
            } else if line.hasPrefix("-----BEGIN "), let end = line.dropFirst(11).firstIndex(of: "-") {
                open = (String(line[line.index(line.startIndex, offsetBy: 11)..<end]), [line])
            }
        }
        return found
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, bytes.count >= part.count else { return false }
        return bytes.indices.prefix(bytes.count - part.count + 1).contains { start in
            bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
        }
    }

    /// The JWT that the app sends in place of a secret.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the token endpoint.
    ///   - identifier: `jti`: another one each time.
    ///   - sendsChain: The certificates go along, so that the directory can check subject name and issuer.
    func assertion(
        client: String, endpoint: String, identifier: String, now: Timestamp, sendsChain: Bool
    ) -> String {
        var header: JSONObject = [
            "alg": "RS256", "typ": "JWT", "x5t": .string(Base64URL.encode(SHA1.hash(chain[0]))),
            "x5t#S256": .string(Base64URL.encode(SHA2.sha256(chain[0]))),
        ]
        if sendsChain { header["x5c"] = .array(chain.map { .string(Base64.encode($0)) }) }
        let seconds = now.secondsSinceEpoch
        return JWS.sign(
            header: header,
            claims: [
                "aud": .string(endpoint), "iss": .string(client), "sub": .string(client), "jti": .string(identifier),
                "nbf": .integer(seconds - 30), "iat": .integer(seconds), "exp": .integer(seconds + 600),
            ], key: key)
    }
}
