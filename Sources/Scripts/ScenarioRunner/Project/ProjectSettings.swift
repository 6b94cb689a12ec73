import Diagnostics
import JSON

/// The file `b2c.json` of the working folder: what `b2c run` and `b2c merge` do unless an option or the environment
/// differs.
///
/// Each key stands for a variable of the environment, so the order is option, environment, file.
package struct ProjectSettings {
    /// The file's name.
    package static let name = "b2c.json"

    /// Files and folders that run; empty: the default.
    package let paths: [String]
    /// Variables of the environment that the file stands for.
    package let variables: [String: String]
    /// Where `strict` is set, in words; `nil`: nowhere.
    package let strictPlace: String?
    /// Files of reports, whose folders are made.
    package let outputs: [String]
    /// Reasons for lines that `--prove` reports.
    package let proves: ProjectReasons

    /// Reads the file.
    ///
    /// - Parameter profile: The profile whose keys take the place of those of the file; `nil`: none.
    /// - Throws: Every finding at once.
    package init(bytes: [UInt8], file: String = Self.name, profile: String?) throws(InvalidInput) {
        let document = try JSONDocument(file: file, bytes: bytes)
        let checker = ShapeChecker(document: document, named: [:], allowTemplates: false, rulePrefix: "B2C-PRJ")
        let findings = checker.check(document.root, at: .root, as: Self.shape)
        if findings.hasErrors { throw InvalidInput(diagnostics: findings) }
        proves = ProjectReasons(of: document)
        if proves.findings.hasErrors { throw InvalidInput(diagnostics: proves.findings) }
        let root = document.root.objectValue ?? JSONObject()
        let profiles = root["profiles"]?.objectValue ?? JSONObject()
        if let profile {
            guard profiles[profile]?.objectValue != nil else {
                let near = nearestName(profile, among: profiles.keys).map { "Did you mean \($0)?" }
                let known = profiles.isEmpty ? "It has none." : "Profiles are \(namesList(profiles.keys))."
                throw InvalidInput(
                    document.finding(
                        rule: "B2C-PRJ-010", "there is no profile \"\(profile)\"", remedy: near ?? known,
                        at: .root.appending("profiles")))
            }
        }
        let chosen = Self.chosen(root, profile)
        paths = chosen["paths"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var variables: [String: String] = [:]
        var outputs: [String] = []
        for key in Self.keys {
            guard let value = chosen[key.path] else { continue }
            variables[key.variable] = Self.text(value)
            if key.isOutput, let file = value.stringValue { outputs.append(file) }
        }
        for (name, value) in chosen["variables"]?.objectValue?.members ?? [] {
            variables["B2C_VARIABLE_\(name)"] = Self.text(value)
        }
        self.variables = variables
        self.outputs = outputs
        let isOfProfile = profile.flatMap { profiles[$0]?["strict"] } != nil
        strictPlace =
            chosen["strict"] == nil
            ? nil : "\"strict\" in " + (isOfProfile ? "profile \(profile ?? "") of \(file)" : file)
    }

    /// The reports that a file with errors asks for, as far as it can be read: what is wrong with it belongs into them.
    package static func reports(bytes: [UInt8], profile: String?) -> [String: String] {
        guard let root = (try? JSONParser.parse(bytes))?.objectValue else { return [:] }
        let chosen = chosen(root, profile)
        var variables: [String: String] = [:]
        for key in keys where key.group == "reports" {
            guard let value = chosen[key.path], value.stringValue != "" else { continue }
            if key.isOutput ? value.stringValue != nil : value.boolValue != nil {
                variables[key.variable] = text(value)
            }
        }
        return variables
    }

    /// The keys that count: those of the profile before those of the file.
    private static func chosen(_ root: JSONObject, _ profile: String?) -> JSONObject {
        var base = root
        base["profiles"] = nil
        guard let over = profile.flatMap({ root["profiles"]?[$0]?.objectValue }) else { return base }
        return merged(base, over)
    }

    /// Keys of objects are merged, all else is replaced.
    private static func merged(_ base: JSONObject, _ over: JSONObject) -> JSONObject {
        var result = base
        for (key, value) in over.members {
            if let inner = value.objectValue, let before = base[key]?.objectValue {
                result[key] = .object(merged(before, inner))
            } else {
                result[key] = value
            }
        }
        return result
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .array(let values): values.compactMap(\.stringValue).joined(separator: ",")
        default: JSONWriter.compact(value)
        }
    }

    // MARK: Keys

    private struct Key {
        var group: String?
        var name: String
        var variable: String
        var shape: Shape
        var doc: String
        var isOutput = false

        /// The key's place in the file.
        var path: [String] { [group, name].compactMap { $0 } }
    }

    private static let keys: [Key] = {
        func report(_ name: String, _ variable: String, _ doc: String, in group: String = "reports") -> Key {
            Key(group: group, name: name, variable: variable, shape: .nonEmptyString, doc: doc, isOutput: true)
        }
        return [
            Key(
                name: "target", variable: "B2C_TARGET", shape: .nonEmptyString,
                doc: "Where scenarios run: a target file, or the name of one in `scenarios/targets` (`--target`)."),
            Key(
                name: "tags", variable: "B2C_TAGS", shape: .array(of: .nonEmptyString),
                doc: "Only scenarios with one of these tags; `!tag` leaves those with the tag out (`--tags`)."),
            Key(
                name: "seed", variable: "B2C_SEED", shape: .integer(0...Int64.max),
                doc: "The number from which all randomness comes (`--seed`)."),
            Key(
                name: "jobs", variable: "B2C_JOBS", shape: .integer(1...1024),
                doc: "How many scenarios run at the same time (`--jobs`)."),
            Key(
                name: "strict", variable: "B2C_STRICT", shape: .bool,
                doc: "Run nothing when a script has a warning (`--strict`)."),
            Key(
                name: "maxFailures", variable: "B2C_MAX_FAILURES", shape: .integer(1...1_000_000),
                doc: "Stop after so many failures (`--max-failures`)."),
            Key(
                name: "retries", variable: "B2C_RETRIES", shape: .integer(0...100),
                doc: "How often what failed at a network target runs again (`--retries`)."),
            Key(
                name: "failOnFlaky", variable: "B2C_FAIL_ON_FLAKY", shape: .bool,
                doc: "Fail when a scenario is flaky (`--fail-on-flaky`)."),
            Key(
                name: "timings", variable: "B2C_TIMINGS", shape: .nonEmptyString,
                doc: "Wall times of scenarios, by which `--shard` divides them (`--timings`).", isOutput: true),
            report("junit", "B2C_REPORT_JUNIT", "JUnit XML (`--report-junit`)."),
            report("html", "B2C_REPORT_HTML", "One HTML page that opens offline (`--report-html`)."),
            report("json", "B2C_REPORT_JSON", "The JSON report (`--report-json`)."),
            report("markdown", "B2C_REPORT_MARKDOWN", "Counts and failures as Markdown (`--report-markdown`)."),
            report("gitlab", "B2C_REPORT_GITLAB", "GitLab's code quality report (`--report-gitlab`)."),
            Key(
                group: "reports", name: "github", variable: "B2C_REPORT_GITHUB", shape: .bool,
                doc: "Annotations and step summary of GitHub Actions (`--report-github`)."),
            Key(
                group: "reports", name: "azure", variable: "B2C_REPORT_AZURE", shape: .bool,
                doc: "Issues and summary of Azure Pipelines (`--report-azure`)."),
            report("json", "B2C_TRACE_JSON", "Every step's outcome as JSON (`--trace-json`).", in: "trace"),
            report("har", "B2C_TRACE_HAR", "Every request as HTTP Archive (`--trace-har`).", in: "trace"),
            report(
                "text", "B2C_COVERAGE_TEXT", "What ran of custom policies, as text (`--coverage-text`).", in: "coverage"
            ),
            report("json", "B2C_COVERAGE_JSON", "The same as JSON (`--coverage-json`).", in: "coverage"),
            report(
                "cobertura", "B2C_COVERAGE_COBERTURA", "The same as Cobertura XML (`--coverage-cobertura`).",
                in: "coverage"),
            Key(
                group: "coverage", name: "min", variable: "B2C_COVERAGE_MIN", shape: .number,
                doc: "Percentage of the custom policies that has to run (`--coverage-min`)."),
            Key(
                group: "coverage", name: "changed", variable: "B2C_COVERAGE_CHANGED", shape: .nonEmptyString,
                doc: "The minimum counts what changed since this git revision (`--coverage-changed`)."),
        ]
    }()

    private static let groups: [(name: String, title: String, doc: String)] = [
        ("reports", "reports section", "Reports to write: file names. Missing folders are made."),
        ("trace", "trace section", "Traces to write: file names."),
        ("coverage", "coverage section", "Coverage of custom policies: file names and the gate."),
    ]

    private static let fields: [Field] = {
        var fields = [
            Field(
                "paths", .array(of: .nonEmptyString), "Files and folders that run.",
                defaultText: "the folder `scenarios`, else this one")
        ]
        fields += keys.filter { $0.group == nil }.map { Field($0.name, $0.shape, $0.doc) }
        fields.append(
            Field(
                "variables", .map(of: .anyOf([.string, .number, .bool]), keyHint: "name of the variable"),
                "Values for variables of the scripts (`--variable`)."))
        for group in groups {
            let inner = keys.filter { $0.group == group.name }.map { Field($0.name, $0.shape, $0.doc) }
            fields.append(
                Field(group.name, .object(ObjectShape(title: group.title, doc: group.doc, fields: inner)), group.doc))
        }
        return fields
    }()

    /// What the file may hold.
    package static let shape: Shape = .object(
        ObjectShape(
            title: "project file", doc: "How `b2c run` and `b2c merge` run in this folder.",
            fields: [Field("$schema", .string, "Path or URL of the schema, for editors.")] + fields + [
                Field(
                    "proves",
                    .map(
                        of: .nonEmptyString, keyHint: "path of a script or folder, then # and a JSON pointer or a rule"),
                    "Why lines that `b2c check --prove` reports are right all the same."),
                Field(
                    "profiles",
                    .map(
                        of: .object(
                            ObjectShape(
                                title: "profile", doc: "Keys that take the place of those of the file.", fields: fields)
                        ),
                        keyHint: "name of the profile"),
                    "Variants, such as `ci`, chosen by `--profile`."),
            ]))

    /// The schema, for editors.
    package static let schema = SchemaWriter.schema(
        id: "https://b2c-harness.github.io/schemas/project.schema.json", title: "b2c.json", root: shape, named: [:],
        templates: false, names: [:])
}

extension JSONObject {
    /// The value at the end of a path of keys.
    fileprivate subscript(path: [String]) -> JSONValue? {
        guard let first = path.first, let value = self[first] else { return nil }
        return path.count == 1 ? value : value.objectValue?[Array(path.dropFirst())]
    }
}
