import Diagnostics
import JSON
import LanguageService
import Synchronization
import Validation

/// Pages about rules, as files that an editor opens from a finding. Each is written when its first finding is shown.
final class RulePages: Sendable {
    private let write: @Sendable (_ name: String, _ text: String) -> String?
    private let paths = Mutex<[String: String?]>([:])

    init(write: @escaping @Sendable (_ name: String, _ text: String) -> String?) { self.write = write }

    /// `nil` for a rule without a page, or if it cannot be written.
    func path(of rule: String) -> String? {
        paths.withLock { paths in
            if let known = paths[rule] { return known }
            let path = Rules.named(rule).flatMap { write("\(rule).md", RulePage.markdown($0)) }
            paths[rule] = .some(path)
            return path
        }
    }
}

/// Writes facts of the language service as the protocol has them.
struct ServerFacts {
    let workspace: LanguageWorkspace
    let addresses: FileAddresses
    let client: ClientFeatures
    /// Versions of the documents that are open.
    let versions: [String: Int64]
    let pages: RulePages

    // MARK: Places

    private func position(_ offset: Int, in lines: EditorLines) -> JSONValue {
        let (line, unit) = lines.position(at: offset)
        return ["line": .integer(Int64(line)), "character": .integer(Int64(unit))]
    }

    func range(_ range: Range<Int>, in lines: EditorLines) -> JSONValue {
        ["start": position(range.lowerBound, in: lines), "end": position(range.upperBound, in: lines)]
    }

    func range(_ range: Range<Int>, of path: String) -> JSONValue {
        self.range(range, in: workspace.file(path)?.lines ?? EditorLines([]))
    }

    func location(_ place: TextRange) -> JSONValue {
        ["uri": .string(addresses.uri(place.file)), "range": range(place.range, of: place.file)]
    }

    // MARK: Texts

