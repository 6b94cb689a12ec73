import AuthorityHosting
import B2CProtocol
import Browser
import Determinism
import Diagnostics
import Exchanges
import Foundation
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Synchronization
import TenantFiles
import TrustFramework

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A B2C tenant inside a test: authority, people, APIs, inbox and clock, with nothing shared between two of them.
///
/// An app's `URLSession` reaches it through ``configuration``, at the tenant's own host names, and nothing leaves the
/// process. Each test makes its own, so tests run at the same time.
///
///     let tenant = try await TestTenant()
///     let token = try await tenant.token(as: "ada")
///     let (data, _) = try await tenant.session.data(from: tenant.metadataURL())
public final class TestTenant: Sendable {
    /// Where the tenant comes from.
    public enum Source: Sendable {
        /// The tenant that `b2c init` writes: the people `ada` and `nina`, the apps `ios` and `spa`, the API `tasks`.
        case embedded
        /// A tenant file.
        case file(URL)
        /// The text of a tenant file without custom policies.
        case json(String)
    }

    /// Rules that make requests fail.
    public let faults = Faults()

    let number: Int
    private let compiled: CompiledTenant
    private let time: VirtualTime
    private let network = VirtualNetwork()
    private let environment: HostedEnvironment
    private let turnstile: Turnstile
    private let messages = Mutex<[Message]>([])
    private let drawn = Mutex(SeededGenerator(seed: 1, stream: "kit"))

    /// - Parameters:
    ///   - seed: Ids, codes and tokens are drawn from it: the same seed gives the same.
    ///   - now: What the tenant's clock shows; it stands until ``advance(by:)``. Code that compares tokens with the system's
    ///     clock needs the default, the time of the call.
    /// - Throws: ``TestTenantError`` with everything that is wrong with the tenant file.
    public init(_ source: Source = .embedded, seed: UInt64 = 1, now: Date? = nil) async throws {
        compiled = try Self.compiled(source)
        let start = now.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
        time = VirtualTime(start.map { Timestamp(milliseconds: $0) } ?? RealTime().now())
        turnstile = Turnstile(time: time)
        number = TestTenants.shared.next()
        let network = network
        environment = HostedEnvironment(
            tenant: compiled.tenant, policies: compiled.policies, seed: SeededGenerator(seed: seed), time: time.clock,
            network: network, callouts: network,
            directory: PolicyDirectory(compiled, seed: SeededGenerator(seed: seed), now: time.clock.now()))
        await environment.attach()
        TestTenants.shared.add(self)
    }

    private static func compiled(_ source: Source) throws -> CompiledTenant {
        let name: String
        let bytes: [UInt8]
        switch source {
        case .embedded: (name, bytes) = (StarterTenant.name, Array(StarterTenant.text.utf8))
        case .json(let text): (name, bytes) = ("the tenant", Array(text.utf8))
        case .file(let url): (name, bytes) = (url.path, Array(try Data(contentsOf: url)))
        }
        do throws(InvalidInput) {
            let file = try TenantFile.read(file: name, bytes: bytes)
            guard case .file(let url) = source else { return try CompiledTenant.compile(file.json) }
            let files = PolicyFiles(
                read: { path in (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) },
                list: { folder in try? FileManager.default.contentsOfDirectory(atPath: folder).sorted() })
            return try CompiledTenant.compile(
                file.json, shelf: PolicyShelf(files: files), folder: url.deletingLastPathComponent().path)
        } catch {
            throw TestTenantError(error.diagnostics.map { "\($0.location.map { "\($0): " } ?? "")\($0.message)" })
                as any Error
        }
    }

    // MARK: Addresses

    /// What an app is configured with: `https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi`.
    ///
    /// - Parameter policy: Its name in the tenant file or its id; the first by default.
    public func authority(policy: String? = nil) throws -> URL {
        let settings = try settings(policy: policy)
        return try Self.url("https://\(host)/\(compiled.tenant.domain)/\(settings.id)")
    }

    /// The address of a policy's discovery document.
    public func metadataURL(policy: String? = nil) throws -> URL {
        try Self.url("\(authority(policy: policy))/v2.0/.well-known/openid-configuration")
    }

