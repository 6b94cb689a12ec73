import Diagnostics

/// What a linker knows while it works: ids to handles, and the findings so far.
struct LinkContext: PolicyCheck {
    var index = HandleIndex()
    var findings: [Diagnostic] = []
    /// Declared ids by kind, for suggestions.
    let document: PolicyDocument
    /// Names that may still be compared for suggestions: a policy in which everything dangles gets some, not all.
    private var comparisons = 200_000

    init(_ document: PolicyDocument) { self.document = document }

    mutating func record(_ finding: Diagnostic, corrected: String?) { findings.append(finding) }

    /// A reference that leads nowhere.
    mutating func dangling(
        _ kind: String, _ id: String, rule: String, among ids: [String], at location: SourceLocation
    ) {
        let near = nearest(id, among: ids)
        report(
            rule, "there is no \(kind) \"\(id)\" in this policy or its parents",
            remedy: didYouMean(near, quoted: true) ?? "Declare it, or fix the reference.", at: location)
    }

    /// The nearest name, as long as there is time for it.
    mutating func nearest(_ name: String, among names: [String]) -> String? {
        guard comparisons >= names.count else { return nil }
        comparisons -= names.count
        return nearestName(name, among: names)
    }

    /// The handle that was looked up by an id. Without one, the reference is reported.
    mutating func found<H>(
        _ handle: H?, _ id: String, kind: String, rule: String, at location: SourceLocation,
        among ids: (PolicyDocument) -> [String]
    ) -> H? {
        if handle == nil { dangling(kind, id, rule: rule, among: ids(document), at: location) }
        return handle
    }

    mutating func claimType(_ id: String, at location: SourceLocation) -> ClaimTypeHandle? {
        found(index.claimTypes[id.uppercased()], id, kind: "claim type", rule: "B2C-POL-020", at: location) {
            $0.buildingBlocks.claimTypes.map(\.id)
        }
    }

    mutating func profile(_ id: String, at location: SourceLocation) -> ProfileHandle? {
        found(index.profiles[id.uppercased()], id, kind: "technical profile", rule: "B2C-POL-021", at: location) {
            $0.technicalProfiles.map(\.id)
        }
    }

    mutating func transformation(_ id: String, at location: SourceLocation) -> TransformationHandle? {
        found(
            index.transformations[id.uppercased()], id, kind: "claims transformation", rule: "B2C-POL-022", at: location
        ) {
            $0.buildingBlocks.claimsTransformations.map(\.id)
        }
    }

    mutating func contentDefinition(_ id: String, at location: SourceLocation) -> ContentDefinitionHandle? {
        found(
            index.contentDefinitions[id.uppercased()], id, kind: "content definition", rule: "B2C-POL-023", at: location
        ) {
            $0.buildingBlocks.contentDefinitions.map(\.id)
        }
    }

    mutating func displayControl(_ id: String, at location: SourceLocation) -> DisplayControlHandle? {
        found(index.displayControls[id.uppercased()], id, kind: "display control", rule: "B2C-POL-024", at: location) {
            $0.buildingBlocks.displayControls.map(\.id)
        }
    }

    mutating func journey(_ id: String, at location: SourceLocation) -> JourneyHandle? {
        found(index.journeys[id.uppercased()], id, kind: "user journey", rule: "B2C-POL-025", at: location) {
            $0.userJourneys.map(\.id)
        }
    }

    /// Gives every id of a list a handle; a second spelling of an id is reported and not reachable.
    mutating func number<H: PolicyHandle>(
        _ elements: [(id: String, location: SourceLocation)], _ what: String, from first: Int = 0,
        into table: WritableKeyPath<HandleIndex, [String: H]>
    ) {
        index[keyPath: table].reserveCapacity(elements.count + first)
        for (place, element) in elements.enumerated() {
            let key = element.id.uppercased()
            if index[keyPath: table][key] != nil {
                report(
                    "B2C-POL-018", "\(what) \"\(element.id)\" is declared twice: ids ignore letter case",
                    at: element.location, severity: .warning)
            } else {
                index[keyPath: table][key] = H(index: Int32(clamping: place + first))
            }
        }
    }
}
