import JSON
import ScenarioRunner
import TrustFramework

/// What runs of two states of a policy came to. It decides which of the elements that differ were compared.
struct ComparedRuns {
    /// Ids in lower case.
    private(set) var profiles: Set<String> = []
    private(set) var transformations: Set<String> = []
    private(set) var contentDefinitions: Set<String> = []
    /// Ids of fields of pages.
    private(set) var fields: Set<String> = []
    /// Steps of journeys that ran or were skipped: `signuporsignin 3`.
    private(set) var steps: Set<String> = []
    /// Texts that people or apps were shown.
    private var texts: Set<String> = []
    /// Whether a path ended in a token, so that what follows a sign-in was tried.
    var hasToken = false
    /// Claims of which values on both sides of their limits were typed.
    var typed: Set<String> = []
    /// Whether every language of both policies was asked for.
    var hasLanguages = false
    /// Metadata keys of limits that were tried, in lower case.
    var limits: Set<String> = []
    /// Whether every domain of a claims provider was asked for.
    var hasDomains = false

    mutating func take(_ report: ScenarioReport) {
        for outcome in report.steps.compactMap(\.outcome) {
            for entry in outcome["trace"]?.arrayValue ?? [] {
                if let id = entry["transformation"]?.stringValue {
                    transformations.insert(id.lowercased())
                }
                if let id = entry["profile"]?.stringValue { profiles.insert(id.lowercased()) }
                if let journey = entry["journey"]?.stringValue, let step = entry["step"]?.intValue {
                    steps.insert("\(journey) \(step)".lowercased())
                }
            }
            for page in outcome["pages"]?.arrayValue ?? [] {
                if let id = page["technicalProfile"]?.stringValue { profiles.insert(id.lowercased()) }
                if let id = page["contentDefinition"]?.stringValue { contentDefinitions.insert(id.lowercased()) }
                for id in page["fields"]?.objectValue?.keys ?? [] { fields.insert(id.lowercased()) }
            }
            for member in ["pages", "messages", "error", "pending"] { read(outcome[member]) }
        }
    }

    private mutating func read(_ value: JSONValue?) {
        switch value {
        case .string(let text)?: texts.insert(text)
        case .array(let values)?: for value in values { read(value) }
        case .object(let object)?: for (_, value) in object.members { read(value) }
        default: break
        }
    }

    /// Whether somebody was shown a text, what is filled into it aside.
    func shows(_ text: String) -> Bool {
        let parts = text.split(separator: /\{[^}]*\}/).map { String($0) }
        guard let longest = parts.max(by: { $0.count < $1.count }), !longest.isEmpty else { return false }
        return texts.contains { $0.contains(longest) }
    }
}

/// An element that differs between two states of a policy and that no run can have shown.
struct NotCompared {
    var path: [String]
    var reason: String
}

/// Decides which differences the runs can have shown.
struct ComparedElements {
    let old: ResolvedPolicy
    let new: ResolvedPolicy
    let runs: ComparedRuns

    func notCompared(_ differences: [PolicyDifference]) -> [NotCompared] {
        differences.compactMap { difference in
            guard difference.isReached, let reason = reason(difference) else { return nil }
            return NotCompared(path: difference.path, reason: reason)
        }
    }

    /// Why a difference was not compared; `nil` where it was, or where nobody can notice it.
    private func reason(_ difference: PolicyDifference) -> String? {
        let path = difference.path
        guard let (kind, id, place) = top(path) else { return ofPolicy(path) }
        let inner = Array(path[(place + 1)...])
        switch kind {
        case "TechnicalProfile": return ofProfile(id, inner, difference)
        case "ClaimType": return ofClaim(id, inner, difference)
        case "ClaimsTransformation":
            return runs.transformations.contains(id) ? nil : "no path runs it"
        case "ContentDefinition":
            guard runs.contentDefinitions.contains(id) else { return "no path shows its page" }
            return inner.first == "RecoveryUri" ? "no path fails to load the page" : nil
        case "DisplayControl":
            return isShown(control: id) ? nil : "no path shows it"
        case "UserJourney", "SubJourney":
            guard let title = inner.first(where: { $0.hasPrefix("OrchestrationStep ") }) else { return nil }
            let step = "\(id) \(title.dropFirst("OrchestrationStep ".count))".lowercased()
            return runs.steps.contains(step) ? nil : "no path comes to it"
        case "Predicate", "PredicateValidation", "InputValidation":
            if Self.isHelp(path) { return ofText(difference) }
            let asking = claims(using: kind, id).filter { !LimitValues.isAlike($0, old, new) }
            return asking.isSubset(of: runs.typed) ? nil : "no path asks for a claim that it restricts"
        case "LocalizedResources":
            if difference.isElement, inner.isEmpty {
                return runs.hasLanguages ? nil : "no path asks for its language"
            }
            return ofText(difference)
        default: return nil
        }
    }

