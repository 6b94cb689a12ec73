import Diagnostics

extension PolicyWriter {
    static func buildingBlocks(_ blocks: BuildingBlocksElement, _ out: inout XMLText) {
        guard blocks != BuildingBlocksElement() else { return }
        out.element("BuildingBlocks") { out in
            out.list("ClaimsSchema", blocks.claimTypes, claimType)
            out.list("Predicates", blocks.predicates, predicate)
            out.list("InputValidations", blocks.inputValidations) { out, validation in
                out.element("InputValidation", [("Id", validation.id)]) { out in
                    for group in validation.groups { predicateReferences(group, id: group.id, &out) }
                }
            }
            out.list("PredicateValidations", blocks.predicateValidations) { out, validation in
                out.element("PredicateValidation", [("Id", validation.id)]) { out in
                    out.list("PredicateGroups", validation.groups) { out, group in
                        out.element("PredicateGroup", [("Id", group.id)]) { out in
                            out.leaf("UserHelpText", group.userHelpText)
                            predicateReferences(group, id: nil, &out)
                        }
                    }
                }
            }
            out.list("ClaimsTransformations", blocks.claimsTransformations, transformation)
            out.list("ClientDefinitions", blocks.clientDefinitions) { out, definition in
                out.element("ClientDefinition", [("Id", definition.id)]) {
                    $0.leaf("ClientUIFilterFlags", definition.filterFlags)
                }
            }
            out.list("ContentDefinitions", blocks.contentDefinitions, contentDefinition)
            if let texts = blocks.localization { localization(texts, &out) }
            out.list("DisplayControls", blocks.displayControls, displayControl)
        }
    }

    private static func claimType(_ out: inout XMLText, _ claim: ClaimTypeElement) {
        out.element("ClaimType", [("Id", claim.id), ("StatementType", claim.statementType)]) { out in
            out.leaf("DisplayName", claim.displayName)
            out.leaf("DataType", claim.dataType?.rawValue)
            out.list("DefaultPartnerClaimTypes", claim.defaultPartnerClaimTypes) { out, name in
                out.empty(
                    "Protocol",
                    [
                        ("Name", name.protocolName.rawValue), ("Handler", name.handler),
                        ("PartnerClaimType", name.partnerClaimType),
                    ])
            }
            if let mask = claim.mask {
                out.leaf("Mask", [("Type", mask.type.rawValue), ("Regex", mask.regex)], mask.text)
            }
            out.leaf("AdminHelpText", claim.adminHelpText)
            out.leaf("UserHelpText", claim.userHelpText)
            out.leaf("UserInputType", claim.userInputType?.rawValue)
            if let restriction = claim.restriction {
                out.element("Restriction", [("MergeBehavior", restriction.mergeBehavior?.rawValue)]) { out in
                    for item in restriction.enumeration { enumeration("Enumeration", item, &out) }
                    if let pattern = restriction.pattern {
                        out.empty(
                            "Pattern",
                            [("RegularExpression", pattern.regularExpression), ("HelpText", pattern.helpText)])
                    }
                }
            }
            if let id = claim.inputValidation?.id { out.empty("InputValidationReference", [("Id", id)]) }
            if let id = claim.predicateValidation?.id { out.empty("PredicateValidationReference", [("Id", id)]) }
        }
    }

    private static func enumeration(_ name: String, _ item: EnumerationItemElement, _ out: inout XMLText) {
        out.empty(
            name,
            [
                ("Text", item.text), ("Value", item.value),
                ("SelectByDefault", item.selectByDefault ? "true" : nil),
            ])
    }

    private static func predicate(_ out: inout XMLText, _ predicate: PredicateElement) {
        out.element(
            "Predicate",
            [("Id", predicate.id), ("Method", predicate.method.rawValue), ("HelpText", predicate.helpText)]
        ) { out in
            items("Parameters", predicate.parameters, key: "Id", item: "Parameter", &out)
        }
    }

    private static func predicateReferences(_ group: PredicateGroupElement, id: String?, _ out: inout XMLText) {
        out.list(
            "PredicateReferences", group.predicates,
            attributes: [
                ("Id", id), ("HelpText", group.helpText), ("MatchAtLeast", group.matchAtLeast.map(String.init)),
                ("Reject", group.reject?.xml),
            ]
        ) { out, reference in out.empty("PredicateReference", [("Id", reference.id)]) }
    }

