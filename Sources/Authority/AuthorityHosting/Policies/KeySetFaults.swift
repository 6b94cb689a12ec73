import MockAuthority

// Refusals of key sets. Codes and texts: Microsoft docs, error-codes. Statuses are inferred.

extension GraphFault {
    private static func keys(_ code: String, _ message: String, status: Int = 400, why: String? = nil) -> GraphFault {
        GraphFault(status, "AADB2C\(code)", message, why: why)
    }

    static func missingKeyParameter(_ name: String) -> GraphFault {
        keys("90253", "The trustframework keyset parameter '\(name)' is missing")
    }
    static func noActiveKey(_ id: String, tenant: String) -> GraphFault {
        keys(
            "90220",
            "The key container in tenant '\(tenant)' with storage identifier '\(id)' exists but does not contain a valid "
                + "certificate. The certificate might be expired or your certificate might become active in the future "
                + "(nbf).", status: 404, why: "no key of \(id) is active now")
    }
    static let wrongCertificatePassword = keys("95025", "The presented password for the uploaded certificate is wrong.")
    static func badKeyDocument(tenant: String, _ why: String) -> GraphFault {
        keys(
            "95026", "The uploaded JSON Web Key for tenant '\(tenant)' is not in the correct JSON format.", why: why)
    }
    static func keySetExists(_ id: String, status: Int) -> GraphFault {
        keys(
            "95028", "Can't create trustframework key set with name '\(id)' because it already exists.",
            status: status)
    }
    static let keyIsNotBase64URL = keys("95029", "The trustframework keyset parameter K is not base64 URL encoded.")
    static let missingKeyType = keys("95030", "Missing kty parameter for the trustframework key.")
    static func badKeyType(_ kty: String) -> GraphFault {
        keys("95031", "Bad kty parameter '\(kty)' for the trustframework key. Must be RSA or oct.")
    }
    static let mixedKeyTypes = keys("95032", "One can't mix RSA and Oct types in one key set.")
    static func badKeyUse(_ use: String) -> GraphFault {
        keys("95033", "Bad use parameter '\(use)' for the trustframework key.", why: "use is sig or enc")
    }
    static func badKey(_ why: String) -> GraphFault {
        keys("95034", "The presented TrustFrameworkKey entity is of the wrong format", why: why)
    }
    static let missingEntityKeyType = keys("95037", "The presented TrustFrameworkKey entity is missing kty.")
    static let incompleteRSAKey = keys(
        "95039", "The presented TrustFrameworkKey RSA entity is missing or the modulus or exponent.")
    static let mixedKeyUses = keys("95042", "One can't mix signature and encryption usage in one key set.")
    static func noKeySet(_ id: String, tenant: String, status: Int) -> GraphFault {
        keys(
            "95052",
            "The trustframework key set with id '\(id)' in tenant '\(tenant)' is not created. Please use 'Create api' to "
                + "create the key set first.", status: status)
    }
    static func noKey(_ kid: String, in id: String) -> GraphFault {
        GraphFault(404, "ResourceNotFound", "The key '\(kid)' does not exist in the key set '\(id)'.")
    }
    static let keyHasIdentifier = keys("95059", "One of the keys in the payload has 'kid' which is not empty.")
}
