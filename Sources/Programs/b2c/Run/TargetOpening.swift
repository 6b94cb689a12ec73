import CommandKit
import Diagnostics
import HTTPMessages
import ScenarioRunner
import TenantFiles

/// Opens the target of a run: its credentials and its browser are checked, and it is reached once before anything runs.
struct TargetOpening {
    let plan: RunPlan
    let findings: RunFindings

    /// Starts the WebDriver server where it is a program; `nil`: there is nothing to start.
    func startDriver(for target: TargetFile) async throws -> DriverProgram? {
        guard let driver = plan.browser?.driver else { return nil }
        if target.settings.proxy != nil {
            throw Failure.usage("--browser does not go through the `proxy` of the target file: leave one of them out")
        }
        guard Self.address(driver) == nil else { return nil }
        switch await DriverProgram.start(driver) {
        case .success(let program): return program
        case .failure(let problem):
            throw Failure.machine(
                "no real browser: \(problem.text). Install chromedriver, or name one by --browser-driver.")
        }
    }

    /// The target of a file.
    ///
    /// - Parameter driver: Where a WebDriver server listens that was started for this run.
    /// - Throws: ``Failure`` for a target that cannot be used, and for credentials in the wrong place.
    func open(
        _ file: TargetFile, inputs: RunInputs, read: @escaping @Sendable (String) -> [UInt8]?, driver: WebURL?
    ) async throws -> RunTarget {
        try TargetArgument.checkCredentials(of: file, findings.common)
        let target: RunTarget
        do throws(InvalidInput) {
            target = try await RunTarget(
                file, secrets: inputs.secrets + inputs.environment.map { ($0.key, $0.value) },
                environment: inputs.environment, allowsLiveChanges: plan.allowsLiveChanges,
                services: TargetServices(
                    run: {
                        await Subprocess.output(of: $0).mapError { TargetProblem($0.text, isLasting: $0.isLasting) }
                    }, ask: { await Subprocess.ask($0) }),
                browser: browser(startedAt: driver), readFile: read)
        } catch {
            throw findings.nothingRan(error.diagnostics, withAdvice: true)
        }
        if let reason = await target.browserUnreachable() {
            throw Failure.machine("no real browser: \(reason)")
        }
        if let reason = await target.unreachable() {
            throw Failure.machine("the target \(target.name) cannot be used: \(reason)")
        }
        return target
    }

    /// The browser that people use; `nil`: the stand-in.
    private func browser(startedAt started: WebURL?) -> BrowserDriver? {
        guard let browser = plan.browser, let server = started ?? Self.address(browser.driver) else { return nil }
        return BrowserDriver(server: server, showsWindow: browser.showsWindow, sandbox: !Machine.isRoot)
    }

    /// The address of a WebDriver server; `nil` for the name of a program.
    private static func address(_ driver: String) -> WebURL? {
        driver.hasPrefix("http://") || driver.hasPrefix("https://") ? WebURL(driver) : nil
    }
}
