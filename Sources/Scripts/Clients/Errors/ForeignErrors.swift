import Verbs

/// Errors as libraries other than MSAL for Apple systems report them: the same failure, another class and another word.
enum ForeignErrors {
    /// The domains in which the shared flow makes its errors. An error of any other domain has its library's own words already.
    private static let flow: Set<String> = Set(
        LibraryError.Domain.allCases.map(\.rawValue) + [MSALErrorTable.domain, "NSOSStatusErrorDomain"])

    static func convert(_ error: ClientError, for library: any LibraryBehaviour) -> ClientError {
        guard flow.contains(error.domain), let place = library.place(of: error) else { return error }
        var converted = error
        converted.internalCode = nil
        converted.internalName = nil
        converted.name = nil
        converted.domain = place.domain
        converted.code = place.code
        if case .text(let word) = place.code { converted.name = word }
        converted.underlying = error.underlying.map { convert($0, for: library) }
        return converted
    }
}

/// Class (or domain) and code of an error in a library other than MSAL for Apple systems.
struct ForeignPlace: Sendable, Hashable {
    var domain: String
    var code: ClientError.Code
}
