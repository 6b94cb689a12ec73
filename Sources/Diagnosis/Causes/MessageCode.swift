import B2CProtocol
import HTTPMessages

/// A numbered error of a service or library around B2C, with what it says and what to do.
///
/// The numbers are those of Microsoft Entra ID (Microsoft docs: reference-error-codes) and of Microsoft.IdentityModel and
/// Microsoft.Identity.Web (their LogMessages and IDWebErrorMessage sources); the texts are this project's own.
struct MessageCode: Sendable {
    /// As texts have it, such as `AADSTS7000215` or `IDX10214`.
    let id: String
    let meaning: String
    let remedy: String

    init(_ id: String, _ meaning: String, _ remedy: String) {
        self.id = id
        self.meaning = meaning
        self.remedy = remedy
    }

    static let all: [MessageCode] = directory + validation + web + service

    static func named(_ id: String) -> MessageCode? { byID[id.uppercased()] }

    /// For look-ups only; never iterated.
    private static let byID: [String: MessageCode] = Dictionary(
        all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// Steps that the libraries log for information; they are not errors.
    static let informational: Set<String> = [
        "IDX10234", "IDX10239", "IDX10242", "IDX10244", "IDX10245", "IDX10246", "IDX10265", "IDX10617", "IDX10806",
        "IDX20805", "IDX20811", "IDX21811", "IDX21812", "IDX21813", "IDX22702", "IDX21809", "IDX21808", "IDX21806",
        "IDX21342", "IDX21341", "IDX21328", "IDX21322", "IDX21319", "IDX21310", "IDX21309", "IDX21305", "IDX21304",
        "IDX21303", "IDX12722", "IDX12721", "IDX10643", "IDX10642", "IDX10264", "IDX10258", "IDX10255", "IDX10252",
        "IDX10251", "IDX10250", "IDX10243", "IDX10241", "IDX10240", "IDX10238", "IDX10237", "IDX10236", "IDX10235",
        "IDX10233",
    ]

    /// Whether a phrase in small letters is a code of one of these families and nothing else.
    static func isCode(_ phrase: String) -> Bool {
        for family in ["aadb2c", "aadsts", "idx", "idw"] where phrase.hasPrefix(family) {
            let digits = phrase.dropFirst(family.count)
            return !digits.isEmpty && digits.allSatisfy(\.isNumber)
        }
        return false
    }

    /// What is known of a code that the table does not have.
    static func family(of id: String) -> String {
        if id.hasPrefix("AADSTS") {
            return "an error of Microsoft Entra ID, not of B2C: the request went to a directory's service,"
                + " as a provider behind B2C or by mistake"
        }
        if id.hasPrefix("IDW") { return "an error of Microsoft.Identity.Web that is not in the table" }
        guard id.hasPrefix("IDX") else { return "a code that B2C is not known to return" }
        switch id.dropFirst(3).prefix(2) {
        case "10": return "an error of Microsoft.IdentityModel: a token is validated or signed"
        case "11", "12", "14": return "an error of Microsoft.IdentityModel: a JSON Web Token is read or written"
        case "13": return "an error of Microsoft.IdentityModel: a SAML token is read"
        case "20": return "an error of Microsoft.IdentityModel: the metadata is fetched"
        case "21": return "an error of Microsoft.IdentityModel: an OpenID Connect message is checked"
        default: return "an error of Microsoft.IdentityModel that is not in the table"
        }
    }

    /// Microsoft Entra ID: behind B2C as an identity provider, for the local accounts of custom policies
    /// (login-NonInteractive), for Graph, and where a request misses B2C.
    private static let directory: [MessageCode] = [
        MessageCode(
            "AADSTS16000", "Several accounts are signed in, and the request allows no choice.",
            "Ask interactively, or send a login hint."),
        MessageCode(
            "AADSTS50000", "The directory failed to issue a token.",
            "Try again; then report it with the correlation id."),
        MessageCode(
            "AADSTS50001", "The directory does not know the resource.",
            "Check the resource or scope, and that the API exists in this tenant."),
        MessageCode(
            "AADSTS500011", "The directory does not know the resource principal of the scope.",
            "Check the application id URI in the scope, and that the API is registered in the tenant of the authority."),
        MessageCode(
            "AADSTS50011", "The directory does not know the redirect URI of the request.",
            "Register exactly that URI. If it is B2C's /oauth2/authresp, register it with the app at the identity provider."
        ),
        MessageCode(
            "AADSTS500113", "The app has no redirect URI registered in the directory.",
            "Register the redirect URI with the app that the request names."),
        MessageCode(
            "AADSTS50012", "The client secret or assertion failed authentication.",
            "Use a valid secret value of this app registration."),
        MessageCode(
            "AADSTS50013", "The assertion is invalid: signature, audience or time.",
            "Check the assertion's audience, times and key."),
        MessageCode(
            "AADSTS50020",
            "The account does not exist in the directory that the request went to.",
            "Check that the request goes to the B2C policy. At an identity provider: use the tenant of the account, /organizations or /common, or invite the account."
        ),
        MessageCode(
            "AADSTS500208", "The address is not a valid sign-in domain for this kind of account.",
            "Use an account of the kind that the app registration supports."),
        MessageCode(
            "AADSTS500207", "This kind of account cannot be used for the resource.",
            "Use an account of a kind that the app registration supports."),
        MessageCode(
            "AADSTS50034", "The account does not exist in the directory.",
            "Check the sign-in name. In a custom policy: check that the account exists in this B2C tenant and that signInName is mapped."
        ),
        MessageCode(
            "AADSTS50049", "Microsoft Entra ID does not know the host: it was asked about a B2C or custom host.",
            "Use the B2C authority type with the policy. For client credentials without a person use login.microsoftonline.com/{tenant}."
        ),
        MessageCode(
            "AADSTS50053", "The account is locked after too many wrong passwords, or the address is blocked.",
            "Wait, or reset the password."),
        MessageCode("AADSTS50055", "The password has expired.", "Reset the password."),
        MessageCode("AADSTS50057", "The account is disabled.", "Enable the account in the directory."),
        MessageCode(
            "AADSTS50058", "Silent sign-in was asked for and nobody is signed in.", "Ask interactively."),
        MessageCode(
            "AADSTS50059", "The request names no tenant.", "Put the tenant into the authority or the credential."),
        MessageCode(
            "AADSTS50064", "The credentials failed validation.", "Check sign-in name and password."),
        MessageCode(
            "AADSTS50072", "The account must set up a second factor first.", "Sign in interactively once."),
        MessageCode(
            "AADSTS50074", "A second factor is required.", "Sign in interactively."),
        MessageCode(
            "AADSTS50076", "A second factor is required, by a policy of the directory.", "Sign in interactively."),
        MessageCode(
            "AADSTS50079", "The account must set up a second factor.", "Sign in interactively once."),
        MessageCode(
            "AADSTS50105", "The account is not assigned to the app.",
            "Assign the account to the enterprise application, or turn off \"Assignment required\"."),
        MessageCode(
            "AADSTS50126", "User name or password is wrong.",
            "Check the credentials. In a custom policy this is the ordinary answer to a wrong password of a local account."
        ),
        MessageCode(
            "AADSTS50128", "The tenant of the request does not exist.", "Check the tenant name or id in the authority."),
        MessageCode(
            "AADSTS50131", "A Conditional Access policy refuses the device or place.",
            "Ask the administrator of the directory."),
        MessageCode(
            "AADSTS50132", "The session is not valid any more: the password changed or it was revoked.",
            "Sign in again."),
        MessageCode(
            "AADSTS50146", "The app needs a signing key of its own, which is not configured.",
            "Give the app its own signing key, or set acceptMappedClaims in its manifest."),
        MessageCode(
            "AADSTS50173", "The grant was revoked: the password changed or sessions were revoked.", "Sign in again."),
        MessageCode(
            "AADSTS50194", "The app is single-tenant and the request went to /common.",
            "Use the tenant in the address, or register the app for several tenants."),
        MessageCode(
            "AADSTS50196", "The client loops: it sent the same request too often.",
            "Find what repeats the request; use the token cache."),
        MessageCode(
            "AADSTS51004", "The account does not exist in the directory.", "Check the sign-in name and the tenant."),
        MessageCode("AADSTS53000", "Conditional Access requires a compliant device.", "Ask the administrator."),
        MessageCode("AADSTS53003", "Conditional Access blocks the access.", "Ask the administrator."),
        MessageCode(
            "AADSTS54005", "The authorization code was redeemed before.",
            "Redeem a code once: check for a double call, a reload or Back."),
        MessageCode(
            "AADSTS65001", "Nobody has consented to a permission of the app.",
            "Grant admin consent. In a custom policy: for IdentityExperienceFramework and ProxyIdentityExperienceFramework."
        ),
        MessageCode("AADSTS65004", "The person declined consent.", "Treat it as a cancel."),
        MessageCode(
            "AADSTS65005", "The app asks for a resource that its registration does not list.",
            "Add the permission to the registration."),
        MessageCode(
            "AADSTS650052", "The organization has no subscription or principal for the resource.",
            "Check that the API exists in the tenant and grant consent."),
        MessageCode(
            "AADSTS650053", "The app asks for a scope that the resource does not have.",
            "Compare the scope with those that the resource exposes."),
        MessageCode(
            "AADSTS650056", "The app is misconfigured: no permission, no consent, or the wrong tenant.",
            "Add at least User.Read, grant consent, and check the client id and tenant."),
        MessageCode(
            "AADSTS650057", "The resource is not among the permissions of the app.",
            "Add the permission to the registration."),
        MessageCode(
            "AADSTS70000", "The grant is invalid or was asked for by another app.", "Sign in again."),
        MessageCode(
            "AADSTS700003", "The device is not known to the directory.", "Register the device again."),
        MessageCode(
            "AADSTS70001", "The directory does not know the app.", "Check the client id and the tenant."),
        MessageCode(
            "AADSTS700016",
            "The directory does not have an app with this client id.",
            "Check the client id and the tenant of the request. In a custom policy: check the ids of IdentityExperienceFramework and ProxyIdentityExperienceFramework in login-NonInteractive."
        ),
        MessageCode(
            "AADSTS70002", "The client credentials are invalid.", "Check client id and secret."),
        MessageCode(
            "AADSTS7000112", "The app is disabled in the directory.", "Enable the app or its enterprise application."),
        MessageCode(
            "AADSTS7000215", "The client secret is not valid.",
            "Use the secret's value, not its id, from this very app registration; update it where it is stored, such as the policy key."
        ),
        MessageCode(
            "AADSTS7000218", "The request has neither client_secret nor client_assertion.",
            "Send the secret, or set \"Allow public client flows\" to Yes. In a custom policy: for ProxyIdentityExperienceFramework."
        ),
        MessageCode(
            "AADSTS7000222", "The client secret has expired.",
            "Create a new secret and update it where it is stored, such as the policy key."),
        MessageCode(
            "AADSTS7000012", "The grant belongs to another tenant.", "Redeem it at the tenant that issued it."),
        MessageCode(
            "AADSTS7000014", "The request is not supported for this kind of grant.",
            "Check grant_type and the endpoint."),
        MessageCode("AADSTS70008", "The code or refresh token has expired.", "Sign in again."),
        MessageCode("AADSTS700081", "The refresh token has reached its maximum age.", "Sign in again."),
        MessageCode("AADSTS700082", "The refresh token expired because it was not used.", "Sign in again."),
        MessageCode(
            "AADSTS700084", "The refresh token of a single-page app has ended after its fixed 24 hours.",
            "Sign in again."),
        MessageCode(
            "AADSTS700009", "The request needs a reply address or code of the same app.",
            "Send the redirect URI of the authorize request."),
        MessageCode(
            "AADSTS70011", "A scope of the request is not valid.",
            "Check the scope. With client credentials use {resource}/.default."),
        MessageCode(
            "AADSTS700022", "The scope mixes several resources.", "Ask for one resource at a time."),
        MessageCode(
            "AADSTS700025", "A public client sent a secret or assertion.",
            "Send no secret, or register the app as a confidential client."),
        MessageCode(
            "AADSTS700027", "The signature of the client assertion is not valid.",
            "Check the certificate: upload the one that signs."),
        MessageCode(
            "AADSTS700030", "The certificate of the client assertion is not valid.", "Use a valid certificate."),
        MessageCode(
            "AADSTS700051", "response_type has token, and the app may not get tokens at the authorize endpoint.",
            "Use the code flow, or turn on access tokens for the implicit grant."),
        MessageCode(
            "AADSTS700054", "response_type has id_token, and the app may not get one at the authorize endpoint.",
            "Turn on ID tokens for the app at the identity provider, or use response_type=code."),
        MessageCode("AADSTS70020", "The device code has expired.", "Start the device code flow again."),
        MessageCode("AADSTS70043", "The refresh token was revoked by a sign-in frequency rule.", "Sign in again."),
        MessageCode(
            "AADSTS75005", "The SAML request is not supported.", "Check the request against the app's SAML settings."),
        MessageCode("AADSTS75011", "The SAML request wants another authentication method.", "Relax AuthnContext."),
        MessageCode(
            "AADSTS750054", "The SAML request or response is missing in the query.",
            "Check the binding and the address that the request goes to."),
        MessageCode(
            "AADSTS700005", "The code or refresh token was issued to another tenant.",
            "Redeem it at the tenant that issued it."),
        MessageCode("AADSTS80014", "Pass-through authentication took too long.", "Try again later."),
        MessageCode(
            "AADSTS90002", "The tenant does not exist.",
            "Check the tenant name or id, and the cloud, in the authority."),
        MessageCode(
            "AADSTS900021", "The tenant of the request is an empty id.", "Put the tenant into the setting."),
        MessageCode("AADSTS900023", "The tenant is neither a domain nor an id.", "Check the tenant in the authority."),
        MessageCode("AADSTS90008", "The app needs the permission User.Read.", "Add it and grant consent."),
        MessageCode(
            "AADSTS90009", "The app asks for a token for itself by a wrong name.",
            "Use the client id as resource."),
        MessageCode(
            "AADSTS90013", "The request is malformed.", "Compare the parameters with the documentation."),
        MessageCode(
            "AADSTS90014", "A required parameter of the request is missing or empty.",
            "Send the parameter that the message names; often a setting is empty."),
        MessageCode(
            "AADSTS900144", "A required parameter of the request body is missing.",
            "Send the parameter that the message names, in a form body; often a setting is empty."),
        MessageCode(
            "AADSTS90015", "The query is too long.", "Send less state, or use form_post."),
        MessageCode("AADSTS90019", "The request names no tenant.", "Put the tenant into the authority."),
        MessageCode("AADSTS90023", "The request is not valid.", "Compare the parameters with the documentation."),
        MessageCode(
            "AADSTS90130", "The app is not supported over /common or /consumers.",
            "Use the tenant in the address; for B2C the authority with tenant and policy."),
        MessageCode(
            "AADSTS50140", "The sign-in was interrupted by the question whether to stay signed in.",
            "Let the person answer it."),
        MessageCode("AADSTS50177", "The account is external and has no access to the app.", "Invite the account."),
        MessageCode("AADSTS70003", "The grant type is not supported.", "Check grant_type and the endpoint."),
        MessageCode("AADSTS70005", "The response type is not supported or not enabled.", "Check response_type."),
        MessageCode(
            "AADSTS90055", "Too many requests were sent to the tenant.", "Wait, then try again; find what repeats them."
        ),
        MessageCode(
            "AADSTS90056", "The endpoint got a request that is not one for tokens.",
            "Send a POST with a form to the token endpoint."),
        MessageCode("AADSTS90033", "The service is unavailable for a moment.", "Try again."),
        MessageCode(
            "AADSTS90072", "The account does not exist in the tenant.", "Invite the account, or use its tenant."),
        MessageCode("AADSTS90093", "The app needs consent of an administrator.", "Ask an administrator to consent."),
        MessageCode("AADSTS90094", "The app needs consent of an administrator.", "Ask an administrator to consent."),
        MessageCode("AADSTS90095", "The app needs consent of an administrator.", "Ask an administrator to consent."),
        MessageCode(
            "AADSTS900561", "The endpoint takes POST and got GET.",
            "Do not open the token or SAML endpoint in a browser; check the redirect of the form."),
        MessageCode(
            "AADSTS900971", "The request has no reply address.", "Send redirect_uri, and register it."),
        MessageCode(
            "AADSTS9001023", "The grant is not supported for personal accounts over this endpoint.",
            "Use /organizations or the tenant."),
        MessageCode(
            "AADSTS9002313", "The request is malformed or not valid.",
            "Check every parameter; often a value is encoded twice or a grant of B2C went to a directory's endpoint."),
        MessageCode(
            "AADSTS9002325",
            "The redirect URI is registered as a single-page application, which needs PKCE, and a server redeems the code without it.",
            "Register B2C's or the server's redirect URI under Web, not under single-page application."),
        MessageCode(
            "AADSTS9002326",
            "A browser redeems the code, and the redirect URI is not registered as a single-page application.",
            "Register the redirect URI under single-page application."),
        MessageCode(
            "AADSTS9002327",
            "A server redeems a code that was issued for a single-page application.",
            "Register the redirect URI under Web, or redeem the code in the browser."),
        MessageCode(
            "AADSTS9002341", "The person must sign in to reach the app.", "Ask interactively."),
        MessageCode(
            "AADSTS9002346", "The app is for personal accounts only, and the request went to another endpoint.",
            "Use /consumers."),
        MessageCode(
            "AADSTS901002", "The parameter resource is not supported.", "Send scope in place of resource."),
        MessageCode(
            "AADSTS1002016", "The client uses TLS 1.0, 1.1 or 3DES.", "Use TLS 1.2 or later."),
        MessageCode(
            "AADSTS240002", "The ID token cannot be used as a grant.", "Check the grant of the request."),
        MessageCode(
            "AADSTS500031", "The directory cannot find a signing certificate.",
            "Report it to the directory's administrator."
        ),
        MessageCode(
            "AADSTS500133", "The assertion is outside its valid time.", "Check the clock; ask for a fresh token."),
        MessageCode(
            "AADSTS501051", "The account is not assigned to the app.", "Assign it to the enterprise application."),
        MessageCode(
            "AADSTS501461", "acceptMappedClaims needs an audience of the app itself.", "Use the client id as audience."),
        MessageCode(
            "AADSTS5000811", "The signature of the SAML token cannot be verified.",
            "Renew the certificate of the federated provider."),
        MessageCode(
            "AADSTS7500514", "The SAML response has no usable identifier.", "Check the NameID of the provider."),
        MessageCode(
            "AADSTS16001",
            "The person chose another account than the one asked for.",
            "Start the sign-in again."),
        MessageCode(
            "AADSTS50027",
            "The token in the request is malformed.",
            "Check the assertion or token that is sent."),
        MessageCode(
            "AADSTS50056",
            "The account has no password in the directory.",
            "Set a password, or sign in another way."),
        MessageCode(
            "AADSTS50078",
            "The second factor has expired.",
            "Sign in interactively."),
        MessageCode(
            "AADSTS50085",
            "The refresh token needs the sign-in of an identity provider.",
            "Sign in again."),
        MessageCode(
            "AADSTS50089",
            "The flow token has expired.",
            "Start the sign-in again."),
        MessageCode(
            "AADSTS50097",
            "The directory requires device authentication.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS50107",
            "The federated realm of the account does not exist.",
            "Check the account's domain."),
        MessageCode(
            "AADSTS50133",
            "The session is not valid any more: the password has expired or changed.",
            "Sign in again."),
        MessageCode(
            "AADSTS50135",
            "The password must be changed.",
            "Change the password."),
        MessageCode(
            "AADSTS50142",
            "The password must be changed, by a policy on risk.",
            "Change the password."),
        MessageCode(
            "AADSTS50144",
            "The password of the account in the local directory has expired.",
            "Change the password there."),
        MessageCode(
            "AADSTS50147",
            "The code challenge is missing or malformed.",
            "Send code_challenge with S256."),
        MessageCode(
            "AADSTS50148",
            "The code_verifier does not fit the code_challenge.",
            "Keep the verifier of each request until its code is redeemed."),
        MessageCode(
            "AADSTS501481",
            "The code_verifier does not fit the code_challenge of the request.",
            "Keep the verifier of each request until its code is redeemed."),
        MessageCode(
            "AADSTS50158",
            "A further check by another provider is required.",
            "Sign in interactively."),
        MessageCode(
            "AADSTS50168",
            "The browser extension or client certificate is missing.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS50178",
            "The session control refuses the session.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS50199",
            "The person must confirm the app first.",
            "Sign in interactively."),
        MessageCode(
            "AADSTS500121",
            "The second factor failed or was not answered.",
            "Try again, and answer the request on the device."),
        MessageCode(
            "AADSTS500341",
            "The account was deleted from the directory.",
            "Create or restore the account."),
        MessageCode(
            "AADSTS51001",
            "The directory needs a hint of the domain.",
            "Send domain_hint."),
        MessageCode(
            "AADSTS53001",
            "The device is not joined to the directory, which Conditional Access requires.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS53002",
            "The app is not one that Conditional Access allows.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS53004",
            "The person must register a second factor first.",
            "Register it."),
        MessageCode(
            "AADSTS530032",
            "Conditional Access blocks the request.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS54000",
            "The account is a minor's and blocked by law.",
            "Ask the administrator."),
        MessageCode(
            "AADSTS70004",
            "The redirect URI is not valid.",
            "Register exactly the URI that the request has."),
        MessageCode(
            "AADSTS70007",
            "response_mode is not valid for the request.",
            "Check response_mode."),
        MessageCode(
            "AADSTS70016",
            "The person has not yet finished the device code flow.",
            "Go on asking at the interval."),
        MessageCode(
            "AADSTS70018",
            "The verification code is wrong or has expired.",
            "Start the device code flow again."),
        MessageCode(
            "AADSTS70019",
            "The verification code has expired.",
            "Start the device code flow again."),
        MessageCode(
            "AADSTS700007",
            "The assertion has another issuer or subject than is registered.",
            "Compare the assertion with the app's credentials."),
        MessageCode(
            "AADSTS700021",
            "The audience of the client assertion is not the token endpoint.",
            "Set `aud` to the token endpoint."),
        MessageCode(
            "AADSTS700024",
            "The client assertion is outside its valid time: it has expired or the clock is wrong.",
            "Compare the clocks; make a new assertion."),
        MessageCode(
            "AADSTS700023",
            "The audience of the client assertion is not the token endpoint.",
            "Set `aud` to the token endpoint."),
        MessageCode(
            "AADSTS700211",
            "No federated credential of the app has the issuer of the assertion.",
            "Compare issuer with the app's federated credentials."),
        MessageCode(
            "AADSTS700213",
            "No federated credential of the app has the subject of the assertion.",
            "Compare subject with the app's federated credentials."),
        MessageCode(
            "AADSTS7000110",
            "The request is malformed: a parameter has a wrong value.",
            "Compare the parameters with the documentation."),
        MessageCode(
            "AADSTS7000114",
            "The app may not make on-behalf-of calls.",
            "Check the grant of the request."),
        MessageCode(
            "AADSTS7000216",
            "The grant needs client_secret, client_assertion or device certificate, and the request has none.",
            "Send the credential."),
        MessageCode(
            "AADSTS7000229",
            "The app has no service principal in the tenant.",
            "Create it: grant admin consent in this tenant."),
        MessageCode(
            "AADSTS90027",
            "The request goes to the wrong version of the endpoint.",
            "Use the v2.0 endpoint with an app that supports it."),
        MessageCode(
            "AADSTS90036",
            "The directory failed for a moment.",
            "Try again."),
        MessageCode(
            "AADSTS90043",
            "The session's data cannot be kept.",
            "Try again in a new window."),
        MessageCode(
            "AADSTS90051",
            "The national cloud of the request is not known.",
            "Check the host of the authority."),
        MessageCode(
            "AADSTS90085",
            "The service cannot issue a token, since the company object is missing.",
            "Report it to support."),
        MessageCode(
            "AADSTS90092",
            "The graph of the permission cannot be read.",
            "Check the permissions of the app."),
        MessageCode(
            "AADSTS90099",
            "The app has not been authorized in the tenant.",
            "Ask an administrator to consent."),
        MessageCode(
            "AADSTS90100",
            "A parameter of the request is empty or not valid.",
            "Send the parameter that the message names."),
        MessageCode(
            "AADSTS900382",
            "Confidential clients are not supported in a cross-cloud request.",
            "Use the authority of the app's cloud."),
        MessageCode(
            "AADSTS900384",
            "The token failed the check of its signature.",
            "Send the token as it was issued, by this authority."),
        MessageCode(
            "AADSTS900432",
            "A confidential client is not supported for this request.",
            "Check the app's kind."),
        MessageCode(
            "AADSTS900439",
            "The app is registered in another cloud than the one asked.",
            "Use the authority of that cloud."),
        MessageCode(
            "AADSTS1000000",
            "The user is not bound to the app.",
            "Sign in again."),
        MessageCode(
            "AADSTS1000104",
            "The app does not exist or is disabled in the tenant.",
            "Check the client id and tenant."),
        MessageCode(
            "AADSTS9001011",
            "Policies of the old form are not supported.",
            "Use an app registration of today."),
        MessageCode(
            "AADSTS120002",
            "The new password is too weak.",
            "Choose a stronger one."),
    ]

    /// Microsoft.IdentityModel: tokens, keys, metadata, OpenID Connect messages.
    private static let validation: [MessageCode] = [
        MessageCode(
            "IDX10000", "A parameter is null or empty.",
            "Look at the parameter that the message names; a setting is missing."),
        MessageCode(
            "IDX10204", "The API has no expected issuer: ValidIssuer, ValidIssuers and the metadata are empty.",
            "Set the authority or the metadata address of the policy."),
        MessageCode(
            "IDX10205", "The token's issuer is not one that is expected.",
            "Compare both issuers in the message; read the metadata of the policy and host that issued the token."),
        MessageCode("IDX10206", "The token has no audience.", "Check which token is sent."),
        MessageCode("IDX10207", "The token has no audience.", "Check which token is sent."),
        MessageCode(
            "IDX10208", "The API has no expected audience: ValidAudience and ValidAudiences are empty.",
            "Set ClientId or Audience of the API; check that its settings are loaded."),
        MessageCode("IDX10211", "The token has no issuer.", "Check which token is sent."),
        MessageCode(
            "IDX10214", "The token's audience is not the expected one.",
            "Compare both audiences in the message, also for spaces; ask for a scope of this API and send the access token."
        ),
        MessageCode("IDX10222", "The token is not valid yet.", "Compare the clocks."),
        MessageCode(
            "IDX10223", "The token has expired.",
            "Ask for a token before each call and send the newest; compare the clocks."),
        MessageCode("IDX10224", "The token's times contradict each other.", "Check who made the token."),
        MessageCode("IDX10225", "The token has no expiry.", "Check who made the token."),
        MessageCode("IDX10230", "The app's own lifetime check refused the token.", "Look at LifetimeValidator."),
        MessageCode("IDX10231", "The app's own audience check refused the token.", "Look at AudienceValidator."),
        MessageCode("IDX10232", "The app's own key check refused the token.", "Look at IssuerSigningKeyValidator."),
        MessageCode("IDX10249", "The signing key has expired.", "Check the certificate of the key."),
        MessageCode(
            "IDX10311", "The nonce of the request is missing when the answer arrives: its cookie did not come along.",
            "Check SameSite, https, host and path of the nonce cookie, and whether the answer arrives twice."),
        MessageCode(
            "IDX10500",
            "The API has no signing keys: the metadata was not read, or the handler is not the configured one.",
            "Check the metadata address with its policy, and that the scheme that runs is the one with the settings."),
        MessageCode(
            "IDX10501", "The key that signed the token is not among the keys that the API knows.",
            "Compare the token's kid with the keys of the metadata that the API reads, and its issuer with that metadata's."
        ),
        MessageCode(
            "IDX10503", "None of the keys that were tried verifies the signature.",
            "Compare the token's kid with the keys of the metadata that the API reads."),
        MessageCode("IDX10504", "The token has no signature.", "Send the whole token."),
        MessageCode("IDX10505", "The app's own signature check returned no token.", "Look at SignatureValidator."),
        MessageCode(
            "IDX10506", "The app's own signature check returned another kind of token.", "Look at SignatureValidator."),
        MessageCode("IDX10508", "The signature is malformed.", "Send the whole token."),
        MessageCode(
            "IDX10511",
            "The key is known and the signature is not valid: the token was changed, or is for Microsoft Graph.",
            "Send the token as it was issued. A token with `nonce` in its header is for Graph alone."),
        MessageCode(
            "IDX10512", "The signature is not valid, and the token names no key.", "Compare the keys of issuer and API."
        ),
        MessageCode(
            "IDX10516",
            "The key that signed the token is not among the keys that the API knows; the message also says whether issuer and lifetime are valid.",
            "If it says Valid Issuer: 'False', the token is from another authority than the API expects; else compare the kid with the metadata's keys."
        ),
        MessageCode(
            "IDX10517", "No key verifies the token, and the token names no key.", "Compare the keys of issuer and API."),
        MessageCode(
            "IDX10609", "The token is encrypted, and no key to decrypt it is known.", "Ask for a signed token."),
        MessageCode("IDX10612", "The token cannot be decrypted.", "Check which token is sent."),
        MessageCode("IDX10618", "The token cannot be decrypted.", "Check which token is sent."),
        MessageCode("IDX10620", "The key cannot be unwrapped.", "Check the key."),
        MessageCode("IDX10630", "The key cannot make signatures.", "Use a private key."),
        MessageCode("IDX10634", "The algorithm is not supported for this key.", "Compare `alg` with the key."),
        MessageCode("IDX10653", "The key is too short for the algorithm.", "Use a longer key."),
        MessageCode("IDX10720", "The key is too short for the algorithm.", "Use a longer key."),
        MessageCode(
            "IDX10709", "The text is not a token in compact form.", "Check what is sent as Bearer token."),
        MessageCode(
            "IDX10803", "The metadata cannot be fetched.", "Open the metadata address from the machine of the app."),
        MessageCode(
            "IDX10804", "The document of the metadata cannot be fetched.",
            "Open the address from the machine of the app."),
        MessageCode("IDX12401", "The expiry lies before the begin.", "Check who made the token."),
        MessageCode("IDX12700", "A claim or header is of an unexpected type.", "Check who made the token."),
        MessageCode(
            "IDX12709", "The text is not a token: it does not have the three parts of a JWT.",
            "Check what is sent after `Bearer `: a whole JWT without quotes."),
        MessageCode("IDX12723", "The payload of the token cannot be decoded.", "Send the whole token."),
        MessageCode("IDX12729", "The header of the token cannot be decoded.", "Send the whole token."),
        MessageCode("IDX12739", "The token is not well formed.", "Send the whole token."),
        MessageCode(
            "IDX12741", "The text is not a token: it must have three parts, or five when encrypted.",
            "Check what is sent after `Bearer `: a whole JWT without quotes."),
        MessageCode(
            "IDX14100", "The text is not a token: it has no dots.",
            "Check what is sent after `Bearer `: a whole JWT, not an opaque code, `undefined` or `null`."),
        MessageCode("IDX14101", "The payload of the token cannot be decoded.", "Send the whole token."),
        MessageCode("IDX14102", "The header of the token cannot be decoded.", "Send the whole token."),
        MessageCode(
            "IDX14120", "The text is not a token: it has a wrong number of parts.",
            "Check what is sent after `Bearer `."),
        MessageCode(
            "IDX20108", "The metadata address is not https.",
            "Use https, or RequireHttpsMetadata=false on your own machine."),
        MessageCode(
            "IDX20803", "The metadata cannot be fetched or read.",
            "Open the address in the message from the machine of the app: is the policy in it, and does the network, proxy and TLS allow it?"
        ),
        MessageCode(
            "IDX20804", "The document cannot be fetched.",
            "Open the address in the message from the machine of the app: network, proxy, TLS 1.2 and spelling."),
        MessageCode(
            "IDX20807", "The document cannot be fetched: the server answered with an error status.",
            "Open the address in the message: is the policy in it?"),
        MessageCode(
            "IDX21314", "The ID token lacks a claim that OpenID Connect requires.",
            "Return the claim that the message names."),
        MessageCode(
            "IDX21323", "The nonce of the request is missing when the answer arrives: its cookie did not come along.",
            "Check SameSite, https, host and path of the nonce cookie, and whether the answer arrives twice."),
        MessageCode(
            "IDX40001", "The token's issuer is not one that is expected.",
            "Compare the token's `iss` with the metadata that the API reads; for B2C name the policy in the settings."),
        MessageCode(
            "IDX40003", "The token has neither tid nor tenantId.",
            "Configure the API for B2C, not for a multi-tenant directory: name the policy in the settings."),
        MessageCode(
            "IDX10209",
            "The token is longer than the API allows.",
            "Return fewer or shorter claims, or raise MaximumTokenSizeInBytes."),
        MessageCode(
            "IDX10227",
            "The token is to be used once and has no expiry.",
            "Check who made the token."),
        MessageCode(
            "IDX10228",
            "The token was used before, and the API takes each token once.",
            "Ask for a new token for each call, or turn replay detection off."),
        MessageCode(
            "IDX10229",
            "The token was used before, or the store for replays refuses it.",
            "Check the replay cache."),
        MessageCode(
            "IDX10248",
            "The certificate of the signing key is not valid yet.",
            "Check the certificate's dates and the machine's clock."),
        MessageCode(
            "IDX10253",
            "The token must be signed, and no key was found to check it.",
            "Check the metadata address."),
        MessageCode(
            "IDX10256",
            "The token has no `typ`, and the API expects one.",
            "Check which token is sent."),
        MessageCode(
            "IDX10257",
            "The token's `typ` is not the expected one.",
            "Check which token is sent, and ValidTypes."),
        MessageCode(
            "IDX10400",
            "A part of the token cannot be decoded: it is not base64url.",
            "Send the whole token, as it was issued."),
        MessageCode(
            "IDX10509",
            "The app's own signature check returned another kind of token.",
            "Look at SignatureValidator."),
        MessageCode(
            "IDX10510",
            "The app's own signature check returned no token.",
            "Look at SignatureValidator."),
        MessageCode(
            "IDX10518",
            "The keys of the metadata do not fit the token's algorithm.",
            "Compare `alg` with the keys."),
        MessageCode(
            "IDX10603",
            "None of the keys decrypts the token.",
            "Compare the encryption key of the issuer with the app's."),
        MessageCode(
            "IDX10652",
            "The algorithm is not supported.",
            "Compare `alg` with what the app supports."),
        MessageCode(
            "IDX10696",
            "The token's algorithm is not among those that the API allows.",
            "Compare `alg` with ValidAlgorithms."),
        MessageCode(
            "IDX10703",
            "The key is empty.",
            "Set the key or secret that the setting names."),
        MessageCode(
            "IDX12720",
            "The text is not a token.",
            "Check what is sent after `Bearer `."),
        MessageCode(
            "IDX14107",
            "The text is not a token.",
            "Check what is sent after `Bearer `."),
        MessageCode(
            "IDX14121",
            "The text is not a whole token.",
            "Send the whole token."),
        MessageCode(
            "IDX14122",
            "The text is not a token: it has too many parts.",
            "Check what is sent after `Bearer `."),
        MessageCode(
            "IDX20806",
            "The metadata could not be refreshed; the previous metadata stays in use.",
            "Open the metadata address from the machine of the app."),
        MessageCode(
            "IDX20808",
            "The document could not be fetched; the call is repeated.",
            "Look at the status in the message."),
        MessageCode(
            "IDX20809",
            "The document cannot be fetched: the server answered with an error status.",
            "Open the address in the message: is the policy in it?"),
        MessageCode(
            "IDX20810",
            "The metadata was fetched and is not usable.",
            "Check that the metadata has issuer and keys: open its address."),
        MessageCode(
            "IDX21105",
            "NonceLifetime is zero or less.",
            "Set a time greater than zero."),
        MessageCode(
            "IDX21106",
            "The metadata is not JSON.",
            "Open the metadata address: a page of a proxy or an error may come."),
        MessageCode(
            "IDX21300",
            "The hash in the ID token does not fit the code or access token.",
            "Use the token and code of one answer."),
        MessageCode(
            "IDX21301",
            "The hash in the ID token cannot be computed: its algorithm is not usable.",
            "Check `alg` of the token."),
        MessageCode(
            "IDX21302",
            "The algorithm of the ID token is not supported.",
            "Check `alg` of the token."),
        MessageCode(
            "IDX21306",
            "c_hash of the ID token is not a text.",
            "Check who made the token."),
        MessageCode(
            "IDX21307",
            "The answer has a code, and the ID token lacks c_hash.",
            "Check who made the token."),
        MessageCode(
            "IDX21308",
            "The ID token has azp, and the app knows no client id to compare it with.",
            "Set ClientId."),
        MessageCode(
            "IDX21311",
            "at_hash of the ID token is not a text.",
            "Check who made the token."),
        MessageCode(
            "IDX21312",
            "The answer has an access token, and the ID token lacks at_hash.",
            "Check who made the token."),
        MessageCode(
            "IDX21313",
            "The app's own check refused the ID token.",
            "Look at the inner exception."),
        MessageCode(
            "IDX21315",
            "The ID token lacks `acr`, which the app requires.",
            "Set RequireAcr to false, or return the claim."),
        MessageCode(
            "IDX21316",
            "The ID token lacks `amr`, which the app requires.",
            "Set RequireAmr to false."),
        MessageCode(
            "IDX21317",
            "The ID token lacks auth_time, which the app requires.",
            "Return auth_time, or set RequireAuthTime to false."),
        MessageCode(
            "IDX21318",
            "The ID token lacks `azp`, which the app requires.",
            "Set RequireAzp to false."),
        MessageCode(
            "IDX21320",
            "The nonce must be checked and neither the token nor the app has one: both are missing.",
            "Start the sign-in in the app, and check the nonce cookie."),
        MessageCode(
            "IDX21321",
            "The token's nonce is not the one of the request.",
            "Run one sign-in at a time; do not open an old answer again."),
        MessageCode(
            "IDX21324",
            "The nonce of the request has expired: the sign-in took longer than the nonce lives, one hour by default.",
            "Start the sign-in again; check the server's clock, and raise NonceLifetime where people need longer."),
        MessageCode(
            "IDX21325",
            "The nonce has no time in it: the app did not make it with the library.",
            "Let the library make the nonce, or turn RequireTimeStampInNonce off."),
        MessageCode(
            "IDX21326",
            "The time in the nonce is malformed: the app did not make the nonce with the library.",
            "Let the library make the nonce."),
        MessageCode(
            "IDX21327",
            "The time in the nonce is malformed.",
            "Let the library make the nonce."),
        MessageCode(
            "IDX21329",
            "The app has no state for the answer: none was sent, or its cookie did not come along.",
            "Start the sign-in in the app; do not open its callback directly."),
        MessageCode(
            "IDX21330",
            "The answer has no state, and the request had one.",
            "Start the sign-in in the app, and look for what drops the state on the way."),
        MessageCode(
            "IDX21331",
            "The state of the answer is not that of the request.",
            "Start the sign-in in the app."),
        MessageCode(
            "IDX21332",
            "The response has no ID token to check.",
            "Request the scope `openid`, and check which parameters the response has."),
        MessageCode(
            "IDX21333",
            "There is no response to check.",
            "Check which parameters the callback received."),
        MessageCode(
            "IDX21334",
            "The answer holds neither code nor ID token.",
            "Look at the answer's error, and at response_type of the request."),
        MessageCode(
            "IDX21335",
            "The answer at the callback holds a refresh token, which may not come there.",
            "Check the endpoint that the app uses."),
        MessageCode(
            "IDX21336",
            "The token endpoint's answer lacks the ID token or the access token.",
            "Ask for openid, and for a scope of an API or the client id where an access token is needed."),
        MessageCode(
            "IDX21337",
            "The answer of the userinfo endpoint is empty.",
            "Turn GetClaimsFromUserInfoEndpoint off: user flows offer no such endpoint."),
        MessageCode(
            "IDX21338",
            "`sub` of the ID token is not that of the userinfo answer.",
            "Turn GetClaimsFromUserInfoEndpoint off, or let the policy return one subject in both."),
        MessageCode(
            "IDX21339",
            "The ID token is for several audiences and lacks `azp`.",
            "Check which token is sent."),
        MessageCode(
            "IDX21340",
            "`azp` of the ID token is not the app's client id: the token is for another app.",
            "Compare the client ids of the request and the app."),
        MessageCode(
            "IDX21343",
            "The answer of the userinfo endpoint cannot be read.",
            "Turn GetClaimsFromUserInfoEndpoint off."),
        MessageCode(
            "IDX21345",
            "The answer of the userinfo endpoint has no `sub`.",
            "Turn GetClaimsFromUserInfoEndpoint off."),
        MessageCode(
            "IDX21346",
            "The ID token has no `sub`.",
            "Let the policy return the subject."),
        MessageCode(
            "IDX21347",
            "c_hash of the ID token does not fit the code.",
            "Use the token and code of one answer."),
        MessageCode(
            "IDX21348",
            "at_hash of the ID token does not fit the access token.",
            "Use tokens of one answer."),
        MessageCode(
            "IDX21349",
            "The ID token has no nonce, and the request had one.",
            "Check that the answer is the one to this request, and that the policy passes the nonce on."),
        MessageCode(
            "IDX21350",
            "The header of the ID token has no `alg`.",
            "Check who made the token."),
        MessageCode(
            "IDX21815",
            "The metadata or its keys are not the JSON that is expected.",
            "Open the address: a page of a proxy or an error may come."),
        MessageCode(
            "IDX21816",
            "The metadata has fewer keys than the app requires.",
            "Open jwks_uri of the metadata."),
        MessageCode(
            "IDX21817",
            "The metadata has no keys.",
            "Open jwks_uri of the metadata, and check the policy's signing key."),
        MessageCode(
            "IDX21818",
            "The metadata has fewer valid keys than the app requires.",
            "Open jwks_uri of the metadata."),
        MessageCode(
            "IDX40004",
            "The token's issuer does not contain the tenant id of the token.",
            "Compare `iss` and `tid`; for B2C name the policy in the settings, so that the check for directories is not used."
        ),
        MessageCode(
            "IDX40005",
            "The issuer of the token is not the issuer of the key that signed it.",
            "Read the metadata of the policy that issued the token."),
        MessageCode(
            "IDX40007",
            "The token must be signed, and no key was found to check it.",
            "Check the metadata address."),
    ]

    /// Codes of B2C that appear in reports and not in its documentation.
    private static let service: [MessageCode] = [
        MessageCode(
            "AADB2C99068", "Client credentials take no single scope.",
            "Ask for {application id URI}/.default; give the app application permissions (app roles). To call as a person use another grant."
        )
    ]

    /// Microsoft.Identity.Web.
    private static let web: [MessageCode] = [
        MessageCode(
            "IDW10104", "The app has neither client secret nor certificate.",
            "Set ClientSecret or ClientCertificates in the section that the app reads."),
        MessageCode("IDW10105", "The app has both client secret and certificate.", "Keep one."),
        MessageCode(
            "IDW10106", "A required option, which the message names, is missing in the settings that the scheme reads.",
            "Check the section and its deployment; where TenantId is asked for in a B2C app, SignUpSignInPolicyId is missing."
        ),
        MessageCode(
            "IDW10201", "The token has neither scp nor roles.",
            "Ask for a scope of the API, so that an access token comes; do not send the ID token. For apps without people use app roles."
        ),
        MessageCode(
            "IDW10303", "The token's issuer is not one that is expected.",
            "Compare the token's `iss` with the metadata that the API reads; for B2C name the policy in the settings."),
        MessageCode("IDW10400", "The cloud cannot be determined.", "Set Instance."),
        MessageCode(
            "IDW10502", "The call needs the person: MsalUiRequiredException.",
            "Add AuthorizeForScopes, or challenge the person; after a restart the in-memory cache is empty."),
        MessageCode(
            "IDW10001",
            "There is no request to work with: the call was made outside of one.",
            "Make the call while a request is handled."),
        MessageCode(
            "IDW10101",
            "AuthorizeForScopes has both or neither of its two settings for scopes.",
            "Give either Scopes or ScopeKeySection."),
        MessageCode(
            "IDW10102",
            "AuthorizeForScopes names a section, and the configuration is not in the services.",
            "Register IConfiguration, or give the scopes."),
        MessageCode(
            "IDW10103",
            "No scopes were given to the call.",
            "Name the scopes of the API that is called."),
        MessageCode(
            "IDW10107",
            "The scopes of the call are missing in the settings and in the code.",
            "Set Scopes in the section of the downstream API, or pass them."),
        MessageCode(
            "IDW10108",
            "RequiredScope has no value.",
            "Name the scopes on the controller, page or action, or the key of the setting that holds them."),
        MessageCode(
            "IDW10109",
            "No client certificate can be loaded, or all have expired.",
            "Renew the certificate, and check where it is read from."),
        MessageCode(
            "IDW10110",
            "No client credentials are valid or can be loaded.",
            "Check the section ClientCredentials."),
        MessageCode(
            "IDW10202",
            "The token's roles do not have what the API requires, or it has none.",
            "Assign the app role, and ask for a new token."),
        MessageCode(
            "IDW10203",
            "The token's scp does not have the scopes that the API requires.",
            "Compare scp of the token with the scopes in the API's settings; ask for that scope."),
        MessageCode(
            "IDW10204",
            "Nobody is signed in: the call came without a token or cookie, or the authentication did not run.",
            "Call UseAuthentication before UseAuthorization, and send the token."),
        MessageCode(
            "IDW10205",
            "The base address of the server app is not set.",
            "Check the registration of the consent handler."),
        MessageCode(
            "IDW10206",
            "The user of the server app is not set.",
            "Check the registration of the consent handler."),
        MessageCode(
            "IDW10207",
            "The scopes of the called API are missing.",
            "Set them."),
        MessageCode(
            "IDW10208",
            "No scopes for Microsoft Graph were given.",
            "Give scopes in AddMicrosoftGraph, the settings or the call."),
        MessageCode(
            "IDW10301",
            "The address of the issuers' metadata is missing.",
            "Check Instance."),
        MessageCode(
            "IDW10302",
            "Nothing can fetch the metadata.",
            "Check the registration of the services."),
        MessageCode(
            "IDW10401",
            "The token has neither tid nor tenantId.",
            "Configure the API for B2C, not for a multi-tenant directory: name the policy in the settings."),
        MessageCode(
            "IDW10402",
            "The answer has no client_info.",
            "Check that the answer comes from the policy's token endpoint."),
        MessageCode(
            "IDW10403",
            "The text is not a JWT.",
            "Check which token is sent."),
        MessageCode(
            "IDW10404",
            "Client credentials need a scope that ends in /.default.",
            "Ask for {application id URI}/.default."),
        MessageCode(
            "IDW10405",
            "Client credentials need a tenant by name or id, not common or organizations.",
            "Set the tenant."),
        MessageCode(
            "IDW10501",
            "The confidential client got no token.",
            "Look at the inner exception."),
        MessageCode(
            "IDW10503",
            "The scheme of the call is not one that is set up.",
            "Name the scheme that AddMicrosoftIdentityWebApp or AddMicrosoftIdentityWebApi registered."),
        MessageCode(
            "IDW10601",
            "A text is not base64url.",
            "Check the value."),
        MessageCode(
            "IDW10701",
            "The certificate is not PKCS #12.",
            "Use a PFX file."),
        MessageCode(
            "IDW10703",
            "The path of the certificate store is malformed.",
            "Write it as CurrentUser/My or LocalMachine/My."),
    ]
}

extension Cause {
    /// What codes say by themselves, for those that no other cause takes for a sign by itself. Where a cause wants more
    /// than the code, the code alone is reported as well, as likely only.
    static func codes(besides known: [Cause]) -> [Cause] {
        var alone: Set<String> = []
        var together: Set<String> = []
        for cause in known {
            for sign in cause.signs where sign.weight >= Sign.fairWeight {
                for alternative in sign.alternatives {
                    for case .phrase(let phrase) in alternative {
                        if alternative.count == 1 { alone.insert(phrase) } else { together.insert(phrase) }
                    }
                }
            }
        }
        let service = B2CErrorCode.all.map { ($0.id, "\($0.meaning) Usual reason: \($0.cause)", $0.remedy) }
        let others = MessageCode.all.map { ($0.id, $0.meaning, $0.remedy) }
        return (service + others).compactMap { id, meaning, remedy in
            let code = id.asciiLowercased
            guard !alone.contains(code) else { return nil }
            let sign: Sign = together.contains(code) ? .strong(code) : .certain(code)
            return Cause(id, script: nil, reach: .occasional, meaning, signs: [sign], checks: [], fix: remedy)
        }
    }
}
