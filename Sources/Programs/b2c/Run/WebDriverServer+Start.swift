import CommandKit
import HTTPMessages
import ScenarioRunner
import TenantFiles

extension RunPlan.WebDriverServer {
    /// Starts the WebDriver server where it is a program; `nil`: there is nothing to start.
    func startDriver(for target: TargetFile) async throws -> DriverProgram? {
        if target.settings.proxy != nil {
            throw Failure.usage("--browser does not go through the `proxy` of the target file: leave one of them out")
        }
        guard address == nil else { return nil }
        switch await DriverProgram.start(driver) {
        case .success(let program): return program
        case .failure(let problem):
            throw Failure.machine(
                "no real browser: \(problem.text). Install chromedriver, or name one by --browser-driver.")
        }
    }

    /// The browser that people use; `nil`: the stand-in.
    ///
    /// - Parameter started: Where a WebDriver server listens that was started for this run.
    func driver(startedAt started: WebURL?) -> BrowserDriver? {
        guard let server = started ?? address else { return nil }
        return BrowserDriver(server: server, showsWindow: showsWindow, sandbox: !Machine.isRoot)
    }

    /// The address of a WebDriver server; `nil` for the name of a program.
    private var address: WebURL? {
        driver.hasPrefix("http://") || driver.hasPrefix("https://") ? WebURL(driver) : nil
    }
}
