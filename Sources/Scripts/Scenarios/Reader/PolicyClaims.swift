import Diagnostics
import Exchanges
import JSON
import TenantFiles
import TrustFramework

/// The claims that the custom policies of a script send, by their names in the token, and what they read of a request. The
/// policies are read when somebody asks, because most scripts name nothing that needs it.
final class PolicyClaims {
    private let tenant: JSONValue
    private let patches: [JSONValue]
    private let folder: String
    private let library: TenantLibrary
    private let outlines: TenantOutlines
    private lazy var names: Names = read()
    private lazy var requests: Requests = readRequests()

    private struct Names {
        var known: Set<String> = []
        /// A policy whose file is not known yet can send anything.
        var isOpen = false
    }

    /// What policies read of a request.
    struct Requests: Sendable {
        /// In lower case, the names in `{OAUTH-KV:name}`.
        var parameters: Set<String> = []
        /// Domains of claims providers.
        var domains: [String] = []
        var readsDomainHint = false
        /// A policy whose file is not known yet, or does not link, can read anything.
        var isOpen = false

        /// - Parameter text: The XML of a policy.
        init(_ text: String) {
            let text = text.lowercased()
            for part in text.split(separator: "{").dropFirst() {
                let name = part.prefix { $0 != "}" }
                if name.hasPrefix("oauth-kv:") { parameters.insert(String(name.dropFirst(9))) }
                if name == "oidc:domainhint" { readsDomainHint = true }
            }
            for part in text.split(separator: "<") where part.hasPrefix("domain>") {
                let domain = String(part.dropFirst(7)).trimmingBlanks
                if !domains.contains(domain) { domains.append(domain) }
            }
        }

        init() {}

        mutating func add(_ other: Requests) {
            parameters.formUnion(other.parameters)
            domains += other.domains.filter { !domains.contains($0) }
            readsDomainHint = readsDomainHint || other.readsDomainHint
        }
    }

    /// - Parameters:
    ///   - tenant: the tenant as written.
    ///   - patches: every patch of the script over it. Each may name another file of a policy.
    ///   - folder: where the tenant file is.
    ///   - outlines: reads the tenant with patches over it.
    init(
        tenant: JSONValue, patches: [JSONValue], folder: String, library: TenantLibrary, outlines: TenantOutlines
    ) {
        self.tenant = tenant
        self.patches = patches
        self.folder = folder
        self.library = library
        self.outlines = outlines
    }

    /// Whether some custom policy sends a claim of this name.
    func maySend(_ name: String) -> Bool { names.isOpen || names.known.contains(name) }

    /// Whether some custom policy reads a parameter of this name, with the claims resolver `{OAUTH-KV:name}`.
    func mayRead(parameter name: String) -> Bool {
        requests.isOpen || requests.parameters.contains(name.lowercased())
    }

    /// The domains that the claims providers of custom policies have; `nil` if a policy may read any domain hint.
    var domains: [String]? { requests.isOpen || requests.readsDomainHint ? nil : requests.domains }

    /// The custom policies of the tenant with each patch alone and with all patches.
    private var customPolicies: [(policy: PolicySettings, tenant: Tenant)] {
        let whole = patches.reduce(tenant) { $0.merging(patch: $1) }
        return ([tenant] + patches.map { tenant.merging(patch: $0) } + [whole]).flatMap { json in
            let tenant = outlines.tenant(of: json)
            return tenant.policies.filter { $0.type == .custom }.map { ($0, tenant) }
        }
    }

    private func read() -> Names {
        var names = Names()
        for (policy, tenant) in customPolicies {
            guard let file = policy.file, !Template.mayHoldReference(file) else {
                names.isOpen = true
                continue
            }
            names.known.formUnion(sent(by: policy, file: file, of: tenant))
        }
        return names
    }

    private func readRequests() -> Requests {
        var requests = Requests()
        for (policy, tenant) in customPolicies {
            guard let read = self.requests(of: policy, tenant: tenant) else {
                requests.isOpen = true
                continue
            }
            requests.add(read)
        }
        return requests
    }

    /// What a policy with its parents reads, or its own file if it does not link; `nil` if nobody can read it.
    private func requests(of policy: PolicySettings, tenant: Tenant) -> Requests? {
        guard let file = policy.file, !Template.mayHoldReference(file) else { return nil }
        if let linked = try? library.policies.policy(policy, tenant: tenant, folder: folder) {
            return library.requests(of: linked)
        }
        return ownFile(file).map { Requests(String(decoding: $0.bytes, as: UTF8.self)) }
    }

    private func ownFile(_ file: String) -> (path: String, bytes: [UInt8])? {
        let path = ScenarioPath.resolve(file, from: folder == "/" ? "/x" : folder + "/x")
        return library.bytes(path).map { (path, $0) }
    }

    private func sent(by policy: PolicySettings, file: String, of tenant: Tenant) -> [String] {
        if let linked = try? library.policies.policy(policy, tenant: tenant, folder: folder) {
            return linked.relyingParty.outputClaims.map(\.wireName)
        }
        // A policy that does not link is reported when the run starts. Its own file says enough here.
        guard let (path, bytes) = ownFile(file),
            let own = try? PolicyReader.readThrough(file: path, bytes: bytes).document
        else { return [] }
        return (own.relyingParty?.profiles ?? []).flatMap(\.outputClaims).map { $0.partnerClaimType ?? $0.claim }
    }
}
