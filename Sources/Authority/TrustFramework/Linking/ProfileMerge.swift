import Diagnostics

extension TechnicalProfileElement {
    /// Lays a child over this profile: the same rules for inheritance and for `IncludeTechnicalProfile`.
    ///
    /// Nothing inherited can be taken away. The child's validation profiles run before the inherited ones and are not
    /// de-duplicated (azure-ad-b2c/samples issue 452).
    mutating func overlay(_ child: Self, _ rules: MergeRules) {
        if !child.domains.isEmpty { domains = child.domains }
        displayName = child.displayName ?? displayName
        description = child.description ?? description
        `protocol` = child.protocol ?? `protocol`
        inputTokenFormat = child.inputTokenFormat ?? inputTokenFormat
        outputTokenFormat = child.outputTokenFormat ?? outputTokenFormat
        // Metadata keys are exact: two spellings are two settings.
        for item in child.metadata {
            if let place = metadata.lastIndex(where: { $0.key == item.key }) {
                metadata[place] = item
            } else {
                metadata.append(item)
            }
        }
        mergeByID(&cryptographicKeys, child.cryptographicKeys, id: \.id) { $0 = $1 }
        includeInSso = child.includeInSso ?? includeInSso
        inputTransformations += child.inputTransformations
        overlayClaims(child, rules)
        mergeByID(&displayClaims, child.displayClaims, id: \.mergeID) { $0.overlay($1) }
        if !rules.inheritedClaimsFirst { displayClaims.moveFirst(child.displayClaims.map(\.mergeID), \.mergeID) }
        mergeByID(&persistedClaims, child.persistedClaims, id: \.claim) { $0.overlay($1) }
        outputTransformations += child.outputTransformations
        validationProfiles =
            rules.childValidationProfilesFirst
            ? child.validationProfiles + validationProfiles : validationProfiles + child.validationProfiles
        subjectNaming = child.subjectNaming ?? subjectNaming
        includesClaimsFrom = child.includesClaimsFrom ?? includesClaimsFrom
        includes = child.includes ?? includes
        sessionProfile = child.sessionProfile ?? sessionProfile
        if !child.errorHandlers.isEmpty { errorHandlers = child.errorHandlers }
        enabledForUserJourneys = child.enabledForUserJourneys ?? enabledForUserJourneys
        authenticationRequirements = child.authenticationRequirements ?? authenticationRequirements
        mergeByID(&inert, child.inert, id: \.key) { $0 = $1 }
    }

    /// The part that `IncludeClaimsFromTechnicalProfile` takes over: input and output claims alone.
    mutating func overlayClaims(_ child: Self, _ rules: MergeRules) {
        mergeByID(&inputClaims, child.inputClaims, id: \.claim) { $0.overlay($1) }
        mergeByID(&outputClaims, child.outputClaims, id: \.claim) { $0.overlay($1) }
        if !rules.inheritedClaimsFirst { outputClaims.moveFirst(child.outputClaims.map(\.claim), \.claim) }
    }
}

extension Array {
    /// Moves the elements of these ids to the front, in the order of the ids; the others keep theirs.
    fileprivate mutating func moveFirst(_ ids: [String], _ id: (Element) -> String) {
        let first = ids.flatMap { wanted in filter { sameID(id($0), wanted) } }
        self = first + filter { element in !ids.contains { sameID(id(element), $0) } }
    }
}

extension ClaimReferenceElement {
    mutating func overlay(_ child: Self) {
        partnerClaimType = child.partnerClaimType ?? partnerClaimType
        required = child.required ?? required
        defaultValue = child.defaultValue ?? defaultValue
        alwaysUseDefaultValue = child.alwaysUseDefaultValue ?? alwaysUseDefaultValue
        overwriteIfExists = child.overwriteIfExists ?? overwriteIfExists
        location = child.location
    }
}

extension DisplayClaimElement {
    /// A claim and a display control of one name are two things.
    var mergeID: String { claim ?? "control|\(displayControl ?? "")" }

    mutating func overlay(_ child: Self) {
        required = child.required ?? required
        controlClaimType = child.controlClaimType ?? controlClaimType
        location = child.location
    }
}
