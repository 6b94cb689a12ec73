import Markup
import TrustFramework

/// Which policy file inherits from which. Found as `b2c validate` does: the base is in the same folder, else in one above,
/// else the only policy of that id anywhere. Ids are compared as they are written: what `{Settings:NAME}` stands for
/// is not known here.
package struct PolicyFamilies: Sendable {
    fileprivate struct Link: Hashable {
        var policyID: String?
        var baseID: String?
    }

    /// What each file says.
    private var links: [String: Link] = [:]
    /// Files by policy id and by the id of their base, both in upper case.
    private var byID: [String: Set<String>] = [:]
    private var byBaseID: [String: Set<String>] = [:]
    /// The file of the base, by file.
    private var bases: [String: String] = [:]
    private var heirs: [String: Set<String>] = [:]

    package init() {}

    /// The same with a file, or with what it says now. A policy that is broken right now keeps the id and the base it had.
    func updated(with file: LanguageFile) -> PolicyFamilies {
        guard let outline = file.markup else { return without(file.path) }
        let before = links[file.path]
        var link = Link(outline)
        link.policyID = link.policyID ?? before?.policyID
        if link.baseID == nil, !Link.isSurelyRoot(outline) { link.baseID = before?.baseID }
        guard link != before else { return self }
        return with(link, of: file.path)
    }

    func without(_ path: String) -> PolicyFamilies { links[path] == nil ? self : with(nil, of: path) }

    private func with(_ link: Link?, of path: String) -> PolicyFamilies {
        var result = self
        let before = links[path]
        result.links[path] = link
        Self.move(path, from: before?.policyID, to: link?.policyID, in: &result.byID)
        Self.move(path, from: before?.baseID, to: link?.baseID, in: &result.byBaseID)
        var concerned: Set = [path]
        for id in [before?.policyID, link?.policyID] {
            concerned.formUnion(result.byBaseID[id?.uppercased() ?? ""] ?? [])
        }
        for path in concerned {
            let base = result.baseID(path).flatMap { result.file(ofPolicy: $0, seenFrom: path) }
            Self.move(path, from: result.bases[path], to: base, in: &result.heirs, isPath: true)
            result.bases[path] = base
        }
        return result
    }

    /// Moves a file from one entry of a table to another.
    private static func move(
        _ path: String, from before: String?, to now: String?, in table: inout [String: Set<String>],
        isPath: Bool = false
    ) {
        guard before != now else { return }
        if let before {
            let key = isPath ? before : before.uppercased()
            table[key]?.remove(path)
            if table[key]?.isEmpty == true { table[key] = nil }
        }
        if let now { table[isPath ? now : now.uppercased(), default: []].insert(path) }
    }

    /// The file of a policy as another file means it; `nil` if there is none, or if several others could be meant.
    func file(ofPolicy id: String, seenFrom path: String) -> String? {
        guard let same = byID[id.uppercased()] else { return nil }
        var folder: String? = Self.folder(of: path)
        while let current = folder {
            if let found = same.filter({ Self.folder(of: $0) == current }).min() { return found }
            folder = current.isEmpty ? nil : Self.folder(of: current)
        }
        return same.count == 1 ? same.first : nil
    }

    /// Another file of the same folder with the same policy id, where others inherit from one of them. A text that was
    /// never saved, whose address has a scheme, has no folder.
    func twin(of path: String) -> String? {
        let twin = policyID(path).flatMap { byID[$0.uppercased()] }?.filter {
            $0 != path && Self.folder(of: $0) == Self.folder(of: path) && !$0.contains(":")
        }.min()
        return twin.flatMap { children(path).isEmpty && children($0).isEmpty ? nil : $0 }
    }

    /// The path of the folder around a file or folder; empty where no folder is written.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    /// The files that a policy inherits from, root first, and the policy last. A circle ends where it closes.
    package func chain(_ path: String) -> [String] {
        var chain = [path]
        while let last = chain.last, let base = bases[last], !chain.contains(base),
            chain.count < PolicyLibrary.deepestInheritance
        {
            chain.append(base)
        }
        return chain.reversed()
    }

    /// The files that inherit from a policy, directly or not, in the order of their paths.
    package func descendants(_ path: String) -> [String] {
        var found: Set<String> = []
        var pending = [path]
        while let next = pending.popLast() {
            for heir in heirs[next] ?? [] where heir != path && found.insert(heir).inserted { pending.append(heir) }
        }
        return found.sorted()
    }

    /// The files that inherit from a policy directly.
    package func children(_ path: String) -> [String] { (heirs[path] ?? []).sorted() }

    /// The files that a policy inherits from and those that inherit from it.
    func relatives(_ path: String) -> [String] { chain(path).dropLast() + descendants(path) }

    /// The id in the file's `PolicyId`.
    package func policyID(_ path: String) -> String? { links[path]?.policyID }

    /// The file that a policy inherits from.
    func base(_ path: String) -> String? { bases[path] }

    /// The id of the policy that a file inherits from, whether there is a file of it or not.
    func baseID(_ path: String) -> String? { links[path]?.baseID }
}

extension PolicyFamilies.Link {
    fileprivate init(_ outline: MarkupOutline) {
        guard let root = outline.elements.first, root.parent == nil else { return }
        policyID = outline.value(0, "PolicyId").flatMap { $0.isEmpty ? nil : $0 }
        baseID = Self.base(outline)
            .flatMap { base in outline.elements[base].children.first { outline.name($0) == "PolicyId" } }
            .flatMap { outline.text($0)?.text }
    }

    private static func base(_ outline: MarkupOutline) -> Int? {
        outline.elements.first?.children.first { outline.name($0) == "BasePolicy" }
    }

    /// Whether a policy has no base, and not because it is being written.
    fileprivate static func isSurelyRoot(_ outline: MarkupOutline) -> Bool {
        outline.elements.first?.isClosed == true && base(outline) == nil
    }
}
