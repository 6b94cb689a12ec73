import Diagnostics
import HTTPMessages
import Journeys
import TrustFramework

/// What one policy file says that the service takes and that is wrong, insecure, or left over.
enum PolicyHygiene {
    static func findings(_ policy: PolicyDocument) -> [Finding] {
        identity(policy) + journeys(policy) + policy.technicalProfiles.flatMap { profile($0, policy) } + claims(policy)
            + pages(policy) + party(policy)
    }

    private static func find(
        _ rule: String, _ message: String, remedy: String? = nil, at location: SourceLocation?,
        severity: Severity? = nil, corrected: String? = nil
    ) -> Finding {
        Finding(rule, message, remedy: remedy, at: location, severity: severity, corrected: corrected)
    }

    // MARK: The file

    private static func identity(_ policy: PolicyDocument) -> [Finding] {
        var all: [Finding] = []
        if !policy.policyID.uppercased().hasPrefix("B2C_1A_") {
            all.append(
                find(
                    "B2C-POL-005", "the PolicyId \"\(policy.policyID)\" does not begin with B2C_1A_",
                    remedy: "Write B2C_1A_\(policy.policyID).", at: policy.place(of: "PolicyId"),
                    corrected: "B2C_1A_\(policy.policyID)"))
        }
        if let tenant = policy.tenantID, let uri = policy.publicPolicyURI {
            let wanted = "http://\(tenant)/\(policy.policyID)"
            if !sameID(uri, wanted) {
                all.append(
                    find(
                        "B2C-POL-008", "PublicPolicyUri is \"\(uri)\"", remedy: "Write \(wanted).",
                        at: policy.place(of: "PublicPolicyUri"), corrected: wanted))
            }
        }
        if policy.deploymentMode == .development {
            all.append(
                find(
                    "B2C-POL-077", "DeploymentMode is Development", remedy: "Take it out, or write Production.",
                    at: policy.place(of: "DeploymentMode")))
        }
        if policy.journeyRecorderEndpoint != nil {
            all.append(
                find(
                    "B2C-POL-078", "UserJourneyRecorderEndpoint is set", remedy: "Take it out before production.",
                    at: policy.place(of: "UserJourneyRecorderEndpoint")))
        }
        if policy.basePolicy == nil, policy.relyingParty != nil, policy.technicalProfiles.isEmpty {
            all.append(
                find(
                    "B2C-POL-096", "the policy has a relying party and no BasePolicy, so it inherits nothing",
                    remedy: "Add <BasePolicy> with the tenant and the id of the base.", at: policy.location))
        }
        return all
    }

    // MARK: Journeys

    private static func journeys(_ policy: PolicyDocument) -> [Finding] {
        var all: [Finding] = []
        for journey in policy.userJourneys + policy.subJourneys {
            let steps = journey.steps.sorted { $0.order < $1.order }
            for step in steps {
                for condition in step.preconditions where condition.type == .claimsExist && condition.values.count > 1 {
                    all.append(
                        find(
                            "B2C-POL-035",
                            "a ClaimsExist precondition has \(condition.values.count) values; it takes one",
                            remedy: "Write a precondition for each claim, or ClaimEquals for a value.",
                            at: condition.location))
                }
                for condition in step.preconditions where condition.actions.contains(.skipValidationProfile) {
                    all.append(
                        find(
                            "B2C-POL-035", "a step cannot skip a validation technical profile",
                            remedy: "Write SkipThisOrchestrationStep.",
                            at: zip(condition.actions, condition.actionLocations)
                                .first { $0.0 == .skipValidationProfile }?.1 ?? condition.location))
                }
            }
            for (step, next) in zip(journey.steps, journey.steps.dropFirst()) where next.order < step.order {
                all.append(
                    find(
                        "B2C-POL-030", "step \(next.order) is written after step \(step.order)",
                        remedy: "Put the steps into the order of their numbers.", at: next.location))
            }
            if let end = steps.firstIndex(where: { $0.type == .sendClaims && $0.preconditions.isEmpty }),
                end + 1 < steps.count
            {
                all.append(
                    find(
                        "B2C-POL-034", "step \(steps[end + 1].order) comes after the step that sends the claims",
                        remedy: "Nothing after it runs: move it before.", at: steps[end + 1].location))
            }
        }
        return all
    }

