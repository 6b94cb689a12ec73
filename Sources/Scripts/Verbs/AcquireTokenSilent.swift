import Determinism
import JSON
import Records
import TenantFiles

/// A silent call.
package struct AcquireTokenSilent: TokenRequestCall {
    package var target = TokenTarget()
    package var account = AccountPick.unsaid
    package var forceRefresh = false
    package var claimsRequest: JSONValue?
    package var correlationId: GUID?
    package var via: TokenSource?
    package var loginHint: String?

    package init() {}

    package static let name = "acquireTokenSilent"
    package static let doc = "The app asks for a token without showing anything."
    package static let settings: [Setting<AcquireTokenSilent>] = {
        var table = targetTable
        table.add("account", \.account, .account, CallParts.account, default: CallParts.accountDefault)
        table.add("forceRefresh", \.forceRefresh, .bool, "Asks the server even while the cached token is good.")
        table.add("claimsRequest", \.claimsRequest, .claimsRequest, CallParts.claimsRequest)
        table.add("correlationId", \.correlationId, .guid, CallParts.correlationID, default: "a new one")
        table.add(
            "via", \.via, Codec<TokenSource>.word().optional(),
            "Of msal-browser: where the token may come from. Default: all in turn.")
        table.add(
            "loginHint", \.loginHint, .optionalText, "Of msal-browser: a user name that a hidden frame sends.")
        return table.rows
    }()
}
