import ArgumentParser
import CommandFiles
import CommandKit
import PolicyTools

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
        let versions = PolicyVersionPair(
            old: try before.source(policy: policy, bases: parents.base, values.source).read(),
            new: try after.source(policy: policy, bases: parents.base, values.source).read(), policy: policy)
        let limits = walk.limits(seed: try seeding.value())
        var differences: [PolicyComparison] = []
        var isBroken = false
        let pairs = try versions.pairs()
        let bar = pairs.count > 1 && Machine.error.isTerminal ? Machine.error : nil
        for (number, pair) in pairs.enumerated() {
            bar?.write("\r\u{1b}[K\(number)/\(pairs.count) policies compared")
            do {
                var comparison = try await versions.compare(pair, limits, seconds: structure ? nil : walk.time)
                if let write, let new = pair.new, !comparison.behaviour.isEmpty {
                    let folder = try ExplorationFolder(
                        write, found: versions.new, settings: new, policy: try versions.new.linked(new),
                        seed: limits.seed)
                    try folder.write(&comparison)
                }
                differences.append(comparison)
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
}

extension PolicyDiffReport.Format: ExpressibleByArgument {}
