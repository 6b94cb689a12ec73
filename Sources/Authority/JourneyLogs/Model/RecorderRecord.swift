import JSON

/// What a handler did, `RecorderRecord`: names with values, nested.
public struct RecorderRecord: Hashable, Sendable {
    /// A name with its value.
    public struct Entry: Hashable, Sendable {
        public var key: String
        public var value: Value

        public init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }

        public init(_ key: String, _ value: JSONValue) {
            self.init(key, .plain(value))
        }

        public init(_ key: String, _ entries: [Entry]) {
            self.init(key, .record(RecorderRecord(entries)))
        }
    }

    /// The value of an entry.
    public enum Value: Hashable, Sendable {
        /// `{"Values":[{"Key","Value"}]}`.
        case record(RecorderRecord)
        /// A text, a number, or an object with members of its own.
        case plain(JSONValue)

        init(_ value: JSONValue) {
            if let record = RecorderRecord(value) { self = .record(record) } else { self = .plain(value) }
        }

        var json: JSONValue {
            switch self {
            case .record(let record): record.json
            case .plain(let value): value
            }
        }

        /// The entries of a record.
        public var entries: [Entry] {
            guard case .record(let record) = self else { return [] }
            return record.entries
        }

        /// The value of a member: of a record the first entry with the name, of an object its member. Both forms occur for
        /// the same names.
        public subscript(key: String) -> JSONValue? {
            switch self {
            case .record(let record):
                guard case .plain(let value)? = record.first(key) else { return nil }
                return value
            case .plain(let value): return value[key]
            }
        }
    }

    /// The entries in order. A name may occur more than once.
    public var entries: [Entry]

    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// - Returns: `nil` if the value is not an object with nothing but a list of `Key` and `Value`.
    init?(_ value: JSONValue) {
        guard case .object(let object) = value, let values = object["Values"]?.arrayValue,
            object.members.allSatisfy({ $0.key == "Values" || $0.key == "$type" })
        else { return nil }
        var entries: [Entry] = []
        for value in values {
            guard case .object(let entry) = value, let key = entry["Key"]?.stringValue, let value = entry["Value"],
                entry.members.allSatisfy({ ["Key", "Value", "$type"].contains($0.key) })
            else { return nil }
            entries.append(Entry(key, Value(value)))
        }
        self.entries = entries
    }

    /// The record as the log has it.
    public var json: JSONValue {
        ["Values": .array(entries.map { ["Key": .string($0.key), "Value": $0.value.json] })]
    }

    /// The value of the first entry with a name.
    public func first(_ key: String) -> Value? { entries.first { $0.key == key }?.value }

    /// The values of all entries with a name, in order.
    public func all(_ key: String) -> [Value] { entries.filter { $0.key == key }.map(\.value) }
}

extension RecorderRecord.Entry {
    /// A technical profile and whether its `EnabledForUserJourneys` lets it take part.
    public struct Enabled: Hashable, Sendable {
        public var technicalProfile: String
        public var rule: String
        public var isEnabled: Bool

        public init(technicalProfile: String, rule: String = "Always", isEnabled: Bool) {
            self.technicalProfile = technicalProfile
            self.rule = rule
            self.isEnabled = isEnabled
        }
    }

