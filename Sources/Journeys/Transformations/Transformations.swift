import TrustFramework

/// Claims transformations by method: one function each, in one table (Microsoft docs: claimstransformations and the
/// pages it links).
enum Transformations {
    typealias Function = @Sendable (inout TransformationCall) throws(ProfileFailure) -> Void

    /// Runs a transformation; one that is not in the table fails by name.
    static func run(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let function = table[call.transformation.method.lowercased()] else {
            throw .notSimulated("claims transformation \(call.transformation.method)", at: call.transformation.location)
        }
        if !call.journey.environment.switches.absentTextsAreNoError, let absent = absentText(call) {
            throw call.fault("\(absent) has no value")
        }
        try function(&call)
    }

    /// The first text input of a text transformation that is absent, but for those that are made for absent ones.
    private static func absentText(_ call: TransformationCall) -> String? {
        let texts = [
            "buildUri", "changeCase", "formatStringClaim", "formatStringMultipleClaims", "parseDomain",
            "stringContains",
            "stringJoin", "stringReplace", "stringSplit", "stringSubstring", "createAlternativeSecurityId",
            "setClaimsIfRegexMatch", "setClaimsIfStringsAreEqual", "setClaimsIfStringsMatch", "createJsonArray",
            "getClaimFromJson",
        ]
        guard texts.contains(where: { sameID($0, call.transformation.method) }) else { return nil }
        return call.transformation.inputClaims.first { call.bag[$0.claim] == nil }?.role
    }

    /// The methods there are, in the order of the table.
    static let methods: [String] = all.map(\.method)

    /// For look-ups only; never iterated.
    private static let table: [String: Function] = Dictionary(
        all.map { ($0.method.lowercased(), $0.function) }, uniquingKeysWith: { first, _ in first })

    private static let all: [(method: String, function: Function)] = [
        ("AndClaims", Booleans.and), ("OrClaims", Booleans.or), ("NotClaims", Booleans.not),
        ("CompareBooleanClaimToValue", Booleans.compare), ("AssertBooleanClaimIsEqualToValue", Booleans.assertEqual),

        ("AssertDateTimeIsGreaterThan", Dates.assertGreater), ("ConvertDateTimeToDateClaim", Dates.toDate),
        ("ConvertDateToDateTimeClaim", Dates.toDateTime), ("DateTimeComparison", Dates.compare),
        ("GetCurrentDateTime", Dates.now), ("IsTermsOfUseConsentRequired", Dates.needsConsent),

        ("CopyClaim", General.copy), ("DoesClaimExist", General.exists), ("Hash", General.hash),
        ("NullClaim", General.clear),

        ("AdjustNumber", Numbers.adjust), ("AssertNumber", Numbers.assert),
        ("ConvertNumberToStringClaim", Numbers.toText),

        ("CreateJsonArray", JSONTexts.array), ("GenerateJson", JSONTexts.generate),
        ("GetClaimFromJson", JSONTexts.claim), ("GetNumericClaimFromJson", JSONTexts.number),
        ("GetSingleItemFromJson", JSONTexts.firstMember), ("GetSingleValueFromJsonArray", JSONTexts.firstElement),
        ("GetClaimsFromJsonArray", JSONTexts.claims), ("GetClaimsFromJsonArrayV2", JSONTexts.claims),
        ("XmlStringToJsonString", XMLTexts.toJSON),

        ("ConvertPhoneNumberClaimToString", Phones.toText), ("ConvertStringToPhoneNumberClaim", Phones.fromText),
        ("GetNationalNumberAndCountryCodeFromPhoneNumberString", Phones.split),

        ("CreateAlternativeSecurityId", Identities.create),
        ("AddItemToAlternativeSecurityIdCollection", Identities.add),
        ("RemoveAlternativeSecurityIdByIdentityProvider", Identities.removeByProvider),
        ("GetIdentityProvidersFromAlternativeSecurityIdCollectionTransformation", Identities.providers),
        ("CreateUserIdentity", Identities.createUserIdentity), ("AddItemToUserIdentityCollection", Identities.add),
        ("RemoveUserIdentityFromCollectionByIssuer", Identities.removeByIssuer),
        ("GetIssuersFromUserIdentityCollectionTransformation", Identities.issuers),

        ("AssertStringClaimsAreEqual", Strings.assertEqual), ("BuildUri", Strings.uri),
        ("ChangeCase", Strings.changeCase), ("CompareClaims", Strings.compareClaims),
        ("CompareClaimToValue", Strings.compareToValue),
        ("CopyClaimIfPredicateMatch", Strings.copyIfValid), ("CreateOtpSecret", Strings.otpSecret),
        ("CreateRandomString", Strings.random), ("GuidAndRandomGenerator", Strings.random),
        ("CreateStringClaim", Strings.constant), ("FormatLocalizedString", LocalizedTexts.format),
        ("FormatStringClaim", Strings.format), ("FormatStringMultipleClaims", Strings.formatTwo),
        ("GetLocalizedStringsTransformation", LocalizedTexts.texts),
        ("GetMappedValueFromLocalizedCollection", LocalizedTexts.mapped), ("LookupValue", Strings.lookUp),
        ("ParseDomain", Strings.domain), ("SetClaimIfBooleansMatch", Booleans.setIfMatch),
        ("SetClaimsIfRegexMatch", Strings.setIfPatternMatches),
        ("SetClaimsIfStringsAreEqual", Strings.setIfEqual), ("SetClaimsIfStringsMatch", Strings.setIfMatch),
        ("StringContains", Strings.contains), ("StringSubstring", Strings.substring),
        ("StringReplace", Strings.replace), ("StringJoin", Collections.join), ("StringSplit", Collections.split),

        ("AddItemToStringCollection", Collections.add), ("AddParameterToStringCollection", Collections.addParameter),
        ("GetSingleItemFromStringCollection", Collections.first),
        ("StringCollectionContains", Collections.containsValue),
        ("StringCollectionContainsClaim", Collections.containsClaim),

        ("GetAgeGroupConsentProvidedAndRequiresConsent", AgeGroups.classify),
    ]
}
