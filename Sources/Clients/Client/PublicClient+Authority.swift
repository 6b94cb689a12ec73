import Determinism
import HTTPMessages
import JSON

extension PublicClient {
    /// Makes sure that the authority may be used (MSIDAuthority.m, MSIDAadAuthorityResolver.m).
    ///
    /// B2C asks nobody: the authority is known or the call ends. AAD asks instance discovery once a host and process.
    ///
    /// - Parameter asked: The authority as the app wrote it: only that is looked for among the known ones.
    func resolve(
        _ authority: MSALAuthority, asked: MSALAuthority, correlationID: GUID, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> LibraryError? {
        let isKnown = configuration.knownAuthorities().contains(asked)
        if configuration.kind == .msalAndroid, authority.kind == .b2c {
            return try await resolveOnAndroid(authority, isKnown: isKnown, correlationID, lane, &events)
        }
        if authority.kind == .b2c, configuration.kind != .msalBrowser {
            guard isKnown || authority.isOnTrustedHost else {
                return LibraryError(
                    .unsupportedFunctionality,
                    "The authority \(asked.text) is not a known one, and B2C authorities cannot be validated."
                )
            }
            return nil
        }
        // MSAL.js asks nobody about a host it knows, and about any other the service that knows directory clouds.
        if configuration.kind == .msalBrowser, isKnown { return nil }
        if let record = instances.record(authority.environment) { return isKnown ? nil : record.refusal }
        let request = RequestFactory.metadataRequest(
            InstanceCache.address(for: authority), correlationID: correlationID.uppercase,
            identity: configuration.identity)
        let problem: LibraryError?
        switch try await sender.json(request, lane, &events) {
        case .failure(let error): problem = error
        case .success(let answer): problem = instances.add(answer, for: authority.environment)
        }
        return isKnown ? nil : problem
    }

    /// MSAL for Android reads the list of clouds once a process, whatever the authority, and then takes an authority whose
    /// host is in the configuration or among the clouds (Authority.java).
    private func resolveOnAndroid(
        _ authority: MSALAuthority, isKnown: Bool, _ correlationID: GUID, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> LibraryError? {
        if instances.record(TrustedHosts.worldWide) == nil,
            let common = WebURL("https://\(TrustedHosts.worldWide)/common"),
            case .success(let clouds) = MSALAuthority.aad(common)
        {
            let request = RequestFactory.metadataRequest(
                InstanceCache.address(for: clouds), correlationID: correlationID.uppercase,
                identity: configuration.identity)
            switch try await sender.json(request, lane, &events) {
            case .failure(let error): return error
            case .success(let answer):
                if let problem = instances.add(answer, for: TrustedHosts.worldWide) { return problem }
            }
        }
        guard isKnown || authority.isOnTrustedHost else {
            return LibraryError(
                .unsupportedFunctionality, "The authority \(authority.text) is not in the app's configuration.")
        }
        return nil
    }

    /// The authority's metadata, from memory or from its address.
    func metadata(
        _ authority: MSALAuthority, correlationID: GUID, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> Result<ProviderMetadata, LibraryError> {
        let address = instances.networkURL(authority.metadataURL)
        let key = address.description.lowercased()
        if let known = metadataCache[key] { return .success(known) }
        let request = RequestFactory.metadataRequest(
            address, correlationID: correlationID.uppercase, identity: configuration.identity)
        switch try await sender.json(request, lane, &events) {
        case .failure(let error): return .failure(unresolved(error, at: key))
        case .success(let json):
            let read = ProviderMetadata.read(json).mapError { unresolved($0, at: key) }
            guard case .success(let metadata) = read else { return read }
            if let problem = TokenChecks.discoveryProblem(metadata, authority, configuration.checks) {
                return .failure(problem)
            }
            metadataCache[key] = metadata
            return read
        }
    }

    /// Why there is no metadata. MSAL.js and AppAuth have one word for whatever keeps them from it, and name the address.
    private func unresolved(_ error: LibraryError, at address: String) -> LibraryError {
        guard configuration.kind == .msalBrowser || configuration.kind == .appAuth else { return error }
        var problem = error
        problem.place = configuration.kind == .appAuth ? .discovery : .endpoints
        problem.description =
            "The endpoints could not be read from \(address)" + (error.description.map { ": \($0)" } ?? ".")
        return problem
    }

    /// The names under which cache entries of an authority may be found.
    func environments(_ authority: MSALAuthority) -> [String] {
        authority.kind == .b2c ? [authority.environment] : instances.aliases(authority.environment)
    }

    /// The name new cache entries of an authority are written under.
    func cacheEnvironment(_ authority: MSALAuthority) -> String {
        authority.kind == .b2c ? authority.environment : instances.cacheEnvironment(authority.environment)
    }
}
