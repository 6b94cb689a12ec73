import AuthorityHosting
import CommandKit
import Diagnostics
import Exchanges
import JSON
import Synchronization
import TenantFiles
import TrustFramework

/// Policies that are served besides those of the tenant file, and the values of their placeholders.
struct ServedPolicies: Sendable {
    /// A folder whose relying parties are served.
    var folder: String?
    /// The settings file of all policies; `nil`: that of the tenant file, or the `appsettings.json` beside those of the folder.
    var settings: String?
    /// Which environment of it; `nil`: the tenant file's, or the first.
    var environment: String?
}

/// Reads what the server serves.
enum TenantLoading {
    /// Reads and compiles a tenant file with its custom policies. Prints everything that is wrong with them. The status of
    /// the failure is that of the machine if it could not read, which shows nothing about the files.
    ///
    /// - Parameter path: The tenant file; nil: the embedded tenant.
    static func tenant(at path: String?, policies: ServedPolicies = ServedPolicies()) throws -> CompiledTenant {
        let reading = MachineTrouble()
        let bytes: [UInt8]
        if let path {
            do throws(FileSystem.Problem) {
                bytes = try reading.watch(path) { () throws(FileSystem.Problem) in try FileSystem.read(path) }
            } catch {
                try reading.check()
                throw Failure.input(
                    "\(path) cannot be read: \(error.text). Name a tenant file, such as one that `b2c init` writes; without "
                        + "one an embedded tenant is served")
            }
        } else {
            bytes = Array(StarterTenant.text.utf8)
        }
        do {
            let tenant = try compile(path, bytes, policies: policies, reading)
            // A folder that could not be listed looks as if it had no files.
            try reading.check()
            return tenant
        } catch let findings as InvalidInput {
            try reading.check()
            throw failure(findings)
        }
    }

    private static func compile(
        _ path: String?, _ bytes: [UInt8], policies: ServedPolicies, _ reading: MachineTrouble
    ) throws(InvalidInput) -> CompiledTenant {
        let path = path ?? StarterTenant.name
        let file = try TenantFile.read(file: path, bytes: bytes)
        let matchers = RestMatchChecks.findings(file.document.root, in: file.document, at: .root)
        guard !matchers.hasErrors else { throw InvalidInput(diagnostics: matchers) }
        var json = file.json
        var tenant = file.outline
        let beside = tenant.policySettingsFile == nil ? policies.folder.flatMap(PolicySettingsFile.path) : nil
        if let settings = policies.settings ?? beside {
            tenant.policySettingsFile = FilePath.absolute(settings)
            json = json.merging(patch: ["policySettingsFile": .string(FilePath.absolute(settings))])
        }
        if let environment = policies.environment {
            tenant.policyEnvironment = environment
            json = json.merging(patch: ["policyEnvironment": .string(environment)])
        }
        if let place = policies.folder {
            json = json.merging(patch: try patch(of: place, over: tenant, from: FilePath.folder(path), reading))
        }
        let folder = FilePath.folder(path)
        let files = PolicyFiles.disk(below: try folders(of: try Tenant(json: json), in: folder), reading)
        return try CompiledTenant.compile(json, shelf: PolicyShelf(files: files), folder: folder)
    }

    /// The folders that a tenant file names: its own, those of its policies and those of its pages. Settings that are changed while the server
    /// runs can name no file outside them.
    static func folders(of tenant: Tenant, in folder: String) throws(InvalidInput) -> [String] {
        let files = tenant.policies.compactMap(\.file) + [tenant.policySettingsFile].compactMap { $0 }
        return [folder] + tenant.policyFolders.map { FilePath.resolve($0, in: folder) }
            + tenant.pageFolders.members.compactMap { $0.value.stringValue.map { FilePath.resolve($0, in: folder) } }
            + files.map { FilePath.folder(FilePath.resolve($0, in: folder)) }
    }

    /// The tenant with what an earlier run changed of it. Prints everything that is wrong with that.
    ///
    /// - Parameter path: The state file that has kept the changes.
    static func tenant(_ changes: KeptTenant, over file: CompiledTenant, kept path: String) throws -> CompiledTenant {
        do throws(InvalidInput) {
            return try changes.applied(to: file)
        } catch {
            let failure = failure(error)
            Machine.error.write(
                "These settings were changed at run time, are kept in \(path), and do not fit the tenant file any more. "
                    + "Fix the tenant file, or remove the state file.\n")
            throw failure as any Error
        }
    }

    /// The end of a command because of what was printed.
    static func failure(_ error: InvalidInput) -> Failure {
        let files = Set(error.diagnostics.compactMap(\.location?.file)).sorted()
        let sources = files.compactMap { name in
            (try? FileSystem.read(name)).map { FileSystem.shown(SourceText(file: name, bytes: $0)) }
        }
        let renderer = DiagnosticRenderer(
            color: Machine.error.isTerminal && Machine.environment("NO_COLOR") == nil, sources: sources)
        Machine.error.write(renderer.render(error.diagnostics) + "\n")
        return Failure.silent(.input)
    }

