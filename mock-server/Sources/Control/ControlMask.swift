import Dispatch
import Exchanges
import JSON
import TenantFiles

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

    /// Where much is masked: on a thread of its own, so that the threads that answer requests go on.
    private static let aside = DispatchQueue(label: "b2c-harness.masking", qos: .utility)

    /// Does work on that thread.
    static func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            aside.async { continuation.resume(returning: work()) }
        }
    }
}
