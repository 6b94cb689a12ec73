import ArgumentParser
import Diagnostics

/// `b2c explain`.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says what an error or a rule means, where it comes from and what to do.",
        discussion: """
            Understood are, in any letter case:
              AADB2C90118, 90118                  an error of Azure AD B2C
              "AADB2C90118: The user has ..."     the text an endpoint answered, with a code in it
              "Claim type \"x\" is the input claim of ..."
                                                  a text that refused the upload of a policy, with the rule it tells of
              -50002, -42004, interactionRequired, MSALErrorInteractionRequired
                                                  an error of MSAL for iOS and macOS
              invalid_grant, access_denied        an OAuth error, as B2C sends it and MSAL reports it
              MSALOAuthErrorKey                   a key of an MSAL error's userInfo
              B2C-SCN-020                         a rule of this program's own checks; `rules` lists them all
              acquireToken, faults, mfa           a key of scenario or tenant files
              client msal-ios                     what a client of that kind checks, and its settings' defaults
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("What to explain.", valueName: "thing"))
    var things: [String] = []

    @OptionGroup var common: CommonOptions

    func run() async throws {
        // `explain -- -42004`: the mark after which nothing is an option, as people type it before a leading hyphen.
        var things = things
        if let mark = things.firstIndex(of: "--") { things.remove(at: mark) }
        guard !things.isEmpty else { throw Failure.usage("explain what? Such as `b2c explain AADB2C90118`") }
        let explanations = try Explainer.explain(things)
        let style = common.style(for: Machine.out)
        Machine.out.write(explanations.map { $0.text(style) }.joined(separator: "\n"))
    }
}
