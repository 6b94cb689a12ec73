import Diagnostics
import TrustFramework

/// Checks custom policies: each file by itself, each inheritance chain merged and linked, and what would pass the upload
/// and still be wrong or insecure.
enum PolicySubject {
    static func findings(_ project: Project) -> [Finding] {
        var shelf = PolicyFolder(project.files(.policy), settings: project.policySettings)
        var all = shelf.findings + shelf.circles
        for document in shelf.documents.compactMap(\.self) {
            all += PolicyHygiene(document).findings
            for definition in document.buildingBlocks.contentDefinitions {
                guard let uri = definition.loadURI, let path = project.missingPage(uri) else { continue }
                all.append(
                    Finding(
                        "B2C-POL-101", "the template of \(definition.id) is \(path), which does not exist",
                        remedy: "Write the file, or change LoadUri or `pages` of the tenant file.",
                        at: definition.loadURILocation ?? definition.location))
            }
        }
        for (_, places) in Dictionary(grouping: shelf.files.indices, by: { shelf.files[$0].folder }).sorted(by: {
            $0.key < $1.key
        }) {
            if let finding = PolicyHygiene.placeholders(places.compactMap { shelf.documents[$0] }) {
                all.append(finding)
            }
        }
        for place in shelf.documents.indices where !shelf.isBase[place] {
            all += shelf.linked(place)
        }
        return all + shelf.unused()
    }
}

/// Policy files with their inheritance.
struct PolicyFolder: PolicyRuleCheck {
    let files: [ProjectFile]
    /// The documents of the files; `nil` where one cannot be read.
    private(set) var documents: [PolicyDocument?] = []
    /// What is wrong with single files and their inheritance.
    var findings: [Finding] = []
    /// Place of the base, where there is one.
    private var base: [Int?] = []
    /// Bases that are built in, root first, by the place of the policy that inherits from them.
    private var builtIn: [Int: [PolicyDocument]] = [:]
    /// Whether another policy inherits from it.
    private(set) var isBase: [Bool] = []
    /// Places by policy id in upper case.
    private var byID: [String: [Int]] = [:]
    /// Ids in upper case of policies whose files cannot be read.
    private var unreadable: Set<String> = []
    /// Paths of files in which an id occurs twice.
    private var withDoubles: Set<String> = []
    /// The files of those bases, by the names that places in them bear.
    private var builtInFiles: Set<String> = []
    /// Chains that others lie over, merged, by the place of the last of them; those of built-in bases by its id.
    private var mergedBases: [Int: PolicyDocument] = [:]
    private var mergedBuiltIn: [String: PolicyDocument] = [:]
    /// The policy that was linked last: what it shares with the next one, such as the texts of their base, is there
    /// as long as it is.
    private var lastLinked: ResolvedPolicy?
    /// Merged content, checked once for all relying parties over it.
    private var judged: [Int: Judged] = [:]
    /// Whether what the linker lets pass, because a journey runs into it, is an error all the same.
    private let isStrict: Bool

    private struct Judged {
        var judge: PolicyChecker
        var places: [Int]
        var parties: [RelyingPartyElement] = []
        /// A policy over it is not a relying party, so what it uses is not known.
        var isOpen = false
    }

    /// - Parameters:
    ///   - settings: Values for `{Settings:NAME}` by folder.
    ///   - isStrict: Whether what the service finds only when a journey comes there is an error too.
    init(
        _ files: [ProjectFile], settings: PolicySettingsByFolder = PolicySettingsByFolder(), isStrict: Bool = true
    ) {
        self.files = files
        self.isStrict = isStrict
        for file in files {
            let values = settings.values(file.folder)
            do throws(InvalidInput) {
                let document = try PolicyReader.readThrough(
                    file: file.path, bytes: file.source.bytes, settings: values
                ).document
                if document.findings.hasErrors { withDoubles.insert(file.path) }
                byID[document.policyID.uppercased(), default: []].append(documents.count)
                documents.append(document)
                findings += document.findings.map { Finding($0) }
            } catch {
                documents.append(nil)
                findings += error.diagnostics.map { Finding($0) }
                if let id = PolicyReader.policyID(bytes: file.source.bytes) {
                    unreadable.insert(PolicySettingsText.filled(id, values).uppercased())
                }
            }
        }
        isBase = [Bool](repeating: false, count: files.count)
        base = [Int?](repeating: nil, count: files.count)
        duplicates()
        for place in documents.indices { resolve(place) }
        for place in documents.indices { if let found = base[place] { isBase[found] = true } }
    }

