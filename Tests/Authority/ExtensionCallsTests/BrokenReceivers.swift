import ExtensionCalls
import HTTPMessages
import JOSE
import JSON
import Synchronization

extension Receiver {
    /// One receiver for each case.
    static let broken: [Receiver] = tokens + bodies + messages + answers

    private static let tokens: [Receiver] = [
        Receiver(name: "good-token", instead: { _, _ in ResponseMessage(status: 401) }),
        Receiver(name: "key-on-ciamlogin-host", keys: .workforce),
        Receiver(name: "no-token", lacks: ["token"]),
        Receiver(name: "version-1-token", lacks: ["version 1"]),
        Receiver(name: "wrong-caller", lacks: ["caller"]),
        Receiver(name: "wrong-appid", lacks: ["appid"]),
        Receiver(name: "wrong-audience", lacks: ["audience"]),
        Receiver(name: "wrong-issuer", lacks: ["issuer"]),
        Receiver(name: "expired-token", lacks: ["expiry"]),
        Receiver(name: "bad-signature", lacks: ["signature"]),
        Receiver(name: "unsigned-token", lacks: ["algorithm"]),
    ]

    /// Ends with an error if the context of a call does not fit.
    private static func fragile(_ name: String, _ fits: @escaping @Sendable (JSONValue) -> Bool) -> Receiver {
        Receiver(
            name: name,
            instead: { request, _ in
                guard let context = request.json?["data", "authenticationContext"] else { return nil }
                return fits(context) ? nil : ResponseMessage(status: 500)
            })
    }

    private static let bodies: [Receiver] = [
        Receiver(name: "get-probe", instead: { request, _ in request.method == "GET" ? .text(405, "") : nil }),
        fragile("minimal-body") { $0["client", "locale"] != nil },
        fragile("client-ip-spelling") { $0["client", "ip"] != nil },
        fragile("unknown-extra-member") { $0["unknownMember"] == nil },
        fragile("locale") { $0["client", "locale"] != "de-de" },
        remembering(),
        Receiver(name: "wrong-password", event: .passwordSubmit, migrates: { _ in true }),
        Receiver(name: "wrong-password-context", event: .passwordSubmit, migrates: { $0 != "wrong-password" }),
        Receiver(
            name: "plain-context", event: .passwordSubmit,
            instead: { request, _ in
                let context = request.json?["data", "encryptedPasswordContext"]?.stringValue
                let header = context.flatMap { Base64URL.decode(String($0.prefix { $0 != "." })) }
                // A nested JWT has the content type of one.
                let isPlain = header.map { !String(decoding: $0, as: UTF8.self).contains("cty") } ?? false
                return isPlain ? ResponseMessage(status: 500) : nil
            }),
    ]

    /// Refuses a correlation id that it knows.
    private static func remembering() -> Receiver {
        let known = Known()
        return Receiver(
            name: "repeated-call",
            instead: { request, _ in
                guard let id = request.json?["data", "authenticationContext", "correlationId"]?.stringValue,
                    request.headers["Authorization"] != nil
                else { return nil }
                return known.insert(id) ? nil : ResponseMessage(status: 409)
            })
    }

    private final class Known: Sendable {
        private let ids = Mutex(Set<String>())

        func insert(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }
    }

    private static func answering(_ name: String, _ response: ResponseMessage) -> Receiver {
        Receiver(name: name, instead: { _, _ in response })
    }

    private static let messages: [Receiver] = [
        Receiver(name: "connection", instead: { _, _ throws(TransportError) in throw .refused }),
        Receiver(name: "certificate", instead: { _, _ throws(TransportError) in throw .tls }),
        Receiver(name: "time-out", delay: 1001),
        Receiver(
            name: "first-attempt",
            instead: { _, count throws(TransportError) in
                if count == 1 { throw .timeout }
                return nil
            }),
        answering("redirect", .redirect("https://login.test/")),
        answering("not-found", ResponseMessage(status: 404)),
        answering("throttled", ResponseMessage(status: 429)),
        answering("status", .json(409, ["userMessage": "No."])),
        Receiver(name: "empty", change: { $0.body = [] }),
        Receiver(name: "html", change: { $0 = .html(200, "<!DOCTYPE html><p>Sign in") }),
        Receiver(name: "content-type", change: { $0.headers["Content-Type"] = "text/plain" }),
        Receiver(name: "too-big", change: { $0.body += [UInt8](repeating: 32, count: 70_000) }),
        Receiver(name: "not-json", change: { $0.body.removeLast() }),
    ]

    private static func with(
        _ name: String, _ value: JSONValue?, at place: JSONPointer, of event: ExtensionEvent = .tokenIssuanceStart
    ) -> Receiver {
        Receiver(
            name: name, event: event,
            change: { response in
                guard var json = response.json else { return }
                json.set(value, at: place)
                response.body = JSONWriter.compactBytes(json)
            })
    }

    private static func claims(_ name: String, _ claims: JSONValue) -> Receiver {
        with(name, claims, at: "/data/actions/0/claims")
    }

    private static func acting(_ name: String, _ event: ExtensionEvent, _ action: String, _ members: JSONObject)
        -> Receiver
    {
        Receiver(name: name, event: event, action: Sample.action("\(event.rawValue).\(action)", members))
    }

    private static let answers: [Receiver] = [
        answering("b2c-answer", .json(200, ["version": "1.0.0", "action": "Continue"])).checkingTokens(),
        with("schema-version", "1.0", at: "/data/apiSchemaVersion"),
        with("data-type", "microsoft.graph.onOtpSendResponseData", at: "/data/@odata.type"),
        with("letter-case", "microsoft.graph.ontokenissuancestartresponsedata", at: "/data/@odata.type"),
        with("action-count", [], at: "/data/actions"),
        with("action-type", "microsoft.graph.tokenIssuanceStart.showBlockPage", at: "/data/actions/0/@odata.type"),
        acting("action-member", .attributeCollectionSubmit, "modifyAttributeValues", [:]),
        acting("block-text", .attributeCollectionStart, "showBlockPage", ["message": "No."]),
        claims("claims-null", nil),
        claims("claim-name", ["": "a"]),
        claims("claim-type", ["points": 5]),
        claims("claims-size", ["text": .string(String(repeating: "a", count: 3100))]),
        acting("attribute-type", .attributeCollectionSubmit, "modifyAttributeValues", ["attributes": ["age": "36"]]),
        acting("attribute-name", .attributeCollectionSubmit, "modifyAttributeValues", ["attributes": ["hat": "red"]]),
        acting("failed-claims", .verifiedIdClaimValidation, "failed", ["failedClaims": ["hat"]]),
        with("nonce", nil, at: "/data/nonce", of: .passwordSubmit),
    ]

    /// The same after the check of the token and for POST alone.
    private func checkingTokens() -> Receiver {
        var other = self
        let answer = instead
        other.instead = { _, _ in nil }
        other.change = { response in
            let request = RequestMessage(method: "POST", url: Sample.origin)
            do throws(TransportError) {
                if let made = try answer(request, 0) { response = made }
            } catch {}
        }
        return other
    }
}
