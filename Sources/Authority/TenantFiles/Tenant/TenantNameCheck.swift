import Diagnostics
import JSON
import Records

/// Checks what shapes cannot say: names that must exist, values that must differ, settings that are not built yet.
struct TenantNameCheck {
    let tenant: Tenant
    /// The tenant as written, for the places of its members.
    let json: JSONValue
    private(set) var findings: [SettingsFinding] = []

    init(tenant: Tenant, json: JSONValue) {
        self.tenant = tenant
        self.json = json
    }

    mutating func run() {
        checkTop()
        checkLines()
        checkPolicies()
        checkApps()
        checkAPIs()
        checkUsers()
    }

    // MARK: Parts

    private mutating func checkTop() {
        for (index, host) in (json["hosts"]?.arrayValue ?? []).enumerated() {
            guard let text = host.stringValue, !isTemplate(text) else { continue }
            if text.isEmpty || text.contains("/") || text.contains(" ") {
                report(
                    JSONPointer(tokens: ["hosts", String(index)]), "\"\(text)\" is not a host name", rule: .value,
                    "Write the name alone, such as \"\(tenant.name).b2clogin.com\".")
            }
        }
        for (name, stub) in json["rest"]?.objectValue?.members ?? []
        where stub["passThrough"] == .bool(true) && !(stub["reply"] ?? .null).isNull {
            report(
                JSONPointer(tokens: ["rest", name, "passThrough"]),
                "a call that goes to the real service has no `reply`", rule: .contradiction,
                "Remove `reply` or `passThrough`.")
        }
        for (name, stub) in json["rest"]?.objectValue?.members ?? [] {
            let place = JSONPointer(tokens: ["rest", name, "reply"])
            if let list = stub["reply"]?.arrayValue {
                for (index, reply) in list.enumerated() { checkReply(reply, at: place.appending(index)) }
            } else {
                checkReply(stub["reply"], at: place)
            }
        }
        if isWritten("policyEnvironment"), !isWritten("policySettingsFile") {
            report(
                "policyEnvironment",
                "`policyEnvironment` names an environment of `policySettingsFile`, which is missing",
                rule: .missing, "Add `policySettingsFile`, or remove `policyEnvironment`.", key: true)
        }
        for (name, key) in json["policyKeys"]?.objectValue?.members ?? [] {
            guard let members = key.objectValue?.members.filter({ !$0.value.isNull }), members.count != 1 else {
                continue
            }
            report(
                JSONPointer(tokens: ["policyKeys", name]), "a policy key has exactly one of `secret` and `key`",
                rule: .contradiction, "This one has \(members.isEmpty ? "none" : "both").")
        }
    }

    // MARK: Control characters

    /// Parts of a tenant whose entries have names and ids that end in addresses, variables and lists.
    private static let namedParts = ["policies", "apps", "apis", "providers"]
    /// Keys of ids, scopes and addresses, also of lists of them.
    private static let lineKeys: Set<String> = [
        "appIdUri", "audiences", "baseUrl", "bundleId", "clientId", "hosts", "id", "issuer", "issuers", "logoutUrl",
        "native",
        "origin", "redirectUri", "redirectUris", "scopes", "spa", "teamId", "web",
    ]
    /// Values that are data of the file's author, whatever their keys are called.
    private static let data: Set<String> = ["json", "claims", "reply"]

    /// Ids, scopes and addresses have no control characters: programs write them one on a line.
    private mutating func checkLines() {
        for (key, value) in json.objectValue?.members ?? [] {
            if key == "hosts" { checkLines(value, at: JSONPointer(tokens: [key])) }
            guard Self.namedParts.contains(key) else { continue }
            for (name, entry) in value.objectValue?.members ?? [] {
                let place = JSONPointer(tokens: [key, name])
                checkLine(name, at: place, key: true)
                checkLines(entry, at: place)
            }
        }
    }

    private mutating func checkLines(_ value: JSONValue, at place: JSONPointer) {
        // Deeper values are none of a tenant's.
        guard place.tokens.count < 12 else { return }
        switch value {
        case .object(let object):
            for (key, member) in object.members where !Self.data.contains(key) {
                checkLines(member, at: place.appending(key))
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { checkLines(element, at: place.appending(index)) }
        case .string(let text):
            let keys = place.tokens.suffix(2)
            if keys.contains(where: Self.lineKeys.contains) { checkLine(text, at: place, key: false) }
        default: break
        }
    }

    private mutating func checkLine(_ text: String, at place: JSONPointer, key: Bool) {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return }
        report(
            place,
            "\"\(VisibleText.of(text, keeping: []))\" has a control character, which no id, scope or address has",
            rule: .value, "Remove it.", key: key)
    }

    private func isWritten(_ key: String) -> Bool { json[key].map { !$0.isNull } ?? false }

