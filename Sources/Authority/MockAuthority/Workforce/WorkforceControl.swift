import Determinism
import HTTPMessages
import JSON
import TenantFiles

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
        case .page(let state, let from, let limit):
            return .value(inspect(state, from: from, limit: limit, at: now))
        case .user(let name):
            return .value(inspect(.users, at: now)[name] ?? .null)
        case .endSessions(nil):
            let count = sessions.keysInOrder().count
            sessions.removeAll()
            return .value(.integer(Int64(count)))
        case .clearInbox:
            return .done
        case .endSessions:
            return .refused("not built yet: ending one session of a plain directory tenant; end them all")
        case .removeAccount, .adopt:
            return .refused("a plain directory tenant has the people of its file and no others")
        case .export:
            return .value(["accounts": [], "messages": []])
        case .restore:
            return .refused("not built yet: taking back the state of a plain directory tenant")
        case .rehearse(let commands):
            var copy = self
            var last = ControlAnswer.done
            for command in commands {
                last = copy.perform(command, at: now)
                if case .refused = last { break }
            }
            return last
        case .startAnew(let tenant, _):
            let records = recordsChanges
            self = WorkforceAuthority(tenant: tenant, seed: seed, now: now)
            recordsChanges = records
            if records { ownChanges = [.clear] }
            return .done
        case .reset:
            sessions.removeAll()
            flows.removeAll()
            codes.removeAll()
            refreshTokens.removeAll()
            consents.removeAll()
            standings.removeAll()
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
        if recordsChanges, configuration.keys.ages != before.keys.ages {
            ownChanges.append(.put(.keys, key: "since", KeptRow(.keys(configuration.keys.ages))))
        }
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

    private func inspect(_ state: InspectedState, from: Int, limit: Int, at now: Timestamp) -> JSONValue {
        switch inspect(state, at: now) {
        case .array(let rows): return .array(Array(rows.dropFirst(max(0, from)).prefix(max(0, limit))))
        case .object(let rows) where state == .users:
            return .object(JSONObject(Array(rows.members.dropFirst(max(0, from)).prefix(max(0, limit)))))
        case let other: return other
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