    private static func transformation(_ out: inout XMLText, _ transformation: ClaimsTransformationElement) {
        func claims(_ claims: [TransformationClaimElement], in list: String, as item: String, to out: inout XMLText) {
            out.list(list, claims) { out, claim in
                out.empty(
                    item, [("ClaimTypeReferenceId", claim.claim), ("TransformationClaimType", claim.role)])
            }
        }
        out.element(
            "ClaimsTransformation", [("Id", transformation.id), ("TransformationMethod", transformation.method)]
        ) { out in
            claims(transformation.inputClaims, in: "InputClaims", as: "InputClaim", to: &out)
            out.list("InputParameters", transformation.inputParameters) { out, parameter in
                out.empty(
                    "InputParameter",
                    [
                        ("Id", parameter.id), ("DataType", parameter.dataType.rawValue), ("Value", parameter.value),
                    ])
            }
            claims(transformation.outputClaims, in: "OutputClaims", as: "OutputClaim", to: &out)
        }
    }

    private static func contentDefinition(_ out: inout XMLText, _ definition: ContentDefinitionElement) {
        out.element("ContentDefinition", [("Id", definition.id)]) { out in
            out.leaf("LoadUri", definition.loadURI)
            out.leaf("RecoveryUri", definition.recoveryURI)
            out.leaf("DataUri", definition.dataURI)
            items("Metadata", definition.metadata, &out)
            out.list(
                "LocalizedResourcesReferences", definition.localizedResources,
                attributes: [("MergeBehavior", definition.resourcesMergeBehavior?.rawValue)]
            ) { out, reference in
                out.empty(
                    "LocalizedResourcesReference",
                    [
                        ("Language", reference.language), ("Url", reference.url),
                        ("LocalizedResourcesReferenceId", reference.resources),
                    ])
            }
        }
    }

    private static func localization(_ localization: LocalizationElement, _ out: inout XMLText) {
        out.element("Localization", [("Enabled", localization.enabled?.xml)]) { out in
            if let languages = localization.supportedLanguages {
                out.element(
                    "SupportedLanguages",
                    [
                        ("DefaultLanguage", languages.defaultLanguage),
                        ("MergeBehavior", languages.mergeBehavior?.rawValue),
                    ]
                ) { out in
                    for language in languages.languages { out.leaf("SupportedLanguage", language) }
                }
            }
            for resources in localization.resources {
                out.element("LocalizedResources", [("Culture", resources.culture), ("Id", resources.id)]) { out in
                    out.list("LocalizedCollections", resources.collections) { out, collection in
                        out.element(
                            "LocalizedCollection",
                            [
                                ("ElementType", collection.elementType), ("ElementId", collection.elementID),
                                ("TargetCollection", collection.targetCollection),
                            ]
                        ) { out in
                            for item in collection.items { enumeration("Item", item, &out) }
                        }
                    }
                    out.list("LocalizedStrings", resources.strings) { out, string in
                        out.leaf(
                            "LocalizedString",
                            [
                                ("ElementType", string.elementType), ("ElementId", string.elementID),
                                ("StringId", string.stringID),
                            ], string.text)
                    }
                }
            }
        }
    }

    private static func displayControl(_ out: inout XMLText, _ control: DisplayControlElement) {
        out.element(
            "DisplayControl",
            [
                ("Id", control.id), ("UserInterfaceControlType", control.type.rawValue),
                ("DisplayName", control.displayName),
            ]
        ) { out in
            claims(control.inputClaims, in: "InputClaims", as: "InputClaim", to: &out)
            displayClaims(control.displayClaims, &out)
            claims(control.outputClaims, in: "OutputClaims", as: "OutputClaim", to: &out)
            out.list("Actions", control.actions) { out, action in
                out.element("Action", [("Id", action.id)]) { out in
                    validations(
                        action.profiles, in: "ValidationClaimsExchange",
                        as: "ValidationClaimsExchangeTechnicalProfile", attribute: "TechnicalProfileReferenceId",
                        to: &out)
                }
            }
        }
    }
}
