import Exchanges
import JSON
import Scenarios
import Verbs

extension LanguageWorkspace {
    func scriptCompletions(at place: TextPlace, in file: LanguageFile, snippets: Bool) -> [Completion] {
        guard let json = file.json, place.offset >= 0, place.offset <= file.source.bytes.count else { return [] }
        let writer = ScriptCompletions(
            workspace: self, file: file, json: json, places: ScriptPlaces(json, kind: file.kind), snippets: snippets)
        return switch json.spot(at: place.offset) {
        case .key(let object, let typed): writer.keys(of: object, typed: typed)
        case .value(let node, let parent, let typed):
            writer.values(at: place.offset, node: node, parent: parent, typed: typed)
        case .other: []
        }
    }
}

/// What may be written at a place of a JSON file.
private struct ScriptCompletions {
    let workspace: LanguageWorkspace
    let file: LanguageFile
    let json: JSONOutline
    let places: ScriptPlaces
    let snippets: Bool

    // MARK: Keys

    func keys(of object: Int, typed: Range<Int>) -> [Completion] {
        guard let place = places.places[object] else { return [] }
        let typedNode = json.nodes[object].children.first { json.nodes[$0].key == typed }
        let present = Set(json.nodes[object].children.filter { $0 != typedNode }.map { json.nodes[$0].token })
        let slot = KeySlot(json, typed: typed, node: typedNode, object: object)
        var offered: Set<String> = []
        var found: [Completion] = []
        func offer(_ name: String, _ detail: String?, doc: String? = nil, shapes: [Shape]) {
            guard !present.contains(name), offered.insert(name).inserted else { return }
            let isSnippet = snippets && !slot.hasValue
            found.append(
                Completion(
                    label: name, kind: .key, detail: detail, documentation: doc,
                    text: slot.text(isSnippet ? name.escapedForSnippet : name, value: value(of: shapes)),
                    isSnippet: isSnippet, range: slot.range, order: found.count))
        }
        for shape in place.shapes {
            switch shape {
            case .object(let object):
                for field in fields(of: object, besides: present) {
                    let detail = object.exactlyOneOf.contains(field.name) ? object.exactlyOneWord : nil
                    let shapes = places.member(field.name, of: place, isObject: true)?.shapes ?? []
                    offer(
                        field.name, field.required ? "required" : detail, doc: ScriptFacts.text(of: field),
                        shapes: shapes)
                }
            case .map(_, let hint, let names?):
                let shapes = places.member("", of: place, isObject: true)?.shapes ?? []
                for thing in ScriptScope.declarations(of: names, seenFrom: file.path, in: workspace) {
                    // What is typed right now is a name already.
                    let isTyped = thing.file == file.path && typed.contains(thing.occurrence.range.lowerBound)
                    if !isTyped { offer(thing.occurrence.name, hint, shapes: shapes) }
                }
            case .map(_, let hint, nil) where file.kind == .project && place.field?.name == "variables":
                let scripts = workspace.files.values.filter { $0.kind == .scenario }.compactMap(\.json)
                let names = scripts.flatMap { json in
                    json.node(at: "variables").map { json.nodes[$0].children.map { json.nodes[$0].token } } ?? []
                }
                let shapes = places.member("", of: place, isObject: true)?.shapes ?? []
                for name in Set(names).sorted() { offer(name, hint, shapes: shapes) }
            default: break
            }
        }
        return found
    }

    /// The keys that may be added, required ones first; among verbs only while there is none.
    private func fields(of object: ObjectShape, besides present: Set<String>) -> [Field] {
        let hasOne = object.exactlyOneOf.contains(where: present.contains)
        let excluded = Set(object.atMostOneOf.filter { $0.contains(where: present.contains) }.joined())
        let fields = object.fields.filter { field in
            field.notBuiltYet == nil && !excluded.contains(field.name)
                && !(hasOne && object.exactlyOneOf.contains(field.name))
        }
        return fields.filter(\.required) + fields.filter { !$0.required }
    }

    /// What a new key gets for its value, in a snippet with `$1` where one types on.
    private func value(of shapes: [Shape]) -> String {
        let rest = snippets ? "$1" : ""
        return switch shapes.first {
        case .object, .map: "{\(rest)}"
        case .array: "[\(rest)]"
        case .bool: snippets ? "${1:true}" : "true"
        case .string, .nonEmptyString, .duration, .instant, .url, .pattern, .oneOf, .name: "\"\(rest)\""
        default: rest
        }
    }

    /// Where a key is written, and what is around it.
    private struct KeySlot {
        /// Behind an opening quote that is there, up to behind the closing one.
        let range: Range<Int>
        /// Whether a colon follows already.
        let hasValue: Bool
        private let hasQuote: Bool
        private let needsComma: Bool

