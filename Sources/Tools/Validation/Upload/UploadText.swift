import Diagnostics
import TrustFramework

/// Puts a finding into the service's words: the wording that people published, with ids out of the file.
struct UploadText {
    private let files: [ProjectFile]
    private let policyID: String
    private let tenant: String
    /// Elements by file, read when the first finding in the file needs them.
    private var places: [String: PolicyPlaces?] = [:]

    init(files: [ProjectFile], policyID: String, tenant: String) {
        self.files = files
        self.policyID = policyID
        self.tenant = tenant
    }

    mutating func text(of finding: Diagnostic) -> String {
        let spot = spot(of: finding)
        switch finding.rule {
        case "B2C-POL-001": return unreadable(finding)
        case "B2C-POL-002", "B2C-POL-003", "B2C-POL-004", "B2C-POL-071":
            return schema(Self.schemaDetail(finding), finding, spot)
        case "B2C-POL-006": return base(finding, spot)
        case "B2C-POL-007":
            let own = spot.around("TenantId").flatMap { spot.places?.text($0) } ?? spot.places?.attribute(0, "TenantId")
            return "TenantId in the policy xml '\(own ?? "")' \(notTheLogin)"
        case "B2C-POL-009":
            let own = spot.places?.attribute(0, "TenantId") ?? ""
            if sameID(own, tenant) { return notInherited(spot, finding) }
            return "TenantId in the policy xml '\(own)' \(notTheLogin)"
        case "B2C-POL-014", "B2C-POL-015", "B2C-POL-016":
            return schema("There is a duplicate key sequence '\(finding.quoted.first ?? "")'.", finding, spot)
        case "B2C-POL-020", "B2C-POL-021", "B2C-POL-022", "B2C-POL-023", "B2C-POL-024", "B2C-POL-025":
            return reference(finding, spot)
        case "B2C-POL-026":
            let key = spot.attribute("StorageReferenceId") ?? finding.quoted.first ?? ""
            return "Tenant \"\(tenant)\" does not have CryptographicKey referenced by storageReferenceId \"\(key)\"."
        case "B2C-POL-030", "B2C-POL-031", "B2C-POL-032": return step(finding, spot)
        case "B2C-POL-038", "B2C-POL-070": return flow(finding, spot)
        case "B2C-POL-044", "B2C-POL-045": return transformation(finding, spot)
        case "B2C-POL-046", "B2C-POL-047": return "Input string was not in a correct format."
        case "B2C-POL-055", "B2C-POL-058", "B2C-POL-059", "B2C-POL-061", "B2C-POL-064": return profile(finding, spot)
        case "B2C-POL-073", "B2C-POL-074": return page(finding, spot)
        default: return general(finding, spot)
        }
    }

    // MARK: The place

    /// Where a finding is: the element, and the policy of the file.
    private struct Spot {
        var places: PolicyPlaces?
        /// The element and those around it, innermost first.
        var path: [Int] = []
        var policy: String
        var tenant: String

        /// `in policy "P" of tenant "T"`.
        var inPolicy: String { "in policy \"\(policy)\" of tenant \"\(tenant)\"" }

        /// The innermost element around the place with one of these names.
        func around(_ names: String...) -> Int? {
            guard let places else { return nil }
            return path.first { names.contains(places.name($0)) }
        }

        /// The `Id` of the innermost element around the place with one of these names.
        func id(_ names: String...) -> String? {
            guard let places, let node = path.first(where: { names.contains(places.name($0)) }) else { return nil }
            return places.attribute(node, "Id")
        }

        /// An attribute of the element itself.
        func attribute(_ name: String) -> String? { path.first.flatMap { places?.attribute($0, name) } }
    }

    private mutating func spot(of finding: Diagnostic) -> Spot {
        guard let location = finding.location, let places = read(location.file) else {
            return Spot(policy: policyID, tenant: tenant)
        }
        let node = places.node(at: location)
        return Spot(
            places: places, path: node.map { places.path($0) } ?? [],
            policy: places.policyID.isEmpty ? policyID : places.policyID, tenant: tenant)
    }

    private mutating func read(_ file: String) -> PolicyPlaces? {
        if let known = places[file] { return known }
        let read = files.first { $0.path == file }.flatMap { PolicyPlaces($0.source) }
        places[file] = .some(read)
        return read
    }

    // MARK: The file

