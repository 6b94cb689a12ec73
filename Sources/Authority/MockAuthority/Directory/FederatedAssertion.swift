import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import TrustFramework

/// The token of another issuer that an app presents in place of a secret (Microsoft docs: workload-identity-federation).
///
/// The directory compares the claims with the app's federated credentials. It does not check the signature: the mock does
/// not fetch the keys of the issuer.
enum FederatedAssertion {
    /// RFC 7523, section 2.2.
    private static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// - Parameter assertion: The parameter `client_assertion`.
    /// - Throws: AADSTS700027 for an assertion that the mock cannot check: of an app without federated credentials, or
    ///   signed by the app itself. AADSTS700211, 700213 and 700212 for one that no credential is for, AADSTS700024 outside
    ///   of its time. That they are checked in this order is inferred.
    static func check(
        _ assertion: String, form: FormItems, of app: RegisteredApp, at now: Timestamp
    ) throws(WorkforceError) {
        let credentials = app.settings.federatedCredentials
        guard !credentials.isEmpty else { throw .assertionUnchecked }
        guard let given = form["client_assertion_type"], !given.isEmpty else {
            throw .missing("client_assertion_type")
        }
        guard given == type, let claims = JWS(compact: assertion)?.claims else { throw .badAssertion }
        let issuer = claims["iss"]?.stringValue ?? ""
        guard !sameID(issuer, app.clientID) else { throw .assertionUnchecked }
        let ofIssuer = credentials.filter { sameText($0.issuer, issuer) }
        guard !ofIssuer.isEmpty else {
            throw .noFederatedCredential(700_211, "issuer", issuer, known: credentials.map(\.issuer))
        }
        let subject = claims["sub"]?.stringValue ?? ""
        let ofSubject = ofIssuer.filter { sameText($0.subject, subject) }
        guard !ofSubject.isEmpty else {
            throw .noFederatedCredential(700_213, "subject", subject, known: ofIssuer.map(\.subject))
        }
        let audiences =
            claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue].compactMap { $0 }
        guard ofSubject.contains(where: { audiences.containsText($0.audience) }) else {
            throw .noFederatedCredential(
                700_212, "audience", audiences.joined(separator: ", "), known: ofSubject.map(\.audience))
        }
        let seconds = now.secondsSinceEpoch
        guard let expiry = claims["exp"]?.intValue, seconds < expiry, (claims["nbf"]?.intValue ?? 0) <= seconds + 300
        else { throw .assertionOutOfTime(claims["exp"]?.intValue) }
    }
}

extension WorkforceError {
    fileprivate static let badAssertion = WorkforceError(
        50027, "invalid_request", "The client assertion is not a valid JSON Web Token.",
        detail: "expected client_assertion_type jwt-bearer and a signed JWT")

    /// - Parameters:
    ///   - member: Which claim no federated credential of the app has.
    ///   - known: The values that the credentials have.
    fileprivate static func noFederatedCredential(
        _ number: Int, _ member: String, _ value: String, known: [String]
    ) -> WorkforceError {
        WorkforceError(
            number, "invalid_client",
            "No matching federated identity record was found for the \(member) '\(value)' of the presented assertion.",
            status: 401,
            detail: "registration.federatedCredentials has \(member) \(known.joined(separator: ", "))")
    }

    fileprivate static func assertionOutOfTime(_ expiry: Int64?) -> WorkforceError {
        WorkforceError(
            700_024, "invalid_client", "The client assertion is not within its valid time range.", status: 401,
            detail: expiry.map { "it expires at \(Timestamp(seconds: $0).rfc3339)" } ?? "it has no exp")
    }
}
