import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyRelease
import PolicyTools
import TrustFramework

/// `b2c policy needs`.
struct PolicyNeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "needs",
        abstract:
            "Lists what a tenant must have before policies are uploaded: keys, apps, attributes, settings, addresses.",
        discussion: """
            Every line names the file and line that needs it. No tenant is read: `b2c policy keys list FOLDER` compares \
            the keys with a tenant, and `b2c policy plan` everything.

              b2c policy needs policies
              b2c policy needs policies --environment Test --json
            """)

    @Argument(help: "A folder of policy files.")
    var folder: String

    @Flag(name: .long, help: "Print JSON, with every place.")
    var json = false

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let built = try ReleaseFolder.build(folder, values.source, tenant: nil)
        let needs = try PolicyNeeds.read(built, folder: folder, values.source, common)
        if json {
            var object = needs.json
            object["tenant"] = .string(built.tenant)
            object["environment"] = built.environment.map { .string($0) } ?? .null
            Machine.out.write(data: JSONWriter.pretty(.object(object)) + "\n")
        } else {
            Machine.out.write(needs.text(of: built, isVerbose: common.isVerbose))
        }
    }
}

extension PolicyNeeds {
    /// Collects the needs of a folder.
    ///
    /// - Throws: ``Failure``; its findings have been printed.
    static func read(
        _ built: BuiltPolicies, folder: String, _ values: PolicyValueSource, _ common: CommonOptions
    ) throws -> PolicyNeeds {
        // As they were written: in what is built, the settings are filled in.
        let source = try ReleaseFolder(folder, values)
        do throws(InvalidInput) {
            return try PolicyNeeds(built, files: source.files, environments: source.settings?.environments)
        } catch {
            let sources = source.files.map { SourceText(file: $0.path, bytes: $0.bytes) }
            throw FindingsPrinter(common, sources: sources).failure(error.diagnostics) as any Error
        }
    }

    /// For people, in 80 columns.
    func text(of built: BuiltPolicies, isVerbose: Bool) -> String {
        var out = ReleaseText(isVerbose: isVerbose)
        let environment = built.environment.map { ", environment \($0)" } ?? ""
        let policies =
            built.policies.count == 1 ? "1 policy needs" : "\(built.policies.count) policies need"
        out.line("\(policies) in \(built.tenant)\(environment):")
        let callable = built.policies.filter(\.isRelyingParty).map(\.id)
        /// A heading, and each need with its places by label and the policies that need it, where not all do.
        func section<Need>(
            _ heading: String, of needs: [Need],
            _ entry: (Need) -> (String, [(label: String, at: SourceLocation)], [String])
        ) {
            if !needs.isEmpty { out.heading(heading) }
            for (line, places, policies) in needs.map(entry) {
                out.line(line, indent: 2)
                var labels: [String] = []
                for place in places where !labels.contains(place.label) { labels.append(place.label) }
                for label in labels {
                    out.line(label + out.places(places.filter { $0.label == label }.map(\.at)), indent: 4)
                }
                let users = policies.filter(callable.contains)
                guard !users.isEmpty, users.count < callable.count else { continue }
                out.line("for \(users.joined(separator: ", "))", indent: 4)
            }
        }
        section("Policy keys", of: keys) { need in
            let what = need.requirements.map(\.phrase).joined(separator: " and ")
            return (
                what.isEmpty ? need.name : "\(need.name): \(what)",
                need.references.map { ($0.element + ": ", $0.location) },
                need.policies
            )
        }
        section("App registrations", of: apps) { need in
            (
                "\(need.role.rawValue): \(need.identifier.rawValue) \(need.value)", need.places.map { ("", $0) },
                need.policies
            )
        }
        section("Extension attributes", of: attributes) { ($0.name, $0.places.map { ("", $0) }, $0.policies) }
        section("Settings", of: settings) { need in
            let missing = need.environments.filter { !$0.isSet }.map(\.name)
            let state =
                need.environments.isEmpty
                ? ": there is no appsettings.json"
                : missing.isEmpty ? "" : ": missing in \(missing.joined(separator: ", "))"
            return (need.name + state, need.places.map { ("", $0) }, [])
        }
        section("Addresses that are called", of: addresses) { need in
            (need.url, need.items.map { ($0.key + ": ", $0.location) }, need.policies)
        }
        section("Pages that are loaded", of: pages) { ($0.name, $0.places.map { ("", $0) }, $0.policies) }
        return out.text
    }
}