    /// Ids that occur twice in a folder. Folders of a repository may each hold a pack of their own.
    private mutating func duplicates() {
        var first: [String: Int] = [:]
        for (place, document) in documents.enumerated() {
            guard let document else { continue }
            let key = "\(files[place].folder)|\(document.policyID.uppercased())"
            guard let same = first[key] else {
                first[key] = place
                continue
            }
            // The file that is named after the policy is the right one.
            let isFirstWrong = named(place) && !named(same)
            let (wrong, right) = isFirstWrong ? (same, place) : (place, same)
            report(
                "B2C-POL-011", "a second policy \"\(document.policyID)\"; the other is \(files[right].path)",
                remedy: "Give one of them another PolicyId.", at: documents[wrong]?.place(of: "PolicyId"))
        }
    }

    /// Whether a file has its policy's name, as far as letters and digits go.
    private func named(_ place: Int) -> Bool {
        func plain(_ text: String) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        let id = documents[place]?.policyID.uppercased().replacing("B2C_1A_", with: "") ?? ""
        return !id.isEmpty && plain(files[place].name).hasPrefix(plain(id))
    }

    /// Finds the base of a document: in its own folder, then in those above, then the only one of that id anywhere.
    private mutating func resolve(_ place: Int) {
        guard let document = documents[place], let reference = document.basePolicy else { return }
        let same = byID[reference.policyID.uppercased()] ?? []
        var folder = files[place].folder
        var found = same.first { files[$0].folder == folder }
        while found == nil, !folder.isEmpty {
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
            found = same.first { files[$0].folder == folder }
        }
        if found == nil, same.count == 1 { found = same.first }
        guard let found else {
            if let chain = Self.builtInChain(reference.policyID) {
                builtIn[place] = chain
                builtInFiles.formUnion(chain.map(\.location.file))
                return
            }
            // What is wrong with the base's file has been told.
            if unreadable.contains(reference.policyID.uppercased()) { return }
            // Without any root the base lies elsewhere, as where a folder holds the changes to a starter pack.
            let isElsewhere = !documents.contains { $0.map { $0.basePolicy == nil } ?? true }
            let near = nearestName(reference.policyID, among: documents.compactMap { $0?.policyID })
            report(
                "B2C-POL-006", "there is no policy \"\(reference.policyID)\" among the files",
                remedy: didYouMean(near, quoted: true) ?? "Validate its folder too.", at: reference.location,
                severity: isElsewhere ? .warning : .error)
            return
        }
        base[place] = found
        if let parent = documents[found] { tenants(document, reference, parent) }
    }

    /// The base that is built in and has this id, with those under it, root first; `nil` where none has.
    private static func builtInChain(_ policyID: String) -> [PolicyDocument]? {
        var chain: [PolicyDocument] = []
        var next: String? = policyID
        while let id = next {
            guard let document = (try? UserFlowCompiler.builtIn(id)) ?? nil else { return nil }
            chain.append(document)
            next = document.basePolicy?.policyID
        }
        return chain.reversed()
    }

    /// The documents of a chain, those that are built in too, root first.
    private func documents(of chain: [Int]) -> [PolicyDocument] {
        (chain.first.flatMap { builtIn[$0] } ?? []) + chain.compactMap { documents[$0] }
    }

    /// What is built in is not a file of the project, so nothing is reported about it.
    private func isOurs(_ location: SourceLocation?) -> Bool {
        guard let location else { return true }
        return !builtInFiles.contains(location.file)
    }

    /// A document with its chain, merged. Many have one base, which is merged once: a chain is merged from its root on,
    /// so that what is merged of its beginning can be gone on with.
    private mutating func merged(_ place: Int) -> PolicyDocument {
        var chain: [Int] = []
        var below: PolicyDocument?
        var at: Int? = place
        while let next = at, below == nil {
            below = mergedBases[next]
            if below != nil { break }
            chain.append(next)
            at = base[next]
        }
        if below == nil, let root = chain.last, let documents = builtIn[root], let last = documents.last {
            let known = mergedBuiltIn[last.policyID] ?? PolicyInheritance.merge(documents)
            mergedBuiltIn[last.policyID] = known
            below = known
        }
        for next in chain.reversed() {
            let whole = PolicyInheritance.merge([below, documents[next]].compactMap(\.self))
            if isBase[next] { mergedBases[next] = whole }
            below = whole
        }
        return below ?? PolicyInheritance.merge([])
    }