    /// Values that a template leaves to be filled in, as one finding for all files of a folder: who has just unpacked the
    /// starter pack knows that there are some, and needs their places.
    static func placeholders(_ policies: [PolicyDocument]) -> [Finding] {
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
        guard let first = found.first else { return [] }
        var texts: [String] = []
        for (text, _) in found where !texts.contains(text) { texts.append(text) }
        let isTenant = TenantPlaceholder.isOne(first.text)
        guard found.count > 1 else {
            return [
                find(
                    "B2C-POL-012",
                    isTenant ? "the tenant is \"\(first.text)\"" : "\"\(first.text)\" is to be filled in",
                    remedy: isTenant ? "Write your own tenant's name." : "Write the id that it stands for.",
                    at: first.location)
            ]
        }
        let places = Dictionary(grouping: found.compactMap(\.location), by: \.file).sorted { $0.key < $1.key }
            .map { "\($0.key):\($0.value.compactMap(\.line).map(String.init).joined(separator: ","))" }
        return [
            find(
                "B2C-POL-012",
                "\(texts.map { "\"\($0)\"" }.joined(separator: ", ")) \(texts.count == 1 ? "is" : "are") to be filled in, "
                    + "at \(found.count) places",
                remedy:
                    "Write your own tenant's name and the ids that they stand for: \(places.joined(separator: ", ")).",
                at: first.location)
        ]
    }

    // MARK: Technical profiles

    private static func profile(_ profile: TechnicalProfileElement, _ policy: PolicyDocument) -> [Finding] {
        var all: [Finding] = []
        for item in profile.metadata { all += metadata(item, profile) }
        let handler = profile.protocol?.handler?.lowercased() ?? ""
        if let element = profile.protocol, element.name == .proprietary, handler.isEmpty {
            all.append(
                find(
                    "B2C-POL-054", "the protocol of \(profile.id) is Proprietary and names no Handler",
                    remedy: "Add the Handler attribute.", at: element.location))
        }
        if handler.contains("restfulprovider") { all += rest(profile) }
        for claim in profile.outputClaims + profile.inputClaims + profile.persistedClaims {
            if let value = claim.defaultValue, looksSecret(value, named: claim.claim) {
                all.append(
                    find(
                        "B2C-POL-083", "the default of \(claim.claim) looks like a secret",
                        remedy: "Put it into a policy key.", at: claim.location))
            }
        }
        all +=
            doubled(profile.inputClaims, "InputClaims") + doubled(profile.outputClaims, "OutputClaims")
            + doubled(profile.persistedClaims, "PersistedClaims")
        return all
    }

    private static func doubled(_ claims: [ClaimReferenceElement], _ list: String) -> [Finding] {
        var seen: Set<[String?]> = []
        return claims.compactMap { claim in
            guard !seen.insert([claim.claim.asciiLowercased, claim.partnerClaimType]).inserted else { return nil }
            return find(
                "B2C-POL-019", "\(claim.claim) occurs twice in \(list)", remedy: "Take one of them out.",
                at: claim.location)
        }
    }

    private static func metadata(_ item: MetadataItem, _ profile: TechnicalProfileElement) -> [Finding] {
        let key = item.key.lowercased()
        let value = item.value.lowercased()
        switch key {
        case "allowinsecureauthinproduction" where value == "true":
            return [
                find(
                    "B2C-POL-079", "\(profile.id) calls its service without authentication in production",
                    remedy: "Use Basic, Bearer or ClientCertificate.", at: item.location)
            ]
        case "debugmode" where value == "true":
            return [
                find(
                    "B2C-POL-080", "\(profile.id) shows the service's answers to the person", remedy: "Write false.",
                    at: item.location, corrected: "false")
            ]
        case "enforceemailverification" where value == "false":
            return [
                find(
                    "B2C-POL-081", "\(profile.id) takes any e-mail address unverified", remedy: "Take it out.",
                    at: item.location)
            ]
        case "developermode" where value == "true":
            return [
                find("B2C-POL-078", "DeveloperMode is on", remedy: "Write false before production.", at: item.location)
            ]
        case "instrumentationkey":
            return connectionKey(item.value).map { [connectionString($0, item.location)] } ?? []
        case "client_secret":
            return [
                find(
                    "B2C-POL-083", "metadata contains a client secret", remedy: "Put it into CryptographicKeys.",
                    at: item.location)
            ]
        case "serviceurl", "accesstokenendpoint", "authorization_endpoint", "metadata", "claimsendpoint":
            guard value.hasPrefix("http://"), !value.hasPrefix("http://localhost") else { return [] }
            return [
                find(
                    "B2C-POL-075", "\(item.key) is not https", remedy: "Use https.", at: item.location,
                    corrected: "https" + item.value.dropFirst(4))
            ]
        default: return []
        }
    }

    private static let authenticationTypes = ["None", "Basic", "Bearer", "ClientCertificate", "ApiKeyHeader"]
    private static let sendClaims = ["Body", "Form", "Header", "Url", "QueryString"]

    private static func rest(_ profile: TechnicalProfileElement) -> [Finding] {
        var all: [Finding] = []
        func item(_ key: String) -> MetadataItem? { profile.metadata.first { $0.key == key } }
        for (key, words) in [("AuthenticationType", authenticationTypes), ("SendClaimsIn", sendClaims)] {
            guard let found = item(key), !words.contains(where: { sameID($0, found.value) }),
                !found.value.contains("{")
            else { continue }
            let near = nearestName(found.value, among: words)
            all.append(
                find(
                    "B2C-POL-063", "\(key) is \"\(found.value)\"",
                    remedy: near.map { "Did you mean \($0)?" } ?? "It is \(namesList(words)).", at: found.location,
                    // The service may know more words than its documents.
                    severity: near == nil ? .warning : nil, corrected: near))
        }
        return all
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

    // MARK: Claims, pages, relying party

    private static func claims(_ policy: PolicyDocument) -> [Finding] {
        policy.buildingBlocks.claimTypes.flatMap { type -> [Finding] in
            var all: [Finding] = []
            if let pattern = type.restriction?.pattern {
                if let problem = PolicyChecker.patternProblem(pattern.regularExpression) {
                    all.append(
                        find(
                            "B2C-POL-050", "the pattern of \(type.id) is not a regular expression: \(problem)",
                            remedy: "Correct it; patterns are those of .NET.", at: pattern.location))
                }
            }
            return all
        }
    }

    private static func pages(_ policy: PolicyDocument) -> [Finding] {
        policy.buildingBlocks.contentDefinitions.flatMap { definition -> [Finding] in
            var all: [Finding] = []
            if let uri = definition.dataURI, uri.lowercased().hasPrefix("urn:"),
                !uri.lowercased().contains(":contract:")
            {
                all.append(
                    find(
                        "B2C-POL-073", "the page of \(definition.id) is the one of the year 2017: \"\(uri)\"",
                        remedy: "Use urn:com:microsoft:aad:b2c:elements:contract:NAME:VERSION.",
                        at: definition.dataURILocation ?? definition.location))
            }
            if let uri = definition.loadURI, uri.lowercased().hasPrefix("http://"),
                !uri.lowercased().hasPrefix("http://localhost")
            {
                all.append(
                    find(
                        "B2C-POL-075", "the template of \(definition.id) is not https", remedy: "Use https.",
                        at: definition.loadURILocation ?? definition.location, corrected: "https" + uri.dropFirst(4)))
            }
            return all
        }
    }

    private static func party(_ policy: PolicyDocument) -> [Finding] {
        guard let behaviors = policy.relyingParty?.behaviors else { return [] }
        var all: [Finding] = []
        if let seconds = behaviors.sessionExpiryInSeconds, !(900...86_400).contains(seconds) {
            all.append(
                find(
                    "B2C-POL-071", "SessionExpiryInSeconds is \(seconds)", remedy: "It goes from 900 to 86400.",
                    at: behaviors.location))
        }
        if let days = behaviors.keepAliveInDays, !(0...90).contains(days) {
            all.append(
                find(
                    "B2C-POL-071", "KeepAliveInDays is \(days)", remedy: "It goes from 0 to 90.", at: behaviors.location
                ))
        }
        if behaviors.scriptExecution == .allow {
            all.append(
                find(
                    "B2C-POL-082", "scripts of page templates run", remedy: "Leave it out unless a template needs it.",
                    at: behaviors.location))
        }
        if let framing = behaviors.journeyFraming, framing.enabled,
            framing.sources.contains(where: { $0.contains("*") })
        {
            all.append(
                find(
                    "B2C-POL-082", "any site may frame the pages", remedy: "Name the sites.", at: framing.location))
        }
        return all + behaviors.inert.flatMap { insights($0, policy) }
    }

    /// `JourneyInsights` and the element before it, `AzureApplicationInsights`, which are read as text alone.
    private static func insights(_ item: MetadataItem, _ policy: PolicyDocument) -> [Finding] {
        var attributes: [String: String] = [:]
        for match in item.value.matches(of: /\s([A-Za-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/) {
            attributes[String(match.1)] = String(match.2 ?? match.3 ?? "")
        }
        var all: [Finding] = []
        if let mode = attributes["DeveloperMode"], ["true", "1"].contains(mode.lowercased()) {
            all.append(
                policy.deploymentMode == .production
                    ? find(
                        "B2C-POL-100", "DeveloperMode is true and DeploymentMode is Production",
                        remedy: "Write DeveloperMode=\"false\", or DeploymentMode=\"Development\" to record journeys.",
                        at: item.location)
                    : find(
                        "B2C-POL-078", "DeveloperMode is on", remedy: "Write false before production.",
                        at: item.location))
        }
        if let key = attributes["InstrumentationKey"] {
            if let inner = connectionKey(key) {
                all.append(connectionString(inner, item.location))
            } else if !RedirectURIs.isGUID(key), !isFilledLater(key) {
                let isPlaceholder = key.lowercased().contains("your") || !key.contains("-")
                all.append(
                    find(
                        isPlaceholder ? "B2C-POL-012" : "B2C-POL-003",
                        "InstrumentationKey is \"\(key)\", which is not a GUID",
                        remedy: "Take it from the Azure portal.",
                        at: item.location))
            }
        }
        guard item.key == "JourneyInsights" else { return all }
        if attributes["InstrumentationKey"] == nil {
            let connection = attributes["ConnectionString"]
            all.append(
                find(
                    "B2C-POL-099",
                    connection == nil
                        ? "JourneyInsights has no InstrumentationKey"
                        : "JourneyInsights has a ConnectionString and no InstrumentationKey",
                    remedy: (connection.flatMap(connectionKey).flatMap { $0 }).map {
                        "Write InstrumentationKey=\"\($0)\"."
                    }
                        ?? "Write the instrumentation key of the Application Insights resource, a GUID.",
                    at: item.location))
        }
        if let engine = attributes["TelemetryEngine"], engine != "ApplicationInsights", !isFilledLater(engine) {
            all.append(
                find(
                    "B2C-POL-099", "TelemetryEngine is \"\(engine)\"", remedy: "Write ApplicationInsights.",
                    at: item.location))
        }
        return all
    }

    private static func connectionString(_ key: String?, _ location: SourceLocation) -> Finding {
        find(
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
