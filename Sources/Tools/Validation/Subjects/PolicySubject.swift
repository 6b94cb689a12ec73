import Diagnostics
import TrustFramework

/// Checks custom policies: each file by itself, each inheritance chain merged and linked, and what would pass the upload
/// and still be wrong or insecure.
enum PolicySubject {
    /// What is wrong with the policies at some places themselves, and with what they inherit from.
    static func single(_ shelf: PolicyFolder, _ project: Project, of places: [Int]) -> [Finding] {
        var all: [Finding] = []
        for place in places {
            guard let document = shelf.documents[place] else { continue }
            all += shelf.memory.findings(.hygiene, [shelf.numbers[place]]) { PolicyHygiene(document).findings }
            for definition in document.buildingBlocks.contentDefinitions {
                guard let uri = definition.loadURI, let path = project.missingPage(uri) else { continue }
                all.append(
                    Finding(
                        "B2C-POL-101", "the template of \(definition.id) is \(path), which does not exist",
                        remedy: "Write the file, or change LoadUri or `pages` of the tenant file.",
                        at: definition.loadURILocation ?? definition.location))
            }
        }
        return all
    }

    /// What is to be filled in.
    ///
    /// - Parameter folder: The only folder that is asked about; `nil`: all.
    static func placeholders(_ shelf: PolicyFolder, in folder: String? = nil) -> [Finding] {
        let places = shelf.files.indices.filter { folder == nil || shelf.folders[$0] == folder }
        let byFolder = Dictionary(grouping: places) { shelf.folders[$0] }.sorted { $0.key < $1.key }
        return byFolder.flatMap { _, places in
            shelf.memory.findings(.placeholders, places.map { shelf.numbers[$0] }) {
                PolicyHygiene.placeholders(places.compactMap { shelf.documents[$0] }).map { [$0] } ?? []
            }
        }
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
    /// The policy that was linked last: what it shares with the next one, such as the texts of their base, is there
    /// as long as it is.
    private var lastLinked: ResolvedPolicy?
    /// Nearest ids of bases that are missing, of which many policies may name one.
    private var nearest: [String: String?] = [:]
    /// What was found before.
    let memory: PolicyMemory
    /// The numbers of the readings in the memory.
    private(set) var numbers: [Int] = []
    /// The folders of the files.
    let folders: [String]
    /// Whether what the linker lets pass, because a journey runs into it, is an error all the same.
    private let isStrict: Bool

    /// What the files of a chain hold besides relying parties, with those over it.
    private struct Group {
        var places: [Int]
        var parties: [Int] = []
        /// A policy over it is not a relying party, so what it uses is not known.
        var isOpen = false
    }

    /// - Parameters:
    ///   - settings: Values for `{Settings:NAME}` by folder.
    ///   - isStrict: Whether what the service finds only when a journey comes there is an error too.
    init(
        _ files: [ProjectFile], settings: PolicySettingsByFolder = PolicySettingsByFolder(), isStrict: Bool = true,
        memory: PolicyMemory = PolicyMemory()
    ) {
        self.files = files
        self.isStrict = isStrict
        self.memory = memory
        folders = files.map(\.folder)
        for (place, file) in files.enumerated() {
            let reading = memory.reading(file, settings.values(folders[place]))
            if let document = reading.document {
                if document.findings.hasErrors { withDoubles.insert(file.path) }
                byID[document.policyID.uppercased(), default: []].append(place)
            } else if let id = reading.unreadableID {
                unreadable.insert(id)
            }
            documents.append(reading.document)
            numbers.append(reading.number)
            findings += reading.findings
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
            let key = "\(folders[place])|\(document.policyID.uppercased())"
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
        var folder = folders[place]
        var found = same.first { folders[$0] == folder }
        while found == nil, !folder.isEmpty {
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
            found = same.first { folders[$0] == folder }
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
            let near: String? =
                nearest[reference.policyID]
                ?? nearestName(reference.policyID, among: documents.compactMap { $0?.policyID })
            nearest[reference.policyID] = .some(near)
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

    /// The numbers of a chain.
    private func numbers(of chain: [Int]) -> [Int] { chain.map { numbers[$0] } }

    /// A chain, root first, merged. Many have one base, which is merged once: a chain is merged from its root on, so that
    /// what is merged of its beginning can be gone on with.
    private func merged(_ chain: [Int]) -> PolicyDocument {
        var start = chain.count
        var below: PolicyDocument?
        while start > 0, below == nil {
            below = memory.merged(numbers(of: Array(chain[..<start])))
            if below == nil { start -= 1 }
        }
        if below == nil, let root = chain.first, let documents = builtIn[root] {
            let name = Self.builtInNumbers(documents)
            below = memory.merged(name) ?? PolicyInheritance.merge(documents)
            if let below { memory.keep(merged: below, of: name) }
        }
        for place in start..<chain.count {
            let whole = PolicyInheritance.merge([below, documents[chain[place]]].compactMap(\.self))
            // A relying party alone is merged for itself.
            if place + 1 < chain.count || documents[chain[place]]?.isRelyingPartyAlone == false {
                memory.keep(merged: whole, of: numbers(of: Array(chain[...place])))
            }
            below = whole
        }
        return below ?? PolicyInheritance.merge([])
    }

    /// What names a built-in base in the memory, apart from the numbers of files.
    private static func builtInNumbers(_ documents: [PolicyDocument]) -> [Int] {
        [-1] + documents.map { Int(truncatingIfNeeded: $0.contentHash) }
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
        let part = PolicyMemory.Part.chain(isStrict: isStrict)
        let numbers = numbers(of: places)
        if let known = memory.known(part, numbers) { return known }
        let found = linked(places, document)
        return memory.findings(part, numbers) { found }
    }

    /// Whether the memory has what a policy's chain is found to have, so that asking for it costs nothing.
    func isKnown(_ place: Int) -> Bool {
        chain(place).places.map { memory.known(.chain(isStrict: isStrict), numbers(of: $0)) != nil } ?? true
    }

    /// Whether a file is part of the chain that ends at a policy.
    func chain(_ place: Int, has file: Int) -> Bool { place == file || chain(place).places?.contains(file) ?? false }

    private mutating func linked(_ places: [Int], _ document: PolicyDocument) -> [Finding] {
        // Without a relying party more files may follow that complete what this chain leaves open.
        let isParty = document.relyingParty != nil
        var all = content(places).filter { isParty || !Self.completeness.contains($0.diagnostic.rule) }
        do throws(InvalidInput) {
            let policy = try PolicyLinker.link(merged(places), personality: .customPolicy)
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

    /// The part of a chain that holds more than relying parties.
    private func contentPlaces(_ chain: [Int]) -> [Int] {
        var chain = chain
        while chain.count > 1, let last = chain.last, documents[last]?.isRelyingPartyAlone ?? false {
            chain.removeLast()
        }
        return chain
    }

    /// What is wrong with the content of a chain, checked once for all relying parties over it.
    private func content(_ chain: [Int]) -> [Finding] {
        let chain = contentPlaces(chain)
        return memory.findings(.content, numbers(of: chain)) {
            PolicyChecker(merged(chain), of: documents(of: chain)).findings
        }
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

    /// Contents with the policies over them that nothing inherits from, in the order of the files.
    private var groups: [Group] {
        var groups: [Int: Group] = [:]
        for place in documents.indices where !isBase[place] {
            guard let document = documents[place], let places = chain(place).places else { continue }
            let content = contentPlaces(places)
            guard let last = content.last else { continue }
            var group = groups[last] ?? Group(places: content)
            if document.relyingParty == nil { group.isOpen = true } else { group.parties.append(place) }
            groups[last] = group
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Elements that no relying party of the folder can reach. Those of a root are not told: it is a template that is
    /// meant to be left as it is.
    ///
    /// - Parameter file: The only file that is asked about; `nil`: all.
    func unused(in file: Int? = nil) -> [Finding] {
        let groups = groups
        let openRoots = Set(groups.filter(\.isOpen).compactMap(\.places.first))
        var reaches: [(root: String, reach: PolicyMemory.Reach)] = []
        /// Places in `reaches` of the groups that a file is part of.
        var byFile: [String: [Int]] = [:]
        for group in groups {
            guard let root = group.places.first, !openRoots.contains(root), group.places.count > 1,
                file.map(group.places.contains) ?? true
            else { continue }
            for place in group.places { byFile[files[place].path, default: []].append(reaches.count) }
            reaches.append((files[root].path, reach(of: group)))
        }
        return reaches.flatMap { root, reach in
            reach.unused.filter { element in
                element.location.file != root
                    && byFile[element.location.file]?.contains { reaches[$0].reach.used.contains(element.location) }
                        != true
            }
        }.map {
            Finding(
                "B2C-POL-029", "nothing refers to the \($0.kind) \($0.id)",
                remedy: "Take it out, or use it.", at: $0.location)
        }
    }

    private func reach(of group: Group) -> PolicyMemory.Reach {
        memory.reach(numbers(of: group.places) + [0] + numbers(of: group.parties)) {
            let document = merged(group.places)
            let rest = document.unreachable(from: group.parties.compactMap { documents[$0]?.relyingParty })
                .filter { isOurs($0.location) }
            let places = Set(rest.map(\.location))
            return PolicyMemory.Reach(
                used: Set(document.reachablePlaces.filter { isOurs($0) && !places.contains($0) }), unused: rest)
        }
    }
}
