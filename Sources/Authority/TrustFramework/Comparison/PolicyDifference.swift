import Diagnostics
import Markup

/// Something that two policies have differently, all files of each merged.
public struct PolicyDifference: Sendable, Hashable {
    /// In which way.
    public enum Kind: String, Sendable, Hashable {
        /// An element or attribute that only the new policy has.
        case added
        /// An element or attribute that only the old policy has.
        case removed
        /// A text or attribute with another value.
        case changed
        /// The same elements in another order, where the order counts.
        case moved
    }

    public var kind: Kind
    /// From outside in, such as `TechnicalProfile AAD-Common`, `OutputClaim email`, `PartnerClaimType`.
    public var path: [String]
    /// Value, order or XML of the old policy.
    public var old: String?
    public var new: String?
    /// Whether `old` or `new` is XML: a whole element.
    public var isElement: Bool
    /// Where the old policy has it; of an added element, where it would be.
    public var oldPlace: SourceLocation?
    public var newPlace: SourceLocation?
    /// Whether the relying party of one of them leads there. What is not reached has no effect.
    public var isReached: Bool
}

/// A policy to be compared.
public struct ComparedPolicy: Sendable {
    fileprivate var policy: ResolvedPolicy
    fileprivate var files: [(file: String, bytes: [UInt8])]

    /// - Parameter files: The files it is made of, from the policy's own to its oldest ancestor: differences are placed
    ///   there. A file that cannot be read is passed over.
    public init(_ policy: ResolvedPolicy, files: [(file: String, bytes: [UInt8])] = []) {
        self.policy = policy
        self.files = files
    }
}

extension PolicyDifference {
    /// What differs between two policies, in document order of the new one; what it no longer has follows.
    ///
    /// Order counts where B2C regards it: of orchestration steps, preconditions, claims transformations, validation
    /// technical profiles, selections of providers, restrictions, and fields of a self-asserted page.
    ///
    /// - Throws: What keeps one of them from being written and read again, which should not happen.
    public static func between(
        _ old: ComparedPolicy, _ new: ComparedPolicy
    ) throws(InvalidInput) -> [PolicyDifference] {
        try counted(old, new).differences
    }

    /// What differs, and how many elements were looked up to find it.
    static func counted(
        _ old: ComparedPolicy, _ new: ComparedPolicy
    ) throws(InvalidInput) -> (differences: [PolicyDifference], lookups: Int) {
        var walk = DifferenceWalk(
            old: try PolicyTrees(old), new: try PolicyTrees(new), pages: pages(old.policy).union(pages(new.policy)))
        walk.compare()
        walk.compareSurroundings(PolicyWriter.beside(old.policy), PolicyWriter.beside(new.policy))
        return (walk.differences, walk.lookups)
    }

    /// Ids of technical profiles that show a page, in capitals.
    private static func pages(_ policy: ResolvedPolicy) -> Set<String> {
        Set(policy.profiles.filter { $0.handler == .selfAsserted }.map { $0.id.uppercased() })
    }
}

/// A merged policy as elements, with the files it comes from.
private struct PolicyTrees {
    let whole: PolicyPart
    private let reached: Set<String>
    private let texts: [(file: String, bytes: [UInt8])]
    /// Read when the first difference needs a place.
    private lazy var files: [PartPlaces] = texts.compactMap { text in
        (try? XMLTree(file: text.file, bytes: text.bytes)).map { PartPlaces(PolicyPart($0)) }
    }

    init(_ compared: ComparedPolicy) throws(InvalidInput) {
        let document = compared.policy.document
        whole = try Self.part(document)
        reached = Set(Self.tops(try Self.part(document.reachable())))
        texts = compared.files
    }

    private static func part(_ document: PolicyDocument) throws(InvalidInput) -> PolicyPart {
        PolicyPart(try XMLTree(file: document.policyID, bytes: Array(PolicyWriter.xml(document).utf8), limit: .max))
    }

    /// The elements that can be reached or not, by name and id.
    private static func tops(_ part: PolicyPart) -> [String] {
        part.children.flatMap { list in
            list.name == "BuildingBlocks" ? list.children.flatMap { $0.children } : list.children
        }
        .map { "\($0.name) \($0.key.uppercased())" }
    }