    private mutating func checkReply(_ reply: JSONValue?, at place: JSONPointer) {
        guard let reply, !(reply["json"] ?? .null).isNull, !(reply["body"] ?? .null).isNull else { return }
        report(
            place.appending("body"), "an answer has one body: `json` or `body`", rule: .contradiction,
            "Remove one of them.", key: true)
    }

    private mutating func checkPolicies() {
        let entries = json["policies"]?.objectValue?.members ?? []
        if tenant.kind == .workforce, !entries.isEmpty {
            report(
                "policies", "a workforce tenant has no policies", rule: .contradiction, "Remove `policies`.", key: true)
        }
        let people = tenant.users.flatMap { $0.attributes.keys }
        for (name, entry) in entries {
            let place = JSONPointer(tokens: ["policies", name])
            names(entry["providers"], at: place.appending("providers"), "provider", tenant.providers.map(\.name))
            attributes(entry["attributes"], at: place.appending("attributes"), asked: true, people)
            attributes(entry["claims"], at: place.appending("claims"), asked: false, people)
            let tokens = place.appending("tokens").appending("keySet")
            self.name(entry["tokens", "keySet"], at: tokens, "key set", tenant.keySets.map(\.name))
        }
        for (name, entry) in entries { checkTexts(entry, of: name) }
        for policy in tenant.policies where policy.type == .custom && policy.file == nil {
            let place = JSONPointer(tokens: ["policies", policy.name])
            if json["policies", policy.name, "file"] != nil { continue }
            report(
                place, "policy \"\(policy.name)\" has type custom and no `file`", rule: .missing,
                "Name the XML file of its relying party.")
        }
        distinct(
            tenant.policies.map { ($0.name, $0.id.lowercased()) }, under: "policies", member: "id", what: "policies",
            value: "id")
    }

    /// Languages of text packs: each once, and those in which the pages are.
    private mutating func checkTexts(_ entry: JSONValue, of name: String) {
        let place = JSONPointer(tokens: ["policies", name, "texts"])
        var seen: [String: String] = [:]
        for (language, member) in entry["texts"]?.objectValue?.members ?? [] where !member.isNull {
            let code = language.lowercased()
            // Other codes the reader has refused.
            guard ServiceLanguage.codes.contains(code) else { continue }
            if let first = seen[code] {
                report(
                    place.appending(language), "\"\(language)\" and \"\(first)\" are one language",
                    rule: .contradiction,
                    "Write one list of files.", key: true)
            }
            seen[code] = language
            guard let languages = tenant.policy(named: name)?.languages, !languages.isEmpty,
                tenant.policy(named: name)?.type != .custom
            else { continue }
            let shown = languages.contains { tag in
                let tag = tag.lowercased()
                return tag == code || tag.hasPrefix(code + "-") || tag.contains("{{")
            }
            if !shown {
                report(
                    place.appending(language), "no page is in \"\(language)\": `languages` has \(namesList(languages))",
                    rule: .contradiction, "Add \"\(language)\" to `languages`, or remove the text pack.", key: true)
            }
        }
    }

    private mutating func checkApps() {
        let policies = tenant.policies.map(\.name)
        let scopes = tenant.apis.flatMap(\.scopeNames)
        for (name, entry) in json["apps"]?.objectValue?.members ?? [] {
            let place = JSONPointer(tokens: ["apps", name])
            self.name(entry["client", "policy"], at: place.appending("client").appending("policy"), "policy", policies)
            if tenant.kind == .b2c {
                names(
                    entry["registration", "scopes"], at: place.appending("registration").appending("scopes"),
                    "scope of an API", scopes)
            }
        }
        distinct(
            tenant.apps.map { ($0.name, $0.registration.clientId.lowercased()) }, under: "apps",
            member: "registration/clientId", what: "apps", value: "client id")
    }

    private mutating func checkAPIs() {
        let policies = tenant.policies.map(\.name)
        for (name, entry) in json["apis"]?.objectValue?.members ?? [] {
            let place = JSONPointer(tokens: ["apis", name])
            let validation = place.appending("validation")
            names(entry["validation", "metadata"], at: validation.appending("metadata"), "policy", policies)
            names(entry["validation", "policyClaim"], at: validation.appending("policyClaim"), "policy", policies)
            for (path, route) in entry["routes"]?.objectValue?.members ?? [] {
                let routePlace = place.appending("routes").appending(path)
                if !path.hasPrefix("/") {
                    report(routePlace, "a route begins with /", rule: .value, "Write \"/\(path)\".", key: true)
                }
                if route["anonymous"] == true, !(route["scopes"] ?? .null).isNull {
                    report(
                        routePlace.appending("scopes"), "a path that needs no token has no `scopes`",
                        rule: .contradiction,
                        "Remove `scopes` or `anonymous`.", key: true)
                }
                names(
                    route["scopes"], at: routePlace.appending("scopes"), "scope of API \"\(name)\"",
                    tenant.api(named: name)?.scopes ?? [])
            }
        }
        distinct(
            tenant.apis.map { ($0.name, $0.appIdUri.lowercased()) }, under: "apis", member: "appIdUri", what: "APIs",
            value: "application ID URI")
    }