        init(_ json: JSONOutline, typed: Range<Int>, node: Int?, object: Int) {
            hasQuote = typed.lowerBound < typed.upperBound && json.source.bytes[typed.lowerBound] == UInt8(ascii: "\"")
            range = (hasQuote ? typed.lowerBound + 1 : typed.lowerBound)..<typed.upperBound
            hasValue = node.map { json.nodes[$0].value.lowerBound > typed.upperBound } ?? false
            needsComma = json.isValueNext(after: typed.upperBound, in: object)
        }

        func text(_ name: String, value: String) -> String {
            let key = (hasQuote ? "" : "\"") + name + "\""
            return hasValue ? key : key + ": " + value + (needsComma ? "," : "")
        }
    }

    // MARK: Values

    func values(at offset: Int, node: Int?, parent: Int?, typed: Range<Int>) -> [Completion] {
        if let node, json.nodes[node].kind == .string, let spot = ScriptTemplateSpot(json, at: offset, in: node) {
            return templates(spot, in: node)
        }
        let place =
            if let node {
                places.places[node]
            } else if let parent {
                places.places[parent].flatMap { places.member("", of: $0, isObject: false) }
            } else {
                places.root
            }
        guard let place else { return [] }
        let isText = node.map { json.nodes[$0].kind == .string } ?? false
        let range = isText ? (typed.lowerBound + 1)..<typed.upperBound : typed
        let isNew = node.map { json.nodes[$0].kind == .missing } ?? true
        let comma = isNew && parent.map { json.isValueNext(after: typed.upperBound, in: $0) } ?? false ? "," : ""
        var found: [Completion] = []
        var offered: Set<String> = []
        func offer(
            _ label: String, text: String? = nil, snippet: String? = nil, _ detail: String? = nil, doc: String? = nil
        ) {
            guard offered.insert(label).inserted else { return }
            let snippet = snippets ? snippet : nil
            found.append(
                Completion(
                    label: label, kind: snippet == nil ? .value : .snippet, detail: detail, documentation: doc,
                    text: (snippet ?? text ?? label) + comma, isSnippet: snippet != nil, range: range,
                    order: found.count))
        }
        func offer(text: String, _ detail: String?, doc: String? = nil) {
            offer(text, text: String(JSONWriter.compact(.string(text)).dropFirst(isText ? 1 : 0)), detail, doc: doc)
        }
        for name in files(for: place) { offer(text: name, "file") }
        for shape in place.shapes {
            switch shape {
            case .oneOf(let choices):
                for choice in choices where choice.notBuiltYet == nil {
                    offer(text: choice.value, nil, doc: ScriptFacts.text(of: choice))
                }
            case .name(let kind):
                for thing in ScriptScope.declarations(of: kind, seenFrom: file.path, in: workspace) {
                    offer(text: thing.occurrence.name, summary(of: thing))
                }
            case .duration: for text in ["PT1M", "PT1H", "P1D"] { offer(text: text, "duration") }
            case .instant: offer(text: "2026-01-15T12:00:00Z", "instant")
            case .bool where !isText: for word in ["true", "false"] { offer(word) }
            case .object(let object) where !isText: offer("{}", snippet: "{$1}", object.title)
            case .map(_, let hint, _) where !isText: offer("{}", snippet: "{$1}", hint)
            case .array where !isText: offer("[]", snippet: "[$1]")
            default: break
            }
        }
        return found
    }

    private func summary(of thing: PlacedOccurrence) -> String? { ScriptFacts.summary(of: thing, in: workspace) }

    /// Files of the workspace that a path at a place may name, as the file would write them.
    private func files(for place: ScriptPlaces.Place) -> [String] {
        let kind: LanguageKind? =
            switch (place.owner?.title, place.field?.name) {
            case ("scenario", "tenant"?), ("target file", "tenant"?): .tenant
            case (_, "policySettingsFile"?): .settings
            case ("policy", "file"?): .policy
            case ("project file", "target"?), ("profile", "target"?): .target
            case ("project file", "paths"?), ("profile", "paths"?): .scenario
            default: nil
            }
        guard let kind else { return [] }
        return workspace.files.values.filter { $0.kind == kind }
            .map { ScenarioPath.relative($0.path, from: file.path) }.sorted()
    }

    // MARK: Templates

