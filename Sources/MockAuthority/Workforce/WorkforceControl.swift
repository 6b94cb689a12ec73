import B2CProtocol
import Determinism
import HTTPMessages
import JSON

extension WorkforceAuthority {
    mutating func perform(_ command: ControlCommand, at now: Timestamp) -> ControlAnswer {
        switch command {
        case .configure(let tenant, _, let patch):
            configure(tenant, patch, at: now)
            return .done
        case .mint(let order):
            return order.carryOut(keys: configuration.keys, at: now)
        case .inspect(let state):
            return .value(inspect(state, at: now))
        case .reset:
            sessions.removeAll()
            flows.removeAll()
            codes.removeAll()
            refreshTokens.removeAll()
            consents.removeAll()
            standings = [:]
            return .done
        case .obey:
            return .refused("not built yet: the effects claims and b2cError at a plain directory tenant")
        }
    }

    /// Takes the changed tenant. A new password revokes what was issued before, as everywhere.
    private mutating func configure(_ tenant: Tenant, _ patch: JSONValue, at now: Timestamp) {
        let before = configuration
        configuration = WorkforceConfiguration(
            tenant: tenant, keys: KeyRing(tenant: tenant, previous: before.keys, at: now))
        guard let changes = patch["users"]?.objectValue else { return }
        for (name, change) in changes.members {
            var standing = standings[name] ?? WorkforceStanding()
            let old = before.person(named: name)?.user.password
            if change["password"] != nil, tenant.user(named: name)?.password != old { standing.validFrom = now }
            if change["locked"] == false {
                standing.lockedUntil = nil
                standing.failures = 0
            }
            standings[name] = change.isNull ? nil : standing
        }
    }

    private func inspect(_ state: InspectedState, at now: Timestamp) -> JSONValue {
        switch state {
        case .users:
            var users = JSONObject()
            for user in configuration.tenant.users {
                var row = user.json
                row["registered"] = .bool(user.registered)
                row["accountEnabled"] = .bool(user.accountEnabled)
                row["locked"] = .bool(
                    user.locked || standings[user.name]?.lockedUntil.map { $0 > now } == true)
                users[user.name] = .object(row)
            }
            return .object(users)
        case .inbox: return .array([])
        case .keys: return .object(configuration.keys.json)
        case .sessions:
            return .array(
                sessions.keysInOrder().compactMap { sessions.row($0, at: now) }.map { session in
                    ["accounts": .array(session.accounts.map { .string($0.person) })]
                })
        }
    }
}
