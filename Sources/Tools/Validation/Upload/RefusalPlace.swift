import Diagnostics
import TrustFramework

/// Finds what an error of the service is about, by the ids in it.
struct RefusalPlace {
    /// The files of the policy and its parents, the policy itself first; then any others.
    let files: [PolicyPlaces]

    /// The most specific single place; `nil` if no element fits.
    func place(_ text: String, policy: String?) -> SourceLocation? {
        let own = text.firstMatch(of: /policy ["']([^"']+)["']/.ignoresCase()).map { String($0.1) } ?? policy
        if let match = text.firstMatch(of: /error found at line "?(\d+)"? col "?(\d+)"?/.ignoresCase()) {
            return position(match.1, match.2, in: own)
        }
        if let match = text.firstMatch(of: /line (\d+), position (\d+)/.ignoresCase()) {
            return position(match.1, match.2, in: own)
        }
        return ofPolicy(text, own) ?? reference(text) ?? ofJourney(text) ?? ofProfile(text) ?? ofTransformation(text)
            ?? ofContainer(text)
    }

    private func position(_ line: Substring, _ column: Substring, in policy: String?) -> SourceLocation? {
        guard let policy, let file = files.first(where: { sameID($0.policyID, policy) }), let line = Int(line), line > 0
        else { return nil }
        return SourceLocation(file: file.file, line: line, column: Int(column).map { max($0, 1) })
    }

    /// The first element for which a test holds, in the order of the files.
    private func first(_ test: (PolicyPlaces, Int) -> Bool) -> (places: PolicyPlaces, node: Int)? {
        for places in files {
            if let node = places.all.first(where: { test(places, $0) }) { return (places, node) }
        }
        return nil
    }

    /// Elements with one of these names and this id, in the order of the files.
    private func elements(_ names: String..., id: some StringProtocol) -> [(places: PolicyPlaces, node: Int)] {
        files.flatMap { places in places.elements(names, id: String(id)).map { (places, $0) } }
    }

    // MARK: The policy and its base

