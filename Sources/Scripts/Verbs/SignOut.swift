import JSON
import Records

/// A sign-out.
package struct SignOut: CallRecord {
    package var account = AccountPick.unsaid
    package var policy: String?
    /// `nil`: known when the step runs.
    package var fromBrowser: Bool? = false
    package var wipeAccount = false
    package var wipeCache = false

    package init() {}

    package static let name = "signOut"
    package static let doc = "The app signs an account out."
    package static let traits: VerbTraits = [.app, .user, .then, .failing]
    package static let settings: [Setting<SignOut>] = {
        var table = SettingsTable<SignOut>()
        table.add("account", \.account, .account, CallParts.account, default: CallParts.accountDefault)
        table.add(
            "policy", \.policy, .optionalName(.policy), "The policy whose session ends.", default: "the client's")
        table.add("fromBrowser", \.fromBrowser, .boolOrLater, "Also ends the session in the browser.")
        table.add("wipeAccount", \.wipeAccount, .bool, "Also removes the account for all apps of the device.")
        table.add("wipeCache", \.wipeCache, .bool, "Also removes all of the account's cached tokens.")
        return table.rows
    }()

    package var authority: (policy: String?, url: String?) { (policy, nil) }

    package struct Returned: ResultRecord {
        package var signedOut: Bool

        package init(signedOut: Bool) { self.signedOut = signedOut }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("signedOut", .flag, "Whether the account was signed out.") { $0.signedOut }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}

extension Codec<Bool?> {
    /// A flag, or `nil` for one that a `{{...}}` will be.
    fileprivate static var boolOrLater: Codec {
        Codec(
            shape: .bool, decode: { $1.isTemplate($0) ? .some(nil) : optionalBool.decode($0, $1) },
            encode: optionalBool.encode)
    }
}
