import Exchanges
import Exploration
import ExtensionCalls
import PolicyMigration
import ScenarioRunner
import Scenarios
import Validation

/// The rules of the program's own checks: what each demands and where its findings come from.
package enum RuleTable {
    /// Every id.
    package static var ids: [String] { rules.map(\.id) }

    /// The explanation of a rule by its id, in any letter case.
    package static func rule(_ id: String) -> Explanation? {
        let wanted = id.uppercased()
        if let rule = Rules.named(wanted) { return explanation(rule) }
        if let rule = ExplorationRule(rawValue: wanted) { return explanation(rule) }
        if let rule = ExtensionRule.all.first(where: { $0.id == wanted }) { return explanation(rule) }
        return rules.first { $0.id == wanted }.map { rule in
            Explanation(title: "\(rule.id)  \(area(rule.id))", facts: [("demands", rule.doc)])
        }
    }

    /// The rules that a text of the service is about, upload errors above all. Names and ids in it count for nothing.
    static func rules(in text: String) -> [Explanation] {
        var seen: Set<String> = []
        return ServiceText.found(in: text).filter { tellsOfUpload($0, text) }.flatMap { found -> [Explanation] in
            let known = found.rules.filter { rule($0) != nil }
            if known.isEmpty {
                return [Explanation(title: "an upload that was refused", facts: [("service says", found.template)])]
            }
            return known.compactMap { id in
                guard seen.insert(id).inserted, var explanation = rule(id) else { return nil }
                explanation.facts.insert(("you were told", found.template), at: 0)
                explanation.facts.append(("find it", "b2c validate FOLDER says where, with file and line"))
                return explanation
            }
        }
    }

    /// Some texts are those of any .NET program; in a longer text they count only next to words about a policy.
    private static func tellsOfUpload(_ found: ServiceText, _ text: String) -> Bool {
        guard ["Object reference", "Input string"].contains(where: found.template.hasPrefix) else { return true }
        let lower = text.lowercased()
        return text.utf8.count < 100 || ["upload", "validation failed", "policy"].contains { lower.contains($0) }
    }

    /// All rules with what they demand.
    package static var everything: Explanation {
        Explanation(title: "rules", facts: rules.map { ($0.id, $0.doc) })
    }

    private static func explanation(_ rule: ExplorationRule) -> Explanation {
        var facts = [("demands", rule.demand), ("severity", rule.severity.rawValue)]
        if let remedy = rule.remedy { facts.append(("fix", remedy)) }
        facts.append(("found by", "b2c policy explore"))
        return Explanation(title: "\(rule.id)  \(area(rule.id))", facts: facts)
    }

    private static func explanation(_ rule: ExtensionRule) -> Explanation {
        var facts = [("demands", rule.demand), ("severity", rule.severity.rawValue), ("fix", rule.remedy)]
        if let row = ExtensionFinding.serviceTable.first(where: { $0.code == rule.code }) {
            facts.append(("service says", "\(row.code) \(row.name)"))
        }
        facts.append(("found by", "b2c extension test, case \(rule.name)"))
        return Explanation(title: "\(rule.id)  \(area(rule.id))", facts: facts)
    }

    private static func explanation(_ rule: Rule) -> Explanation {
        var facts = [("demands", rule.demand), ("severity", rule.severity.rawValue), ("why", rule.reason)]
        facts += [("wrong", rule.bad), ("right", rule.good)]
        facts += rule.serviceTexts.map { ("service says", $0) }
        facts.append(("source", rule.source))
        return Explanation(title: "\(rule.id)  \(area(rule.id))", facts: facts)
    }

    private static func area(_ id: String) -> String {
        switch id.split(separator: "-").dropFirst().first {
        case "JSON": "rule of JSON texts"
        case "SCN": "rule of scenario files"
        case "PRV": "rule of experiments (b2c check --prove)"
        case "TEN": "rule of tenant files"
        case "TGT": "rule of target files"
        case "PRJ": "rule of b2c.json"
        case "FLOW": "rule of user flows"
        case "LOG": "rule of logs of the journey recorder"
        case "POL": "rule of policy files"
        case "REL": "rule of policy releases"
        case "TXT": "rule of text packs"
        case "URI": "rule of redirect URIs"
        case "APP": "rule of app projects"
        case "CFG": "rule of configuration files"
        case "REG": "rule of app registrations"
        case "DISC": "rule of discovery documents"
        case "TOK": "rule of tokens"
        case "VAL": "rule of the validation itself"
        case "CACHE": "rule of token cache files"
        case "RUN": "rule of a run"
        case "EXP": "rule of explored policies"
        case "MIG": "rule of the migration to External ID"
        case "EXT": "rule of custom authentication extensions"
        case "KEY": "rule of policy keys and their manifest"
        default: "rule of the command line"
        }
    }

    private static var rules: [(id: String, doc: String)] {
        json + shapes("B2C-SCN") + ScenarioRule.allCases.map { ($0.rawValue, $0.doc) }
            + ProofRule.allCases.map { ($0.rawValue, $0.doc) } + shapes("B2C-TEN")
            + shapes("B2C-TGT") + shapes("B2C-PRJ") + shapes("B2C-KEY")
            + rest.filter { Rules.named($0.id) == nil } + Rules.all.map { ($0.id, $0.demand) }
            + ExplorationRule.allCases.map { ($0.id, $0.demand) }
            + MigrationRule.allCases.map { ($0.rawValue, $0.doc) } + ExtensionRule.all.map { ($0.id, $0.demand) }
    }

    private static let json: [(id: String, doc: String)] = [
        ("B2C-JSON-001", "The text must be JSON (RFC 8259): no comments, no trailing commas, names in double quotes."),
        ("B2C-JSON-002", "A key occurs once in an object."),
        ("B2C-JSON-003", "Values are nested no deeper than the limit."),
        ("B2C-JSON-004", "A file is no larger than the limit."),
        ("B2C-JSON-005", "The text is UTF-8."),
        ("B2C-JSON-006", "Numbers fit into 64 bits."),
        ("B2C-JSON-007", "A byte order mark is passed over; the file is better without."),
    ]

    /// What every key of a file must meet, whichever file it is.
    private static func shapes(_ prefix: String) -> [(id: String, doc: String)] {
        [
            ("001", "A value has the type that its key takes."),
            ("002", "Every key is known at its place."),
            ("003", "Required keys are there."),
            ("004", "Where a key takes one of several words, it is one of them."),
            ("005", "If exactly one of several keys is required, one is given: a step has one verb."),
            ("006", "Keys that exclude each other do not occur together."),
            ("007", "What the language has and this version has not is refused by name."),
            ("008", "Durations, instants, URLs and patterns have their form."),
            ("009", "Numbers and lengths are within their bounds."),
            ("010", "The table that describes the file is itself in order; this is a fault of the program."),
        ].map { ("\(prefix)-\($0.0)", $0.1) }
    }

    private static let rest: [(id: String, doc: String)] = [
        ("B2C-TEN-020", "A setting's value can be used: it has the form that the key takes once {{...}} is filled in."),
        ("B2C-TEN-021", "A patched setting exists."),
        ("B2C-TEN-022", "A policy, provider, API, key set or attribute that is named must exist."),
        ("B2C-TEN-023", "What identifies something, such as a client id or a sign-in name, occurs once."),
        ("B2C-TEN-024", "A setting that others need is there."),
        ("B2C-TEN-025", "What the language has and this version has not is refused by name."),
        ("B2C-TEN-026", "Settings do not contradict each other."),
        ("B2C-TEN-027", "A value is one that B2C takes."),
        ("B2C-TEN-028", "A setting is written where it has an effect: not on a custom policy whose XML says the same."),
        ("B2C-FLOW-001", "The settings of a user flow can be compiled to a policy."),
        ("B2C-POL-090", "The simulator knows and carries out what a policy holds."),
        ("B2C-POL-091", "The file of a custom policy is there, and its PolicyId is the policy's id."),
        ("B2C-POL-092", "A settings file has a list of environments with names and texts."),
        ("B2C-TXT-001", "A text pack is a regular file below the folder of the tenant file."),
        (
            "B2C-TXT-002",
            "A text pack has the form of the portal's downloads: `LocalizedStrings`, each with its ids and value."
        ),
        ("B2C-TXT-003", "A text occurs once in a file."),
        ("B2C-TXT-004", "What a text pack names is shown somewhere; an unknown name is probably a slip."),
        ("B2C-TXT-005", "A custom policy with text packs inherits from the built-in base, whose texts they are."),
        ("B2C-CACHE-001", "Records of a token cache have the members of the unified schema."),
        ("B2C-CACHE-002", "A token cache file has the sections of the unified schema."),
        ("B2C-RUN-001", "A variable that is given is declared by a scenario that runs."),
        ("B2C-RUN-002", "A variable without a default is given a value."),
        ("B2C-TGT-020", "A setting's value can be used, and the kind of target has a use for it."),
        ("B2C-TGT-021", "A setting of a target file exists."),
        ("B2C-TGT-030", "What a target file reads from the environment or from secrets is given."),
        ("B2C-TGT-031", "Passwords and secrets of a real tenant are not written in its tenant file."),
        ("B2C-PRJ-010", "The profile that is chosen is in b2c.json."),
        ("B2C-PRJ-011", "After # a key of `proves` in b2c.json has a JSON pointer or a rule of `--prove`."),
        ("B2C-KEY-020", "A manifest of keys holds no secret: it names an environment variable or a file."),
        ("B2C-KEY-021", "The source of a key fits its type: the service generates RSA keys and no certificates."),
        ("B2C-KEY-022", "A manifest of keys names a key set once."),
        ("B2C-KEY-023", "Dates of a key are times or spans, and a key ends after it becomes active."),
        ("B2C-KEY-030", "A key set that policies refer to exists and has an active key."),
        ("B2C-KEY-031", "A key has the type and the use that the element which refers to it needs."),
        ("B2C-KEY-032", "An app id in a policy is the id of that app in the tenant."),
        ("B2C-REL-001", "A saved plan of a policy release is one that b2c policy plan wrote."),
        ("B2C-REL-041", "The id of a staged policy is one that the service accepts."),
        ("B2C-REL-042", "The id of a staged policy is free in the tenant."),
        ("B2C-CLI-001", "A path that is named exists and can be read."),
        ("B2C-CLI-002", "What is run is a scenario."),
        ("B2C-CLI-003", "A file in a folder that ends in .json holds JSON; one that does not is passed over."),
        ("B2C-CLI-004", "A file of inputs has only keys that it takes."),
        (
            "B2C-CLI-005",
            "A command is used as it can be: its options go together, and its filters leave something to do."
        ),
        ("B2C-CLI-006", "The machine and the target do what a run needs."),
        ("B2C-IMPORT-001", "What is imported is a HAR file: a JSON object with a member log, of 256 MB at most."),
        ("B2C-IMPORT-002", "A capture is whole, and each of its entries is JSON."),
        ("B2C-IMPORT-003", "The log of a capture has entries."),
        ("B2C-IMPORT-004", "Something was captured."),
        ("B2C-IMPORT-005", "The version of a capture is 1.1, 1.2 or 1.3."),
        ("B2C-IMPORT-006", "Some request of a capture goes to B2C, and a flow can be seen in it."),
        (
            "B2C-LOG-001",
            "What is read as a log is one of the journey recorder, in a form that Application Insights exports."
        ),
        ("B2C-LOG-002", "A log is whole."),
        ("B2C-LOG-003", "A row of a log has a message, a time, and as many cells as the table has columns."),
        ("B2C-LOG-004", "The pieces of a message that was cut after 32,768 characters are all there, and in order."),
        ("B2C-LOG-005", "A row of a log occurs once."),
        ("B2C-LOG-006", "Application Insights keeps every row: sampling is off."),
        ("B2C-LOG-007", "A log has rows of one tenant."),
        ("B2C-LOG-008", "An answer of the query service has every row that was counted."),
        ("B2C-LOG-009", "A log and the policies it is compared with have one version and one tenant."),
        ("B2C-LOG-010", "A session in a log has its first request."),
    ]
}
