import JSON

// The items of a cache as records with the members of the unified schema: keys as all MSAL libraries write them, times
// as text. Values are this library's own; `UnifiedCache` converts them to MSAL Python's.

extension AccessTokenItem {
    /// The record.
    var record: JSONObject {
        var object: JSONObject = [
            "credential_type": "AccessToken", "secret": .string(secret), "home_account_id": .string(homeAccountID),
            "environment": .string(environment), "client_id": .string(clientID), "target": .string(target),
            "realm": .string(realm), "token_type": .string(tokenType), "cached_at": .string("\(cachedAt)"),
            "expires_on": .string("\(expiresOn)"),
        ]
        object["extended_expires_on"] = extendedExpiresOn.map { .string("\($0)") }
        object["refresh_on"] = refreshOn.map { .string("\($0)") }
        return object
    }
}

extension RefreshTokenItem {
    /// The record.
    var record: JSONObject {
        var object: JSONObject = [
            "credential_type": "RefreshToken", "secret": .string(secret), "home_account_id": .string(homeAccountID),
            "environment": .string(environment), "client_id": .string(clientID), "target": "",
        ]
        object["last_modification_time"] = lastModified.map { .string("\($0)") }
        object["family_id"] = familyID.map { .string($0) }
        return object
    }
}

extension IDTokenItem {
    /// The record.
    var record: JSONObject {
        [
            "credential_type": "IdToken", "secret": .string(secret), "home_account_id": .string(homeAccountID),
            "environment": .string(environment), "realm": .string(realm), "client_id": .string(clientID),
        ]
    }
}

extension AccountItem {
    /// The record.
    var record: JSONObject {
        var object: JSONObject = [
            "home_account_id": .string(homeAccountID), "environment": .string(environment), "realm": .string(realm),
            "local_account_id": .string(localAccountID), "username": .string(username),
            "authority_type": .string(authorityType),
        ]
        object["name"] = name.map { .string($0) }
        object["given_name"] = givenName.map { .string($0) }
        object["middle_name"] = middleName.map { .string($0) }
        object["family_name"] = familyName.map { .string($0) }
        object["client_info"] = clientInfo.map { .string($0) }
        return object
    }
}

extension AppMetadataItem {
    /// The record.
    var record: JSONObject {
        var object: JSONObject = ["client_id": .string(clientID), "environment": .string(environment)]
        object["family_id"] = familyID.map { .string($0) }
        return object
    }
}

extension AccountMetadataItem {
    /// The record with the library's own spelling of its keys, `athority_map` included (MSIDAccountMetadata.m).
    var record: JSONObject {
        var map = JSONObject()
        for account in accounts {
            var urls = JSONObject()
            for entry in account.urlMap { urls[entry.requested] = .string(entry.cached) }
            map[account.homeAccountID] = .object([
                "client_id": .string(clientID), "home_account_id": .string(account.homeAccountID),
                "sign_in_state": .string(account.state.rawValue), "athority_map": .object(["URLMap-": .object(urls)]),
            ])
        }
        var object: JSONObject = ["client_id": .string(clientID)]
        object["principal_home_account_id"] = principalHomeAccountID.map { .string($0) }
        object["principal_username"] = principalUsername.map { .string($0) }
        object["principal_account_environment"] = principalEnvironment.map { .string($0) }
        object["account_metadata_map"] = .object(map)
        return object
    }
}
