import Diagnostics
import Synchronization
import TrustFramework

/// Why nothing is renamed, in a sentence for the person.
package struct RenameRefusal: Error, Hashable, Sendable {
    package var text: String

    package init(_ text: String) { self.text = text }
}

/// Renames, and remembers for a while what it renamed: a name that is renamed back gets the letter case of each place
/// again.
package final class Renaming: Sendable {
    /// How the places of a thing were spelled before it got a name.
    struct Memory {
        var kind: SymbolKind
        var name: String
        /// By file, in the order of the text: the name, and how it was written.
        var spellings: [String: [(name: String, text: String)]]

        func hasSpelling(_ name: String) -> Bool { spellings.values.contains { $0.contains { $0.name == name } } }
    }

    /// So many renames are remembered.
    private static let remembered = 32

    private let memories = Mutex<[Memory]>([])

    package init() {}

    /// The name at a place that can be renamed.
    package func target(at place: TextPlace, in workspace: LanguageWorkspace) throws(RenameRefusal) -> PlacedOccurrence
    {
        guard let symbol = workspace.symbol(at: place) else {
            throw RenameRefusal("Nothing here has a name that can be changed.")
        }
        let name = symbol.occurrence.name
        if let twins = workspace.sameIDs(above: symbol) {
            throw RenameRefusal(
                "\(twins.first) and \(twins.second) have the same policy id. Remove one of them, or give it another "
                    + "PolicyId.")
        }
        switch symbol.occurrence.kind {
        case .setting where PolicyEnvironments.ownSettings.contains(where: { sameID($0, name) }):
            throw RenameRefusal("{Settings:\(name)} has its name from the tool that fills it.")
        case .policy:
            throw RenameRefusal(
                "Change the id of a policy by hand: its file name, its PublicPolicyUri and every app that calls it "
                    + "change with it.")
        case .script:
            if let reason = ScriptScope.fixedName(of: symbol, in: workspace) { throw RenameRefusal(reason) }
            return symbol
        case let kind:
            let owner = workspace.builtInNames(under: symbol.file).first {
                $0.declared.contains { $0.kind == kind && sameID($0.name, name) }
            }
            guard let owner else { return symbol }
            throw RenameRefusal(
                "\"\(name)\" is declared in the built-in policy \(owner.policyID), which cannot be changed.")
        }
    }

    /// The edits of a rename, in the order of files and text.
    package func edits(
        at place: TextPlace, to name: String, in workspace: LanguageWorkspace
    ) throws(RenameRefusal) -> [TextEdit] {
        let symbol = try target(at: place, in: workspace)
        let kind = symbol.occurrence.kind
        try check(name, as: kind)
        let all = workspace.occurrences(of: symbol)
        if !isSame(name, symbol.occurrence.name, kind),
            let other = workspace.occurrence(named: name, wherever: all, of: symbol)
        {
            let line = workspace.file(other.file)?.source.position(at: other.occurrence.range.lowerBound).line ?? 1
            throw RenameRefusal(
                "There is already \(other.occurrence.kind.phrase) \"\(name)\": \(other.file):\(line).")
        }
        var spellings: [String: [(name: String, text: String)]] = [:]
        for found in all {
            let text = workspace.file(found.file)?.source.text(found.occurrence.range) ?? found.occurrence.name
            spellings[found.file, default: []].append((found.occurrence.name, text))
        }
        let old = remember(
            Memory(kind: kind, name: name, spellings: spellings), insteadOf: symbol.occurrence.name)
        // A spelling that no place had is one that the person wants.
        let wasWritten = old?.hasSpelling(name) ?? false
        var places: [String: Int] = [:]
        var edits: [TextEdit] = []
        for found in all {
            let place = places[found.file, default: 0]
            places[found.file] = place + 1
            let now = spellings[found.file] ?? []
            var text = name
            // A file in which places came or went has no places to compare.
            if let before = old?.spellings[found.file], before.count == now.count,
                isSame(before[place].name, name, kind), wasWritten
            {
                text = before[place].text
            }
            guard now[place].text != text else { continue }
            edits.append(TextEdit(file: found.file, range: found.occurrence.range, replacement: text))
        }
        return edits
    }

    /// What is known of the rename that gave a thing its present name.
    func remembered(_ kind: SymbolKind, _ name: String) -> Memory? {
        memories.withLock { memories in memories.last { $0.kind == kind && $0.name == name } }
    }

    /// Keeps what is renamed now, and returns what is known of the rename that gave the thing its present name.
    private func remember(_ memory: Memory, insteadOf name: String) -> Memory? {
        let old = remembered(memory.kind, name)
        return memories.withLock { memories in
            memories.append(memory)
            memories.removeFirst(max(memories.count - Self.remembered, 0))
            return old
        }
    }

    private func check(_ name: String, as kind: SymbolKind) throws(RenameRefusal) {
        if case .script(let kind) = kind {
            guard let objection = ScriptScope.objection(to: name, as: kind) else { return }
            throw RenameRefusal(objection)
        }
        guard !name.isEmpty, name == name.trimmingWhitespace else {
            throw RenameRefusal("A name has at least one character, and no blanks around it.")
        }
        let refused = "<>\"'&{}\\"
        if let wrong = name.unicodeScalars.first(where: {
            $0.value < 0x20 || $0.value == 0x7F || refused.unicodeScalars.contains($0) || $0.properties.isWhitespace
        }) {
            let isVisible = wrong.value > 0x20 && wrong.value != 0x7F && !wrong.properties.isWhitespace
            let shown = isVisible ? String(wrong) : "blanks or control characters"
            throw RenameRefusal("The name of \(kind.phrase) cannot have \(shown).")
        }
    }

    private func isSame(_ a: String, _ b: String, _ kind: SymbolKind) -> Bool {
        kind.isOfPolicies ? sameID(a, b) : a == b
    }
}

extension SymbolKind {
    /// Whether it is a thing of policies, whose names ignore letter case.
    fileprivate var isOfPolicies: Bool {
        if case .script = self { false } else { true }
    }
}

extension LanguageWorkspace {
    /// Two files of one folder with the same policy id, one of which is the file of a name or above it.
    fileprivate func sameIDs(above symbol: PlacedOccurrence) -> (first: String, second: String)? {
        guard symbol.occurrence.kind.isOfPolicies, file(symbol.file)?.kind == .policy else { return nil }
        return families.chain(symbol.file).lazy.compactMap { path in
            families.twin(of: path).map { (min(path, $0), max(path, $0)) }
        }.first
    }

    /// Another thing of a kind that has a name already, where any of a thing's places sees it.
    fileprivate func occurrence(
        named name: String, wherever all: [PlacedOccurrence], of symbol: PlacedOccurrence
    ) -> PlacedOccurrence? {
        let wanted = symbol.occurrence
        let files = Set(all.map(\.file))
        switch wanted.kind {
        case .script: return ScriptScope.owner(of: name, besides: symbol, in: self)
        case .policyKey, .setting:
            return sharing(with: files, wanted.kind) { $0.kind == wanted.kind && sameID($0.name, name) }.first
        default:
            let scopes = all.map(\.occurrence.scope)
            return occurrences(in: files.union(files.flatMap(families.relatives))) { _, other in
                other.kind == wanted.kind && sameID(other.name, name)
                    && (other.scope == nil || scopes.contains { $0 == nil || sameID($0 ?? "", other.scope ?? "") })
            }
            .first
        }
    }
}
