import Diagnostics
import HTTPMessages
import Journeys
import TrustFramework

/// What one policy file says that the service takes and that is wrong, insecure, or left over.
struct PolicyHygiene: PolicyRuleCheck {
    private let policy: PolicyDocument
    var findings: [Finding] = []

    init(_ policy: PolicyDocument) {
        self.policy = policy
        identity()
        for journey in policy.allJourneys { check(journey) }
        for profile in policy.technicalProfiles { check(profile) }
        for type in policy.buildingBlocks.claimTypes {
            guard let pattern = type.restriction?.pattern else { continue }
            check(
                pattern: pattern.regularExpression, "the pattern of \(type.id)",
                remedy: "Correct it; patterns are those of .NET.", at: pattern.location)
        }
        for definition in policy.buildingBlocks.contentDefinitions { check(definition) }
        if let behaviors = policy.relyingParty?.behaviors { check(behaviors) }
    }

    // MARK: The file

    private mutating func identity() {
        if !policy.policyID.uppercased().hasPrefix("B2C_1A_") {
            report(
                "B2C-POL-005", "the PolicyId \"\(policy.policyID)\" does not begin with B2C_1A_",
                remedy: "Write B2C_1A_\(policy.policyID).", at: policy.place(of: "PolicyId"),
                corrected: "B2C_1A_\(policy.policyID)")
        }
        if let tenant = policy.tenantID, let uri = policy.publicPolicyURI {
            let wanted = "http://\(tenant)/\(policy.policyID)"
            if !sameID(uri, wanted) {
                report(
                    "B2C-POL-008", "PublicPolicyUri is \"\(uri)\"", remedy: "Write \(wanted).",
                    at: policy.place(of: "PublicPolicyUri"), corrected: wanted)
            }
        }
        if policy.deploymentMode == .development {
            report(
                "B2C-POL-077", "DeploymentMode is Development", remedy: "Take it out, or write Production.",
                at: policy.place(of: "DeploymentMode"))
        }
        if policy.journeyRecorderEndpoint != nil {
            report(
                "B2C-POL-078", "UserJourneyRecorderEndpoint is set", remedy: "Take it out before production.",
                at: policy.place(of: "UserJourneyRecorderEndpoint"))
        }
        if policy.basePolicy == nil, policy.relyingParty != nil, policy.technicalProfiles.isEmpty {
            report(
                "B2C-POL-096", "the policy has a relying party and no BasePolicy, so it inherits nothing",
                remedy: "Add <BasePolicy> with the tenant and the id of the base.", at: policy.location)
        }
    }

    // MARK: Journeys

    private mutating func check(_ journey: JourneyElement) {
        let steps = journey.steps.sorted { $0.order < $1.order }
        for condition in steps.flatMap(\.preconditions) {
            if condition.type == .claimsExist, condition.values.count > 1 {
                report(
                    "B2C-POL-035", "a ClaimsExist precondition has \(condition.values.count) values; it takes one",
                    remedy: "Write a precondition for each claim, or ClaimEquals for a value.", at: condition.location)
            }
            if let action = condition.actions.firstIndex(of: .skipValidationProfile) {
                let places = condition.actionLocations
                report(
                    "B2C-POL-035", "a step cannot skip a validation technical profile",
                    remedy: "Write SkipThisOrchestrationStep.",
                    at: places.indices.contains(action) ? places[action] : condition.location)
            }
        }
        for (step, next) in zip(journey.steps, journey.steps.dropFirst()) where next.order < step.order {
            report(
                "B2C-POL-030", "step \(next.order) is written after step \(step.order)",
                remedy: "Put the steps into the order of their numbers.", at: next.location)
        }
        if let end = steps.firstIndex(where: { $0.type == .sendClaims && $0.preconditions.isEmpty }),
            end + 1 < steps.count
        {
            report(
                "B2C-POL-034", "step \(steps[end + 1].order) comes after the step that sends the claims",
                remedy: "Nothing after it runs: move it before.", at: steps[end + 1].location)
        }
    }

