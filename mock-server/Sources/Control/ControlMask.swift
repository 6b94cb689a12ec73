import B2CProtocol
import JSON
import Scenarios

/// Takes secrets out of what the control interface shows.
enum ControlMask {
    /// The value with labels in place of passwords, tokens, codes, cookies and client secrets.
    static func masked(_ value: JSONValue, _ tenant: Tenant) -> JSONValue {
        var walk = RedactionWalk(ledger: SecretLedger(known: KnownSecret.secrets(of: tenant)))
        walk.learn(value, [])
        walk.finishLearning()
        return walk.masked(value, [])
    }
}
