import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import Exploration
import JSON
import PolicyTools
import TenantFiles
import TrustFramework

/// `b2c policy diff`.
struct PolicyDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two states of policies: their elements, and what people, apps and services notice.",
        discussion: """
            OLD and NEW are folders of policy files, policy files, tenant files, bundles, or what a git revision has, as \
            REVISION:PATH. Policies are compared with all their files merged. Where elements differ, every way through \
            both policies is walked, and each path is run with both.

              b2c policy diff               the folder since the last commit
              b2c policy diff origin/main   the folder since that revision
              b2c policy diff origin/main:policies policies
              b2c policy diff old/tenant.json tenant.json --policy signin --write changed
              b2c policy diff main:policies policies --format markdown --output diff.md

            Ends with 0, with --exit-code with 4 when something differs, with 2 when a file cannot be read.
            """)

    @Argument(
        help: ArgumentHelp(
            "Before the change: a path, or REVISION:PATH of git. (default: what HEAD has of NEW)", valueName: "old"))
    var before: String?

    @Argument(help: ArgumentHelp("After the change. (default: the folder, or PATH of OLD)", valueName: "new"))
    var after: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The policy's id, or its name in the tenant file. (default: all)", valueName: "id"))
    var policy: String?

    @Flag(name: .long, help: "Only compare elements; run nothing.")
    var structure = false

    @Option(name: .long, help: "How differences are written: text, markdown or json.")
    var format: PolicyDiffReport.Format = .text

    @Option(name: .long, help: ArgumentHelp("Write them there instead of printing.", valueName: "file"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write a scenario for each change there, which plays NEW and expects what OLD does.",
            valueName: "folder"))
    var write: String?

    @Flag(name: .long, help: "End with 4 when something differs.")
    var exitCode = false

    @OptionGroup var walk: WalkOptions

    @OptionGroup var seeding: SeedOptions

    @OptionGroup var parents: ParentOptions

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try walk.check()
        if structure, write != nil { throw Failure.usage("--write needs runs, and --structure runs nothing") }
        let (old, new) = sides
        let before = try await PolicyVersion(old)
        defer { before.remove() }
        let after = try await PolicyVersion(new)
        defer { after.remove() }
        if write != nil, !after.isInPlace {
            throw Failure.usage("--write: scenarios play the policies of NEW, and \(new) is not in the working tree")
        }
        let one = try before.place(policy: policy, parents, values).read(common)
        let other = try after.place(policy: policy, parents, values).read(common)
        var differences: [PolicyComparison] = []
        var isBroken = false
        let pairs = try pairs(one, other)
        let bar = pairs.count > 1 && Machine.error.isTerminal ? Machine.error : nil
        for (number, pair) in pairs.enumerated() {
            bar?.write("\r\u{1b}[K\(number)/\(pairs.count) policies compared")
            do {
                differences.append(try await compare(pair, one, other))
            } catch let failure as Failure where failure.status == .input {
                isBroken = true
            }
        }
        bar?.write("\r\u{1b}[K")
        let report = PolicyDiffReport(
            old: old, new: new, policies: differences, shownOld: { before.shown($0) }, shownNew: { after.shown($0) })
        let text = report.text(format)
        if let output {
            try OutputFile.save(text, to: output)
        } else if format == .text {
            Machine.out.write(text)
        } else {
            Machine.out.write(data: text)
        }
        if isBroken { throw Failure.silent(.input) }
        if exitCode, differences.contains(where: { $0.status != .same }) { throw Failure.silent(.expectation) }
    }

    /// OLD and NEW. Who names one thing means a change to it in the working tree: a path against the last commit, a revision
    /// against the folder.
    private var sides: (old: String, new: String) {
        if let before, let after { return (before, after) }
        guard let named = before else { return ("HEAD:.", ".") }
        if FileSystem.kind(FilePath.relative(named, to: Machine.currentFolder)) != nil {
            return (named.hasPrefix("/") || named.hasPrefix(".") ? "HEAD:\(named)" : "HEAD:./\(named)", named)
        }
        guard let colon = named.firstIndex(of: ":") else { return ("\(named):.", ".") }
        let path = named[named.index(after: colon)...]
        return (named, path.isEmpty ? "." : String(path))
    }

    /// The policies of both, by id or, in tenant files, by name.
    private func pairs(
        _ one: PlacedPolicies, _ other: PlacedPolicies
    ) throws -> [(old: PolicySettings?, new: PolicySettings?)] {
        // A file that was named is one policy.
        if let policy = policy ?? (other.isFolder ? other.wanted : nil) ?? (one.isFolder ? one.wanted : nil) {
            let pair = (one.policy(policy), other.policy(policy))
            // Neither has it: the error says which there are.
            if pair.0 == nil, pair.1 == nil { return [(nil, try other.settings())] }
            return [pair]
        }
        func partner(_ settings: PolicySettings, in found: PlacedPolicies) -> PolicySettings? {
            found.tenant.policy(named: settings.name) ?? found.tenant.policy(id: settings.id)
        }
        var pairs: [(PolicySettings?, PolicySettings?)] = other.tenant.policies.map { (partner($0, in: one), $0) }
        for settings in one.tenant.policies where partner(settings, in: other) == nil { pairs.append((settings, nil)) }
        return pairs
    }

    private func compare(
        _ pair: (old: PolicySettings?, new: PolicySettings?), _ one: PlacedPolicies, _ other: PlacedPolicies
    ) async throws -> PolicyComparison {
        guard let old = pair.old, let new = pair.new else {
            return PolicyComparison((pair.old ?? pair.new)?.name ?? "", pair.old == nil ? .added : .removed)
        }
        let sides = (
            PolicyComparison.Side(found: one, settings: old, policy: try one.linked(old, common)),
            PolicyComparison.Side(found: other, settings: new, policy: try other.linked(new, common))
        )
        var comparison: PolicyComparison
        do throws(InvalidInput) {
            comparison = try PolicyComparison(sides.0, sides.1)
        } catch {
            PlacedPolicies.report(error.diagnostics, common)
            throw Failure.silent(.input) as any Error
        }
        guard !structure else { return comparison }
        let limits = walk.limits(seed: try seeding.value())
        try await comparison.compareBehaviour(sides.0, sides.1, limits: limits, seconds: walk.time)
        if let write, !comparison.behaviour.isEmpty {
            let folder = try ExplorationFolder(
                write, found: other, settings: new, policy: sides.1.policy, seed: limits.seed)
            try folder.write(&comparison)
        }
        return comparison
    }
}

extension PolicyDiffReport.Format: ExpressibleByArgument {}
