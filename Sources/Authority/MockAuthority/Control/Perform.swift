import Determinism
import Exchanges
import JOSE
import JSON
import Journeys
import TenantFiles
import TrustFramework

extension Authority {
    mutating func perform(_ command: ControlCommand, at now: Timestamp) -> ControlAnswer {
        switch command {
        case .configure(let tenant, let policies, let patch):
            configure(tenant, policies, patch, at: now)
            return .done
        case .mint(let order):
            return order.carryOut(keys: configuration.keys, at: now)
        case .inspect(let state):
            return .value(inspect(state, at: now))
        case .page(let state, let from, let limit):
            return .value(inspect(state, from: from, limit: limit, at: now))
        case .user(let name):
            return .value(tenancy.directory.row(named: name, at: now).map { .object($0) } ?? .null)
        case .endSessions(let id):
            return .value(.integer(Int64(endSessions(id))))
        case .clearInbox:
            tenancy.outbox.clear()
            return .done
        case .removeAccount(let id):
            guard tenancy.directory[id] != nil else { return .refused("there is no account \(id)") }
            tenancy.directory.delete(id)
            return .done
        case .adopt(let id, let name):
            guard tenancy.directory.adopt(id, as: name) else { return .refused("there is no account \(id)") }
            return .done
        case .export:
            return .value(export())
        case .restore(let document):
            return restore(document)
        case .rehearse(let commands):
            var copy = self
            var last = ControlAnswer.done
            for command in commands {
                last = copy.perform(command, at: now)
                if case .refused = last { break }
            }
            return last
        case .startAnew(let tenant, let policies):
            startAnew(tenant, policies, at: now)
            return .done
        case .reset:
            reset()
            return .done
        case .obey(let asked, let exchange):
            orders.add(asked, exchange: exchange)
            return .done
        }
    }

    /// Forgets what is under way and what was issued.
    mutating func reset() {
        transactions.removeAll()
        codes.removeAll()
        spentCodes.removeAll()
        refreshTokens.removeAll()
        spentRefreshTokens.removeAll()
        callouts.removeAll()
        tenancy.sessions.clear()
        tenancy.outbox.clear()
        throttle = Throttle()
        orders = StandingOrders()
    }

    private mutating func endSessions(_ id: GUID?) -> Int {
        guard let id else {
            let count = tenancy.sessions.count
            tenancy.sessions.clear()
            return count
        }
        guard tenancy.sessions[SessionID(id)] != nil else { return 0 }
        tenancy.sessions.end(SessionID(id))
        return 1
    }

    private mutating func configure(
        _ tenant: Tenant, _ policies: [ResolvedPolicy], _ patch: JSONValue, at now: Timestamp
    ) {
        let before = configuration.tenant
        let keys = configuration.keys
        configuration = Configuration(
            tenant: tenant, policies: policies, keys: KeyRing(tenant: tenant, previous: keys, at: now))
        if recordsChanges, configuration.keys.ages != keys.ages {
            ownChanges.append(.put(.keys, key: "since", KeptRow(.keys(configuration.keys.ages))))
        }
        tenancy.directory.lockout = tenant.authority.lockout
        tenancy.directory.hasExtensionsApp = tenant.authority.extensionsApp
        guard let users = patch["users"] else { return }
        guard case .object(let changes) = users else {
            for person in before.users {
                tenancy.directory.configure(person: person.name, patch: .null, tenant: tenant, at: now)
            }
            return
        }
        for (name, change) in changes.members {
            tenancy.directory.configure(person: name, patch: change, tenant: tenant, at: now)
        }
    }

    private func inspect(_ state: InspectedState, at now: Timestamp) -> JSONValue {
        switch state {
        case .users: .object(tenancy.directory.rows(at: now))
        case .inbox: .array(tenancy.outbox.messages.map { .object($0.json) })
        case .keys: .object(configuration.keys.json)
        case .sessions: .array(tenancy.sessions.ids.compactMap { tenancy.sessions[$0].map(Self.row) })
        }
    }

    /// A page of rows. The key sets are few and come whole.
    private func inspect(_ state: InspectedState, from: Int, limit: Int, at now: Timestamp) -> JSONValue {
        let from = max(0, from)
        let limit = max(0, limit)
        return switch state {
        case .users: .object(tenancy.directory.rows(at: now, from: from, limit: limit))
        case .inbox: .array(tenancy.outbox.messages.dropFirst(from).prefix(limit).map { .object($0.json) })
        case .keys: .object(configuration.keys.json)
        case .sessions:
            .array(
                tenancy.sessions.ids.dropFirst(from).prefix(limit).compactMap {
                    tenancy.sessions[$0].map(Self.row)
                })
        }
    }

    private static func row(_ session: Session) -> JSONValue {
        var row: JSONObject = ["id": .string(session.id.description)]
        row["scope"] = .string(session.scope)
        row["createdAt"] = .string(session.createdAt.rfc3339)
        row["lastUsedAt"] = .string(session.lastUsedAt.rfc3339)
        row["expires"] = .string(session.expires.rfc3339)
        row["keepSignedIn"] = .bool(session.keptFor != nil)
        row["participants"] = .array(session.participants.map { .string($0) })
        if let user = session.objectID { row["objectId"] = .string(user.description) }
        return .object(row)
    }
}

extension KeyRing {
    /// Key sets by name: which key signs, which are published.
    var json: JSONObject {
        var sets = JSONObject()
        for ring in rings {
            sets[ring.name] = [
                "use": .string(ring.use.name), "kid": .string(ring.use.kid),
                "publish": .array(
                    ring.published.map { entry in
                        [
                            "name": .string(entry.key.name), "kid": .string(entry.key.kid),
                            "nbf": .integer(entry.since), "jwk": .object(entry.key.jwk.json),
                        ]
                    }),
            ]
        }
        return sets
    }
}
