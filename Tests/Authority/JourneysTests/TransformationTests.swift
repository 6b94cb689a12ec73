import Determinism
import JSON
import Testing
import TrustFramework

@testable import Journeys

/// Every method of the table over the examples of the documentation and its edges.
@Suite struct TransformationTests {
    struct Row: Sendable {
        var method: String
        /// Role, data type, value.
        var inputs: [(String, DataType, ClaimValue?)] = []
        /// Id, data type, value.
        var parameters: [(String, DataType, String)] = []
        /// Role, data type, expected value; with an error, ignored.
        var outputs: [(String, DataType, ClaimValue?)] = []
        /// Message key of an assertion that fails, or `""` for another failure.
        var error: String?
    }

    static func text(_ text: String) -> ClaimValue { .text(text) }

    static let instant = Timestamp(rfc3339: "2022-03-01T00:00:00.100Z") ?? Timestamp(seconds: 0)

    static func bool(_ method: String, _ a: Bool?, _ b: Bool?, _ result: Bool) -> Row {
        Row(
            method: method,
            inputs: [
                ("inputClaim1", .boolean, a.map(ClaimValue.boolean)),
                ("inputClaim2", .boolean, b.map(ClaimValue.boolean)),
            ], outputs: [("outputClaim", .boolean, .boolean(result))])
    }

    static func number(_ value: Int64?, _ operation: String, _ other: String, throwing: Bool, _ result: Bool?) -> Row {
        Row(
            method: "AssertNumber", inputs: [("inputClaim", .int, value.map(ClaimValue.integer))],
            parameters: [
                ("CompareToValue", .int, other), ("Operator", .string, operation),
                ("throwError", .boolean, throwing ? "true" : "false"),
            ], outputs: [("outputClaim", .boolean, throwing ? nil : result.map(ClaimValue.boolean))],
            error: throwing && result == true ? "AssertNumberError" : nil)
    }

    static func greater(_ left: String, _ right: String?, equal: Bool = true, window: String = "0", fails: Bool) -> Row
    {
        Row(
            method: "AssertDateTimeIsGreaterThan",
            inputs: [("leftOperand", .string, .text(left)), ("rightOperand", .string, right.map(ClaimValue.text))],
            parameters: [
                ("AssertIfEqualTo", .boolean, equal ? "true" : "false"),
                ("AssertIfRightOperandIsNotPresent", .boolean, "true"),
                ("TreatAsEqualIfWithinMillseconds", .int, window),
            ], error: fails ? "DateTimeGreaterThan" : nil)
    }

    static func unary(
        _ method: String, _ input: ClaimValue?, _ type: DataType, _ output: (String, DataType, ClaimValue?),
        role: String = "inputClaim"
    ) -> Row {
        unary(method, input, type, [], output, role: role)
    }

    static func unary(
        _ method: String, _ input: ClaimValue?, _ type: DataType, _ parameters: [(String, String)],
        _ output: (String, DataType, ClaimValue?), role: String = "inputClaim"
    ) -> Row {
        Row(
            method: method, inputs: [(role, type, input)], parameters: parameters.map { ($0.0, .string, $0.1) },
            outputs: [output])
    }

