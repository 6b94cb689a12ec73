/// A question for the account in use.
package struct CurrentAccount: BareCall {
    package init() {}

    package static let name = "currentAccount"
    package static let doc = "The app asks for the current and the previous account."
    package static let traits: VerbTraits = [.app, .then]

    package var resultMembers: [String]? { ["current", "previous"] }
}
