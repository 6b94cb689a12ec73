/// Something that an address, a token or an answer in the text shows, and no phrase would.
package enum Trait: String, Sendable, Hashable, CaseIterable {
    // Requests.
    case httpRedirect, httpsRedirectOfApp, noPolicy, policyInQuery, ftpPath, doubledPath, tenantMetadata
    case openIDScopesOnly, clientIDScope, shortScope, graphScope, twoResources, tokenWithoutResource, frontTokens
    case promptNone, promptSelectAccount, noChallenge, placeholderHint, languageParameter, noStateInRequest
    case instanceDiscovery, userRealm, tokenWithoutPolicy, policyAtOldHost, logoutWithoutHint, httpLogoutTarget,
        hintInRequest
    case directoryAddress, upperCaseTenant, resetPolicy, editPolicy, twoPolicies, foreignEndpoint, passwordGrant,
        noOfflineAccess
    // Authorities and addresses.
    case tenantOfOtherHost, doubledTenant, twoLoginHosts, authorityWithoutTFP, policyInAddress, undefinedInAddress
    // Answers at the redirect URI.
    case responseError, responseCode, responseWithoutState
    // JSON answers.
    case noAccessToken, noRefreshToken, noClientInfo, slashScope, shortLifetime, noUserinfo
    // Tokens.
    case tokenExpired, tokenNotYetValid, tokenFromFuture, tokenLongAgo, idToken, accessToken, fiveMinutes
    case policyInTFP, policyInACR, noPolicyClaim, noTenantClaim, noUserName, constantSubject, policyIssuer
    case directoryIssuer, unsigned, emailsList, resetToken, editToken, sealedGrant
    // Values that a message compares.
    case audienceDiffers, audienceHasSpace, audienceForm, audienceOfGraph, noExpectedAudience
    case issuerOfOtherHost, issuerOfOtherPolicy, issuerOfOtherTenant, issuerSlash, issuerOfDirectory
    case issuerForm, issuerVersion, issuerIsAddress, issuerExpectedOfDirectory, issuerUnnamed, issuerInvalid,
        lifetimeInvalid, keyAmongThose
    case grantOfADay, corsAtToken, corsElsewhere, corsAtAuthorize, corsAtMetadata, audienceLooksSame
    case corsAtOwnApi, corsFromLoginHost
    // Calls that B2C makes.
    case b2cCalls, restBadInput, restRefused, restNotFound, restConflict, restFailed, restTooSlow, restName, restTLS
    case providerRefuses, providerRefusesClaims, providerNotFound, providerFails, providerUnreachable, providerName,
        providerTLS
    // Settings.
    case knownAuthorityIsURL, knownAuthorityIsPolicy, hostIsKnown, hostIsNotKnown, passwordPolicy
    // Wholes.
    case manyFailures

    /// The trait in words.
    package var doc: String {
        switch self {
        case .httpRedirect: "a redirect URI with http"
        case .httpsRedirectOfApp: "an https redirect URI in a native app"
        case .noPolicy: "an address at the login host without a policy"
        case .policyInQuery: "the policy in the query (?p=)"
        case .ftpPath: "/ftp/ in a path"
        case .doubledPath: "an address with an endpoint's path twice, or an endpoint given as authority"
        case .tenantMetadata: "metadata asked for without a policy"
        case .openIDScopesOnly: "scopes of OpenID alone"
        case .clientIDScope: "the client id as a scope"
        case .shortScope: "a scope that is not an address"
        case .graphScope: "a scope of Microsoft Graph"
        case .twoResources: "scopes of two APIs in one request"
        case .tokenWithoutResource: "response_type=token without a scope of an API"
        case .frontTokens: "id_token or token in response_type"
        case .promptNone: "prompt=none"
        case .promptSelectAccount: "prompt=select_account"
        case .noChallenge: "a code request without code_challenge"
        case .placeholderHint: "a placeholder in login_hint"
        case .languageParameter: "a language parameter other than ui_locales"
        case .noStateInRequest: "an authorize request without state"
        case .instanceDiscovery: "a call of the instance discovery"
        case .userRealm: "a call of the user realm service"
        case .tokenWithoutPolicy: "a token request whose address has no policy"
        case .policyAtOldHost: "a policy at login.microsoftonline.com"
        case .logoutWithoutHint: "a sign-out without id_token_hint"
        case .httpLogoutTarget: "a sign-out that returns to an http address"
        case .hintInRequest: "id_token_hint in an authorize request"
        case .directoryAddress: "an address of a directory, such as /common, in place of a policy"
        case .upperCaseTenant: "the tenant in capitals in B2C's own callback address"
        case .resetPolicy: "a request to a policy that resets passwords"
        case .editPolicy: "a request to a policy that edits profiles"
        case .twoPolicies: "requests to several policies"
        case .foreignEndpoint: "an endpoint at another host than the authority's"
        case .passwordGrant: "grant_type=password"
        case .noOfflineAccess: "a request without offline_access"
        case .tenantOfOtherHost: "an address whose host and path name two tenants"
        case .doubledTenant: "an address with .onmicrosoft.com where only the tenant's name belongs"
        case .twoLoginHosts: "addresses of two login hosts"
        case .authorityWithoutTFP: "an authority with tenant and policy and without tfp"
        case .policyInAddress: "an address with tenant and policy"
        case .undefinedInAddress: "undefined, null or a placeholder in an address of the login host"
        case .responseError: "an error in the answer at the redirect URI"
        case .responseCode: "a code in the answer at the redirect URI"
        case .responseWithoutState: "an answer at the redirect URI without state"
        case .noAccessToken: "a token response without access_token"
        case .noRefreshToken: "a token response without refresh_token"
        case .noClientInfo: "a token response without client_info"
        case .slashScope: "a token response whose scope is '/'"
        case .shortLifetime: "tokens of five minutes"
        case .noUserinfo: "metadata without userinfo_endpoint"
        case .tokenExpired: "a token that has expired"
        case .tokenNotYetValid: "a token that is not valid yet"
        case .tokenFromFuture: "a token issued more than ten minutes ahead of the clock"
        case .tokenLongAgo: "a token issued long ago"
        case .idToken: "an ID token"
        case .accessToken: "an access token"
        case .fiveMinutes: "a token that is valid for five minutes"
        case .policyInTFP: "the policy in `tfp`"
        case .policyInACR: "the policy in `acr`"
        case .noPolicyClaim: "a token that does not name its policy"
        case .noTenantClaim: "an ID token without `tid`"
        case .noUserName: "an ID token without `preferred_username`"
        case .constantSubject: "a `sub` that says it is not supported"
        case .policyIssuer: "an issuer that names the policy"
        case .directoryIssuer: "an issuer of a directory tenant"
        case .unsigned: "a token without a signature"
        case .emailsList: "claims that are not texts"
        case .resetToken: "a token of a policy that resets passwords"
        case .editToken: "a token of a policy that edits profiles"
        case .audienceDiffers: "a message with two different audiences"
        case .audienceHasSpace: "two audiences that differ in a space alone"
        case .audienceForm: "one audience as an address and as a plain id"
        case .audienceOfGraph: "a token for Microsoft Graph"
        case .noExpectedAudience: "a message that names no expected audience"
        case .issuerOfOtherHost: "two issuers that differ in the host"
        case .issuerOfOtherPolicy: "two issuers that differ in the policy"
        case .issuerOfOtherTenant: "two issuers that differ in the tenant"
        case .issuerSlash: "two issuers that differ in a slash or in letter case"
        case .issuerOfDirectory: "a token of a directory tenant where one of B2C is expected"
        case .issuerForm: "two issuers of which one names the policy and one does not"
        case .issuerExpectedOfDirectory: "an expected issuer of a directory tenant for a token of B2C"
        case .issuerIsAddress: "an issuer with the tenant's id and one with its name"
        case .issuerVersion: "two issuers of one directory, of version 1.0 and 2.0"
        case .issuerUnnamed: "a message that names no expected issuer"
        case .issuerInvalid: "a message that says that the issuer is not valid"
        case .lifetimeInvalid: "a message that says that the lifetime is not valid"
        case .keyAmongThose: "the token's key among those that were tried"
        case .grantOfADay: "a grant that lived for 24 hours"
        case .corsAtToken: "a CORS error at the token endpoint"
        case .corsElsewhere: "a CORS error at another address than the token endpoint"
        case .corsAtAuthorize: "a CORS error at the authorize endpoint"
        case .corsAtMetadata: "a CORS error at the metadata"
        case .corsAtOwnApi: "a CORS error at an address of the app's own"
        case .corsFromLoginHost: "a CORS error on a page of the login host"
        case .audienceLooksSame: "two audiences that look the same and do not match"
        case .sealedGrant: "a code or refresh token, which only the service can read"
        case .b2cCalls: "a call that B2C itself makes"
        case .restBadInput: "a REST service that refuses what it is sent"
        case .restRefused: "a REST service that answers 401 or 403"
        case .restNotFound: "a REST service that answers 404"
        case .restConflict: "a REST service that answers 409"
        case .restFailed: "a REST service that answers 429 or 5xx"
        case .restTooSlow: "a REST service that does not answer in time"
        case .restName: "a REST service whose host name is not found"
        case .restTLS: "a REST service without a trusted TLS connection"
        case .providerRefuses: "an identity provider that answers B2C with 400 or 401"
        case .providerRefusesClaims: "an identity provider that refuses B2C the person's data"
        case .providerNotFound: "an identity provider that answers B2C with 404"
        case .providerFails: "an identity provider that answers B2C with 5xx"
        case .providerUnreachable: "an identity provider that B2C does not reach"
        case .providerName: "an identity provider whose host name B2C does not find"
        case .providerTLS: "an identity provider to which B2C has no TLS connection"
        case .knownAuthorityIsURL: "an address in knownAuthorities where a host belongs"
        case .knownAuthorityIsPolicy: "a policy's name in knownAuthorities where an authority belongs"
        case .hostIsKnown: "the authority's host in knownAuthorities"
        case .hostIsNotKnown: "an authority whose host is not in knownAuthorities"
        case .passwordPolicy: "a policy for the password grant"
        case .manyFailures: "the same failure again and again"
        }
    }
}
