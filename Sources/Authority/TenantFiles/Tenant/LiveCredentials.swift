import Diagnostics
import JSON

/// Looks for passwords and secrets in the tenant file of a real tenant.
public enum LiveCredentials {
    /// One finding for each.
    ///
    /// - Parameters:
    ///   - tenant: A tenant or a patch over one; default: the whole document.
    ///   - base: Its place in the document.
    public static func findings(
        _ document: JSONDocument, of tenant: JSONValue? = nil, at base: JSONPointer = .root
    ) -> [Diagnostic] {
        let tenant = tenant ?? document.root
        var found: [Diagnostic] = []
        for (name, user) in tenant["users"]?.objectValue?.members ?? [] {
            look(user, at: base.appending("users").appending(name), in: document, into: &found)
        }
        for (name, app) in tenant["apps"]?.objectValue?.members ?? [] {
            let pointer = base.appending("apps").appending(name)
            look(app["client"], at: pointer.appending("client"), in: document, into: &found)
            for (index, secret) in (app["registration"]?["secrets"]?.arrayValue ?? []).enumerated() {
                check(
                    secret, at: pointer.appending("registration").appending("secrets").appending(index), in: document,
                    into: &found)
            }
        }
        return found
    }

    private static func look(
        _ value: JSONValue?, at pointer: JSONPointer, in document: JSONDocument, into found: inout [Diagnostic]
    ) {
        for (key, member) in value?.objectValue?.members ?? [] where isCredential(key) {
            check(member, at: pointer.appending(key), in: document, into: &found)
        }
    }

    private static func isCredential(_ name: String) -> Bool {
        switch SecretKind.named(name) {
        case .password, .secret: true
        case .token, .code, .cookie, nil: false
        }
    }

    private static func check(
        _ value: JSONValue, at pointer: JSONPointer, in document: JSONDocument, into found: inout [Diagnostic]
    ) {
        guard let text = value.stringValue, !text.hasPrefix("{{secret/") else { return }
        found.append(
            Diagnostic(
                rule: "B2C-TGT-031", "the file contains a credential of a real tenant",
                remedy: "Write \"{{secret/NAME}}\" and give it by B2C_SECRET_NAME, --secrets-file or --secret.",
                at: document.location(of: pointer)))
    }
}
