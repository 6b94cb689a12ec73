import ArgumentParser
import CommandFiles
import CommandKit
import Determinism
import Explanations
import JSON

/// `b2c explain`.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says what an error, a log or a rule means, where it comes from and what to do.",
        discussion: """
            It knows, in any letter case:
              AADB2C90118, 90118                  an error of Azure AD B2C
              B47, R03                            a reported bug of docs/bugs.md
              "AADB2C90118: The user has ..."     the text an endpoint answered, with a code in it
              "Claim type \\"x\\" is the input claim of ..."
                                                  a text that refused the upload of a policy, with its rule
              "Validation failed: 3 validation error(s) found in policy ..."
                                                  the whole refusal: each error with its rule, and with its file and
                                                  line if the current folder or --policies has the policy
              -50002, -42004, interactionRequired, MSALErrorInteractionRequired
                                                  an error of MSAL for iOS and macOS
              interaction_in_progress, untrusted_authority
                                                  an error of MSAL.js, MSAL.NET or MSAL for Android
              IDX10214, IDW10201, AADSTS7000215   an error of ASP.NET's token validation, or of Microsoft Entra ID
              invalid_grant, access_denied        an OAuth error, as B2C sends it and MSAL reports it
              "myapp://auth?error=access_denied&..."
                                                  a redirect URL, a request to an authority
              eyJ...                              a token: its claims, its times, what an API would say
              msal.log, --file msal.log, -        a log or any other text in a file or piped in
              MSALOAuthErrorKey                   a key of an MSAL error's userInfo
              B2C-SCN-020                         a rule of this program's own checks; `rules` lists them all
              acquireToken, faults, mfa           a key of scenario or tenant files
              client msal-ios                     what a client of that kind checks, and its settings' defaults
              "close the window"                  a situation: its recipe and the shipped scenarios that play it
              sign-in/window-closed               a shipped scenario; --write copies it

            Causes that fit are named with how sure they are (certain, likely, possible), the lines that speak for them,
            what to check and how to fix it, and the script that plays them. docs/explain.md shows each kind.
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("What to explain.", valueName: "thing"))
    var things: [String] = []

    @Option(name: .long, help: ArgumentHelp("A log or another text in a file.", valueName: "path"))
    var file: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder of the policies in which a refused upload is placed. (default: the current folder)",
            valueName: "folder"))
    var policies: String?

    @Flag(
        name: .long,
        help: "Search the recipes, the shipped scenarios and the causes for these words, and print nothing else.")
    var like = false

    @Flag(name: .long, help: "As JSON.")
    var json = false

    @Flag(name: .long, help: "Leave tokens, codes and passwords in the lines that are shown. (B2C_SHOW_SECRETS)")
    var showSecrets = false

    @Option(
        name: .long,
        help: ArgumentHelp("The moment for the times of tokens, RFC 3339. (default: now)", valueName: "time"))
    var at: String?

    @Flag(
        name: .long,
        help: "Write the script that plays the first cause, with its tenant file, into this folder to run it.")
    var write = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        // `explain -- -42004`: the mark after which nothing is an option, as people type it before a leading hyphen.
        var things = things
        if let mark = things.firstIndex(of: "--") { things.remove(at: mark) }
        let symptom = try Symptom(things, file: file, isLike: like, policies: policies)
        let answer = try symptom.answer(
            now: try moment(), showsSecrets: showSecrets || EnvironmentOption.isOn("B2C_SHOW_SECRETS"))
        if json {
            Machine.out.write(data: JSONWriter.pretty(.object(answer.json)) + "\n")
        } else {
            let style = common.style(for: Machine.out)
            let parts = answer.explanations.map { $0.text(style) } + [answer.similar?.text(style) ?? ""]
            Machine.out.write(parts.filter { !$0.isEmpty }.joined(separator: "\n"))
        }
        if write { try writeScript(of: answer) }
    }

    private func writeScript(of answer: Symptom.Answer) throws {
        guard let script = answer.script else {
            throw Failure.usage("--write: no script plays this. docs/bugs.md lists the bugs that have one")
        }
        let lines = try ShippedScripts.write(script, into: ".").map { ($0.isNew ? "wrote  " : "kept   ") + $0.path }
        let output = json ? Machine.error : Machine.out
        output.write("\n" + (lines + ["now    b2c run \(script)"]).joined(separator: "\n") + "\n")
    }

    private func moment() throws -> Timestamp {
        guard let text = at else { return Machine.clock.now() }
        guard let moment = Timestamp(rfc3339: text) else {
            throw Failure.usage("--at is \"\(text)\", and must be a moment such as 2026-01-31T09:00:00Z")
        }
        return moment
    }
}
