import Diagnostics

/// What a linker knows while it works: ids to handles, and the findings so far.
struct LinkContext {
    var index = HandleIndex()
    var findings: [Diagnostic] = []
    /// Declared ids by kind, for suggestions.
    let document: PolicyDocument
    /// Names that may still be compared for suggestions: a policy in which everything dangles gets some, not all.
    private var comparisons = 200_000

    init(_ document: PolicyDocument) { self.document = document }

    mutating func report(
        _ severity: Severity = .error, rule: String, _ message: String, remedy: String? = nil,
        at location: SourceLocation?
    ) {
        findings.append(Diagnostic(severity, rule: rule, message, remedy: remedy, at: location))
    }

    /// A reference that leads nowhere.
    mutating func dangling(
        _ kind: String, _ id: String, rule: String, among ids: [String], at location: SourceLocation
    ) {
        let near = nearest(id, among: ids)
        report(
            rule: rule, "there is no \(kind) \"\(id)\" in this policy or its parents",
            remedy: near.map { "Did you mean \"\($0)\"?" } ?? "Declare it, or fix the reference.", at: location)
    }

    /// The nearest name, as long as there is time for it.
    mutating func nearest(_ name: String, among names: [String]) -> String? {
        guard comparisons >= names.count else { return nil }
        comparisons -= names.count
        return nearestName(name, among: names)
    }

    mutating func claimType(_ id: String, at location: SourceLocation) -> ClaimTypeHandle? {
        if let handle = index.claimTypes[id.uppercased()] { return handle }
        dangling(
            "claim type", id, rule: "B2C-POL-020", among: document.buildingBlocks.claimTypes.map(\.id), at: location)
        return nil
    }

    mutating func profile(_ id: String, at location: SourceLocation) -> ProfileHandle? {
        if let handle = index.profiles[id.uppercased()] { return handle }
        dangling(
            "technical profile", id, rule: "B2C-POL-021", among: document.technicalProfiles.map(\.id), at: location)
        return nil
    }

    mutating func transformation(_ id: String, at location: SourceLocation) -> TransformationHandle? {
        if let handle = index.transformations[id.uppercased()] { return handle }
        dangling(
            "claims transformation", id, rule: "B2C-POL-022",
            among: document.buildingBlocks.claimsTransformations.map(\.id), at: location)
        return nil
    }

    mutating func contentDefinition(_ id: String, at location: SourceLocation) -> ContentDefinitionHandle? {
        if let handle = index.contentDefinitions[id.uppercased()] { return handle }
        dangling(
            "content definition", id, rule: "B2C-POL-023", among: document.buildingBlocks.contentDefinitions.map(\.id),
            at: location)
        return nil
    }

    mutating func displayControl(_ id: String, at location: SourceLocation) -> DisplayControlHandle? {
        if let handle = index.displayControls[id.uppercased()] { return handle }
        dangling(
            "display control", id, rule: "B2C-POL-024", among: document.buildingBlocks.displayControls.map(\.id),
            at: location)
        return nil
    }

    mutating func journey(_ id: String, at location: SourceLocation) -> JourneyHandle? {
        if let handle = index.journeys[id.uppercased()] { return handle }
        dangling(
            "user journey", id, rule: "B2C-POL-025", among: document.userJourneys.map(\.id), at: location)
        return nil
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
                    .warning, rule: "B2C-POL-018",
                    "\(what) \"\(element.id)\" is declared twice: ids ignore letter case",
                    at: element.location)
            } else {
                index[keyPath: table][key] = H(index: Int32(clamping: place + first))
            }
        }
    }
}
