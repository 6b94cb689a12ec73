import Foundation
import HTTPMessages
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries the requests of a `URLSession` to a ``TestTenant``. Each tenant has a class of its own: that is all that a
/// session's configuration can name, and fields which a configuration adds are not seen here on Linux.
///
/// Redirects are handed over as they are: code that talks to an authority looks at them itself.
class TestTenantProtocol: URLProtocol {
    /// Everything, so that nothing leaves the process.
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let tenant = TestTenants.shared.tenant(of: type(of: self)), let url = request.url,
            let address = WebURL(url.absoluteString)
        else { return fail(.cannotFindHost) }
        var message = RequestMessage(method: request.httpMethod ?? "GET", url: address)
        for (field, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            message.headers.append(field, value)
        }
        message.body = body()
        let request = message
        let own = Carried(loader: self)
        Task { await TestTenantProtocol.load(request, of: tenant, at: url, for: own) }
    }

    private static func load(
        _ request: RequestMessage, of tenant: TestTenant, at url: URL, for own: Carried
    ) async {
        do throws(TransportError) {
            let response = try await tenant.send(request)
            own.loader.answer(response, at: url)
        } catch {
            own.loader.fail(code(error))
        }
    }

    /// A loader on its way into a task. Nothing else uses it meanwhile: the session waits for its answer.
    private struct Carried: @unchecked Sendable {
        let loader: TestTenantProtocol
    }

    override func stopLoading() {}

    private func answer(_ response: ResponseMessage, at url: URL) {
        var fields: [String: String] = [:]
        for field in response.headers.fields {
            fields[field.name] = fields[field.name].map { "\($0), \(field.value)" } ?? field.value
        }
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return fail(.badServerResponse) }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(response.body))
        client?.urlProtocolDidFinishLoading(self)
    }

    private func fail(_ code: URLError.Code) {
        client?.urlProtocol(self, didFailWithError: URLError(code))
    }

    /// The body of a request; a session hands it over as a stream.
    private func body() -> [UInt8] {
        if let data = request.httpBody { return Array(data) }
        guard let stream = request.httpBodyStream else { return [] }
        stream.open()
        defer { stream.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count < 64 << 20 {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// What `URLSession` reports.
    private static func code(_ error: TransportError) -> URLError.Code {
        switch error {
        case .offline: .notConnectedToInternet
        case .refused: .cannotConnectToHost
        case .dns: .cannotFindHost
        case .timeout: .timedOut
        case .tls: .secureConnectionFailed
        default: .networkConnectionLost
        }
    }
}

/// The class of the tenant whose number its parameter spells.
private final class NumberedProtocol<Number>: TestTenantProtocol {}

private enum NoDigits {}
private enum Zero<Rest> {}
private enum One<Rest> {}

/// The tenants that sessions can reach, by the class of their requests. A tenant that nobody holds is gone.
final class TestTenants: Sendable {
    static let shared = TestTenants()

    private struct Entry {
        weak var tenant: TestTenant?
    }

    private let state = Mutex<(made: Int, entries: [ObjectIdentifier: Entry])>((0, [:]))

    /// The number of the next tenant, from 1 on.
    func next() -> Int {
        state.withLock { state in
            state.made += 1
            return state.made
        }
    }

    func add(_ tenant: TestTenant) {
        let key = ObjectIdentifier(Self.loader(tenant.number))
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.tenant != nil }
            state.entries[key] = Entry(tenant: tenant)
        }
    }

    func tenant(of loader: TestTenantProtocol.Type) -> TestTenant? {
        state.withLock { $0.entries[ObjectIdentifier(loader)]?.tenant }
    }

    /// The class of a tenant: its number in binary digits, as nested types.
    static func loader(_ number: Int) -> TestTenantProtocol.Type {
        func spelled<Digits>(_ rest: Int, after digits: Digits.Type) -> TestTenantProtocol.Type {
            guard rest > 0 else { return NumberedProtocol<Digits>.self }
            return rest % 2 == 0
                ? spelled(rest / 2, after: Zero<Digits>.self) : spelled(rest / 2, after: One<Digits>.self)
        }
        return spelled(number, after: NoDigits.self)
    }
}
