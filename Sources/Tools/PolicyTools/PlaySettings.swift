import CommandKit
import HTTPMessages

/// Who plays a policy, and with what.
package struct PlaySettings: Sendable {
    /// Where the inputs of a sign-in are.
    package enum Inputs: Sendable {
        case file(String)
        case value(PlayInputs)

        /// Names them in messages.
        var name: String { if case .file(let path) = self { path } else { "inputs" } }
    }

    /// A person of the tenant, or a record as JSON; `nil`: a person the policy suits.
    package var user: String?
    /// What the person presses on the first page before they go on.
    package var press: [String] = []
    package var inputs: Inputs?
    /// The app that asks; `nil`: the first of the tenant.
    package var app: String?
    /// Whether the token is refreshed afterwards.
    package var refresh = false
    package var seed: UInt64 = 1
    /// Whether secrets are shown as they are.
    package var showsSecrets = false
    /// Whether calls of REST services that no stub is for are answered with made-up values.
    package var makesUpServices = false
    /// The way to real services; `nil`: there is none.
    package var services: (any Transport)?
    /// Brings files that the tenant names, such as templates of pages.
    package var read: @Sendable (String) -> [UInt8]? = { try? FileSystem.read($0) }

    package init(
        user: String? = nil, press: [String] = [], inputs: Inputs? = nil, makesUpServices: Bool = false
    ) {
        self.user = user
        self.press = press
        self.inputs = inputs
        self.makesUpServices = makesUpServices
    }
}
