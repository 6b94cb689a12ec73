import Diagnostics
import TrustFramework

extension ServiceRefusalText {
    /// Where each error is in the files, in the order of the errors: a finding with the rule, the service's text, and how
    /// to fix it. An error that fits no element has no location.
    ///
    /// An error that the product's own upload check finds too is placed where that check finds it. The others are placed
    /// by line and column, or by the ids in their text.
    public func placed(in files: [SourceText]) -> [Diagnostic] {
        let chain = chain(files)
        let rest = files.filter { file in !chain.contains { $0 === file } }
        // Without the policy itself any file may be meant.
        let searched = chain.isEmpty ? rest : Array(chain.reversed())
        let search = RefusalPlace(files: searched.compactMap { PolicyPlaces($0) })
        let expected = foretold(chain)
        var used: Set<UploadFinding> = []
        return items.map { item in
            let text = Self.folded(item.text)
            func take(_ fits: (UploadFinding) -> Bool) -> UploadFinding? {
                guard let finding = expected.first(where: { !used.contains($0) && fits($0) }) else { return nil }
                used.insert(finding)
                return finding
            }
            if let same = take({ Self.folded($0.text) == text }) { return diagnostic(item, same.diagnostic, nil) }
            let place = search.place(item.text, policy: policy)
            let known = take { finding in
                guard item.rules.contains(finding.diagnostic.rule) else { return false }
                guard let place else { return true }
                return finding.diagnostic.location?.file == place.file
                    && finding.diagnostic.location?.line == place.line
            }
            return diagnostic(item, known?.diagnostic, place)
        }
    }

    private func diagnostic(_ item: Item, _ known: Diagnostic?, _ place: SourceLocation?) -> Diagnostic {
        // A text that is not known is still one of a refused upload, which `b2c explain` has an entry for.
        let rule = known?.rule ?? item.rules.first ?? "upload-refused"
        var message = item.text
        if message.hasSuffix(".") { message.removeLast() }
        return Diagnostic(
            rule: rule, message, remedy: known?.remedy ?? Rules.named(rule)?.demand, at: known?.location ?? place)
    }

    /// The files of the policy that was refused and of its parents, root first; empty if the policy is not among them.
    private func chain(_ files: [SourceText]) -> [SourceText] {
        let ids = files.map { PolicyReader.peekPolicyID($0.bytes) }
        var chain: [SourceText] = []
        var wanted = policy
        while let id = wanted, chain.count < PolicyLibrary.deepestInheritance,
            let place = ids.firstIndex(where: { $0.map { sameID($0, id) } ?? false }),
            !chain.contains(where: { $0 === files[place] })
        {
            chain.append(files[place])
            let places = PolicyPlaces(files[place])
            wanted = places.flatMap { places in
                places.children(0).first { places.name($0) == "BasePolicy" }
                    .flatMap { base in places.children(base).first { places.name($0) == "PolicyId" } }
                    .map { places.text($0) }
            }
        }
        return chain.reversed()
    }

    /// What the upload check finds in the same files.
    private func foretold(_ chain: [SourceText]) -> [UploadFinding] {
        guard let policy, let last = chain.last else { return [] }
        let domain = tenant ?? PolicyReader.peekTenantID(last.bytes) ?? ""
        return UploadCheck.findings(
            of: policy, chain: chain.map { ($0.file, $0.bytes) }, tenantDomain: domain, keySets: nil)
    }
}
