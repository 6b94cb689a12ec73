/// The grammar of a policy file: `TrustFrameworkPolicy_0.3.0.0.xsd`, with what the service is known to accept beyond it.
enum PolicyGrammar {
    typealias Rule = ElementRule

    static let policy = Rule(
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
                Rule([], [.one("TenantId", Rule(text: .tenantID)), .one("PolicyId", Rule(text: .policyID))])),
            .one("PolicyConstraints", opaque), .one("Contacts", opaque), .one("DocumentReferences", opaque),
            .one("BuildingBlocks", buildingBlocks),
            .one("ClaimsProviders", Rule([], [.many("ClaimsProvider", claimsProvider)])),
            .one("UserJourneys", Rule([], [.many("UserJourney", userJourney)])),
            .one("SubJourneys", Rule([], [.many("SubJourney", subJourney)])),
            .one("RelyingParty", relyingParty),
        ])

    private static let opaque = Rule(opaque: true)
    private static let text = Rule(text: .text)
    private static let reference = Rule([.required("ReferenceId", .nonEmpty)])
    private static let identified = Rule([.required("Id", .nonEmpty)])
    private static let item = Rule([.required("Key")], text: .text)
    private static let metadata = Rule([], [.many("Item", item)])

    // MARK: Building blocks

    private static let buildingBlocks = Rule(
        [],
        [
            .one("ClaimsSchema", Rule([], [.many("ClaimType", claimType)])),
            .one("Predicates", Rule([], [.many("Predicate", predicate)])),
            .one("InputValidations", Rule([], [.many("InputValidation", inputValidation)])),
            .one("PredicateValidations", Rule([], [.many("PredicateValidation", predicateValidation)])),
            .one("ClaimsTransformations", Rule([], [.many("ClaimsTransformation", transformation)])),
            .one("ClientDefinitions", Rule([], [.many("ClientDefinition", clientDefinition)])),
            .one("ContentDefinitions", Rule([], [.many("ContentDefinition", contentDefinition)])),
            .one("Localization", localization),
            .one("DisplayControls", Rule([], [.many("DisplayControl", displayControl)])),
        ])

    private static let claimType = Rule(
        [
            .required("Id", .nonEmpty),
            .optional("StatementType", .oneOf(["Attribute", "Authentication", "Subject"])),
        ],
        [
            .one("DisplayName", text), .one("DataType", Rule(text: .words(DataType.self))),
            .many("DefaultPartnerClaimTypes", Rule([], [.many("Protocol", partnerClaimType)])),
            .one(
                "Mask", Rule([.required("Type", .words(MaskType.self)), .optional("Regex")], text: .text)),
            .one("AdminHelpText", text), .one("UserHelpText", text),
            .one("UserInputType", Rule(text: .words(UserInputType.self))), .one("Restriction", restriction),
            .one("InputValidationReference", identified), .one("PredicateValidationReference", identified),
        ])

    private static let partnerClaimType = Rule([
        .required("Name", .words(ProtocolName.self)), .optional("Handler"), .required("PartnerClaimType", .nonEmpty),
    ])

    private static let enumeration = Rule(
        [.required("Text"), .required("Value"), .optional("SelectByDefault", .boolean)], text: .text)

    private static let restriction = Rule(
        [.optional("MergeBehavior", .words(MergeBehavior.self))],
        [
            .many("Enumeration", enumeration),
            .one("Pattern", Rule([.required("RegularExpression", .nonEmpty), .optional("HelpText")])),
        ])

    private static let parameter = Rule([.required("Id", .nonEmpty)], text: .text)

    private static let predicate = Rule(
        [
            .required("Id", .nonEmpty), .required("Method", .words(PredicateMethod.self)), .optional("HelpText"),
        ],
        [.one("UserHelpText", text), .one("Parameters", Rule([], [.many("Parameter", parameter)]))])

    private static let predicateReferences = Rule(
        [
            .optional("Id"), .optional("HelpText"), .optional("MatchAtLeast", .integer(0...1000)),
            .optional("Reject", .boolean),
        ],
        [.many("PredicateReference", identified)])

    private static let inputValidation = Rule(
        [.required("Id", .nonEmpty)], [.many("PredicateReferences", predicateReferences)])

    private static let predicateValidation = Rule(
        [.required("Id", .nonEmpty)],
        [
            .many(
                "PredicateGroups",
                Rule(
                    [],
                    [
                        .many(
                            "PredicateGroup",
                            Rule(
                                [.required("Id", .nonEmpty)],
                                [.one("UserHelpText", text), .many("PredicateReferences", predicateReferences)]))
                    ]))
        ])

    private static let transformationClaim = Rule([
        .required("ClaimTypeReferenceId", .nonEmpty), .optional("TransformationClaimType"),
    ])

    private static let transformation = Rule(
        [.required("Id", .nonEmpty), .required("TransformationMethod", .nonEmpty)],
        [
            .one("InputClaims", Rule([], [.many("InputClaim", transformationClaim)])),
            .one(
                "InputParameters",
                Rule(
                    [],
                    [
                        .many(
                            "InputParameter",
                            Rule([
                                .required("Id", .nonEmpty), .required("DataType", .words(DataType.self)),
                                .required("Value"),
                            ]))
                    ])),
            .one("OutputClaims", Rule([], [.many("OutputClaim", transformationClaim)])),
        ])

    private static let clientDefinition = Rule([.required("Id", .nonEmpty)], [.one("ClientUIFilterFlags", text)])

    private static let contentDefinition = Rule(
        [.required("Id", .nonEmpty)],
        [
            .one("LoadUri", text), .one("RecoveryUri", text), .one("DataUri", text), .one("Metadata", metadata),
            .one(
                "LocalizedResourcesReferences",
                Rule(
                    [.optional("MergeBehavior", .words(MergeBehavior.self))],
                    [
                        .many(
                            "LocalizedResourcesReference",
                            Rule([
                                .required("Language", .culture), .optional("Url"),
                                .optional("LocalizedResourcesReferenceId", .nonEmpty),
                            ]))
                    ])),
        ])

    private static let localization = Rule(
        [.optional("Enabled", .boolean)],
        [
            .one(
                "SupportedLanguages",
                Rule(
                    [
                        .optional("DefaultLanguage", .culture), .optional("PolicyLanguage", .culture),
                        .optional("MergeBehavior", .words(MergeBehavior.self)),
                    ],
                    [.many("SupportedLanguage", Rule(text: .culture))])),
            .many("LocalizedResources", localizedResources),
        ])

    private static let localizedResources = Rule(
        [.optional("Culture", .culture), .required("Id", .nonEmpty)],
        [
            .one(
                "LocalizedCollections",
                Rule(
                    [],
                    [
                        .many(
                            "LocalizedCollection",
                            Rule(
                                [
                                    .required("ElementType"), .required("ElementId"), .required("TargetCollection"),
                                ],
                                [.many("Item", enumeration)]))
                    ])),
            .one(
                "LocalizedStrings",
                Rule(
                    [],
                    [
                        .many(
                            "LocalizedString",
                            Rule(
                                [.required("ElementType"), .optional("ElementId"), .required("StringId")], text: .text))
                    ])),
        ])

    private static let controlClaim = Rule([
        .required("ClaimTypeReferenceId", .nonEmpty), .optional("Required", .boolean), .optional("DefaultValue"),
        .optional("AlwaysUseDefaultValue", .boolean),
    ])

    private static let displayControl = Rule(
        [
            .required("Id", .nonEmpty), .required("UserInterfaceControlType", .words(DisplayControlType.self)),
            .optional("DisplayName"),
        ],
        [
            .one("InputClaims", Rule([], [.many("InputClaim", controlClaim)])),
            .one(
                "DisplayClaims",
                Rule(
                    [],
                    [
                        .many(
                            "DisplayClaim",
                            Rule([
                                .required("ClaimTypeReferenceId", .nonEmpty), .optional("ControlClaimType"),
                                .optional("Required", .boolean),
                            ]))
                    ])),
            .one("OutputClaims", Rule([], [.many("OutputClaim", controlClaim)])),
            .one("Actions", Rule([], [.many("Action", displayControlAction)])),
        ])

    private static let displayControlAction = Rule(
        [.required("Id", .nonEmpty)],
        [
            .one(
                "ValidationClaimsExchange",
                Rule(
                    [],
                    [
                        .many(
                            "ValidationClaimsExchangeTechnicalProfile",
                            Rule(
                                [
                                    .required("TechnicalProfileReferenceId", .nonEmpty),
                                    .optional("ContinueOnSuccess", .boolean), .optional("ContinueOnError", .boolean),
                                ],
                                [.many("Preconditions", preconditions)]))
                    ]))
        ])

    private static let preconditions = Rule(
        [],
        [
            .many(
                "Precondition",
                Rule(
                    [
                        .required("Type", .words(PreconditionType.self)), .required("ExecuteActionsIf", .boolean),
                    ],
                    [
                        .many("Value", text), .many("Action", Rule(text: .words(PreconditionAction.self))),
                    ]))
        ])

    // MARK: Claims providers

    private static let domains = Rule([], [.many("Domain", Rule(text: .nonEmpty))])

    private static let claimsProvider = Rule(
        [],
        [
            .one("Domains", domains), .one("Domain", text), .one("DisplayName", text),
            .one("TechnicalProfiles", Rule([], [.many("TechnicalProfile", technicalProfile)])),
        ])

    private static let claimReference = Rule(
        [
            .required("ClaimTypeReferenceId", .nonEmpty), .optional("PartnerClaimType"),
            .optional("Required", .boolean), .optional("DefaultValue"), .optional("AlwaysUseDefaultValue", .boolean),
        ],
        [.many("From", opaque)])

    private static let persistedClaim = Rule([
        .required("ClaimTypeReferenceId", .nonEmpty), .optional("PartnerClaimType"), .optional("DefaultValue"),
        .optional("OverwriteIfExists", .boolean), .optional("AlwaysUseDefaultValue", .boolean),
        .optional("Required", .boolean),
    ])

    private static let displayClaim = Rule([
        .optional("ClaimTypeReferenceId", .nonEmpty), .optional("DisplayControlReferenceId", .nonEmpty),
        .optional("Required", .boolean),
    ])

    private static let keys = Rule(
        [], [.many("Key", Rule([.required("Id", .nonEmpty), .required("StorageReferenceId")]))])

    private static let technicalProfile = Rule(
        [.required("Id", .nonEmpty)],
        [
            .one("Domains", domains), .one("Domain", text), .one("DisplayName", text), .one("Description", text),
            .one(
                "Protocol", Rule([.required("Name", .words(ProtocolName.self)), .optional("Handler")])),
            .one("InputTokenFormat", Rule(text: .words(TokenFormat.self))),
            .one("OutputTokenFormat", Rule(text: .words(TokenFormat.self))),
            .one("AssuranceLevelOfOutputClaims", opaque), .one("RequiredAssuranceLevelsOfInputClaims", opaque),
            .one(
                "SubjectAuthenticationRequirements",
                Rule([
                    .required("TimeToLive", .integer(0...5_256_000)),
                    .optional("ResetExpiryWhenTokenIssued", .boolean),
                ])),
            .one("Metadata", metadata), .one("CryptographicKeys", keys),
            .one("Suppressions", opaque), .one("PreferredBinding", opaque),
            .one("IncludeInSso", Rule(text: .boolean)), .one("InputTokenSources", opaque),
            .many("InputClaimsTransformations", Rule([], [.many("InputClaimsTransformation", reference)])),
            .one("InputClaims", Rule([], [.many("InputClaim", claimReference)])),
            .one("DisplayClaims", Rule([], [.many("DisplayClaim", displayClaim)])),
            .one("PersistedClaims", Rule([], [.many("PersistedClaim", persistedClaim)])),
            .one("OutputClaims", Rule([], [.many("OutputClaim", claimReference)])),
            .many("OutputClaimsTransformations", Rule([], [.many("OutputClaimsTransformation", reference)])),
            .many("ValidationTechnicalProfiles", Rule([], [.many("ValidationTechnicalProfile", validationProfile)])),
            .one(
                "SubjectNamingInfo",
                Rule([
                    .required("ClaimType"), .optional("NameQualifier"), .optional("SPNameQualifier"),
                    .optional("Format"), .optional("SPProvidedID"), .optional("ExcludeAsClaim", .boolean),
                ])),
            .one("Extensions", opaque), .one("IncludeClaimsFromTechnicalProfile", Rule(text: .nonEmpty)),
            .one("IncludeTechnicalProfile", reference), .one("UseTechnicalProfileForSessionManagement", reference),
            .one("ErrorHandlers", Rule([], [.many("ErrorHandler", errorHandler)])),
            .one("EnabledForUserJourneys", Rule(text: .words(EnabledForUserJourneys.self))),
        ])

    private static let validationProfile = Rule(
        [
            .required("ReferenceId", .nonEmpty), .optional("ContinueOnSuccess", .boolean),
            .optional("ContinueOnError", .boolean),
        ],
        [.many("Preconditions", preconditions)])

    private static let errorHandler = Rule(
        [],
        [
            .one("ErrorResponseFormat", Rule(text: .oneOf(["json"]))), .one("ResponseMatch", text),
            .one("Action", Rule(text: .oneOf(["Reauthenticate", "InvalidClient"]))),
            .many("AdditionalRequestParameters", item),
        ])

    // MARK: Journeys

    private static let steps = Rule(
        [],
        [
            .many(
                "OrchestrationStep",
                Rule(
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
                            Rule(
                                [.optional("UserIdentity", .boolean)],
                                [
                                    .many(
                                        "ClaimsExchange",
                                        Rule([
                                            .required("Id", .nonEmpty),
                                            .required("TechnicalProfileReferenceId", .nonEmpty),
                                        ]))
                                ])),
                        .many(
                            "JourneyList",
                            Rule([], [.many("Candidate", Rule([.required("SubJourneyReferenceId", .nonEmpty)]))])),
                    ]))
        ])

    private static let selections = Rule(
        [.optional("DisplayOption", .words(DisplayOption.self))],
        [
            .many(
                "ClaimsProviderSelection",
                Rule([.optional("TargetClaimsExchangeId"), .optional("ValidationClaimsExchangeId")]))
        ])

    private static let userJourney = Rule(
        [
            .required("Id", .nonEmpty), .optional("NonInteractive", .boolean),
            .optional("DefaultCpimIssuerTechnicalProfileReferenceId", .nonEmpty),
        ],
        [
            .one("AssuranceLevel", opaque), .one("PreserveOriginalAssertion", Rule(text: .boolean)),
            .one(
                "Authorization",
                Rule(
                    [],
                    [
                        .one(
                            "AuthorizationTechnicalProfiles",
                            Rule([], [.many("AuthorizationTechnicalProfile", reference)]))
                    ])),
            .one("OrchestrationSteps", steps),
            .one("ClientDefinition", Rule([.optional("ReferenceId")])), .one("CryptographicKeys", opaque),
        ])

    private static let subJourney = Rule(
        [.required("Id", .nonEmpty), .required("Type", .words(SubJourneyType.self))],
        [.one("OrchestrationSteps", steps)])

    private static let relyingParty = Rule(
        [],
        [
            .one("DefaultUserJourney", reference),
            .one(
                "Endpoints",
                Rule(
                    [],
                    [
                        .many(
                            "Endpoint",
                            Rule([.required("Id", .nonEmpty), .required("UserJourneyReferenceId", .nonEmpty)]))
                    ])),
            .one("UserJourneyBehaviors", behaviors), .many("TechnicalProfile", technicalProfile),
        ])

    private static let behaviors = Rule(
        [],
        [
            .one(
                "SingleSignOn",
                Rule([
                    .required("Scope", .words(SingleSignOnScope.self)), .optional("KeepAliveInDays", .integer(0...90)),
                    .optional("EnforceIdTokenHintOnLogout", .boolean),
                ])),
            .one("SessionExpiryType", Rule(text: .words(SessionExpiryType.self))),
            .one("SessionExpiryInSeconds", Rule(text: .integer(900...86400))),
            .one("AzureApplicationInsights", opaque), .one("JourneyInsights", opaque),
            .one(
                "ContentDefinitionParameters",
                Rule([], [.many("Parameter", Rule([.required("Name", .nonEmpty)], text: .text))])),
            .one(
                "JourneyFraming",
                Rule([.required("Enabled", .boolean), .required("Sources")])),
            .one("ScriptExecution", Rule(text: .words(ScriptExecution.self))),
            .one("OnError", Rule([.required("Mode", .words(OnErrorMode.self))])),
        ])
}
