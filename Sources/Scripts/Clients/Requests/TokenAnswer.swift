import Diagnostics
import JOSE
import JSON

/// A token endpoint's JSON answer, as the library reads it (MSIDTokenResponse.m, MSIDAADTokenResponse.m).
///
/// Nothing in the ID token is verified: neither signature nor issuer, audience, lifetime or nonce.
struct TokenAnswer: Sendable {
    var accessToken: String?
    var idToken: String?
    var refreshToken: String?
    var tokenType: String?
    var scope: String?
    var expiresIn: Int64?
    var expiresOn: Int64?
    var extendedExpiresIn: Int64?
    var refreshIn: Int64?
    var clientInfo: ClientIdentity?
    var clientInfoText: String?
    var familyID: String?
    /// The ID token's claims; `nil` when there is no ID token or it cannot be read.
    var claims: JSONObject?

    /// Reads an answer of HTTP 200, 400 or 401. An `error` member makes it a refusal whatever the status was.
    ///
    /// - Parameter tenant: The tenant's id, for libraries that take the account from the ID token; `nil` where the answer
    ///   must have `client_info`.
    static func read(_ json: JSONValue, tenant: String? = nil) -> Result<TokenAnswer, LibraryError> {
        guard let object = json.objectValue else {
            return .failure(LibraryError(.serverInvalidResponse, "The token answer is not a JSON object."))
        }
        if let error = object["error"]?.stringValue, !error.isEmpty {
            return .failure(refusal(error, object))
        }
        var answer = TokenAnswer()
        answer.accessToken = text(object["access_token"])
        answer.idToken = text(object["id_token"])
        answer.refreshToken = text(object["refresh_token"])
        answer.tokenType = text(object["token_type"])
        answer.scope = text(object["scope"])
        answer.expiresIn = seconds(object["expires_in"])
        answer.expiresOn = seconds(object["expires_on"])
        answer.extendedExpiresIn = seconds(object["ext_expires_in"])
        answer.refreshIn = seconds(object["refresh_in"])
        answer.familyID = text(object["foci"])
        answer.clientInfoText = text(object["client_info"])
        answer.clientInfo = answer.clientInfoText.flatMap { ClientIdentity(encoded: $0) }
        answer.claims = answer.idToken.flatMap { JWS(compact: $0)?.claims }
        if let type = answer.tokenType, type.lowercased() != "bearer" {
            return .failure(LibraryError(.serverInvalidResponse, "The token type \(type) is not Bearer."))
        }
        if let tenant, answer.clientInfo == nil, let subject = answer.claims?["sub"]?.stringValue {
            answer.clientInfo = ClientIdentity(uid: subject, utid: tenant)
        }
        guard answer.clientInfo != nil || tenant != nil else {
            return .failure(LibraryError(.internalError, "The token answer has no client_info."))
        }
        guard answer.accessToken != nil || answer.idToken != nil else {
            return .failure(
                LibraryError(.internalError, "The token answer has neither an access token nor an ID token."))
        }
        return .success(answer)
    }

    private static func refusal(_ error: String, _ object: JSONObject) -> LibraryError {
        let stsCodes = (object["error_codes"]?.arrayValue ?? []).compactMap(\.intValue)
        let subError = text(object["suberror"])
        var code = OAuthErrorTable.code(error, other: .serverOauth)
        if code == .serverInvalidRequest, stsCodes.contains(50142) { code = .resetPasswordRequired }
        let wantsProtection = code == .serverUnauthorizedClient && subError == "protection_policy_required"
        if wantsProtection { code = .serverProtectionPoliciesRequired }
        var refusal = LibraryError(code, text(object["error_description"]))
        refusal.oauthError = error
        refusal.subError = subError
        refusal.stsCodes = stsCodes
        if wantsProtection {
            refusal.displayableUserId = text(object["adi"])
            refusal.homeAccountId =
                text(object["client_info"]).flatMap { ClientIdentity(encoded: $0) }?.homeAccountID
        }
        return refusal
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, !text.isEmpty else { return nil }
        return text
    }

    /// Servers send numbers as numbers and as text; both are read.
    private static func seconds(_ value: JSONValue?) -> Int64? {
        value?.intValue ?? value?.stringValue.flatMap { Int64($0) }
    }
}

/// `client_info`: who the answer is for.
struct ClientIdentity: Sendable, Hashable {
    /// B2C: `{object id}-{policy in lower case}`.
    var uid: String
    /// The tenant's id.
    var utid: String

    var homeAccountID: String { "\(uid.lowercased()).\(utid.lowercased())" }

    init(uid: String, utid: String) {
        self.uid = uid
        self.utid = utid
    }

    /// Reads the base64url JSON; `nil` when it is broken or lacks `uid` or `utid`.
    init?(encoded: String) {
        guard let bytes = Base64URL.decode(encoded) else { return nil }
        let parsed: JSONValue
        do throws(InvalidInput) {
            parsed = try JSONParser.parse(bytes)
        } catch {
            return nil
        }
        guard let uid = parsed["uid"]?.stringValue, let utid = parsed["utid"]?.stringValue else { return nil }
        self.uid = uid
        self.utid = utid
    }
}
