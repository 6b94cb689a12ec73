import Scenarios

/// A run of a suite: a scenario, or one of its cases.
public struct RunKey: Hashable, Sendable {
    /// The file of the scenario.
    public var file: String
    /// `nil`: the scenario has no cases.
    public var caseName: String?

    public init(file: String, caseName: String?) {
        self.file = file
        self.caseName = caseName
    }

    public init(_ variant: ScenarioVariant) {
        self.init(file: variant.scenario.file, caseName: variant.caseName)
    }

    public init(_ report: ScenarioReport) {
        self.init(file: report.file, caseName: report.caseName)
    }
}
