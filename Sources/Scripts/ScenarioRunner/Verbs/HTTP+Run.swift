import B2CProtocol
import Clients
import Exchanges
import HTTPMessages
import JSON
import Verbs

extension HTTP: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        let name = try await call.clientName()
        let written = try await call.written(request, app: try await world.app(of: name))
        var message = RequestMessage.get(written.url, headers: try StepCall.headers(request.headers))
        if let form = written.form {
            message = .post(written.url, form: form, headers: message.headers)
        } else if let json {
            message = .post(written.url, json: json, headers: message.headers)
        } else if let body {
            message.method = "POST"
            message.body = Array(body.utf8)
        }
        if let method { message.method = method }
        let browser = try await world.browser(of: name)
        if cookies, let header = await browser.cookieHeader(for: written.url, at: world.time.now) {
            message.headers["Cookie"] = header
        }
        do throws(TransportError) {
            let response = try await call.lane.transport.send(
                message, ExchangeContext(lane: call.lane.id, from: .client, client: name))
            if cookies { await browser.storeCookies(of: response, from: written.url, at: world.time.now) }
            return .result(HTTPAnswer(response))
        } catch {
            return .transportFailure(error)
        }
    }
}

extension StepResult {
    /// A request that no answer came to, as the app's system reports it.
    static func transportFailure(_ error: TransportError) -> StepResult {
        var failure = ClientError(.network, domain: "NSURLErrorDomain", code: .number(URLErrorTable.code(of: error)))
        failure.name = URLErrorTable.all.first { $0.code == URLErrorTable.code(of: error) }?.name
        return .failure(failure)
    }
}
