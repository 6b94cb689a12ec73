import Diagnostics
import JSON

/// Reads records of a cache document and collects what is wrong with them.
struct CacheRecordReader {
    private(set) var findings: [Diagnostic] = []

    private mutating func note(_ message: String, _ pointer: JSONPointer) {
        findings.append(
            Diagnostic(
                rule: "B2C-CACHE-001", message,
                remedy: "Export a cache with `inspect` to see what each record holds.",
                at: SourceLocation(file: "cache", pointer: pointer.description)))
    }

    private mutating func text(_ record: JSONValue, _ name: String, _ pointer: JSONPointer) -> String? {
        if let text = record[name]?.stringValue { return text }
        note("The record has no text \"\(name)\".", pointer)
        return nil
    }

    /// A time, which libraries write as text or as a number.
    private mutating func time(_ record: JSONValue, _ name: String, _ pointer: JSONPointer) -> Int64? {
        if let found = optionalTime(record, name) { return found }
        note("The record has no \"\(name)\" in seconds since 1970.", pointer)
        return nil
    }

    private func optionalTime(_ record: JSONValue, _ name: String) -> Int64? {
        record[name]?.intValue ?? record[name]?.stringValue.flatMap { Int64($0) }
    }

    mutating func accessToken(_ record: JSONValue, _ pointer: JSONPointer) -> AccessTokenItem? {
        guard let home = text(record, "home_account_id", pointer), let host = text(record, "environment", pointer),
            let client = text(record, "client_id", pointer), let realm = text(record, "realm", pointer),
            let target = text(record, "target", pointer), let secret = text(record, "secret", pointer),
            let cached = time(record, "cached_at", pointer), let expires = time(record, "expires_on", pointer)
        else { return nil }
        return AccessTokenItem(
            homeAccountID: home.lowercased(), environment: host.lowercased(), clientID: client, realm: realm,
            target: target, secret: secret, tokenType: record["token_type"]?.stringValue ?? "Bearer", cachedAt: cached,
            expiresOn: expires, extendedExpiresOn: optionalTime(record, "extended_expires_on"),
            refreshOn: optionalTime(record, "refresh_on"))
    }

    mutating func refreshToken(_ record: JSONValue, _ pointer: JSONPointer) -> RefreshTokenItem? {
        guard let home = text(record, "home_account_id", pointer), let host = text(record, "environment", pointer),
            let client = text(record, "client_id", pointer), let secret = text(record, "secret", pointer)
        else { return nil }
        return RefreshTokenItem(
            homeAccountID: home.lowercased(), environment: host.lowercased(), clientID: client, secret: secret,
            familyID: record["family_id"]?.stringValue, lastModified: optionalTime(record, "last_modification_time"))
    }

    mutating func idToken(_ record: JSONValue, _ pointer: JSONPointer) -> IDTokenItem? {
        guard let home = text(record, "home_account_id", pointer), let host = text(record, "environment", pointer),
            let client = text(record, "client_id", pointer), let realm = text(record, "realm", pointer),
            let secret = text(record, "secret", pointer)
        else { return nil }
        return IDTokenItem(
            homeAccountID: home.lowercased(), environment: host.lowercased(), clientID: client, realm: realm,
            secret: secret)
    }

    mutating func account(_ record: JSONValue, _ pointer: JSONPointer) -> AccountItem? {
        guard let home = text(record, "home_account_id", pointer), let host = text(record, "environment", pointer),
            let realm = text(record, "realm", pointer)
        else { return nil }
        return AccountItem(
            homeAccountID: home.lowercased(), environment: host.lowercased(), realm: realm,
            localAccountID: record["local_account_id"]?.stringValue ?? "",
            username: record["username"]?.stringValue ?? "",
            authorityType: record["authority_type"]?.stringValue ?? "MSSTS", name: record["name"]?.stringValue,
            givenName: record["given_name"]?.stringValue, familyName: record["family_name"]?.stringValue,
            middleName: record["middle_name"]?.stringValue, clientInfo: record["client_info"]?.stringValue)
    }

    mutating func appMetadata(_ record: JSONValue, _ pointer: JSONPointer) -> AppMetadataItem? {
        guard let client = text(record, "client_id", pointer), let host = text(record, "environment", pointer) else {
            return nil
        }
        return AppMetadataItem(
            clientID: client, environment: host.lowercased(), familyID: record["family_id"]?.stringValue)
    }

    mutating func accountMetadata(_ record: JSONValue, _ pointer: JSONPointer) -> AccountMetadataItem? {
        guard let client = text(record, "client_id", pointer) else { return nil }
        var item = AccountMetadataItem(clientID: client)
        item.principalHomeAccountID = record["principal_home_account_id"]?.stringValue
        item.principalUsername = record["principal_username"]?.stringValue
        item.principalEnvironment = record["principal_account_environment"]?.stringValue
        for (home, entry) in record["account_metadata_map"]?.objectValue?.members ?? [] {
            guard let state = SignInState(rawValue: entry["sign_in_state"]?.stringValue ?? "unknown") else {
                note(
                    "The sign-in state is none of unknown, signed_in, signed_out.",
                    pointer.appending("account_metadata_map").appending(home))
                continue
            }
            var account = AccountMetadata(homeAccountID: home.lowercased(), state: state, urlMap: [])
            for (_, map) in entry["athority_map"]?.objectValue?.members ?? [] {
                for (requested, cached) in map.objectValue?.members ?? [] {
                    if let cached = cached.stringValue { account.map(requested, to: cached) }
                }
            }
            item.accounts.put(account)
        }
        return item
    }
}
