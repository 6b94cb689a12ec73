import Determinism
import Diagnostics
import Exchanges
import JSON
import Synchronization
import TenantFiles
import TrustFramework

/// The tenant that a scenario plays in, with the text it was read from.
public struct LoadedTenant: Sendable {
    /// The file: the tenant's own, or the scenario that contains the tenant.
    public var document: JSONDocument
    /// The tenant's place in it.
    public var pointer: JSONPointer
    /// The tenant as written.
    public var json: JSONValue
    /// The tenant with all defaults filled in, as far as it is known before `{{...}}` are replaced: for names and
    /// settings that scripts do not parametrise.
    public var tenant: Tenant
    /// The same as JSON, with every default written out.
    public var filled: JSONValue { filledOnce.value }
    /// What patches of scripts are laid over.
    let base: Deferred<TenantBase?>
    private let filledOnce: Deferred<JSONValue>

    init(document: JSONDocument, pointer: JSONPointer, json: JSONValue, tenant: Tenant) {
        self.document = document
        self.pointer = pointer
        self.json = json
        self.tenant = tenant
        base = Deferred { TenantBase(json, allowsTemplates: true) }
        filledOnce = Deferred { tenant.json }
    }

    /// The folder that paths in the tenant are relative to.
    public var folder: String { ScenarioPath.folder(of: document.file) }
}

/// Tenant files, each read once however many scenarios play in it.
public final class TenantLibrary: Sendable {
    /// What a file was found to hold.
    struct Loaded: Sendable {
        /// `nil` if the file is not JSON.
        var document: JSONDocument?
        /// `nil` where there are findings.
        var tenant: LoadedTenant?
        /// Everything wrong with it.
        var findings: [Diagnostic]
    }

    private let files: @Sendable (String) -> [UInt8]?
    private let names: @Sendable (String) -> [String]
    private let read = Mutex<[String: Loaded]>([:])
    /// The custom policies of the tenants.
    let policies: PolicyShelf
    /// What linked policies read of a request: finding it takes the text of the whole policy.
    private let requests = Mutex<[ObjectIdentifier: (policy: ResolvedPolicy, read: PolicyClaims.Requests)]>([:])
    /// So many policies are kept there.
    private static let mostRequests = 256

    /// - Parameters:
    ///   - files: the content of a file by its path; `nil` where there is none.
    ///   - policies: the policy files; without it those that `files` has, whose parents it cannot look for.
    ///   - names: the names of the files in a folder, for suggestions.
    public init(
        files: @escaping @Sendable (String) -> [UInt8]?, policies: PolicyShelf? = nil,
        names: @escaping @Sendable (String) -> [String] = { _ in [] }
    ) {
        self.files = files
        self.names = names
        self.policies = policies ?? PolicyShelf(files: PolicyFiles(read: files))
    }

    /// Tenants that no file holds, by the paths that scripts write.
    public convenience init(values: [String: JSONValue]) {
        self.init(files: { _ in nil })
        for (path, value) in values {
            read.withLock { $0[path] = Self.load(JSONDocument(file: path, value: value)) }
        }
    }

    /// What a linked policy reads of a request.
    func requests(of policy: ResolvedPolicy) -> PolicyClaims.Requests {
        let key = ObjectIdentifier(policy)
        if let known = requests.withLock({ $0[key]?.read }) { return known }
        let read = PolicyClaims.Requests(PolicyWriter.xml(policy.document))
        requests.withLock { known in
            if known.count >= Self.mostRequests { known = [:] }
            known[key] = (policy, read)
        }
        return read
    }

    /// The content of a file.
    func bytes(_ path: String) -> [UInt8]? { files(path) }

    /// A file that a path with an error may name: one in the same folder with nearly the same name, else one of the same name
    /// in a folder `tenants` nearby; `nil`: there is none.
    func nearest(to path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.last else { return nil }
        let folder = parts.dropLast()
        // A name without the ending is the file all the same.
        let known = names(folder.isEmpty ? "." : folder.joined(separator: "/")).filter { $0 != name }
        if let near = known.first(where: { $0 == name + ".json" }) ?? nearestName(name, among: known) {
            return (folder + [near]).joined(separator: "/")
        }
        for depth in stride(from: folder.count, through: max(0, folder.count - 4), by: -1) {
            let candidate = (folder.prefix(depth) + ["tenants", name]).joined(separator: "/")
            if candidate != path, files(candidate) != nil { return candidate }
        }
        return nil
    }

    /// The tenant file at a path; `nil` where there is none.
    func tenant(at path: String) -> Loaded? {
        if let known = read.withLock({ $0[path] }) { return known }
        guard let bytes = files(path) else { return nil }
        let loaded = Self.load(path, bytes)
        read.withLock { $0[path] = loaded }
        return loaded
    }

    private static func load(_ path: String, _ bytes: [UInt8]) -> Loaded {
        do throws(InvalidInput) {
            return load(try JSONDocument(file: path, bytes: bytes))
        } catch {
            return Loaded(document: nil, tenant: nil, findings: error.diagnostics)
        }
    }

    private static func load(_ document: JSONDocument) -> Loaded {
        do throws(InvalidInput) {
            let file = try TenantFile.read(document)
            let matchers = RestMatchChecks.findings(file.document.root, in: file.document, at: .root)
            let tenant = LoadedTenant(
                document: file.document, pointer: .root, json: file.json, tenant: file.outline)
            return Loaded(
                document: file.document, tenant: matchers.hasErrors ? nil : tenant,
                findings: file.document.notes + matchers)
        } catch {
            // Even a faulty tenant says which names exist.
            return Loaded(document: document, tenant: nil, findings: error.diagnostics)
        }
    }
}

/// Paths inside files are relative to the file that contains them.
public enum ScenarioPath {
    /// The path of a file named inside another, with `.` and `..` worked out as far as the text allows.
    public static func resolve(_ path: String, from file: String) -> String {
        guard !path.hasPrefix("/") else { return normalised(path) }
        guard let slash = file.lastIndex(of: "/") else { return normalised(path) }
        return normalised(String(file[...slash]) + path)
    }

    /// How a file names another one, both as seen from one folder.
    public static func relative(_ path: String, from file: String) -> String {
        let path = normalised(path)
        let folder = normalised(folder(of: file))
        guard path.hasPrefix("/") == folder.hasPrefix("/") else { return path }
        let parts = path.split(separator: "/")
        let start = folder == "." ? [] : folder.split(separator: "/")
        let common = zip(parts.dropLast(), start).prefix { $0 == $1 }.count
        // Nobody knows the name of a folder above the one that all paths begin in.
        guard !start.dropFirst(common).contains("..") else { return path }
        let up = [Substring](repeating: "..", count: start.count - common)
        return (up + parts.dropFirst(common)).joined(separator: "/")
    }

    /// The folder of a file.
    public static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// The last part of a path.
    public static func name(of file: String) -> String {
        file.split(separator: "/").last.map(String.init) ?? file
    }

    private static func normalised(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        let text = parts.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + text : (text.isEmpty ? "." : text)
    }
}
