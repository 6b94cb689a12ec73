import Records

/// The removal of an account from the cache.
package struct RemoveAccount: CallRecord {
    package var account = AccountPick.unsaid

    package init() {}

    package static let name = "removeAccount"
    package static let doc = "The app removes an account from its cache."
    package static let traits: VerbTraits = [.app, .then]
    package static let settings: [Setting<RemoveAccount>] = {
        var table = SettingsTable<RemoveAccount>()
        table.add("account", \.account, .account, CallParts.account, default: CallParts.accountDefault)
        return table.rows
    }()
}
