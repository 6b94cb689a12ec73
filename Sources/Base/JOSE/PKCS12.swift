/// The integrity check of a PKCS #12 file (RFC 7292). Its contents are not opened.
package enum PKCS12 {
    /// What a look at a file finds.
    package enum IntegrityResult: Hashable, Sendable {
        case rightPassword
        case wrongPassword
        /// The file is not PKCS #12.
        case malformed
        /// The file has no authentication code, or one of a kind that is not built in.
        case unchecked
    }

    /// More rounds than any known program writes would only keep the caller waiting.
    private static let mostRounds = 100_000

    package static func check(_ bytes: [UInt8], password: String) -> IntegrityResult {
        var outer = DERReader(bytes[...])
        guard let file = outer.element(DER.sequence) else { return .malformed }
        var reader = DERReader(file)
        guard let version = reader.element(DER.integer), Array(version) == [3],
            let content = reader.element(DER.sequence)
        else { return .malformed }
        guard let mac = reader.element(DER.sequence) else { return .unchecked }
        reader = DERReader(content)
        guard reader.element(DER.objectIdentifier) != nil, let wrapped = reader.element(0xa0) else { return .malformed }
        reader = DERReader(wrapped)
        guard let safe = reader.element(DER.octetString) else { return .unchecked }
        reader = DERReader(mac)
        guard let info = reader.element(DER.sequence), let salt = reader.element(DER.octetString) else {
            return .malformed
        }
        let rounds = reader.element(DER.integer).map { $0.prefix(5).reduce(0) { $0 << 8 | Int($1) } } ?? 1
        reader = DERReader(info)
        guard let algorithm = reader.element(DER.sequence), let expected = reader.element(DER.octetString) else {
            return .malformed
        }
        reader = DERReader(algorithm)
        guard let identifier = reader.element(DER.objectIdentifier),
            let hash = Hash(identifier: Array(identifier)), (1...mostRounds).contains(rounds)
        else { return .unchecked }
        let key = hash.key(password: password, salt: Array(salt), rounds: rounds)
        return hash.code(key, Array(safe)) == Array(expected) ? .rightPassword : .wrongPassword
    }

    private enum Hash {
        case sha1, sha256

        init?(identifier: [UInt8]) {
            switch DER.element(DER.objectIdentifier, identifier) {
            case DER.identifier([1, 3, 14, 3, 2, 26]): self = .sha1
            case DER.identifier([2, 16, 840, 1, 101, 3, 4, 2, 1]): self = .sha256
            default: return nil
            }
        }

        func digest(_ bytes: [UInt8]) -> [UInt8] { self == .sha1 ? SHA1.hash(bytes) : SHA2.sha256(bytes) }

        func code(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
            self == .sha1 ? SHA1.hmac(key: key, bytes) : SHA2.hmacSHA256(key: key, bytes)
        }

        /// The key of the authentication code (RFC 7292, appendix B.2 with ID 3). It is as long as one digest, so that one
        /// block of the scheme is enough. Both hashes work on blocks of 64 bytes.
        func key(password: String, salt: [UInt8], rounds: Int) -> [UInt8] {
            var letters: [UInt8] = []
            for unit in password.utf16 { letters += [UInt8(unit >> 8), UInt8(unit & 0xff)] }
            letters += [0, 0]
            var key = digest([UInt8](repeating: 3, count: 64) + Self.filled(salt) + Self.filled(letters))
            for _ in 1..<rounds { key = digest(key) }
            return key
        }

        /// Repeated to whole blocks.
        private static func filled(_ bytes: [UInt8]) -> [UInt8] {
            guard !bytes.isEmpty else { return [] }
            return (0..<((bytes.count + 63) / 64 * 64)).map { bytes[$0 % bytes.count] }
        }
    }
}
