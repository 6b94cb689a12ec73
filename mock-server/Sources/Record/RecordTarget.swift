import AuthorityHosting
import CommandKit
import CurlHTTP
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import TenantFiles

/// What is behind a recording proxy: a mock-server or a real tenant.
struct RecordTarget: Sendable {
    /// Title in messages.
    var name: String
    /// The hosts that may be reached, in lower case, the tenant's first one first.
    var hosts: [String]
    /// Whether everything goes to one mock-server, which gets the names by the header.
    private let isMock: Bool
    private let base: WebURL?
    private let plain: Set<String>
    private let transport: CurlTransport

    /// Sends a request that names a host of the target.
    func send(_ request: RequestMessage) async throws(RecordingProxy.Unreachable) -> ResponseMessage {
        var request = request
        if isMock {
            // Without TLS the server would write http into its answers. Pages of its own are at the proxy's address.
            let scheme = request.headers["Host"] == nil ? "https" : request.url.scheme
            request.headers[WorldSelector.header] = "\(Worlds.defaultName);scheme=\(scheme)"
            request.url.scheme = "https"
            if base?.scheme == "http" { request.url.scheme = "http" }
        } else {
            // A real tenant has no such pages.
            request.headers["Host"] = nil
            request.url.scheme = plain.contains(request.url.host ?? "") ? "http" : "https"
        }
        do throws(CurlFailure) {
            return try await transport.exchange(request)
        } catch {
            throw RecordingProxy.Unreachable(text: error.text)
        }
    }

    // MARK: Opening

    /// Opens what `--target` names: the address of a mock-server, or a target file.
    ///
    /// - Parameters:
    ///   - tenant: a tenant file that says which hosts there are; nil: the one of the target file, or the server is asked.
    ///   - certificates: the folder of the authority that signed for a mock-server on this machine.
    static func open(
        _ text: String, tenant: String?, otherHosts: [String], certificates: String?
    ) async throws -> RecordTarget {
        let isAddress = text.hasPrefix("http://") || text.hasPrefix("https://")
        var settings =
            isAddress
            ? TargetSettings {
                $0.name = text
                $0.kind = .mockServer
            } : try await file(text)
        if isAddress {
            guard let url = WebURL(text), url.host != nil, url.path.isEmpty || url.path == "/", url.query == nil else {
                throw Failure.usage(
                    "--target \(text): this is not the address of a server, such as http://localhost:9400")
            }
            settings.url = url.origin
            if url.scheme == "https" { settings.caFile = try CertificateFolder.chosen(certificates).certificate }
        }
        let folder = isAddress ? "." : FilePath.folder(text)
        let transport = CurlTransport(CurlOptions(settings) { FilePath.resolve($0, in: folder) })
        let path = tenant ?? settings.tenant.map { FilePath.resolve($0, in: folder) }
        let known = try path.map { try Self.tenant(at: $0) }
        let played: Tenant
        if let known {
            played = known
        } else if settings.kind == .mockServer, let base = settings.url.flatMap({ WebURL($0) }) {
            played = try await asked(base, settings, transport)
        } else {
            throw Failure.usage("--target \(text): name the tenant file by --tenant, which says what hosts it has")
        }
        return RecordTarget(
            name: settings.name, hosts: hosts(of: played, settings, otherHosts), isMock: settings.kind == .mockServer,
            base: settings.url.flatMap { WebURL($0) }, plain: settings.plainHosts, transport: transport)
    }

    private static func file(_ path: String) async throws -> TargetSettings {
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(path)
        } catch {
            throw Failure.usage("--target \(path) cannot be read: \(error.text); it is a target file or an address")
                as any Error
        }
        do throws(InvalidInput) {
            let file = try TargetFile.read(file: path, bytes: bytes)
            var environment: [String: String] = [:]
            for name in file.askedNames {
                environment[name] = Machine.environment(name) ?? Machine.environment("B2C_SECRET_\(name)")
            }
            return try await file.settings(environment: environment)
        } catch {
            throw TenantLoading.failure(error)
        }
    }

    private static func tenant(at path: String) throws -> Tenant {
        let bytes = try InputFile.read(path)
        do throws(InvalidInput) {
            return try TenantFile.read(file: path, bytes: bytes).outline
        } catch {
            throw TenantLoading.failure(error)
        }
    }

    /// The tenant of a running server, as its control API shows it.
    private static func asked(
        _ base: WebURL, _ settings: TargetSettings, _ transport: CurlTransport
    ) async throws -> Tenant {
        var url = base
        url.path = "/_b2c/v1/tenant"
        var request = RequestMessage.get(url)
        if let token = settings.controlToken { request.headers["Authorization"] = "Bearer \(token)" }
        let answer: ResponseMessage
        do throws(CurlFailure) {
            answer = try await transport.exchange(request)
        } catch {
            throw Failure.machine("\(settings.name) cannot be reached: \(error.text)") as any Error
        }
        guard answer.status == 200, let json = answer.json?["written"], let tenant = try? Tenant(json: json) else {
            throw Failure.machine(
                "\(settings.name) does not say what tenant it plays (\(answer.status) at \(url)): is it a mock-server? "
                    + "Its tenant file may be named by --tenant") as any Error
        }
        return tenant
    }

    /// The hosts that the files name: the authority's, the APIs', those of providers that are played, Graph at a
    /// mock-server, and what the target file and the command add.
    static func hosts(of tenant: Tenant, _ settings: TargetSettings, _ others: [String]) -> [String] {
        var hosts = tenant.hosts + settings.hosts + others
        hosts += tenant.apis.compactMap { WebURL($0.baseUrl)?.host }
        if settings.kind == .mockServer {
            hosts += tenant.providers.compactMap { WebURL($0.issuer)?.host } + ["graph.microsoft.com"]
            hosts += tenant.policies.compactMap { $0.template.flatMap { WebURL($0.url)?.host } }
        }
        var seen: Set<String> = []
        return hosts.map { $0.lowercased() }.filter { seen.insert($0).inserted }
    }
}
