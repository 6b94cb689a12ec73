import Determinism
import JSON
import Journeys
import TenantFiles
import TrustFramework

extension Authority {
    /// Accounts and messages as a document.
    func export() -> JSONValue {
        let accounts = tenancy.directory.objectIDs.compactMap { tenancy.directory[$0] }
        return [
            "accounts": .array(accounts.map { .object($0.json) }),
            "messages": .array(tenancy.outbox.messages.map { .object($0.json) }),
        ]
    }

    /// The directory and inbox of a document in place of what is there.
    mutating func restore(_ document: JSONValue) -> ControlAnswer {
        var accounts: [Account] = []
        for (index, entry) in (document["accounts"]?.arrayValue ?? []).enumerated() {
            guard let account = Account(json: entry) else { return .refused("/accounts/\(index) is not an account") }
            accounts.append(account)
        }
        var messages: [OutboxMessage] = []
        for (index, entry) in (document["messages"]?.arrayValue ?? []).enumerated() {
            guard let message = OutboxMessage(json: entry) else {
                return .refused("/messages/\(index) is not a message")
            }
            messages.append(message)
        }
        reset()
        if document["accounts"] != nil {
            if let taken = tenancy.directory.replaceAll(accounts, tenant: configuration.tenant) {
                return .refused("two accounts of the document have \(taken)")
            }
        }
        tenancy.outbox.restore(messages)
        return .done
    }

    /// Everything as it was at the beginning.
    mutating func startAnew(_ tenant: Tenant, _ policies: [ResolvedPolicy], at now: Timestamp) {
        reset()
        let fresh = Authority(tenant: tenant, policies: policies, seed: seed, now: now)
        configuration = fresh.configuration
        tenancy = fresh.tenancy
        random = fresh.random
        guard recordsChanges else { return }
        // The people of the tenant file are not changes.
        recordsChanges = true
        _ = drainChanges()
        ownChanges = [.clear]
        nextCallout = 0
    }
}
