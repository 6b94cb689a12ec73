import Records

/// A list of accounts, filtered by what is said.
package struct Accounts: CallRecord {
    package var identifier: String?
    package var username: String?
    package var policy: String?

    package init() {}

    package static let name = "accounts"
    package static let doc = "The app lists its accounts."
    package static let traits: VerbTraits = [.app, .then]
    package static let settings: [Setting<Accounts>] = {
        var table = SettingsTable<Accounts>()
        table.add("identifier", \.identifier, .optionalText, "Only the account with this identifier.")
        table.add("username", \.username, .optionalText, "Only accounts with this user name.")
        table.add("policy", \.policy, .optionalName(.policy), "Only accounts of this policy.")
        return table.rows
    }()

    package var authority: (policy: String?, url: String?) { (policy, nil) }

    package struct Returned: ResultRecord {
        package var accounts: [AccountResult]

        package init(accounts: [AccountResult]) { self.accounts = accounts }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("accounts", ResultForm.part(AccountResult.shapeName).list(), ResultDocs.accounts) { $0.accounts }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