    /// What a folder of policies adds to a tenant file: an entry for each relying party that the file does not have,
    /// and the folder as a place of parents.
    private static func patch(
        of folder: String, over tenant: Tenant, from ownFolder: String, _ reading: MachineTrouble
    ) throws(InvalidInput) -> JSONValue {
        let folder = FilePath.absolute(folder)
        let files = PolicyFiles.disk(below: [folder], reading)
        var values = tenant.policySettings.map { (name: $0.0, value: $0.1) }
        if let file = tenant.policySettingsFile.map({ FilePath.resolve($0, in: ownFolder) }) {
            values += try PolicyEnvironments.read(file: file, bytes: try? FileSystem.read(file))
                .environment(tenant.policyEnvironment).values
        }
        guard let names = files.list(folder) else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-091", "there is no folder \(folder)",
                    remedy: "--policies names a folder of policy files."))
        }
        var entries = JSONObject()
        var findings: [Diagnostic] = []
        for name in names where name.lowercased().hasSuffix(".xml") {
            let path = folder + "/" + name
            if let why = files.refusal(path) {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-091", "policy file \(path) \(why)",
                        remedy: "Put the file itself into the folder, or remove the link."))
                continue
            }
            guard let bytes = files.read(path), PolicyReader.isPolicy(bytes: bytes) else { continue }
            do throws(InvalidInput) {
                let document = try PolicyReader.read(
                    file: path, bytes: bytes, settings: values + [("Tenant", tenant.domain)],
                    tenantDomain: tenant.domain)
                guard document.relyingParty != nil, tenant.policy(id: document.policyID) == nil else { continue }
                entries[document.policyID] = [
                    "id": .string(document.policyID), "type": "custom", "file": .string(path),
                ]
            } catch {
                findings += error.diagnostics
            }
        }
        if findings.hasErrors { throw InvalidInput(diagnostics: findings) }
        let folders = tenant.policyFolders + [folder]
        return [
            "policies": .object(entries), "policyFolders": .array(folders.map { .string($0) }),
        ]
    }
}

/// The first time that the machine could not read while a tenant was loaded: too many files are open, or a disk fails.
final class MachineTrouble: Sendable {
    private let first = Mutex<String?>(nil)

    /// Reads something, and takes note where the machine cannot.
    func watch<Value>(
        _ path: String, _ read: () throws(FileSystem.Problem) -> Value
    ) throws(FileSystem.Problem) -> Value {
        do throws(FileSystem.Problem) {
            return try read()
        } catch {
            if error.isOfMachine {
                first.withLock { $0 = $0 ?? "\(path) cannot be read now: \(error.text)" }
            }
            throw error
        }
    }

    /// Ends the loading if there was such a time.
    func check() throws {
        if let text = first.withLock({ $0 }) { throw Failure.machine(text) }
    }
}

extension PolicyFiles {
    /// Files on the disk, below some folders only.
    ///
    /// A link counts as the file that it leads to: a folder that somebody unpacked must not show other files of the machine.
    static func disk(below folders: [String], _ reading: MachineTrouble = MachineTrouble()) -> PolicyFiles {
        let roots = Set(folders.compactMap { FileSystem.real($0) }).sorted()
        /// Whether a folder is one of them or lies below one.
        @Sendable func isAllowed(_ folder: String) -> Bool {
            guard let real = FileSystem.real(folder) else { return false }
            return roots.contains { real == $0 || real.hasPrefix($0 == "/" ? "/" : $0 + "/") }
        }
        @Sendable func refusal(_ path: String) -> String? {
            // Of a folder that is not there nothing can be read.
            guard isAllowed(FilePath.folder(path)) || FileSystem.kind(FilePath.folder(path)) == nil else {
                return "lies outside the folders of the tenant file: \(roots.joined(separator: ", "))"
            }
            guard FileSystem.kind(path) != nil else { return nil }
            if let real = FileSystem.real(path), !isAllowed(FilePath.folder(real)) {
                return "is a link to \(real), outside the folders of the tenant file: \(roots.joined(separator: ", "))"
            }
            return FileSystem.kind(path) == .file ? nil : "is not a regular file"
        }
        return PolicyFiles(
            read: { path in
                guard refusal(path) == nil else { return nil }
                return try? reading.watch(path) { () throws(FileSystem.Problem) in try FileSystem.read(path) }
            },
            list: { folder in
                guard isAllowed(folder) else { return nil }
                return try? reading.watch(folder) { () throws(FileSystem.Problem) in
                    try FileSystem.names(in: folder)
                }
            }, refusal: refusal)
    }
}
