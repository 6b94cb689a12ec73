import B2CProtocol
import JSON
import Scenarios
import Synchronization

/// Takes secrets out of what the control interface shows.
enum ControlMask {
    /// The value with labels in place of passwords, tokens, codes, cookies and client secrets.
    ///
    /// - Parameter codes: One-time codes that went out before and may come back under any name.
    static func masked(_ value: JSONValue, _ tenant: Tenant, codes: [String] = []) -> JSONValue {
        let sent = codes.map { KnownSecret($0, label: "code", everywhere: true) }
        var walk = RedactionWalk(ledger: SecretLedger(known: KnownSecret.secrets(of: tenant) + sent))
        walk.learn(value, [])
        walk.finishLearning()
        return walk.masked(value, [])
    }

    /// The one-time codes of the latest messages, for readers who are told one entry at a time: the code of a message
    /// is in the traces and requests that follow it too.
    final class Codes: Sendable {
        /// Older ones are spent.
        private static let most = 64
        private let sent = Mutex<[String]>([])

        init(_ journal: Journal? = nil) {
            for entry in journal?.latest(Self.most, type: "message") ?? [] { note(entry) }
        }

        /// Remembers the code of an entry that is a message.
        func note(_ entry: Journal.Entry) {
            guard case .event(.message(let message)) = entry.content,
                let code = message.json["code"]?.stringValue, code.utf8.count >= 4
            else { return }
            sent.withLock { sent in
                sent.append(code)
                if sent.count > Self.most { sent.removeFirst() }
            }
        }

        /// Them, the oldest first.
        var all: [String] { sent.withLock { $0 } }
    }
}
