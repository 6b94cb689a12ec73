import Verbs

/// Makes the error an app sees from one inside the library (MSALErrorConverter.m).
enum ErrorConverter {
    /// Numbers that `NSError.code` may have; every other one folds into -50000.
    private static let visible: Set<Int> = [-50001, -50002, -50003, -50004, -50005, -50142]

    /// - Parameter correlationID: Of the call; fills the member where the error has none.
    static func convert(_ error: LibraryError, correlationID: String?) -> ClientError {
        var converted: ClientError
        switch error.domain {
        case .general, .oauth, .http: converted = fromIdentityCore(error)
        case .keychain:
            converted = ClientError(
                .storage, domain: "NSOSStatusErrorDomain", code: .number(error.code),
                name: error.code == Keychain.missingEntitlement ? "errSecMissingEntitlement" : nil)
        case .url:
            converted = ClientError(
                .network, domain: error.domain.rawValue, code: .number(error.code), name: URLErrorTable.name(error.code)
            )
        case .cocoa:
            converted = ClientError(
                .invalidResponse, domain: error.domain.rawValue, code: .number(error.code),
                name: error.code == 3840 ? "propertyListReadCorrupt" : nil)
        case .msal:
            converted = ClientError(
                error.kind ?? .other, domain: MSALErrorTable.domain, code: .number(error.code),
                name: MSALErrorTable.entry(error.code)?.name)
        }
        copyDetails(of: error, into: &converted)
        if let place = error.place {
            converted.domain = place.domain
            converted.code = place.code
            converted.name = if case .text(let word) = place.code { word } else { nil }
            converted.internalCode = nil
            converted.internalName = nil
        }
        converted.correlationId = correlationID
        converted.underlying = error.underlying.map { convert($0, correlationID: correlationID) }
        if converted.stsCodes == nil { converted.stsCodes = converted.underlying?.stsCodes }
        return converted
    }

    /// An error of one of the few calls that have no converter: the inner domain and number reach the app as they are.
    static func unconverted(_ error: LibraryError, kind: ClientErrorKind) -> ClientError {
        var bare = ClientError(kind, domain: error.domain.rawValue, code: .number(error.code))
        copyDetails(of: error, into: &bare)
        return bare
    }

    private static func fromIdentityCore(_ error: LibraryError) -> ClientError {
        let entry = error.identityCoreCode.map(IdentityCoreErrorTable.entry)
        let mapped = entry?.mapped ?? MSALErrorTable.catchAll
        let kind = error.kind ?? entry?.kind ?? .other
        if visible.contains(mapped) {
            return ClientError(
                kind, domain: MSALErrorTable.domain, code: .number(mapped), name: MSALErrorTable.entry(mapped)?.name)
        }
        var folded = ClientError(
            kind, domain: MSALErrorTable.domain, code: .number(MSALErrorTable.catchAll),
            name: MSALErrorTable.entry(MSALErrorTable.catchAll)?.name)
        let inner = mapped == MSALErrorTable.catchAll ? -42008 : mapped
        folded.internalCode = inner
        folded.internalName = MSALInternalErrorTable.name(inner)
        if inner == -42007, error.httpStatus == 429 || error.throttlingCacheHit { folded.kind = .throttled }
        return folded
    }

    private static func copyDetails(of error: LibraryError, into converted: inout ClientError) {
        converted.description = error.description
        converted.oauthError = error.oauthError
        converted.subError = error.subError
        converted.stsCodes = error.stsCodes.isEmpty ? nil : error.stsCodes
        converted.httpStatus = error.httpStatus
        converted.retryAfter = error.retryAfterText.flatMap { Int64($0) }
        converted.throttled = error.throttlingCacheHit ? true : nil
        converted.grantedScopes = error.grantedScopes
        converted.declinedScopes = error.declinedScopes
        converted.partialResult = error.partialResult
        converted.displayableUserId = error.displayableUserId
        converted.homeAccountId = error.homeAccountId
    }
}