    private func unreadable(_ finding: Diagnostic) -> String {
        var text = "The policy being uploaded is not XML or is not correctly formatted: \(finding.message)."
        if let line = finding.location?.line {
            text += " Line \(line), position \(finding.location?.column ?? 1)."
        }
        return text
    }

    private func schema(_ detail: String, _ finding: Diagnostic, _ spot: Spot) -> String {
        "Schema validation error found at line \(finding.location?.line ?? 1) col \(finding.location?.column ?? 1) "
            + "\(spot.inPolicy): \(detail)"
    }

    /// What the schema processor of the service says, out of a message of ours.
    private static func schemaDetail(_ finding: Diagnostic) -> String {
        let message = finding.message
        func invalid(_ element: Substring, _ child: Substring) -> String {
            "The element '\(element)' in namespace '\(PolicyReader.namespace)' has invalid child element '\(child)' in "
                + "namespace '\(PolicyReader.namespace)'."
        }
        if let match = message.firstMatch(of: /^<(\S+)> has no element <(\S+)>/) {
            return invalid(match.1, match.2)
        }
        if let match = message.firstMatch(of: /^<(\S+)> of <(\S+)> must come before/) {
            return invalid(match.2, match.1)
        }
        if let match = message.firstMatch(of: /^<(\S+)> occurs twice in <(\S+)>/) { return invalid(match.2, match.1) }
        if let match = message.firstMatch(of: /^<(\S+)> cannot hold text/) {
            return "The element '\(match.1)' in namespace '\(PolicyReader.namespace)' cannot contain text."
        }
        if let match = message.firstMatch(of: /^<\S+> has no attribute (\S+)/) {
            return "The '\(match.1)' attribute is not declared."
        }
        if let match = message.firstMatch(of: /^<\S+> needs the attribute (\S+)/) {
            return "The required attribute '\(match.1)' is missing."
        }
        if let match = message.firstMatch(of: /^([\w.]+)="([^"]*)" of <\S+>: (.*)$/) {
            return "The '\(match.1)' attribute is invalid - \(value(match.2, finding.rule, match.3))"
        }
        if let match = message.firstMatch(of: /^"([^"]*)" in <(\S+)>: (.*)$/) {
            return "The '\(PolicyReader.namespace):\(match.2)' element is invalid - "
                + value(match.1, finding.rule, match.3)
        }
        if let match = message.firstMatch(of: /^(\w+) is "?(-?\d+)"?$/) {
            return "The '\(match.1)' element is invalid - \(value(match.2, finding.rule, ""))"
        }
        return sentence(message)
    }

    private static func value(_ value: Substring, _ rule: String, _ problem: Substring) -> String {
        let what: String
        switch rule {
        case "B2C-POL-004": what = "The Enumeration constraint failed."
        case "B2C-POL-003": what = "The Pattern constraint failed."
        default:
            if problem.contains("whole number") {
                what = "The string '\(value)' is not a valid Int32 value."
            } else if problem.contains("true or false") {
                what = "The string '\(value)' is not a valid Boolean value."
            } else {
                what =
                    problem.contains("empty")
                    ? "The MinLength constraint failed." : "The value is outside the range that the schema allows."
            }
        }
        return "The value '\(value)' is invalid according to its datatype 'String' - \(what)"
    }

    private var notTheLogin: String { "is not same as the one in login tenant '\(tenant)'." }

    private func base(_ finding: Diagnostic, _ spot: Spot) -> String {
        guard finding.message.hasPrefix("there is no policy"), let id = finding.quoted.first else {
            return notInherited(spot, finding)
        }
        return "Policy with 'policyId': \(id) cannot be found in the directory '\(tenant)'."
    }

    private func notInherited(_ spot: Spot, _ finding: Diagnostic) -> String {
        "Policy '\(spot.policy)' of tenant '\(tenant)' is not allowed to inherit from the specified base policy. "
            + Self.sentence(finding.message)
    }

    // MARK: References and steps

    private static let kinds = [
        "B2C-POL-020": "ClaimType", "B2C-POL-021": "TechnicalProfile", "B2C-POL-022": "ClaimsTransformation",
        "B2C-POL-023": "ContentDefinition",
    ]

    /// Kinds of elements as the linker calls them, and as the service does.
    private static let named = [
        "predicate validation": "PredicateValidation", "predicate": "Predicate",
        "input validation": "InputValidation", "LocalizedResources": "LocalizedResources",
        "display control": "DisplayControl", "client definition": "ClientDefinition", "user journey": "UserJourney",
        "sub journey": "SubJourney",
    ]

    private func reference(_ finding: Diagnostic, _ spot: Spot) -> String {
        var kind = Self.kinds[finding.rule]
        if let match = finding.message.firstMatch(of: /^there is no ([^"]+) "/) {
            kind = kind ?? Self.named[String(match.1)]
        } else if finding.rule != "B2C-POL-020" {
            kind = nil
        }
        guard let kind, let id = finding.quoted.first else { return general(finding, spot) }
        return "Policy \"\(spot.policy)\" of tenant \"\(tenant)\" makes a reference to \(kind) with id \"\(id)\" but "
            + "neither the policy nor any of its base policies contain such an element."
    }

    private func step(_ finding: Diagnostic, _ spot: Spot) -> String {
        guard let journey = spot.id("UserJourney", "SubJourney") else { return general(finding, spot) }
        let node = spot.around("OrchestrationStep")
        let order = node.flatMap { spot.places?.attribute($0, "Order") } ?? "1"
        switch finding.rule {
        case "B2C-POL-030":
            let match = finding.message.firstMatch(of: /no step with Order (\d+)|^step (\d+) is written/)
            let wanted = (match?.1 ?? match?.2).map(String.init) ?? "1"
            return
                "User journey \"\(journey)\" \(spot.inPolicy) was expected to have step with order \"\(wanted)\" but "
                + "it was not found."
        case "B2C-POL-031":
            let type = node.flatMap { spot.places?.attribute($0, "Type") } ?? ""
            return
                "Orchestration step order \"\(order)\" in user journey \"\(journey)\" \(spot.inPolicy) is followed by "
                + "a claims provider selection step and must be a claims exchange, but it is of type \(type)."
        default:
            let count = finding.message.firstMatch(of: /has (\d+) claims exchanges/).map { String($0.1) } ?? "0"
            return "User journey \"\(journey)\" \(spot.inPolicy) has step \(order) with \(count) claims exchanges. It "
                + "must be preceded by a claims provider selection in order to determine which claims exchange can be "
                + "used."
        }
    }

    private func flow(_ finding: Diagnostic, _ spot: Spot) -> String {
        if let match = finding.message.firstMatch(of: /^(.+) is an input of (.+) in step (\d+) of (.+), and nothing/) {
            return "Claim type \"\(match.1)\" is the input claim of technical profile \"\(match.2)\" in step "
                + "\"\(match.3)\" of user journey \"\(match.4)\" but it is not an output claim in any of the previous "
                + "steps."
        }
        if let match = finding.message.firstMatch(
            of: /^(.+) is an output claim of the relying party, and no step of (.+) writes it/)
        {
            return "Claim type \"\(match.1)\" is the output claim of the relying party's technical profile, but it is "
                + "not an output claim in any of the steps of user journey \"\(match.2)\"."
        }
        return general(finding, spot)
    }

    // MARK: Claims transformations and technical profiles

    private func transformation(_ finding: Diagnostic, _ spot: Spot) -> String {
        guard let places = spot.places, let node = spot.around("ClaimsTransformation"),
            let id = places.attribute(node, "Id")
        else { return general(finding, spot) }
        let method = places.attribute(node, "TransformationMethod") ?? ""
        let message = finding.message
        let element = spot.path.first ?? node
        let list =
            if message.contains("parameter") {
                "InputParameters"
            } else if message.contains("output claim") || places.name(element) == "OutputClaim" {
                "OutputClaims"
            } else {
                "InputClaims"
            }
        var text = "The \(list) mismatched in ClaimsTransformation with id \"\(id)\" with TransformationMethod "
        text += "\"\(method)\"."
        if element != node {
            let name =
                places.attribute(element, "TransformationClaimType") ?? places.attribute(element, "Id")
                ?? places.attribute(element, "ClaimTypeReferenceId") ?? ""
            text += " The following \(list) were declared in the Policy but were not expected by the TransformMethod: "
            text += "\(name)."
        } else if let wanted = finding.quoted.first {
            text += " The following \(list) were expected by the TransformMethod but were not declared in the Policy: "
            text += "\(wanted)."
        }
        return text
    }

    private func profile(_ finding: Diagnostic, _ spot: Spot) -> String {
        let message = finding.message
        let own = spot.id("TechnicalProfile") ?? ""
        if let match = message.firstMatch(of: /^(.+) of (.+) has no UserInputType/) {
            return "Output claim type \"\(match.1)\" specified in the technical profile with id \"\(match.2)\" "
                + "\(spot.inPolicy) does not specify a UserInputType or a DefaultValue, and is not retrieved from a "
                + "ValidationTechnicalProfile either."
        }
        if let match = message.firstMatch(of: /^(.+) shows a page and names no (\w+)/) {
            return required(match.2, match.1, spot)
        }
        if finding.rule == "B2C-POL-058" {
            let kind = spot.path.first.flatMap { spot.places?.name($0) } ?? "OutputClaim"
            let name = spot.attribute("ClaimTypeReferenceId") ?? finding.quoted.first ?? ""
            let words =
                kind == "PersistedClaim" ? "Persisted Claim" : kind == "InputClaim" ? "Input Claim" : "Output Claim"
            let text = "\(words) '\(name)' is not supported in Azure Active Directory Provider technical profile "
            let advice = " If it is a claim with default value, add AlwaysUseDefaultValue=\"true\" to the output claim "
            return text + "'\(own)' of policy '\(spot.policy)'."
                + (kind == "OutputClaim" ? advice + "mapping." : "")
        }
        if finding.rule == "B2C-POL-059" { return required("ApplicationObjectId", own[...], spot) }
        if finding.rule == "B2C-POL-064" {
            return
                "Profile '\(own)' uses an insecure authentication mode that is only allowed in production mode policies "
                + "with metadata key 'AllowInsecureAuthInProduction' set to true."
        }
        if let match = message.firstMatch(of: /^(.+) has no ([\w.]+)$/) {
            if match.2 == "client_id" {
                return
                    "TechnicalProfile \"\(match.1)\" \(spot.inPolicy) defines an invalid value \"\" for the metadata "
                    + "item \"client_id.\""
            }
            return required(match.2, match.1, spot)
        }
        return general(finding, spot)
    }

    private func required(_ key: Substring, _ profile: Substring, _ spot: Spot) -> String {
        "A required Metadata item with key \"\(key)\" was not found in the TechnicalProfile with id \"\(profile)\" "
            + "\(spot.inPolicy)."
    }

    private func required(_ key: String, _ profile: Substring, _ spot: Spot) -> String {
        required(key[...], profile, spot)
    }

    private func page(_ finding: Diagnostic, _ spot: Spot) -> String {
        guard let places = spot.places, let node = spot.around("ContentDefinition"),
            let uri = places.children(node).first(where: { places.name($0) == "DataUri" })
        else { return general(finding, spot) }
        return "The element specified by id '\(places.text(uri))' cannot be found in the element factory cache. Check "
            + "that element definition exists in the elements folder."
    }

    // MARK: Where no wording was published

    private func general(_ finding: Diagnostic, _ spot: Spot) -> String {
        "\(container(spot)): \(Self.sentence(finding.message))"
    }

    private func container(_ spot: Spot) -> String {
        if let journey = spot.id("UserJourney", "SubJourney") {
            if let node = spot.around("OrchestrationStep"), let order = spot.places?.attribute(node, "Order") {
                return "Orchestration step order \"\(order)\" in user journey \"\(journey)\" \(spot.inPolicy)"
            }
            return "User journey \"\(journey)\" \(spot.inPolicy)"
        }
        for (element, words) in Self.containers {
            guard let id = spot.id(element) else { continue }
            return "\(words) \"\(id)\" \(spot.inPolicy)"
        }
        return "Policy \"\(spot.policy)\" of tenant \"\(tenant)\""
    }

    /// Elements with an id that a text begins with.
    static let containers = [
        ("TechnicalProfile", "Technical profile"), ("ClaimsTransformation", "ClaimsTransformation"),
        ("ContentDefinition", "Content definition"), ("DisplayControl", "Display control"),
        ("ClaimType", "Claim type"), ("PredicateValidation", "Predicate validation"), ("Predicate", "Predicate"),
    ]

    private static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}

extension Diagnostic {
    /// What the message has in double quotes.
    var quoted: [String] {
        message.matches(of: /"([^"]*)"/).map { String($0.1) }
    }
}
