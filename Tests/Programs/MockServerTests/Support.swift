import AuthorityHosting
import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JSON
import Synchronization

@testable import MockServerCore

/// A front over a small tenant, called without sockets.
struct Stage: Sendable {
    static let tenant: JSONValue = [
        "name": "contoso",
        "policies": [
            "susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn", "providers": ["facebook"]]
        ],
        "apis": [
            "tasks": [
                "appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read"],
                "routes": ["/tasks": ["scopes": ["read"], "json": []]],
            ]
        ],
        "apps": [
            "ios": [
                "client": ["kind": "msal-ios", "policy": "susi"], "platform": ["bundleId": "com.contoso.tasks"],
            ],
            "spa": [
                "client": ["kind": "msal-browser", "policy": "susi"],
                "platform": ["origin": "https://tasks.contoso.test"],
            ],
        ],
        "providers": ["facebook": ["type": "oauth2"]],
        "users": ["ada": ["email": "ada@example.test", "password": "Analytical-1843"]],
    ]

    let front: Front
    let world: ServerWorld
    let lines: Lines

    /// - Parameter controls: The control API over the worlds of this stage is the desk.
    init(
        desk: (any ControlDesk)? = nil, controls: Bool = false, token: String? = nil, tenant: JSONValue = Stage.tenant,
        outer: OuterAddress = OuterAddress()
    ) async throws {
        let compiled = try CompiledTenant.compile(tenant)
        world = await ServerWorld(
            name: Worlds.defaultName, seed: SeededGenerator(seed: 1), tenant: compiled,
            time: WorldTime(frozenAt: Timestamp(seconds: 1_768_478_400)))
        let lines = Lines()
        self.lines = lines
        let worlds = Worlds(default: world)
        front = Front(
            worlds: worlds, desk: controls ? ControlAPI(worlds: worlds) : desk,
            gate: ControlGate(token: token, hosts: compiled.tenant.hosts, isPublic: outer.publicURL != nil),
            access: AccessLog { line in lines.append(line) }, outer: outer)
    }

    /// The answer to a request; nil where the connection is closed without one.
    func send(
        _ target: String, method: String = "GET", host: String = "localhost:9400", scheme: String = "http",
        headers: Headers = [:], body: String = "", isLoopback: Bool = true,
        isConsole: Bool = false
    ) async -> ResponseMessage? {
        let answer = await front.answer(
            IncomingRequest(
                method: method, scheme: scheme, host: host, target: target, headers: headers, body: Array(body.utf8),
                peer: isLoopback ? "127.0.0.1" : "192.0.2.7", isLoopback: isLoopback,
                isConsole: isConsole))
        if case .message(let message) = answer { return message }
        return nil
    }
}

/// Lines of the access log.
final class Lines: Sendable {
    private let state = Mutex<[String]>([])

    func append(_ line: String) { state.withLock { $0.append(line) } }
    var all: [String] { state.withLock { $0 } }
}

/// A clock that shows one instant.
struct FixedClock: WallClock {
    let instant: Timestamp

    init(_ instant: Timestamp) { self.instant = instant }

    func now() -> Timestamp { instant }
}

extension ServerWorld {
    /// The exchanges of the journal, in its order, classified.
    var exchangesSoFar: [Exchange] {
        journal.page(since: 0).entries.compactMap { entry in
            guard case .exchange(let exchange) = entry.content else { return nil }
            return exchange.classified(by: classifier, namingClient: true)
        }
    }
}
