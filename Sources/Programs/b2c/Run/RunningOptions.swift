import ArgumentParser
import B2CProtocol
import CommandKit
import HTTPMessages
import ScenarioRunner
import Scenarios

/// How scenarios run, for every command that runs some.
struct RunningOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("How many run at the same time. (B2C_JOBS; default: one a core)", valueName: "n"))
    var jobs: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The number from which all randomness comes: same seed, same run. (B2C_SEED; default: drawn and printed)",
            valueName: "n"))
    var seed: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp("A value for a variable of the scripts. (B2C_VARIABLE_NAME)", valueName: "NAME=VALUE"))
    var variable: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A value for {{secret/NAME}}, masked in all output. (B2C_SECRET_NAME, or NAME itself)",
            valueName: "NAME=VALUE"))
    var secret: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file of secrets: a JSON object of names and values. (B2C_SECRETS_FILE)", valueName: "file"))
    var secretsFile: String?

    @Flag(
        name: .long,
        help:
            "Let scenarios change a real tenant; its target file has to say \"live\": true too. (B2C_ALLOW_LIVE_CHANGES)"
    )
    var allowLiveChanges = false

    @Flag(
        name: .long,
        help: "People use a real browser, without a window, started by chromedriver. Needs --target. (B2C_BROWSER)")
    var browser = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "As --browser, by this W3C WebDriver server: the address of one that runs, or a program to start. "
                + "(B2C_BROWSER_DRIVER; chromedriver)", valueName: "url|program"))
    var browserDriver: String?

    @Flag(
        name: .long,
        help: "As --browser, in a window: somebody who looks on can solve what no script does. (B2C_BROWSER_WINDOW)")
    var browserWindow = false

    /// Whatever is said of browsers, people use the stand-in.
    var usesStandIn = false

    private enum CodingKeys: CodingKey {
        case jobs, seed, variable, secret, secretsFile, allowLiveChanges, browser, browserDriver, browserWindow
    }

    // MARK: As meant, environment included

    /// Values of variables, as written.
    func variables() throws -> [(name: String, value: String)] {
        try variable.map { try Self.assignment($0, option: "--variable") }
    }

    /// Secrets of the command line.
    func givenSecrets() throws -> [(name: String, value: String)] {
        try secret.map { try Self.assignment($0, option: "--secret") }
    }

    /// How many run at the same time; `nil`: that is not said.
    func jobCount(variable: EnvironmentOption.Lookup) throws -> Int? {
        guard let jobs = try jobs ?? EnvironmentOption.number("B2C_JOBS", as: Int.self, variable: variable) else {
            return nil
        }
        guard (1...1024).contains(jobs) else { throw Failure.usage("--jobs must be from 1 to 1024, not \(jobs)") }
        return jobs
    }

    func allowsLiveChanges(variable: EnvironmentOption.Lookup) -> Bool {
        allowLiveChanges || EnvironmentOption.isOn("B2C_ALLOW_LIVE_CHANGES", variable: variable)
    }

    /// The browser that people use; `nil`: the stand-in.
    func realBrowser(variable: EnvironmentOption.Lookup = Machine.environment) -> RunPlan.WebDriverServer? {
        guard !usesStandIn else { return nil }
        let showsWindow = browserWindow || EnvironmentOption.isOn("B2C_BROWSER_WINDOW", variable: variable)
        guard
            browser || showsWindow || browserDriver != nil || EnvironmentOption.isOn("B2C_BROWSER", variable: variable)
        else { return nil }
        return RunPlan.WebDriverServer(
            driver: browserDriver ?? variable("B2C_BROWSER_DRIVER") ?? "chromedriver", showsWindow: showsWindow)
    }

    /// `NAME=VALUE`; the value may be empty and may hold further `=`.
    private static func assignment(_ text: String, option: String) throws -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw Failure.usage("\(option) takes NAME=VALUE, such as \(option) host=login.contoso.test")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
}