    /// One tenant throughout: the policy, what it says of its base, and the base (B2C-POL-007, B2C-POL-009).
    private mutating func tenants(
        _ document: PolicyDocument, _ reference: BasePolicyElement, _ parent: PolicyDocument
    ) {
        guard let own = document.tenantID else { return }
        func differ(_ a: String?, _ b: String?) -> Bool {
            guard let a, let b, !isFilledLater(a), !isFilledLater(b) else { return false }
            // Whatever they are spelled like, one tenant is put in the place of all placeholders.
            return !sameID(a, b) && !(TenantPlaceholder.isOne(a) && TenantPlaceholder.isOne(b))
        }
        let isNamedAlike = reference.tenantID.map { other in
            sameID(own, other) || TenantPlaceholder.isOne(own) && TenantPlaceholder.isOne(other)
        }
        if let other = reference.tenantID, isNamedAlike == false {
            // Whichever of the two agrees with the base policy is right.
            let isOwnWrong = !differ(other, parent.tenantID) && differ(own, parent.tenantID)
            report(
                "B2C-POL-007", "BasePolicy names tenant \"\(other)\", the policy \"\(own)\"",
                remedy: "Write the same tenant in both.",
                at: isOwnWrong ? document.place(of: "TenantId") : reference.tenantLocation ?? reference.location)
        } else if differ(own, parent.tenantID) {
            report(
                "B2C-POL-009",
                "the policy is of tenant \"\(own)\", its base \(parent.policyID) of \"\(parent.tenantID ?? "")\"",
                remedy: "All files of a chain carry one tenant.", at: document.place(of: "TenantId"))
        }
        if differ(document.tenantObjectID, parent.tenantObjectID) {
            report(
                "B2C-POL-009", "TenantObjectId is not that of the base \(parent.policyID)",
                remedy: "All files of a chain carry one tenant.", at: document.place(of: "TenantObjectId"),
                severity: .warning)
        }
    }

    /// The chain of a document, root first; `nil` where part of it is missing, with a finding where it has no end.
    private func chain(_ place: Int) -> (places: [Int]?, cycle: Finding?) {
        var chain = [place]
        var at = place
        while let next = base[at] {
            if chain.contains(next) {
                return (
                    nil,
                    Finding(
                        "B2C-POL-006", "\"\(documents[next]?.policyID ?? "")\" inherits from itself",
                        remedy: "Break the circle.", at: documents[at]?.basePolicy?.location)
                )
            }
            guard chain.count < PolicyLibrary.deepestInheritance else {
                return (
                    nil,
                    Finding(
                        "B2C-POL-006",
                        "inheritance is deeper than \(PolicyLibrary.deepestInheritance) levels",
                        at: documents[place]?.basePolicy?.location)
                )
            }
            chain.append(next)
            at = next
        }
        let isWhole = documents[at]?.basePolicy == nil || builtIn[at] != nil
        return (isWhole ? chain.reversed() : nil, nil)
    }

    /// What merging and linking finds for a policy that nothing inherits from.
    mutating func linked(_ place: Int) -> [Finding] {
        guard let document = documents[place] else { return [] }
        let (places, cycle) = chain(place)
        guard let places else { return cycle.map { [$0] } ?? [] }
        var content = judge(places)
        if let party = document.relyingParty {
            content.value.parties.append(party)
        } else {
            content.value.isOpen = true
        }
        judged[content.place] = content.value
        // Without a relying party more files may follow that complete what this chain leaves open.
        let isParty = document.relyingParty != nil
        var all = content.value.judge.findings.filter { isParty || !Self.completeness.contains($0.diagnostic.rule) }
        // Where the last file holds more than a relying party it is part of what was checked.
        let merged = content.place == place ? content.value.judge.document : merged(place)
        do throws(InvalidInput) {
            let policy = try PolicyLinker.link(merged, personality: .customPolicy)
            lastLinked = policy
            all += policy.findings.map { Finding(isStrict ? Self.strict($0) : $0) }
            all += PolicyFlow(policy).findings
        } catch {
            // Files that only others inherit from are whole without a relying party.
            all += error.diagnostics.filter { isParty || $0.rule != "B2C-POL-013" }.map { Finding($0) }
        }
        // An Order or an id that occurs twice has been reported; the result of merging it says nothing more.
        let hasDoubles = places.contains { withDoubles.contains(files[$0].path) }
        let echoes = hasDoubles ? Self.echoesOfDoubles : []
        return withoutEchoes(all.filter { isOurs($0.diagnostic.location) && !echoes.contains($0.diagnostic.rule) })
    }

