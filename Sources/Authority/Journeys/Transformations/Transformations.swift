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

    /// The first absent text input. `nil` for transformations that accept absent texts.
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

    /// Methods with their signatures in short form (`TransformationSignature`).
    static let signatures: [(method: String, text: String)] = all.map { ($0.method, $0.signature) }

    private static let all: [(method: String, function: Function, signature: String)] = [
        ("AndClaims", Booleans.and, "inputClaim1:b inputClaim2:b | - | outputClaim:b"),
        ("OrClaims", Booleans.or, "inputClaim1:b inputClaim2:b | - | outputClaim:b"),
        ("NotClaims", Booleans.not, "inputClaim:b | - | outputClaim:b"),
        ("CompareBooleanClaimToValue", Booleans.compare, "inputClaim:b | valueToCompareTo:b | compareResult:b"),
        ("AssertBooleanClaimIsEqualToValue", Booleans.assertEqual, "inputClaim:b | valueToCompareTo:b | -"),

        (
            "AssertDateTimeIsGreaterThan", Dates.assertGreater,
            "leftOperand:s rightOperand:s | "
                + "AssertIfEqualTo:b? AssertIfRightOperandIsNotPresent:b? TreatAsEqualIfWithinMillseconds:i? | "
                + "-"
        ),
        ("ConvertDateTimeToDateClaim", Dates.toDate, "inputClaim:dt | - | outputClaim:d"),
        ("ConvertDateToDateTimeClaim", Dates.toDateTime, "inputClaim:d | - | outputClaim:dt"),
        (
            "DateTimeComparison", Dates.compare,
            "firstDateTime:dt secondDateTime:dt? | "
                + "operator:s=same,later_than,earlier_than timeSpanInSeconds:i? | "
                + "result:b"
        ),
        ("GetCurrentDateTime", Dates.now, "- | - | currentDateTime:dt"),
        (
            "IsTermsOfUseConsentRequired", Dates.needsConsent,
            "termsOfUseConsentDateTime:dt | termsOfUseTextUpdateDateTime:dt | result:b"
        ),

        ("CopyClaim", General.copy, "inputClaim:* | - | outputClaim:*"),
        ("DoesClaimExist", General.exists, "inputClaim:* | - | outputClaim:b"),
        ("Hash", General.hash, "plaintext:s salt:s | randomizerSecret:s | hash:s"),
        ("NullClaim", General.clear, "- | - | claim_to_null:*"),

        ("AdjustNumber", Numbers.adjust, "inputClaim:i | Operator:s=INCREMENT,DECREMENT? | outputClaim:i"),
        (
            "AssertNumber", Numbers.assert,
            "inputClaim:i | "
                + "CompareToValue:i Operator:s=LessThan,GreaterThan,GreaterThanOrEqual,LessThanOrEqual,Equal,NotEqual throwError:b? | "
                + "outputClaim:b?"
        ),
        ("ConvertNumberToStringClaim", Numbers.toText, "inputClaim:l | - | outputClaim:s"),

        ("CreateJsonArray", JSONTexts.array, "inputClaim:s | - | outputClaim:s"),
        ("GenerateJson", JSONTexts.generate, "...:* | ...:* | outputClaim:s"),
        ("GetClaimFromJson", JSONTexts.claim, "inputJson:s | claimToExtract:s | extractedClaim:s"),
        ("GetNumericClaimFromJson", JSONTexts.number, "inputJson:s | claimToExtract:s | extractedClaim:l"),
        ("GetSingleItemFromJson", JSONTexts.firstMember, "inputJson:s | - | key:s? value:s?"),
        ("GetSingleValueFromJsonArray", JSONTexts.firstElement, "inputJsonClaim:s | - | extractedClaim:s"),
        (
            "GetClaimsFromJsonArray", JSONTexts.claims,
            "jsonSource:s | "
                + "errorOnMissingClaims:b? includeEmptyClaims:b? jsonSourceKeyName:s jsonSourceValueName:s | "
                + "...:s/i/l/b/dt"
        ),
        (
            "GetClaimsFromJsonArrayV2", JSONTexts.claims,
            "jsonSource:sc | "
                + "errorOnMissingClaims:b? includeEmptyClaims:b? jsonSourceKeyName:s jsonSourceValueName:s | "
                + "...:s/i/l/b/dt"
        ),
        ("XmlStringToJsonString", XMLTexts.toJSON, "xml:s | - | json:s"),

        ("ConvertPhoneNumberClaimToString", Phones.toText, "phoneNumber:ph | - | phoneNumberString:s"),
        ("ConvertStringToPhoneNumberClaim", Phones.fromText, "phoneNumberString:s country:s? | - | outputClaim:ph"),
        (
            "GetNationalNumberAndCountryCodeFromPhoneNumberString", Phones.split,
            "phoneNumber:s | "
                + "throwExceptionOnFailure:b? countryCodeType:s=CallingCode,ISO3166? | "
                + "nationalNumber:s? countryCode:s?"
        ),

        ("CreateAlternativeSecurityId", Identities.create, "key:s identityProvider:s | - | alternativeSecurityId:s"),
        ("AddItemToAlternativeSecurityIdCollection", Identities.add, "item:s collection:asc | - | collection:asc"),
        (
            "RemoveAlternativeSecurityIdByIdentityProvider", Identities.removeByProvider,
            "identityProvider:s collection:asc | - | collection:asc"
        ),
        (
            "GetIdentityProvidersFromAlternativeSecurityIdCollectionTransformation", Identities.providers,
            "alternativeSecurityIdCollection:asc | - | identityProvidersCollection:sc"
        ),
        ("CreateUserIdentity", Identities.createUserIdentity, "issuerUserId:s issuer:s | - | userIdentity:ui"),
        ("AddItemToUserIdentityCollection", Identities.add, "item:ui collection:uic | - | collection:uic"),
        (
            "RemoveUserIdentityFromCollectionByIssuer", Identities.removeByIssuer,
            "issuer:s collection:uic | - | collection:uic"
        ),
        (
            "GetIssuersFromUserIdentityCollectionTransformation", Identities.issuers,
            "userIdentityCollection:uic | - | issuersCollection:sc"
        ),

        (
            "AssertStringClaimsAreEqual", Strings.assertEqual,
            "inputClaim1:s inputClaim2:s | stringComparison:s=Ordinal,OrdinalIgnoreCase | -"
        ),
        ("BuildUri", Strings.uri, "path:s query....:s | scheme:s host:s query....:s | outputClaim:s"),
        ("ChangeCase", Strings.changeCase, "inputClaim1:s | toCase:s=LOWER,UPPER | outputClaim:s"),
        (
            "CompareClaims", Strings.compareClaims,
            "inputClaim1:s inputClaim2:s | operator:s=EQUAL,NOT_EQUAL ignoreCase:s/b? | outputClaim:b"
        ),
        (
            "CompareClaimToValue", Strings.compareToValue,
            "inputClaim1:s | compareTo:s operator:s=EQUAL,NOT_EQUAL ignoreCase:s/b? | outputClaim:b"
        ),
        ("CopyClaimIfPredicateMatch", Strings.copyIfValid, "inputClaim:s/ph | - | outputClaim:s/ph"),
        ("CreateOtpSecret", Strings.otpSecret, "- | - | outputClaim:s"),
        (
            "CreateRandomString", Strings.random,
            "- | randomGeneratorType:s=GUID,INTEGER stringFormat:s? base64:b? maximumNumber:i? seed:i? | outputClaim:s"
        ),
        (
            "GuidAndRandomGenerator", Strings.random,
            "- | randomGeneratorType:s=GUID,INTEGER stringFormat:s? base64:b? maximumNumber:i? seed:i? | outputClaim:s"
        ),
        ("CreateStringClaim", Strings.constant, "- | value:s | createdClaim:s"),
        ("FormatLocalizedString", LocalizedTextTransformations.format, "...:* | stringFormatId:s | outputClaim:s"),
        ("FormatStringClaim", Strings.format, "inputClaim:s | stringFormat:s | outputClaim:s"),
        (
            "FormatStringMultipleClaims", Strings.formatTwo,
            "inputClaim1:s inputClaim2:s | stringFormat:s | outputClaim:s"
        ),
        ("GetLocalizedStringsTransformation", LocalizedTextTransformations.texts, "- | - | ...:s"),
        (
            "GetMappedValueFromLocalizedCollection", LocalizedTextTransformations.mapped,
            "mapFromClaim:s | - | restrictionValueClaim:s"
        ),
        ("LookupValue", Strings.lookUp, "inputParameterId:s | errorOnFailedLookup:b? ...:s | outputClaim:s"),
        ("ParseDomain", Strings.domain, "emailAddress:s | - | domain:s"),
        (
            "SetClaimIfBooleansMatch", Booleans.setIfMatch,
            "claimToMatch:b | matchTo:s/b outputClaimIfMatched:s | outputClaim:s"
        ),
        (
            "SetClaimsIfRegexMatch", Strings.setIfPatternMatches,
            "claimToMatch:s | "
                + "matchTo:s outputClaimIfMatched:s? extractGroups:b? | "
                + "outputClaim:s? regexCompareResultClaim:b? ...:s"
        ),
        (
            "SetClaimsIfStringsAreEqual", Strings.setIfEqual,
            "inputClaim:s | "
                + "matchTo:s stringComparison:s=Ordinal,OrdinalIgnoreCase stringMatchMsg:s? stringMatchMsgCode:s? | "
                + "outputClaim1:s? outputClaim2:s? stringCompareResultClaim:b?"
        ),
        (
            "SetClaimsIfStringsMatch", Strings.setIfMatch,
            "claimToMatch:s | "
                + "matchTo:s stringComparison:s=Ordinal,OrdinalIgnoreCase outputClaimIfMatched:s? | "
                + "outputClaim:s? stringCompareResultClaim:b?"
        ),
        ("StringContains", Strings.contains, "inputClaim:s | contains:s ignoreCase:s/b? | outputClaim:b"),
        ("StringSubstring", Strings.substring, "inputClaim:s | startIndex:i length:i | outputClaim:s"),
        ("StringReplace", Strings.replace, "inputClaim:s | oldValue:s newValue:s | outputClaim:s"),
        ("StringJoin", Collections.join, "inputClaim:sc | delimiter:s | outputClaim:s"),
        ("StringSplit", Collections.split, "inputClaim:s | delimiter:s | outputClaim:sc"),

        ("AddItemToStringCollection", Collections.add, "item:s collection:sc | - | collection:sc"),
        ("AddParameterToStringCollection", Collections.addParameter, "collection:sc | item:s | collection:sc"),
        ("GetSingleItemFromStringCollection", Collections.first, "collection:sc | - | extractedItem:s"),
        (
            "StringCollectionContains", Collections.containsValue,
            "inputClaim:sc | item:s ignoreCase:s/b? | outputClaim:b"
        ),
        (
            "StringCollectionContainsClaim", Collections.containsClaim,
            "collection:sc item:s | ignoreCase:s/b? | outputClaim:b"
        ),

        (
            "GetAgeGroupConsentProvidedAndRequiresConsent", AgeGroups.classify,
            "dateOfBirth:d countryCode:s consentProvidedForMinor:s? | "
                + "- | "
                + "ageGroup:s? requiresParentalConsent:b? consentProvidedForMinor:s?"
        ),
    ]
}
