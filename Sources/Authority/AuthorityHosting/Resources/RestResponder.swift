import Determinism
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import Synchronization
import TenantFiles
import TrustFramework

/// Answers the calls that policies make, as the tenant file's `rest` says.
public actor RestResponder: DelayingResponder {
    private struct Entry {
        var stub: RestStub
        /// Answers given so far.
        var given = 0
    }

    private var entries: [Entry]
    /// Whose technical profiles call.
    private var policies: [ResolvedPolicy]
    private let services: (any Transport)?
    /// Outside the actor: those who look after each request need not wait their turn.
    private let unmatched = Mutex<[UnmatchedCall]>([])

    /// - Parameters:
    ///   - policies: Whose technical profiles call: what their output claims are named is in the entry to paste.
    ///   - services: The way to real services, for stubs with `passThrough`. `nil`: nobody has allowed that, and such a
    ///     call fails.
    public init(stubs: [RestStub], policies: [ResolvedPolicy] = [], services: (any Transport)? = nil) {
        entries = stubs.map { Entry(stub: $0) }
        self.policies = policies
        self.services = services
    }

    /// Takes other stubs and policies. A stub that has not changed goes on in its list of answers where it was.
    public func configure(_ stubs: [RestStub], policies: [ResolvedPolicy] = []) {
        self.policies = policies
        let before = entries
        entries = stubs.map { stub in before.first { $0.stub == stub } ?? Entry(stub: stub) }
    }

    /// The calls since the last time that no stub was for.
    public nonisolated func drainUnmatched() -> [UnmatchedCall] {
        unmatched.withLock { unmatched in
            defer { unmatched = [] }
            return unmatched
        }
    }

    /// What the first fitting stub answers; `nil` where none fits. A stub with `passThrough` asks the real service, in
    /// real time.
    public func stubbed(_ request: RequestMessage) async -> Delivery? {
        guard !entries.isEmpty else { return nil }
        let record = Exchange.restRecord(request)
        guard let index = entries.firstIndex(where: { Matcher.matches(record, $0.stub.match) }) else { return nil }
        let stub = entries[index].stub
        if stub.passThrough { return await passOn(request, stub) }
        guard !stub.reply.isEmpty else { return nil }
        let reply = stub.reply[min(entries[index].given, stub.reply.count - 1)]
        entries[index].given += 1
        return .response(ResponseMessage(reply), delay: stub.delay)
    }

    private func passOn(_ request: RequestMessage, _ stub: RestStub) async -> Delivery {
        let host = request.url.host ?? ""
        guard let services else {
            return .failure(
                .other(
                    "REST stub \"\(stub.name)\" passes its calls on to \(host), and calls to real services were not "
                        + "allowed: run with --allow-real-services"))
        }
        let unfilled = UnfilledText.placeholders(in: request.url.authority)
        guard unfilled.isEmpty else {
            return .failure(
                .other(
                    "REST stub \"\(stub.name)\": the address \(request.url) names no service, because "
                        + UnmatchedCall.withoutValue(unfilled)))
        }
        // Claims and keys of a call would be in the clear otherwise.
        guard request.url.scheme == "https" || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) else {
            return .failure(.other("REST stub \"\(stub.name)\": a real service is called by https only"))
        }
        do throws(TransportError) {
            let answer = try await services.send(request, ExchangeContext(from: .authority))
            return .response(answer, delay: stub.delay)
        } catch {
            return .failure(error)
        }
    }

    /// What the service of a technical profile could answer.
    private func example(for id: String?) -> JSONValue {
        for policy in policies {
            if let profile = policy.profiles.first(where: { $0.id == id }) {
                return RestAnswer.example(for: profile, of: policy)
            }
        }
        return [:]
    }

    public func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        if let delivery = await stubbed(request) { return delivery }
        let call = UnmatchedCall(request, answer: example(for: request.profile))
        unmatched.withLock { $0.append(call) }
        return .failure(.other(call.text))
    }
}

/// A call of a policy that neither a stub nor a host answers.
public struct UnmatchedCall: Sendable, Hashable {
    public var method: String
    public var url: String
    /// The technical profile that made it, where that is known.
    public var profile: String?
    /// An entry for the tenant file's `rest` that would match the call, for any person.
    public var entry: JSONObject