    static let rows: [Row] = [
        bool("AndClaims", true, false, false), bool("AndClaims", true, true, true), bool("AndClaims", nil, true, false),
        bool("OrClaims", true, false, true), bool("OrClaims", nil, nil, false),
        unary("NotClaims", .boolean(false), .boolean, ("outputClaim", .boolean, .boolean(true))),
        unary("NotClaims", nil, .boolean, ("outputClaim", .boolean, nil)),
        Row(
            method: "CompareBooleanClaimToValue", inputs: [("inputClaim", .boolean, .boolean(true))],
            parameters: [("valueToCompareTo", .boolean, "false")],
            outputs: [("compareResult", .boolean, .boolean(false))]),
        Row(
            method: "AssertBooleanClaimIsEqualToValue", inputs: [("inputClaim", .boolean, .boolean(false))],
            parameters: [("valueToCompareTo", .boolean, "true")],
            error: "UserMessageIfClaimsTransformationBooleanValueIsNotEqual"),
        Row(
            method: "AssertBooleanClaimIsEqualToValue", inputs: [("inputClaim", .boolean, .boolean(true))],
            parameters: [("valueToCompareTo", .boolean, "true")]),
        Row(
            method: "SetClaimIfBooleansMatch", inputs: [("claimToMatch", .boolean, .boolean(true))],
            parameters: [
                ("matchTo", .string, "true"), ("outputClaimIfMatched", .string, "You have a promotion code."),
            ],
            outputs: [("outputClaim", .string, .text("You have a promotion code."))]),
        Row(method: "SetClaimIfBooleansMatch", inputs: [("claimToMatch", .boolean, nil)], error: ""),

        greater("2022-01-01T00:00:00", "2022-03-16T00:00:00", window: "30000", fails: true),
        greater("2022-03-16T00:00:00", "2022-01-01T00:00:00", fails: false),
        greater("2022-01-01T00:02:00", "2022-01-01T00:00:00", equal: false, window: "300000", fails: false),
        greater("2022-01-01T00:00:00", "2022-01-01T00:00:00", fails: true),
        greater("2022-01-01T00:00:00", "2022-01-01T00:00:00", equal: false, fails: false),
        greater("2022-01-01T00:00:00", nil, fails: false),
        unary("ConvertDateTimeToDateClaim", .dateTime(instant), .dateTime, ("outputClaim", .date, .text("2022-03-01"))),
        unary(
            "ConvertDateToDateTimeClaim", .text("2022-01-01"), .date,
            ("outputClaim", .dateTime, .dateTime(Timestamp(seconds: 1_640_995_200)))),
        Row(
            method: "DateTimeComparison",
            inputs: [
                ("firstDateTime", .dateTime, .dateTime(instant)),
                ("secondDateTime", .dateTime, .dateTime(instant + .days(1))),
            ], parameters: [("operator", .string, "later than"), ("timeSpanInSeconds", .int, "5")],
            outputs: [("result", .boolean, .boolean(false))]),
        Row(
            method: "DateTimeComparison",
            inputs: [
                ("firstDateTime", .dateTime, .dateTime(instant)),
                ("secondDateTime", .dateTime, .dateTime(instant + .days(90))),
            ], parameters: [("operator", .string, "later than"), ("timeSpanInSeconds", .int, "7776000")],
            outputs: [("result", .boolean, .boolean(true))]),
        Row(
            method: "DateTimeComparison", inputs: [("firstDateTime", .dateTime, .dateTime(instant))],
            parameters: [("operator", .string, "earlier than"), ("timeSpanInSeconds", .int, "0")],
            outputs: [("result", .boolean, .boolean(true))]),
        Row(
            method: "GetCurrentDateTime",
            outputs: [("currentDateTime", .dateTime, .dateTime(Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? instant))]),
        Row(
            method: "IsTermsOfUseConsentRequired",
            inputs: [("termsOfUseConsentDateTime", .dateTime, .dateTime(instant))],
            parameters: [("termsOfUseTextUpdateDateTime", .dateTime, "2022-01-15T00:00:00")],
            outputs: [("result", .boolean, .boolean(false))]),
        Row(
            method: "IsTermsOfUseConsentRequired", inputs: [("termsOfUseConsentDateTime", .dateTime, nil)],
            parameters: [("termsOfUseTextUpdateDateTime", .dateTime, "2022-01-15T00:00:00")],
            outputs: [("result", .boolean, .boolean(true))]),

        unary("CopyClaim", .text("Helo world"), .string, ("outputClaim", .string, .text("Helo world"))),
        unary("CopyClaim", .integer(123_456_789), .int, ("outputClaim", .int, .integer(123_456_789))),
        unary("DoesClaimExist", nil, .string, ("outputClaim", .boolean, .boolean(false))),
        unary("DoesClaimExist", .text(""), .string, ("outputClaim", .boolean, .boolean(true))),
        unary("DoesClaimExist", .list([]), .stringCollection, ("outputClaim", .boolean, .boolean(false))),

        Row(
            method: "AdjustNumber", inputs: [("inputClaim", .int, .integer(9))],
            parameters: [("Operator", .string, "INCREMENT")], outputs: [("outputClaim", .int, .integer(10))]),
        Row(
            method: "adjustnumber", inputs: [("inputClaim", .int, .integer(9))],
            parameters: [("Operator", .string, "decrement")], outputs: [("outputClaim", .int, .integer(8))]),
        Row(
            method: "AdjustNumber", inputs: [("inputClaim", .int, nil)],
            parameters: [("Operator", .string, "INCREMENT")],
            outputs: [("outputClaim", .int, .integer(1))]),
        number(20, "Equal", "20", throwing: true, true), number(20, "GreaterThanOrEqual", "20", throwing: true, true),
        number(20, "LessThanOrEqual", "20", throwing: true, true), number(20, "LessThan", "20", throwing: true, false),
        number(20, "GreaterThan", "20", throwing: true, false), number(20, "NotEqual", "20", throwing: true, false),
        number(10, "GreaterThan", "5", throwing: false, true),
        Row(method: "AssertNumber", inputs: [("inputClaim", .int, nil)], error: ""),
        unary("ConvertNumberToStringClaim", .integer(99), .long, ("outputClaim", .string, .text("99"))),

        unary("CreateJsonArray", .text("a@x.test"), .string, ("outputClaim", .string, .text("[\"a@x.test\"]"))),
        Row(
            method: "GenerateJson",
            inputs: [
                ("personalizations.0.to.0.email", .string, .text("a@b.com")), ("age", .int, .integer(3)),
                ("absent", .string, nil),
            ], parameters: [("template_id", .string, "d-1"), ("from.email", .string, "x@y.z")],
            outputs: [
                (
                    "outputClaim", .string,
                    .text(
                        #"{"personalizations":[{"to":[{"email":"a@b.com"}]}],"age":3,"template_id":"d-1","from":{"email":"x@y.z"}}"#
                    )
                )
            ]),
        unary(
            "GetClaimFromJson", .text(#"{"email":"a@x","displayName":"Emily Smith"}"#), .string,
            [("claimToExtract", "displayName")], ("extractedClaim", .string, .text("Emily Smith")), role: "inputJson"),
        unary(
            "GetClaimFromJson", .text("{}"), .string, [("claimToExtract", "x")], ("extractedClaim", .string, nil),
            role: "inputJson"),
        Row(method: "GetClaimFromJson", inputs: [("inputJson", .string, .text("no json"))], error: ""),
        unary(
            "GetNumericClaimFromJson", .text(#"{"id":6353399}"#), .string, [("claimToExtract", "id")],
            ("extractedClaim", .long, .integer(6_353_399)), role: "inputJson"),
        Row(
            method: "GetSingleItemFromJson",
            inputs: [("inputJson", .string, .text(#"{"givenName":"Emilty","lastName":"Smith"}"#))],
            outputs: [("key", .string, .text("givenName")), ("value", .string, .text("Emilty"))]),
        unary(
            "GetSingleValueFromJsonArray", .text(#"["someone@example.com","Someone",6353399]"#), .string,
            ("extractedClaim", .string, .text("someone@example.com")), role: "inputJsonClaim"),

        unary(
            "ConvertPhoneNumberClaimToString", .text("+11234567890"), .phoneNumber,
            ("phoneNumberString", .string, .text("+11234567890")), role: "phoneNumber"),
        unary(
            "ConvertStringToPhoneNumberClaim", .text("+1 (123) 456-7890"), .string,
            ("outputClaim", .phoneNumber, .text("+11234567890")), role: "phoneNumberString"),
        Row(
            method: "ConvertStringToPhoneNumberClaim",
            inputs: [("phoneNumberString", .string, .text("033 456-7890")), ("country", .string, .text("DK"))],
            outputs: [("outputClaim", .phoneNumber, .text("+450334567890"))]),
        Row(
            method: "ConvertStringToPhoneNumberClaim", inputs: [("phoneNumberString", .string, .text("033 456"))],
            error: "UserMessageIfClaimsTransformationInvalidPhoneNumber"),
        Row(
            method: "GetNationalNumberAndCountryCodeFromPhoneNumberString",
            inputs: [("phoneNumber", .string, .text("+49 (123) 456-7890"))],
            parameters: [("countryCodeType", .string, "ISO3166"), ("throwExceptionOnFailure", .boolean, "false")],
            outputs: [("nationalNumber", .string, .text("1234567890")), ("countryCode", .string, .text("DE"))]),
        Row(
            method: "GetNationalNumberAndCountryCodeFromPhoneNumberString",
            inputs: [("phoneNumber", .string, .text("+49 (123) 456-7890"))],
            parameters: [("countryCodeType", .string, "CallingCode")],
            outputs: [("nationalNumber", .string, .text("1234567890")), ("countryCode", .string, .text("+49"))]),
        Row(
            method: "GetNationalNumberAndCountryCodeFromPhoneNumberString",
            inputs: [("phoneNumber", .string, .text("nothing"))],
            parameters: [("throwExceptionOnFailure", .boolean, "true")], error: "UserMessageIfPhoneNumberParseFailure"),

        Row(
            method: "CreateAlternativeSecurityId",
            inputs: [("key", .string, .text("12334")), ("identityProvider", .string, .text("Facebook.com"))],
            outputs: [
                ("alternativeSecurityId", .string, .text(#"{"issuer":"facebook.com","issuerUserId":"MTIzMzQ="}"#))
            ]),
        Row(
            method: "CreateUserIdentity",
            inputs: [("issuerUserId", .string, .text("abc")), ("issuer", .string, .text("google.com"))],
            outputs: [("userIdentity", .userIdentity, .text(#"{"issuer":"google.com","issuerUserId":"abc"}"#))]),
        Row(
            method: "AddItemToUserIdentityCollection",
            inputs: [
                ("item", .userIdentity, .text(identity("google.com"))), ("collection", .userIdentityCollection, nil),
            ],
            outputs: [("collection", .userIdentityCollection, .list([identity("google.com")]))]),
        Row(
            method: "RemoveUserIdentityFromCollectionByIssuer",
            inputs: [
                ("issuer", .string, .text("facebook.com")),
                ("collection", .userIdentityCollection, .list([identity("google.com"), identity("facebook.com")])),
            ], outputs: [("collection", .userIdentityCollection, .list([identity("google.com")]))]),
        Row(
            method: "GetIssuersFromUserIdentityCollectionTransformation",
            inputs: [
                (
                    "userIdentityCollection", .userIdentityCollection,
                    .list([identity("google.com"), identity("fb.com")])
                )
            ], outputs: [("issuersCollection", .stringCollection, .list(["google.com", "fb.com"]))]),
        Row(
            method: "RemoveAlternativeSecurityIdByIdentityProvider",
            inputs: [
                ("identityProvider", .string, .text("Contoso.com")),
                (
                    "collection", .alternativeSecurityIdCollection,
                    .list([identity("contoso.com"), identity("live.com")])
                ),
            ], outputs: [("collection", .alternativeSecurityIdCollection, .list([identity("live.com")]))]),
        Row(
            method: "GetIdentityProvidersFromAlternativeSecurityIdCollectionTransformation",
            inputs: [
                (
                    "alternativeSecurityIdCollection", .alternativeSecurityIdCollection,
                    .list([identity("contoso.com"), identity("live.com")])
                )
            ], outputs: [("identityProvidersCollection", .stringCollection, .list(["contoso.com", "live.com"]))]),

        compare("AssertStringClaimsAreEqual", "abc", "aaa", "Ordinal", error: true),
        compare("AssertStringClaimsAreEqual", "abc", "ABC", "ordinalIgnoreCase", error: false),
        Row(
            method: "BuildUri",
            inputs: [
                ("path", .string, .text("emily@fabrikam.com")), ("query.secret", .string, .text("fay2lj7ynpntjgqa")),
            ],
            parameters: [
                ("scheme", .string, "otpauth"), ("host", .string, "totp"), ("query.issuer", .string, "Contoso demo"),
            ],
            outputs: [
                (
                    "outputClaim", .string,
                    .text(
                        "otpauth://totp/Contoso%20demo:emily@fabrikam.com?secret=fay2lj7ynpntjgqa&issuer=Contoso+demo")
                )
            ]),
        unary(
            "ChangeCase", .text("SomeOne@Contoso.COM"), .string, [("toCase", "LOWER")],
            ("outputClaim", .string, .text("someone@contoso.com")), role: "inputClaim1"),
        compared("EQUAL", "true", "abc", "ABC", true), compared("EQUAL", "false", "abc", "ABC", false),
        compared("not equal", "true", "abc", "ABC", false), compared("EQUAL", "true", nil, nil, true),
        compared("EQUAL", "true", "a", nil, false),
        Row(
            method: "CompareClaimToValue", inputs: [("inputClaim1", .string, .text("abc"))],
            parameters: [
                ("compareTo", .string, "ABC"), ("operator", .string, "not equal"), ("ignoreCase", .string, "true"),
            ], outputs: [("outputClaim", .boolean, .boolean(false))]),
        Row(
            method: "CreateStringClaim", parameters: [("value", .string, "Terms of {RelyingPartyTenantId}")],
            outputs: [("createdClaim", .string, .text("Terms of contoso.onmicrosoft.com"))]),
        unary(
            "FormatStringClaim", .text("5164db16-3eee-4629-bfda-dcc3326790e9"), .string,
            [("stringFormat", "cpim_{0}@{RelyingPartyTenantId}")],
            ("outputClaim", .string, .text("cpim_5164db16-3eee-4629-bfda-dcc3326790e9@contoso.onmicrosoft.com"))),
        unary(
            "FormatStringClaim", .text("x"), .string, [("stringFormat", "{{{0}}}")],
            ("outputClaim", .string, .text("{x}"))),
        Row(
            method: "FormatStringClaim", inputs: [("inputClaim", .string, .text("x"))],
            parameters: [("stringFormat", .string, "{0")], error: ""),
        Row(
            method: "FormatStringMultipleClaims",
            inputs: [("inputClaim1", .string, .text("Emily")), ("inputClaim2", .string, .text("Smith"))],
            parameters: [("stringFormat", .string, "{0}:{1}")],
            outputs: [("outputClaim", .string, .text("Emily:Smith"))]),
        lookup("test.com", .text("Test Portal")), lookup("foo.com", nil),
        Row(
            method: "LookupValue", inputs: [("inputParameterId", .string, .text("foo.com"))],
            parameters: [("test.com", .string, "x"), ("errorOnFailedLookup", .boolean, "true")], error: "LookupNotFound"
        ),
        Row(
            method: "NullClaim", inputs: [("claim_to_null", .string, .text("My test value"))],
            outputs: [("claim_to_null", .string, nil)]),
        unary(
            "ParseDomain", .text("emily@contoso.com"), .string, ("domain", .string, .text("contoso.com")),
            role: "emailAddress"),
        unary("ParseDomain", .text("emily"), .string, ("domain", .string, .text("")), role: "emailAddress"),
        Row(
            method: "SetClaimsIfRegexMatch", inputs: [("claimToMatch", .string, .text("64854114520"))],
            parameters: [("matchTo", .string, "^[0-9]{4,16}$"), ("outputClaimIfMatched", .string, "isPhone")],
            outputs: [
                ("outputClaim", .string, .text("isPhone")), ("regexCompareResultClaim", .boolean, .boolean(true)),
            ]),
        Row(
            method: "SetClaimsIfRegexMatch", inputs: [("claimToMatch", .string, .text("emily@contoso.com"))],
            parameters: [("matchTo", .string, "(?&lt;resultGroup1&gt;.*)@(.*)$"), ("extractGroups", .boolean, "true")],
            outputs: [
                ("resultGroup1", .string, .text("emily")), ("regexCompareResultClaim", .boolean, .boolean(true)),
            ]),
        Row(
            method: "SetClaimsIfRegexMatch", inputs: [("claimToMatch", .string, .text("x"))],
            parameters: [("matchTo", .string, "^y$"), ("outputClaimIfMatched", .string, "no")],
            outputs: [("outputClaim", .string, nil), ("regexCompareResultClaim", .boolean, .boolean(false))]),
        Row(
            method: "SetClaimsIfStringsAreEqual", inputs: [("inputClaim", .string, .text("v1"))],
            parameters: [
                ("matchTo", .string, "V1"), ("stringComparison", .string, "ordinalIgnoreCase"),
                ("stringMatchMsg", .string, "msg"), ("stringMatchMsgCode", .string, "code"),
            ],
            outputs: [
                ("outputClaim1", .string, .text("msg")), ("outputClaim2", .string, .text("code")),
                ("stringCompareResultClaim", .boolean, .boolean(true)),
            ]),
        Row(
            method: "SetClaimsIfStringsMatch", inputs: [("claimToMatch", .string, .text("minor"))],
            parameters: [
                ("matchTo", .string, "Minor"), ("stringComparison", .string, "ordinalIgnoreCase"),
                ("outputClaimIfMatched", .string, "B2C_V1_90001"),
            ],
            outputs: [
                ("outputClaim", .string, .text("B2C_V1_90001")), ("stringCompareResultClaim", .boolean, .boolean(true)),
            ]),
        contains("Contributors and readers", "Readers", "false", false),
        contains("Contributors and readers", "readers", "true", true),
        substring("ADC-15347", "0", "3", .text("ADC")),
        Row(
            method: "StringSubstring", inputs: [("inputClaim", .string, .text("abc"))],
            parameters: [("startIndex", .int, "2"), ("length", .int, "2")], error: ""),
        Row(
            method: "StringSubstring", inputs: [("inputClaim", .string, .text("abc"))],
            parameters: [("startIndex", .int, "-9223372036854775808")], error: ""),
        Row(
            method: "StringSubstring", inputs: [("inputClaim", .string, .text("abc"))],
            parameters: [("startIndex", .int, "1"), ("length", .int, "9223372036854775807")], error: ""),
        unary(
            "StringReplace", .text("+164-411-452-054"), .string, [("oldValue", "-"), ("newValue", "")],
            ("outputClaim", .string, .text("+164411452054"))),
        unary(
            "StringJoin", .list(["abc", "123"]), .stringCollection, [("delimiter", ",")],
            ("outputClaim", .string, .text("abc,123"))),
        unary(
            "StringSplit", .text("Admin,Author,Reader"), .string, [("delimiter", ",")],
            ("outputClaim", .stringCollection, .list(["Admin", "Author", "Reader"]))),

        Row(
            method: "AddItemToStringCollection",
            inputs: [("item", .string, .text("b")), ("collection", .stringCollection, .list(["a"]))],
            outputs: [("collection", .stringCollection, .list(["a", "b"]))]),
        Row(
            method: "AddItemToStringCollection",
            inputs: [("item", .string, .text("a")), ("collection", .stringCollection, .list(["a"]))],
            outputs: [("collection", .stringCollection, .list(["a"]))]),
        Row(
            method: "AddParameterToStringCollection", inputs: [("collection", .stringCollection, .list(["a"]))],
            parameters: [("item", .string, "b")], outputs: [("collection", .stringCollection, .list(["a", "b"]))]),
        unary(
            "GetSingleItemFromStringCollection", .list(["a", "b"]), .stringCollection,
            ("extractedItem", .string, .text("a")), role: "collection"),
        unary(
            "GetSingleItemFromStringCollection", nil, .stringCollection, ("extractedItem", .string, nil),
            role: "collection"),
        unary(
            "StringCollectionContains", .list(["Contributors", "READERS"]), .stringCollection,
            [("item", "readers"), ("ignoreCase", "true")], ("outputClaim", .boolean, .boolean(true))),
        Row(
            method: "StringCollectionContainsClaim",
            inputs: [("collection", .stringCollection, .list(["abc", "123"])), ("item", .string, .text("123"))],
            outputs: [("outputClaim", .boolean, .boolean(true))]),
        unary(
            "XmlStringToJsonString",
            .text("<?xml version='1.0'?><user id='1'><name>A &amp; B</name><m>x</m><m>y</m><e/></user>"), .string,
            ("json", .string, .text(#"{"user":{"@id":"1","name":"A & B","m":["x","y"],"e":null}}"#)), role: "xml"),
        Row(method: "XmlStringToJsonString", inputs: [("xml", .string, .text("<a><b></a>"))], error: ""),
        unary(
            "XmlStringToJsonString",
            .text(
                "\n<?xml version='1.0' encoding='utf-16'?><!-- a --><x:u xmlns:x='urn:x' b=\"1&#10;'2\">"
                    + "<n></n><![CDATA[<&]]>&#x41;\u{FC}<n k='v'>\r\n<o/></n></x:u>\n"), .string,
            (
                "json", .string,
                .text(
                    ##"{"x:u":{"@xmlns:x":"urn:x","@b":"1\n'2","#text":"<&A\##u{FC}","n":["",{"@k":"v","o":null}]}}"##)
            ), role: "xml"),
        Row(method: "XmlStringToJsonString", inputs: [("xml", .string, .text("<a>&b;</a>"))], error: ""),
        Row(method: "XmlStringToJsonString", inputs: [("xml", .string, .text("<a b='1' b='2'/>"))], error: ""),
        Row(
            method: "XmlStringToJsonString",
            inputs: [("xml", .string, .text("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"))], error: ""),
        Row(method: "XmlStringToJsonString", inputs: [("xml", .string, .text("<a/>b"))], error: ""),
        Row(method: "XmlStringToJsonString", inputs: [("xml", .string, .text("a"))], error: ""),
        Row(method: "XmlStringToJsonString", inputs: [("xml", .string, .text("<a>\u{1}</a>"))], error: ""),
        Row(
            method: "XmlStringToJsonString",
            inputs: [
                ("xml", .string, .text(String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65)))
            ], error: ""),
        age("2015-06-01", "US", "Denied", "Minor", true, "Denied"),
        age("2015-06-01", "US", "Granted", "Minor", false, "Granted"),
        age("2013-01-15", "US", nil, "NotAdult", false, "NotRequired"),
        age("2013-01-16", "US", nil, "Minor", true, nil), age("2012-01-01", "DE", nil, "Minor", true, nil),
        age("2012-01-01", "KR", nil, "NotAdult", false, "NotRequired"),
        age("2008-01-15", "fr", nil, "Adult", false, "NotRequired"), age(nil, "US", "Granted", nil, nil, "Granted"),
        Row(
            method: "AddItemToAlternativeSecurityIdCollection",
            inputs: [
                ("item", .string, .text(identity("live.com"))),
                ("collection", .alternativeSecurityIdCollection, .list([identity("contoso.com")])),
            ],
            outputs: [
                (
                    "collection", .alternativeSecurityIdCollection,
                    .list([identity("contoso.com"), identity("live.com")])
                )
            ]),
        // An identity that is linked already is not linked twice.
        Row(
            method: "AddItemToAlternativeSecurityIdCollection",
            inputs: [
                ("item", .string, .text(identity("Live.com"))),
                ("collection", .alternativeSecurityIdCollection, .list([identity("live.com")])),
            ],
            outputs: [("collection", .alternativeSecurityIdCollection, .list([identity("live.com")]))]),
        Row(method: "NoSuchMethod", error: "not simulated"),
    ]

    /// At the test world's now, 2026-01-15.
    static func age(
        _ born: String?, _ country: String, _ consent: String?, _ group: String?, _ needs: Bool?, _ result: String?
    ) -> Row {
        Row(
            method: "GetAgeGroupConsentProvidedAndRequiresConsent",
            inputs: [
                ("dateOfBirth", .date, born.map(ClaimValue.text)), ("countryCode", .string, .text(country)),
                ("consentProvidedForMinor", .string, consent.map(ClaimValue.text)),
            ],
            outputs: [
                ("ageGroup", .string, group.map(ClaimValue.text)),
                ("requiresParentalConsent", .boolean, needs.map(ClaimValue.boolean)),
                ("consentProvidedForMinor", .string, result.map(ClaimValue.text)),
            ])
    }

    static func identity(_ issuer: String) -> String { FederatedIdentity(issuer: issuer, issuerUserID: "u").claim }

    static func compare(_ method: String, _ a: String, _ b: String, _ comparison: String, error: Bool) -> Row {
        Row(
            method: method, inputs: [("inputClaim1", .string, .text(a)), ("inputClaim2", .string, .text(b))],
            parameters: [("stringComparison", .string, comparison)],
            error: error ? "UserMessageIfClaimsTransformationStringsAreNotEqual" : nil)
    }

    static func compared(_ operation: String, _ ignore: String, _ a: String?, _ b: String?, _ result: Bool) -> Row {
        Row(
            method: "CompareClaims",
            inputs: [
                ("inputClaim1", .string, a.map(ClaimValue.text)), ("inputClaim2", .string, b.map(ClaimValue.text)),
            ], parameters: [("operator", .string, operation), ("ignoreCase", .string, ignore)],
            outputs: [("outputClaim", .boolean, .boolean(result))])
    }

    static func lookup(_ key: String, _ result: ClaimValue?) -> Row {
        Row(
            method: "LookupValue", inputs: [("inputParameterId", .string, .text(key))],
            parameters: [("test.com", .string, "Test Portal"), ("errorOnFailedLookup", .boolean, "false")],
            outputs: [("outputClaim", .string, result)])
    }

    static func contains(_ text: String, _ part: String, _ ignore: String, _ result: Bool) -> Row {
        Row(
            method: "StringContains", inputs: [("inputClaim", .string, .text(text))],
            parameters: [("contains", .string, part), ("ignoreCase", .string, ignore)],
            outputs: [("outputClaim", .boolean, .boolean(result))])
    }

    static func substring(_ text: String, _ start: String, _ length: String, _ result: ClaimValue) -> Row {
        Row(
            method: "StringSubstring", inputs: [("inputClaim", .string, .text(text))],
            parameters: [("startIndex", .int, start), ("length", .int, length)],
            outputs: [("outputClaim", .string, result)])
    }

    /// One policy with a transformation a row: `T0`, `T1` ...
    static func policy() throws -> World {
        var claims = ""
        var transformations = ""
        for (number, row) in rows.enumerated() {
            func claim(_ kind: String, _ place: Int, _ role: String, _ type: DataType) -> String {
                // A claim that is both read and written is one claim.
                if kind == "o", let same = row.inputs.firstIndex(where: { $0.0 == role }) {
                    return "r\(number)i\(same)"
                }
                let id = "r\(number)\(kind)\(place)"
                claims += #"<ClaimType Id="\#(id)"><DataType>\#(type.rawValue)</DataType></ClaimType>"#
                return id
            }
            let inputs = row.inputs.enumerated().map {
                #"<InputClaim ClaimTypeReferenceId="\#(claim("i", $0, $1.0, $1.1))" TransformationClaimType="\#($1.0)" />"#
            }.joined()
            let parameters = row.parameters.map {
                #"<InputParameter Id="\#($0.0)" DataType="\#($0.1.rawValue)" Value="\#($0.2)" />"#
            }.joined()
            let outputs = row.outputs.enumerated().map {
                #"<OutputClaim ClaimTypeReferenceId="\#(claim("o", $0, $1.0, $1.1))" TransformationClaimType="\#($1.0)" />"#
            }.joined()
            transformations += #"<ClaimsTransformation Id="T\#(number)" TransformationMethod="\#(row.method)">"#
            if !inputs.isEmpty { transformations += "<InputClaims>\(inputs)</InputClaims>" }
            if !parameters.isEmpty { transformations += "<InputParameters>\(parameters)</InputParameters>" }
            if !outputs.isEmpty { transformations += "<OutputClaims>\(outputs)</OutputClaims>" }
            transformations += "</ClaimsTransformation>"
        }
        return try World(xml: [
            Inline.policy(
                types: claims, transformations: transformations, profiles: Inline.constants("Run", ["sub": "x"]),
                steps: Inline.steps("Run"))
        ])
    }

    @Test func `every row of the table holds`() throws {
        let world = try Self.policy()
        let policy = world.policy("flow")
        let profile = policy[try #require(policy.profile("Run"))]
        for (number, row) in Self.rows.enumerated() {
            let transformation = policy[try #require(policy.transformation("T\(number)"))]
            var bag = ClaimsBag()
            for (place, input) in row.inputs.enumerated() {
                bag[try #require(policy.claimType("r\(number)i\(place)"))] = input.2
            }
            var call = TransformationCall(
                transformation: transformation, profile: profile, page: nil, bag: bag,
                journey: world.call(policy, world.request(policy)), random: SeededGenerator(seed: 1))
            var failure: ProfileFailure?
            do throws(ProfileFailure) { try Transformations.run(&call) } catch { failure = error }
            if let expected = row.error {
                #expect(failure != nil, "row \(number) \(row.method)")
                if expected == "not simulated" {
                    #expect(failure?.fatal?.text.hasPrefix("not simulated: ") == true)
                } else if !expected.isEmpty {
                    #expect(failure?.messageKey == expected, "row \(number) \(row.method)")
                }
                continue
            }
            #expect(failure == nil, "row \(number) \(row.method): \(failure?.detail ?? "")")
            for (place, output) in row.outputs.enumerated() {
                let shared = row.inputs.firstIndex { $0.0 == output.0 }
                let id = shared.map { "r\(number)i\($0)" } ?? "r\(number)o\(place)"
                let value = call.bag[try #require(policy.claimType(id))]
                #expect(value == output.2, "row \(number) \(row.method) \(output.0)")
            }
        }
    }

    @Test func `random transformations follow the seed`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["a": "string", "b": "string", "c": "string", "d": "string"],
                transformations: """
                    <ClaimsTransformation Id="A" TransformationMethod="GuidAndRandomGenerator"><InputParameters>
                    <InputParameter Id="randomGeneratorType" DataType="string" Value="GUID" /></InputParameters>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="a" TransformationClaimType="outputClaim" />
                    </OutputClaims></ClaimsTransformation>
                    <ClaimsTransformation Id="B" TransformationMethod="CreateRandomString"><InputParameters>
                    <InputParameter Id="randomGeneratorType" DataType="string" Value="INTEGER" />
                    <InputParameter Id="stringFormat" DataType="string" Value="ID_{0}" />
                    <InputParameter Id="maximumNumber" DataType="int" Value="9" /></InputParameters>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="b" TransformationClaimType="outputClaim" />
                    </OutputClaims></ClaimsTransformation>
                    <ClaimsTransformation Id="C" TransformationMethod="CreateOtpSecret">
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="c" TransformationClaimType="outputClaim" />
                    </OutputClaims></ClaimsTransformation>
                    <ClaimsTransformation Id="D" TransformationMethod="Hash"><InputClaims>
                    <InputClaim ClaimTypeReferenceId="b" TransformationClaimType="plaintext" />
                    <InputClaim ClaimTypeReferenceId="c" TransformationClaimType="salt" /></InputClaims><InputParameters>
                    <InputParameter Id="randomizerSecret" DataType="string" Value="B2C_1A_HashSecret" /></InputParameters>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="d" TransformationClaimType="hash" />
                    </OutputClaims></ClaimsTransformation>
                    """,
                profiles: Inline.constants(
                    "Run", ["sub": "x"],
                    more: """
                        <OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="A" />
                        <OutputClaimsTransformation ReferenceId="B" /><OutputClaimsTransformation ReferenceId="C" />
                        <OutputClaimsTransformation ReferenceId="D" /></OutputClaimsTransformations>
                        """), steps: Inline.steps("Run"), outputs: ["a", "b", "c", "d"])
        ])
        let run = world.begin()
        #expect(GUID(run.claims["a"]?.stringValue ?? "") != nil)
        #expect(try TextPattern("^ID_[0-9]$").matches(run.claims["b"]?.stringValue ?? ""))
        #expect(try TextPattern("^[a-z2-7]{16}$").matches(run.claims["c"]?.stringValue ?? ""))
        #expect(run.claims["d"]?.stringValue?.count == 44)
        let other = world.begin()
        #expect(other.claims["a"] != run.claims["a"])
        #expect(run.records.filter { $0["transformation"] != nil }.count == 4)
    }

    /// Items of an array of key and value become the claims of that name; the older method reads one text.
    @Test(arguments: ["GetClaimsFromJsonArray", "GetClaimsFromJsonArrayV2"])
    func `items of an array become claims`(_ method: String) throws {
        let items = [
            #"{"key":"name","value":"Someone"}"#, #"{"key":"number","value":6353399}"#,
            #"{"key":"active","value":true}"#, #"{"key":"born","value":"2005-01-23T00:00:00Z"}"#,
            #"{"key":"empty","value":null}"#,
        ]
        let isOld = method == "GetClaimsFromJsonArray"
        let outputs = ["name", "number", "active", "born", "empty"].map {
            "<OutputClaim ClaimTypeReferenceId=\"\($0)\"/>"
        }
        let world = try World(xml: [
            Inline.policy(
                claims: [
                    "source": isOld ? "string" : "stringCollection", "name": "string", "number": "int",
                    "active": "boolean", "born": "dateTime", "empty": "string",
                ],
                transformations: """
                    <ClaimsTransformation Id="A" TransformationMethod="\(method)"><InputClaims>
                    <InputClaim ClaimTypeReferenceId="source" TransformationClaimType="jsonSource" /></InputClaims>
                    <InputParameters><InputParameter Id="errorOnMissingClaims" DataType="boolean" Value="true" />
                    <InputParameter Id="includeEmptyClaims" DataType="boolean" Value="false" />
                    <InputParameter Id="jsonSourceKeyName" DataType="string" Value="key" />
                    <InputParameter Id="jsonSourceValueName" DataType="string" Value="value" /></InputParameters>
                    <OutputClaims>\(outputs.joined())</OutputClaims></ClaimsTransformation>
                    """,
                profiles: Inline.constants("Run", ["sub": "x"]), steps: Inline.steps("Run"))
        ])
        let policy = world.policy("flow")
        var bag = ClaimsBag()
        bag[try #require(policy.claimType("source"))] =
            isOld ? .text("[" + items.joined(separator: ",") + "]") : .list(items)
        var call = TransformationCall(
            transformation: policy[try #require(policy.transformation("A"))],
            profile: policy[try #require(policy.profile("Run"))], page: nil, bag: bag,
            journey: world.call(policy, world.request(policy)), random: SeededGenerator(seed: 1))
        try Transformations.run(&call)
        func value(_ id: String) -> ClaimValue? { policy.claimType(id).flatMap { call.bag[$0] } }
        #expect(value("name") == .text("Someone"))
        #expect(value("number") == .integer(6_353_399))
        #expect(value("active") == .boolean(true))
        #expect(value("born") == Timestamp(rfc3339: "2005-01-23T00:00:00Z").map(ClaimValue.dateTime))
        #expect(value("empty") == nil)
    }

    @Test func `the table and the code name the same methods`() {
        let listed = FeatureTable.all.filter { $0.kind == .transformation }.map(\.name)
        #expect(listed.sorted() == Transformations.methods.sorted())
        #expect(listed.count == 70)
    }

    /// Methods that a row does not run are run by a test of their own, here or in `LocalizedTextTests`.
    @Test func `every method is tried`() {
        let elsewhere = [
            "GetClaimsFromJsonArray", "GetClaimsFromJsonArrayV2", "CreateRandomString", "GuidAndRandomGenerator",
            "CreateOtpSecret", "Hash", "CopyClaimIfPredicateMatch", "FormatLocalizedString",
            "GetLocalizedStringsTransformation", "GetMappedValueFromLocalizedCollection",
        ]
        for method in Transformations.methods where !elsewhere.contains(method) {
            #expect(Self.rows.contains { $0.method == method }, "\(method)")
        }
    }
}
