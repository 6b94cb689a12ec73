import Diagnostics
import JSON
import Synchronization
import TenantFiles

/// Files of policies, settings and texts, each read once.
final class ReadPolicyFiles: Sendable {
    /// A folder with policy files.
    struct Folder: Sendable {
        /// Paths of policies by id in upper case; of two files with one id the first.
        var byID: [String: String] = [:]
        /// Their ids as the files write them.
        var ids: [String] = []
        /// Second files with an id that is taken: path, and the first file.
        var doubles: [(path: String, first: String, id: String)] = []
        /// XML files that are not policies.
        var unreadable: [String] = []
        /// XML files that are not to be read, and why.
        var refused: [(path: String, why: String)] = []
    }

    private struct State: Sendable {
        var bytes: [String: [UInt8]] = [:]
        var folders: [String: Folder] = [:]
        var documents: [String: Result<PolicyDocument, InvalidInput>] = [:]
        var settings: [String: Result<PolicyEnvironments, InvalidInput>] = [:]
        var packs: [String: Result<TextPack, InvalidInput>] = [:]
    }

    private let files: PolicyFiles
    private let state = Mutex(State())

    init(_ files: PolicyFiles) {
        self.files = files
    }

    /// These files at their paths, and at every other path what was read here.
    func overlaid(by over: [String: [UInt8]]) -> PolicyFiles {
        let folders = Set(over.keys.map { PolicyPath.folder(of: $0) })
        return PolicyFiles(
            read: { over[$0] ?? self.bytes($0) },
            list: { folder in
                guard folders.contains(folder) else { return self.files.list(folder) }
                return over.keys.filter { PolicyPath.folder(of: $0) == folder }
                    .compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
            }, refusal: { over[$0] == nil ? self.refusal($0) : nil })
    }

    /// Files that were read, by path.
    var known: [String: [UInt8]] { state.withLock { $0.bytes } }

    /// A file as it is now, though it was read before.
    func current(_ path: String) -> [UInt8]? { files.read(PolicyPath.normalised(path)) }

    /// Why a file is not to be read; `nil`: it may be.
    func refusal(_ path: String) -> String? { files.refusal(path) }

    /// The name that may be meant, among those of the file's folder.
    func nearest(_ path: String) -> String? {
        nearestName(
            path.split(separator: "/").last.map(String.init) ?? path,
            among: files.list(PolicyPath.folder(of: path)) ?? [])
    }

    // MARK: Policies

    func bytes(_ path: String) -> [UInt8]? {
        if let known = state.withLock({ $0.bytes[path] }) { return known }
        guard let bytes = files.read(path) else { return nil }
        state.withLock { $0.bytes[path] = bytes }
        return bytes
    }

    func document(
        _ path: String, settings values: [(name: String, value: String)], tenant: Tenant,
        unknownElements unknown: PolicyReader.UnknownElementHandling
    ) throws(InvalidInput) -> PolicyDocument {
        let key =
            ([path, tenant.domain, "\(unknown)"] + values.flatMap { [$0.name, $0.value] }).joined(separator: "\u{0}")
        if let known = state.withLock({ $0.documents[key] }) { return try known.get() }
        let read: Result<PolicyDocument, InvalidInput>
        do throws(InvalidInput) {
            read = .success(
                try PolicyReader.read(
                    file: path, bytes: bytes(path) ?? [], settings: values, tenantDomain: tenant.domain,
                    unknownElements: unknown))
        } catch {
            read = .failure(error)
        }
        state.withLock { $0.documents[key] = read }
        return try read.get()
    }

    func folder(_ path: String, _ values: [(name: String, value: String)]) -> Folder {
        let key = ([path] + values.flatMap { [$0.name, $0.value] }).joined(separator: "\u{0}")
        if let known = state.withLock({ $0.folders[key] }) { return known }
        var folder = Folder()
        for name in files.list(path) ?? [] where name.lowercased().hasSuffix(".xml") {
            let file = PolicyPath.join(path, name)
            guard let bytes = bytes(file) else {
                if let why = files.refusal(file) { folder.refused.append((file, why)) }
                continue
            }
            guard let read = PolicyReader.peekPolicyID(bytes) else {
                folder.unreadable.append(file)
                continue
            }
            let id = PolicySettingsText.filled(read, values)
            if let first = folder.byID[id.uppercased()] {
                folder.doubles.append((file, first, id))
            } else {
                folder.byID[id.uppercased()] = file
                folder.ids.append(id)
            }
        }
        let found = folder
        state.withLock { $0.folders[key] = found }
        return found
    }

    func ids(in folders: [String], _ values: [(name: String, value: String)]) -> [String] {
        folders.flatMap { folder($0, values).ids.sorted() }
    }

    // MARK: Texts

    /// A text pack.
    func pack(_ path: String, language: String, bytes: [UInt8]) throws(InvalidInput) -> TextPack {
        let key = [path, language.lowercased()].joined(separator: "\u{0}")
        if let known = state.withLock({ $0.packs[key] }) { return try known.get() }
        let read: Result<TextPack, InvalidInput>
        do throws(InvalidInput) {
            read = .success(try TextPack.read(file: path, bytes: bytes, language: language))
        } catch {
            read = .failure(error)
        }
        state.withLock { $0.packs[key] = read }
        return try read.get()
    }

    // MARK: Settings

    /// Values for `{Settings:NAME}`: those of the tenant file, then those of its settings file, then what follows from
    /// the tenant.
    func values(tenant: Tenant, folder: String) throws(InvalidInput) -> [(name: String, value: String)] {
        var values = tenant.policySettings.map { (name: $0.0, value: $0.1) }
        if let written = tenant.policySettingsFile {
            let path = PolicyPath.resolve(written, in: folder)
            if let why = files.refusal(path) {
                throw InvalidInput(
                    Diagnostic(
                        rule: "B2C-POL-092", "settings file \(path) \(why)",
                        remedy: "Put the file into a folder that the tenant file names.",
                        at: SourceLocation(file: "tenant \(tenant.name)", pointer: "/policySettingsFile")))
            }
            let environments: PolicyEnvironments
            if let known = state.withLock({ $0.settings[path] }) {
                environments = try known.get()
            } else {
                let read: Result<PolicyEnvironments, InvalidInput>
                do throws(InvalidInput) {
                    read = .success(try PolicyEnvironments.read(file: path, bytes: bytes(path)))
                } catch {
                    read = .failure(error)
                }
                state.withLock { $0.settings[path] = read }
                environments = try read.get()
            }
            values += try environments.values(of: tenant.policyEnvironment)
        }
        return values + [("Tenant", tenant.domain)]
    }
}
