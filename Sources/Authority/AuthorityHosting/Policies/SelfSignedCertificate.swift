import Determinism
import JOSE

/// A certificate that a test key issues for itself (RFC 5280, section 4.1).
enum SelfSignedCertificate {
    /// In DER, valid for a year.
    static func make(_ key: SigningKey, commonName: String, from now: Timestamp) -> [UInt8] {
        // sha256WithRSAEncryption (RFC 8017, appendix A.2.4).
        let algorithm = DER.sequence(DER.identifier([1, 2, 840, 113_549, 1, 1, 11]), DER.element(0x05, []))
        let attribute = DER.sequence(
            DER.identifier([2, 5, 4, 3]), DER.element(DER.text, Array(String(commonName.prefix(64)).utf8)))
        let name = DER.sequence(DER.element(DER.set, attribute))
        let validity = DER.sequence(DER.time(now), DER.time(now + .days(365)))
        let body = DER.sequence(
            DER.element(0xa0, DER.unsignedInteger([2])), DER.unsignedInteger([1]), algorithm, name, validity, name,
            PEM.read(key.publicKeyPEM)?.bytes ?? [])
        return DER.sequence(body, algorithm, DER.bits(key.sign(body)))
    }
}
