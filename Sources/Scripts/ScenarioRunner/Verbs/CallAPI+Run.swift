import Browser
import Clients
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import Verbs

extension CallAPI: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        let name = try await call.clientName()
        let url = try address(in: await world.tenant.tenant)
        let written = try StepCall.headers(headers)
        var request = RequestMessage.get(url, headers: written)
        if let json { request = .post(url, json: json, headers: request.headers) }
        if let method { request.method = method }
        let newest = await world.newestToken[name]
        if !writesToken, let token = text(of: newest) { request.headers["Authorization"] = "Bearer \(token)" }
        let exchange = ExchangeContext(lane: call.lane.id, from: .client, client: name, timeout: timeout)
        let app = try await world.app(of: name)
        guard app.client.kind.traits.runsInPage else {
            do throws(TransportError) {
                return .result(Returned(answer: HTTPAnswer(try await call.lane.transport.send(request, exchange))))
            } catch {
                return .transportFailure(error)
            }
        }
        if let field = written.fields.first(where: { CrossOrigin.isForbidden($0.name) }) {
            throw StepProblem(
                "headers: a page cannot set `\(field.name)`, because its browser sets it; remove it, or use `http`")
        }
        var fetch = PageFetch(
            origin: app.platform.origin, isEnforced: try await world.browserSettings(of: name).cors, lane: call.lane)
        var yield: StepResult
        switch await fetch.send(request, exchange) {
        case .answer(let response): yield = .result(Returned(answer: HTTPAnswer(response)))
        case .failed(let error): yield = .failure(PageFetch.failure(error, hasTimeout: timeout != nil))
        }
        yield.events = fetch.events
        return yield
    }

    private func address(in tenant: Tenant) throws(StepProblem) -> WebURL {
        var base: String
        if let url {
            base = url
        } else if let api {
            guard let known = tenant.api(named: api) else { throw StepProblem("there is no API `\(api)`") }
            base = known.baseUrl
        } else if tenant.apis.count == 1, let only = tenant.apis.first {
            base = only.baseUrl
        } else {
            throw StepProblem("callApi needs `api` or `url`: the tenant has \(tenant.apis.count) APIs")
        }
        if let path {
            base = (base.hasSuffix("/") ? String(base.dropLast()) : base) + (path.hasPrefix("/") ? path : "/" + path)
        }
        guard let address = WebURL(base) else { throw StepProblem("`\(base)` is not a URL") }
        return address
    }

    private func text(of newest: String?) -> String? {
        switch token {
        case .newest: newest
        case .none: nil
        case .text(let text): text
        }
    }
}
