extension Cause {
    /// Authority, policy, issuer and metadata: B14 to B27.
    static let authorities: [Cause] = [
        Cause(
            "B14", script: "host-not-known", reach: .veryCommon, libraries: [.msalJS, .msalNode],
            "The login host is not in knownAuthorities, or is listed there with scheme or path, so the library asks a service that does not know it, or does not find the accounts and tokens that it keeps by host.",
            signs: [
                .certain("{knownAuthorityIsURL}"), .certain("{hostIsNotKnown}"), .certain("untrusted_authority"),
                .strong("endpoints_resolution_error & b2clogin.com"),
                // It has come to the policy's own metadata, so the host was accepted.
                .excluded(by: "attempted to retrieve endpoints from* & !untrusted_authority"),
                .excluded(by: "{corsAtMetadata} & !{instanceDiscovery} & !untrusted_authority"),
                .excluded(by: "{hostIsKnown}"),
                .fair("endpoints_resolution_error"), .fair("not a trusted authority | not trusted authority"),
                .fair("knownauthorities"), .weak("{instanceDiscovery}"), .weak("validateauthority"),
                .weak("could not resolve endpoints"),
            ],
            checks: [
                "Does auth.knownAuthorities hold the host of the authority, such as contoso.b2clogin.com, and nothing but the host?",
                "Does the policy's openid-configuration open in a browser?",
            ],
            fix: "knownAuthorities: [\"contoso.b2clogin.com\"]: the host alone, for every host in use."),
        Cause(
            "B15", script: "policy-not-a-known-authority", reach: .common, libraries: [.msalIOS],
            "The policy's authority is not among the known authorities of the client's configuration.",
            signs: [
                .strong("authority validation is not supported for this type of authority"),
                .strong("non microsoft authority is not supported | non-microsoft authority"),
                .fair("knownauthorities & @msal-ios"), .strong("{knownAuthorityIsPolicy}"),
                .fair("-42008 & !accesstoken & !access token & !{noAccessToken}"), .weak("-50000"),
                .weak("b2clogin.com"), .weak("msalb2cauthority"),
            ],
            checks: [
                "Does knownAuthorities hold every policy's authority that is used, as a full URL?",
                "Is each of them made as MSALB2CAuthority?",
            ],
            fix: "knownAuthorities = [sign-in, edit, reset], each as a full authority URL with its policy."),
        Cause(
            "B16", script: "instance-discovery-of-a-b2c-host", reach: .common, libraries: [.msalNET],
            "The address was given to the authority class for directory tenants, so the library asks the instance discovery about a B2C host.",
            signs: [
                .strong("aadsts50049"), .strong("invalid_instance"), .fair("unknown or invalid instance"),
                .weak("{instanceDiscovery}"), .weak("withauthority"),
            ],
            checks: ["Is the authority given with WithB2CAuthority, or as the B2C kind?"],
            fix: "Use the B2C authority: WithB2CAuthority(...), and not WithAuthority(...)."),
        Cause(
            "B17", script: "workforce-class-for-a-b2c-address", reach: .occasional, libraries: [.msalIOS],
            "A B2C address is given to the authority class for directory tenants, or has no policy.",
            signs: [
                .fair("-42007 & not found"),
                .strong("msalaadauthority & b2clogin.com"), .fair("msalaadauthority"),
                .fair("it is not b2c authority & !accesstoken & !access token"), .weak("b2clogin.com"),
                .weak("{noPolicy}"), .weak("-50000"),
            ],
            checks: ["Which class makes the authority, and is a policy at the end of its URL?"],
            fix: "Use MSALB2CAuthority with a policy in the path, and list it in knownAuthorities."),
        Cause(
            "B18", script: "metadata-without-policy", reach: .common,
            "There is no policy in the authority or metadata address; only policies have metadata.",
            signs: [
                .fair("{noPolicy}"),
                .fair("-42007 & not found"),
                .strong("{tenantMetadata}"),
                .fair("fewer than 3 path segments | at least three path segments | at least 3 segments"),
                .fair("idx20803 | idx20804 | idx20807"), .fair("openid-configuration & 404"),
                .fair("unable to get metadata | unable to obtain configuration"), .weak("{noPolicy}"),
                .fair("tenant_discovery_failed | unable to get authority configuration"), .fair("-42007"), .weak("404"),
                .metadataAnswers,
                .excluded(by: "{policyInAddress} & !{noPolicy} & !{tenantMetadata}"),
                .excluded(by: "{policyInQuery} & !{noPolicy} & !{tenantMetadata}"),
            ],
            checks: [
                "Open {authority}/v2.0/.well-known/openid-configuration in a browser.",
                "Is /{tenant}.onmicrosoft.com/{policy} in its path?",
            ],
            fix: "Put the policy into the authority: https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi."),
        Cause(
            "B19", script: "endpoint-pasted-as-authority", reach: .occasional,
            "The authorize or metadata address was given as authority, and the library puts its own path behind it.",
            signs: [
                .fair("-42007 & not found"),
                .strong("{doubledPath}"), .fair("authority & oauth2/v2.0/authorize?p="),
                .weak("authority & .well-known/openid-configuration"), .weak("404"),
            ],
            checks: ["Look at the address that is really asked: does it contain a path twice?"],
            fix: "Give the authority alone: host, tenant, policy."),
        Cause(
            "B20", script: "policy-in-the-query-is-lost", reach: .veryCommon, libraries: [.appAuth],
            "The policy is in the query (?p=), which the library rebuilds, so the service does not learn the policy.",
            signs: [
                .strong("{policyInQuery} & @appauth"), .strong("{policyInQuery} & {noPolicy}"),
                .fair("{policyInQuery}"),
                .strong("collectinfofromreq & policy is missing"),
                .fair("additionalparameters & 'p' | additionalparameters & \"p\""), .fair("authorize?p="),
                .fair("token?p="),
                .fair("aadsts50020 & b2c | aadsts700016 & b2c"), .fair("work or school account"), .weak("{noPolicy}"),
                .weak("404"), .weak("@appauth"),
            ],
            checks: ["Compare the configured address with the one that is asked: is p= still there?"],
            fix: "Put the policy into the path: /{tenant}/{policy}/oauth2/v2.0/authorize, for every endpoint."),
        Cause(
            "B21", script: "issuer-is-not-the-address-asked", reach: .common, libraries: [.oidcJS, .appAuth],
            "A strict client compares the issuer with the address it asked; B2C's issuer has the tenant's id and mostly no policy.",
            signs: [
                .strong("the metadata's issuer & is not the authority's"),
                .strong("invalid issuer in discovery document"), .strong("issuer & discovery document & expected"),
                .strong("metadata issuer does not match | metadata issuer & does not match the expected issuer"),
                .strong("discovered issuer & expected | issuer & discovered metadata"),
                .strong("issuer did not match the issuer returned by provider"),
                .strong("issuer in the discovery & does not match | issuer of the discovery & does not match"),
                .fair("strictdiscoverydocumentvalidation"), .fair("discovery_document_validation_error"),
                .fair("issuer mismatch"), .fair("wellknown* & issuer"), .weak("@oidc-js"),
                .weak("issuer"),
            ],
            checks: ["Compare `issuer` of the metadata with the configured issuer, character by character."],
            fix:
                "Set the issuer that the client expects to the one of the metadata; do not turn the check off altogether."
        ),
        Cause(
            "B22", script: "issuer-of-another-policy", reach: .common, libraries: [.identityWeb],
            "The issuer names the policy (tfp form), so each policy has its own, and the validator knows only one.",
            signs: [
                .certain("{issuerOfOtherPolicy}"), .fair("idx10205"), .strong("idx10205 & /tfp/"),
                .fair("{policyIssuer}"), .fair("issuer & /tfp/"),
                .weak("edit profile | edit_profile | editprofile | profile_edit"), .weak("{editToken}"),
                .weak("issuer validation failed"),
            ],
            checks: [
                "Compare `iss` of the tokens of two policies.",
                "Which issuer format does the user flow's token compatibility setting name?",
            ],
            fix: "List an issuer for each policy, or switch to the issuer without a policy."),
        Cause(
            "B23", script: "api-with-issuers-of-a-directory", reach: .common, libraries: [.identityWeb, .passport],
            "The API checks against the issuers of directory tenants, or the metadata of another policy or host.",
            signs: [
                .certain("{issuerExpectedOfDirectory}"),
                .strong("error_description=\"the issuer '* | invalid_token & the issuer '*"),
                .strong("jwt issuer is invalid"),
                .fair("the issuer '* & is invalid"), .fair("idw10303"), .fair("idx10205 & !/tfp/"),
                .fair("issuer & does not match"),
                .against("metadata issuer | discovery document | discovered metadata"),
                .fair("invalid issuer | issuer is invalid | issuer invalid"), .weak("401"), .weak("{directoryIssuer}"),
                .weak("sts.windows.net"), .weak("invalid_token"), .weak("bearer"),
            ],
            checks: [
                "Which metadata address does the API read, and what is its `issuer`?",
                "Compare it with `iss` of the token.",
            ],
            fix: "Give the API the metadata address of the policy; the check itself stays on."),
        Cause(
            "B25", script: "metadata-of-a-custom-domain", reach: .occasional,
            "The metadata at the custom domain cannot be had, always or now and then.",
            signs: [
                .fair("-42007 & not found"),
                .fair("endpoints_resolution_error"),
                .strong(
                    "endpoints_resolution_error & custom domain | endpoints_resolution_error & front door | endpoints_resolution_error & !b2clogin.com & https:*"
                ),
                .fair("openid_config_error"), .weak("custom domain"), .weak("front door | azurefd.net"),
                .metadataAnswers, .excluded(by: "{passwordPolicy}"),
                .weak("intermittent*"), .against("untrusted_authority"),
            ],
            checks: [
                "Open the openid-configuration at the custom domain, from where the people are.",
                "Does Front Door pass that path on, and has the change reached all places?",
            ],
            fix: "Repair the rule of the custom domain; let the app try again, its account is not lost."),
        Cause(
            "B26", script: "policy-in-another-claim", reach: .occasional, libraries: [.passport],
            "The library looks for the policy in `acr`, letter by letter; the tenant sends `tfp`.",
            signs: [
                .strong("invalid policy in id_token | invalid policy & id_token"), .fair("invalid policy"),
                .strong("the claim acr does not name the policy | claim 'acr' does not name the policy"),
                .weak("{policyInTFP}"), .weak("@passport"), .weak("acr"),
            ],
            checks: ["Is the policy in `tfp` or in `acr` of the token, and in which letter case?"],
            fix: "Accept either claim, letter case ignored; or set the claim's name in the policy."),
        Cause(
            "B27", script: "no-userinfo-endpoint", reach: .common, libraries: [.oidcJS, .nextAuth],
            "The client asks for userinfo_endpoint, which user flows do not publish.",
            signs: [
                .strong("the metadata does not contain userinfo_endpoint"),
                .certain("metadata does not contain property userinfo_endpoint"),
                .certain("userinfo_endpoint & must be configured"),
                .fair("userinfo_endpoint"), .weak("loaduserinfo"), .weak("{noUserinfo}"), .weak("@oidc-js"),
                .weak("@next-auth"),
            ],
            checks: ["Does the client load the user's profile after the token (loadUserInfo)?"],
            fix: "Turn that off and read the ID token; or use a custom policy with a UserInfo endpoint."),
    ]