    /// The client id of an app; of the first by default.
    public func clientID(of app: String? = nil) throws -> String { try settings(app: app).registration.clientId }

    /// Where an app gets its answers: its redirect URI, of the first app by default.
    ///
    /// - Throws: ``TestTenantError`` if no app has the name, or the app has no redirect URI; the error gives the reason.
    public func redirectURI(of app: String? = nil) throws -> String {
        switch try settings(app: app).redirect {
        case .success(let found): return found.uri
        case .failure(let none): throw TestTenantError([none.reason])
        }
    }

    /// The scopes of an API as an app asks for them; of the first API by default.
    ///
    /// - Throws: ``TestTenantError`` when there is no API of the name.
    public func scopes(of api: String? = nil) throws -> [String] {
        let found = try settings(api: api)
        return found.scopes.map { found.scopeName($0) }
    }

    /// The `aud` of the access tokens for an API; for the first by default.
    ///
    /// - Throws: ``TestTenantError`` when there is no API of the name.
    public func audience(of api: String? = nil) throws -> String { try settings(api: api).clientId }

    private var host: String { compiled.tenant.hosts.first ?? "\(compiled.tenant.name).b2clogin.com" }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw TestTenantError(["\(text) is not an address"]) }
        return url
    }

    // MARK: What an app's code uses

    /// A configuration whose sessions reach this tenant and nothing else.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [TestTenants.loader(number)]
        return configuration
    }

    /// A session that reaches this tenant and nothing else.
    public var session: URLSession { URLSession(configuration: configuration) }

    // MARK: Signing in

    /// Plays a person at a sign-in address, as a browser would: fills the pages, reads codes from the inbox, and returns the
    /// address by which the app gets the answer.
    ///
    /// - Parameters:
    ///   - person: A name of the tenant file. Somebody without an account signs up.
    ///   - url: The address that the app opens, with its `redirect_uri`.
    /// - Throws: ``TestTenantError`` where the sign-in stops at a page, with what the page says.
    public func signIn(as person: String, at url: URL) async throws -> URL {
        guard let record = compiled.tenant.user(named: person) else {
            throw unknown("person", person, compiled.tenant.users.map(\.name))
        }
        guard let address = WebURL(url.absoluteString), let redirect = address.queryItems["redirect_uri"] else {
            throw TestTenantError(["\(url) is not a sign-in address: expected one with a redirect_uri"])
        }
        let browser = Browser(
            name: "browser", settings: compiled.tenant.browser, locale: compiled.tenant.device.locale,
            providers: compiled.tenant.providers.map { ($0.name, $0.exchange) }, mailbox: KitMailbox(tenant: self))
        let target = WebURL(redirect)
        let isWeb = target.map { ["http", "https"].contains($0.scheme) } ?? true
        let rule: CallbackRule = isWeb ? .exact(redirect) : .scheme(target?.scheme ?? redirect)
        let tab = await browser.start(BrowseRequest(url: address, callback: rule, client: "app"))
        var entries: [UserScript.Entry] = [.person(Person(record: record))]
        if !record.registered { entries.insert(.action(UserAction(press: "signUp", optional: true)), at: 0) }
        let lane = Lane(id: .main, transport: KitTransport(tenant: self), turnstile: turnstile, time: time)
        let end: BrowseEnd
        do throws(WorldError) {
            end = try await browser.run(tab, user: UserScript(entries), lane: lane)
        } catch {
            throw TestTenantError(["\(person) cannot sign in: \(error)"]) as any Error
        }
        switch end {
        case .callback(let callback, let form):
            guard let form, !form.items.isEmpty else { return try Self.url(callback.description) }
            // A redirect URI may have a query of its own, and the answer goes behind it.
            var whole = callback
            whole.query = [callback.query, form.encoded].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
            return try Self.url(whole.description)
        case .pending(let pending):
            let page = pending.page
            let words = page?.error.map { ", which says \"\($0)\"" } ?? ""
            throw TestTenantError(["\(person) stops at the page \(page?.name ?? pending.reason)\(words)"])
        case .failed(let error): throw TestTenantError(["\(url) cannot be loaded: \(error)"])
        case .blocked(let why), .scriptDoesNotFit(let why): throw TestTenantError([why])
        case .userClosed: throw TestTenantError(["the window was closed"])
        case .nonHTTPS(let address): throw TestTenantError(["\(address) is not an https address"])
        }
    }

    /// A token of a sign-in.
    ///
    /// - Parameters:
    ///   - person: A name of the tenant file.
    ///   - app: The app that asks; the first by default.
    ///   - policy: The policy, by name or id; the app's by default.
    ///   - scopes: The scopes to ask for; the app's by default, else all of the first API.
    ///   - kind: Which of the two tokens.
    public func token(
        as person: String, app: String? = nil, policy: String? = nil, scopes: [String] = [], kind: TokenKind = .access
    ) async throws -> String {
        let app = try settings(app: app)
        let base = try authority(policy: policy ?? app.client.policy)
        var asked = scopes.isEmpty ? app.client.scopes : scopes
        if asked.isEmpty, let api = compiled.tenant.apis.first { asked = api.scopes.map { api.scopeName($0) } }
        if asked.isEmpty { asked = [app.registration.clientId] }
        let verifier = drawn.withLock { generator in
            (0..<4).map { _ in String(generator.next(), radix: 16) }.joined() + "0123456789abcdef"
        }
        let redirect = try redirectURI(of: app.name)
        let query: FormItems = [
            "client_id": app.registration.clientId, "redirect_uri": redirect, "response_type": "code",
            "scope": (["openid", "offline_access"] + asked).joined(separator: " "), "state": "kit", "nonce": "kit",
            "code_challenge": Base64URL.encode(SHA2.sha256(Array(verifier.utf8))), "code_challenge_method": "S256",
        ]
        let callback = try await signIn(as: person, at: try Self.url("\(base)/oauth2/v2.0/authorize?\(query.encoded)"))
        let items = WebURL(callback.absoluteString).map { $0.queryItems.items + $0.fragmentItems.items } ?? []
        func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let code = item("code") else {
            throw TestTenantError(["\(person) gets no code: \(item("error_description") ?? callback.absoluteString)"])
        }
        var form: FormItems = [
            "grant_type": "authorization_code", "client_id": app.registration.clientId, "code": code,
            "redirect_uri": redirect, "code_verifier": verifier,
        ]
        if let secret = app.secret(at: redirect) { form.append("client_secret", secret) }
        guard let address = WebURL("\(base)/oauth2/v2.0/token") else {
            throw TestTenantError(["\(base) is not an address"])
        }
        var request = RequestMessage(method: "POST", url: address)
        request.headers.append("Content-Type", "application/x-www-form-urlencoded")
        if let origin = WebURL(redirect)?.origin, redirect.hasPrefix("http") {
            request.headers.append("Origin", origin)
        }
        request.body = Array(form.encoded.utf8)
        let answer = try await send(request)
        let member = kind == .id ? "id_token" : "access_token"
        guard let token = answer.json?[member]?.stringValue else {
            let why = answer.json?["error_description"]?.stringValue ?? answer.text
            throw TestTenantError(["\(person) gets no \(member): \(why)"])
        }
        return token
    }

    /// A token with other claims, another lifetime or a key that nobody publishes: one that an API must refuse.
    ///
    /// - Parameters:
    ///   - token: What it is made from.
    ///   - claims: JSON: a merge patch over the claims (RFC 7396).
    ///   - expiresIn: Seconds from the tenant's clock to `exp`; may be negative.
    public func changed(
        _ token: String, claims: String = "{}", expiresIn: TimeInterval? = nil, signedBy key: Key = .tenant
    ) async throws -> String {
        var order = MintOrder(from: token, claims: try JSONParser.parse(Array(claims.utf8)))
        order.lifetime = expiresIn.flatMap { Int64(exactly: ($0 * 1000).rounded()) }.map { TimeSpan(milliseconds: $0) }
        switch key {
        case .tenant: break
        case .unknown: order.key = "a key that nobody publishes"
        case .none: order.algorithm = .none
        }
        switch await environment.command(.mint(order)) {
        case .value(let value): return value["token"]?.stringValue ?? ""
        case .refused(let why): throw TestTenantError([why])
        case .done: return ""
        }
    }

    /// Which token of an answer.
    public enum TokenKind: Sendable { case access, id }

    /// Who signs a token.
    public enum Key: Sendable {
        /// The tenant.
        case tenant
        /// A key that nobody publishes.
        case unknown
        /// Nobody: `alg` is `none`.
        case none
    }

    // MARK: Clock and inbox

    /// What the tenant's clock shows.
    public var now: Date { Date(timeIntervalSince1970: Double(time.now.milliseconds) / 1000) }

    /// Moves the tenant's clock forward.
    public func advance(by seconds: TimeInterval) {
        guard seconds.isFinite, seconds > 0 else { return }
        time.advance(by: TimeSpan(milliseconds: Int64(exactly: (min(seconds, 1e11) * 1000).rounded()) ?? 0))
    }

    /// The e-mails, SMS and calls that went out, oldest first.
    ///
    /// - Parameter person: Only those to this person, or to this address.
    public func inbox(of person: String? = nil) -> [Message] {
        collect()
        guard let person else { return messages.withLock { $0 } }
        let record = compiled.tenant.user(named: person)
        let addresses = [person, record?.email, record?.phone].compactMap { $0?.lowercased() }
        return messages.withLock { $0.filter { addresses.contains($0.to.lowercased()) } }
    }

    /// A message that went out.
    public struct Message: Sendable, Hashable {
        /// The e-mail address or phone number.
        public let to: String
        /// The code in it.
        public let code: String?
    }

    private func collect() {
        // Taken while the list is locked, so that two readers cannot change the order.
        messages.withLock { list in
            for case .message(let message) in environment.drainEvents() {
                list.append(Message(to: message.to, code: message.json["code"]?.stringValue))
            }
        }
    }

    // MARK: The wire

    /// Answers a request as the tenant would.
    func send(_ request: RequestMessage) async throws(TransportError) -> ResponseMessage {
        switch faults.take(for: request) {
        case .status(let status, let body): return ResponseMessage(status: status, body: Array(body.utf8))
        case .offline: throw .offline
        case .timeout: throw .timeout
        case .connectionLost: throw .reset
        case nil: return try await network.send(request, ExchangeContext(from: .client))
        }
    }

    // MARK: Names

    private func settings(app: String?) throws -> AppSettings {
        guard let found = app.map({ compiled.tenant.app(named: $0) }) ?? compiled.tenant.apps.first else {
            throw unknown("app", app ?? "", compiled.tenant.apps.map(\.name))
        }
        return found
    }

    private func settings(api: String?) throws -> APISettings {
        guard let found = compiled.tenant.apis.first(where: { api == nil || $0.name == api }) else {
            throw unknown("API", api ?? "", compiled.tenant.apis.map(\.name))
        }
        return found
    }

    private func settings(policy: String?) throws -> PolicySettings {
        let tenant = compiled.tenant
        let found = policy.map { tenant.policy(named: $0) ?? tenant.policy(id: $0) } ?? tenant.policies.first
        guard let found else { throw unknown("policy", policy ?? "", tenant.policies.map(\.name)) }
        return found
    }

    private func unknown(_ what: String, _ name: String, _ known: [String]) -> TestTenantError {
        let hint =
            nearestName(name, among: known).map { "Did you mean \($0)?" } ?? "The tenant has \(namesList(known))."
        return TestTenantError(["there is no \(what) \(name). \(hint)"])
    }
}

/// What was wrong, in sentences.
public struct TestTenantError: Error, CustomStringConvertible, LocalizedError {
    /// One sentence for each thing that is wrong.
    public let messages: [String]

    init(_ messages: [String]) { self.messages = messages }

    public var description: String { messages.joined(separator: "\n") }
    public var errorDescription: String? { description }
}

/// Reads codes for the browser of ``TestTenant/signIn(as:at:)``.
private struct KitMailbox: Mailbox {
    let tenant: TestTenant

    func newestCode(to addresses: [String]) async -> String? {
        let wanted = addresses.map { $0.lowercased() }
        return tenant.inbox().last { wanted.contains($0.to.lowercased()) && $0.code != nil }?.code
    }

    func captcha(of challenge: String) async -> String? { await newestCode(to: [challenge]) }
}

/// The browser's way to the tenant.
private struct KitTransport: Transport {
    let tenant: TestTenant

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        try await tenant.send(request)
    }
}
