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
        /// Which policies need it, where not all do.
        func users(_ policies: [String]) {
            let users = policies.filter(callable.contains)
            guard !users.isEmpty, users.count < callable.count else { return }
            out.line("for \(users.joined(separator: ", "))", indent: 4)
        }
        if !keys.isEmpty { out.heading("Policy keys") }
        for need in keys {
            let what = need.requirements.map(\.phrase).joined(separator: " and ")
            out.line(what.isEmpty ? need.name : "\(need.name): \(what)", indent: 2)
            var elements: [String] = []
            for reference in need.references where !elements.contains(reference.element) {
                elements.append(reference.element)
            }
            for element in elements {
                let places = need.references.filter { $0.element == element }.map(\.location)
                out.line("\(element): \(out.places(places))", indent: 4)
            }
            users(need.policies)
        }
        if !apps.isEmpty { out.heading("App registrations") }
        for need in apps {
            out.line("\(need.role.rawValue): \(need.identifier.rawValue) \(need.value)", indent: 2)
            out.line(out.places(need.places), indent: 4)
            users(need.policies)
        }
        if !attributes.isEmpty { out.heading("Extension attributes") }
        for need in attributes {
            out.line(need.name, indent: 2)
            out.line(out.places(need.places), indent: 4)
            users(need.policies)
        }
        if !settings.isEmpty { out.heading("Settings") }
        for need in settings {
            let missing = need.environments.filter { !$0.isSet }.map(\.name)
            let state =
                need.environments.isEmpty
                ? ": there is no appsettings.json"
                : missing.isEmpty ? "" : ": missing in \(missing.joined(separator: ", "))"
            out.line(need.name + state, indent: 2)
            out.line(out.places(need.places), indent: 4)
        }
        if !addresses.isEmpty { out.heading("Addresses that are called") }
        for need in addresses {
            out.line(need.url, indent: 2)
            var keys: [String] = []
            for item in need.items where !keys.contains(item.key) { keys.append(item.key) }
            for key in keys {
                let places = need.items.filter { $0.key == key }.map(\.location)
                out.line("\(key): \(out.places(places))", indent: 4)
            }
            users(need.policies)
        }
        if !pages.isEmpty { out.heading("Pages that are loaded") }
        for need in pages {
            out.line(need.name, indent: 2)
            out.line(out.places(need.places), indent: 4)
            users(need.policies)
        }
        return out.text
    }
}
