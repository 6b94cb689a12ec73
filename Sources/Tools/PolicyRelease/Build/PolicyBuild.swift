import Diagnostics
import Markup
import TrustFramework

/// Builds the policies of a folder: settings filled in, UTF-8, parents first.
public enum PolicyBuild {
    /// Builds the policy files of a folder.
    ///
    /// - Parameters:
    ///   - files: Paths as findings show them, and bytes. Files that are not policies are ignored.
    ///   - environment: Values for `{Settings:NAME}`, and the tenant; `nil`: there is no settings file.
    ///   - tenant: The domain of the tenant, where the environment does not name one.
    /// - Returns: No policies if a finding is an error. A parent that is not among the files is a warning: the tenant may
    ///   have it (``BuiltPolicies/missingParents``).
    public static func build(
        _ files: [(path: String, bytes: [UInt8])], environment: PolicyEnvironments.Environment?, tenant: String?
    ) -> (policies: BuiltPolicies?, findings: [Diagnostic]) {
        var drafts: [BuildDraft] = []
        var findings: [Diagnostic] = []
        for file in files where isPolicy(file.bytes) {
            let settings = settings(environment, tenant, file: file.path)
            let text = PolicyText(
                path: file.path, bytes: file.bytes, settings: settings, tenant: domain(environment, tenant))
            do throws(InvalidInput) {
                let tree = try XMLTree(policy: text.source)
                findings += unfilled(tree, settings, environment)
                drafts.append(try BuildDraft(tree, path: file.path))
            } catch {
                findings += error.diagnostics
            }
        }
        findings += doubles(drafts) + tenants(drafts)
        let (order, problems) = uploadOrder(drafts)
        findings += problems
        findings = findings.inSourceOrder
        guard !findings.hasErrors else { return (nil, findings) }
        let named = drafts.lazy.compactMap(\.tenant).first
        let built = BuiltPolicies(
            tenant: named?.text ?? domain(environment, tenant) ?? "", environment: environment?.name,
            policies: order.map { drafts[$0].policy }, settings: environment?.values ?? [])
        return (built, findings)
    }

    /// What may not be in production: development mode and recorders of journeys, which log all claims.
    public static func productionFindings(of policies: BuiltPolicies) -> [Diagnostic] {
        policies.policies.flatMap { policy -> [Diagnostic] in
            guard let tree = try? XMLTree(policy: policy.source) else { return [] }
            var findings: [Diagnostic] = []
            for (place, attribute) in tree.nodes[0].attributes.enumerated() {
                let location = tree.location(ofValue: place, of: 0)
                if attribute.name == "DeploymentMode", attribute.value == "Development" {
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-077", "DeploymentMode is Development",
                            remedy: "Remove it, or write Production.", at: location))
                } else if attribute.name == "UserJourneyRecorderEndpoint" {
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-078", "UserJourneyRecorderEndpoint is set", remedy: "Remove it.",
                            at: location))
                }
            }
            for index in tree.nodes.indices where tree.nodes[index].name == "JourneyInsights" {
                for (place, attribute) in tree.nodes[index].attributes.enumerated()
                where attribute.name == "DeveloperMode" && ["true", "1"].contains(attribute.value) {
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-078", "DeveloperMode is on", remedy: "Write false.",
                            at: tree.location(ofValue: place, of: index)))
                }
            }
            return findings
        }
    }

    /// Whether bytes look like a policy, readable or not.
    package static func isPolicy(_ bytes: [UInt8]) -> Bool {
        let text = PolicyText.utf8(bytes)
        return PolicyReader.peekPolicyID(text) != nil
            || String(decoding: text.prefix(4096), as: UTF8.self).contains("<TrustFrameworkPolicy")
    }

    // MARK: Settings

    /// The domain that fills `yourtenant.onmicrosoft.com`.
    static func domain(_ environment: PolicyEnvironments.Environment?, _ tenant: String?) -> String? {
        [environment?.tenant, tenant].compactMap { $0 }.first { !TenantPlaceholder.isOne($0) }
    }

    /// Values for a file: those of the environment, and those that the Azure AD B2C extension of Visual Studio Code has
    /// without a settings file too (its readme).
    static func settings(
        _ environment: PolicyEnvironments.Environment?, _ tenant: String?, file: String
    ) -> [(name: String, value: String)] {
        let name = String(file.split(separator: "/").last ?? "")
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        var settings = environment?.values ?? []
        if let tenant { settings.append(("Tenant", tenant)) }
        settings.append(("Filename", stem))
        settings.append(("PolicyFilename", stem.replacing("B2C_1A_", with: "")))
        return settings
    }

    /// Placeholders of settings without a value, and the names that Microsoft's starter packs have in the place of app ids.
    private static func unfilled(
        _ tree: XMLTree, _ settings: [(name: String, value: String)], _ environment: PolicyEnvironments.Environment?
    ) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        func look(at text: String, _ location: @autoclosure () -> SourceLocation) {
            if text.utf8.contains(UInt8(ascii: "{")) {
                for name in PolicySettingsText.names(in: text) {
                    let near = nearestName(name, among: settings.map(\.name)).map { "Did you mean \($0)? " } ?? ""
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-012",
                            "{Settings:\(name)} has no value "
                                + (environment.map { "in environment \($0.name)" } ?? "because there are no settings"),
                            remedy: environment.map {
                                "\(near)Add \"\(name)\" to PolicySettings of \($0.name) in the settings file."
                            } ?? "Name a settings file by --settings, or put an appsettings.json beside the policies.",
                            at: location()))
                }
            } else if starterApps.contains(text.trimmingWhitespace) {
                findings.append(
                    Diagnostic(
                        .warning, rule: "B2C-POL-012", "\"\(text.trimmingWhitespace)\" is a placeholder",
                        remedy: "Write the client ID of that app, or {Settings:\(text.trimmingWhitespace)}.",
                        at: location()))
            }
        }
        for (index, node) in tree.nodes.enumerated() {
            for (place, attribute) in node.attributes.enumerated() {
                look(at: attribute.value, tree.location(ofValue: place, of: index))
            }
            look(at: node.text, tree.location(of: index))
        }
        return findings
    }

    private static let starterApps: Set<String> = [
        "ProxyIdentityExperienceFrameworkAppId", "IdentityExperienceFrameworkAppId",
    ]
}

extension BuiltPolicies {
    /// The parents that are not among the policies, each with the policies that name it: the tenant must have them.
    public var missingParents: [(parent: String, children: [String])] {
        var missing: [(parent: String, children: [String])] = []
        let known = Set(policies.map { $0.id.uppercased() })
        for policy in policies {
            guard let base = policy.base, !known.contains(base.uppercased()) else { continue }
            if let place = missing.firstIndex(where: { sameID($0.parent, base) }) {
                missing[place].children.append(policy.id)
            } else {
                missing.append((base, [policy.id]))
            }
        }
        return missing
    }
}
