import Determinism
import JSON

/// A message that the service sends to a person: what a test reads instead of a mailbox or a phone.
public struct OutboxMessage: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case email, sms, call
    }

    public var kind: Kind
    /// E-mail address or phone number.
    public var to: String
    /// Of an e-mail.
    public var subject: String?
    public var text: String
    /// The code in the text. A call has none: it is answered by pressing a key.
    public var code: String?
    public var at: Timestamp

    public init(kind: Kind, to: String, subject: String? = nil, text: String, code: String? = nil, at: Timestamp) {
        self.kind = kind
        self.to = to
        self.subject = subject
        self.text = text
        self.code = code
        self.at = at
    }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    public init?(json: JSONValue) {
        guard let kind = json["kind"]?.stringValue.flatMap(Kind.init), let to = json["to"]?.stringValue,
            let text = json["text"]?.stringValue, let at = json["at"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.init(
            kind: kind, to: to, subject: json["subject"]?.stringValue, text: text, code: json["code"]?.stringValue,
            at: at)
    }

    /// The record of the messages log.
    public var json: JSONObject {
        var object = JSONObject()
        object["to"] = .string(to)
        object["kind"] = .string(kind.rawValue)
        if let subject { object["subject"] = .string(subject) }
        object["text"] = .string(text)
        if let code { object["code"] = .string(code) }
        object["at"] = .string(at.rfc3339)
        return object
    }
}

/// Messages sent so far, oldest first. Old ones go when there are more than `limit`.
public struct Outbox: Sendable {
    public private(set) var messages: [OutboxMessage] = []
    /// Messages sent since the last `takeNew`.
    private var unread: [OutboxMessage] = []
    public let limit: Int

    public init(limit: Int = 10_000) { self.limit = limit }

    public mutating func send(_ message: OutboxMessage) {
        messages.append(message)
        unread.append(message)
        if messages.count > limit * 2 { messages.removeFirst(messages.count - limit) }
    }

    /// Messages sent since it was last asked.
    public mutating func takeNew() -> [OutboxMessage] {
        defer { unread.removeAll(keepingCapacity: true) }
        return unread
    }

    /// The newest message to an address, ignoring case; of a kind when one is given.
    public func newest(to address: String, kind: OutboxMessage.Kind? = nil) -> OutboxMessage? {
        let wanted = address.lowercased()
        return messages.last { $0.to.lowercased() == wanted && (kind == nil || $0.kind == kind) }
    }

    /// Messages of before in place of those that are here; nobody is told of them again.
    public mutating func restore(_ earlier: [OutboxMessage]) {
        messages = Array(earlier.suffix(limit))
        unread.removeAll()
    }

    /// Forgets all messages.
    public mutating func clear() {
        messages.removeAll()
        unread.removeAll()
    }
}
