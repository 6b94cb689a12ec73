import B2CProtocol

/// Checks of what the developer passes (MSALPublicClientApplication.m), all of them before anything is sent.
enum ParameterChecks {
    /// Reserved scopes, and for directory tenants the client id, must not be asked for.
    static func problem(scopes: [String], _ configuration: ClientConfiguration) -> LibraryError? {
        if configuration.checks.reservedScopes == .reject {
            let reserved = scopes.filter { RequestContext.reservedScopes.contains($0.lowercased()) }
            if !reserved.isEmpty {
                return LibraryError(
                    .invalidDeveloperParameter,
                    "The scopes \(reserved.joined(separator: ", ")) are reserved: the library adds them itself.")
            }
        }
        let refusesClientID =
            configuration.authorityKind == .aad || configuration.checks.clientIdScope == .reject
        let clientID = configuration.clientID.lowercased()
        if refusesClientID, scopes.contains(where: { $0.lowercased() == clientID }) {
            return LibraryError(.invalidDeveloperParameter, "The client id is not a scope here.")
        }
        return nil
    }

    /// A call's authority must be of the class the client was created with.
    static func problem(authority: MSALAuthority, own: MSALAuthority) -> LibraryError? {
        guard authority.kind != own.kind else { return nil }
        return LibraryError(
            .invalidDeveloperParameter,
            "The authority \(authority.text) is not of the class the client was created with.")
    }

    /// Claims must not be given twice.
    static func problem(claims: String?, extraQuery: [(name: String, value: String)]) -> LibraryError? {
        guard claims != nil, extraQuery.contains(where: { $0.name == "claims" }) else { return nil }
        return LibraryError(
            .invalidDeveloperParameter, "Claims are given both as claimsRequest and among the extra query parameters.")
    }
}
