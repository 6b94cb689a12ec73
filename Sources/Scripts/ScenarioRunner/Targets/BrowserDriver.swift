import AuthorityHosting
import B2CProtocol
import Browser
import CurlHTTP
import Determinism
import HTTPMessages

/// Real browsers for the people of scripts: a WebDriver server that runs, and how its browsers are started.
public struct BrowserDriver: Sendable {
    /// Address of the server, such as `http://127.0.0.1:9515`.
    public var server: WebURL
    /// People can see the windows, and do what no script does.
    public var showsWindow: Bool
    /// As root Chromium cannot start its sandbox.
    public var sandbox: Bool

    public init(server: WebURL, showsWindow: Bool = false, sandbox: Bool = true) {
        self.server = server
        self.showsWindow = showsWindow
        self.sandbox = sandbox
    }

    /// Asks whether the server is there.
    ///
    /// - Returns: Why no browser can be had of it, in a sentence; nil where it answers.
    public func unreachable() async -> String? {
        do throws(WebDriverError) {
            try await WebDriverSession.look(at: server, transport: CurlTransport())
            return nil
        } catch {
            switch error {
            case .transport(let why): return "the WebDriver server at \(server) cannot be reached: \(why.word)"
            case .refused, .malformed: return "what answers at \(server) is not a WebDriver server (\(error))"
            }
        }
    }

    /// Opens a browser that reaches the hosts of a target.
    ///
    /// - Parameter language: The languages that pages see, as in `Accept-Language`.
    func open(
        _ kind: JarKind, along route: BrowserRoute, language: String, userAgent: String?
    ) async throws(WebDriverError) -> WebDriverSession {
        let languages = language.split(separator: ",").map { $0.prefix { $0 != ";" }.filter { $0 != " " } }
        let options = ChromiumOptions(
            headless: !showsWindow, sandbox: sandbox, language: languages.first ?? "en",
            hosts: route.hosts.map { ($0.host, $0.address) }, onlyHosts: route.onlyHosts,
            trustedKeys: route.trustedKeys, acceptLanguages: languages.isEmpty ? nil : languages.joined(separator: ","),
            userAgent: userAgent)
        // The server's own address is of this machine, whatever the target says of others.
        var session = try await WebDriverSession.open(
            at: server, capabilities: options.capabilities, transport: CurlTransport(), timeout: .minutes(2))
        guard !route.headers.isEmpty else { return session }
        do throws(WebDriverError) {
            try await session.setHeaders(route.headers.map { ($0.name, $0.value) })
        } catch {
            try? await session.quit()
            guard error.code != nil else { throw error }
            throw .refused(
                code: "unsupported operation",
                message: "only a Chromium can be told which world of a mock-server its requests are for (\(error))")
        }
        return session
    }
}

/// What a real browser needs to reach the hosts of a scenario.
struct BrowserRoute: Sendable, Hashable {
    struct Host: Sendable, Hashable {
        /// `*`: all.
        var host: String
        /// Address and port.
        var address: String
    }

    struct Header: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// Hosts that are found elsewhere than the name service says.
    var hosts: [Host] = []
    /// The only hosts that may be asked; nil: any.
    var onlyHosts: [String]?
    /// Hashes of public keys that are believed besides the system's authorities.
    var trustedKeys: [String] = []
    /// Fields that go with every request.
    var headers: [Header] = []
}

extension ExchangeHub {
    /// A real browser is about to send something that does not pass here.
    func browserActs(_ lane: LaneID) async {
        try? await turnstile.wait(lane, for: .turn)
        await far?.obey(recorder.rules.standing(in: lane))
        await far?.browserActs()
    }

    /// It has come to rest: what it has caused is known.
    func browserRests(_ lane: LaneID) async {
        await far?.browserRests()
        if let counts = await far?.counts() { recorder.rules.count(counts, in: lane) }
        await collect(lane: lane)
    }

    /// How a real browser gets there; nil: it cannot.
    func browserRoute() async -> BrowserRoute? { await far?.browserRoute() }
}
