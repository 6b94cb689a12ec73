import CAssets
import Diagnostics
import JSON
import Records

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
    package var doc: String { Self.table.rows.first { $0.id == rawValue }?.doc ?? rawValue }

    package static let table = RecordTable<TraitRow>(asset_traits().data)
}

/// What a trait is, in words: a row of `Files/traits.json`.
package struct TraitRow: TableRow {
    package private(set) var id = ""
    private(set) var doc = ""

    package init() {}

    package static let title = "a trait"
    package static let summary = "What a trait is, in words."
    package static let settings: [Setting<TraitRow>] = {
        var table = SettingsTable<TraitRow>()
        table.add("id", \.id, .nonEmpty, "The name of the trait.", required: true)
        table.add("doc", \.doc, .nonEmpty, "What it is.", required: true)
        return table.rows
    }()
}