    /// Values that a template leaves to be filled in, as one finding for all files of a folder: who has just unpacked the
    /// starter pack knows that there are some, and needs their places.
    static func placeholders(_ policies: [PolicyDocument]) -> Finding? {
        let apps = ["ProxyIdentityExperienceFrameworkAppId", "IdentityExperienceFrameworkAppId"]
        var found: [(text: String, location: SourceLocation?)] = []
        for policy in policies {
            if let tenant = policy.tenantID, TenantPlaceholder.isOne(tenant) {
                found.append((tenant, policy.place(of: "TenantId")))
            }
            for profile in policy.technicalProfiles {
                found += profile.metadata.map { ($0.value, $0.location) }.filter { isToFill($0.0) }
                found += profile.inputClaims.map { ($0.defaultValue ?? "", $0.location) }.filter { isToFill($0.0) }
            }
        }
        func isToFill(_ text: String) -> Bool { apps.contains(text) || text.uppercased().hasPrefix("INSERT ") }
        guard let first = found.first else { return nil }
        var texts: [String] = []
        for (text, _) in found where !texts.contains(text) { texts.append(text) }
        let isTenant = TenantPlaceholder.isOne(first.text)
        guard found.count > 1 else {
            return Finding(
                "B2C-POL-012", isTenant ? "the tenant is \"\(first.text)\"" : "\"\(first.text)\" is to be filled in",
                remedy: isTenant ? "Write your own tenant's name." : "Write the id that it stands for.",
                at: first.location)
        }
        let places = Dictionary(grouping: found.compactMap(\.location), by: \.file).sorted { $0.key < $1.key }
            .map { "\($0.key):\($0.value.compactMap(\.line).map(String.init).joined(separator: ","))" }
        return Finding(
            "B2C-POL-012",
            "\(texts.map { "\"\($0)\"" }.joined(separator: ", ")) \(texts.count == 1 ? "is" : "are") to be filled in, "
                + "at \(found.count) places",
            remedy: "Write your own tenant's name and the ids that they stand for: \(places.joined(separator: ", ")).",
            at: first.location)
    }

    // MARK: Technical profiles

    private mutating func check(_ profile: TechnicalProfileElement) {
        for item in profile.metadata { metadata(item, profile) }
        let handler = profile.protocol?.handler?.lowercased() ?? ""
        if let element = profile.protocol, element.name == .proprietary, handler.isEmpty {
            report(
                "B2C-POL-054", "the protocol of \(profile.id) is Proprietary and names no Handler",
                remedy: "Add the Handler attribute.", at: element.location)
        }
        if handler.contains("restfulprovider") { rest(profile) }
        for claim in profile.outputClaims + profile.inputClaims + profile.persistedClaims {
            if let value = claim.defaultValue, Self.looksSecret(value, named: claim.claim) {
                report(
                    "B2C-POL-083", "the default of \(claim.claim) looks like a secret",
                    remedy: "Put it into a policy key.", at: claim.location)
            }
        }
        doubled(profile.inputClaims, "InputClaims")
        doubled(profile.outputClaims, "OutputClaims")
        doubled(profile.persistedClaims, "PersistedClaims")
    }

    private mutating func doubled(_ claims: [ClaimReferenceElement], _ list: String) {
        var seen: Set<[String?]> = []
        for claim in claims where !seen.insert([claim.claim.asciiLowercased, claim.partnerClaimType]).inserted {
            report(
                "B2C-POL-019", "\(claim.claim) occurs twice in \(list)", remedy: "Take one of them out.",
                at: claim.location)
        }
    }

    private mutating func metadata(_ item: MetadataItem, _ profile: TechnicalProfileElement) {
        let key = item.key.lowercased()
        let value = item.value.lowercased()
        switch key {
        case "allowinsecureauthinproduction" where value == "true":
            report(
                "B2C-POL-079", "\(profile.id) calls its service without authentication in production",
                remedy: "Use Basic, Bearer or ClientCertificate.", at: item.location)
        case "debugmode" where value == "true":
            report(
                "B2C-POL-080", "\(profile.id) shows the service's answers to the person", remedy: "Write false.",
                at: item.location, corrected: "false")
        case "enforceemailverification" where value == "false":
            report(
                "B2C-POL-081", "\(profile.id) takes any e-mail address unverified", remedy: "Take it out.",
                at: item.location)
        case "developermode" where value == "true": developerMode(item)
        case "instrumentationkey":
            if let key = Self.connectionKey(item.value) { connectionString(key, item.location) }
        case "client_secret":
            report(
                "B2C-POL-083", "metadata contains a client secret", remedy: "Put it into CryptographicKeys.",
                at: item.location)
        case "serviceurl", "accesstokenendpoint", "authorization_endpoint", "metadata", "claimsendpoint":
            guard Self.isPlainHTTP(value) else { return }
            report(
                "B2C-POL-075", "\(item.key) is not https", remedy: "Use https.", at: item.location,
                corrected: "https" + item.value.dropFirst(4))
        default: break
        }
    }

    /// Keys of REST profiles with the words that documents name.
    static let restWords: [(key: String, words: [String])] = [
        ("AuthenticationType", ["None", "Basic", "Bearer", "ClientCertificate", "ApiKeyHeader"]),
        ("SendClaimsIn", ["Body", "Form", "Header", "Url", "QueryString"]),
    ]

    private mutating func rest(_ profile: TechnicalProfileElement) {
        func item(_ key: String) -> MetadataItem? { profile.metadata.first { $0.key == key } }
        for (key, words) in Self.restWords {
            guard let found = item(key), !words.contains(where: { sameID($0, found.value) }),
                !found.value.contains("{")
            else { continue }
            let near = nearestName(found.value, among: words)
            // The service may know more words than its documents.
            report(
                "B2C-POL-063", "\(key) is \"\(found.value)\"", remedy: didYouMean(near) ?? "It is \(namesList(words)).",
                at: found.location, severity: near == nil ? .warning : nil, corrected: near)
        }
    }

    /// A long text of mixed characters, if a claim of that name does not normally hold one.
    private static func looksSecret(_ value: String, named name: String) -> Bool {
        let lower = name.lowercased()
        // A word of small letters is an example, no key.
        let isWord = value.allSatisfy { $0.isLowercase || $0 == " " }
        if lower.contains("secret") || lower == "client_assertion", !value.contains("{"), value.utf8.count >= 8, !isWord
        {
            return true
        }
        let bytes = Array(value.utf8)
        guard bytes.count >= 24, !value.contains("{"), !value.contains(" "), !value.contains("://"),
            !RedirectURIs.isGUID(value)
        else { return false }
        let digits = bytes.count { (48...57).contains($0) }
        let upper = bytes.count { (65...90).contains($0) }
        let small = bytes.count { (97...122).contains($0) }
        let marks = bytes.count - digits - upper - small
        guard digits > 2, upper > 2, small > 2, marks <= bytes.count / 4 else { return false }
        return Set(bytes).count >= 14
    }

    // MARK: Pages, relying party

    private mutating func check(_ definition: ContentDefinitionElement) {
        if let uri = definition.dataURI, uri.lowercased().hasPrefix("urn:"), !uri.lowercased().contains(":contract:") {
            report(
                "B2C-POL-073", "the page of \(definition.id) is the one of the year 2017: \"\(uri)\"",
                remedy: "Use urn:com:microsoft:aad:b2c:elements:contract:NAME:VERSION.",
                at: definition.dataURILocation ?? definition.location)
        }
        if let uri = definition.loadURI, Self.isPlainHTTP(uri) {
            report(
                "B2C-POL-075", "the template of \(definition.id) is not https", remedy: "Use https.",
                at: definition.loadURILocation ?? definition.location, corrected: "https" + uri.dropFirst(4))
        }
    }

    private static func isPlainHTTP(_ uri: String) -> Bool {
        uri.lowercased().hasPrefix("http://") && !uri.lowercased().hasPrefix("http://localhost")
    }

    private mutating func check(_ behaviors: UserJourneyBehaviorsElement) {
        if let seconds = behaviors.sessionExpiryInSeconds, !(900...86_400).contains(seconds) {
            report(
                "B2C-POL-071", "SessionExpiryInSeconds is \(seconds)", remedy: "It goes from 900 to 86400.",
                at: behaviors.location)
        }
        if let days = behaviors.keepAliveInDays, !(0...90).contains(days) {
            report("B2C-POL-071", "KeepAliveInDays is \(days)", remedy: "It goes from 0 to 90.", at: behaviors.location)
        }
        if behaviors.scriptExecution == .allow {
            report(
                "B2C-POL-082", "scripts of page templates run", remedy: "Leave it out unless a template needs it.",
                at: behaviors.location)
        }
        if let framing = behaviors.journeyFraming, framing.enabled,
            framing.sources.contains(where: { $0.contains("*") })
        {
            report("B2C-POL-082", "any site may frame the pages", remedy: "Name the sites.", at: framing.location)
        }
        for item in behaviors.inert { insights(item) }
    }

    /// `JourneyInsights` and the element before it, `AzureApplicationInsights`, which are read as text alone.
    private mutating func insights(_ item: MetadataItem) {
        var attributes: [String: String] = [:]
        for match in item.value.matches(of: /\s([A-Za-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/) {
            attributes[String(match.1)] = String(match.2 ?? match.3 ?? "")
        }
        if let mode = attributes["DeveloperMode"], ["true", "1"].contains(mode.lowercased()) {
            if policy.deploymentMode == .production {
                report(
                    "B2C-POL-100", "DeveloperMode is true and DeploymentMode is Production",
                    remedy: "Write DeveloperMode=\"false\", or DeploymentMode=\"Development\" to record journeys.",
                    at: item.location)
            } else {
                developerMode(item)
            }
        }
        if let key = attributes["InstrumentationKey"] {
            if let inner = Self.connectionKey(key) {
                connectionString(inner, item.location)
            } else if !RedirectURIs.isGUID(key), !isFilledLater(key) {
                let isPlaceholder = key.lowercased().contains("your") || !key.contains("-")
                report(
                    isPlaceholder ? "B2C-POL-012" : "B2C-POL-003",
                    "InstrumentationKey is \"\(key)\", which is not a GUID", remedy: "Take it from the Azure portal.",
                    at: item.location)
            }
        }
        guard item.key == "JourneyInsights" else { return }
        if attributes["InstrumentationKey"] == nil {
            let connection = attributes["ConnectionString"]
            report(
                "B2C-POL-099",
                connection == nil
                    ? "JourneyInsights has no InstrumentationKey"
                    : "JourneyInsights has a ConnectionString and no InstrumentationKey",
                remedy: (connection.flatMap(Self.connectionKey).flatMap { $0 }).map {
                    "Write InstrumentationKey=\"\($0)\"."
                }
                    ?? "Write the instrumentation key of the Application Insights resource, a GUID.", at: item.location)
        }
        if let engine = attributes["TelemetryEngine"], engine != "ApplicationInsights", !isFilledLater(engine) {
            report(
                "B2C-POL-099", "TelemetryEngine is \"\(engine)\"", remedy: "Write ApplicationInsights.",
                at: item.location)
        }
    }

    private mutating func developerMode(_ item: MetadataItem) {
        report("B2C-POL-078", "DeveloperMode is on", remedy: "Write false before production.", at: item.location)
    }

    private mutating func connectionString(_ key: String?, _ location: SourceLocation) {
        report(
            "B2C-POL-099", "InstrumentationKey contains a connection string",
            remedy: key.map { "Write only its key: \($0)." } ?? "Write only the instrumentation key, a GUID.",
            at: location)
    }

    /// The instrumentation key in a connection string of Application Insights, `InstrumentationKey=GUID;IngestionEndpoint=...`.
    ///
    /// - Returns: `nil` if the text is not a connection string; an inner `nil` if that has no key.
    private static func connectionKey(_ text: String) -> String?? {
        let names = ["instrumentationkey", "ingestionendpoint", "liveendpoint", "applicationid", "endpointsuffix"]
        var key: String?
        var isConnection = false
        for part in text.split(separator: ";") {
            guard let sign = part.firstIndex(of: "=") else { continue }
            let name = part[..<sign].lowercased().filter { !$0.isWhitespace }
            guard names.contains(name) else { continue }
            isConnection = true
            let value = part[part.index(after: sign)...].filter { !$0.isWhitespace }
            if name == "instrumentationkey", RedirectURIs.isGUID(value) { key = value }
        }
        return isConnection ? .some(key) : nil
    }
}
