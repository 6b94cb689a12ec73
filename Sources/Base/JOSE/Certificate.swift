import Determinism

/// What this package reads of an X.509 certificate (RFC 5280, section 4.1). Nothing is verified.
package struct Certificate: Hashable, Sendable {
    /// The whole, in DER.
    package let bytes: [UInt8]
    /// Names in DER.
    package let issuer: [UInt8]
    package let subject: [UInt8]
    package let notBefore: Timestamp
    package let notAfter: Timestamp
    /// SubjectPublicKeyInfo in DER.
    package let publicKey: [UInt8]
    /// The contents of the extensions' values, by their identifiers in DER.
    private let extensions: [[UInt8]: [UInt8]]

    package init?(der bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard let whole = outer.element(DER.sequence) else { return nil }
        var inner = DERReader(whole)
        guard let signed = inner.element(DER.sequence) else { return nil }
        var reader = DERReader(signed)
        // The version, which the first has not.
        _ = reader.element(0xa0)
        guard reader.element(DER.integer) != nil, reader.element(DER.sequence) != nil,
            let issuer = reader.element(DER.sequence), let validity = reader.element(DER.sequence),
            let subject = reader.element(DER.sequence), let publicKey = reader.element(DER.sequence)
        else { return nil }
        var times = DERReader(validity)
        guard let notBefore = times.time(), let notAfter = times.time() else { return nil }
        self.bytes = bytes
        self.issuer = DER.element(DER.sequence, Array(issuer))
        self.subject = DER.element(DER.sequence, Array(subject))
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.publicKey = DER.element(DER.sequence, Array(publicKey))
        var extensions: [[UInt8]: [UInt8]] = [:]
        if let wrapped = reader.element(0xa3) {
            var wrapped = DERReader(wrapped)
            guard let list = wrapped.element(DER.sequence) else { return nil }
            var items = DERReader(list)
            while let item = items.element(DER.sequence) {
                var item = DERReader(item)
                guard let name = item.element(DER.objectIdentifier) else { return nil }
                _ = item.element(DER.boolean)
                guard let value = item.element(DER.octetString) else { return nil }
                extensions[DER.element(DER.objectIdentifier, Array(name))] = Array(value)
            }
        }
        self.extensions = extensions
    }

    /// The value of an extension, in DER.
    package subscript(identifier: [Int]) -> [UInt8]? { extensions[DER.identifier(identifier)] }
}
