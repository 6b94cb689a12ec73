import B2CProtocol
import Browser
import Clients
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import Records
import Verbs

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
struct StepResult: Sendable {
    /// How it ended.
    enum Ending: Sendable {
        case result(any ResultRecord)
        case error(ClientError)
        case pending(Pending)
    }

    /// `nil` for a group, whose steps end.
    var ending: Ending?
    /// The last URL handed to the app.
    var callback: HandedCallback?
    var pages: [PageRecord] = []
    var events: [JSONObject] = []
    /// How redirect URIs reached apps, between what the browser and what the library did.
    var callbacks: [JSONObject] = []
    /// What the script says somebody does and nobody did.
    var undone: [String] = []

    init() {}

    init(_ outcome: ClientOutcome) {
        switch outcome.ending {
        case .success(let result): ending = .result(result)
        case .failure(let error): ending = .error(error)
        case .pending(let pending): ending = .pending(pending)
        }
        events = outcome.events
    }

    private init(_ ending: Ending) { self.ending = ending }

    /// The verb has succeeded, and has nothing more to say.
    static var done: StepResult { StepResult(.result(NoResult())) }

    static func result(_ result: some ResultRecord) -> StepResult { StepResult(.result(result)) }
    static func failure(_ error: ClientError) -> StepResult { StepResult(.error(error)) }
    static func waiting(_ pending: Pending) -> StepResult { StepResult(.pending(pending)) }

    /// The result, if it ended in one.
    var result: (any ResultRecord)? {
        if case .result(let result) = ending { result } else { nil }
    }

    /// Why it waits, if it does.
    var pending: Pending? {
        if case .pending(let pending) = ending { pending } else { nil }
    }

    /// How it ended, as outcomes have it.
    var json: JSONObject {
        var members = JSONObject()
        // `open` reads its result off the callback.
        if result is Open.Returned { members["callback"] = callback.map { .object($0.json) } }
        switch ending {
        case .result(let result): members["result"] = result.json
        case .error(let error): members["error"] = error.json
        case .pending(let pending): members["pending"] = pending.json
        case nil: break
        }
        if members["callback"] == nil { members["callback"] = callback.map { .object($0.json) } }
        return members
    }
}

/// A URL that was handed to an app, with the fields of a form post.
struct HandedCallback: Sendable {
    var url: WebURL
    var form: FormItems?

    var json: JSONObject {
        var object = JSONObject()
        object["url"] = .string(url.description)
        object["query"] = .object(url.queryItems.json)
        object["fragment"] = .object(url.fragmentItems.json)
        if let form { object["form"] = .object(form.json) }
        return object
    }
}

/// A verb that does something in a run.
protocol RunnableVerb: VerbRecord {
    /// Carries the verb out, with its parameters filled in.
    func run(_ call: StepCall) async throws -> StepResult
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
    func perform() async throws(StepProblem) -> StepResult {
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
        if let clash = record?.clash { throw StepProblem(clash.problem) }
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
