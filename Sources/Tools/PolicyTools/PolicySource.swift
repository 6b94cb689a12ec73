import CommandFiles
import CommandKit
import Diagnostics
import JSON
import TenantFiles
import TrustFramework
import Verbs

/// Where policies are: a tenant file, or a folder of policy files.
package struct PolicySource: Hashable, Sendable {
    /// A folder of policy files or one of them; with a tenant file the name or id of a policy there.
    package var place: String?
    /// A tenant file.
    package var tenant: String?
    /// The policy that is asked for; `nil`: the only one.
    package var policy: String?
    /// Further folders where parents are found.
    package var bases: [String]
    package var values: PolicyValueSource

    package init(
        place: String? = nil, tenant: String? = nil, policy: String? = nil, bases: [String] = [],
        values: PolicyValueSource = PolicyValueSource()
    ) {
        self.place = place
        self.tenant = tenant
        self.policy = policy
        self.bases = bases
        self.values = values
    }

    /// Reads what is there. Prints everything that is wrong.
    ///
    /// - Parameter given: Where texts come from that are not those of the disk, such as of an editor.
    package func read(from given: PolicyFiles? = nil) throws -> PlacedPolicies {
        var placed = try placed(given ?? .disk)
        guard let given else { return placed }
        placed.policyFiles = given
        placed.shelf = PolicyShelf(files: given)
        return placed
    }

    private func placed(_ files: PolicyFiles) throws -> PlacedPolicies {
        if let tenant {
            if !bases.isEmpty || values != PolicyValueSource() {
                throw Failure.usage("--base, --settings and --environment go with a folder; a tenant file has its own")
            }
            let file = try TenantArgument.read(tenant, from: files)
            let path = FilePath.relative(tenant, to: Machine.currentFolder)
            return PlacedPolicies(
                shown: tenant, tenant: file.outline, json: .string(path), document: file.document,
                folder: FilePath.folder(path), wanted: policy ?? place, isFolder: false,
                values: file.outline.policySettings.map { (name: $0.0, value: $0.1) })
        }
        guard let place else {
            throw Failure.usage("name a folder of policy files, or a tenant file by --tenant")
        }
        return try folder(FilePath.relative(place, to: Machine.currentFolder), from: files)
    }

    // MARK: Folders

    private func folder(_ path: String, from disk: PolicyFiles) throws -> PlacedPolicies {
        let (folder, own) = try located(path, disk)
        let source = try settingsFile(beside: folder, disk)
        let values = source?.environment.values ?? []
        let wanted = policy.map { PlacedPolicies.id($0, values) } ?? own
        let files = Self.policies(in: folder, values, disk)
        guard !files.isEmpty else { throw Self.noPolicies(in: folder, disk) }
        for folder in bases where FileSystem.kind(folder) != .folder {
            throw Failure.usage("--base: there is no folder \(folder)")
        }
        let json = tenantFile(of: files, wanted: wanted, source)
        return PlacedPolicies(
            shown: path, tenant: TenantFile.outline(of: json), json: json, document: nil, folder: ".", wanted: wanted,
            isFolder: true, files: files, values: values)
    }

    /// The folder that a path means, and the id of the policy where the path is its file.
    private func located(_ path: String, _ disk: PolicyFiles) throws -> (folder: String, policy: String?) {
        switch FileSystem.kind(path) ?? (disk.read(path) == nil ? nil : .file) {
        case nil:
            let names = disk.list(FilePath.folder(path)) ?? []
            let near = nearestName(FilePath.name(path), among: names).map { " Did you mean \($0)?" } ?? ""
            throw Failure.usage(
                "there is no file or folder \(path).\(near) Policies of a tenant file are named beside --tenant FILE.")
        case .folder: return (path, nil)
        case .file, .other:
            let folder = FilePath.folder(path)
            guard let bytes = disk.read(path), let id = PolicyReader.peekPolicyID(bytes) else {
                throw Failure.usage("\(path) is not a policy file")
            }
            let values = try settingsFile(beside: folder, disk)?.environment.values ?? []
            return (folder, PlacedPolicies.id(id, values))
        }
    }

    /// The end of a command at a folder without policies: with what is wrong in its files, or with folders that have some.
    private static func noPolicies(in folder: String, _ disk: PolicyFiles) -> Failure {
        let findings = unreadable(in: folder, disk)
        guard findings.isEmpty else {
            PlacedPolicies.report(findings)
            return Failure.silent(.input)
        }
        let below = folders(below: folder).map { "  " + FilePath.relative($0, to: Machine.currentFolder) }
        return Failure.usage(
            "\(folder) has no policy files"
                + (below.isEmpty
                    ? "" : "; folders below it have, name one of them:\n" + below.joined(separator: "\n")))
    }

    /// A tenant with the policies of files, as a tenant file would have it.
    private func tenantFile(
        of files: [PlacedPolicies.File], wanted: String?,
        _ source: (path: String, environment: PolicyEnvironments.Environment)?
    ) -> JSONValue {
        let callable = files.filter(\.isCallable)
        let first = callable.first { file in wanted.map { sameID($0, file.id) } ?? true } ?? files[0]
        var root = JSONObject()
        root["name"] = .string(tenantName(first.tenantID, source?.environment.tenant))
        var policies = JSONObject()
        for file in callable {
            let id = PlacedPolicies.id(file.id, [])
            guard policies[id] == nil else { continue }
            policies[id] = ["id": .string(id), "type": "custom", "file": .string(file.path)]
        }
        root["policies"] = .object(policies)
        let folders = bases.map { JSONValue.string(FilePath.relative($0, to: Machine.currentFolder)) }
        if !folders.isEmpty { root["policyFolders"] = .array(folders) }
        if let source {
            root["policySettingsFile"] = .string(source.path)
            root["policyEnvironment"] = .string(source.environment.name)
        }
        // A policy's id must be a name: a placeholder in it that nothing gives a value stands for its own name.
        var names = JSONObject()
        for name in files.flatMap({ PolicySettingsText.names(in: $0.id) }) { names[name] = .string(name) }
        if !names.keys.isEmpty { root["policySettings"] = .object(names) }
        root["users"] = DemoPeople.json
        return .object(root)
    }

    /// What keeps files that begin as policies from being read.
    private static func unreadable(in folder: String, _ disk: PolicyFiles) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        for name in disk.list(folder) ?? [] where name.lowercased().hasSuffix(".xml") {
            let path = FilePath.join(folder, name)
            guard let bytes = disk.read(path),
                String(decoding: bytes.prefix(4096), as: UTF8.self).contains("<TrustFrameworkPolicy")
            else { continue }
            do throws(InvalidInput) { _ = try PolicyReader.read(file: path, bytes: bytes) } catch {
                findings += error.diagnostics
            }
        }
        return findings
    }

    private static func policies(
        in folder: String, _ values: [(name: String, value: String)] = [], _ disk: PolicyFiles = .disk
    ) -> [PlacedPolicies.File] {
        var files: [PlacedPolicies.File] = []
        for name in disk.list(folder) ?? [] where name.lowercased().hasSuffix(".xml") {
            let path = FilePath.join(folder, name)
            guard let bytes = disk.read(path), let id = PolicyReader.peekPolicyID(bytes) else { continue }
            files.append(
                PlacedPolicies.File(
                    path: path, id: PolicySettingsText.filled(id, values),
                    tenantID: PolicyReader.peekTenantID(bytes).map { PolicySettingsText.filled($0, values) },
                    isCallable: String(decoding: bytes, as: UTF8.self).contains("<RelyingParty")))
        }
        return files
    }

    /// The settings file that was named, else the `appsettings.json` of the folder or of the one above it, where the
    /// policies have placeholders.
    private func settingsFile(
        beside folder: String, _ disk: PolicyFiles
    ) throws -> (path: String, environment: PolicyEnvironments.Environment)? {
        let path: String
        if let settings = values.settings {
            path = FilePath.relative(settings, to: Machine.currentFolder)
        } else {
            guard let found = PolicySettingsFile.path(beside: folder) else {
                if values.environment != nil {
                    throw Failure.usage("--environment needs --settings: \(folder) has no appsettings.json")
                }
                return nil
            }
            path = found
        }
        return (path, try values.read(path, from: disk))
    }

    /// A few folders below one that hold policy files, nearest first.
    private static func folders(below folder: String) -> [String] {
        var found: [String] = []
        var level = [folder]
        for _ in 0..<3 {
            var next: [String] = []
            for folder in level {
                for name in (try? FileSystem.names(in: folder)) ?? [] where !name.hasPrefix(".") {
                    let path = FilePath.join(folder, name)
                    guard FileSystem.kind(path) == .folder, !FileSystem.isLink(path) else { continue }
                    if !policies(in: path).isEmpty { found.append(path) }
                    if found.count == 8 { return found }
                    next.append(path)
                }
            }
            level = Array(next.prefix(64))
        }
        return found
    }

    /// The tenant's short name: of the environment, else of the policies, else contoso.
    private func tenantName(_ tenantID: String?, _ environment: String?) -> String {
        let domain = environment ?? tenantID
        let name = domain.map { $0.split(separator: ".").first.map(String.init) ?? "" } ?? ""
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 < 0x80 && ($0 == 0x2D || $0 >= 0x30 && $0 != 0x5F) }
        return isName && !name.contains("{") && !TenantPlaceholder.isOne(name) ? name : "contoso"
    }

}

