import B2CProtocol
import Browser
import Clients
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import MockAuthority
import Scenarios

/// The verbs that change or look at the world.
extension Executor {
    func advanceClock(_ parameters: JSONValue) throws(StepProblem) -> Yield {
        guard let text = parameters.stringValue, let span = TimeSpan(iso8601: text) else {
            throw StepProblem("advanceClock takes an ISO 8601 duration such as \"PT61M\"")
        }
        guard span >= .zero else { throw StepProblem("advanceClock: true time never goes back (`\(text)`)") }
        world.time.advance(by: span)
        return .result(["now": .string(world.time.now.rfc3339)])
    }

    func mintToken(_ parameters: JSONValue) async throws(StepProblem) -> Yield {
        var order = MintOrder()
        switch parameters["from"] {
        case .string(let text)?: order.from = text
        case let value?: order.from = value["raw"]?.stringValue
        case nil: break
        }
        order.claims = parameters["claims"] ?? [:]
        order.header = parameters["header"] ?? [:]
        order.key = parameters["key"]?.stringValue
        if let text = parameters["lifetime"]?.stringValue {
            guard let span = TimeSpan(iso8601: text) else {
                throw StepProblem("lifetime: `\(text)` is not an ISO 8601 duration")
            }
            order.lifetime = span
        } else if order.from == nil {
            order.lifetime = .hours(1)
        }
        if let text = parameters["alg"]?.stringValue {
            guard let algorithm = MintOrder.Algorithm(rawValue: text) else {
                throw StepProblem("alg: `\(text)` is not RS256, HS256 or none")
            }
            order.algorithm = algorithm
        }
        if let text = parameters["tamper"]?.stringValue {
            guard let tamper = MintOrder.Tamper(rawValue: text) else {
                throw StepProblem("tamper: `\(text)` is not payload or signature")
            }
            order.tamper = tamper
        }
        switch await world.command(.mint(order)) {
        case .value(let value): return .result(value)
        case .refused(let reason): throw StepProblem("mintToken: \(reason)")
        case .done: return .result([:])
        }
    }

    func inspect(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let what = parameters.stringValue ?? parameters["what"]?.stringValue ?? ""
        var yield = Yield()
        switch what {
        case "cache":
            let client = try await client(step, context)
            yield = Self.yield(await client.cacheContents())
        case "cookies":
            let name = try await world.clientName(step, inherited: context.client)
            let browser = try await world.browser(of: name)
            yield = .result(["cookies": .array(await browser.cookies())])
        case "users":
            yield = .result(["users": try await inspected(.users)])
        case "inbox":
            yield = .result(["messages": try await inspected(.inbox)])
        case "keys":
            yield = .result(["keySets": try await inspected(.keys)])
        case "storage":
            let client = try await client(step, context)
            guard let contents = await client.storageContents() else {
                throw StepProblem("inspect storage: only apps of the client kind msal-browser have one")
            }
            yield = .result(.object(contents))
        default:
            throw StepProblem("inspect: `\(what)` is none of cache, cookies, storage, users, inbox, keys")
        }
        if let file = parameters["file"]?.stringValue, let result = yield.members["result"] {
            let path = ScenarioPath.resolve(file, from: world.variant.scenario.file)
            // The unified cache is what other libraries read; everything else is written as it is shown.
            let content = what == "cache" ? result["unified"] ?? result : result
            if let problem = world.options.writeFile(path, Array((JSONWriter.pretty(content) + "\n").utf8)) {
                throw StepProblem("inspect: \(problem)")
            }
        }
        return yield
    }

    private func inspected(_ state: InspectedState) async throws(StepProblem) -> JSONValue {
        switch await world.command(.inspect(state)) {
        case .value(let value): return value
        case .refused(let reason): throw StepProblem("inspect: \(reason)")
        case .done: return .null
        }
    }

    func importCache(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        var document = parameters["unified"] ?? parameters
        if let file = parameters["file"]?.stringValue {
            let path = ScenarioPath.resolve(file, from: world.variant.scenario.file)
            guard let bytes = world.options.readFile(path) else {
                throw StepProblem("importCache: there is no file \(path)")
            }
            document = try JSONDocument(file: path, bytes: bytes).root
        } else if case .string(let text) = document {
            document = try JSONParser.parse(text)
        } else if case .object(var lists) = document, parameters["unified"] == nil {
            lists["replace"] = nil
            document = .object(lists)
        }
        let client = try await client(step, context)
        do throws(InvalidInput) {
            return Self.yield(
                try await client.importCache(document, replacing: parameters["replace"]?.boolValue ?? false))
        } catch {
            throw StepProblem("importCache: " + error.diagnostics.map(\.message).joined(separator: "; "))
        }
    }

    func restart(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let what = parameters.stringValue ?? parameters["what"]?.stringValue ?? "app"
        let wiped = (parameters["wipe"]?.arrayValue ?? []).compactMap(\.stringValue)
        // Storage is emptied while the app is not there; what a page finds when it is loaded is what was left.
        if !wiped.isEmpty {
            try await world.wipe(wiped, client: try await world.clientName(step, inherited: context.client))
        }
        switch what {
        case "api":
            try await world.restartAPI(parameters["api"]?.stringValue)
            return .result([:])
        case "app":
            let name = try await world.clientName(step, inherited: context.client)
            await world.restartClient(name)
            if try await world.app(of: name).client.kind == .msalBrowser {
                let yield = Self.yield(
                    try await (try await world.client(name)).load(at: nil, lane: context.lane))
                await remember(yield, client: name)
                return yield
            }
        case "browser":
            await world.restartBrowser(of: try await world.clientName(step, inherited: context.client))
        case "device":
            let name = try await world.clientName(step, inherited: context.client)
            for other in await world.clientNames(on: world.declaration(name).device) {
                await world.restartClient(other)
                await world.restartBrowser(of: other)
            }
        default:
            throw StepProblem("restart: `\(what)` is none of app, browser, device, api")
        }
        return .result([:])
    }
}
