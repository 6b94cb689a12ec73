import Determinism
import Diagnostics

/// Turns a merged document into a policy that can run.
public enum PolicyLinker {
    /// Applies includes, resolves every reference and checks what a journey relies on.
    ///
    /// Throws all findings at once when one of them is an error; warnings of a policy that links are in its `findings`.
    public static func link(
        _ merged: PolicyDocument, personality: Personality, rules: MergeRules = MergeRules()
    ) throws(InvalidInput) -> ResolvedPolicy {
        ResolvedPolicy(try linked(merged, personality: personality, rules: rules))
    }

    /// What a policy consists of after linking.
    static func linked(
        _ merged: PolicyDocument, personality: Personality, rules: MergeRules = MergeRules()
    ) throws(InvalidInput) -> LinkedPolicy {
        var context = LinkContext(merged)
        context.findings = merged.findings
        let profiles = ProfileIncludes.resolved(in: merged, rules, &context)
        numberAll(merged, profiles, &context)

        var tables = PolicyTables()
        BuildingBlocksLinker.link(merged.buildingBlocks, into: &tables, &context)
        ProfileLinker.link(profiles, personality: personality, into: &tables, &context)
        JourneyLinker.link(merged, into: &tables, &context)
        let party = RelyingPartyLinker.link(merged, &context)
        let issuer = party.flatMap { tokenIssuer($0, tables) }
        if let party { context.checkJourneys(of: party, issuer: issuer, in: tables) }
        if !personality.isUserFlow { context.checkFeatures(of: merged, tables) }

        let findings = context.findings.inSourceOrder
        guard let party, !findings.hasErrors else { throw InvalidInput(diagnostics: findings) }
        return LinkedPolicy(
            id: merged.policyID, document: merged, fingerprint: fingerprint(merged, personality),
            personality: personality, tables: tables, localization: localization(merged), relyingParty: party,
            tokenIssuer: issuer, index: context.index, findings: findings)
    }

    private static func numberAll(
        _ document: PolicyDocument, _ profiles: [ResolvedInclude], _ context: inout LinkContext
    ) {
        let blocks = document.buildingBlocks
        context.number(blocks.claimTypes.map { ($0.id, $0.location) }, "claim type", into: \.claimTypes)
        context.number(blocks.predicates.map { ($0.id, $0.location) }, "predicate", into: \.predicates)
        context.number(
            blocks.predicateValidations.map { ($0.id, $0.location) }, "predicate validation",
            into: \.predicateValidations)
        context.number(
            blocks.inputValidations.map { ($0.id, $0.location) }, "input validation",
            from: blocks.predicateValidations.count, into: \.inputValidations)
        context.number(
            blocks.claimsTransformations.map { ($0.id, $0.location) }, "claims transformation", into: \.transformations)
        context.number(
            blocks.contentDefinitions.map { ($0.id, $0.location) }, "content definition", into: \.contentDefinitions)
        context.number(blocks.displayControls.map { ($0.id, $0.location) }, "display control", into: \.displayControls)
        context.number(
            blocks.localization?.resources.map { ($0.id, $0.location) } ?? [], "localized resources",
            into: \.localizedResources)
        context.number(
            profiles.map { ($0.profile.id, $0.profile.location) }, "technical profile", into: \.profiles)
        context.number(document.userJourneys.map { ($0.id, $0.location) }, "user journey", into: \.journeys)
        context.number(
            document.subJourneys.map { ($0.id, $0.location) }, "sub journey", from: document.userJourneys.count,
            into: \.subJourneys)
    }

    private static func localization(_ document: PolicyDocument) -> Localization {
        let element = document.buildingBlocks.localization
        let standard = element?.supportedLanguages?.defaultLanguage?.lowercased() ?? "en"
        var languages = element?.supportedLanguages?.languages.map { $0.lowercased() } ?? []
        if !languages.contains(standard) { languages.append(standard) }
        return Localization(
            enabled: element?.enabled ?? (element?.supportedLanguages != nil), defaultLanguage: standard,
            supportedLanguages: languages,
            translatedLanguages: document.buildingBlocks.contentDefinitions.flatMap { page in
                page.localizedResources.map { $0.language.lowercased() }
            })
    }

    /// The first JWT issuer that the default journey sends claims to, itself or in its sub journeys.
    private static func tokenIssuer(_ party: RelyingParty, _ tables: PolicyTables) -> TokenIssuerSettings? {
        for journey in tables.journeys(from: [party.defaultJourney]) {
            let issuers = [journey.defaultIssuer] + journey.steps.filter { $0.type == .sendClaims }.map(\.issuer)
            for handle in issuers.compactMap({ $0 }) where tables.profiles[Int(handle.index)].handler == .jwtIssuer {
                return TokenIssuerSettings(tables.profiles[Int(handle.index)])
            }
        }
        return nil
    }

    private static func fingerprint(_ document: PolicyDocument, _ personality: Personality) -> String {
        var hash = StableHash.fnv1a(document.policyID, from: document.contentHash)
        hash = StableHash.fnv1a(personality.fingerprintText, from: hash)
        let text = String(StableHash.mix(hash), radix: 16)
        return String(repeating: "0", count: max(16 - text.utf8.count, 0)) + text
    }
}