/// People that there are when a folder is played without a tenant file.
package enum DemoPeople {
    /// Somebody with a local account, somebody without any, two who sign in at identity providers, for the first time
    /// and again, and somebody with both.
    static let json: JSONValue = [
        "ada": record(of: "ada", given: "Ada", surname: "Lovelace", number: "2079460000"),
        "nina": record(
            of: "nina", given: "Nina", surname: "Newcomer", number: "2079460001", more: ["registered": false]),
        "sam": record(
            of: "sam", given: "Sam", surname: "Social", number: "2079460002", more: ["registered": false]),
        "kay": record(
            of: "kay", given: "Kay", surname: "Known", number: "2079460003",
            more: ["password": nil, "signInNames.phoneNumber": nil]),
        "lia": record(of: "lia", given: "Lia", surname: "Linked", number: "2079460004"),
    ]

    /// Who has a local account. Their accounts at identity providers are not linked with it, so that a policy can link one.
    package static let local = "ada"
    /// Who has no account yet.
    package static let newcomer = "nina"
    /// Who signs in at identity providers for the first time.
    static let stranger = "sam"
    /// Who has done so before.
    static let linked = "kay"
    /// Who has a local account, and signs in at identity providers with it too.
    static let both = "lia"

    static let explanation =
        "ada has a local account and provider accounts that are not linked with it, nina has no account yet, sam signs in "
        + "at identity providers for the first time, kay has done so before, and lia has a local account "
        + "that her provider accounts are linked with"

    /// - Parameter number: Of the phone, without the country's code: with some policies it is what one signs in with.
    private static func record(
        of name: String, given: String, surname: String, number: String, more: JSONValue = [:]
    ) -> JSONValue {
        let login = (given + surname).lowercased()
        return
            ([
                // Names that are not addresses, for policies that want such: long enough, and of letters alone.
                "username": .string(login), "userName": .string(login), "userId": .string(login),
                "loginName": .string(login), "nickname": .string(login),
                "email": .string("\(name)@example.test"),
                "password": .string("Pass-\(given)-1843"), "newPassword": .string("Pass-\(given)-1844"),
                "displayName": .string("\(given) \(surname)"), "givenName": .string(given), "surname": .string(surname),
                "city": "London", "country": "GB", "postalCode": "SW1", "phone": .string("+44" + number),
                "countryCode": "GB", "nationalNumber": .string(number),
                "signInNames.phoneNumber": .string("+44" + number),
                "strongAuthenticationEmailAddress": .string("\(name)@example.test"),
            ] as JSONValue).merging(patch: more)
    }
}

