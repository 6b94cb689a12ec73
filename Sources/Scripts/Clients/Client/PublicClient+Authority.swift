import Determinism
import HTTPMessages
import JSON

extension PublicClient {
    /// Makes sure that the authority may be used (MSIDAuthority.m, MSIDAadAuthorityResolver.m).
    ///
    /// Who is asked depends on the library.
    ///
    /// - Parameter asked: The authority as the app wrote it: only that is looked for among the known ones.
    func resolve(
        _ authority: MSALAuthority, asked: MSALAuthority, correlationID: GUID, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> LibraryError? {
        let isKnown = configuration.knownAuthorities().contains(asked)
        switch library.authorityCheck(of: authority.kind) {
        case .known:
            guard isKnown || authority.isOnTrustedHost else {
                return LibraryError(
                    .unsupportedFunctionality,
                    "The authority \(asked.text) is not a known one, and B2C authorities cannot be validated."
                )
            }
            return nil
        case .cloudsFirst:
            return try await resolveWithClouds(
                authority, isKnown: isKnown, correlationID: correlationID, lane, &events)
        case .discoveryUnlessKnown where isKnown: return nil
        case .discoveryUnlessKnown, .discovery: break
        }
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

    /// Reads the list of clouds and then takes an authority whose host is in the configuration or among them.
    private func resolveWithClouds(
        _ authority: MSALAuthority, isKnown: Bool, correlationID: GUID, _ lane: Lane, _ events: inout EventLog
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
            if let problem = metadata.problem(of: authority, configuration.checks.discoveryIssuer) {
                return .failure(problem)
            }
            metadataCache[key] = metadata
            return read
        }
    }

    /// Why there is no metadata. Libraries that have one word for whatever keeps them from it name the address.
    private func unresolved(_ error: LibraryError, at address: String) -> LibraryError {
        guard let place = library.metadataFailure else { return error }
        var problem = error
        problem.place = place
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