    /// The technical profiles of a step: of a selection `HomeRealmDiscovery`, else those that are enabled or those that
    /// are not.
    public static func enabled(
        _ key: RecorderRecord.EnabledKey, step: Int, profiles: [Enabled]
    ) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            key.rawValue,
            [RecorderRecord.Entry("CurrentStep", .integer(Int64(step)))]
                + profiles.map {
                    RecorderRecord.Entry(
                        "TechnicalProfileEnabled",
                        [
                            "EnabledRule": .string($0.rule), "EnabledResult": .bool($0.isEnabled),
                            "TechnicalProfile": .string($0.technicalProfile),
                        ])
                })
    }

    /// A precondition of a step that was looked at.
    public struct Condition: Hashable, Sendable {
        /// `ClaimsExist` has the number 0, `ClaimEquals` 1.
        public var isEquality: Bool
        /// Claim types, and of an equality the value after the claim type.
        public var values: [String]
        public var executeActionsIf: Bool

        public init(isEquality: Bool, values: [String], executeActionsIf: Bool) {
            self.isEquality = isEquality
            self.values = values
            self.executeActionsIf = executeActionsIf
        }
    }

    /// The preconditions of a step, and the order of the step if they skip it.
    public static func preconditions(_ preconditions: [Condition], skipping step: Int?) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "PreconditionList",
            preconditions.map {
                RecorderRecord.Entry(
                    "Precondition",
                    [
                        "Type": .integer($0.isEquality ? 1 : 0), "Values": .array($0.values.map { .string($0) }),
                        "ExecuteActionsIf": .bool($0.executeActionsIf),
                    ])
            } + (step.map { [.skippingStep($0)] } ?? []))
    }

    /// A step that does not run.
    public static func skippingStep(_ order: Int) -> RecorderRecord.Entry {
        RecorderRecord.Entry("SkippingStep", .integer(Int64(order)))
    }

    /// A claims exchange begins: a page, a redirect or a call.
    ///
    /// - Parameters:
    ///   - protocolType: `backend protocol`, `One Way Message Protocol`, `None` and others.
    ///   - provider: Name of the handler: `AzureActiveDirectoryProvider`.
    public static func initiatingClaimsExchange(
        _ exchange: String, technicalProfile: String, protocolType: String, provider: String
    ) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "InitiatingClaimsExchange",
            [
                "ProtocolType": .string(protocolType), "TargetEntity": .string(exchange),
                "TechnicalProfileId": .string(technicalProfile), "ProtocolProviderType": .string(provider),
            ])
    }

    /// A technical profile without a page gets claims.
    ///
    /// - Parameter mappings: What goes between the provider and the policy, in order.
    public static func gettingClaims(
        technicalProfile: String, provider: String, url: String? = nil, mappings: [RecorderRecord.Entry] = []
    ) -> RecorderRecord.Entry {
        let exchange = RecorderRecord.Entry(
            "InitiatingBackendClaimsExchange",
            ["TechnicalProfileId": .string(technicalProfile), "ProtocolProviderType": .string(provider)])
        return RecorderRecord.Entry(
            "GettingClaims",
            [exchange] + (url.map { [RecorderRecord.Entry("RequestEndpointUrl", .string($0))] } ?? []) + mappings)
    }

    /// A claim that came from a provider under another name.
    public static func mappingFromPartner(_ partner: String, to claim: String) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "MappingFromPartnerClaimType", ["PartnerClaimType": .string(partner), "PolicyClaimType": .string(claim)])
    }

    /// A claim that goes to a provider under another name.
    public static func mappingToPartner(_ partner: String, from claim: String) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "MappingToPartnerClaimType", ["PartnerClaimType": .string(partner), "PolicyClaimType": .string(claim)])
    }

    /// A claim that has its default value.
    public static func mappingDefault(_ value: String, to claim: String) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "MappingDefaultValueForClaim", ["DefaultValue": .string(value), "PolicyClaimType": .string(claim)])
    }

    /// A validation technical profile of a page.
    ///
    /// - Parameter details: `ValidationRequestUrl`, mappings, `ErrorResponseReceived`, `ValidationResult` and others.
    public static func validationProfile(
        _ technicalProfile: String, details: [RecorderRecord.Entry] = []
    ) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "ValidationTechnicalProfile",
            [RecorderRecord.Entry("TechnicalProfileId", .string(technicalProfile))] + details)
    }

    /// A request of the app, or the post of a page.
    ///
    /// - Parameters:
    ///   - provider: Name of the protocol's handler: `OpenIdConnectProtocolProvider`, `SelfAssertedAttributeProvider`.
    ///   - details: Validation profiles and exceptions in order.
    public static func validation(
        submittedBy: String = "Application", provider: String, details: [RecorderRecord.Entry] = []
    ) -> RecorderRecord.Entry {
        RecorderRecord.Entry(
            "Validation",
            [
                RecorderRecord.Entry("SubmittedBy", .string(submittedBy)),
                RecorderRecord.Entry("ProtocolProviderType", .string(provider)),
            ] + details)
    }

    /// An exception within a record.
    public static func exception(_ exception: RecorderException) -> RecorderRecord.Entry {
        RecorderRecord.Entry("Exception", .object(exception.json))
    }

    /// A claims transformation.
    ///
    /// - Parameters:
    ///   - inputs: Claims that it reads.
    ///   - parameters: Its input parameters.
    ///   - results: Claims that it sets.
    public static func claimsTransformation(
        _ id: String, inputs: [(claim: String, value: String)], parameters: [(id: String, value: String)] = [],
        results: [(claim: String, value: String)]
    ) -> RecorderRecord.Entry {
        func claim(_ key: String, _ name: String, _ value: String) -> RecorderRecord.Entry {
            RecorderRecord.Entry(key, ["PolicyClaimType": .string(name), "Value": .string(value)])
        }
        return RecorderRecord.Entry(
            "ClaimsTransformation",
            [RecorderRecord.Entry("Id", .string(id))] + inputs.map { claim("InputClaim", $0.claim, $0.value) }
                + parameters.map {
                    RecorderRecord.Entry("InputParameter", ["Id": .string($0.id), "Value": .string($0.value)])
                } + results.map { claim("Result", $0.claim, $0.value) })
    }

    /// Claims transformations of a technical profile, with the default values of its claims.
    public static func transformations(
        _ key: RecorderRecord.TransformationKey = .output, _ entries: [RecorderRecord.Entry]
    ) -> RecorderRecord.Entry {
        RecorderRecord.Entry(key.rawValue, entries)
    }

    /// A sub-journey begins.
    public static func subJourney(_ id: String) -> RecorderRecord.Entry {
        RecorderRecord.Entry("SubJourneyInvoked", [RecorderRecord.Entry("SubJourneyId", .string(id))])
    }
}

