import HTTPMessages
import JSON

/// What happened inside the client during one call, as records of an outcome's `events` log.
struct EventLog: Sendable {
    private(set) var records: [JSONObject] = []

    /// What another log has, after what this one has.
    mutating func append(_ later: EventLog) {
        records += later.records
    }

    /// A cached item was looked for.
    mutating func cacheRead(_ item: KeychainAttributes, found: Bool) {
        var record = record("cacheRead", item)
        record["found"] = .bool(found)
        records.append(record)
    }

    mutating func cacheWrite(_ item: KeychainAttributes) {
        records.append(record("cacheWrite", item))
    }

    mutating func cacheDelete(_ item: KeychainAttributes) {
        records.append(record("cacheDelete", item))
    }

    /// The keychain refused; the call may go on all the same.
    mutating func keychainError(_ status: Int, _ detail: String) {
        records.append(["type": "keychainError", "status": .integer(Int64(status)), "detail": .string(detail)])
    }

    /// The browser kept an answer from a script.
    mutating func corsBlocked(_ url: String, _ detail: String) {
        records.append(["type": "corsBlocked", "url": .string(url), "detail": .string(detail)])
    }

    /// The browser did not send a cookie of the app's server, or never stored it.
    mutating func cookieBlocked(_ cookie: String, reason: CookieRefusal) {
        records.append(["type": "cookieBlocked", "cookie": .string(cookie), "reason": .string(reason.rawValue)])
    }

    mutating func browserOpened(_ url: String, webview: String) {
        records.append(["type": "browserOpened", "url": .string(url), "webview": .string(webview)])
    }

    /// A request is sent once more after a pause of so many seconds.
    mutating func retry(url: String, reason: String, after seconds: Double) {
        records.append([
            "type": "retry", "url": .string(url), "reason": .string(reason), "after": .number(seconds),
        ])
    }

    /// A request was not sent because an earlier one of its kind failed.
    mutating func throttled(_ kind: String, secondsLeft: Int64) {
        records.append(["type": "throttled", "kind": .string(kind), "secondsLeft": .integer(secondsLeft)])
    }

    /// The completion handler was called, on the queue a real app would find itself on.
    mutating func completion(queue: String) {
        records.append(["type": "completion", "queue": .string(queue)])
    }

    private func record(_ type: String, _ item: KeychainAttributes) -> JSONObject {
        [
            "type": .string(type), "item": .string(item.item), "account": .string(item.account),
            "service": .string(item.service),
        ]
    }
}
