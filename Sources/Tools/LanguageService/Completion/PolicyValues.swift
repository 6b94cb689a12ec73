import Journeys
import Markup
import TenantFiles
import TrustFramework
import Validation

/// The values that may be written into an attribute of a policy, or as the text of an element.
struct PolicyValues {
    private let workspace: LanguageWorkspace
    private let file: LanguageFile
    private let site: PolicySite
    /// `nil`: the text of the element.
    private let attribute: String?
    private let merged: PolicyDocument?
    private let profiles: ProfileTable

    private var outline: MarkupOutline { site.outline }

    init(workspace: LanguageWorkspace, file: LanguageFile, site: PolicySite, attribute: String?) {
        (self.workspace, self.file, self.site, self.attribute) = (workspace, file, site, attribute)
        merged = workspace.readings.merged(file.path, in: workspace)
        profiles = ProfileTable(merged)
    }

    /// In the order in which they are shown.
    var all: [Proposal] { special ?? names ?? words }

    // MARK: Names

    /// Names in scope for what is referred to or declared here: a file changes what it inherits by its id.
    private var names: [Proposal]? {
        guard
            let (kind, scope) = PolicyOccurrences.reference(attribute: attribute, of: site.element, in: outline)
        else { return nil }
        let facts = merged?.facts(kind, profiles, scope: scope) ?? [:]
        let own = site.ancestor("TechnicalProfile").flatMap { outline.value($0, "Id") }
        var names = workspace.names(of: kind, seenFrom: file.path, scope: scope)
        // A policy that is built in has no file.
        let named = Set(names.map { $0.uppercased() })
        names += facts.filter { !named.contains($0.key) }.map(\.value.id).sorted()
        if ["IncludeTechnicalProfile", "ValidationTechnicalProfile"].contains(site.name) {
            names.removeAll { name in own.map { sameID($0, name) } ?? false }
        }
        let first: (String) -> Bool
        switch kind {
        case .technicalProfile: first = { fits(profiles.handler($0)) }
        case .claimType:
            let known = knownClaims
            first = { known.contains($0.uppercased()) }
        default: first = { _ in true }
        }
        let (before, after) = (names.filter(first), names.filter { !first($0) })
        return (before + after).map { name in
            Proposal(
                name, .name, detail: facts[name.uppercased()].flatMap { $0.text.isEmpty ? nil : $0.text },
                text: written(name))
        }
    }

    /// Whether a technical profile does what the place is for.
    private func fits(_ handler: ProfileHandler?) -> Bool {
        guard let handler else { return false }
        let isStep = !handler.managesSessions && !handler.issuesTokens && handler != .tokenAuthorization
        switch site.name {
        case "ClaimsExchange":
            let step = site.ancestor("OrchestrationStep").flatMap { outline.value($0, "Type") }
            return isStep && (handler == ProfileHandler.none) == (step == StepType.getClaims.rawValue)
        case "OrchestrationStep", "UserJourney": return handler.issuesTokens
        case "UseTechnicalProfileForSessionManagement": return handler.managesSessions
        case "ValidationTechnicalProfile", "ValidationClaimsExchangeTechnicalProfile":
            return isStep && !handler.showsPage && !handler.isFederation && handler != ProfileHandler.none
        case "AuthorizationTechnicalProfile": return handler == .tokenAuthorization
        default: return true
        }
    }

    /// Claims that have a value here, in capitals; empty where every claim is as good as another.
    private var knownClaims: Set<String> {
        guard let merged, let place = knownPlace(merged) else { return [] }
        var known = KnownClaims(merged, profiles)
        return known.at(place)
    }

