import Diagnostics
import TrustFramework

/// Judges custom policies: each file by itself, each inheritance chain merged and linked, and what would pass the upload
/// and still be wrong or insecure.
enum PolicySubject {
    static func findings(_ project: Project) -> [Finding] {
        let shelf = Shelf(project.files(.policy))
        var all = shelf.findings + shelf.circles
        for document in shelf.documents.compactMap(\.self) {
            all += PolicyHygiene.findings(document)
        }
        for place in shelf.documents.indices where !shelf.isBase[place] {
            all += shelf.linked(place)
        }
        return all
    }

    /// Policy files with who inherits from whom.
    private struct Shelf {
        let files: [ProjectFile]
        /// The documents of the files; `nil` where one cannot be read.
        private(set) var documents: [PolicyDocument?] = []
        /// What is wrong with single files and their inheritance.
        private(set) var findings: [Finding] = []
        /// Place of the base, where there is one.
        private var base: [Int?] = []
        /// Whether another policy inherits from it.
        private(set) var isBase: [Bool] = []

        init(_ files: [ProjectFile]) {
            self.files = files
            for file in files {
                do throws(InvalidInput) {
                    let document = try PolicyReader.read(file: file.path, bytes: file.source.bytes)
                    documents.append(document)
                    findings += document.findings.map { Finding($0) }
                } catch {
                    documents.append(nil)
                    findings += error.diagnostics.map { Finding($0) }
                }
            }
            isBase = [Bool](repeating: false, count: files.count)
            base = [Int?](repeating: nil, count: files.count)
            duplicates()
            for place in documents.indices { resolve(place) }
            for place in documents.indices { if let found = base[place] { isBase[found] = true } }
        }

        /// Ids that stand twice in a folder. Folders of a repository may each hold a pack of their own.
        private mutating func duplicates() {
            for (place, document) in documents.enumerated() {
                guard let document else { continue }
                let earlier = documents[..<place].firstIndex {
                    $0.map { sameID($0.policyID, document.policyID) } ?? false
                }
                let same = documents.indices.prefix(place).first { other in
                    files[other].folder == files[place].folder
                        && documents[other].map { sameID($0.policyID, document.policyID) } ?? false
                }
                guard earlier != nil, let same else { continue }
                findings.append(
                    Finding(
                        "B2C-POL-011", "a second policy \"\(document.policyID)\"; the first is \(files[same].path)",
                        remedy: "Give one of them another PolicyId.", at: document.location))
            }
        }

        /// Finds the base of a document: in its own folder, then in those above, then the only one of that id anywhere.
        private mutating func resolve(_ place: Int) {
            guard let document = documents[place], let reference = document.basePolicy else { return }
            func candidates(_ isWanted: (ProjectFile) -> Bool) -> [Int] {
                documents.indices.filter { other in
                    isWanted(files[other])
                        && documents[other].map { sameID($0.policyID, reference.policyID) } ?? false
                }
            }
            var folder = files[place].folder
            var found = candidates { $0.folder == folder }.first
            while found == nil, !folder.isEmpty {
                folder = folder.contains("/") ? String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]) : ""
                found = candidates { $0.folder == folder }.first
            }
            if found == nil {
                let anywhere = candidates { _ in true }
                found = anywhere.count == 1 ? anywhere.first : nil
            }
            guard let found else {
                // Without any root the base lies elsewhere, as where a folder holds the changes to a starter pack.
                let isElsewhere = !documents.contains { $0.map { $0.basePolicy == nil } ?? true }
                let near = nearestName(reference.policyID, among: documents.compactMap { $0?.policyID })
                findings.append(
                    Finding(
                        "B2C-POL-006", "there is no policy \"\(reference.policyID)\" among the files",
                        remedy: near.map { "Did you mean \"\($0)\"?" } ?? "Validate its folder too.",
                        at: reference.location, severity: isElsewhere ? .warning : .error))
                return
            }
            base[place] = found
            if let own = document.tenantID, let other = reference.tenantID, !sameID(own, other) {
                findings.append(
                    Finding(
                        "B2C-POL-007", "BasePolicy names tenant \"\(other)\", the policy \"\(own)\"",
                        remedy: "Write the same tenant in both.", at: reference.location))
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
            let isWhole = documents[at]?.basePolicy == nil
            return (isWhole ? chain.reversed() : nil, nil)
        }

        /// What merging and linking finds for a policy that nothing inherits from.
        func linked(_ place: Int) -> [Finding] {
            guard let document = documents[place] else { return [] }
            let (places, cycle) = chain(place)
            guard let places else { return cycle.map { [$0] } ?? [] }
            let documents = places.compactMap { self.documents[$0] }
            let merged = PolicyInheritance.merge(documents)
            let untyped = merged.buildingBlocks.claimTypes.filter { $0.dataType == nil }.map { type in
                Finding(
                    "B2C-POL-088", "no file says what DataType the claim type \(type.id) has",
                    remedy: "Add <DataType>string</DataType>.", at: type.location)
            }
            do throws(InvalidInput) {
                return try PolicyLinker.link(merged, personality: .customPolicy).findings.map { Finding($0) } + untyped
            } catch {
                // Files that only others inherit from are whole without a relying party.
                let isParty = document.relyingParty != nil
                return error.diagnostics.filter { isParty || $0.rule != "B2C-POL-013" }.map { Finding($0) } + untyped
            }
        }

        /// Documents that are part of a circle, which nothing outside inherits from.
        var circles: [Finding] {
            documents.indices.compactMap { isBase[$0] ? chain($0).cycle : nil }
        }
    }
}
