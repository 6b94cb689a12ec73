import Diagnostics
import JSON
import JSONRPC
import LanguageService
import Validation

extension LanguageServer {
    static let commands = ["b2c.trace", "b2c.explore", "b2c.run", "b2c.reach"]

    /// A document that a request is about, as everything is at that moment.
    private struct Question {
        var facts: ServerFacts
        var path: String
        var file: LanguageFile
        /// Where `position` is.
        var offset: Int

        var workspace: LanguageWorkspace { facts.workspace }
        var place: TextPlace { TextPlace(file: path, offset: offset) }
    }

    /// - Returns: `nil` for a document that the server does not know.
    private func question(_ params: JSONObject) throws(RPCFault) -> Question? {
        guard let document = try params.object("textDocument") else {
            throw .parameters("`textDocument` is missing: an object is required")
        }
        let uri = try document.text("uri")
        let facts = state.withLock { self.facts($0) }
        let path = facts.addresses.shown(uri)
        guard let file = facts.workspace.file(path) else { return nil }
        let position = try params.object("position").map { JSONValue.object($0) }
        return Question(facts: facts, path: path, file: file, offset: Self.offset(position, in: file.lines))
    }

    /// The same for a request that is about a position.
    private func placed(_ params: JSONObject) throws(RPCFault) -> Question? {
        let position = try params.object("position")
        for name in ["line", "character"] {
            guard let number = position?[name]?.intValue, number >= 0 else {
                throw .parameters("`position` needs `\(name)`, a whole number from 0")
            }
        }
        return try question(params)
    }

    /// The result of a request that takes no time.
    func result(of request: RPCRequest) throws(RPCFault) -> JSONValue {
        let params = request.params
        switch request.method {
        case "textDocument/hover": return try placed(params).map(hover) ?? .null
        case "textDocument/definition": return try placed(params).map(definition) ?? .null
        case "textDocument/references":
            guard let asked = try placed(params) else { return .null }
            let all = params["context"]?["includeDeclaration"]?.boolValue ?? true
            return .array(
                same(asked).filter { all || !$0.occurrence.isDeclaration }.map { asked.facts.location($0.place) })
        case "textDocument/documentHighlight": return try placed(params).map(highlights) ?? .null
        case "textDocument/prepareRename":
            guard let asked = try placed(params) else { return .null }
            let target = try Self.refusing { () throws(RenameRefusal) in
                try renaming.target(at: asked.place, in: asked.workspace)
            }
            return [
                "range": asked.facts.range(target.occurrence.range, in: asked.file.lines),
                "placeholder": .string(target.occurrence.name),
            ]
        case "textDocument/rename": return try renamed(params)
        case "textDocument/completion":
            guard let asked = try placed(params) else { return .null }
            let completions = asked.workspace.completions(at: asked.place, snippets: asked.facts.client.snippets)
            return [
                "isIncomplete": false,
                "items": .array(
                    completions.filter { !$0.label.isEmpty }
                        .map { asked.facts.completion($0, at: asked.offset, in: asked.file) }),
            ]
        case "textDocument/codeAction":
            guard let asked = try question(params) else { return .null }
            return .array(actions(asked, params["range"]).map { asked.facts.action($0) })
        case "textDocument/codeLens":
            guard let asked = try question(params) else { return .null }
            // What a lens starts reads files.
            guard FileAddresses.path(of: asked.facts.addresses.uri(asked.path)) != nil else { return [] }
            return .array(asked.workspace.lenses(of: asked.path).map { asked.facts.lens($0) })
        // Without data it has its title already.
        case "codeLens/resolve": return .object(params)
        case "textDocument/foldingRange": return try question(params).map(foldings) ?? .null
        case "textDocument/documentSymbol":
            guard let asked = try question(params) else { return .null }
            let symbols = asked.workspace.outline(of: asked.path)
            return .array(
                asked.facts.client.symbolTrees
                    ? symbols.map { asked.facts.symbol($0, of: asked.path) }
                    : asked.facts.symbols(flat: symbols, of: asked.path))
        case "textDocument/documentLink": return try question(params).map(links) ?? .null
        case "workspace/symbol":
            let facts = state.withLock { self.facts($0) }
            return .array(facts.workspace.declarations(matching: try params.text("query")).map { facts.symbol($0) })
        case "b2c/scenarios": return ["scenarios": state.withLock { self.scenarios(facts($0)) }]
        default: throw .method("this server has no method \(request.method)")
        }
    }

    private static func refusing<Value>(_ body: () throws(RenameRefusal) -> Value) throws(RPCFault) -> Value {
        do throws(RenameRefusal) {
            return try body()
        } catch {
            throw RPCFault(code: -32803, message: error.text)
        }
    }