    private func templates(_ spot: ScriptTemplateSpot, in node: Int) -> [Completion] {
        let parts = spot.template.parts
        guard let range = json.range(ofText: parts[spot.part].range, in: node) else { return [] }
        let end = spot.template.isClosed || spot.part < parts.count - 1 ? "" : "}}"
        var found: [Completion] = []
        func offer(_ label: String, _ detail: String?, doc: String? = nil, leadsOn: Bool = false) {
            found.append(
                Completion(
                    label: label, kind: .name, detail: detail, documentation: doc,
                    text: label + (leadsOn ? "" : end), range: range, order: found.count))
        }
        let before = parts[..<spot.part].map(\.text)
        guard let root = before.first else {
            for (step, verb) in steps(before: range.lowerBound) { offer(step, verb, leadsOn: true) }
            for name in ScriptScope.names(of: .variable, seenFrom: file.path, in: workspace) { offer(name, "variable") }
            // A target file is read before there is a world.
            for root in file.kind == .target ? [.env, .secret] : ValueRoot.allCases {
                offer(root.rawValue, "value", doc: ScriptFacts.text(of: root), leadsOn: Self.leadsOn.contains(root))
            }
            return found
        }
        if let root = ValueRoot(rawValue: root) {
            if root == .inbox, before.count == 2 {
                for name in ["to", "kind", "subject", "text", "code"] { offer(name, "message") }
            } else if let row = section(named: before), before.count == row.depth {
                for thing in ScriptScope.declarations(of: row.kind, seenFrom: file.path, in: workspace) {
                    offer(thing.occurrence.name, summary(of: thing), leadsOn: true)
                }
            } else if root == .now, before.count == 1 {
                offer("epoch", "seconds since 1970")
            } else {
                for field in tenantFields(before) { offer(field.name, nil, doc: ScriptFacts.text(of: field)) }
            }
            return found
        }
        guard
            let verb = steps(before: range.lowerBound).first(where: { $0.id == root })?.verb
                .flatMap({ Verb(rawValue: $0) })
        else {
            return found
        }
        if before.count == 1 {
            for name in OutcomeMembers.of(verb) {
                let field = places.outcomeField([name])
                offer(name, nil, doc: field.map(ScriptFacts.text), leadsOn: name == "result")
            }
        } else if before.count == 2, before[1] == "result", !verb.record.results.isEmpty {
            for field in verb.record.results.flatMap({ $0.fields }) {
                offer(field.name, nil, doc: ScriptFacts.text(of: field))
            }
        } else {
            let fields = places.outcome(before.dropFirst())?.objects.flatMap(\.fields) ?? []
            for field in fields where !field.name.hasPrefix("$") {
                offer(field.name, nil, doc: ScriptFacts.text(of: field))
            }
        }
        return found
    }

    private static let leadsOn: Set<ValueRoot> = [
        .tenant, .users, .apps, .policies, .apis, .hosts, .inbox, .keys, .env, .secret,
    ]

    /// The steps with an id that are written before an offset, with the keys of their verbs.
    private func steps(before offset: Int) -> [(id: String, verb: String?)] {
        file.occurrences.compactMap { occurrence in
            guard occurrence.kind == .script(.step), occurrence.isDeclaration, occurrence.range.lowerBound < offset,
                let step = json.node(at: occurrence.range.lowerBound).flatMap({ json.nodes[$0].parent })
            else { return nil }
            return (occurrence.name, ScriptOutline.verb(of: step, in: json)?.rawValue)
        }
    }

    /// The section whose entries come next, and how many parts lead to it.
    private func section(named before: [String]) -> (kind: NameKind, depth: Int)? {
        let isTenant = before[0] == ValueRoot.tenant.rawValue
        guard let name = before.dropFirst(isTenant ? 1 : 0).first else { return nil }
        return ScriptTemplate.sections.first { isTenant ? $0.section == name : $0.root == name }
            .map { ($0.kind, isTenant ? 2 : 1) }
    }

    /// The keys at a path into the tenant, as the tenant file has them.
    private func tenantFields(_ before: [String]) -> [Field] {
        let isTenant = before[0] == ValueRoot.tenant.rawValue
        let section = ScriptTemplate.sections.first { $0.root == before[0] }?.section
        guard isTenant || section != nil else { return [] }
        let table = ScriptPlaces(json, kind: .tenant)
        var here = table.root
        for token in [section].compactMap({ $0 }) + before.dropFirst() {
            here = here.flatMap { table.member(token, of: $0, isObject: !token.allSatisfy(\.isNumber)) }
        }
        return here?.objects.flatMap(\.fields).filter { $0.notBuiltYet == nil && $0.name != "$schema" } ?? []
    }
}

extension JSONOutline {
    /// Whether another value or member of an object or list begins behind an offset, without a comma before it.
    fileprivate func isValueNext(after offset: Int, in container: Int) -> Bool {
        guard let next = firstToken(from: offset), next < nodes[container].value.upperBound else { return false }
        return switch source.bytes[next] {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"): false
        default: true
        }
    }
}

extension String {
    /// As a snippet writes it.
    fileprivate var escapedForSnippet: String {
        reduce(into: "") { text, character in
            if "\\$}".contains(character) { text += "\\" }
            text.append(character)
        }
    }
}
