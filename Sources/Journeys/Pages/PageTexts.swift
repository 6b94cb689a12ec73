import TrustFramework

/// The texts of one page in its language: the policy's localised resources, then what the policy says in its elements,
/// then a plain English text (Microsoft docs: localization; the order is inferred where the page says nothing).
struct PageTexts {
    let call: JourneyCall
    let language: String
    let resources: LocalizedResources?
    /// The resources are of a language that was asked for, not of the default language in its place.
    let isOwnLanguage: Bool

    init(_ contentDefinition: ContentDefinitionHandle?, _ call: JourneyCall) {
        self.call = call
        let wanted = Languages.wanted(call.request)
        let language = call.policy.language(wanted: wanted)
        self.language = language
        let base = Languages.base(language)
        let asked = wanted.isEmpty || wanted.contains { Languages.base($0) == base }
        self.isOwnLanguage =
            asked
            && contentDefinition.map {
                call.policy[$0].resources.contains { $0.language == language || Languages.base($0.language) == base }
            } ?? false
        let fillsIn = call.environment.switches.defaultLanguageFillsIn || isOwnLanguage
        self.resources =
            fillsIn ? contentDefinition.flatMap { call.policy.resources(of: $0, language: language) } : nil
    }

    /// A text of the page's own furniture.
    func furniture(_ id: String) -> String? { resources?.text("UxElement", nil, id) }

    func displayName(_ type: ClaimType) -> String {
        resources?.text("ClaimType", type.id, "DisplayName") ?? type.displayName
    }

    func help(_ type: ClaimType) -> String? {
        resources?.text("ClaimType", type.id, "UserHelpText") ?? type.userHelpText
    }

    func patternHelp(_ type: ClaimType) -> String? {
        resources?.text("ClaimType", type.id, "PatternHelpText") ?? type.pattern?.helpText
    }

    func help(_ predicate: Predicate) -> String {
        resources?.text("Predicate", predicate.id, "HelpText") ?? predicate.helpText ?? predicate.id
    }

    func help(_ group: PredicateGroup, of validation: PredicateValidation) -> String {
        resources?.text("PredicateValidation", validation.id, group.id) ?? group.userHelpText ?? ""
    }

    /// The choices of a claim, those of the language laid over the policy's own as the claim says. A language that
    /// was asked for in vain has the policy's own, not those of the default language.
    func options(_ type: ClaimType) -> [Element.EnumerationItem] {
        guard isOwnLanguage, let localized = resources?.items(ofClaim: type.id) else { return type.enumeration }
        switch type.restrictionMergeBehavior {
        case .append: return type.enumeration + localized
        case .prepend: return localized + type.enumeration
        case .replaceAll: return localized
        }
    }

    /// The label of a provider's button: localised under the exchange's id, else the profile's own name.
    func button(_ exchange: ClaimsExchangeID, _ profile: TechnicalProfile) -> String {
        resources?.text("ClaimsProvider", nil, exchange) ?? resources?.text("ClaimsProvider", exchange, nil)
            ?? profile.displayName ?? profile.providerName ?? profile.id
    }

    /// A message: localised, else in the metadata of the page's profile, else in that of the profile that failed, else
    /// the plain text. `{0}` and `{1}` are filled in.
    func message(_ key: String?, standard: String, page: ProfileHandle?, failed: ProfileHandle?, _ inserts: [String])
        -> String
    {
        var text = standard
        if let key {
            text =
                resources?.text("ErrorMessage", nil, key)
                ?? page.flatMap { call.policy[$0].metadata[key] }
                ?? failed.flatMap { call.policy[$0].metadata[key] }
                ?? standard
        }
        for (place, insert) in inserts.enumerated() {
            text = text.replacing("{\(place)}", with: insert)
        }
        return text
    }

    func message(_ failure: ProfileFailure, page: ProfileHandle?) -> String {
        message(
            failure.messageKey, standard: failure.message, page: page, failed: failure.profile,
            failure.messageKey == nil ? [] : failure.inserts)
    }

    /// `CONTENT`: all furniture texts of the page, and those of its display controls under `control_text`.
    var content: [(id: String, text: String)] { resources?.content ?? [] }
}

extension String {
    /// Every occurrence replaced, ordinal.
    func replacing(_ part: String, with other: String) -> String {
        guard !part.isEmpty else { return self }
        let source = Array(utf8)
        let wanted = Array(part.utf8)
        guard source.count >= wanted.count else { return self }
        let replacement = Array(other.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var place = 0
        while place < source.count {
            if place + wanted.count <= source.count, source[place..<(place + wanted.count)].elementsEqual(wanted) {
                result.append(contentsOf: replacement)
                place += wanted.count
            } else {
                result.append(source[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
