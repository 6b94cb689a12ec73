import Diagnostics

enum BuildingBlocksLinker {
    static func link(
        _ blocks: BuildingBlocksElement, into tables: inout PolicyTables, _ context: inout LinkContext
    ) {
        tables.claimTypes.reserveCapacity(blocks.claimTypes.count)
        for (place, element) in blocks.claimTypes.enumerated() {
            tables.claimTypes.append(claimType(element, ClaimTypeHandle(index: Int32(clamping: place)), &context))
        }
        for (place, element) in blocks.predicates.enumerated() {
            tables.predicates.append(
                Predicate(
                    handle: PredicateHandle(index: Int32(clamping: place)), id: element.id, method: element.method,
                    helpText: element.helpText, parameters: element.parameters, location: element.location))
        }
        for (place, element) in (blocks.predicateValidations + blocks.inputValidations).enumerated() {
            var groups: [PredicateGroup] = []
            for item in element.groups { groups.append(group(item, &context)) }
            tables.predicateValidations.append(
                PredicateValidation(
                    handle: PredicateValidationHandle(index: Int32(clamping: place)), id: element.id,
                    groups: groups, location: element.location))
        }
        tables.transformations.reserveCapacity(blocks.claimsTransformations.count)
        for (place, element) in blocks.claimsTransformations.enumerated() {
            tables.transformations.append(
                transformation(element, TransformationHandle(index: Int32(clamping: place)), &context))
        }
        for (place, element) in (blocks.localization?.resources ?? []).enumerated() {
            tables.localizedResources.append(
                resources(element, LocalizedResourcesHandle(index: Int32(clamping: place))))
        }
        for (place, element) in blocks.contentDefinitions.enumerated() {
            tables.contentDefinitions.append(
                contentDefinition(element, ContentDefinitionHandle(index: Int32(clamping: place)), &context))
        }
        for (place, element) in blocks.displayControls.enumerated() {
            tables.displayControls.append(
                displayControl(element, DisplayControlHandle(index: Int32(clamping: place)), &context))
        }
    }

    private static func claimType(
        _ element: ClaimTypeElement, _ handle: ClaimTypeHandle, _ context: inout LinkContext
    ) -> ClaimType {
        var validation: PredicateValidationHandle?
        if let reference = element.predicateValidation {
            validation = context.found(
                context.index.predicateValidations[reference.id.uppercased()], reference.id,
                kind: "predicate validation", rule: "B2C-POL-024", at: reference.location
            ) { $0.buildingBlocks.predicateValidations.map(\.id) }
        } else if let reference = element.inputValidation {
            validation = context.found(
                context.index.inputValidations[reference.id.uppercased()], reference.id, kind: "input validation",
                rule: "B2C-POL-024", at: reference.location
            ) { $0.buildingBlocks.inputValidations.map(\.id) }
        }
        return ClaimType(
            handle: handle, id: element.id, dataType: element.dataType ?? .string,
            displayName: element.displayName ?? element.id, userHelpText: element.userHelpText,
            adminHelpText: element.adminHelpText, userInputType: element.userInputType,
            enumeration: element.restriction?.enumeration ?? [],
            restrictionMergeBehavior: element.restriction?.mergeBehavior ?? .replaceAll,
            pattern: element.restriction?.pattern, mask: element.mask, validation: validation,
            defaultPartnerClaimTypes: element.defaultPartnerClaimTypes, location: element.location)
    }

    private static func group(_ element: PredicateGroupElement, _ context: inout LinkContext) -> PredicateGroup {
        let predicates = element.predicates.compactMap { reference in
            context.found(
                context.index.predicates[reference.id.uppercased()], reference.id, kind: "predicate",
                rule: "B2C-POL-024", at: reference.location
            ) { $0.buildingBlocks.predicates.map(\.id) }
        }
        return PredicateGroup(
            id: element.id, userHelpText: element.userHelpText ?? element.helpText,
            matchAtLeast: min(element.matchAtLeast ?? predicates.count, predicates.count),
            reject: element.reject ?? false, predicates: predicates)
    }

    private static func transformation(
        _ element: ClaimsTransformationElement, _ handle: TransformationHandle, _ context: inout LinkContext
    ) -> ClaimsTransformation {
        func claims(_ list: [TransformationClaimElement]) -> [ClaimsTransformation.Claim] {
            var claims: [ClaimsTransformation.Claim] = []
            for item in list {
                guard let claim = context.claimType(item.claim, at: item.location) else { continue }
                claims.append(.init(claim: claim, role: item.role ?? item.claim, location: item.location))
            }
            return claims
        }
        return ClaimsTransformation(
            handle: handle, id: element.id, method: element.method, inputClaims: claims(element.inputClaims),
            inputParameters: element.inputParameters, outputClaims: claims(element.outputClaims),
            location: element.location)
    }

    private static func resources(
        _ element: LocalizedResourcesElement, _ handle: LocalizedResourcesHandle
    ) -> LocalizedResources {
        LocalizedResources(
            handle: handle, id: element.id, culture: element.culture, strings: element.strings,
            collections: element.collections)
    }

    private static func contentDefinition(
        _ element: ContentDefinitionElement, _ handle: ContentDefinitionHandle, _ context: inout LinkContext
    ) -> ContentDefinition {
        var resources: [(language: String, resources: LocalizedResourcesHandle)] = []
        for reference in element.localizedResources {
            guard let id = reference.resources else { continue }
            let handle = context.found(
                context.index.localizedResources[id.uppercased()], id, kind: "LocalizedResources",
                rule: "B2C-POL-024", at: reference.location
            ) { $0.buildingBlocks.localization?.resources.map(\.id) ?? [] }
            if let handle { resources.append((reference.language.lowercased(), handle)) }
        }
        return ContentDefinition(
            handle: handle, id: element.id, loadURI: element.loadURI ?? "", recoveryURI: element.recoveryURI,
            dataURI: element.dataURI ?? "", metadata: Metadata(element.metadata), resources: resources,
            location: element.location)
    }

    private static func displayControl(
        _ element: DisplayControlElement, _ handle: DisplayControlHandle, _ context: inout LinkContext
    ) -> DisplayControl {
        var shown: [DisplayControl.Claim] = []
        for item in element.displayClaims {
            guard let claim = context.claimType(item.claim ?? "", at: item.location) else { continue }
            shown.append(
                .init(claim: claim, controlClaimType: item.controlClaimType, required: item.required ?? false))
        }
        var actions: [DisplayControl.Action] = []
        for action in element.actions {
            actions.append(
                .init(
                    id: action.id, profiles: ProfileLinker.validations(action.profiles, &context),
                    location: action.location))
        }
        return DisplayControl(
            handle: handle, id: element.id, type: element.type, displayName: element.displayName,
            inputClaims: ProfileLinker.claims(element.inputClaims, protocolName: nil, &context), displayClaims: shown,
            outputClaims: ProfileLinker.claims(element.outputClaims, protocolName: nil, &context),
            actions: actions, location: element.location)
    }
}
