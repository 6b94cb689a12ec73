import JSON
import Verbs

/// What a JSON file has, as an editor lists and folds it.
enum ScriptOutline {
    /// Of a scenario its name, cases and steps; of all other files their members, and the members of those.
    static func symbols(of file: LanguageFile) -> [OutlineSymbol] {
        guard let json = file.json, let root = json.nodes.first, root.kind == .object else { return [] }
        guard file.kind == .scenario else { return members(of: 0, in: json, depth: 2) }
        return root.children.compactMap { child in
            let node = json.nodes[child]
            return switch node.token {
            case "name": symbol(child, name: node.text, .file, in: json)
            case "steps", "finally":
                symbol(child, .module, children: steps(of: child, in: json), in: json)
            case "cases", "clients", "variables", "configure", "tenant":
                node.isContainer
                    ? symbol(child, .module, children: members(of: child, in: json, depth: 1), in: json) : nil
            default: nil
            }
        }
    }

    private static func members(of node: Int, in json: JSONOutline, depth: Int) -> [OutlineSymbol] {
        guard depth > 0, json.nodes[node].kind == .object else { return [] }
        return json.nodes[node].children.compactMap { child in
            guard json.nodes[child].key != nil else { return nil }
            let value = json.nodes[child]
            let inner = members(of: child, in: json, depth: depth - 1)
            let kind: OutlineSymbol.Kind = value.isContainer ? (depth > 1 ? .module : .object) : .property
            let detail = ScriptFacts.isSecret(value.token) ? .none : value.text
            return symbol(child, detail: detail, kind, children: inner, in: json)
        }
    }

    /// The steps of a list with those inside of groups and completion handlers: "2 acquireToken (login)".
    private static func steps(of list: Int, in json: JSONOutline, depth: Int = 0) -> [OutlineSymbol] {
        guard depth < JSONLimits.depth, json.nodes[list].kind == .array else { return [] }
        return json.nodes[list].children.enumerated().compactMap { index, child in
            guard json.nodes[child].kind == .object else { return nil }
            let verb = verb(of: child, in: json)
            let id = json.child("id", of: child).flatMap { json.nodes[$0].text }
            let inner = ["steps", "parallel", "then"].compactMap { json.child($0, of: child) }
                .flatMap { steps(of: $0, in: json, depth: depth + 1) }
            var name = "\(index + 1) \(verb?.rawValue ?? "step")"
            if let id { name += " (\(id))" }
            let title = json.child("name", of: child).flatMap { json.nodes[$0].text }
            return symbol(child, name: name, detail: title, .function, children: inner, in: json)
        }
    }

    /// The verb of a step.
    static func verb(of step: Int, in json: JSONOutline) -> Verb? {
        json.nodes[step].children.lazy.compactMap { Verb(rawValue: json.nodes[$0].token) }.first
    }

    private static func symbol(
        _ node: Int, name: String? = nil, detail: String? = nil, _ kind: OutlineSymbol.Kind,
        children: [OutlineSymbol] = [], in json: JSONOutline
    ) -> OutlineSymbol {
        let value = json.nodes[node]
        let start = value.value.lowerBound
        // An element has no name; its bracket is where an editor goes.
        let nameRange = value.key ?? start..<min(start + 1, value.value.upperBound)
        return OutlineSymbol(
            name: name.flatMap { $0.isEmpty ? nil : $0 } ?? value.token, detail: detail, kind: kind,
            whole: value.whole,
            nameRange: nameRange, children: children)
    }

    /// Objects, lists and comments over several lines.
    static func foldingRanges(of file: LanguageFile) -> [Range<Int>] {
        guard let json = file.json else { return [] }
        return (json.nodes.filter(\.isContainer).map(\.value) + json.comments)
            .filter { json.source.position(at: $0.lowerBound).line < json.source.position(at: $0.upperBound).line }
            .sorted { $0.lowerBound < $1.lowerBound }
    }
}