    /// `MarkupContent` of the protocol, without marks for clients that show them as they are.
    static func prose(_ markdown: String, isMarkdown: Bool) -> JSONValue {
        if isMarkdown { return ["kind": "markdown", "value": .string(markdown)] }
        var isCode = false
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> Substring? in
            if line.hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            return isCode ? line : line.replacing("**", with: "").replacing("`", with: "")
        }
        return ["kind": "plaintext", "value": .string(lines.joined(separator: "\n"))]
    }

    /// A name that is shown: clients refuse an empty one.
    private static func shown(_ name: String) -> JSONValue {
        .string(name.allSatisfy(\.isWhitespace) ? "(no name)" : name)
    }

    // MARK: Findings

    func diagnostic(_ finding: Finding) -> JSONValue {
        let diagnostic = finding.diagnostic
        let file = diagnostic.location.flatMap { workspace.file($0.file) }
        let bytes = file.flatMap { file in
            diagnostic.location.flatMap { file.source.range(of: $0) }.map { file.lines.firstLine(of: $0) }
        }
        let severity: JSONValue =
            switch diagnostic.severity {
            case .error: 1
            case .warning: 2
            case .advice: 3
            }
        var json: JSONObject = [
            "range": range(bytes ?? 0..<0, in: file?.lines ?? EditorLines([])), "severity": severity,
            "code": .string(diagnostic.rule), "source": "b2c",
            "message": .string([diagnostic.message, diagnostic.remedy].compactMap { $0 }.joined(separator: "\n")),
        ]
        json["codeDescription"] = pages.path(of: diagnostic.rule).map { ["href": .string(addresses.uri($0))] }
        // What nothing refers to is shown faded.
        if diagnostic.rule == "B2C-POL-029" { json["tags"] = [1] }
        return .object(json)
    }

    func diagnostic(_ failure: FailedExpectation) -> JSONValue {
        [
            "range": range(failure.place.range, of: failure.place.file), "severity": 1, "source": "b2c run",
            "message": .string([failure.caseNames, failure.message].compactMap(\.self).joined(separator: ": ")),
        ]
    }

    // MARK: Edits

    func edit(_ edits: [TextEdit]) -> JSONValue {
        let byFile = Dictionary(grouping: edits, by: \.file)
        let files = byFile.keys.sorted()
        func changes(_ file: String) -> JSONValue {
            .array(
                (byFile[file] ?? []).map { edit in
                    ["range": range(edit.range, of: file), "newText": .string(edit.replacement)]
                })
        }
        guard client.versionedEdits else {
            return ["changes": .object(JSONObject(files.map { (addresses.uri($0), changes($0)) }))]
        }
        return [
            "documentChanges": .array(
                files.map { file in
                    [
                        "textDocument": [
                            "uri": .string(addresses.uri(file)),
                            "version": versions[file].map { .integer($0) } ?? .null,
                        ],
                        "edits": changes(file),
                    ]
                })
        ]
    }

    func action(_ action: LanguageAction) -> JSONValue {
        var json: JSONObject = [
            "title": .string(action.title), "kind": action.group == .quickFix ? "quickfix" : "refactor.rewrite",
            "edit": edit(action.edits),
        ]
        if !action.findings.isEmpty { json["diagnostics"] = .array(action.findings.map(diagnostic)) }
        if action.isPreferred { json["isPreferred"] = true }
        return .object(json)
    }

    // MARK: Symbols

    func symbol(_ symbol: OutlineSymbol, of path: String) -> JSONValue {
        var json: JSONObject = [
            "name": Self.shown(symbol.name), "kind": Self.kind(symbol.kind),
            "range": range(symbol.whole, of: path), "selectionRange": range(symbol.nameRange, of: path),
        ]
        json["detail"] = symbol.detail.map { .string($0) }
        json["children"] = .array(symbol.children.map { self.symbol($0, of: path) })
        return .object(json)
    }

    /// The symbols of a tree as a list, for clients that know no trees.
    func symbols(flat symbols: [OutlineSymbol], of path: String, in container: String? = nil) -> [JSONValue] {
        symbols.flatMap { symbol -> [JSONValue] in
            var json: JSONObject = [
                "name": Self.shown(symbol.name), "kind": Self.kind(symbol.kind),
                "location": location(TextRange(file: path, range: symbol.whole)),
            ]
            json["containerName"] = container.map { .string($0) }
            return [.object(json)] + self.symbols(flat: symbol.children, of: path, in: symbol.name)
        }
    }

    func symbol(_ declaration: PlacedOccurrence) -> JSONValue {
        [
            "name": Self.shown(declaration.occurrence.name),
            "kind": Self.kind(declaration.occurrence.kind.outlineKind), "location": location(declaration.place),
            "containerName": .string(declaration.file),
        ]
    }

    /// `SymbolKind` of the protocol.
    private static func kind(_ kind: OutlineSymbol.Kind) -> JSONValue {
        switch kind {
        case .file: 1
        case .module: 2
        case .type: 5
        case .property: 7
        case .function: 12
        case .constant: 14
        case .object: 19
        case .key: 20
        case .event: 24
        }
    }

    // MARK: Completion

    /// - Parameter offset: Where it is asked for: what it replaces is on that line, and around it.
    func completion(_ completion: Completion, at offset: Int, in file: LanguageFile) -> JSONValue {
        let typed = completion.range
        let isAround = typed.lowerBound <= offset && offset <= typed.upperBound
        let (first, last) = (file.lines.position(at: typed.lowerBound), file.lines.position(at: typed.upperBound))
        let replaced = isAround && first.line == last.line ? typed : offset..<offset
        let digits = String(min(max(completion.order, 0), 99_999) + 100_000).dropFirst()
        var json: JSONObject = [
            "label": .string(completion.label), "kind": Self.kind(completion.kind),
            "sortText": .string(String(digits)),
            "insertTextFormat": completion.isSnippet ? 2 : 1,
            // What was typed so far may begin with a quote or a bracket.
            "filterText": .string(filter(completion, in: file.source)),
        ]
        var text = completion.text
        // Further lines are indented as the line is that it begins in. Clients do that with snippets by themselves.
        if client.indentsCompletions {
            json["insertTextMode"] = 2
        } else if !completion.isSnippet {
            let place = replaced.lowerBound
            let start = min(file.lines.offset(line: file.lines.position(at: place).line, unit: 0), place)
            let indentation = file.source.bytes[start..<place].prefix { $0 == 0x20 || $0 == 0x09 }
            text = text.replacing("\n", with: "\n" + String(decoding: indentation, as: UTF8.self))
        }
        json["textEdit"] = ["range": range(replaced, in: file.lines), "newText": .string(text)]
        json["detail"] = completion.detail.map { .string($0) }
        json["documentation"] = completion.documentation.map {
            Self.prose($0, isMarkdown: client.markdownCompletions)
        }
        return .object(json)
    }

    private func filter(_ completion: Completion, in source: SourceText) -> String {
        let typed = source.bytes[completion.range].first
        let marks: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: "{")]
        guard let typed, marks.contains(typed), completion.label.utf8.first != typed else { return completion.label }
        return String(UnicodeScalar(typed)) + completion.label
    }

    /// `CompletionItemKind` of the protocol.
    private static func kind(_ kind: Completion.Kind) -> JSONValue {
        switch kind {
        case .element: 7
        case .attribute: 10
        case .value: 12
        case .name: 18
        case .key: 5
        case .snippet: 15
        }
    }

    // MARK: Lenses

    func lens(_ lens: LanguageLens) -> JSONValue {
        var json: JSONObject = ["range": range(lens.range.range, of: lens.range.file)]
        let (command, argument) = call(of: lens.command)
        if let title = lens.title {
            json["command"] = [
                "title": .string(title), "command": .string(command), "arguments": [.object(argument)],
            ]
        } else {
            json["data"] = .object(argument)
        }
        return .object(json)
    }

    private func call(of command: LanguageLens.Command) -> (command: String, argument: JSONObject) {
        switch command {
        case .trace(let file, let policy, let person):
            let argument: JSONObject = [
                "uri": .string(addresses.uri(file)), "policy": .string(policy), "person": .string(person),
            ]
            return ("b2c.trace", argument)
        case .explore(let file, let policy):
            return ("b2c.explore", ["uri": .string(addresses.uri(file)), "policy": .string(policy)])
        case .run(let file, let caseName):
            var argument: JSONObject = ["uri": .string(addresses.uri(file))]
            argument["case"] = caseName.map { .string($0) }
            return ("b2c.run", argument)
        case .uses(let file, let profile):
            return ("b2c.reach", ["uri": .string(addresses.uri(file)), "profile": .string(profile)])
        }
    }
}
