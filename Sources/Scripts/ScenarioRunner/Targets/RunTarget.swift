import AuthorityHosting
import CurlHTTP
import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON
import Scenarios
import TenantFiles
import Verbs

/// A place other than this process where scenarios run. It owns the connections; all scenarios of a run share it.
public final class RunTarget: Sendable {
    public let settings: TargetSettings
    /// A tenant file that takes the place of the scripts' own, as a path; nil: each script's.
    public let tenantPath: String?
    let transport: CurlTransport
    let services: TargetServices
    /// Both switches say that scenarios may change the tenant.
    let allowsChanges: Bool
    let pacer: Pacer
    let people = PersonGate()
    /// One question at a time at the terminal.
    let terminal = PersonGate()
    /// Real browsers in place of the stand-in; nil: the stand-in.
    let browser: BrowserDriver?
    /// Hashes of the keys of the target's own authorities, for browsers.
    let trustedKeys: [String]
    private let base: WebURL?

    /// Opens a target: nothing is sent yet.
    ///
    /// - Parameters:
    ///   - file: Read and checked; paths in it are relative to it.
    ///   - secrets: Values for `{{secret/NAME}}`.
    ///   - environment: Values for `{{env/NAME}}`.
    ///   - allowsLiveChanges: `--allow-live-changes`.
    ///   - browser: People use real browsers.
    ///   - readFile: Reads a file for `caFile`.
    /// - Throws: What is wrong with it.
    public init(
        _ file: TargetFile, secrets: [(name: String, value: String)] = [], environment: [String: String] = [:],
        allowsLiveChanges: Bool = false, services: TargetServices = TargetServices(), browser: BrowserDriver? = nil,
        readFile: @Sendable (String) -> [UInt8]? = { _ in nil }
    ) async throws(InvalidInput) {
        let path = file.document.source.file
        let settings = try await file.settings(secrets: secrets, environment: environment)
        self.settings = settings
        self.services = services
        self.browser = browser
        let authorities =
            browser == nil ? nil : settings.caFile.flatMap { readFile(ScenarioPath.resolve($0, from: path)) }
        trustedKeys = PublicKeyPins.hashes(pem: String(decoding: authorities ?? [], as: UTF8.self))
        allowsChanges = settings.kind == .live && settings.live && allowsLiveChanges
        tenantPath = settings.tenant.map { ScenarioPath.resolve($0, from: path) }
        base = settings.url.flatMap { WebURL($0) }
        pacer = Pacer(settings.pacing)
        transport = CurlTransport(CurlOptions(settings) { ScenarioPath.resolve($0, from: path) })
    }

    /// Title in reports.
    public var name: String { settings.name }

    /// The word that scripts have for it.
    var word: String { settings.kind.rawValue }

    var isLive: Bool { settings.kind == .live }

    // MARK: What it can do

    /// What the target can do for a scenario, of all that scripts may need.
    func capabilities(for variant: ScenarioVariant) -> Set<Capability> {
        var able: Set<Capability>
        switch settings.kind {
        case .mockServer:
            // A world of the server stands still unless it is moved, as one in process does.
            able = Set(Capability.allCases)
        case .live:
            let tenantHasInbox =
                variant.scenario.tenant.tenant.inbox != nil
                || variant.configure.contains { !($0["inbox"] ?? .null).isNull }
            able = settings.inbox == nil && !tenantHasInbox ? [.browserRequests] : [.inbox, .browserRequests]
        }
        // What passes inside a real browser does not pass here.
        if browser != nil { able.remove(.browserRequests) }
        return able
    }

    /// Why a scenario cannot run here; nil where it can.
    ///
    /// - Parameter steps: Its steps, with everything filled in that is known before it begins.
    func lack(of variant: ScenarioVariant, _ steps: [Step]) -> String? {
        let able = capabilities(for: variant)
        if let need = CapabilityInference.needs(of: variant).first(where: { !able.contains($0.capability) }) {
            return "\(need.place) needs `\(need.capability.rawValue)` of the target, because it \(need.reason); "
                + (need.capability == .browserRequests
                    ? "a real browser keeps that to itself" : "\(name) does not have it")
        }
        if isLive, !allowsChanges, let change = LiveChanges.first(in: variant, steps) {
            return "\(change), and changes of a real tenant need `\"live\": true` in the target file and "
                + "--allow-live-changes"
        }
        return nil
    }

    /// Asks whether the WebDriver server is there.
    ///
    /// - Returns: Why it is not; nil where it answers, or where nobody needs it.
    public func browserUnreachable() async -> String? { await browser?.unreachable() }

    /// Asks whether the target is there.
    ///
    /// - Returns: Why nothing can run on it; nil where it answers.
    public func unreachable() async -> String? {
        guard settings.kind == .mockServer else { return nil }
        do throws(ControlClient.Problem) {
            _ = try await control.call("GET", "/worlds")
            return nil
        } catch {
            return error.text
        }
    }

    // MARK: Its worlds

    private var control: ControlClient {
        ControlClient(
            transport: transport, base: base ?? WebURL(scheme: "https", host: "127.0.0.1"),
            token: settings.controlToken)
    }

    func farSide(tenant: CompiledTenant, time: VirtualTime, seed: UInt64, stream: String) -> any TargetBackend {
        switch settings.kind {
        case .mockServer:
            RemoteBackend(
                control: control, time: time, tenant: tenant, seed: seed, stream: stream, trustedKeys: trustedKeys)
        case .live:
            LiveFarSide(target: self, tenant: tenant.tenant, time: time)
        }
    }

    /// True time at a scenario's first step where the target has its own; nil: the script's.
    func startTime() -> Timestamp? { isLive ? services.time.now() : nil }
}
