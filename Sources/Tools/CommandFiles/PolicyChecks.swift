import CommandKit
import Diagnostics
import Exchanges
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework

extension PolicyFiles {
    /// The files of this machine.
    package static let disk = PolicyFiles(
        read: { try? FileSystem.read($0) }, list: { try? FileSystem.names(in: $0) },
        refusal: { path in
            let isGivenByShell = path.hasSuffix("/dev/stdin") || path.contains("/dev/fd/")
            return FileSystem.kind(path) == .other && !isGivenByShell ? "is not a regular file" : nil
        })
}

/// What keeps the policies of tenant files from running, with the places in tenant and policy files.
package enum PolicyChecks {
    /// Findings about a tenant: user flows that cannot be compiled, custom policies that do not link, and with `remarks`
    /// also the warnings of those that do. Settings that are not built yet are the business of scripts that use them.
    package static func findings(
        of tenant: Tenant, in document: JSONDocument, at pointer: JSONPointer, shelf: PolicyShelf, remarks: Bool = false
    ) -> [Diagnostic] {
        guard tenant.kind == .b2c else { return [] }
        let folder = ScenarioPath.folder(of: document.source.file)
        return Parallel.map(tenant.policies.filter { $0.unsupported == nil }) { settings -> [Diagnostic] in
            do throws(InvalidInput) {
                if settings.type == .custom {
                    let policy = try shelf.policy(settings, tenant: tenant, folder: folder)
                    return remarks ? policy.findings : []
                }
                let policy = try shelf.compile(settings, tenant: tenant, folder: folder)
                guard remarks else { return [] }
                return policy.findings.filter { $0.rule.hasPrefix("B2C-TXT") || $0.rule.hasPrefix("B2C-JSON") }
            } catch {
                return placed(error.diagnostics, about: settings, in: document, at: pointer)
            }
        }.flatMap(\.self)
    }

    /// What is wrong with the custom policies of scenarios: in them it is wrong in every script. Each tenant file counts once.
    private static func findings(of scenarios: [Scenario], shelf: PolicyShelf, remarks: Bool) -> [Diagnostic] {
        var seen: Set<String> = []
        return scenarios.map(\.tenant).flatMap { tenant -> [Diagnostic] in
            guard tenant.tenant.policies.contains(where: { $0.type == .custom }),
                seen.insert(tenant.document.source.file).inserted
            else { return [] }
            return findings(
                of: tenant.tenant, in: tenant.document, at: tenant.pointer, shelf: shelf, remarks: remarks)
        }
    }

    /// Everything that keeps scenarios from running, and what the runner has made ready before the first request.
    package static func start(
        of scenarios: [Scenario], _ options: RunOptions, remarks: Bool = false
    ) async -> (findings: [Diagnostic], prepared: PreparedRuns?) {
        var found =
            ScenarioInputs.findings(
                scenarios, variables: options.variables, secrets: options.secrets, environment: options.environment)
            + findings(of: scenarios, shelf: options.policies, remarks: remarks)
        let inputsAreKnown = !found.contains {
            $0.rule == ScenarioRule.missingInput.rawValue && $0.severity == .error
        }
        let start = await Runner.startFindings(scenarios, options: options, inputsAreKnown: inputsAreKnown)
        for finding in start.findings where !found.contains(finding) { found.append(finding) }
        return (found, start.prepared)
    }

    /// Findings about a policy of a tenant file with their places.
    package static func placed(
        _ findings: [Diagnostic], about settings: PolicySettings, in document: JSONDocument, at pointer: JSONPointer
    ) -> [Diagnostic] {
        findings.map { placed($0, about: settings, in: document, at: pointer) }
    }

    /// A finding about a setting gets its place in the tenant file; one about a policy file has its place.
    private static func placed(
        _ finding: Diagnostic, about settings: PolicySettings, in document: JSONDocument, at pointer: JSONPointer
    ) -> Diagnostic {
        var finding = finding
        if finding.location?.line != nil { return finding }
        if let location = finding.location, location.pointer == nil, !location.file.hasPrefix("tenant ") {
            return finding
        }
        let place = finding.location?.pointer.flatMap { JSONPointer($0) }?.tokens ?? ["policies", settings.name]
        finding.location = document.location(
            of: nearest(JSONPointer(tokens: pointer.tokens + place), document))
        return finding
    }

    /// The place itself, or what there is of it: a setting may come from `*`, or be a default.
    private static func nearest(_ pointer: JSONPointer, _ document: JSONDocument) -> JSONPointer {
        var place = pointer
        while document.root.value(at: place) == nil, let above = place.parent { place = above }
        return place
    }
}