    init(_ request: RequestMessage, answer: JSONValue) {
        method = request.method
        url = request.url.description
        profile = request.profile
        entry = Self.entry(request.url, method: method, answer: answer)
    }

    /// A call of a policy that a host of Microsoft's refused, such as Entra ID or Microsoft Graph; `nil` for another
    /// exchange.
    ///
    /// - Parameter record: The exchange as logs have it.
    public init?(refused record: JSONValue) {
        guard record["from"] == "authority", let method = record["method"]?.stringValue,
            let url = record["url"]?.stringValue, let address = WebURL(url), let host = address.host,
            ["login.microsoftonline.com", GraphAPI.host].contains(host),
            record["response", "status"]?.intValue ?? 0 >= 400
        else { return nil }
        self.method = method
        self.url = url
        entry = Self.entry(address, method: method)
    }

    /// Without what the call says of a person: its body, and a query.
    private static func entry(_ url: WebURL, method: String, answer: JSONValue = [:]) -> JSONObject {
        let text = url.description
        let start = text.prefix { $0 != "?" && $0 != "#" }
        let place: JSONValue = start.count == text.count ? .string(text) : ["$startsWith": .string(String(start))]
        return [
            name(for: url): [
                "match": ["method": .string(method), "url": place], "reply": ["status": 200, "json": answer],
            ]
        ]
    }

    /// The event as a log or report shows it.
    public var json: JSONObject {
        [
            "type": "restUnmatched", "profile": profile.map { .string($0) } ?? .null, "method": .string(method),
            "url": .string(url), "rest": .object(entry),
        ]
    }

    /// What is missing.
    public var complaint: String {
        let unfilled = UnfilledText.placeholders(in: url)
        return Self.start + "\(method) \(url)"
            + (unfilled.isEmpty ? "" : " (\(Self.withoutValue(unfilled)))")
            + (profile.map { Self.ofProfile + $0 } ?? "")
    }

    /// `{Settings:Host} has no value`.
    fileprivate static func withoutValue(_ placeholders: [String]) -> String {
        placeholders.joined(separator: ", ") + (placeholders.count == 1 ? " has" : " have") + " no value"
    }

    private static let start = "no REST stub answers "
    private static let ofProfile = " of technical profile "
    private static let remedy = "; add to the tenant file, or to `configure` of the script: \"rest\": "

    /// What to do about it, in one line.
    public var text: String { complaint + Self.remedy + JSONWriter.compact(.object(entry)) }

    /// Reads what ``text`` says; `nil` for another text. What is masked in `entry` may be a matcher.
    public init?(text: String) {
        guard let remedy = text.firstRange(of: Self.remedy), text.hasPrefix(Self.start),
            let entry = try? JSONParser.parse(String(text[remedy.upperBound...])), case .object(let entry) = entry
        else { return nil }
        var call = text[..<remedy.lowerBound].dropFirst(Self.start.count)
        if let place = call.firstRange(of: Self.ofProfile) {
            profile = String(call[place.upperBound...])
            call = call[..<place.lowerBound]
        }
        if let place = call.firstRange(of: " (") { call = call[..<place.lowerBound] }
        guard let space = call.firstIndex(of: " ") else { return nil }
        method = String(call[..<space])
        url = String(call[call.index(after: space)...])
        self.entry = entry
    }

    /// A short name: the last part of the path, else the first of the host.
    private static func name(for url: WebURL) -> String {
        let last = url.path.split(separator: "/").last.map(String.init)
        let word = last ?? url.host?.split(separator: ".").first.map(String.init) ?? "call"
        let kept = word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return kept.isEmpty ? "call" : kept
    }
}

extension ResponseMessage {
    /// A stub's answer as a message.
    init(_ reply: RestReply) {
        var headers = Headers()
        for (name, value) in reply.headers.members {
            headers.append(name, value.stringValue ?? JSONWriter.compact(value))
        }
        if let json = reply.json {
            self = .json(reply.status, json, headers: headers)
        } else if let body = reply.body {
            self.init(status: reply.status, headers: headers, body: Array(body.utf8))
        } else {
            self.init(status: reply.status, headers: headers)
        }
    }
}