    private func ofPolicy(_ text: String, _ policy: String?) -> SourceLocation? {
        if let match = text.firstMatch(of: /'policyId': (\S+) cannot be found/.ignoresCase()) {
            let id = match.1
            return first { places, node in
                places.name(node) == "PolicyId" && sameID(places.text(node), String(id))
            }.map { $0.places.location($0.node) }
        }
        if text.contains("not allowed to inherit"), let policy {
            return first { places, node in sameID(places.policyID, policy) && places.name(node) == "PolicyId" }
                .map { $0.places.location($0.node) }
        }
        if let match = text.firstMatch(of: /TenantId in the policy xml '([^']*)'/.ignoresCase()) {
            let tenant = String(match.1)
            for places in files {
                if places.has(0, "TenantId", tenant) { return places.location(0, value: "TenantId") }
                let base = places.all.first { places.name($0) == "TenantId" && sameID(places.text($0), tenant) }
                if let base { return places.location(base) }
            }
        }
        return nil
    }

    // MARK: References

    private func reference(_ text: String) -> SourceLocation? {
        if let match = text.firstMatch(of: /storageReferenceId "([^"]+)"/.ignoresCase()) {
            return attribute(["StorageReferenceId"], String(match.1))
        }
        if let match = text.firstMatch(of: /specified by id '([^']+)'/.ignoresCase()) {
            let uri = String(match.1)
            return first { places, node in
                places.name(node) == "DataUri" && places.text(node) == uri
            }.map { $0.places.location($0.node) }
        }
        guard let match = text.firstMatch(of: /makes a reference to (\w+) with id "([^"]+)"/.ignoresCase()) else {
            return nil
        }
        let id = String(match.2)
        let names: [String] =
            switch match.1.lowercased() {
            case "claimtype": ["ClaimTypeReferenceId"]
            case "technicalprofile":
                ["TechnicalProfileReferenceId", "ReferenceId", "CpimIssuerTechnicalProfileReferenceId"]
            case "claimstransformation": ["ReferenceId"]
            case "contentdefinition": ["ContentDefinitionReferenceId"]
            case "userjourney": ["UserJourneyReferenceId", "ReferenceId"]
            case "subjourney": ["SubJourneyReferenceId"]
            case "displaycontrol": ["DisplayControlReferenceId"]
            case "localizedresources": ["LocalizedResourcesReferenceId"]
            default: ["ReferenceId"]
            }
        if let place = attribute(names, id) { return place }
        // Predicates and client definitions are referred to by the Id of another element; metadata and conditions name
        // claims and pages in their text.
        return first { places, node in
            places.name(node).hasSuffix("Reference") && places.has(node, "Id", id)
                || ["Item", "Value"].contains(places.name(node)) && sameID(places.text(node), id)
        }.map { $0.places.location($0.node) }
    }

    /// An element with one of these attributes and this value.
    private func attribute(_ names: [String], _ value: String) -> SourceLocation? {
        first { places, node in names.contains { places.has(node, $0, value) } }
            .map { $0.places.location($0.node) }
    }

    // MARK: Journeys

    private func ofJourney(_ text: String) -> SourceLocation? {
        if text.contains("output claim of the relying party"),
            let match = text.firstMatch(of: /claim type "([^"]+)"/.ignoresCase())
        {
            let claim = String(match.1)
            return first { places, node in
                places.name(node) == "OutputClaim" && places.has(node, "ClaimTypeReferenceId", claim)
                    && places.path(node).contains { places.name($0) == "RelyingParty" }
            }.map { $0.places.location($0.node) }
        }
        guard !text.contains("input claim of technical profile"),
            let match = text.firstMatch(of: /(?:user|sub) ?journey "([^"]+)"/.ignoresCase())
        else { return nil }
        let journeys = elements("UserJourney", "SubJourney", id: match.1)
        guard
            let order = text.firstMatch(of: /step (?:with )?(?:order )?"?(\d+)"?/.ignoresCase()).flatMap({ Int($0.1) })
        else { return journeys.first.map { $0.places.location($0.node) } }
        let steps = journeys.flatMap { places, node in
            places.inside(node).filter { places.name($0) == "OrchestrationStep" }.map { step in
                (places: places, node: step, order: Int(places.attribute(step, "Order") ?? "") ?? 0)
            }
        }
        // A step that is missing would be before the next one.
        let found =
            steps.first { $0.order == order }
            ?? steps.filter { $0.order > order }.min { $0.order < $1.order }
        return found.map { $0.places.location($0.node) } ?? journeys.first.map { $0.places.location($0.node) }
    }

    // MARK: Technical profiles and claims transformations

    private func ofProfile(_ text: String) -> SourceLocation? {
        guard let match = text.firstMatch(of: /profile (?:with id )?["']([^"']+)["']/.ignoresCase()) else { return nil }
        let profiles = included(String(match.1))
        guard let first = profiles.first else { return nil }
        if let key = text.firstMatch(of: /metadata (?:item with key|item) "([^"]+?)\.?"/.ignoresCase()) {
            return inside(profiles) { places, node in
                places.name(node) == "Item" && places.has(node, "Key", String(key.1))
            } ?? first.places.location(first.node)
        }
        if text.contains("insecure authentication mode") {
            return inside(profiles) { places, node in
                places.name(node) == "Item" && places.has(node, "Key", "AuthenticationType")
            } ?? first.places.location(first.node)
        }
        if let claim = text.firstMatch(
            of: /(input|output|persisted)? ?claim(?: type)? ["']([^"',]+)[^"']*["']/.ignoresCase())
        {
            let id = String(claim.2)
            let isInput = text.contains("is the input claim of")
            let element =
                isInput ? "InputClaim" : claim.1.map { $0.prefix(1).uppercased() + $0.dropFirst() + "Claim" }
            let place = inside(profiles) { places, node in
                (element.map { $0 == places.name(node) } ?? places.name(node).hasSuffix("Claim"))
                    && (places.has(node, "ClaimTypeReferenceId", id) || places.has(node, "PartnerClaimType", id))
            }
            if let place { return place }
        }
        return first.places.location(first.node)
    }

    /// A technical profile and those that it includes.
    private func included(_ id: String) -> [(places: PolicyPlaces, node: Int)] {
        var found: [(places: PolicyPlaces, node: Int)] = []
        var seen: Set<String> = []
        var open = [id]
        while let next = open.popLast() {
            guard seen.insert(next.uppercased()).inserted, seen.count < 64 else { continue }
            let profiles = elements("TechnicalProfile", id: next)
            found += profiles
            for (places, node) in profiles {
                open += places.children(node).filter { places.name($0) == "IncludeTechnicalProfile" }
                    .compactMap { places.attribute($0, "ReferenceId") }
            }
        }
        return found
    }

    /// The first element inside any of those for which a test holds.
    private func inside(
        _ elements: [(places: PolicyPlaces, node: Int)], _ test: (PolicyPlaces, Int) -> Bool
    ) -> SourceLocation? {
        for (places, node) in elements {
            if let found = places.inside(node).first(where: { test(places, $0) }) { return places.location(found) }
        }
        return nil
    }

    private func ofTransformation(_ text: String) -> SourceLocation? {
        guard
            let match = text.firstMatch(of: /claims ?transformation (?:with id )?["']([^"']+)["']/.ignoresCase())
        else { return nil }
        let elements = elements("ClaimsTransformation", id: match.1)
        // What was declared and is not expected is in the file: [String]role.
        let declared = text.firstMatch(
            of: /not expected by the TransformMethod: (?:\[\w+\])?([\w.]*\w)/.ignoresCase())
        if let name = declared.map({ String($0.1) }) {
            let place = inside(elements) { places, node in
                ["TransformationClaimType", "Id", "ClaimTypeReferenceId"].contains { places.has(node, $0, name) }
            }
            if let place { return place }
        }
        return elements.first.map { $0.places.location($0.node) }
    }

    private func ofContainer(_ text: String) -> SourceLocation? {
        for (element, words) in UploadText.containers where text.hasPrefix("\(words) \"") {
            guard let id = text.firstMatch(of: /"([^"]+)"/).map({ String($0.1) }),
                let found = elements(element, id: id).first
            else { continue }
            return found.places.location(found.node)
        }
        if let match = text.firstMatch(of: /^Policy "([^"]+)"/),
            let places = files.first(where: { sameID($0.policyID, String(match.1)) })
        {
            return places.location(0, value: "PolicyId")
        }
        if let match = text.firstMatch(of: /duplicate key sequence '([^']+)'/.ignoresCase()) {
            let key = String(match.1)
            // The second of two elements of one name.
            for places in files {
                let twins = places.all.filter { places.has($0, "Id", key) || places.has($0, "Order", key) }
                for (place, node) in twins.enumerated()
                where twins[..<place].contains(where: { places.name($0) == places.name(node) }) {
                    return places.location(node)
                }
            }
        }
        return nil
    }
}
