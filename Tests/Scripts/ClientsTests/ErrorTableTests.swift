import HTTPMessages
import JSON
import Testing

@testable import Clients

@Suite struct ErrorTableTests {
    @Test func `every row of the tables can be read`() {
        #expect(FailureTables.table.problems == [])
        #expect(FailureTables.table.sections.map(\.name) == ["interactive", "silent", "parameters", "unconverted"])
        #expect(MSALInternalErrorTable.table.problems == [])
        #expect(MSALInternalErrorTable.all.allSatisfy { String($0.number) == $0.id })
    }

    @Test func `numbers and names are unique, and no number is in a gap`() {
        let publicNumbers = MSALErrorTable.all.map(\.number)
        #expect(Set(publicNumbers).count == 10 && publicNumbers.count == 10)
        let numbers = MSALInternalErrorTable.all.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(Set(MSALInternalErrorTable.all.map(\.name)).count == numbers.count)
        #expect(numbers == numbers.sorted(by: >))
        for gap in [-42012, -42100, -42103, -42105, -42601, -42710, -42746] {
            #expect(MSALInternalErrorTable.entry(gap) == nil)
        }
        for number in [-42000, -42011, -42700, -42709, -42713, -42721, -42732, -42735, -42744, -42745] {
            #expect(MSALInternalErrorTable.entry(number) != nil)
        }
    }

    @Test(arguments: [
        ("interactionRequired", -50002), ("MSALErrorUserCanceled", -50005),
        ("mdmEnrollmentCompletedNeedsRetry", -50008),
        ("MSALErrorMDMEnrollmentCompletedNeedsRetry", -50008),
    ])
    func `entries are found by either name`(name: String, number: Int) {
        #expect(MSALErrorTable.entry(named: name)?.number == number)
    }

    @Test(arguments: [
        ("invalidGrant", -42004), ("MSALInternalErrorInvalidState", -42501),
        ("MSALInternalBrokerNotAvailable", -42714),
        ("brokerKeyNotFound", -42709), ("MSALErrorJITTroubleshootingAcquireToken", -42732),
        ("MSALErrorPSSOBiometricsNotEnrolled", -42744), ("jitComplianceCheckResultUnknown", -42721),
    ])
    func `internal entries are found by either name`(name: String, number: Int) {
        #expect(MSALInternalErrorTable.entry(named: name)?.number == number)
    }

    /// Every inner number with what an app sees of it.
    static let conversions: [(IdentityCoreCode, FailureOutcome)] = [
        (.internalError, .msal(-50000, -42008)), (.invalidInternalParameter, .msal(-50000, -42008)),
        (.invalidDeveloperParameter, .msal(-50000, -42000)), (.missingAccountParameter, .msal(-50000, -42106)),
        (.unsupportedFunctionality, .msal(-50000, -42008)), (.interactionRequired, .msal(-50002)),
        (.serverNonHttpsRedirect, .msal(-50000, -42602)), (.mismatchedAccount, .msal(-50000, -42101)),
        (.redirectSchemeNotRegistered, .msal(-50000, -42001)), (.invalidRedirectURI, .msal(-50000, -42011)),
        (.cacheMultipleUsers, .msal(-50000, -42102)), (.cacheBadFormat, .msal(-50000, -42008)),
        (.serverOauth, .msal(-50000, -42104)), (.serverInvalidResponse, .msal(-50000, -42600)),
        (.serverRefreshTokenRejected, .msal(-50000, -42008)), (.serverInvalidRequest, .msal(-50000, -42002)),
        (.serverInvalidClient, .msal(-50000, -42003)), (.serverInvalidGrant, .msal(-50000, -42004)),
        (.serverInvalidScope, .msal(-50000, -42005)), (.serverUnauthorizedClient, .msal(-50000, -42006)),
        (.serverDeclinedScopes, .msal(-50003)), (.serverAccessDenied, .msal(-50005)),
        (.serverError, .msal(-50000, -50006)), (.serverInvalidState, .msal(-50000, -42501)),
        (.serverProtectionPoliciesRequired, .msal(-50004)), (.authorizationFailed, .msal(-50000, -42104)),
        (.serverUnhandledResponse, .msal(-50000, -42007)), (.unexpectedHttpResponse, .msal(-50000, -42009)),
        (.authorityValidation, .msal(-50000, -42010)), (.userCancel, .msal(-50005)),
        (.sessionCanceledProgrammatically, .msal(-50005)), (.interactiveSessionStartFailure, .msal(-50000, -42008)),
        (.interactiveSessionAlreadyRunning, .msal(-50000, -42402)),
        (.insufficientDeviceStrength, .msal(-50000, -50007)),
        (.mdmEnrollmentCompletedNeedsRetry, .msal(-50000, -50008)),
        (.invalidASWebAuthenticationURL, .msal(-50000, -42745)), (.workplaceJoinRequired, .msal(-50001)),
        (.resetPasswordRequired, .msal(-50142)),
    ]

