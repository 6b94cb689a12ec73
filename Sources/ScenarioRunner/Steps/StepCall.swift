import B2CProtocol
import Browser
import Clients
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import Records
import Scenarios

/// The surroundings of a step: its lane, and what its groups hand down.
struct StepContext: Sendable {
    var lane: Lane
    var client: String?
    var index = 1
    /// Whether the step is one of the script's own, not one within another.
    var isOutermost = false
    /// Whether somebody who follows the run is asked here.
    var isFollowed = true
}

/// What carrying out a verb gave, before the logs are added.
struct Yield: Sendable {
    var members = JSONObject()
    var pages: [PageRecord] = []
    var events: [JSONObject] = []
    /// How redirect URIs reached apps, between what the browser and what the library did.
    var callbacks: [JSONObject] = []
    /// What the script says somebody does and nobody did.
    var undone: [String] = []

    init() {}

    init(_ outcome: ClientOutcome) {
        switch outcome.ending {
        case .success(let value): members["result"] = value
        case .failure(let error): members["error"] = .object(error.json)
        case .pending(let pending): members["pending"] = pending.json
        }
        events = outcome.events
    }

    static func result(_ value: JSONValue) -> Yield {
        var yield = Yield()
        yield.members["result"] = value
        return yield
    }

    static func failure(_ error: ClientError) -> Yield {
        var yield = Yield()
        yield.members["error"] = .object(error.json)
        return yield
    }
}

/// A verb that does something in a run.
protocol RunnableVerb: VerbRecord {
    /// Carries the verb out, with its parameters filled in.
    func run(_ call: StepCall) async throws -> Yield
}

/// One step that runs, for the verbs: the world around it, and who acts.
struct StepCall: Sendable {
    let world: World
    let step: Step
    let context: StepContext

    var lane: Lane { context.lane }

    /// The name of the client that acts.
    func clientName() async throws(StepProblem) -> String {
        try await world.clientName(step, inherited: context.client)
    }

    /// The client that acts.
    func client() async throws(StepProblem) -> PublicClient { try await world.client(try await clientName()) }

    /// Fills in the parameters, reads them and carries the verb out.
    func perform() async throws(StepProblem) -> Yield {
        let name = step.verb.rawValue
        let parameters: JSONValue
        do throws(ValueError) {
            parameters = try await Interpolation.resolve(step.parameters, in: await world.scope(index: context.index))
        } catch {
            throw StepProblem("\(name)\(error.pointer): \(error.description)")
        }
        let cursor = SettingsCursor()
        let record = step.verb.record.decode(parameters, cursor)
        guard cursor.findings.all.isEmpty else {
            throw StepProblem(
                cursor.findings.all.map { finding in
                    "\(name)\(finding.pointer): \(finding.message)" + (finding.remedy.map { " (\($0))" } ?? "")
                }.joined(separator: "; "))
        }
        guard let verb = record as? any RunnableVerb else { throw StepProblem("`\(name)` cannot run") }
        do {
            return try await verb.run(self)
        } catch let problem as StepProblem {
            throw problem
        } catch let stopped as WorldError {
            throw StepProblem(stopped.description)
        } catch let input as InvalidInput {
            throw StepProblem(input.diagnostics.map(\.message).joined(separator: "; "))
        } catch {
            throw StepProblem("\(error)")
        }
    }
}