extension RecorderRecord {
    /// Names of lists of technical profiles.
    public enum EnabledKey: String, Sendable {
        case selection = "HomeRealmDiscovery"
        case enabled = "EnabledForUserJourneysTrue"
        case disabled = "EnabledForUserJourneysFalse"
    }

    /// Names of lists of claims transformations. The log has been seen with the second only; the others are named like
    /// their handlers (inferred).
    public enum TransformationKey: String, Sendable {
        case input = "InputClaimsTransformation"
        case output = "OutputClaimsTransformation"
        case persisted = "PersistedClaimsTransformation"
    }
}

/// Names of handler classes, as predicates and actions have them.
public enum RecorderHandler {
    /// What most classes are named after.
    public static let prefix = "Web.TPEngine.StateMachineHandlers."
    /// The next orchestration step begins; the result has its order.
    public static let orchestrationManager = "Web.TPEngine.OrchestrationManager"

    /// The whole name of a handler: `SendErrorHandler` is `Web.TPEngine.StateMachineHandlers.SendErrorHandler`.
    public static func name(_ short: String) -> String { prefix + short }

    /// The last part of a name.
    public static func short(_ name: String) -> String {
        name.split(separator: ".").last.map { String($0) } ?? name
    }

    /// Whether a name is one of those that published logs and tools have.
    public static func isKnown(_ name: String) -> Bool {
        name.hasPrefix("Web.TPEngine.SSO.") || name.hasPrefix("Web.TPEngine.Api.") || known.contains(short(name))
    }

    private static let known: Set<String> = [
        "OrchestrationManager", "ShouldOrchestrationStepBeInvokedHandler", "HomeRealmDiscoveryHandler",
        "IsClaimsExchangeProtocolAServiceCallHandler", "IsClaimsExchangeProtocolARedirectionHandler",
        "IsClaimsExchangeProtocolAnApiHandler", "IsClaimsExchangeProtocolOneWayMessageHandler",
        "IsClaimsExchangeComplete", "IsClaimsExchangeCustomRefreshTokenRedemptionHandler",
        "InputClaimsTransformationHandler", "OutputClaimsTransformationHandler", "PersistedClaimsTransformationHandler",
        "ClientInputClaimsTransformationHandler", "SelfAssertedMessageValidationHandler", "SigninSignUpApiLoadHandler",
        "ConvertToAttributeFieldHandler", "IsDisplayControlActionRequestHandler",
        "SendDisplayControlActionResponseHandler", "IsClaimVerificationRequestHandler", "EnqueueNewJourneyHandler",
        "JourneyRestartHandler", "SendClaimsHandler", "SendClaimsActionHandler", "SendRelyingPartyResponseHandler",
        "SendResponseHandler", "SendRequestHandler", "SendErrorHandler", "SendRetryHandler",
        "PresentationTokenGenerationHandler",
        "InitiatingMessageValidationHandler", "CrossSiteRequestForgeryValidationHandler", "ValidateApiResponseHandler",
        "PreSetupHandler", "NoOpHandler", "GenerateRequestInputParamsHandler", "SwitchFromProtocolToApiHandler",
        "TransactionEndHandler", "IsLogoutRequestHandler", "ClaimsExchangeActionHandler",
        "ClaimsExchangeRedirectHandler", "ClaimsExchangeSubmitHandler", "ClaimsExchangeSelectHandler",
        "ClaimsTransformationActionHandler", "HomeRealmDiscoveryActionHandler",
        "SelfAssertedAttributeProviderActionHandler", "SelfAssertedAttributeProviderRedirectHandler",
        "SubJourneyDispatchActionHandler", "SubJourneyTransferActionHandler", "SubJourneyExitActionHandler",
    ]
}