    private func knownPlace(_ merged: PolicyDocument) -> KnownClaims.Place? {
        if site.name == "Value", site.ancestor("Precondition") != nil {
            if let call = site.ancestor("ValidationTechnicalProfile", "ValidationClaimsExchangeTechnicalProfile") {
                return (outline.value(call, "ReferenceId") ?? outline.value(call, "TechnicalProfileReferenceId"))
                    .map { .profile($0) }
            }
            guard let step = site.ancestor("OrchestrationStep"),
                let order = outline.value(step, "Order").flatMap({ Int($0) })
            else { return nil }
            return site.id(of: "UserJourney", "SubJourney").map { .step(journey: $0, order: order) }
        }
        guard site.ancestor("ClaimsTransformation", "DisplayControl") == nil else { return nil }
        if let party = site.ancestor("RelyingParty") {
            let written = outline.elements[party].children.first { outline.name($0) == "DefaultUserJourney" }
            let journey = written.flatMap { outline.value($0, "ReferenceId") }
            return (journey ?? merged.relyingParty?.defaultUserJourney?.id).map { .end($0) }
        }
        guard ["InputClaim", "PersistedClaim"].contains(site.name) else { return nil }
        return site.id(of: "TechnicalProfile").map { .profile($0) }
    }

    private func written(_ text: String) -> String {
        XMLEntities.escaped(text, also: attribute == nil ? [] : .attribute)
    }

    // MARK: Words

    /// The words that the schema allows.
    private var words: [Proposal] {
        let rule = attribute.flatMap { name in site.rule?.attributes.first { $0.name == name }?.value }
        let value = attribute == nil ? site.rule?.text : rule
        if case .culture? = value { return cultures }
        return proposals(value?.words ?? [])
    }

    private func proposals(_ words: [String]) -> [Proposal] {
        let kind = site.featureKind(attribute)
        return words.map { word in
            let feature = kind == .profileKind ? nil : kind.flatMap { FeatureTable.feature($0, word) }
            return Proposal(word, .value, feature: feature, text: written(word))
        }
    }

    /// The languages of the policy, then those that the service has texts in.
    private var cultures: [Proposal] {
        let texts = merged?.buildingBlocks.localization
        let own = (texts?.supportedLanguages?.languages ?? []) + (texts?.resources.compactMap(\.culture) ?? [])
        var seen: Set<String> = []
        return (own + ServiceLanguage.codes).filter { seen.insert($0.lowercased()).inserted }
            .map { Proposal($0, .value) }
    }

    // MARK: Values that neither the grammar nor a name says

    private var special: [Proposal]? {
        switch (site.name, attribute) {
        case ("OrchestrationStep", "Order"?): [Proposal(nextOrder, .value)]
        case ("ClaimsTransformation", "TransformationMethod"?): methods
        case (_, "TransformationClaimType"?):
            slots(site.parentName == "OutputClaims" ? \.outputClaims : \.inputClaims)
        case ("InputParameter", "Id"?): slots(\.parameters)
        case ("InputParameter", "DataType"?):
            parameter.flatMap { $0.types.isEmpty ? nil : proposals($0.types.map(\.rawValue)) }
        case ("InputParameter", "Value"?):
            parameter.map { $0.words.isEmpty && $0.types == [.boolean] ? ["true", "false"] : $0.words }
                .flatMap { $0.isEmpty ? nil : proposals($0) }
        // Every relying party has a profile of this name.
        case ("TechnicalProfile", "Id"?) where site.parentName == "RelyingParty": [Proposal("PolicyProfile", .value)]
        case ("Protocol", "Handler"?): handlers
        case ("Item", "Key"?) where site.parentName == "Metadata": keys(.metadata)
        case ("Key", "Id"?): keys(.cryptographicKey)
        case ("Item", nil) where site.parentName == "Metadata": metadataWords
        case ("LocalizedString", "ElementType"?), ("LocalizedCollection", "ElementType"?):
            proposals(FeatureTable.all.filter { $0.kind == .textKind }.map(\.name))
        case ("LocalizedString", "StringId"?):
            site.value("ElementType").flatMap { TextPackNames.stringIDs($0) }.map { proposals($0) }
        case ("PolicyId", nil) where site.parentName == "BasePolicy": policies
        case ("TenantId", nil) where site.parentName == "BasePolicy":
            outline.elements.indices.first.flatMap { outline.value($0, "TenantId") }.map { [Proposal($0, .value)] }
        default: nil
        }
    }

