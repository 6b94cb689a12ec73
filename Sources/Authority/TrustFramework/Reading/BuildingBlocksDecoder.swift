import Diagnostics

extension PolicyDecoder {
    static func buildingBlocks(_ element: ElementCursor) -> BuildingBlocksElement {
        var blocks = BuildingBlocksElement()
        blocks.claimTypes = element.items("ClaimsSchema", "ClaimType").map(claimType)
        blocks.predicates = element.items("Predicates", "Predicate").map(predicate)
        blocks.inputValidations = element.items("InputValidations", "InputValidation").map { item in
            PredicateValidationElement(
                id: item.required("Id"), location: item.location,
                groups: item.children("PredicateReferences").enumerated().map { place, list in
                    predicateGroup(list, list, id: list.attribute("Id") ?? "\(place + 1)")
                })
        }
        blocks.predicateValidations = element.items("PredicateValidations", "PredicateValidation").map { item in
            PredicateValidationElement(
                id: item.required("Id"), location: item.location,
                groups: item.items("PredicateGroups", "PredicateGroup").map {
                    predicateGroup($0, $0.child("PredicateReferences"), id: $0.required("Id"))
                })
        }
        blocks.claimsTransformations = element.items("ClaimsTransformations", "ClaimsTransformation").map(
            transformation)
        blocks.clientDefinitions = element.items("ClientDefinitions", "ClientDefinition").map {
            ClientDefinitionElement(
                id: $0.required("Id"), location: $0.location, filterFlags: $0.text("ClientUIFilterFlags"))
        }
        blocks.contentDefinitions = element.items("ContentDefinitions", "ContentDefinition").map(contentDefinition)
        blocks.localization = element.child("Localization").map(localization)
        blocks.displayControls = element.items("DisplayControls", "DisplayControl").map(displayControl)
        return blocks
    }

    private static func claimType(_ item: ElementCursor) -> ClaimTypeElement {
        var claim = ClaimTypeElement(id: item.required("Id"), location: item.location)
        claim.statementType = item.attribute("StatementType")
        claim.displayName = item.text("DisplayName")
        claim.dataType = item.wordOfText("DataType")
        claim.defaultPartnerClaimTypes = item.items("DefaultPartnerClaimTypes", "Protocol").compactMap { name in
            name.word("Name").map {
                DefaultPartnerClaimTypeElement(
                    protocolName: $0, partnerClaimType: name.required("PartnerClaimType"),
                    handler: name.attribute("Handler"), location: name.location)
            }
        }
        claim.mask = item.child("Mask").flatMap { mask in
            mask.word("Type").map {
                MaskElement(type: $0, regex: mask.attribute("Regex"), text: mask.text, location: mask.location)
            }
        }
        claim.adminHelpText = item.text("AdminHelpText")
        claim.userHelpText = item.text("UserHelpText")
        claim.userInputType = item.wordOfText("UserInputType")
        claim.restriction = item.child("Restriction").map { element in
            var restriction = RestrictionElement(location: element.location)
            restriction.mergeBehavior = element.word("MergeBehavior")
            restriction.enumeration = element.children("Enumeration").map(enumerationItem)
            restriction.pattern = element.child("Pattern").map {
                PatternElement(
                    regularExpression: $0.required("RegularExpression"), helpText: $0.attribute("HelpText"),
                    location: $0.location(of: "RegularExpression"))
            }
            return restriction
        }
        claim.inputValidation = item.child("InputValidationReference")?.reference("Id")
        claim.predicateValidation = item.child("PredicateValidationReference")?.reference("Id")
        return claim
    }

    private static func enumerationItem(_ item: ElementCursor) -> EnumerationItemElement {
        EnumerationItemElement(
            text: item.required("Text"), value: item.required("Value"),
            selectByDefault: item.bool("SelectByDefault") ?? false, location: item.location)
    }

    private static func predicate(_ item: ElementCursor) -> PredicateElement {
        var predicate = PredicateElement(
            id: item.required("Id"), location: item.location, method: item.word("Method") ?? .matchesRegex)
        // The attribute replaced the element; files of both ages exist.
        predicate.helpText = item.attribute("HelpText") ?? item.text("UserHelpText")
        predicate.parameters = metadata(item.child("Parameters"), key: "Id", item: "Parameter")
        return predicate
    }

