import Determinism
import JSON

/// A message that the service sends to a person: what a test reads instead of a mailbox or a phone.
public struct OutboxMessage: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case email, sms, call
        /// Not a message: the text of a captcha's picture, for the simulated person that reads it.
        case captcha
    }

    public var kind: Kind
    /// E-mail address or phone number; of a captcha the id of its challenge.
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
            let text = json["text"]?.stringValue, let at = json.instant("at")
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
    /// Number of the first of `messages`; each message has one more than the one before it.
    private var first = 0
    /// Messages sent since the last `drainNew`.
    private var unread: [OutboxMessage] = []
    /// Numbers of messages that came or went since the last `drainTouched`.
    private var touched: [Int] = []
    /// Whether `drainTouched` is asked: without a reader the numbers must not pile up.
    public var recordsTouched = false
    public let limit: Int

    public init(limit: Int = 10_000) { self.limit = limit }

    public mutating func send(_ message: OutboxMessage) {
        append(message)
        unread.append(message)
        if messages.count > limit * 2 { drop(messages.count - limit) }
    }

    private mutating func append(_ message: OutboxMessage) {
        if recordsTouched { touched.append(first + messages.count) }
        messages.append(message)
    }

    private mutating func drop(_ count: Int) {
        if recordsTouched { touched += first..<first + count }
        messages.removeFirst(count)
        first += count
    }

    /// Messages sent since it was last asked.
    public mutating func drainNew() -> [OutboxMessage] {
        defer { unread.removeAll(keepingCapacity: true) }
        return unread
    }

    /// Numbers of the messages that came or went since it was last asked.
    public mutating func drainTouched() -> [Int] {
        guard !touched.isEmpty else { return [] }
        defer { touched.removeAll(keepingCapacity: true) }
        return touched
    }

    /// The message of a number, if it is still there.
    public subscript(number number: Int) -> OutboxMessage? {
        messages.indices.contains(number - first) ? messages[number - first] : nil
    }

    /// The newest message to an address, ignoring case; of a kind when one is given.
    public func newest(to address: String, kind: OutboxMessage.Kind? = nil) -> OutboxMessage? {
        let wanted = address.lowercased()
        return messages.last { $0.to.lowercased() == wanted && (kind == nil || $0.kind == kind) }
    }

    /// Replaces the messages by earlier ones, without announcing those again.
    public mutating func restore(_ earlier: [OutboxMessage]) {
        clear()
        for message in earlier.suffix(limit) { append(message) }
    }

    /// Takes up where another outbox ended: the numbers go on.
    ///
    /// - Parameter kept: Messages by number, in ascending order and without gaps.
    public mutating func resume(_ kept: [(number: Int, message: OutboxMessage)]) {
        guard let start = kept.first?.number else { return }
        first = start
        messages = kept.map(\.message)
    }

    /// Forgets all messages.
    public mutating func clear() {
        drop(messages.count)
        unread.removeAll()
    }
}
