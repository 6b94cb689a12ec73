import Determinism
import JSON
import MockAuthority
import ScenarioRunner
import Viewer

/// The report as one HTML file that opens offline: overview, search and filters, and of each failed scenario what
/// differed, the command that repeats it, its requests and pages as a sequence, and what the policy did.
///
/// The page holds its data as JSON: the JSON report, and the records of requests of scenarios that did not end well. Equal
/// runs give equal bytes, wall time aside, which has a member of its own.
public enum HTMLReport {
    /// Which scenarios bring their outcomes and requests, where the run kept them.
    public enum Details: Sendable {
        case failed, all
    }

    /// The page as a text that ends in a line feed.
    ///
    /// - Parameters:
    ///   - report: After redaction, with the logs of its scenarios.
    ///   - version: Of the program that writes it.
    ///   - times: Wall time; `nil`: the page shows none.
    ///   - origin: Where the run comes from; `nil`: the page does not say.
    public static func text(
        _ report: RunReport, version: String, details: Details = .failed, times: RunTimes? = nil,
        origin: RunOrigin? = nil
    ) -> String {
        let data = json(report, version: version, details: details, times: times, origin: origin)
        let hasPages = data["details"]?.arrayValue?.contains { $0 != .null } ?? false
        return Viewer.page(
            .report, title: "b2c run report", data: data, hostedPages: hasPages ? HostedPages.script : "")
    }

    /// The data of the page.
    public static func json(
        _ report: RunReport, version: String, details: Details = .failed, times: RunTimes? = nil,
        origin: RunOrigin? = nil
    ) -> JSONValue {
        var shown = report
        var more: [JSONValue] = []
        for (index, scenario) in report.scenarios.enumerated() {
            let isBad = !scenario.status.isGood && scenario.status != .notRun
            shown.scenarios[index].steps = scenario.steps.map { step($0, keepsOutcome: isBad || details == .all) }
            guard isBad || details == .all && !scenario.log.isEmpty else {
                more.append(.null)
                continue
            }
            var detail = JSONObject()
            if isBad { detail["failure"] = .string(FailureText(scenario, option: report.seedOption).text) }
            detail["log"] = .array(scenario.log)
            more.append(.object(detail))
        }
        var data = JSONObject()
        data["version"] = .string(version)
        data["origin"] = origin?.json
        if let times {
            data["wall"] = [
                "total": .integer(times.total.milliseconds),
                "scenarios": .array(
                    report.scenarios.map { $0.status == .notRun ? .null : .integer(times.time(of: $0).milliseconds) }),
            ]
        }
        if report.usesRealTime { data["usesRealTime"] = true }
        data["report"] = JSONReport.json(shown, outcomes: .all)
        data["details"] = .array(more)
        return .object(data)
    }

    /// A step whose outcome names requests by their numbers: their records are in the log.
    private static func step(_ step: StepReport, keepsOutcome: Bool) -> StepReport {
        var step = step
        step.steps = step.steps.map { self.step($0, keepsOutcome: keepsOutcome) }
        guard keepsOutcome, var outcome = step.outcome?.objectValue else {
            step.outcome = nil
            return step
        }
        outcome["requests"] = .array((outcome["requests"]?.arrayValue ?? []).compactMap { $0["number"] })
        // Those of the steps of a group are theirs.
        outcome["steps"] = nil
        step.outcome = .object(outcome)
        return step
    }
}