/// Policies as they were found.
package struct PlacedPolicies {
    /// A policy file of a folder.
    package struct File {
        package var path: String
        package var id: String
        var tenantID: String?
        /// Whether it has a relying party.
        package var isCallable: Bool
    }

    /// The place as the user named it.
    package var shown: String
    package var tenant: Tenant
    /// What a script writes as its tenant: a path, or the tenant itself.
    package var json: JSONValue
    /// The tenant file; `nil` where there is none.
    package var document: JSONDocument?
    /// Where paths of the tenant start.
    package var folder: String
    /// The policy that was asked for.
    package var wanted: String?
    package var isFolder: Bool
    package var files: [File] = []
    /// Values for `{Settings:NAME}`.
    package var values: [(name: String, value: String)] = []
    /// Where its files are, if not on the disk: what was read of them stays as it is.
    package var policyFiles: PolicyFiles?
    package var shelf = PolicyShelf(files: .disk)

    /// An id as its file has it, with the values of its placeholders: one without a value stands for its own name.
    package static func id(_ text: String, _ values: [(name: String, value: String)]) -> String {
        let filled = PolicySettingsText.filled(text, values)
        return PolicySettingsText.filled(filled, PolicySettingsText.names(in: filled).map { (name: $0, value: $0) })
    }

    /// The policy of a name or of an id, also as its file has it.
    package func policy(_ name: String) -> PolicySettings? {
        tenant.policy(named: name) ?? tenant.policy(id: name) ?? tenant.policy(id: Self.id(name, values))
    }

    /// The policy that was asked for, or the only one.
    package func settings() throws -> PolicySettings {
        guard let wanted else {
            if tenant.policies.count == 1 { return tenant.policies[0] }
            throw Failure.usage("\(shown) has several policies: name one by --policy. \(known)")
        }
        if let found = policy(wanted) { return found }
        if files.contains(where: { sameID($0.id, wanted) }) {
            throw Failure.usage("\(wanted) has no relying party, so no app can call it. \(known)")
        }
        let names = tenant.policies.flatMap { [$0.name, $0.id] }
        let near = nearestName(wanted, among: names).map { "Did you mean \($0)?" } ?? known
        throw Failure.usage("\(shown) has no policy \(wanted). \(near)")
    }

    /// The policy that an app calls first, by the words of its id: one to sign up or sign in, else one to sign in, else the
    /// first; `nil`: there is none.
    package var signInPolicy: PolicySettings? {
        func first(_ words: [String]) -> PolicySettings? {
            tenant.policies.first { policy in
                let id = policy.id.lowercased().filter { $0.isLetter || $0.isNumber }
                return words.contains { id.contains($0) }
            }
        }
        return first(["signupsignin", "signuporsignin", "signinsignup", "susi"]) ?? first(["signin", "login"])
            ?? tenant.policies.first
    }

    /// The policies to explore: the one that was asked for, else all.
    package func explored() throws -> [PolicySettings] {
        wanted == nil && tenant.policies.count > 1 ? tenant.policies : [try settings()]
    }

    /// The policies of the place that link: people come to one of them with the session of another.
    package var linkable: [ResolvedPolicy] {
        tenant.policies.filter { $0.unsupported == nil }.compactMap { other in
            other.type == .custom
                ? try? shelf.policy(other, tenant: tenant, folder: folder)
                : try? shelf.compile(other, tenant: tenant, folder: folder)
        }
    }

    private var known: String {
        tenant.policies.isEmpty ? "There are none." : "There are \(namesList(tenant.policies.map(\.name)))."
    }

    /// The policy linked. Prints everything that keeps it from that.
    package func linked(_ settings: PolicySettings) throws -> ResolvedPolicy {
        if let reason = settings.unsupported { throw Failure.usage(reason) }
        do throws(InvalidInput) {
            return settings.type == .custom
                ? try shelf.policy(settings, tenant: tenant, folder: folder)
                : try shelf.compile(settings, tenant: tenant, folder: folder)
        } catch {
            let findings =
                document.map { PolicyChecks.placed(error.diagnostics, about: settings, in: $0, at: .root) }
                ?? error.diagnostics
            Self.report(findings)
            throw Failure.silent(.input) as any Error
        }
    }

    /// The ids of the folder's other policies that do not link: a policy that links is played without them.
    private func broken(besides settings: PolicySettings, where isWanted: (PolicySettings) -> Bool = { _ in true })
        -> [String]
    {
        guard isFolder else { return [] }
        return tenant.policies.filter { other in
            guard other.name != settings.name, other.unsupported == nil, isWanted(other) else { return false }
            do throws(InvalidInput) {
                _ = try shelf.policy(other, tenant: tenant, folder: folder)
                return false
            } catch {
                return true
            }
        }.map(\.name)
    }

    /// What a script names as its tenant.
    package var source: ScenarioDraft.TenantSource { json.stringValue.map { .file($0) } ?? .inPlace(json) }

    /// The tenant without the policies that do not link.
    package func playable(besides settings: PolicySettings) -> JSONValue {
        var absent = JSONObject()
        for name in broken(besides: settings) { absent[name] = .null }
        return absent.keys.isEmpty ? json : json.merging(patch: ["policies": .object(absent)])
    }

    /// The tenant with what one sign-in needs: its policy, and policies that the inputs name. Linking all the others of a
    /// folder would take most of the time.
    package func played(_ settings: PolicySettings, inputs: PlayInputs) -> JSONValue {
        let text = JSONWriter.compact(.object(inputs.json)).lowercased()
        func isNamed(_ other: PolicySettings) -> Bool {
            text.contains("\"\(other.name.lowercased())\"") || text.contains("\"\(other.id.lowercased())\"")
        }
        let broken = broken(besides: settings, where: isNamed)
        warn(broken)
        var absent = JSONObject()
        for other in tenant.policies
        where other.name != settings.name && (!isNamed(other) || broken.contains(other.name)) {
            absent[other.name] = .null
        }
        return absent.keys.isEmpty ? json : json.merging(patch: ["policies": .object(absent)])
    }

    /// Says which of the folder's other policies are left aside.
    package func warn(besides settings: PolicySettings) { warn(broken(besides: settings)) }

    private func warn(_ names: [String]) {
        guard !names.isEmpty else { return }
        FindingCollector.warn(
            "\(namesList(names, limit: 5)) of \(shown) \(names.count == 1 ? "does" : "do") not link; "
                + "b2c policy list shows why")
    }

    package static func report(_ findings: [Diagnostic]) {
        FindingsPrinter(sources: Scripts.sources(of: findings, known: [])).print(findings)
    }
}
