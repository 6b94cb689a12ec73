import ArgumentParser
import B2CProtocol
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyTools
import TrustFramework

/// `b2c policy`.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Shows policies, and what they do when a person signs in.",
        discussion: """
            Every command takes a folder of TrustFrameworkPolicy files, or one such file, or with --tenant the name of a \
            policy in a tenant file, which may be a user flow.

              b2c policy list policies
              b2c policy trace policies --policy B2C_1A_signup_signin --user nina
              b2c policy graph policies --policy B2C_1A_signup_signin --svg journey.svg

            How much of them a suite runs: `b2c run --coverage-text -`.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Look",
                subcommands: [
                    PolicyListCommand.self, PolicyShowCommand.self, PolicyRunCommand.self, PolicyTraceCommand.self,
                    PolicyGraphCommand.self, PolicyTenantCommand.self, PolicyExploreCommand.self,
                    PolicyDiffCommand.self,
                    PolicyLogCommand.self, PolicyMigrateCommand.self,
                ]),
            CommandGroup(
                name: "Release",
                subcommands: [
                    PolicyBuildCommand.self, PolicyNeedsCommand.self, PolicyPullCommand.self, PolicyPlanCommand.self,
                    PolicyDeployCommand.self, PolicyKeysCommand.self, PolicyDriftCommand.self,
                ]),
        ])
}

/// `b2c policy list`.
struct PolicyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists policies: what they inherit from, and their journeys.")

    @OptionGroup var place: PolicyPlace

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let found = try place.source.read()
        guard !found.tenant.policies.isEmpty || !found.files.isEmpty else {
            Machine.out.write("\(found.shown) has no policies\n")
            return
        }
        var rows = [found.isFolder ? ["ID", "INHERITS FROM", "JOURNEYS", ""] : ["NAME", "ID", "TYPE", ""]]
        var findings: [Diagnostic] = []
        let wanted = try place.source.policy.map { _ in try found.settings().name }
        for settings in found.tenant.policies where wanted.map({ $0 == settings.name }) ?? true {
            guard settings.type == .custom, settings.unsupported == nil else {
                rows.append([settings.name, settings.id, settings.type.rawValue, settings.unsupported ?? ""])
                continue
            }
            let start = found.isFolder ? [settings.id] : [settings.name, settings.id, settings.type.rawValue]
            do throws(InvalidInput) {
                let policy = try found.shelf.policy(settings, tenant: found.tenant, folder: found.folder)
                let about = try found.shelf.parents(of: settings, tenant: found.tenant, folder: found.folder)
                    .joined(separator: " > ")
                let journeys = Self.journeys(policy)
                rows.append(start + (found.isFolder ? [about, journeys, ""] : ["\(about)  \(journeys)"]))
            } catch {
                findings += error.diagnostics.filter { $0.severity == .error }
                rows.append(start + (found.isFolder ? ["", "", "does not link"] : ["does not link"]))
            }
        }
        for file in found.files where !file.isCallable && wanted == nil {
            let problems = Self.problems(of: file)
            let known = findings.map(\.location)
            findings += problems.filter { !known.contains($0.location) }
            rows.append([file.id, "", problems.isEmpty ? "none: no relying party" : "cannot be read", ""])
        }
        let table = TextTable.text(rows)
        let isWide = table.split(separator: "\n").contains { $0.unicodeScalars.count > Self.width }
        Machine.out.write(isWide && found.isFolder ? Self.blocks(rows.dropFirst()) : table)
        if !findings.isEmpty {
            PlacedPolicies.report(findings)
            throw Failure.silent(.input)
        }
    }

    /// A wider table does not fit a terminal.
    private static let width = 110

    /// What keeps a file that only others inherit from from being read.
    private static func problems(of file: PlacedPolicies.File) -> [Diagnostic] {
        do throws(InvalidInput) {
            _ = try PolicyReader.read(file: file.path, bytes: (try? FileSystem.read(file.path)) ?? [])
            return []
        } catch {
            return error.diagnostics.filter { $0.severity == .error }
        }
    }

    /// The rows of a folder below each other.
    private static func blocks(_ rows: some Sequence<[String]>) -> String {
        var text = ""
        for row in rows.map({ $0.map { VisibleText.of($0, keeping: []) } }) {
            text += row[0] + "\n"
            if !row[1].isEmpty { text += wrapped("inherits from " + row[1]) }
            if !row[2].isEmpty { text += wrapped("journeys: " + row[2]) }
            if row.count > 3, !row[3].isEmpty { text += wrapped(row[3]) }
        }
        return text
    }

    /// Indented lines of at most 80 columns, broken at spaces.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        var line = " "
        for word in text.split(separator: " ") {
            if line.unicodeScalars.count + 1 + word.unicodeScalars.count > 80, line.contains(where: { $0 != " " }) {
                lines.append(line)
                line = "   "
            }
            line += " " + word
        }
        return (lines + [line]).joined(separator: "\n") + "\n"
    }

    private static func journeys(_ policy: ResolvedPolicy) -> String {
        let party = policy.relyingParty
        let first = policy[party.defaultJourney]
        var text = "\(first.id) (\(first.steps.count) \(first.steps.count == 1 ? "step" : "steps"))"
        for endpoint in party.endpoints { text += ", \(endpoint.id): \(policy[endpoint.journey].id)" }
        return text
    }
}

/// `b2c policy show`.
struct PolicyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints a policy as XML: a custom policy merged with its parents, or what a user flow compiles to.",
        discussion: """
            Parts that the relying party does not reach are omitted. A flow's own part lies over a base that all flows \
            share, as the files of a starter pack do; with --own that part alone is printed.
            """)

    @OptionGroup var place: PolicyPlace

    @Flag(name: .long, help: "Only the policy's own file: what it adds to its parents.")
    var own = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let found = try place.source.read()
        let settings = try found.settings()
        let policy = try found.linked(settings)
        guard own else {
            Machine.out.write(data: PolicyWriter.show(policy))
            return
        }
        let document = try Failure.printing {
            settings.type == .custom
                ? try found.shelf.own(settings, tenant: found.tenant, folder: found.folder)
                : try UserFlowCompiler.document(
                    settings, tenant: found.tenant,
                    packs: try found.shelf.packs(settings, tenant: found.tenant, folder: found.folder))
        }
        Machine.out.write(data: PolicyWriter.xml(document))
    }
}

/// `b2c policy graph`.
struct PolicyGraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draws the journeys of a policy: as Mermaid text, or as an SVG drawing.")

    @OptionGroup var place: PolicyPlace

    @Option(name: .long, help: ArgumentHelp("Write an SVG drawing instead of Mermaid text.", valueName: "file"))
    var svg: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let found = try place.source.read()
        let graph = JourneyGraph(try found.linked(try found.settings()))
        guard let svg else {
            Machine.out.write(data: graph.mermaid)
            return
        }
        try OutputFile.save(graph.svg, to: svg)
        if svg != OutputFile.standardOutput { Machine.out.write("wrote \(svg)\n") }
    }
}

/// `b2c policy tenant`.
struct PolicyTenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant",
        abstract: "Prints a tenant file for a folder of policies, for scripts and for mock-server.",
        discussion: """
            It names the policies that apps can call, an app, the identity providers that the policies name, and three \
            people. Paths in it start from the current folder: save it here.
            """)

    @OptionGroup var place: PolicyPlace

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let found = try place.source.read()
        guard found.isFolder else { throw Failure.usage("\(found.shown) is a tenant file already; name a folder") }
        guard let usual = found.signInPolicy else {
            throw Failure.usage("\(found.shown) has no policy with a relying party")
        }
        let chosen = try found.wanted.map { _ in try found.settings() } ?? usual
        _ = try found.linked(chosen)
        found.warn(besides: chosen)
        let policies = found.tenant.policies.compactMap { settings in
            try? found.shelf.policy(settings, tenant: found.tenant, folder: found.folder)
        }
        for note in FolderWorld.notes(for: policies) { Machine.error.write("warning: \(note)\n") }
        // `/signed-in` is the page of mock-server that shows the tokens: B2C ignores the port of a loopback address.
        let signedIn: JSONValue = [
            "platform": ["bundleId": "com.contoso.app"],
            "registration": [
                "redirectUris": ["native": ["msauth.com.contoso.app://auth", "http://localhost/signed-in"]]
            ],
        ]
        let settings = FolderWorld.settings(app: "app", policy: chosen.name, for: policies)
            .merging(patch: ["apps": ["app": signedIn]])
        Machine.out.write(data: JSONWriter.pretty(found.playable(besides: chosen).merging(patch: settings)) + "\n")
    }
}