    private func renamed(_ params: JSONObject) throws(RPCFault) -> JSONValue {
        let name = try params.text("newName")
        guard let asked = try placed(params) else { return .null }
        let (edits, warning) = try Self.refusing { () throws(RenameRefusal) in
            let symbol = try renaming.target(at: asked.place, in: asked.workspace)
            let warning = renaming.warning(for: symbol, to: name, in: asked.workspace)
            return (try renaming.edits(at: asked.place, to: name, in: asked.workspace), warning)
        }
        if let warning { notify("window/showMessage", ["type": 2, "message": .string(warning)]) }
        return asked.facts.edit(edits)
    }

    private func same(_ asked: Question) -> [PlacedOccurrence] {
        asked.workspace.symbol(at: asked.place).map { asked.workspace.occurrences(of: $0) } ?? []
    }

    private func hover(_ asked: Question) -> JSONValue {
        guard let hover = asked.workspace.hover(at: asked.place) else { return .null }
        return [
            "contents": ServerFacts.prose(hover.markdown, isMarkdown: asked.facts.client.markdownHovers),
            "range": asked.facts.range(hover.range, in: asked.file.lines),
        ]
    }

    private func highlights(_ asked: Question) -> JSONValue {
        .array(
            same(asked).filter { $0.file == asked.path }.map { found in
                [
                    "range": asked.facts.range(found.occurrence.range, in: asked.file.lines),
                    "kind": found.occurrence.isDeclaration ? 3 : 2,
                ]
            })
    }

    private func foldings(_ asked: Question) -> JSONValue {
        func line(_ offset: Int) -> JSONValue { .integer(Int64(asked.file.lines.position(at: offset).line)) }
        return .array(
            asked.workspace.foldingRanges(of: asked.path).map { range in
                ["startLine": line(range.lowerBound), "endLine": line(range.upperBound)]
            })
    }

    private func links(_ asked: Question) -> JSONValue {
        .array(
            asked.workspace.links(of: asked.path).map { link in
                [
                    "range": asked.facts.range(link.range, in: asked.file.lines),
                    "target": .string(asked.facts.addresses.uri(link.path)),
                ]
            })
    }

    private func definition(_ asked: Question) -> JSONValue {
        let link = asked.workspace.links(of: asked.path).first {
            $0.range.lowerBound <= asked.offset && asked.offset <= $0.range.upperBound
        }
        let places = asked.workspace.definitions(at: asked.place).map(\.place)
        guard places.isEmpty, let link, asked.workspace.file(link.path) != nil else {
            return .array(places.map { asked.facts.location($0) })
        }
        return .array([asked.facts.location(TextRange(file: link.path, range: 0..<0))])
    }

    private func actions(_ asked: Question, _ range: JSONValue?) -> [LanguageAction] {
        let start = Self.offset(range?["start"], in: asked.file.lines)
        let end = max(Self.offset(range?["end"], in: asked.file.lines), start)
        let (findings, failures) = state.withLock { state in
            // Findings of an older text have other places.
            let areCurrent = state.published[asked.path]?.file === asked.file
            return (
                areCurrent ? state.findings.findings(of: asked.path) : [],
                state.failures(of: asked.path, in: asked.workspace)
            )
        }
        return asked.workspace.actions(
            at: TextRange(file: asked.path, range: start..<end), findings: findings, failures: failures)
    }

    // MARK: Scenarios

    /// The scenarios of a workspace, for a list of tests.
    private func scenarios(_ facts: ServerFacts) -> JSONValue {
        .array(
            facts.workspace.files.values.filter { $0.kind == .scenario }.sorted { $0.path < $1.path }.compactMap {
                file in
                guard let json = file.json, let name = json.node(at: "/name").flatMap({ json.nodes[$0].text }) else {
                    return nil
                }
                func line(_ node: Int) -> JSONValue {
                    .integer(Int64(file.lines.position(at: json.nodes[node].value.lowerBound).line))
                }
                let cases = json.node(at: "/cases").map { json.nodes[$0].children } ?? []
                return [
                    "uri": .string(facts.addresses.uri(file.path)), "name": .string(name), "line": line(0),
                    "cases": .array(cases.map { ["name": .string(json.nodes[$0].token), "line": line($0)] }),
                ]
            })
    }

    /// Lets the client know that the list of scenarios has changed.
    func announceScenarios() {
        let facts = state.withLock { self.facts($0) }
        guard facts.client.showsReports else { return }
        let list = JSONWriter.compact(scenarios(facts))
        let hasChanged = state.withLock { state in
            defer { state.scenarios = list }
            return list != state.scenarios
        }
        if hasChanged { notify("b2c/scenariosChanged", [:]) }
    }
}
