import ArgumentParser
import CommandFiles
import CommandKit
import CurlHTTP
import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON
import Reports
import TenantFiles
import Validation

/// Where a discovery document comes from, and how it is fetched when that is a URL.
struct DiscoveryOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The policy's discovery document: a file, or a URL, which is fetched together with its keys.",
            valueName: "url|file"))
    var discovery: String?

    @Option(
        name: .long, help: ArgumentHelp("Certificate authorities to believe (PEM), and no others.", valueName: "file"))
    var caFile: String?

    @Option(
        name: .long, help: ArgumentHelp("Connect there whatever host the URL names.", valueName: "host:port"))
    var connectTo: String?
}

/// A discovery document and its keys, as they were read or fetched.
struct DiscoverySource {
    /// The document; `nil` when what came is none, which the findings say.
    private(set) var document: JSONDocument?
    /// The URL it came from; `nil` for a file.
    private(set) var address: WebURL?
    /// The published keys; `nil` where they were not fetched.
    private(set) var keys: JSONDocument?
    /// What is wrong with how it came.
    private(set) var findings: [Finding] = []
    private(set) var sources: [SourceText] = []

    /// How much is read of one answer. B2C's documents have two thousand bytes.
    private static let largest = 1 << 20

    private let options: DiscoveryOptions

    /// - Throws: `Failure` where a file cannot be read or a host not be reached.
    init(_ text: String, _ options: DiscoveryOptions, color: Bool) async throws {
        self.options = options
        if text.hasPrefix("http:") || text.hasPrefix("https:") {
            try await fetch(text)
        } else {
            try read(text, color: color)
        }
    }

    /// Everything that is wrong with document and keys.
    func allFindings(tenant: Tenant?) -> [Finding] {
        var all = findings
        if let document { all += DiscoverySubject.findings(document: document, address: address, tenant: tenant) }
        if let keys { all += DiscoverySubject.findings(keys: keys) }
        return all
    }

    // MARK: Files

    private mutating func read(_ path: String, color: Bool) throws {
        let bytes = try InputFile.read(path, limit: Self.largest)
        do throws(InvalidInput) {
            document = try JSONDocument(file: path, bytes: bytes)
            sources.append(SourceText(file: path, bytes: bytes))
        } catch {
            let printer = FindingsPrinter(color: color, sources: [SourceText(file: path, bytes: bytes)])
            throw printer.failure(error.diagnostics)
        }
    }

    // MARK: The network

    private static let suffix = "/.well-known/openid-configuration"

    private mutating func fetch(_ text: String) async throws {
        guard let url = WebURL(text), let host = url.host else {
            throw Failure.usage("--discovery is \"\(text)\", and must be a file or an https URL")
        }
        guard url.scheme == "https" || Self.isLoopback(host) else {
            throw Failure.usage(
                "--discovery is plain http: anybody on the way could change document and keys; give the https URL")
        }
        guard url.path.hasSuffix(Self.suffix) else {
            throw Failure.usage(
                "--discovery must end in \(Self.suffix), such as https://HOST/TENANT/POLICY/v2.0\(Self.suffix)")
        }
        address = url
        let transport = CurlTransport(try curlOptions())
        document = try await json(url, transport, "the discovery document")
        guard let text = document?.root["jwks_uri"]?.stringValue, let uri = WebURL(text) else { return }
        guard uri.scheme == url.scheme, uri.host == host, uri.effectivePort == url.effectivePort else {
            add(
                "B2C-DISC-004", "the keys lie at another host, and were not fetched: \(text)",
                "jwks_uri is of the document's own host.")
            return
        }
        keys = try await json(uri, transport, "the key set")
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    }

    private func curlOptions() throws -> CurlOptions {
        var curl = CurlOptions(
            proxy: .environment, connectTimeout: .seconds(10), timeout: .seconds(20), maxBodyBytes: Self.largest,
            maxHeaderBytes: 64 << 10)
        if let path = options.caFile {
            curl.trust = .bytes(try InputFile.read(path, limit: 4 << 20))
        }
        if let place = options.connectTo {
            let parts = place.split(separator: ":").map(String.init)
            guard parts.count == 2, let port = Int(parts[1]), (1...65535).contains(port) else {
                throw Failure.usage("--connect-to is \"\(place)\", and must be HOST:PORT")
            }
            curl.routes = [.init(host: nil, toHost: parts[0], toPort: port)]
        }
        return curl
    }

    private mutating func add(_ rule: String, _ message: String, _ remedy: String?) {
        let severity = Rules.named(rule)?.severity ?? .error
        findings.append(
            Finding(
                Diagnostic(
                    severity, rule: rule, message, remedy: remedy,
                    at: SourceLocation(file: address?.description ?? "--discovery"))))
    }

    /// One answer as JSON. An answer that is none is a finding; a host that does not answer is a failure.
    private mutating func json(
        _ url: WebURL, _ transport: CurlTransport, _ what: String
    ) async throws -> JSONDocument? {
        let response: ResponseMessage
        do throws(CurlFailure) {
            response = try await transport.exchange(.get(url, headers: ["Accept": "application/json"]))
        } catch {
            throw Failure.machine("\(url): \(error.text)")
        }
        guard response.status == 200 else {
            let remedy: String? =
                switch response.status {
                case 300..<400:
                    response.headers["Location"].map { "It leads to \($0); redirects are not followed. Give that URL." }
                case 404: "Look at host, tenant and policy in the URL; letter case does not count."
                default: nil
                }
            add("B2C-DISC-001", "\(url) answers with the status \(response.status)", remedy)
            return nil
        }
        let source = SourceText(file: url.description, bytes: response.body)
        do throws(InvalidInput) {
            let document = try JSONDocument(file: url.description, bytes: response.body)
            guard document.root.objectValue != nil else {
                add("B2C-DISC-001", "\(what) is \(document.root.typeName), and must be an object", nil)
                return nil
            }
            sources.append(source)
            return document
        } catch {
            let type = response.headers["Content-Type"] ?? "no type"
            add("B2C-DISC-001", "\(what) is not JSON (\(type))", "A page there means that tenant or policy is unknown.")
            return nil
        }
    }
}

/// Checks one discovery document and its keys.
struct DiscoveryCheckRun {
    var options: DiscoveryOptions
    var common: CommonOptions
    var tenant: Tenant?

    /// The result, and the texts whose lines a report may show.
    func result(_ text: String) async throws -> (ValidationResult, [SourceText]) {
        let source = try await DiscoverySource(text, options, color: common.style(for: Machine.error).usesColor)
        var judged: [(kind: FileKind, count: Int)] = []
        if source.document != nil { judged.append((.discovery, 1)) }
        if source.keys != nil { judged.append((.keySet, 1)) }
        return (ValidationResult(findings: source.allFindings(tenant: tenant), judged: judged), source.sources)
    }
}