    /// What the linker lets pass because a journey runs into it is wrong in a file all the same.
    private static func strict(_ finding: Diagnostic) -> Diagnostic {
        var finding = finding
        if ["B2C-POL-025", "B2C-POL-033"].contains(finding.rule), let rule = Rules.named(finding.rule) {
            finding.severity = rule.severity
        }
        return finding
    }

    /// Rules that a step, an exchange or an element that occurs twice breaks by itself.
    private static let echoesOfDoubles: Set<String> = Set(
        ["014", "015", "016", "018", "027", "030", "031", "032", "033", "034", "040"].map { "B2C-POL-\($0)" })

    /// Rules about what is missing, which a further file may still add.
    private static let completeness: Set<String> = Set(
        [
            "028", "042", "049", "054", "055", "057", "059", "060", "061", "063", "064", "066", "067", "068", "089",
            "097",
        ]
        .map { "B2C-POL-\($0)" })

    /// The checked content of a chain: what its files hold besides relying parties.
    private mutating func judge(_ chain: [Int]) -> (place: Int, value: Judged) {
        var chain = chain
        while chain.count > 1, let last = chain.last, documents[last]?.isRelyingPartyAlone ?? false {
            chain.removeLast()
        }
        let place = chain.last ?? 0
        if let known = judged[place] { return (place, known) }
        let judge = PolicyChecker(merged(place), of: documents(of: chain))
        return (place, Judged(judge: judge, places: chain))
    }

    /// Warnings of the linker where a rule says the same better, at the same place.
    private func withoutEchoes(_ all: [Finding]) -> [Finding] {
        func places(_ isBetter: (Diagnostic) -> Bool) -> Set<SourceLocation> {
            Set(all.map(\.diagnostic).filter(isBetter).compactMap(\.location))
        }
        let better = [
            "B2C-POL-090": places { ["B2C-POL-043", "B2C-POL-052"].contains($0.rule) },
            "B2C-POL-054": places { $0.rule == "B2C-POL-054" && $0.severity == .error },
        ]
        return all.filter { finding in
            guard finding.diagnostic.severity != .error, let location = finding.diagnostic.location else { return true }
            return better[finding.diagnostic.rule]?.contains(location) != true
        }
    }

    /// Documents that are part of a circle, which nothing outside inherits from.
    var circles: [Finding] {
        documents.indices.compactMap { isBase[$0] ? chain($0).cycle : nil }
    }

    /// Elements that no relying party of the folder can reach. Those of a root are not told: it is a template that is
    /// meant to be left as it is.
    func unused() -> [Finding] {
        let groups = judged.keys.sorted().compactMap { judged[$0] }
        let openRoots = Set(groups.filter(\.isOpen).compactMap(\.places.first))
        var used: Set<SourceLocation> = []
        var unused: [UnreachableElement] = []
        for group in groups {
            guard let root = group.places.first, !openRoots.contains(root), group.places.count > 1 else { continue }
            let rest = group.judge.document.unreachable(from: group.parties)
            let places = Set(rest.lazy.map(\.location).filter { isOurs($0) })
            used.formUnion(group.judge.document.reachablePlaces.filter { isOurs($0) && !places.contains($0) })
            unused += rest.filter { $0.location.file != files[root].path && isOurs($0.location) }
        }
        return unused.filter { !used.contains($0.location) }.map {
            Finding(
                "B2C-POL-029", "nothing refers to the \($0.kind) \($0.id)",
                remedy: "Take it out, or use it.", at: $0.location)
        }
    }
}
