import ArgumentParser
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import PolicyRelease
import PolicyTools

/// `b2c policy keys rotate`.
struct PolicyKeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Adds the next key to a set, or disables one.",
        discussion: """
            The next key takes over on its activation date: three and a half hours from now unless --activates names a \
            later time. The old key stays in the set. The service cannot remove a single key: disable it, or create another \
            set and change StorageReferenceId.

              b2c policy keys rotate B2C_1A_TokenSigningKeyContainer
              b2c policy keys rotate B2C_1A_RestApi --activates 2027-01-15T03:00:00Z
              b2c policy keys rotate B2C_1A_RestApi --disable 4fQ7...
            """)

    @Argument(help: ArgumentHelp("Key sets of the manifest.", valueName: "name"))
    var names: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "When the next key takes over: a time such as 2027-01-15T03:00:00Z, or a span such as 12h. (default: as early as "
                + "possible)", valueName: "time"))
    var activates: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Disable this key instead of adding one. Takes one NAME.", valueName: "kid"))
    var disable: String?

    @OptionGroup var manifest: KeyManifestOptions

    @Flag(name: .long, help: "Do not ask before writing.")
    var yes = false

    @OptionGroup var graphOptions: GraphOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let now = Machine.clock.now()
        if let disable {
            guard names.count == 1, let name = names.first, activates == nil else {
                throw Failure.usage("--disable takes one NAME and no --activates")
            }
            return try await turnOff(disable, in: name, now: now)
        }
        let wanted = try activates.map { text in
            guard let moment = KeyManifest.Moment(text) else {
                throw Failure.usage(
                    "--activates: expected a time such as 2027-01-15T03:00:00Z or a span such as 12h, found \"\(text)\""
                )
            }
            return moment.moment(from: now)
        }
        let entries = try entries()
        let graph = try graphOptions.graph()
        var sender = KeySender(graph)
        let sets: [KeySet]
        do throws(PolicyGraphProblem) {
            sets = try await sender.graph.keySets()
        } catch {
            throw error.failure as any Error
        }
        // Everything is decided and read before the first write.
        var rotations: [(rotation: KeyRotation, material: KeyMaterial, had: [PolicyKey])] = []
        for entry in entries {
            let set = sets.first { KeySet.isSame($0.id, entry.id) }
            do throws(KeyRotation.NoRotation) {
                let rotation = try KeyRotation(entry, set: set, activates: wanted, now: now)
                rotations.append((rotation, .generated, set?.keys ?? []))
            } catch {
                throw Failure.input("\(error.reason). \(error.remedy)") as any Error
            }
        }
        for index in rotations.indices {
            rotations[index].material = try manifest.material(rotations[index].rotation.entry)
        }
        for item in rotations { Machine.out.write(item.rotation.text(isVerbose: common.isVerbose)) }
        try Confirmation.ask("Add \(ReleaseText.count(rotations.count, "key")) to the tenant?", isGiven: yes)
        for (number, item) in rotations.enumerated() {
            do throws(PolicyGraphProblem) {
                let key = try await sender.rotate(item.rotation, item.material, had: item.had)
                Machine.out.write("\(item.rotation.entry.id): added \(KeyText.of(key))\n")
            } catch {
                Machine.error.write(
                    "\(item.rotation.entry.id): no key was added. \(number) of \(rotations.count) are done\n")
                throw error.failure as any Error
            }
        }
    }

    /// The sets that were named, each once.
    private func entries() throws -> [KeyManifest.Entry] {
        let manifest = try manifest.read(common)
        var entries: [KeyManifest.Entry] = []
        for name in names {
            guard let entry = manifest.entry(name) else {
                let known = manifest.entries.map(\.id)
                let near = nearestName(name, among: known + known.map(KeySet.bare)).map { "Did you mean \($0)?" }
                throw Failure.usage(
                    "\(self.manifest.manifest) has no key set \(name). \(near ?? "It has \(namesList(known)).")")
            }
            if !entries.contains(where: { $0.id == entry.id }) { entries.append(entry) }
        }
        return entries
    }

    private func turnOff(_ kid: String, in name: String, now: Timestamp) async throws {
        var graph = try graphOptions.graph()
        let found: KeySet?
        do throws(PolicyGraphProblem) {
            found = try await graph.keySet("B2C_1A_" + KeySet.bare(name))
        } catch {
            throw error.failure as any Error
        }
        guard let set = found else { throw Failure.input("the tenant has no key set \(name)") }
        if let refusal = KeyRotation.refusal(disabling: kid, in: set, now: now) {
            throw Failure.input("\(refusal.reason). \(refusal.remedy)")
        }
        Machine.out.write(
            TerminalText.wrapped(
                "What was signed with the key, or encrypted for it, is not accepted any more once the key is disabled: wait "
                    + "until tokens of the old key have expired.\n", columns: 80))
        try Confirmation.ask("Disable \(kid) of \(set.id)?", isGiven: yes)
        do throws(PolicyGraphProblem) {
            try await graph.setKey(kid, in: set.id, isEnabled: false)
        } catch {
            throw error.failure as any Error
        }
        Machine.out.write("\(set.id): disabled \(kid)\n")
    }
}

extension KeyRotation {
    /// For people, in 80 columns.
    func text(isVerbose: Bool) -> String {
        var out = ReleaseText(isVerbose: isVerbose)
        out.line(entry.id)
        let begins = activates.map { "takes over on \($0.rfc3339)" } ?? "takes over as its certificate says"
        let ends =
            entry.type == .certificate ? "" : ", " + (expires.map { "expires \($0.rfc3339)" } ?? "never expires")
        out.line("next     \(entry.requirement.phrase) \(entry.source.phrase), \(begins)\(ends)", indent: 2)
        if let old = status.active {
            let ending = old.expires.map { "expires \($0.rfc3339)" } ?? "never expires"
            out.line("active   \(KeyText.of(old)), \(ending)", indent: 2)
            out.line(
                "The service cannot remove it from the set. To stop its use after the next key has taken over: "
                    + "b2c policy keys rotate \(entry.id) --disable \(old.kid)", indent: 2)
        }
        if let activates, let gap = status.gap, gap < activates {
            out.line("warning  no active key from \(gap.rfc3339) until \(activates.rfc3339)", indent: 2)
        }
        return out.text
    }
}