    private func top(_ path: [String]) -> (kind: String, id: String, place: Int)? {
        let kinds: Set<String> = [
            "ClaimType", "ClaimsTransformation", "ContentDefinition", "DisplayControl", "TechnicalProfile",
            "UserJourney", "SubJourney", "Predicate", "PredicateValidation", "LocalizedResources", "InputValidation",
        ]
        for (place, title) in path.enumerated() {
            let words = title.split(separator: " ", maxSplits: 1)
            if words.count == 2, kinds.contains(String(words[0])) {
                return (String(words[0]), words[1].lowercased(), place)
            }
        }
        return nil
    }

    // MARK: Parts

    /// Of what is in no building block, technical profile or journey: claims providers, the relying party, attributes.
    private func ofPolicy(_ path: [String]) -> String? {
        let words = path.map { $0.split(separator: " ").first.map(String.init) ?? $0 }
        if words.contains("ClaimsProvider") {
            return words.last?.hasPrefix("Domain") == true && !runs.hasDomains
                ? "no path comes with a domain_hint" : nil
        }
        if words.contains(where: { $0.hasPrefix("Localization") || $0.hasPrefix("SupportedLanguage") }) {
            return runs.hasLanguages ? nil : "no path asks for another language"
        }
        for (place, word) in words.enumerated() {
            switch word {
            case "DeploymentMode", "UserJourneyRecorderEndpoint", "JourneyInsights":
                return "what developers see of a journey"
            case "JourneyFraming": return "pages in frames of other sites"
            case "ScriptExecution": return "scripts of page templates"
            case "ContentDefinitionParameters", "Parameter": return "parameters of the address of a page template"
            case "Endpoint" where !sameID(path[place], "Endpoint Token"): return "only the token endpoint is asked"
            case "Endpoint", "SingleSignOn", "SessionExpiryType", "SessionExpiryInSeconds", "OutputClaim",
                "SubjectNamingInfo":
                return runs.hasToken ? nil : "no path ends in a token with both policies"
            default: continue
            }
        }
        return nil
    }

    private func ofProfile(_ id: String, _ inner: [String], _ difference: PolicyDifference) -> String? {
        let isOfRelyingParty = old.profile(id) == nil && new.profile(id) == nil
        guard isOfRelyingParty ? runs.hasToken : isRun(profile: id) else { return "no path runs it" }
        let profiles = [old, new].compactMap { policy in policy.profile(id).map { policy[$0] } }
        if inner.first?.hasPrefix("Key ") == true || inner.contains(where: { $0.hasPrefix("Key ") }) {
            let isIssuer = profiles.contains { $0.handler == .jwtIssuer }
            return isIssuer && runs.hasToken ? nil : "keys and secrets of services"
        }
        if profiles.contains(where: { $0.handler == .applicationInsights }) {
            return "what developers see of a journey"
        }
        guard let item = inner.first(where: { $0.hasPrefix("Item ") }) else { return nil }
        let key = item.dropFirst("Item ".count).split(separator: " ").first.map(String.init) ?? ""
        if PolicyReplay.codeLimits.contains(where: { sameID($0.key, key) }) {
            return runs.limits.contains(key.lowercased()) ? nil : "no path types a code or password as often or as late"
        }
        if key.lowercased().hasPrefix("usermessage") || key.lowercased().hasPrefix("language.") {
            return ofText(difference)
        }
        for profile in profiles {
            guard let feature = FeatureTable.metadata(key, of: profile.handler.tableName) else { continue }
            switch feature.extent {
            case .inert(let why) where Self.matters(key): return "no effect here: \(why)"
            case .refused(let why): return "not simulated: \(why)"
            default: break
            }
        }
        return nil
    }

