import Diagnostics
import TrustFramework

extension Renaming {
    /// What a rename of a claim type changes outside of the policies: a claim without `PartnerClaimType` has its id as its
    /// name there (Microsoft docs, "Technical profiles"). Asked before the edits.
    ///
    /// - Returns: `nil` if nothing outside sees the name, or the rename returns to an earlier name.
    package func warning(
        for symbol: PlacedOccurrence, to name: String, in workspace: LanguageWorkspace
    ) -> String? {
        let old = symbol.occurrence.name
        guard symbol.occurrence.kind == .claimType, !sameID(old, name),
            remembered(symbol.occurrence.kind, old)?.hasSpelling(name) != true
        else { return nil }
        let owners = workspace.ownersOfOutsideNames(workspace.occurrences(of: symbol))
        guard !owners.isEmpty else { return nil }
        return """
            A claim without PartnerClaimType has its id as its name outside. These use "\(name)" now instead of "\(old)": \
            \(namesList(owners, limit: 4)). To keep the name there, add PartnerClaimType="\(old)".
            """
    }
}

extension LanguageWorkspace {
    /// Tokens and technical profiles that know a claim by its id.
    fileprivate func ownersOfOutsideNames(_ occurrences: [PlacedOccurrence]) -> [String] {
        var seen: Set<String> = []
        var owners: [String] = []
        var read: [String: (profiles: ProfileTable, types: [ClaimTypeElement])] = [:]
        for found in occurrences where !found.occurrence.isDeclaration {
            guard let outline = file(found.file)?.markup,
                let element = outline.element(at: found.occurrence.range.lowerBound),
                case let site = PolicySite(element, in: outline),
                ["InputClaim", "OutputClaim", "PersistedClaim"].contains(site.name),
                site.value("PartnerClaimType") == nil, let profile = site.ancestor("TechnicalProfile")
            else { continue }
            let merged = read[found.file] ?? merged(found.file)
            read[found.file] = merged
            // `DefaultPartnerClaimTypes` are names for protocols.
            let type = merged.types.first { sameID($0.id, found.occurrence.name) }
            func hasName(_ protocolName: ProtocolName?) -> Bool {
                type?.defaultPartnerClaimTypes.contains { $0.protocolName == protocolName } ?? false
            }
            let owner: String
            if site.ancestor("RelyingParty") != nil {
                let written = outline.elements[profile].children.first { outline.name($0) == "Protocol" }
                let name = written.flatMap { outline.value($0, "Name") }.flatMap { ProtocolName(rawValue: $0) }
                if hasName(name ?? .openIdConnect) { continue }
                owner = "the token of \(families.policyID(found.file) ?? found.file)"
            } else {
                guard let id = outline.value(profile, "Id"), let handler = merged.profiles.handler(id),
                    handler.namesClaimsOutside, !hasName(merged.profiles[id]?.protocol?.name)
                else { continue }
                owner = id
            }
            if seen.insert(owner.uppercased()).inserted { owners.append(owner) }
        }
        return owners
    }

    private func merged(_ file: String) -> (profiles: ProfileTable, types: [ClaimTypeElement]) {
        let merged = readings.merged(file, in: self)
        return (ProfileTable(merged), merged?.buildingBlocks.claimTypes ?? [])
    }
}

extension ProfileHandler {
    /// Whether something outside of the policy gets claims by their names.
    fileprivate var namesClaimsOutside: Bool {
        switch self {
        case .selfAsserted, .claimsTransformation, .none, .userJourneyContext, .tokenAuthorization, .unknown, .harness:
            false
        default: !managesSessions
        }
    }
}
