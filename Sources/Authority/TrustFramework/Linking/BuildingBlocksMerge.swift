import Diagnostics

extension BuildingBlocksElement {
    mutating func overlay(_ child: Self) {
        mergeByID(&claimTypes, child.claimTypes, id: \.id) { $0.overlay($1) }
        mergeByID(&predicates, child.predicates, id: \.id) { $0 = $1 }
        mergeByID(&inputValidations, child.inputValidations, id: \.id) { $0 = $1 }
        mergeByID(&predicateValidations, child.predicateValidations, id: \.id) { $0 = $1 }
        mergeByID(&claimsTransformations, child.claimsTransformations, id: \.id) { $0 = $1 }
        mergeByID(&clientDefinitions, child.clientDefinitions, id: \.id) { $0 = $1 }
        mergeByID(&contentDefinitions, child.contentDefinitions, id: \.id) { $0.overlay($1) }
        mergeByID(&displayControls, child.displayControls, id: \.id) { $0 = $1 }
        if let texts = child.localization {
            if localization == nil { localization = texts } else { localization?.overlay(texts) }
        }
    }
}

extension ClaimTypeElement {
    mutating func overlay(_ child: Self) {
        statementType = child.statementType ?? statementType
        displayName = child.displayName ?? displayName
        dataType = child.dataType ?? dataType
        if !child.defaultPartnerClaimTypes.isEmpty {
            for name in child.defaultPartnerClaimTypes {
                defaultPartnerClaimTypes.removeAll { $0.protocolName == name.protocolName }
            }
            defaultPartnerClaimTypes += child.defaultPartnerClaimTypes
        }
        mask = child.mask ?? mask
        adminHelpText = child.adminHelpText ?? adminHelpText
        userHelpText = child.userHelpText ?? userHelpText
        userInputType = child.userInputType ?? userInputType
        if let values = child.restriction {
            if restriction == nil { restriction = values } else { restriction?.overlay(values) }
        }
        inputValidation = child.inputValidation ?? inputValidation
        predicateValidation = child.predicateValidation ?? predicateValidation
    }
}

extension RestrictionElement {
    mutating func overlay(_ child: Self) {
        let behavior = child.mergeBehavior ?? .replaceAll
        location = child.location
        mergeBehavior = child.mergeBehavior
        if behavior == .replaceAll {
            enumeration = child.enumeration
            pattern = child.pattern
        } else {
            enumeration = merged(enumeration, child.enumeration, behavior)
            pattern = child.pattern ?? pattern
        }
    }
}

extension ContentDefinitionElement {
    mutating func overlay(_ child: Self) {
        loadURI = child.loadURI ?? loadURI
        recoveryURI = child.recoveryURI ?? recoveryURI
        dataURI = child.dataURI ?? dataURI
        dataURILocation = child.dataURILocation ?? dataURILocation
        loadURILocation = child.loadURILocation ?? loadURILocation
        mergeByID(&metadata, child.metadata, id: \.key) { $0 = $1 }
        guard !child.localizedResources.isEmpty else { return }
        switch child.resourcesMergeBehavior {
        case .replaceAll: localizedResources = child.localizedResources
        case .append, .prepend, nil:
            // Per language the child's reference counts; other languages stay.
            mergeByID(&localizedResources, child.localizedResources, id: \.language) { $0 = $1 }
        }
    }
}

extension LocalizationElement {
    mutating func overlay(_ child: Self) {
        enabled = child.enabled ?? enabled
        if let languages = child.supportedLanguages {
            if var own = supportedLanguages {
                let behavior = languages.mergeBehavior ?? .replaceAll
                own.location = languages.location
                own.defaultLanguage = languages.defaultLanguage ?? own.defaultLanguage
                own.mergeBehavior = languages.mergeBehavior
                var seen: Set<String> = []
                own.languages = merged(own.languages, languages.languages, behavior).filter {
                    seen.insert($0.lowercased()).inserted
                }
                supportedLanguages = own
            } else {
                supportedLanguages = languages
            }
        }
        mergeByID(&resources, child.resources, id: \.id) { $0.overlay($1) }
    }
}

extension LocalizedResourcesElement {
    mutating func overlay(_ child: Self) {
        culture = child.culture ?? culture
        mergeByID(
            &collections, child.collections, id: { "\($0.elementType)|\($0.elementID)|\($0.targetCollection)" },
            { $0 = $1 })
        mergeByID(
            &strings, child.strings, id: { "\($0.elementType)|\($0.elementID ?? "")|\($0.stringID ?? "")" }, { $0 = $1 }
        )
    }
}