    private static func predicateGroup(
        _ group: ElementCursor, _ list: ElementCursor?, id: String
    ) -> PredicateGroupElement {
        PredicateGroupElement(
            id: id, location: group.location, userHelpText: group.text("UserHelpText"),
            matchAtLeast: list?.int("MatchAtLeast"), reject: list?.bool("Reject"),
            helpText: list?.attribute("HelpText"),
            predicates: list?.children("PredicateReference").compactMap { $0.reference("Id") } ?? [])
    }

    private static func transformation(_ item: ElementCursor) -> ClaimsTransformationElement {
        var transformation = ClaimsTransformationElement(
            id: item.required("Id"), location: item.location, method: item.required("TransformationMethod"))
        func claims(_ list: String, _ name: String) -> [TransformationClaimElement] {
            item.items(list, name).map {
                TransformationClaimElement(
                    claim: $0.required("ClaimTypeReferenceId"), role: $0.attribute("TransformationClaimType"),
                    location: $0.location(of: "ClaimTypeReferenceId"))
            }
        }
        transformation.inputClaims = claims("InputClaims", "InputClaim")
        transformation.outputClaims = claims("OutputClaims", "OutputClaim")
        transformation.inputParameters = item.items("InputParameters", "InputParameter").map {
            InputParameterElement(
                id: $0.required("Id"), dataType: $0.word("DataType") ?? .string, value: $0.required("Value"),
                location: $0.location(of: "Value"))
        }
        return transformation
    }

    private static func contentDefinition(_ item: ElementCursor) -> ContentDefinitionElement {
        var definition = ContentDefinitionElement(id: item.required("Id"), location: item.location)
        definition.loadURI = item.text("LoadUri")
        definition.recoveryURI = item.text("RecoveryUri")
        definition.dataURI = item.text("DataUri")
        definition.dataURILocation = item.child("DataUri")?.location
        definition.loadURILocation = item.child("LoadUri")?.location
        definition.metadata = metadata(item.child("Metadata"))
        let list = item.child("LocalizedResourcesReferences")
        definition.resourcesMergeBehavior = list?.word("MergeBehavior")
        definition.localizedResources =
            list?.children("LocalizedResourcesReference").map {
                LocalizedResourcesReferenceElement(
                    language: $0.required("Language"), resources: $0.attribute("LocalizedResourcesReferenceId"),
                    url: $0.attribute("Url"), location: $0.location(of: "LocalizedResourcesReferenceId"))
            } ?? []
        return definition
    }

    private static func localization(_ element: ElementCursor) -> LocalizationElement {
        var localization = LocalizationElement(location: element.location)
        localization.enabled = element.bool("Enabled")
        localization.supportedLanguages = element.child("SupportedLanguages").map { list in
            let languages = list.children("SupportedLanguage").map(\.text)
            return SupportedLanguagesElement(
                location: list.location, defaultLanguage: list.attribute("DefaultLanguage"),
                mergeBehavior: list.word("MergeBehavior"), languages: languages)
        }
        localization.resources = element.children("LocalizedResources").map { item in
            var resources = LocalizedResourcesElement(id: item.required("Id"), location: item.location)
            resources.culture = item.attribute("Culture")
            resources.collections = item.items("LocalizedCollections", "LocalizedCollection").map {
                LocalizedCollectionElement(
                    elementType: $0.required("ElementType"), elementID: $0.required("ElementId"),
                    targetCollection: $0.required("TargetCollection"), items: $0.children("Item").map(enumerationItem),
                    location: $0.location)
            }
            resources.strings = item.items("LocalizedStrings", "LocalizedString").map {
                LocalizedStringElement(
                    elementType: $0.required("ElementType"), elementID: $0.attribute("ElementId"),
                    stringID: $0.attribute("StringId"), text: $0.text, location: $0.location)
            }
            return resources
        }
        return localization
    }

    private static func displayControl(_ item: ElementCursor) -> DisplayControlElement {
        var control = DisplayControlElement(
            id: item.required("Id"), location: item.location,
            type: item.word("UserInterfaceControlType") ?? .verification)
        control.displayName = item.attribute("DisplayName")
        control.inputClaims = item.items("InputClaims", "InputClaim").map(claimReference)
        control.displayClaims = item.items("DisplayClaims", "DisplayClaim").map(displayClaim)
        control.outputClaims = item.items("OutputClaims", "OutputClaim").map(claimReference)
        control.actions = item.items("Actions", "Action").map { action in
            DisplayControlActionElement(
                id: action.required("Id"), location: action.location,
                profiles: action.items("ValidationClaimsExchange", "ValidationClaimsExchangeTechnicalProfile").map {
                    validationProfile($0, reference: "TechnicalProfileReferenceId")
                })
        }
        return control
    }
}
