import Determinism
import Exchanges
import JSON
import Records
import TenantFiles

/// An interactive call.
package struct AcquireToken: TokenRequestCall {
    package var target = TokenTarget()
    package var prompt: PromptKind?
    package var account = AccountPick.unsaid
    package var loginHint: String?
    package var domainHint: String?
    package var extraQueryParameters = JSONObject()
    package var extraScopesToConsent: [String]?
    package var claimsRequest: JSONValue?
    package var state: String?
    package var interaction: InteractionKind?
    package var signIn = false
    package var correlationId: GUID?

    package init() {}

    package static let name = "acquireToken"
    package static let doc =
        "The app asks for a token and shows the browser: sign-in, sign-up, profile editing and password reset alike."
    package static let traits: VerbTraits = [.app, .user, .then, .failing]
    package static let settings: [Setting<AcquireToken>] = {
        var table = targetTable
        table.add("prompt", \.prompt, Codec<PromptKind>.word().optional(), "What the authority shows.")
        table.add("account", \.account, .account, CallParts.account, default: CallParts.accountDefault)
        table.add("loginHint", \.loginHint, .optionalText, "A user name to fill in.")
        table.add("domainHint", \.domainHint, .optionalText, "An identity provider to go to at once.")
        table.add(
            "extraQueryParameters", \.extraQueryParameters,
            .members(.map(of: FaultShapes.scalar, keyHint: "name of the parameter")), "More query parameters.")
        table.add(
            "extraScopesToConsent", \.extraScopesToConsent, .scopes, "Scopes to ask consent for beyond the token's.")
        table.add("claimsRequest", \.claimsRequest, .claimsRequest, CallParts.claimsRequest)
        table.add(
            "state", \.state, .optionalText,
            "Of msal-browser, appauth and web: the caller's own state, given back with the result.")
        table.add(
            "interaction", \.interaction, Codec<InteractionKind>.word().optional(),
            "Of msal-browser: how the page is left.", default: "the client's")
        table.add(
            "signIn", \.signIn, .bool, "Of msal-android with `accountMode` `single`: the call is `signIn`.")
        table.add("correlationId", \.correlationId, .guid, CallParts.correlationID, default: "a new one")
        return table.rows
    }()
}
