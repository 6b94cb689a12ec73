/// The grammar of a policy file: `TrustFrameworkPolicy_0.3.0.0.xsd`, with what the service is known to accept beyond it.
package enum PolicyGrammar {
    typealias Node = ElementRule

    package static let policy: ElementRule = Node(
        [
            .required("PolicySchemaVersion", .version), .required("TenantId", .tenantID),
            .optional("TenantObjectId", .guid), .required("PolicyId", .policyID), .required("PublicPolicyUri"),
            .optional("StateTableName"), .optional("DeploymentMode", .words(DeploymentMode.self)),
            // Microsoft docs: troubleshoot-with-application-insights; another value is refused at upload.
            .optional("UserJourneyRecorderEndpoint", .oneOf(["urn:journeyrecorder:applicationinsights"])),
        ],
        [
            .one(
                "BasePolicy",
                Node([], [.one("TenantId", Node(text: .tenantID)), .one("PolicyId", Node(text: .policyID))])),
            .one("PolicyConstraints", opaque), .one("Contacts", opaque), .one("DocumentReferences", opaque),
            .one("BuildingBlocks", buildingBlocks),
            .one("ClaimsProviders", Node([], [.many("ClaimsProvider", claimsProvider)])),
            .one("UserJourneys", Node([], [.many("UserJourney", userJourney)])),
            .one("SubJourneys", Node([], [.many("SubJourney", subJourney)])),
            .one("RelyingParty", relyingParty),
        ])

    private static let opaque = Node(opaque: true)
    private static let text = Node(text: .text)
    private static let reference = Node([.required("ReferenceId", .nonEmpty)])
    private static let identified = Node([.required("Id", .nonEmpty)])
    private static let item = Node([.required("Key")], text: .text)
    private static let metadata = Node([], [.many("Item", item)])

    // MARK: Building blocks

    private static let buildingBlocks = Node(
        [],
        [
            .one("ClaimsSchema", Node([], [.many("ClaimType", claimType)])),
            .one("Predicates", Node([], [.many("Predicate", predicate)])),
            .one("InputValidations", Node([], [.many("InputValidation", inputValidation)])),
            .one("PredicateValidations", Node([], [.many("PredicateValidation", predicateValidation)])),
            .one("ClaimsTransformations", Node([], [.many("ClaimsTransformation", transformation)])),
            .one("ClientDefinitions", Node([], [.many("ClientDefinition", clientDefinition)])),
            .one("ContentDefinitions", Node([], [.many("ContentDefinition", contentDefinition)])),
            .one("Localization", localization),
            .one("DisplayControls", Node([], [.many("DisplayControl", displayControl)])),
        ])

    private static let claimType = Node(
        [
            .required("Id", .nonEmpty),
            .optional("StatementType", .oneOf(["Attribute", "Authentication", "Subject"])),
        ],
        [
            .one("DisplayName", text), .one("DataType", Node(text: .words(DataType.self))),
            .many("DefaultPartnerClaimTypes", Node([], [.many("Protocol", partnerClaimType)])),
            .one(
                "Mask", Node([.required("Type", .words(MaskType.self)), .optional("Regex")], text: .text)),
            .one("AdminHelpText", text), .one("UserHelpText", text),
            .one("UserInputType", Node(text: .words(UserInputType.self))), .one("Restriction", restriction),
            .one("InputValidationReference", identified), .one("PredicateValidationReference", identified),
        ])

    private static let partnerClaimType = Node([
        .required("Name", .words(ProtocolName.self)), .optional("Handler"), .required("PartnerClaimType", .nonEmpty),
    ])

    private static let enumeration = Node(
        [.required("Text"), .required("Value"), .optional("SelectByDefault", .boolean)], text: .text)

    private static let restriction = Node(
        [.optional("MergeBehavior", .words(MergeBehavior.self))],
        [
            .many("Enumeration", enumeration),
            .one("Pattern", Node([.required("RegularExpression", .nonEmpty), .optional("HelpText")])),
        ])

    private static let parameter = Node([.required("Id", .nonEmpty)], text: .text)

    private static let predicate = Node(
        [
            .required("Id", .nonEmpty), .required("Method", .words(PredicateMethod.self)), .optional("HelpText"),
        ],
        [.one("UserHelpText", text), .one("Parameters", Node([], [.many("Parameter", parameter)]))])

    private static let predicateReferences = Node(
        [
            .optional("Id"), .optional("HelpText"), .optional("MatchAtLeast", .integer(0...1000)),
            .optional("Reject", .boolean),
        ],
        [.many("PredicateReference", identified)])

    private static let inputValidation = Node(
        [.required("Id", .nonEmpty)], [.many("PredicateReferences", predicateReferences)])

    private static let predicateValidation = Node(
        [.required("Id", .nonEmpty)],
        [
            .many(
                "PredicateGroups",
                Node(
                    [],
                    [
                        .many(
                            "PredicateGroup",
                            Node(
                                [.required("Id", .nonEmpty)],
                                [.one("UserHelpText", text), .many("PredicateReferences", predicateReferences)]))
                    ]))
        ])

    private static let transformationClaim = Node([
        .required("ClaimTypeReferenceId", .nonEmpty), .optional("TransformationClaimType"),
    ])

    private static let transformation = Node(
        [.required("Id", .nonEmpty), .required("TransformationMethod", .nonEmpty)],
        [
            .one("InputClaims", Node([], [.many("InputClaim", transformationClaim)])),
            .one(
                "InputParameters",
                Node(
                    [],
                    [
                        .many(
                            "InputParameter",
                            Node([
                                .required("Id", .nonEmpty), .required("DataType", .words(DataType.self)),
                                .required("Value"),
                            ]))
                    ])),
            .one("OutputClaims", Node([], [.many("OutputClaim", transformationClaim)])),
        ])

    private static let clientDefinition = Node([.required("Id", .nonEmpty)], [.one("ClientUIFilterFlags", text)])

    private static let contentDefinition = Node(
        [.required("Id", .nonEmpty)],
        [
            .one("LoadUri", text), .one("RecoveryUri", text), .one("DataUri", text), .one("Metadata", metadata),
            .one(
                "LocalizedResourcesReferences",
                Node(
                    [.optional("MergeBehavior", .words(MergeBehavior.self))],
                    [
                        .many(
                            "LocalizedResourcesReference",
                            Node([
                                .required("Language", .culture), .optional("Url"),
                                .optional("LocalizedResourcesReferenceId", .nonEmpty),
                            ]))
                    ])),
        ])

    private static let localization = Node(
        [.optional("Enabled", .boolean)],
        [
            .one(
                "SupportedLanguages",
                Node(
                    [
                        .optional("DefaultLanguage", .culture), .optional("PolicyLanguage", .culture),
                        .optional("MergeBehavior", .words(MergeBehavior.self)),
                    ],
                    [.many("SupportedLanguage", Node(text: .culture))])),
            .many("LocalizedResources", localizedResources),
        ])

    private static let localizedResources = Node(
        [.optional("Culture", .culture), .required("Id", .nonEmpty)],
        [
            .one(
                "LocalizedCollections",
                Node(
                    [],
                    [
                        .many(
                            "LocalizedCollection",
                            Node(
                                [
                                    .required("ElementType"), .required("ElementId"), .required("TargetCollection"),
                                ],
                                [.many("Item", enumeration)]))
                    ])),
            .one(
                "LocalizedStrings",
                Node(
                    [],
                    [
                        .many(
                            "LocalizedString",
                            Node(
                                [.required("ElementType"), .optional("ElementId"), .required("StringId")], text: .text))
                    ])),
        ])

    private static let controlClaim = Node([
        .required("ClaimTypeReferenceId", .nonEmpty), .optional("Required", .boolean), .optional("DefaultValue"),
        .optional("AlwaysUseDefaultValue", .boolean),
    ])

    private static let displayControl = Node(
        [
            .required("Id", .nonEmpty), .required("UserInterfaceControlType", .words(DisplayControlType.self)),
            .optional("DisplayName"),
        ],
        [
            .one("InputClaims", Node([], [.many("InputClaim", controlClaim)])),
            .one(
                "DisplayClaims",
                Node(
                    [],
                    [
                        .many(
                            "DisplayClaim",
                            Node([
                                .required("ClaimTypeReferenceId", .nonEmpty), .optional("ControlClaimType"),
                                .optional("Required", .boolean),
                            ]))
                    ])),
            .one("OutputClaims", Node([], [.many("OutputClaim", controlClaim)])),
            .one("Actions", Node([], [.many("Action", displayControlAction)])),
        ])

    private static let displayControlAction = Node(
        [.required("Id", .nonEmpty)],
        [
            .one(
                "ValidationClaimsExchange",
                Node(
                    [],
                    [
                        .many(
                            "ValidationClaimsExchangeTechnicalProfile",
                            Node(
                                [
                                    .required("TechnicalProfileReferenceId", .nonEmpty),
                                    .optional("ContinueOnSuccess", .boolean), .optional("ContinueOnError", .boolean),
                                ],
                                [.many("Preconditions", preconditions)]))
                    ]))
        ])

    private static let preconditions = Node(
        [],
        [
            .many(
                "Precondition",
                Node(
                    [
                        .required("Type", .words(PreconditionType.self)), .required("ExecuteActionsIf", .boolean),
                    ],
                    [
                        .many("Value", text), .many("Action", Node(text: .words(PreconditionAction.self))),
                    ]))
        ])

    // MARK: Claims providers

    private static let domains = Node([], [.many("Domain", Node(text: .nonEmpty))])

    private static let claimsProvider = Node(
        [],
        [
            .one("Domains", domains), .one("Domain", text), .one("DisplayName", text),
            .one("TechnicalProfiles", Node([], [.many("TechnicalProfile", technicalProfile)])),
        ])

    private static let claimReference = Node(
        [
            .required("ClaimTypeReferenceId", .nonEmpty), .optional("PartnerClaimType"),
            .optional("Required", .boolean), .optional("DefaultValue"), .optional("AlwaysUseDefaultValue", .boolean),
        ],
        [.many("From", opaque)])

    private static let persistedClaim = Node([
        .required("ClaimTypeReferenceId", .nonEmpty), .optional("PartnerClaimType"), .optional("DefaultValue"),
        .optional("OverwriteIfExists", .boolean), .optional("AlwaysUseDefaultValue", .boolean),
        .optional("Required", .boolean),
    ])

    private static let displayClaim = Node([
        .optional("ClaimTypeReferenceId", .nonEmpty), .optional("DisplayControlReferenceId", .nonEmpty),
        .optional("Required", .boolean),
    ])

    private static let keys = Node(
        [], [.many("Key", Node([.required("Id", .nonEmpty), .required("StorageReferenceId")]))])

    private static let technicalProfile = Node(
        [.required("Id", .nonEmpty)],
        [
            .one("Domains", domains), .one("Domain", text), .one("DisplayName", text), .one("Description", text),
            .one(
                "Protocol", Node([.required("Name", .words(ProtocolName.self)), .optional("Handler")])),
            .one("InputTokenFormat", Node(text: .words(TokenFormat.self))),
            .one("OutputTokenFormat", Node(text: .words(TokenFormat.self))),
            .one("AssuranceLevelOfOutputClaims", opaque), .one("RequiredAssuranceLevelsOfInputClaims", opaque),
            .one(
                "SubjectAuthenticationRequirements",
                Node([
                    .required("TimeToLive", .integer(0...5_256_000)),
                    .optional("ResetExpiryWhenTokenIssued", .boolean),
                ])),
            .one("Metadata", metadata), .one("CryptographicKeys", keys),
            .one("Suppressions", opaque), .one("PreferredBinding", opaque),
            .one("IncludeInSso", Node(text: .boolean)), .one("InputTokenSources", opaque),
            .many("InputClaimsTransformations", Node([], [.many("InputClaimsTransformation", reference)])),
            .one("InputClaims", Node([], [.many("InputClaim", claimReference)])),
            .one("DisplayClaims", Node([], [.many("DisplayClaim", displayClaim)])),
            .one("PersistedClaims", Node([], [.many("PersistedClaim", persistedClaim)])),
            .one("OutputClaims", Node([], [.many("OutputClaim", claimReference)])),
            .many("OutputClaimsTransformations", Node([], [.many("OutputClaimsTransformation", reference)])),
            .many("ValidationTechnicalProfiles", Node([], [.many("ValidationTechnicalProfile", validationProfile)])),
            .one(
                "SubjectNamingInfo",
                Node([
                    .required("ClaimType"), .optional("NameQualifier"), .optional("SPNameQualifier"),
                    .optional("Format"), .optional("SPProvidedID"), .optional("ExcludeAsClaim", .boolean),
                ])),
            .one("Extensions", opaque), .one("IncludeClaimsFromTechnicalProfile", Node(text: .nonEmpty)),
            .one("IncludeTechnicalProfile", reference), .one("UseTechnicalProfileForSessionManagement", reference),
            .one("ErrorHandlers", Node([], [.many("ErrorHandler", errorHandler)])),
            .one("EnabledForUserJourneys", Node(text: .words(EnabledForUserJourneys.self))),
        ])

    private static let validationProfile = Node(
        [
            .required("ReferenceId", .nonEmpty), .optional("ContinueOnSuccess", .boolean),
            .optional("ContinueOnError", .boolean),
        ],
        [.many("Preconditions", preconditions)])

    private static let errorHandler = Node(
        [],
        [
            .one("ErrorResponseFormat", Node(text: .oneOf(["json"]))), .one("ResponseMatch", text),
            .one("Action", Node(text: .oneOf(["Reauthenticate", "InvalidClient"]))),
            .many("AdditionalRequestParameters", item),
        ])

    // MARK: Journeys

    private static let steps = Node(
        [],
        [
            .many(
                "OrchestrationStep",
                Node(
                    [
                        .required("Order", .integer(1...10_000)), .required("Type", .words(StepType.self)),
                        .optional("ContentDefinitionReferenceId", .nonEmpty),
                        .optional("CpimIssuerTechnicalProfileReferenceId", .nonEmpty),
                    ],
                    [
                        .many("Preconditions", preconditions),
                        .many("ClaimsProviderSelections", selections),
                        .many(
                            "ClaimsExchanges",
                            Node(
                                [.optional("UserIdentity", .boolean)],
                                [
                                    .many(
                                        "ClaimsExchange",
                                        Node([
                                            .required("Id", .nonEmpty),
                                            .required("TechnicalProfileReferenceId", .nonEmpty),
                                        ]))
                                ])),
                        .many(
                            "JourneyList",
                            Node([], [.many("Candidate", Node([.required("SubJourneyReferenceId", .nonEmpty)]))])),
                    ]))
        ])

    private static let selections = Node(
        [.optional("DisplayOption", .words(DisplayOption.self))],
        [
            .many(
                "ClaimsProviderSelection",
                Node([.optional("TargetClaimsExchangeId"), .optional("ValidationClaimsExchangeId")]))
        ])

    private static let userJourney = Node(
        [
            .required("Id", .nonEmpty), .optional("NonInteractive", .boolean),
            .optional("DefaultCpimIssuerTechnicalProfileReferenceId", .nonEmpty),
        ],
        [
            .one("AssuranceLevel", opaque), .one("PreserveOriginalAssertion", Node(text: .boolean)),
            .one(
                "Authorization",
                Node(
                    [],
                    [
                        .one(
                            "AuthorizationTechnicalProfiles",
                            Node([], [.many("AuthorizationTechnicalProfile", reference)]))
                    ])),
            .one("OrchestrationSteps", steps),
            .one("ClientDefinition", Node([.optional("ReferenceId")])), .one("CryptographicKeys", opaque),
        ])

    private static let subJourney = Node(
        [.required("Id", .nonEmpty), .required("Type", .words(SubJourneyType.self))],
        [.one("OrchestrationSteps", steps)])

    private static let relyingParty = Node(
        [],
        [
            .one("DefaultUserJourney", reference),
            .one(
                "Endpoints",
                Node(
                    [],
                    [
                        .many(
                            "Endpoint",
                            Node([.required("Id", .nonEmpty), .required("UserJourneyReferenceId", .nonEmpty)]))
                    ])),
            .one("UserJourneyBehaviors", behaviors), .many("TechnicalProfile", technicalProfile),
        ])

    private static let behaviors = Node(
        [],
        [
            .one(
                "SingleSignOn",
                Node([
                    .required("Scope", .words(SingleSignOnScope.self)), .optional("KeepAliveInDays", .integer(0...90)),
                    .optional("EnforceIdTokenHintOnLogout", .boolean),
                ])),
            .one("SessionExpiryType", Node(text: .words(SessionExpiryType.self))),
            .one("SessionExpiryInSeconds", Node(text: .integer(900...86400))),
            .one("AzureApplicationInsights", opaque), .one("JourneyInsights", opaque),
            .one(
                "ContentDefinitionParameters",
                Node([], [.many("Parameter", Node([.required("Name", .nonEmpty)], text: .text))])),
            .one(
                "JourneyFraming",
                Node([.required("Enabled", .boolean), .required("Sources")])),
            .one("ScriptExecution", Node(text: .words(ScriptExecution.self))),
            .one("OnError", Node([.required("Mode", .words(OnErrorMode.self))])),
        ])
}