    /// Whether somebody may notice a metadata item that has no effect here. Names and kinds of formats nobody sees.
    private static func matters(_ key: String) -> Bool {
        let silent = ["providername", "displayname", "client_id", "language.intro"]
        return !silent.contains(key.lowercased())
    }

    private func ofClaim(_ id: String, _ inner: [String], _ difference: PolicyDifference) -> String? {
        let isOfPages = inner.contains { part in
            ["DisplayName", "UserHelpText", "UserInputType", "Restriction", "PredicateValidationReference", "Mask"]
                .contains { part.hasPrefix($0) }
        }
        guard isOfPages else { return nil }
        if runs.fields.contains(id) {
            let isRule = inner.contains { $0.hasPrefix("Pattern") || $0.hasPrefix("PredicateValidationReference") }
            guard isRule else { return nil }
            if Self.isHelp(inner) { return ofText(difference) }
            return runs.typed.contains(id) || LimitValues.isAlike(id, old, new) ? nil : "no path types it"
        }
        let isAsked = [old, new].contains { policy in
            policy.claimType(id).map { handle in
                policy[handle].userInputType != nil
                    && pages(policy).contains { profile in
                        profile.outputClaims.contains { $0.claim == handle } || shows(profile, handle)
                    }
            } ?? false
        }
        return isAsked ? "no path shows a page that asks for it" : nil
    }

    private func pages(_ policy: ResolvedPolicy) -> [TechnicalProfile] {
        policy.profiles.filter { $0.handler == .selfAsserted }
    }

    private func shows(_ profile: TechnicalProfile, _ claim: ClaimTypeHandle) -> Bool {
        profile.displayClaims.contains { if case .claim(let own) = $0.target { own == claim } else { false } }
    }

    /// Of a text: whether somebody was shown the old or the new one.
    private func ofText(_ difference: PolicyDifference) -> String? {
        let texts = [difference.old, difference.new].compactMap(\.self).map { Self.plain($0) }
        return texts.contains { runs.shows($0) } ? nil : "no path shows this text"
    }

    private static func isHelp(_ path: [String]) -> Bool {
        path.last.map { $0.hasPrefix("HelpText") || $0.hasPrefix("UserHelpText") } ?? false
    }

    // MARK: What ran

    /// Whether a technical profile ran, or one that includes it, or what it stands for was tried after a sign-in.
    private func isRun(profile id: String) -> Bool {
        if runs.profiles.contains(id) { return true }
        for policy in [old, new] {
            if let handle = policy.profile(id) {
                let profile = policy[handle]
                if profile.handler == .jwtIssuer || Self.managesSessions(profile) { return runs.hasToken }
            }
            let including = policy.document.technicalProfiles.filter { other in
                other.includes.map { sameID($0.id, id) } ?? false
            }
            if including.contains(where: { !sameID($0.id, id) && isRun(profile: $0.id.lowercased()) }) { return true }
        }
        return false
    }

    private static func managesSessions(_ profile: TechnicalProfile) -> Bool {
        profile.handler.tableName.hasSuffix("SSOSessionProvider")
    }

    private func isShown(control id: String) -> Bool {
        if runs.fields.contains(id) { return true }
        return [old, new].contains { policy in
            policy.displayControl(id).map { handle in
                policy[handle].displayClaims.contains { runs.fields.contains(policy[$0.claim].id.lowercased()) }
            } ?? false
        }
    }

    /// Ids of claims that a predicate or a predicate validation restricts, in lower case.
    private func claims(using kind: String, _ id: String) -> Set<String> {
        var found: Set<String> = []
        for policy in [old, new] {
            for type in policy.claimTypes {
                guard let validation = type.validation.map({ policy[$0] }) else { continue }
                let isUsed =
                    kind == "Predicate"
                    ? validation.groups.contains { $0.predicates.contains { sameID(policy[$0].id, id) } }
                    : sameID(validation.id, id)
                if isUsed { found.insert(type.id.lowercased()) }
            }
        }
        return found
    }

    /// The text of an element.
    private static func plain(_ text: String) -> String {
        guard text.hasPrefix("<") else { return text }
        return text.replacing(/<[^>]*>/, with: "").split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