    func reaches(_ path: [PolicyPart]) -> Bool {
        let kinds: Set<String> = [
            "ClaimType", "ClaimsTransformation", "ContentDefinition", "DisplayControl", "TechnicalProfile",
            "UserJourney", "SubJourney", "Predicate", "PredicateValidation", "LocalizedResources", "InputValidation",
        ]
        guard let top = path.first(where: { kinds.contains($0.name) }) else { return true }
        return reached.contains("\(top.name) \(top.key.uppercased())")
    }

    /// Where the files have an element: in the file nearest to the policy that has all of the path.
    mutating func place(of path: [PolicyPart], lookups: inout Int) -> SourceLocation? {
        let identities = path.map(\.identity)
        var best: (depth: Int, location: SourceLocation)?
        for file in files {
            let found = file.place(of: identities)
            lookups += found.depth + 1
            if found.depth > best?.depth ?? 0 { best = found }
        }
        return best?.location
    }
}

/// Compares element by element.
private struct DifferenceWalk {
    private var old: PolicyTrees
    private var new: PolicyTrees
    let pages: Set<String>
    private(set) var differences: [PolicyDifference] = []
    /// How many elements were looked up, for partners and places.
    private(set) var lookups = 0

    init(old: PolicyTrees, new: PolicyTrees, pages: Set<String>) {
        self.old = old
        self.new = new
        self.pages = pages
    }

    /// The way to a part in both policies.
    private struct Ways {
        var old: [PolicyPart] = []
        var new: [PolicyPart] = []

        /// The ways to a part below; `nil` where the policy does not have it.
        func appending(_ before: PolicyPart?, _ after: PolicyPart?) -> Ways {
            Ways(old: before.map { old + [$0] } ?? old, new: after.map { new + [$0] } ?? new)
        }
    }

    mutating func compare() { compare(old.whole, new.whole, at: Ways()) }

    /// What belongs to a user flow beside its policy.
    mutating func compareSurroundings(_ old: [String], _ new: [String]) {
        func add(_ kind: PolicyDifference.Kind, _ line: String) {
            differences.append(
                PolicyDifference(
                    kind: kind, path: ["user flow"], old: kind == .removed ? line : nil,
                    new: kind == .added ? line : nil, isElement: false, oldPlace: nil, newPlace: nil, isReached: true))
        }
        for line in old where !new.contains(line) { add(.removed, line) }
        for line in new where !old.contains(line) { add(.added, line) }
    }

    private mutating func compare(_ one: PolicyPart, _ other: PolicyPart, at ways: Ways) {
        guard !one.holdsTheSame(as: other) else { return }
        if one.text != other.text {
            addText(.changed, from: one.text, to: other.text, at: ways)
        }
        for (name, value) in other.attributes {
            let before = one.attributes.first { $0.name == name }?.value
            if before != value {
                addText(before == nil ? .added : .changed, attribute: name, from: before, to: value, at: ways)
            }
        }
        for (name, value) in one.attributes where !other.attributes.contains(where: { $0.name == name }) {
            addText(.removed, attribute: name, from: value, to: nil, at: ways)
        }
        compareChildren(one, other, at: ways)
    }

    private mutating func compareChildren(_ one: PolicyPart, _ other: PolicyPart, at ways: Ways) {
        /// Places in the old list by place in the new one.
        var partner: [Int: Int] = [:]
        var taken: Set<Int> = []
        let oldIdentities = one.children.map(\.identity)
        let newIdentities = other.children.map(\.identity)
        lookups += oldIdentities.count + newIdentities.count
        // From last to first, so that the first of those that are left is the last of its list.
        var candidates: [PolicyPart.Identity: [Int]] = [:]
        for index in oldIdentities.indices.reversed() { candidates[oldIdentities[index], default: []].append(index) }
        for (place, identity) in newIdentities.enumerated() {
            guard let match = candidates[identity]?.popLast() else { continue }
            partner[place] = match
            taken.insert(match)
        }
        // What has no id of its own may be another one that was changed: the first that is left is taken for it.
        let known = Set(newIdentities)
        var left: [String: [Int]] = [:]
        for (index, part) in one.children.enumerated().reversed()
        where part.isSoft && !taken.contains(index) && !known.contains(oldIdentities[index]) {
            left[part.name, default: []].append(index)
        }
        for (place, part) in other.children.enumerated() where partner[place] == nil && part.isSoft {
            lookups += 1
            guard let match = left[part.name]?.popLast() else { continue }
            partner[place] = match
            taken.insert(match)
        }
        for (place, part) in other.children.enumerated() {
            if let match = partner[place] {
                compare(one.children[match], part, at: ways.appending(one.children[match], part))
            } else {
                addElement(.added, from: nil, to: part, at: ways.appending(nil, part))
            }
        }
        for (place, part) in one.children.enumerated() where !taken.contains(place) {
            addElement(.removed, from: part, to: nil, at: ways.appending(part, nil))
        }
        guard isOrdered(other, ways.new) else { return }
        let kept = other.children.indices.filter { partner[$0] != nil }
        let before = kept.compactMap { partner[$0] }
        guard before != before.sorted() else { return }
        let oldOrder = before.sorted().map { one.children[$0].key }.joined(separator: ", ")
        let newOrder = kept.map { other.children[$0].key }.joined(separator: ", ")
        addText(.moved, from: oldOrder, to: newOrder, at: ways)
    }

