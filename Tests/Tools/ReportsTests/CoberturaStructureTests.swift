import Foundation
import JSON
import Reports
import ScenarioRunner
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The Cobertura report has the structure that `coverage-04.dtd` declares: which element may contain which, how often,
/// and with which attributes.
@Suite struct CoberturaStructureTests {
    /// A declaration of the document type.
    private struct Declaration {
        /// Children in order, each with `?` (at most once), `*` (any number) or nothing (once) behind it.
        var children: [String] = []
        var required: [String] = []
        var optional: [String] = []
        var holdsText = false
    }

    private static let dtd: [String: Declaration] = [
        "coverage": Declaration(
            children: ["sources?", "packages"],
            required: [
                "line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered", "branches-valid",
                "complexity", "version", "timestamp",
            ]),
        "sources": Declaration(children: ["source*"]), "source": Declaration(holdsText: true),
        "packages": Declaration(children: ["package*"]),
        "package": Declaration(
            children: ["classes"], required: ["name", "line-rate", "branch-rate", "complexity"]),
        "classes": Declaration(children: ["class*"]),
        "class": Declaration(
            children: ["methods", "lines"], required: ["name", "filename", "line-rate", "branch-rate", "complexity"]),
        "methods": Declaration(children: ["method*"]),
        "method": Declaration(
            children: ["lines"], required: ["name", "signature", "line-rate", "branch-rate", "complexity"]),
        "lines": Declaration(children: ["line*"]),
        "line": Declaration(
            children: ["conditions*"], required: ["number", "hits"], optional: ["branch", "condition-coverage"]),
        "conditions": Declaration(children: ["condition*"]),
        "condition": Declaration(required: ["number", "type", "coverage"]),
    ]

    /// Elements as they come, with what is wrong by the table.
    private final class Checker: NSObject, XMLParserDelegate {
        var problems: [String] = []
        var lines: [String: [Int]] = [:]
        private var open: [(name: String, children: [String], text: String)] = []
        private var file = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            if open.isEmpty, name != "coverage" { problems.append("the root is \(name)") }
            if !open.isEmpty { open[open.count - 1].children.append(name) }
            open.append((name, [], ""))
            guard let declaration = dtd[name] else { return problems.append("\(name) is not declared") }
            for attribute in declaration.required where attributes[attribute] == nil {
                problems.append("\(name) lacks \(attribute)")
            }
            for attribute in attributes.keys
            where !declaration.required.contains(attribute) && !declaration.optional.contains(attribute) {
                problems.append("\(name) has \(attribute)")
            }
            for rate in ["line-rate", "branch-rate"] {
                guard let text = attributes[rate] else { continue }
                if let value = Double(text), (0...1).contains(value) { continue }
                problems.append("\(name) has the \(rate) \(text)")
            }
            if name == "class" { file = attributes["filename"] ?? "" }
            if name == "line" { lines[file, default: []].append(Int(attributes["number"] ?? "") ?? 0) }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if !open.isEmpty { open[open.count - 1].text += text }
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            guard let (_, children, text) = open.popLast(), let declaration = dtd[name] else { return }
            var rest = children[...]
            for child in declaration.children {
                let wanted = child.filter { $0 != "?" && $0 != "*" }
                let run = rest.prefix { $0 == wanted }.count
                if !child.hasSuffix("*"), run > 1 { problems.append("\(name) has \(run) \(wanted)") }
                if run == 0, child == wanted { problems.append("\(name) lacks \(wanted)") }
                rest = rest.dropFirst(run)
            }
            if let stray = rest.first { problems.append("\(stray) does not belong there in \(name)") }
            if !declaration.holdsText, text.contains(where: { !$0.isWhitespace }) { problems.append("text in \(name)") }
        }
    }

    private func checked(_ text: String) -> Checker {
        // The document type is named, not fetched.
        let parser = XMLParser(data: Data(text.utf8))
        parser.shouldResolveExternalEntities = false
        let checker = Checker()
        parser.delegate = checker
        if !parser.parse() { checker.problems.append("not well-formed: \(String(describing: parser.parserError))") }
        return checker
    }

    static let reports: [CoverageReport] = [
        CoverageReport(files: []),
        CoverageReport(files: [.init(path: "policies/Empty.xml", items: [])]),
        CoverageReport(files: [
            .init(
                path: "a <&> \"b\"/Base\u{7}.xml",
                items: [
                    .init(kind: .step, id: "J 1", line: 10, hits: 0),
                    .init(
                        kind: .precondition, id: "c", line: 12, hits: 2, branches: .init(skipped: 1, passed: 1)),
                    .init(kind: .profile, id: "P", line: 10, hits: 3), .init(kind: .profile, id: "Q", line: 0, hits: 3),
                ]),
            .init(path: "policies/Other.xml", items: [.init(kind: .transformation, id: "T", line: 1, hits: 1)]),
        ]),
    ]

    @Test(arguments: reports.indices) func `the structure is that of the document type`(_ index: Int) {
        let text = CoberturaReport.text(Self.reports[index])
        let checker = checked(text)
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        // A line is there once and in order, whatever order its parts came in.
        for (file, lines) in checker.lines { #expect(lines == Array(Set(lines)).sorted(), "\(file)") }
    }

    @Test func `the checker sees what is wrong`() {
        let good = CoberturaReport.text(Self.reports[2])
        for (part, other) in [
            ("<methods/>", ""), ("hits=", "hit="), ("line-rate=\"", "line-rate=\"9"), ("</sources>", "</sources>x"),
        ] {
            #expect(good.contains(part))
            #expect(!checked(good.replacingOccurrences(of: part, with: other)).problems.isEmpty, "\(part)")
        }
    }
}
