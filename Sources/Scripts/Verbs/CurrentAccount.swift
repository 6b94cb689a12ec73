/// A question for the account in use.
package struct CurrentAccount: BareCall {
    package init() {}

    package static let name = "currentAccount"
    package static let doc = "The app asks for the current and the previous account."
    package static let traits: VerbTraits = [.app, .then]

    package struct Returned: ResultRecord {
        package var current: AccountResult?
        package var previous: AccountResult?

        package init(current: AccountResult?, previous: AccountResult?) {
            self.current = current
            self.previous = previous
        }

        package static let members: [ResultMember<Returned>] = {
            let account = ResultForm<AccountResult>.part(AccountResult.shapeName).orNull()
            var table = ResultTable<Returned>()
            table.add("current", account, "The current account, or null.") { .some($0.current) }
            table.add("previous", account, "The account before it, or null.") { .some($0.previous) }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
