import Determinism
import Diagnostics

/// Merges a chain of policy files into one document.
public enum PolicyInheritance {
    /// Merges from the root of a chain to its leaf. The result bears the leaf's name and has no base policy.
    ///
    /// Where the documentation says nothing the rules are inferred from published policies: whole-element replacement for
    /// transformations, predicates and display controls; element by element for claim types, content definitions,
    /// technical profiles and journeys ("Microsoft docs: trustframeworkpolicy", azure-ad-b2c/samples issue 452).
    public static func merge(
        _ chain: [PolicyDocument], rules: MergeRules = MergeRules()
    ) -> PolicyDocument {
        guard var merged = chain.first else {
            return PolicyDocument(policyID: "", location: SourceLocation(file: ""))
        }
        for child in chain.dropFirst() {
            var child = child
            if !rules.inheritanceBeforeIncludes { child.takeIncludes(from: merged, rules) }
            merged.overlay(child, rules)
        }
        merged.basePolicy = nil
        return merged
    }
}

extension PolicyDocument {
    mutating func overlay(_ child: PolicyDocument, _ rules: MergeRules) {
        location = child.location
        contentHash = StableHash.mix(contentHash) ^ child.contentHash
        policyID = child.policyID
        publicPolicyURI = child.publicPolicyURI ?? publicPolicyURI
        schemaVersion = child.schemaVersion ?? schemaVersion
        tenantID = child.tenantID ?? tenantID
        tenantObjectID = child.tenantObjectID ?? tenantObjectID
        // Both concern one file's deployment, not what it passes on.
        deploymentMode = child.deploymentMode
        journeyRecorderEndpoint = child.journeyRecorderEndpoint
        stateTableName = child.stateTableName ?? stateTableName
        inert += child.inert
        findings += child.findings
        buildingBlocks.overlay(child.buildingBlocks)
        overlayProviders(child.claimsProviders, rules)
        mergeByID(&userJourneys, child.userJourneys, id: \.id) { $0.overlay($1, rules) }
        mergeByID(&subJourneys, child.subJourneys, id: \.id) { $0.overlay($1, rules) }
        if let party = child.relyingParty {
            if relyingParty == nil { relyingParty = party } else { relyingParty?.overlay(party, rules) }
        }
    }

    /// Fills the includes of this file's profiles with what is there up to it: what a later file changes in an included
    /// profile does not reach them then.
    fileprivate mutating func takeIncludes(from parents: PolicyDocument, _ rules: MergeRules) {
        for provider in claimsProviders.indices {
            for place in claimsProviders[provider].technicalProfiles.indices {
                let profile = claimsProviders[provider].technicalProfiles[place]
                guard let id = profile.includes?.id else { continue }
                let own = technicalProfiles.first { sameID($0.id, id) }
                guard var included = parents.technicalProfiles.first(where: { sameID($0.id, id) }) ?? own else {
                    continue
                }
                if let own, included != own { included.overlay(own, rules) }
                guard included.includes == nil else { continue }
                included.overlay(profile, rules)
                included.id = profile.id
                included.location = profile.location
                included.includes = nil
                claimsProviders[provider].technicalProfiles[place] = included
            }
        }
    }

    private mutating func overlayProviders(_ children: [ClaimsProviderElement], _ rules: MergeRules) {
        var places: [String: (provider: Int, profile: Int)] = [:]
        for (provider, element) in claimsProviders.enumerated() {
            for (profile, item) in element.technicalProfiles.enumerated() {
                places[item.id.uppercased()] = (provider, profile)
            }
        }
        for child in children {
            var added = ClaimsProviderElement(location: child.location)
            added.domains = child.domains
            added.displayName = child.displayName
            for profile in child.technicalProfiles {
                if let place = places[profile.id.uppercased()] {
                    claimsProviders[place.provider].technicalProfiles[place.profile].overlay(profile, rules)
                    // A provider that redeclares the profile under a domain of its own moves it there (inferred).
                    if !child.domains.isEmpty {
                        claimsProviders[place.provider].technicalProfiles[place.profile].domains = child.domains
                    }
                } else {
                    added.technicalProfiles.append(profile)
                }
            }
            if !added.technicalProfiles.isEmpty { claimsProviders.append(added) }
        }
    }
}

/// Overlays children on the inherited elements of the same id (ignoring case) and appends the others. Two children of
/// one id stay two: a file may list a claim twice under different partner names.
func mergeByID<E>(
    _ list: inout [E], _ children: [E], id: (E) -> String, _ overlay: (inout E, E) -> Void
) {
    guard !children.isEmpty else { return }
    guard !list.isEmpty else {
        list = children
        return
    }
    let places = places(of: children, in: list, id: id)
    // To the element: a list that grows while it is appended to would be kept with twice the room it needs.
    list.reserveCapacity(list.count + places.count { $0 == nil })
    for (child, place) in zip(children, places) {
        if let place { overlay(&list[place], child) } else { list.append(child) }
    }
}

/// The index in the inherited list of the element with each child's id.
private func places<E>(of children: [E], in list: [E], id: (E) -> String) -> [Int?] {
    if children.count * list.count <= 64 {
        return children.map { child in list.firstIndex { sameID(id($0), id(child)) } }
    }
    var places: [String: Int] = [:]
    places.reserveCapacity(list.count)
    for (place, element) in list.enumerated() where places[id(element).uppercased()] == nil {
        places[id(element).uppercased()] = place
    }
    return children.map { places[id($0).uppercased()] }
}

/// Combines a child's list with the inherited one.
func merged<E>(_ parent: [E], _ child: [E], _ behavior: MergeBehavior) -> [E] {
    switch behavior {
    case .append: parent + child
    case .prepend: child + parent
    case .replaceAll: child
    }
}
