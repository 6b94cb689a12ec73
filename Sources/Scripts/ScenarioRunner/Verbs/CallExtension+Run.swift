import Determinism
import ExtensionCalls
import HTTPMessages
import TenantFiles
import Verbs

extension CallExtension: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        let tenant = await world.tenant.tenant
        guard let event, let address = WebURL(url) else { throw StepProblem("`\(url)` is not a URL") }
        guard let name = user ?? tenant.users.first?.name else {
            throw StepProblem("the tenant has no person; add one to `users`")
        }
        let origin = server.flatMap { WebURL($0) }
        var random = await world.draw("extension")
        var extensionCall = ExtensionCall(
            event, url: address, person: try await world.person(name).record,
            app: try await subject(of: call, in: tenant), tenant: tenant, audience: "", origin: origin, using: &random)
        extensionCall.token = written(extensionCall.issuer)
        extensionCall.inputs = input
        extensionCall.timeout = timeout
        extensionCall.retries = retries
        extensionCall.encryption = key.flatMap { ExtensionEncryption(written: $0) }
        extensionCall.encryption?.isNested = !plain
        // A function outside compares the times of the token with its own clock.
        let clock: any WallClock = origin == nil ? world.time.clock : RealTime()
        let outcome = try await extensionCall.send(
            over: ServiceTransport(lane: call.lane), clock: clock, using: random.stream("password"))
        // Such as that no stub answers: for exchanges of the authority the caller asks.
        await world.hub.collect(lane: call.lane.id)
        return .result(Returned(outcome: outcome))
    }

    /// The app that the person signs in to; `nil`: the tenant has several, and none is named.
    private func subject(of call: StepCall, in tenant: Tenant) async throws(StepProblem) -> AppSettings? {
        if let app {
            guard let known = tenant.app(named: app) else { throw StepProblem("there is no app `\(app)`") }
            return known
        }
        guard let client = try? await call.clientName() else { return nil }
        return try await call.world.app(of: client)
    }

    private func written(_ issuer: ExtensionIssuer) -> ExtensionToken? {
        guard let change = token else { return nil }
        var token = ExtensionToken(audience: audience ?? issuer.audience, host: host, version: tokenVersion)
        if let caller = change.caller { token.caller = caller }
        token.issuer = change.issuer
        token.age = change.age
        token.key = change.key
        return token
    }
}

/// The way of requests that the service sends itself, in a lane.
private struct ServiceTransport: Transport {
    let lane: Lane

    func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        var context = context
        context.lane = lane.id
        context.from = .authority
        return try await lane.transport.send(request, context)
    }
}
