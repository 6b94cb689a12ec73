/// Every element, handler, metadata key, transformation, resolver and type of a policy, with what becomes of it. What a
/// policy holds and this table does not is reported when the policy is linked; `docs/simulated.md` is printed from it.
public enum FeatureTable {
    /// All of them, chapter by chapter.
    public static let all: [Feature] = [
        elements, stepTypes, dataTypes, inputTypes, predicates, displayControls, transformations, profileKinds,
        metadata,
        cryptographicKeys, resolvers, textKinds, texts,
    ].flatMap { $0 }

    static let noScreen = Feature.Extent.refused("nothing documented says what the page shows")

    static let stepTypes: [Feature] = StepType.allCases.map { type in
        switch type {
        case .consentScreen, .reviewScreen, .userDialog: Feature(.stepType, type.rawValue, noScreen)
        default: Feature(.stepType, type.rawValue)
        }
    }

    static let dataTypes: [Feature] = DataType.allCases.map { type in
        switch type {
        case .duration: Feature(.dataType, type.rawValue, .approximated("kept as text; nothing computes with it"))
        case .objectIdentity, .objectIdentityCollection:
            Feature(.dataType, type.rawValue, .approximated("treated as userIdentity (inferred)"))
        case .dateTime:
            Feature(
                .dataType, type.rawValue,
                .approximated("three fraction digits are kept, seven are written; a token has seconds since 1970"))
        default: Feature(.dataType, type.rawValue)
        }
    }

    static let inputTypes: [Feature] = UserInputType.allCases.map { type in
        switch type {
        case .paragraph:
            Feature(
                .inputType, type.rawValue,
                .approximated("shown as text: whether the service renders HTML in it is not documented"))
        case .button: Feature(.inputType, type.rawValue, .inert("not documented; drawn as a field without value"))
        default: Feature(.inputType, type.rawValue)
        }
    }

    static let predicates: [Feature] =
        PredicateMethod.allCases.map { Feature(.predicate, $0.rawValue) } + [
            Feature(.predicate, "PredicateReferences/Reject", .approximated("inverts the group (inferred)")),
            Feature(
                .mask, MaskType.simple.rawValue, .approximated("hides as many characters as the mask has (inferred)")),
            Feature(.mask, MaskType.regex.rawValue),
        ]

    static let displayControls: [Feature] = DisplayControlType.allCases.map { type in
        switch type {
        case .captcha:
            Feature(.displayControl, type.rawValue, .approximated("pictures only: no page asks for a sound"))
        case .authenticatorAppIcon:
            Feature(.displayControl, type.rawValue, .approximated("the control is on the page, without icons"))
        default: Feature(.displayControl, type.rawValue)
        }
    }

    static let textKinds: [Feature] = [
        Feature(.textKind, "ClaimType"), Feature(.textKind, "UxElement"), Feature(.textKind, "ErrorMessage"),
        Feature(.textKind, "ClaimsProvider"), Feature(.textKind, "Predicate"),
        Feature(.textKind, "PredicateValidation"),
        Feature(.textKind, "InputValidation"), Feature(.textKind, "DisplayControl"),
        Feature(.textKind, "GetLocalizedStringsTransformationClaimType"),
        Feature(.textKind, "FormatLocalizedStringTransformationClaimType"),
    ]

    /// Texts that a page has and never shows.
    static let texts: [Feature] = ["createaccount_two_links", "createaccount_three_links"].map {
        Feature(
            .text, $0,
            .inert("no document says what makes two or three sign-up links: a page has one, for SignUpTarget"))
    }

    static let transformations: [Feature] = [
        "AndClaims", "OrClaims", "NotClaims", "CompareBooleanClaimToValue", "AssertBooleanClaimIsEqualToValue",
        "AssertDateTimeIsGreaterThan", "ConvertDateTimeToDateClaim", "ConvertDateToDateTimeClaim", "DateTimeComparison",
        "GetCurrentDateTime", "IsTermsOfUseConsentRequired", "CopyClaim", "DoesClaimExist", "Hash", "NullClaim",
        "AdjustNumber", "AssertNumber", "ConvertNumberToStringClaim", "CreateJsonArray", "GenerateJson",
        "GetClaimFromJson", "GetNumericClaimFromJson", "GetSingleItemFromJson", "GetSingleValueFromJsonArray",
        "GetClaimsFromJsonArray", "GetClaimsFromJsonArrayV2", "XmlStringToJsonString",
        "ConvertPhoneNumberClaimToString",
        "ConvertStringToPhoneNumberClaim", "GetNationalNumberAndCountryCodeFromPhoneNumberString",
        "CreateAlternativeSecurityId", "AddItemToAlternativeSecurityIdCollection",
        "RemoveAlternativeSecurityIdByIdentityProvider",
        "GetIdentityProvidersFromAlternativeSecurityIdCollectionTransformation", "CreateUserIdentity",
        "AddItemToUserIdentityCollection", "RemoveUserIdentityFromCollectionByIssuer",
        "GetIssuersFromUserIdentityCollectionTransformation", "AssertStringClaimsAreEqual", "BuildUri", "ChangeCase",
        "CompareClaims", "CompareClaimToValue", "CopyClaimIfPredicateMatch", "CreateOtpSecret", "CreateRandomString",
        "GuidAndRandomGenerator", "CreateStringClaim", "FormatLocalizedString", "FormatStringClaim",
        "FormatStringMultipleClaims", "GetLocalizedStringsTransformation", "GetMappedValueFromLocalizedCollection",
        "LookupValue", "ParseDomain", "SetClaimIfBooleansMatch", "SetClaimsIfRegexMatch", "SetClaimsIfStringsAreEqual",
        "SetClaimsIfStringsMatch", "StringContains", "StringSubstring", "StringReplace", "StringJoin", "StringSplit",
        "AddItemToStringCollection", "AddParameterToStringCollection", "GetSingleItemFromStringCollection",
        "StringCollectionContains", "StringCollectionContainsClaim", "GetAgeGroupConsentProvidedAndRequiresConsent",
    ].map { Feature(.transformation, $0, extents[$0] ?? .simulated) }

