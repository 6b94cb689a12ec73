import Diagnostics
import JOSE

/// A key as it is sent, read at that moment. It is in no message, plan or report.
public enum KeyMaterial: Sendable {
    case generated
    case secret(String)
    /// A certificate with its private key.
    case pkcs12([UInt8], password: String)
    /// A certificate alone, as DER.
    case certificate([UInt8])

    /// Why bytes cannot be sent as a key.
    public struct Problem: Error, Hashable, Sendable {
        public var text: String
    }

    /// A secret out of a file or a variable. One line end at the end, which editors add, does not count.
    public static func secret(_ bytes: [UInt8]) throws(Problem) -> KeyMaterial {
        var bytes = bytes[...]
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else { throw Problem(text: "the secret is empty") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(text: "the secret is not UTF-8")
        }
        return .secret(text)
    }

    /// A certificate file as base64 text, in which line breaks do not count.
    public static func certificate(base64 text: String, password: String?) throws(Problem) -> KeyMaterial {
        guard let bytes = Base64.decode(text.filter { !$0.isWhitespace }) else {
            throw Problem(text: "the text is not base64")
        }
        return try certificate(bytes, password: password)
    }

    /// A certificate file: PKCS #12 (RFC 7292), or an X.509 certificate as DER or PEM.
    ///
    /// - Parameter password: Of a PKCS #12 file; `nil`: none.
    public static func certificate(_ bytes: [UInt8], password: String?) throws(Problem) -> KeyMaterial {
        guard !bytes.isEmpty else { throw Problem(text: "the certificate file is empty") }
        if bytes.starts(with: Array("-----BEGIN ".utf8)) {
            guard let block = PEM.read(String(decoding: bytes, as: UTF8.self)) else {
                throw Problem(text: "the PEM file cannot be read")
            }
            guard block.label == "CERTIFICATE", Certificate(der: block.bytes) != nil else {
                throw Problem(
                    text:
                        "the PEM file begins with \(block.label), expected CERTIFICATE. To send a private key, make a .pfx "
                        + "file: openssl pkcs12 -export")
            }
            return .certificate(block.bytes)
        }
        if Certificate(der: bytes) != nil { return .certificate(bytes) }
        var outer = DERReader(bytes[...])
        // PFX is a sequence that begins with version 3 (RFC 7292, section 4).
        if let contents = outer.element(DER.sequence) {
            var inner = DERReader(contents)
            if inner.element(DER.integer)?.elementsEqual([3]) == true {
                return .pkcs12(bytes, password: password ?? "")
            }
        }
        throw Problem(text: "the file is neither a .pfx or .p12 file nor a certificate")
    }
}
