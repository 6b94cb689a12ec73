import TrustFramework

/// The texts of one page in its language: the policy's localised resources, then what the policy says in its elements,
/// then a plain English text (Microsoft docs: localization; the order is inferred where the page says nothing).
struct PageTexts {
    let call: JourneyCall
    let language: String
    let resources: LocalizedResources?
    /// Those of its parent languages (`es` for `es-mx`), for texts that it lacks.
    let parents: [LocalizedResources]
    /// The resources are of a language that was asked for, not of the default language in its place.
    let isOwnLanguage: Bool

    init(_ contentDefinition: ContentDefinitionHandle?, _ call: JourneyCall) {
        self.call = call
        let wanted = Languages.wanted(call.request)
        let language = Languages.chosen(call)
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
        self.parents = contentDefinition.map { call.policy.parentResources(of: $0, language: language) } ?? []
    }

    /// A text of the language, else of its parent languages.
    func text(_ elementType: String, _ elementID: String?, _ stringID: String?) -> String? {
        if let text = resources?.text(elementType, elementID, stringID) { return text }
        for parent in parents {
            if let text = parent.text(elementType, elementID, stringID) { return text }
        }
        return nil
    }

    /// A text of the page's own furniture.
    func furniture(_ id: String) -> String? { text("UxElement", nil, id) }

    func displayName(_ type: ClaimType) -> String {
        text("ClaimType", type.id, "DisplayName") ?? type.displayName
    }

    func help(_ type: ClaimType) -> String? {
        text("ClaimType", type.id, "UserHelpText") ?? type.userHelpText
    }

    func patternHelp(_ type: ClaimType) -> String? {
        text("ClaimType", type.id, "PatternHelpText") ?? type.pattern?.helpText
    }

    func help(_ predicate: Predicate) -> String {
        text("Predicate", predicate.id, "HelpText") ?? predicate.helpText ?? predicate.id
    }

    func help(_ group: PredicateGroup, of validation: PredicateValidation) -> String {
        // Older policies and documents write `InputValidation`, for both kinds of validation.
        text("PredicateValidation", validation.id, group.id) ?? text("InputValidation", validation.id, group.id)
            ?? group.userHelpText ?? ""
    }

    /// The choices of a claim, those of the language laid over the policy's own as the claim says. A language that
    /// was asked for in vain has the policy's own, not those of the default language.
    func options(_ type: ClaimType) -> [EnumerationItemElement] {
        guard isOwnLanguage, let localized = resources?.items(ofClaim: type.id) else { return type.enumeration }
        switch type.restrictionMergeBehavior {
        case .append: return type.enumeration + localized
        case .prepend: return localized + type.enumeration
        case .replaceAll: return localized
        }
    }

    /// The label of a provider's button: localised under the exchange's id, else the profile's own name.
    func button(_ exchange: ClaimsExchangeID, _ profile: TechnicalProfile) -> String {
        text("ClaimsProvider", nil, exchange) ?? text("ClaimsProvider", exchange, nil)
            ?? profile.displayName ?? profile.providerName ?? profile.id
    }

    /// A message: localised, else in the metadata of the page's profile, else in that of the profile that failed, else
    /// the plain text. `{0}` and `{1}` are filled in.
    func message(
        _ key: String?, or other: String? = nil, standard: String, page: ProfileHandle?, failed: ProfileHandle?,
        _ inserts: [String]
    ) -> String {
        let text =
            key.flatMap { message($0, page, failed) } ?? other.flatMap { message($0, page, failed) } ?? standard
        return text.filling(inserts)
    }

    private func message(_ key: String, _ page: ProfileHandle?, _ failed: ProfileHandle?) -> String? {
        text("ErrorMessage", nil, key) ?? page.flatMap { call.policy[$0].metadata[key] }
            ?? failed.flatMap { call.policy[$0].metadata[key] }
    }

    func message(_ failure: ProfileFailure, page: ProfileHandle?) -> String {
        if let key = failure.messageKey, let other = failure.otherKey, let inserts = failure.otherInserts,
            message(key, page, failure.profile) == nil
        {
            return message(
                other, standard: failure.message, page: page, failed: failure.profile, inserts)
        }
        return message(
            failure.messageKey, or: failure.otherKey, standard: failure.message, page: page, failed: failure.profile,
            failure.messageInserts ?? (failure.messageKey == nil ? [] : failure.inserts))
    }

    /// `CONTENT`: all furniture texts of the page, and those of its display controls under `control_text`.
    var content: [(id: String, text: String)] {
        guard !parents.isEmpty else { return resources?.content ?? [] }
        var content = resources?.content ?? []
        var known = Set(content.map(\.id))
        for text in parents.flatMap(\.content) where known.insert(text.id).inserted { content.append(text) }
        return content
    }
}

extension String {
    /// `{0}`, `{1}` ... replaced by the values of those places.
    func filling(_ inserts: [String]) -> String {
        var text = self
        for (place, insert) in inserts.enumerated() { text = text.replacing("{\(place)}", with: insert) }
        return text
    }

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