    private static let extents: [String: Feature.Extent] = [
        "Hash": .approximated("base64 of SHA-256 over text, salt and key; the service's own order is not documented"),
        "CreateRandomString": .approximated("draws from the run's seed; maximumNumber is 1000 when absent"),
        "GuidAndRandomGenerator": .approximated("as CreateRandomString"),
        "CreateOtpSecret": .approximated("draws from the run's seed"),
        "XmlStringToJsonString": .approximated("attributes become @name, text beside children #text (inferred)"),
        "DateTimeComparison": .approximated("equal times count as later (switch laterThanIncludesEqual)"),
        "AssertDateTimeIsGreaterThan": .approximated(
            "a missing right operand passes (switch assertPassesWithoutRightOperand)"),
        "ConvertStringToPhoneNumberClaim": .approximated(
            "calling codes of 139 countries; lengths of national numbers are not checked"),
        "GetNationalNumberAndCountryCodeFromPhoneNumberString": .approximated(
            "of countries that share a calling code the largest is named"),
        "GetAgeGroupConsentProvidedAndRequiresConsent": .approximated(
            "not documented: 13 years in the US, 16 in the EU, 14 in South Korea, else 13; adult at 18 (inferred)"),
        "LookupValue": .approximated("keys ignore letter case (inferred)"),
    ]

    static let resolvers: [Feature] =
        [
            "Culture:LanguageName", "Culture:LCID", "Culture:RegionName", "Culture:RFC5646", "Policy:PolicyId",
            "Policy:RelyingPartyTenantId", "Policy:TenantObjectId", "Policy:TrustFrameworkTenantId",
            "Context:BuildNumber", "Context:CorrelationId", "Context:DateTimeInUtc", "Context:DeploymentMode",
            "Context:HostName", "Context:IPAddress", "Context:KMSI", "Claim:*", "OIDC:AuthenticationContextReferences",
            "OIDC:ClientId", "OIDC:DomainHint", "OIDC:LoginHint", "OIDC:MaxAge", "OIDC:Nonce", "OIDC:Password",
            "OIDC:Username", "OIDC:Prompt", "OIDC:RedirectUri", "OIDC:Resource", "OIDC:Scope", "OAUTH-KV:*",
            "oauth2:*", "policy", "tenant", "service:te", "RelyingPartyTenantId", "TrustFrameworkTenantId",
            "TechnicalProfileId",
        ].map { name in
            switch name {
            case "Context:BuildNumber": Feature(.resolver, name, .approximated("always 1.1.22.0"))
            case "Culture:LCID", "Culture:RegionName":
                Feature(.resolver, name, .approximated("twenty languages; others have LCID 4096 and no region"))
            case "Policy:TrustFrameworkTenantId", "TrustFrameworkTenantId":
                Feature(.resolver, name, .approximated("the tenant of the relying party"))
            default: Feature(.resolver, name)
            }
        } + [Feature(.resolver, "SAML:*", .refused("no SAML request reaches a journey"))]

    /// The line of something, by kind, owner and the name that a policy writes.
    public static func feature(_ kind: Feature.Kind, _ name: String, of owner: String = "") -> Feature? {
        index[Place(kind: kind, owner: owner)]?.feature(name)
    }

    /// The features of one kind and owner, in their order.
    private struct Group {
        private let features: [Feature]
        /// Places by name, where names are exact and none stands for several.
        private let places: [String: Int]?

        init(_ features: [Feature]) {
            self.features = features
            guard features.allSatisfy({ $0.isExact && $0.stem == nil }) else {
                places = nil
                return
            }
            places = Dictionary(
                features.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        func feature(_ name: String) -> Feature? {
            guard let places else { return features.first { $0.covers(name) } }
            return places[name].map { features[$0] }
        }
    }

    private struct Place: Hashable {
        var kind: Feature.Kind
        var owner: String
    }

    /// For look-ups only; never iterated.
    private static let index: [Place: Group] = Dictionary(grouping: all) { Place(kind: $0.kind, owner: $0.owner) }
        .mapValues(Group.init)
}
