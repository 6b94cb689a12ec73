import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Verbs

/// A running copy of an app with its library inside: `MSALPublicClientApplication` of MSAL for iOS and macOS as it
/// behaves, and the other kinds in what sets them apart.
///
/// Calls that need the browser come in two halves, so that nothing is suspended inside while a person acts:
///
///     switch try await client.acquireToken(InteractiveParameters(), lane: lane) {
///     case .finished(let outcome): ...
///     case .browse(let request, let session):
///         let end = try await browser.run(await browser.start(request), user: user, lane: lane)
///         let outcome = try await client.finish(session, end, lane: lane)
///     }
///
/// Requests leave through the lane's transport alone, pauses are spent at its turnstile, the time is the device's, and
/// every random value comes from the generator given, in the order correlation id, code verifier, state.
public actor PublicClient {
    /// The client's name in the script.
    public nonisolated let name: String

    var configuration: ClientConfiguration
    var device: DeviceState
    var random: SeededGenerator
    let deviceKeychain: Keychain
    /// Takes the keychain's place for an app whose cache is not persisted; lost with the process.
    private var memory = Keychain()

    // What one process remembers.
    /// Hidden frames that are open.
    var frames: [Int: RunningSession] = [:]
    /// Silent calls under way that others may join, and how the last of each ended.
    var flights: Set<String> = []
    var landed: [String: ClientOutcome] = [:]
    var startUp: Result<RedirectVerifier.Verified, ClientError>?
    var metadataCache: [String: ProviderMetadata] = [:]
    var instances = InstanceCache()
    var throttling = ThrottlingCache()
    var running: RunningSession? {
        didSet { notePopup() }
    }
    /// MSAL for Android: calls that a later one took the place of, by session.
    var takenOver: [Int: RunningSession] = [:]
    /// Browser apps: the request for which the page was left, as it waits in the session storage of the tab.
    var leftInTab: LeftPage?
    /// Browser apps: the page's address when it is not the plain redirect URI.
    var address: WebURL?
    /// Browser apps: how many tabs this client has had.
    var tabNumber = 1
    /// Browser apps with an encrypted cache: the number of the key that the loaded page has read.
    var cacheKey: Int?
    private var newestToken: String?
    private var lastSessionID = 0
    /// An interactive call has ended, and its completion handler has not returned (quirk `clearsInteractionLate`).
    var isCompleting = false

    /// - Parameters:
    ///   - app: The app's settings.
    ///   - keychain: That of the device, shared by all its clients.
    ///   - random: A stream of its own.
    public init(
        name: String, app: AppSettings, tenant: Tenant, device: DeviceState, keychain: Keychain,
        random: SeededGenerator
    ) {
        self.name = name
        self.device = device
        self.random = random
        deviceKeychain = keychain
        configuration = ClientConfiguration(tenant: tenant, app: app, device: device.settings, tab: name)
    }

    // MARK: Life

    /// Takes changed settings. The app creates its client again at its next call; what the process remembers stays.
    public func configure(app: AppSettings, tenant: Tenant, device: DeviceState) {
        configuration = ClientConfiguration(tenant: tenant, app: app, device: device.settings, tab: tabName)
        self.device = device
        startUp = nil
    }

    /// The name of the tab whose session storage the client uses.
    var tabName: String { tabNumber == 1 ? name : "\(name) (\(tabNumber))" }

    /// Creates the `MSALPublicClientApplication`: where redirect URI, Info.plist, authority and entitlements are
    /// checked. Every other call does so first if it has not been done.
    public func createClient() -> ClientOutcome {
        startUp = nil
        var events = EventLog()
        switch started(&events) {
        case .success: return ClientOutcome(.success(NoResult()), events: events.records)
        case .failure(let error):
            return ClientOutcome(
                .failure(ForeignErrors.convert(error, for: library)), events: events.records)
        }
    }

    /// The process ends and starts again: what it kept in memory is gone, the keychain stays.
    public func restart() {
        startUp = nil
        metadataCache = [:]
        instances = InstanceCache()
        throttling = ThrottlingCache()
        running = nil
        takenOver = [:]
        isCompleting = false
        frames = [:]
        cacheKey = nil
        newestToken = nil
        memory = Keychain()
    }

    /// The browser is closed: the storage of its tabs is gone.
    public func browserClosed() {
        guard configuration.runsInPage else { return }
        if configuration.app.client.storage == .session { wipeCache() }
        forgetCacheKey()
        // Cookies without an end go with the browser too.
        if configuration.app.client.temporaryStorage != .local { left = nil }
        address = nil
        restart()
    }

    /// The access token an app calls its API with unless told otherwise: that of the last token result, after a restart
    /// the one stored last. `nil` when there is none.
    public func newestAccessToken() -> String? {
        if let newestToken { return newestToken }
        var events = EventLog()
        unlockCache(&events)
        return try? cache.newestAccessToken(&events)?.secret
    }

    /// The redirect URI the client was created with, or why it could not be.
    func started(_ events: inout EventLog) -> Result<RedirectVerifier.Verified, ClientError> {
        if let startUp { return startUp }
        unlockCache(&events)
        let outcome = start(&events).mapError { library.throwsAtCreation($0) ? $0.asThrown() : $0 }
        startUp = outcome
        return outcome
    }

    private func start(_ events: inout EventLog) -> Result<RedirectVerifier.Verified, ClientError> {
        if let problem = library.creationProblem(configuration, strayAnswer: findsStrayAnswer) {
            return .failure(problem)
        }
        let authority: MSALAuthority
        switch configuration.ownAuthority() {
        // The initialisers of authorities have no converter: their errors reach the app with their inner domain.
        case .failure(let error): return .failure(ErrorConverter.unconverted(error, kind: .configuration))
        case .success(let own): authority = own
        }
        if configuration.clientID.isEmpty {
            return .failure(converted(LibraryError(.invalidDeveloperParameter, "The client id is empty.")))
        }
        return library.redirect(configuration, authority: authority)
    }

    private func converted(_ error: LibraryError) -> ClientError {
        ErrorConverter.convert(error, correlationID: nil)
    }

    // MARK: What every call uses

    var library: any LibraryBehaviour { configuration.library }

    /// The `state` of a request that is about to be sent.
    func requestState(_ interaction: InteractionKind, callers: String?) -> RequestState {
        requestState(interaction.rawValue, callers: callers)
    }

    func requestState(_ interaction: String, callers: String?) -> RequestState {
        RequestState(
            wire: library.state(id: random.guid().uppercase, interaction: interaction, callers: callers),
            callers: callers)
    }

    var cache: TokenCache {
        TokenCache(
            keychain: isPersisted ? deviceKeychain : memory,
            group: library.storageGroup(configuration), clientID: configuration.clientID,
            isEntitled: library.mayUseStorage(configuration) || !isPersisted,
            statuses: isPersisted && library.usesKeychain ? configuration.device.keychain : KeychainSettings())
    }

    private var isPersisted: Bool { library.persistsCache(configuration.app.client) }

    var sender: HTTPSender {
        HTTPSender(
            client: name, device: device.name, retries: configuration.app.client.serverRetries, retry: library.retry,
            networkAllowed: configuration.isNetworkAllowed, origin: library.scriptOrigin(configuration.app.platform),
            enforcesCORS: configuration.tenant.browser.cors)
    }

    var processor: TokenProcessor { TokenProcessor(configuration: configuration) }

    var now: Timestamp { device.clock.now() }

    func has(_ quirk: ClientQuirk) -> Bool { configuration.app.client.quirks.contains(quirk) }

    func nextSessionID() -> Int {
        lastSessionID += 1
        return lastSessionID
    }

    /// The error outcome of a call.
    func failed(
        _ error: LibraryError, _ correlationID: GUID, _ events: consuming EventLog, queue: Queue
    ) -> ClientOutcome {
        failed(ErrorConverter.convert(error, correlationID: correlationID.uppercase), events, queue: queue)
    }

    func failed(_ error: ClientError, _ events: consuming EventLog, queue: Queue) -> ClientOutcome {
        if error.thrown != true { events.completion(queue: queue.rawValue) }
        return ClientOutcome(
            .failure(ForeignErrors.convert(error, for: library)), events: events.records)
    }

    func succeeded(_ result: any ResultRecord, _ events: consuming EventLog, queue: Queue) -> ClientOutcome {
        events.completion(queue: queue.rawValue)
        if let token = (result as? TokenResult)?.accessToken?.raw { newestToken = token }
        return ClientOutcome(.success(result), events: events.records)
    }

    /// The queue a completion handler runs on unless the app sets one.
    enum Queue: String, Sendable {
        /// Interactive calls and sign-out.
        case main
        /// Silent calls and the asynchronous account queries.
        case background
        /// Synchronous calls, and silent ones that fail before anything is looked up.
        case caller
    }
}

/// The interactive call that holds the one web session a process may have.
struct RunningSession: Sendable {
    enum Kind: Sendable {
        case token(verifier: String, nonce: String?)
        case signOut

        var verifier: String? {
            if case .token(let verifier, _) = self { verifier } else { nil }
        }
    }

    var session: InteractiveSession
    var kind: Kind
    var context: RequestContext
    var metadata: ProviderMetadata
    var events: EventLog
    /// The caller's own state, given back with the result.
    var callersState: String?
    /// When the browser was opened.
    var openedAt: Timestamp?
    var isCancelled = false
}