    /// Silent calls, cache and accounts of several policies: B28 to B46.
    static let renewals: [Cause] = [
        Cause(
            "B28", script: "refresh-token-of-another-policy", reach: .veryCommon,
            "A refresh token or code is sent to the token endpoint of another policy than the one that issued it. Usually the app passed the account of the other policy.",
            signs: [
                .certain("aadb2c90088"), .fair("grant has not been issued for this endpoint"), .fair("-50002 | -42004"),
                .weak("acquiretokensilent"),
                .weak("{twoPolicies}"), .weak("{editPolicy}"), .weak("invalid_grant"), .weak("interaction_required"),
            ],
            checks: [
                "Which two policies does the message name, and which account was given to the silent call?",
                "Does the app take the first account, or the one whose policy (tfp, acr, home account id) is the sign-in policy?",
            ],
            fix: "Choose the account by policy before the silent call, and use that policy's authority."),
        Cause(
            "B29", script: "policy-replaced", reach: .occasional,
            "The cached refresh token belongs to a policy that the app no longer uses.",
            signs: [
                .fair("aadb2c90088 & -50002"),
                .fair("aadb2c90088"), .fair("aadb2c90088 & silent_sso_error"), .fair("silent_sso_error"),
                .strong("aadb2c90088 & _v2 | aadb2c90088 & _v3"), .weak("actual value & expected value"),
            ],
            checks: ["Was the policy in the app's settings changed or renamed since these people signed in?"],
            fix:
                "Take it as interaction required once: one sign-in with the new policy, which the session does without a page."
        ),
        Cause(
            "B30", script: "old-name-after-an-edit", reach: .veryCommon,
            "Each policy makes an account of its own; the sign-in policy's keeps the claims of its last sign-in.",
            signs: [
                .strong("old name | old display name"), .fair("two accounts | second account | multiple accounts"),
                .fair("edit & profile & claims"), .weak("editprofile | edit_profile | edit profile | profile edit*"),
                .weak("getallaccounts"), .weak("not updated | stale"),
            ],
            checks: ["List the accounts: are there two with one object id and different policies?"],
            fix: "Sign in again with the sign-in policy after an edit, or read the newest ID token by object id."),
        Cause(
            "B31", script: "policy-in-mixed-case", reach: .common, libraries: [.msalNET],
            "The account is looked up by an identifier with the policy in mixed case; the cache has it in small letters.",
            signs: [
                .strong("no account or login hint was passed"), .fair("user_null"), .weak("getaccountasync"),
                .weak("homeaccountid"), .weak("getmsalaccountid"),
            ],
            checks: [
                "What identifier is looked up, and which ones does the cache hold?",
                "Was the cache emptied, as by a restart with a cache in memory?",
            ],
            fix: "Write the policy part of the identifier in small letters, or compare without letter case."),
        Cause(
            "B32", script: "account-of-another-policy-unknown", reach: .common, libraries: [.msalAndroid, .msalIOS],
            "The account that is given to the silent call is none, or belongs to another policy or authority.",
            signs: [
                .strong("no cached accounts found for the supplied homeaccountid"), .strong("no_account_found"),
                .strong("no account provided for the silent request"),
                .fair("no cached accounts found"), .fair("no_current_account"), .weak("homeaccountid"),
            ],
            checks: ["Compare the home account id with those that the library lists."],
            fix: "Take the account from the library's list before each silent call; do not keep a copy."),
        Cause(
            "B33", script: "account-by-object-id", reach: .rare, libraries: [.msalAndroid],
            "The account is kept under the object id; B2C's account id is that of client_info: object id and policy.",
            signs: [
                .strong("no_account_found & -b2c_1*"),
                .strong("client_info & uid & oid"), .fair("localaccountid & homeaccountid"),
                .weak("home account & unknown"),
                .weak("account & oid"),
            ],
            checks: ["Is the identifier {oid}-{policy}.{tenant} or the bare object id?"],
            fix: "Use the identifier of client_info; `oid` is the person, not the account."),
        Cause(
            "B34", script: "no-tenant-in-the-id-token", reach: .occasional,
            "The ID token has no `tid`, so a token is stored under an empty tenant and looked for under another; or a model insists on it.",
            signs: [
                .strong("tid & field required | tid & missing"), .fair("{noTenantClaim}"),
                .excluded(by: "missing access token field*"),
                .fair("tenant & empty & cache"), .weak("realm"), .weak("missing_tenant_id_error"),
            ],
            checks: ["Does the ID token have `tid`? Under which tenant are the cache entries kept?"],
            fix: "Take the tenant from authority or client_info; treat `tid` as optional."),
        Cause(
            "B35", script: "no-client-info", reach: .rare,
            "The token response has neither client_info nor scope, as after some custom policies, and the library wants them.",
            signs: [
                .strong("the token answer has no client_info"),
                .strong("client info is null | client_info is null"), .strong("client_info_empty_error"),
                .fair("client_info_decoding_error"), .fair("{noClientInfo}"), .fair("client info & null"),
                .weak("b2c_1a_*"), .weak("json_parse_failed"),
            ],
            checks: ["Is client_info in the token response, and did the request send client_info=1?"],
            fix: "Have the answer carry client_info; a newer library makes the account from the ID token."),
        Cause(
            "B36", script: "cache-not-attached", reach: .occasional,
            "The cache is not written to a store that outlives the process, so there are no accounts at the next start.",
            signs: [
                .fair("there is no account to get a token for"),
                .strong(
                    "getaccountsasync & empty | getaccounts & empty | getaccountsasync returns | getaccountsasync & 0"),
                .fair("accounts & empty"), .fair("no accounts"), .fair("no_tokens_found"),
                .weak("tokencache"), .weak("getaccountsasync"), .weak("serializ*"), .weak("maui"),
            ],
            checks: ["Is cache serialisation set up on the very client that asks for accounts?"],
            fix: "Attach the cache to a store before the first call, on every instance."),
        Cause(
            "B37", script: "no-access-token-to-cache", reach: .veryCommon,
            "Only scopes of OpenID are asked for, so there is no access token to cache and every silent call refreshes.",
            signs: [
                .strong("nocachedaccesstoken"), .fair("{openIDScopesOnly} & acquiretokensilent"),
                .fair("every & refresh*"), .fair("cacherefreshreason"), .weak("{openIDScopesOnly}"),
                .weak("cache & network & each"), .weak("acquiretokensilent"),
            ],
            checks: ["Which scopes are asked for, and does the token response have access_token?"],
            fix: "Ask for a scope of an API, or the client id, besides openid."),
        Cause(
            "B38", script: "reserved-scopes-compared", reach: .common, libraries: [.msalJS],
            "The cached access token is passed over because openid, profile and offline_access are compared as well.",
            signs: [
                .strong("cached & openid & profile & offline_access & access token"),
                .fair("scopes & cache & openid & offline_access"), .fair("access_token_entity_null"),
                .weak("acquiretokensilent"), .weak("msal-browser@2.0* | msal-browser@2.1* | msal-browser@2.2*"),
            ],
            checks: ["Compare the scopes of the cached token with those of the silent call in the log."],
            fix: "Update the library: reserved scopes do not take part in the comparison."),
        Cause(
            "B39", script: "client-id-scope-echoed-otherwise", reach: .occasional, libraries: [.msalJS],
            "The client id was asked as scope and comes back as another text, so the cache never hits.",
            signs: [
                .strong("{slashScope}"), .strong("scope \"/\" | scope '/' | scope: \"/\" | scopes: [\"/\"]"),
                .fair("{clientIDScope}"),
                .weak("client id & scope"), .weak("clientid & scope"),
            ],
            checks: ["Compare the requested scope with `scope` of the token response."],
            fix: "Expose a scope of an API and ask for that."),
        Cause(
            "B40", script: "token-for-another-api", reach: .common, libraries: [.msalJS],
            "The silent call asks for an API that the sign-in did not name, and its answer has no access token.",
            signs: [
                .strong("is refused: there is no access token"),
                .strong("access_token_entity_null"), .strong("acquiretokensilent & does not return access_token"),
                .fair("access token & empty | accesstoken & empty | accesstoken: \"\""),
                .fair("accesstoken & null & second"),
                .weak("acquiretokensilent"), .weak("{twoResources}"), .weak("{noAccessToken}"),
                .weak("not included in"),
            ],
            checks: ["Were the scopes of this silent call in the first authorize request?"],
            fix: "Ask for the other API at the page once; the session answers without one."),
        Cause(
            "B41", script: "network-before-the-cache", reach: .common,
            "The library asks the network for metadata before it looks into its cache, so silent calls fail offline.",
            signs: [
                .fair("-1009"), .fair("nsurlerrordomain & -1009"),
                .strong("airplane mode & acquiretokensilent | flight mode & acquiretokensilent"),
                .fair("airplane mode | flight mode"), .fair("offline & acquiretokensilent"),
                .fair("network_not_available & cache | no_network_connectivity & cache"),
                .fair("offline & cached"), .fair("acquiretokensilent & network & cache"),
                .weak("unknownhostexception | name resolution"),
            ],
            checks: ["Is a valid token cached, and which request does the silent call make first?"],
            fix: "Update the library, or keep the token and show it while there is no network."),
        Cause(
            "B43", script: "account-deleted-and-made-again", reach: .rare,
            "The account of the refresh token no longer exists: it was deleted, and perhaps created again.",
            signs: [
                .certain("aadb2c90128"), .fair("account associated with this grant no longer exists"),
                .weak("deleted & user"), .weak("keychain"),
            ],
            checks: ["Does the object id of the cached account still exist in the directory?"],
            fix: "Remove the account with all its tokens at sign-out, and look accounts up by home account id."),
        Cause(
            "B44", script: "authority-from-the-account", reach: .occasional,
            "The authority of the refresh comes from the cached account's issuer, which has no policy, so it ends in 404.",
            signs: [
                .fair("-42007 & not found"),
                .strong("{tokenWithoutPolicy} & acquiretokensilent | {tokenWithoutPolicy} & refresh_token"),
                .fair("{tokenWithoutPolicy}"), .against("{doubledPath}"), .strong("acquiretokensilent & 404"),
                .fair("silent & 404"),
                .weak("404"), .weak("expire*"), .weak("refresh*"),
            ],
            checks: ["To which address is the refresh posted, and is the policy in it?"],
            fix: "Give the silent call the configured authority with its policy."),
        Cause(
            "B45", script: "signed-in-with-the-reset-policy", reach: .veryCommon, libraries: [.msalJS],
            "After a password reset the app goes on with the account of the reset policy.",
            signs: [
                .strong("aadb2c90088 & reset | aadb2c90088 & {resetToken} | aadb2c90088 & {resetPolicy}"),
                .strong("{resetToken}"),
                .fair("redirected to reset | reset password page again | goes to the reset"),
                .fair("aadb2c90088"), .weak("setactiveaccount"), .weak("{resetPolicy}"),
                .weak("password reset | reset password"),
            ],
            checks: ["Which policy does `tfp` or `acr` of the active account name?"],
            fix: "Drop the reset policy's tokens and sign in with the sign-in policy; never make that account active."),
        Cause(
            "B46", script: "reason-hidden-behind-the-frame", reach: .occasional, libraries: [.msalJS],
            "The refresh is refused, the library goes on in a hidden frame, and the caller learns about the frame only.",
            signs: [
                .strong(
                    "aadb2c90129 & monitor_window_timeout | aadb2c90129 & silent_sso_error | aadb2c90080 & monitor_window_timeout"
                ),
                .fair("invalid_grant & monitor_window_timeout | invalid_grant & iframe"), .fair("silent_sso_error"),
                .fair("aadb2c90129 | aadb2c90080"), .fair("monitor_window_timeout"),
                .weak("refresh token expired/invalid"),
                .weak("returned undefined | resolves with undefined | returns undefined"),
                .weak("acquiretokensilent"),
            ],
            checks: ["Look for a 400 of the token endpoint before the frame: its body has the code."],
            fix: "Take both as interaction required, and keep the first error for the log."),
    ]
}
