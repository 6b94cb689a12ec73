import Diagnostics

/// Ids that must be unique within one file (the schema's `xs:unique` constraints), compared as the schema does: exactly.
struct UniquenessCheck: PolicyCheck {
    private(set) var findings: [Diagnostic] = []

    init(_ document: PolicyDocument) {
        let blocks = document.buildingBlocks
        unique("ClaimType", blocks.claimTypes.map { ($0.id, $0.location) })
        unique("Predicate", blocks.predicates.map { ($0.id, $0.location) })
        unique("InputValidation", blocks.inputValidations.map { ($0.id, $0.location) })
        unique("PredicateValidation", blocks.predicateValidations.map { ($0.id, $0.location) })
        unique("ClaimsTransformation", blocks.claimsTransformations.map { ($0.id, $0.location) })
        unique("ContentDefinition", blocks.contentDefinitions.map { ($0.id, $0.location) })
        unique("DisplayControl", blocks.displayControls.map { ($0.id, $0.location) })
        unique("LocalizedResources", blocks.localization?.resources.map { ($0.id, $0.location) } ?? [])
        let profiles = document.technicalProfiles
        unique("TechnicalProfile", profiles.map { ($0.id, $0.location) })
        unique("UserJourney", document.userJourneys.map { ($0.id, $0.location) })
        unique("SubJourney", document.subJourneys.map { ($0.id, $0.location) })
        unique("Endpoint", document.relyingParty?.endpoints.map { ($0.id, $0.location) } ?? [])
        for journey in document.allJourneys {
            unique("step with Order", journey.steps.map { ("\($0.order)", $0.location) }, rule: "B2C-POL-015")
            unique(
                "ClaimsExchange", journey.steps.flatMap(\.exchanges).map { ($0.id, $0.location) }, rule: "B2C-POL-016")
        }
        for profile in profiles + (document.relyingParty?.profiles ?? []) {
            unique(
                "metadata key", profile.metadata.map { ($0.key, $0.location) }, rule: "B2C-POL-017", severity: .warning)
            unique("ValidationTechnicalProfile", profile.validationProfiles.map { ($0.profile, $0.location) })
            for item in profile.metadata where trimmed(item.key) != item.key {
                report(
                    "B2C-POL-017", "the metadata key \"\(item.key)\" has blanks around it, so nothing finds it",
                    at: item.location, severity: .warning)
            }
        }
    }

    mutating func record(_ finding: Diagnostic, corrected: String?) { findings.append(finding) }

    private mutating func unique(
        _ what: String, _ ids: [(id: String, location: SourceLocation)], rule: String = "B2C-POL-014",
        severity: Severity = .error
    ) {
        var first: [String: SourceLocation] = [:]
        for (id, location) in ids {
            guard let earlier = first.updateValue(first[id] ?? location, forKey: id) else { continue }
            report(
                rule, "a second \(what) \"\(id)\"; the first is in line \(earlier.line ?? 0)", at: location,
                severity: severity)
        }
    }
}
