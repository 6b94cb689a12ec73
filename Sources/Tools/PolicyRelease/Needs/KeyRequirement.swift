import Diagnostics
import TrustFramework

/// What a `Key` element of a technical profile requires of the key set that it refers to.
public struct KeyRequirement: Hashable, Sendable {
    /// What a key is made of.
    public enum Form: String, CaseIterable, Sendable {
        case rsa, secret, certificate
    }

    public var form: Form
    /// `nil`: either will do. Microsoft's articles create secrets of REST services for encryption, and those of identity
    /// providers for signatures (Microsoft docs: secure-rest-api, identity-provider-facebook), so a secret has none.
    public var use: PolicyKey.Use?

    public init(_ form: Form, _ use: PolicyKey.Use? = nil) {
        self.form = form
        self.use = use
    }

    /// What the documents require of an element; `nil`: they do not say (Microsoft docs: jwt-issuer-technical-profile,
    /// openid-connect-technical-profile, restful-technical-profile, saml-identity-provider-technical-profile,
    /// saml-issuer-technical-profile).
    ///
    /// - Parameters:
    ///   - element: `Key/@Id`.
    ///   - handler: What carries out the technical profile; `nil`: it has no protocol.
    public init?(element: String, handler: ProfileHandler?) {
        let element = element.lowercased()
        switch (handler, element) {
        case (.samlProvider?, "samlmessagesigning"), (.samlProvider?, "samlassertiondecryption"),
            (.samlIssuer?, "samlmessagesigning"), (.samlIssuer?, "samlassertionsigning"),
            (.samlIssuer?, "metadatasigning"), (.rest?, "clientcertificate"):
            self.init(.certificate)
        case (_, "issuer_secret"), (_, "assertion_signing_key"): self.init(.rsa, .signature)
        case (_, "issuer_refresh_token_key"): self.init(.rsa, .encryption)
        // A REST profile sends other keys as headers of their names, the user name, the password or the bearer token.
        case (_, "client_secret"), (.rest?, _): self.init(.secret)
        default: return nil
        }
    }

    /// For sentences: "an RSA key for signatures".
    public var phrase: String {
        let what =
            switch form {
            case .rsa: "an RSA key"
            case .secret: "a secret"
            case .certificate: "a certificate"
            }
        return use.map { "\(what) for \($0.phrase)" } ?? what
    }

    /// What is wrong with a key for this purpose.
    public enum KeyMismatch: Sendable { case form, use }

    /// Compares a key of a tenant; `nil`: it will do. What the service does not say of a key is not compared.
    public func mismatch(_ key: PolicyKey) -> KeyMismatch? {
        let isFit =
            switch form {
            // Samples of the documents give uploaded certificates the type oct.
            case .rsa: key.kind != .secret || key.hasCertificate
            case .secret: key.kind != .rsa && !key.hasCertificate
            case .certificate: key.hasCertificate
            }
        guard isFit else { return .form }
        guard let use, let actual = key.use, use != actual else { return nil }
        return .use
    }
}

extension PolicyKey.Use {
    /// For sentences: "signatures".
    public var phrase: String { self == .signature ? "signatures" : "encryption" }
}

extension PolicyKey {
    /// What the key is, for sentences: "an RSA key for signatures".
    public var phrase: String {
        guard hasCertificate || kind != nil else { return "a key" }
        return KeyRequirement(hasCertificate ? .certificate : kind == .rsa ? .rsa : .secret, use).phrase
    }
}