    /// One more than the step before has.
    private var nextOrder: String {
        let start = outline.elements[site.element].start
        let before = site.siblings.last { outline.elements[$0].start < start }
        let (next, overflow) = (before.flatMap { outline.value($0, "Order") }.flatMap { Int($0) } ?? 0)
            .addingReportingOverflow(1)
        return String(overflow ? 1 : next)
    }

    private var methods: [Proposal] {
        TransformationSignature.methods.map { method in
            Proposal(
                method, .value, documentation: TransformationSignature.of(method)?.markdown,
                feature: FeatureTable.feature(.transformation, method))
        }
    }

    private var signature: TransformationSignature? {
        site.ancestor("ClaimsTransformation").flatMap { outline.value($0, "TransformationMethod") }
            .flatMap { TransformationSignature.of($0) }
    }

    /// The names of a list of the transformation's method that its neighbors do not have yet.
    private func slots(_ list: KeyPath<TransformationSignature, TransformationSignature.List>) -> [Proposal] {
        guard let attribute, let slots = signature?[keyPath: list].slots else { return [] }
        let used = site.siblings.compactMap { outline.value($0, attribute) }
        return slots.filter { slot in !used.contains { sameID($0, slot.name) } }
            .map { slot in
                let type = slot.types.isEmpty ? nil : slot.typeNames
                return Proposal(slot.name, .value, detail: type, documentation: slot.text)
            }
    }

    /// The slot of the parameter that is written.
    private var parameter: TransformationSignature.Slot? {
        site.value("Id").flatMap { signature?.parameters.slot($0) }
    }

    private var handlers: [Proposal] {
        ProfileHandler.qualifiedNames.map { name in
            let kind = ProfileHandler.of(.proprietary, handler: name)?.tableName
            return Proposal(name, .value, feature: kind.flatMap { FeatureTable.feature(.profileKind, $0) })
        }
    }

    /// The keys of metadata or the cryptographic keys of the profile around, those of its own kind first, without those
    /// that it has.
    private func keys(_ kind: Feature.Kind) -> [Proposal] {
        let owner = site.featureOwner(profiles)
        let name = kind == .metadata ? "Key" : "Id"
        let used = site.siblings.compactMap { outline.value($0, name) }
        let features = FeatureTable.all.filter { feature in
            feature.kind == kind && !feature.name.hasSuffix("*") && !used.contains(feature.name)
        }
        let own: [Feature] = features.filter { $0.owner == owner }
        let isProfile = site.ancestor("TechnicalProfile") != nil && site.ancestor("RelyingParty") == nil
        let shared: [Feature] = isProfile ? features.filter { $0.owner == "any profile" } : []
        return (own + shared).map { Proposal($0.name, .key, feature: $0) }
    }

    private var metadataWords: [Proposal]? {
        guard let key = site.value("Key"), let handler = site.handler(profiles) else { return nil }
        let words = MetadataKeys.words(of: key, in: handler)
        return words.isEmpty ? nil : proposals(words)
    }

    /// The other policies of the workspace.
    private var policies: [Proposal] {
        let all = workspace.files.values.filter { $0.kind == .policy && $0.path != file.path }
        return all.compactMap { other in workspace.families.policyID(other.path).map { (id: $0, path: other.path) } }
            .sorted { ($0.id, $0.path) < ($1.id, $1.path) }.map { Proposal($0.id, .name, detail: $0.path) }
    }

    // MARK: Braces

    /// Claims resolvers and settings, braces included.
    func braced(snippets: Bool) -> [Proposal] {
        let settings = workspace.names(of: .setting, seenFrom: file.path).map { Proposal("{Settings:\($0)}", .value) }
        return FeatureTable.all.filter { $0.kind == .resolver }.map { feature in
            guard feature.name.hasSuffix("*") else { return Proposal("{\(feature.name)}", .value, feature: feature) }
            let stem = "{" + feature.name.dropLast()
            return Proposal(
                stem + "}", .value, feature: feature, text: snippets ? stem + "$1}" : nil, isSnippet: snippets)
        } + settings
    }
}