    private mutating func checkUsers() {
        let providers = tenant.providers.map(\.name)
        for (name, entry) in json["users"]?.objectValue?.members ?? [] {
            let place = JSONPointer(tokens: ["users", name, "providers"])
            for key in entry["providers"]?.objectValue?.keys ?? [] where !providers.contains(key) {
                unknown(key, at: place.appending(key), "provider", providers, key: true)
            }
        }
        distinct(
            tenant.users.filter(\.registered).map { ($0.name, ($0.email ?? "").lowercased()) }, under: "users",
            member: "email", what: "people with an account", value: "e-mail address")
        distinct(
            tenant.users.filter(\.registered).map {
                ($0.name, ($0.attributes["userPrincipalName"]?.stringValue ?? "").lowercased())
            }, under: "users", member: "userPrincipalName", what: "people with an account",
            value: "user principal name")
        distinct(
            tenant.users.map { ($0.name, $0.objectId.description) }, under: "users", member: "objectId", what: "people",
            value: "object id")
    }

    // MARK: Rules

    private enum NameRule: String {
        case unknownName = "B2C-TEN-022"
        case duplicate = "B2C-TEN-023"
        case missing = "B2C-TEN-024"
        case notBuiltYet = "B2C-TEN-025"
        case contradiction = "B2C-TEN-026"
        case value = "B2C-TEN-027"
    }

    private func isTemplate(_ text: String) -> Bool { text.contains("{{") }

    private mutating func report(
        _ place: JSONPointer, _ message: String, rule: NameRule, _ remedy: String? = nil, key: Bool = false
    ) {
        findings.append(
            SettingsFinding(pointer: place, key: key, rule: rule.rawValue, message: message, remedy: remedy))
    }

    private mutating func unknown(
        _ name: String, at place: JSONPointer, _ what: String, _ known: [String], key: Bool = false
    ) {
        if what == "policy",
            let policy = tenant.policies.first(where: { sameText($0.id.lowercased(), name.lowercased()) })
        {
            return report(
                place, "there is no policy \"\(name)\": it is the id of \"\(policy.name)\"", rule: .unknownName,
                "Write the name: \"\(policy.name)\".", key: key)
        }
        let remedy =
            nearestName(name, among: known).map { "Did you mean \"\($0)\"?" }
            ?? (known.isEmpty ? "The tenant has none." : "There are \(namesList(known.map { "\"\($0)\"" })).")
        report(place, "there is no \(what) \"\(name)\"", rule: .unknownName, remedy, key: key)
    }

    private mutating func name(_ value: JSONValue?, at place: JSONPointer, _ what: String, _ known: [String]) {
        guard let text = value?.stringValue, !isTemplate(text), !known.contains(text) else { return }
        unknown(text, at: place, what, known)
    }

    private mutating func names(_ value: JSONValue?, at place: JSONPointer, _ what: String, _ known: [String]) {
        for (index, element) in (value?.arrayValue ?? []).enumerated() {
            name(element, at: place.appending(index), what, known)
        }
    }

    /// Attributes are the built-in ones, custom ones with their prefix, and whatever some person of the file has.
    private mutating func attributes(
        _ value: JSONValue?, at place: JSONPointer, asked: Bool, _ ofPeople: [String]
    ) {
        let builtIn = UserFlowAttribute.all.filter { asked ? $0.isAttribute : $0.isClaim }.map(\.name)
        for (index, element) in (value?.arrayValue ?? []).enumerated() {
            guard let text = element.stringValue, !isTemplate(text), !builtIn.contains(text) else { continue }
            if text.hasPrefix(UserFlowAttribute.customPrefix) { continue }
            let other = UserFlowAttribute.named(text)
            if other == nil, ofPeople.contains(text) { continue }
            let here = place.appending(index)
            if other != nil {
                report(
                    here, asked ? "\"\(text)\" cannot be asked for on a page" : "\"\(text)\" is not returned in tokens",
                    rule: .value, "Use \(namesList(builtIn, limit: 20)).")
            } else {
                unknown(text, at: here, asked ? "attribute" : "claim", builtIn)
            }
        }
    }

    /// Finds entries that share a value that must be their own. Empty values are none.
    private mutating func distinct(
        _ entries: [(name: String, value: String)], under map: String, member: String, what: String, value: String
    ) {
        var first: [String: String] = [:]
        for entry in entries where !entry.value.isEmpty {
            guard let other = first[entry.value] else {
                first[entry.value] = entry.name
                continue
            }
            let exact = JSONPointer(tokens: [map, entry.name] + member.split(separator: "/").map(String.init))
            let place = json.value(at: exact) == nil ? JSONPointer(tokens: [map, entry.name]) : exact
            report(
                place, "\(what) \"\(other)\" and \"\(entry.name)\" have the same \(value)", rule: .duplicate,
                "Give each its own.")
        }
    }
}