    private func isOrdered(_ list: PolicyPart, _ path: [PolicyPart]) -> Bool {
        switch list.name {
        case "OrchestrationSteps", "Preconditions", "InputClaimsTransformations", "OutputClaimsTransformations",
            "ValidationTechnicalProfiles", "ValidationClaimsExchanges", "DisplayClaims", "ClaimsProviderSelections",
            "Restriction", "PredicateGroups", "JourneyList", "LocalizedCollection":
            return true
        case "OutputClaims":
            guard let profile = path.last(where: { $0.name == "TechnicalProfile" }) else { return false }
            return pages.contains(profile.key.uppercased())
        default: return false
        }
    }

    // MARK: Records

    private mutating func addText(
        _ kind: PolicyDifference.Kind, attribute: String? = nil, from before: String?, to after: String?, at ways: Ways
    ) {
        let path = titles(ways.new) + (attribute.map { [$0] } ?? [])
        record(kind, path, from: before, to: after, isElement: false, at: ways)
    }

    /// - Parameter ways: The ways to the element; a policy without it has the way to its parent.
    private mutating func addElement(
        _ kind: PolicyDifference.Kind, from before: PolicyPart?, to after: PolicyPart?, at ways: Ways
    ) {
        // A list says nothing by itself: each of its elements does.
        if let list = before ?? after, list.isList, !list.children.isEmpty {
            for child in list.children {
                let (old, new) = (before == nil ? nil : child, after == nil ? nil : child)
                addElement(kind, from: old, to: new, at: ways.appending(old, new))
            }
            return
        }
        let path = titles(after == nil ? ways.old : ways.new)
        let part = after ?? before
        let isLeaf = part.map { $0.children.isEmpty && $0.attributes.isEmpty } ?? false
        func shown(_ part: PolicyPart?) -> String? {
            part.map { isLeaf ? ($0.text.isEmpty ? $0.raw : $0.text) : Self.shifted($0.raw) }
        }
        record(kind, path, from: shown(before), to: shown(after), isElement: !isLeaf, at: ways)
    }

    private mutating func record(
        _ kind: PolicyDifference.Kind, _ path: [String], from before: String?, to after: String?, isElement: Bool,
        at ways: Ways
    ) {
        differences.append(
            PolicyDifference(
                kind: kind, path: path, old: before, new: after, isElement: isElement,
                oldPlace: old.place(of: ways.old, lookups: &lookups),
                newPlace: new.place(of: ways.new, lookups: &lookups),
                isReached: kind != .added && old.reaches(ways.old) || kind != .removed && new.reaches(ways.new)))
    }

    /// Without lists, unless the path ends in one.
    private func titles(_ path: [PolicyPart]) -> [String] {
        path.enumerated().filter { $0.offset == path.count - 1 || !$0.element.isList }.map { $0.element.title }
    }

    /// XML without the indentation of its place in the file.
    private static func shifted(_ xml: String) -> String {
        var lines = xml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let last = lines.last, lines.count > 1 else { return xml }
        let depth = last.prefix { $0 == " " }.count
        for index in lines.indices.dropFirst() {
            lines[index].removeFirst(min(depth, lines[index].prefix { $0 == " " }.count))
        }
        return lines.joined(separator: "\n")
    }
}
