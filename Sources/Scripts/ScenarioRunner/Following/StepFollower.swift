import Diagnostics
import JSON
import Verbs

/// Somebody who follows a run step by step and may stop, repeat and change things on the way.
public protocol StepFollower: Sendable {
    /// Asked before each step, after a step that failed, and when the last step of the script is over.
    func pause(_ pause: StepPause) async -> StepOrder

    /// Whether nothing further is to run, in this scenario and those after it.
    var hasLeft: Bool { get async }
}

/// What a follower wants.
public enum StepOrder: Sendable, Hashable {
    /// Goes on: carries the step out; after a failure or at the end, ends the script.
    case go
    /// Carries the step before this pause out once more, in the world as it is now.
    case again
    /// Leaves the step out.
    case skip
    /// Ends the script here. Its `finally` steps run.
    case leave
}

/// Where a run waits for its follower.
public struct StepPause: Sendable {
    /// Why it waits.
    public enum Moment: Sendable {
        /// The step is next.
        case before
        /// The step has failed.
        case failed
        /// The step was the last one.
        case end
    }

    /// Why it waits.
    public var moment: Moment
    /// Name and case of the scenario.
    public var title: String
    /// Its file.
    public var file: String
    /// Number of the step in its list, from 1.
    public var number: Int
    /// How many steps its list has.
    public var count: Int
    /// The step as a report knows it; where it has run, with its outcome.
    public var step: StepReport
    /// The step as written in the script.
    public var text: JSONValue
    /// The step that ran last, with its outcome; `nil` before the first of a list.
    public var last: StepReport?
    /// The world, for looking around.
    public var desk: StepDesk
}

/// What a follower can see of a world and change in it.
public struct StepDesk: Sendable {
    let executor: Executor
    let step: Step
    let context: StepContext

    /// Every exchange of the scenario so far, as records of the `requests` log.
    public func exchanges() async -> [JSONValue] {
        await executor.world.hub.exchangeRecords()
    }

    /// What the verb `inspect` shows of `cache`, `cookies`, `users`, `inbox` or `keys`.
    ///
    /// - Parameter client: Whose cache and cookies; `nil`: the step's own.
    /// - Returns: The result, or why there is none.
    public func inspect(_ what: String, client: String? = nil) async -> Result<JSONValue, FollowingProblem> {
        var step = step
        if let client { step.client = client }
        var verb = Inspect()
        verb.what = Inspect.Store(rawValue: what)
        guard verb.what != nil else {
            let stores = Inspect.Store.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(FollowingProblem("inspect: `\(what)` is none of \(stores)"))
        }
        do {
            let yield = try await verb.run(StepCall(world: executor.world, step: step, context: context))
            return .success(yield.result?.json ?? .null)
        } catch let problem as StepProblem {
            return .failure(FollowingProblem(problem.text))
        } catch {
            return .failure(FollowingProblem("\(error)"))
        }
    }

    /// True time, RFC 3339.
    public var now: String { executor.world.time.now.rfc3339 }

    /// The values that later steps can read: those of the case, the variables, the outcomes of steps by their ids.
    public func values() async -> (case: JSONObject, variables: JSONObject, outcomes: JSONObject) {
        let table = await executor.world.table
        return (table.caseValues, table.variables, table.outcomes)
    }

    /// Changes a value that later steps read: a value of the case, a variable, or with `ID/pointer` a part of an outcome.
    public func set(_ name: String, to value: JSONValue) async -> FollowingProblem? {
        await executor.world.setValue(name, to: value)
    }

    /// Lays a patch over the tenant file, as the verb `configure` does.
    public func configure(_ patch: JSONValue) async -> FollowingProblem? {
        do throws(StepProblem) {
            try await executor.world.configure(patch, client: step.client ?? context.client)
            return nil
        } catch {
            return FollowingProblem(error.text)
        }
    }
}

/// Why a follower did not get what it asked for.
public struct FollowingProblem: Error, Sendable, Hashable {
    /// A sentence.
    public var text: String

    init(_ text: String) { self.text = text }
}

extension World {
    /// Changes a value at the hand of a follower.
    func setValue(_ name: String, to value: JSONValue) -> FollowingProblem? {
        let parts = name.split(separator: "/").map(String.init)
        guard let root = parts.first else { return FollowingProblem("no name is given") }
        let path = Array(parts.dropFirst())
        func changed(_ old: JSONValue) -> JSONValue? { Self.replacing(path[...], in: old, by: value) }
        let missing = FollowingProblem("`\(root)` has nothing at \(path.joined(separator: "/")) that could be replaced")
        // The value of a case wins over a variable of the same name, as where values are read.
        if let old = table.caseValues[root] {
            guard let new = changed(old) else { return missing }
            table.caseValues[root] = new
        } else if let old = table.outcomes[root] {
            guard !path.isEmpty else {
                return FollowingProblem("`\(root)` is a step: name a part of its outcome, such as \(root)/result")
            }
            guard let new = changed(old) else { return missing }
            table.outcomes[root] = new
        } else if let old = table.variables[root] {
            guard let new = changed(old) else { return missing }
            table.variables[root] = new
        } else {
            let known = table.caseValues.keys + table.variables.keys + table.outcomes.keys.map { $0 + "/..." }
            let hint = nearestName(root, among: known).map { "did you mean `\($0)`?" }
            return FollowingProblem(
                "there is no value `\(root)`; "
                    + (hint ?? (known.isEmpty ? "the script has none yet" : "there are \(namesList(known))")))
        }
        return nil
    }

    /// The value with the part at a path replaced; a member may be new, its parent may not.
    private static func replacing(
        _ path: ArraySlice<String>, in value: JSONValue, by new: JSONValue
    ) -> JSONValue? {
        guard let token = path.first else { return new }
        switch value {
        case .object(var object):
            let rest = path.dropFirst()
            guard rest.isEmpty || object[token] != nil else { return nil }
            guard let part = replacing(rest, in: object[token] ?? .null, by: new) else { return nil }
            object[token] = part
            return .object(object)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index),
                let part = replacing(path.dropFirst(), in: elements[index], by: new)
            else { return nil }
            elements[index] = part
            return .array(elements)
        default:
            return nil
        }
    }
}
