import JSON
import JSONRPC
import LanguageService

extension LanguageServer {
    /// How long an exploration takes at most, in seconds.
    private static let explorationLimit = 60

    /// What a request does that takes time; `nil` if it takes none.
    func longRequest(_ request: RPCRequest) throws(RPCFault) -> (@Sendable () async throws -> JSONValue)? {
        switch request.method {
        case "codeLens/resolve":
            guard let data = request.params["data"]?.objectValue else { return nil }
            return { try await self.resolved(request.params, data) }
        case "workspace/executeCommand":
            let name = try request.params.text("command")
            guard Self.commands.contains(name) else { throw .parameters("this server has no command \(name)") }
            let argument = request.params["arguments"]?.arrayValue?.first?.objectValue ?? [:]
            return { try await self.execute(name, argument) }
        default: return nil
        }
    }

    private func files(_ argument: JSONObject) throws(RPCFault) -> [String] {
        let addresses = state.withLock { $0.addresses }
        guard let uris = argument["uris"] else { return [addresses.shown(try argument.text("uri"))] }
        let texts = uris.arrayValue.map { $0.map(\.stringValue) } ?? [nil]
        guard !texts.isEmpty, !texts.contains(nil) else {
            throw .parameters("`uris`: expected a list of at least one URI, such as [\"file:///folder/script.json\"]")
        }
        return texts.compactMap { $0.map { addresses.shown($0) } }
    }

    private func file(_ argument: JSONObject) throws(RPCFault) -> String {
        try files(argument)[0]
    }

    private var runs: LanguageRuns {
        let (files, values) = state.withLock { ($0.files, $0.values) }
        return LanguageRuns(read: { files.read($0) }, values: values)
    }

    private func execute(_ command: String, _ argument: JSONObject) async throws -> JSONValue {
        let report: LanguageReport
        switch command {
        case "b2c.trace":
            report = try await runs.trace(
                file: try file(argument), policy: argument["policy"]?.stringValue,
                person: argument["person"]?.stringValue)
        case "b2c.explore":
            report = try await runs.explore(
                file: try file(argument), policy: argument["policy"]?.stringValue, seconds: Self.explorationLimit)
        case "b2c.reach": report = try await reach(argument)
        default:
            report = try await runs.run(files: try files(argument), caseName: argument["case"]?.stringValue)
            note(report)
        }
        var result = report.facts
        let addresses = state.withLock { $0.addresses }
        if let scenarios = result["scenarios"]?.arrayValue {
            result["scenarios"] = .array(
                scenarios.map { scenario in
                    guard var object = scenario.objectValue, let file = object["file"]?.stringValue else {
                        return scenario
                    }
                    object["uri"] = .string(addresses.uri(file))
                    object["line"] = object["line"]?.intValue.map { .integer($0 - 1) }
                    return .object(object)
                })
        }
        result["title"] = .string(report.title)
        result["text"] = .string(report.text)
        result["html"] = report.html.map { .string($0) }
        show(report)
        return .object(result)
    }

    /// Shows a report by the means of the protocol, for clients that do not show it themselves.
    private func show(_ report: LanguageReport) {
        let client = state.withLock { $0.client }
        guard !client.showsReports else { return }
        let page = report.html.flatMap { writeFile("report.html", $0) }
        guard let path = page ?? writeFile("report.txt", report.text) else {
            return notify("window/showMessage", ["type": 3, "message": .string(report.title)])
        }
        let addresses = state.withLock { $0.addresses }
        guard client.showsDocuments else {
            let message = "\(report.title). The report is in \(path)."
            return notify("window/showMessage", ["type": 3, "message": .string(message)])
        }
        // A page is for a browser, a text for the editor.
        ask(
            "window/showDocument",
            ["uri": .string(addresses.uri(path)), "external": .bool(page != nil), "takeFocus": true])
    }

    /// Remembers what a run did not find as expected, and shows it in the scripts.
    private func note(_ report: LanguageReport) {
        let (changed, facts) = state.withLock { state in
            for (file, text) in report.scripts {
                state.failures[file] = (text, report.failures.filter { $0.place.file == file })
            }
            return (report.scripts.keys.sorted().map { ($0, state.findings.findings(of: $0)) }, self.facts(state))
        }
        for (file, findings) in changed { publish(file, findings, in: facts) }
    }

    // MARK: Scripts that use an element

    /// The scripts, and a title that counts them.
    private func scripts(
        _ argument: JSONObject
    ) async throws -> (title: String, scripts: [(file: String, name: String)]) {
        let path = try file(argument)
        let profile = try argument.text("profile")
        let facts = state.withLock { self.facts($0) }
        let found = try await uses.scripts(running: profile, of: path, in: facts.workspace, runs: runs)
        guard let found else { return ("too many scripts to run", []) }
        let scripts = found.paths.map { file in
            let json = facts.workspace.file(file)?.json
            let name = json.flatMap { json in json.node(at: "/name").flatMap { json.nodes[$0].text } }
            return (file, name ?? file)
        }
        let title = scripts.count == 1 ? "run by 1 script" : "run by \(scripts.count) scripts"
        let errors = found.broken == 1 ? "; 1 script has errors" : "; \(found.broken) scripts have errors"
        return (found.broken == 0 ? title : title + errors, scripts)
    }

    private func reach(_ argument: JSONObject) async throws -> LanguageReport {
        let (title, scripts) = try await scripts(argument)
        let addresses = state.withLock { $0.addresses }
        let list = scripts.map { "\($0.file): \($0.name)\n" }.joined()
        let facts: [JSONValue] = scripts.map { ["uri": .string(addresses.uri($0.file)), "name": .string($0.name)] }
        return LanguageReport(title: title, text: "\(title)\n\(list)", facts: ["scripts": .array(facts)])
    }

    private func resolved(_ lens: JSONObject, _ argument: JSONObject) async throws -> JSONValue {
        var lens = lens
        let found = try await scripts(argument)
        lens["command"] = ["title": .string(found.title), "command": "b2c.reach", "arguments": [.object(argument)]]
        return .object(lens)
    }
}