    @Test(arguments: conversions)
    func `every inner number converts as the table says`(code: IdentityCoreCode, outcome: FailureOutcome) {
        let error = ErrorConverter.convert(LibraryError(code), correlationID: "C")
        #expect(FailureOutcome(error) == outcome)
        #expect(error.name != nil)
        #expect(error.correlationId == "C")
        if case .msal(_, let inner?) = outcome {
            #expect(error.internalName == MSALInternalErrorTable.name(inner))
            #expect(error.internalName != nil)
        }
    }

    @Test func `the conversion table is whole`() {
        #expect(Set(Self.conversions.map(\.0)) == Set(IdentityCoreCode.allCases))
        #expect(Set(IdentityCoreErrorTable.all.map(\.code)) == Set(IdentityCoreCode.allCases))
    }

    @Test func `other domains pass, the keychain's under its own name`() {
        let keychain = ErrorConverter.convert(.keychain(-34018), correlationID: nil)
        #expect(FailureOutcome(keychain) == .foreign("NSOSStatusErrorDomain", -34018))
        #expect(keychain.kind == .storage && keychain.name == "errSecMissingEntitlement")
        let already = ErrorConverter.convert(LibraryError(domain: .msal, code: -50003), correlationID: nil)
        #expect(FailureOutcome(already) == .msal(-50003))
    }

    @Test(arguments: [
        (TransportError.offline, -1009), (.refused, -1004), (.reset, -1005), (.truncated, -1005), (.dns, -1003),
        (.timeout, -1001), (.tls, -1202), (.cancelled, -999), (.other("x"), -1),
    ])
    func `transport errors have the numbers of NSURLSession`(error: TransportError, number: Int) {
        let converted = ErrorConverter.convert(.network(error), correlationID: nil)
        #expect(FailureOutcome(converted) == .foreign("NSURLErrorDomain", number))
        #expect(converted.kind == .network && converted.name != nil)
    }

    @Test func `OAuth errors are read whatever their letter case`() {
        #expect(OAuthErrorTable.code("INVALID_GRANT", other: .serverOauth) == .serverInvalidGrant)
        #expect(OAuthErrorTable.code("login_required", other: .authorizationFailed) == .authorizationFailed)
        #expect(OAuthErrorTable.code("tokentransferfailedotc", other: .serverOauth) == .userCancel)
    }

    @Test func `each error member of a script is a key of userInfo, or a part of the error`() {
        let carried = Set(ErrorUserInfoKeys.all.compactMap(\.member))
        #expect(carried.isSuperset(of: ["oauthError", "subError", "description", "underlying", "throttled"]))
        #expect(Set(ErrorUserInfoKeys.all.map(\.name)).count == ErrorUserInfoKeys.all.count)
    }

    @Test func `an error is looked up with the rows that end in it`() {
        #expect(FailureTables.rows(endingIn: -42004).map(\.id) == ["I15", "I20"])
        #expect(FailureTables.rows(endingIn: -50005).contains { $0.id == "I2" })
        #expect(FailureTables.rows(endingIn: -1009).count == 3)
        #expect(Set(FailureTables.all.map(\.id)).count == FailureTables.all.count)
    }
}
