import Determinism
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// What a state store has kept of an authority: its rows, read.
///
/// Journeys, call-outs under way and counts of requests are not among them. They end with the process.
public struct KeptState: Sendable {
    /// A code whose issuer is looked up in the policy that the tenant has now.
    struct Code: Sendable {
        var id: GUID
        var document: JSONValue
        var policyID: String
        var issuer: String
    }

    /// How often a server has started with this state, this time included. What a run draws at random is from a stream
    /// of its own, so that nothing is drawn twice.
    public let run: Int
    /// When the first server started with this state: people of the tenant file have had their accounts since then, and
    /// not only since the last start. `nil`: it is not known.
    public let started: Timestamp?
    private(set) var accounts: [Account] = []
    private(set) var removedAccounts: [GUID] = []
    private(set) var lockouts: [GUID: SmartLockout] = [:]
    private(set) var sessions: [Session] = []
    private(set) var codes: [Code] = []
    private(set) var spentCodes: [(id: GUID, code: SpentCode)] = []
    private(set) var refreshTokens: [(id: GUID, grant: RefreshGrant, until: Timestamp)] = []
    private(set) var messages: [(number: Int, message: OutboxMessage)] = []
    private(set) var keyAges: [String: [String: Int64]] = [:]
    /// Rows of a plain directory tenant.
    private(set) var directory = KeptDirectory()
    private let kind: TenantKind

    /// A state without rows.
    ///
    /// - Parameter kind: Of which kind the tenant is: their rows are not the same.
    public init(run: Int, kind: TenantKind = .b2c, started: Timestamp? = nil) {
        self.run = run
        self.started = started
        self.kind = kind
    }

    /// Takes in a row, in the order in which rows were first written.
    ///
    /// - Returns: Whether it is one of the authority's tables and can be read.
    public mutating func add(_ table: RowChange.TableName, key: String, _ json: JSONValue) -> Bool {
        if kind == .workforce, table != .keys { return directory.add(table, key: key, json) }
        switch table {
        case .accounts:
            guard let id = GUID(key) else { return false }
            guard !json.isNull else {
                removedAccounts.append(id)
                return true
            }
            guard let account = Account(json: json), account.objectID == id else { return false }
            accounts.append(account)
        case .lockouts:
            guard let id = GUID(key), let lockout = SmartLockout(json: json) else { return false }
            lockouts[id] = lockout
        case .sessions:
            guard let session = Session(json: json), session.id.description == key else { return false }
            sessions.append(session)
        case .codes:
            guard let id = GUID(key) else { return false }
            if let spent = SpentCode(json: json) {
                spentCodes.append((id, spent))
                return true
            }
            // Whether the rest can be read does not depend on the issuer.
            guard let policy = json["policy"]?.stringValue, let issuer = json["issuer"]?.stringValue,
                CodeGrant(json: json, issuer: ProfileHandle(index: 0)) != nil
            else { return false }
            codes.append(Code(id: id, document: json, policyID: policy, issuer: issuer))
        case .refreshTokens:
            guard let id = GUID(key), let grant = RefreshGrant(json: json), let until = json.instant("until") else {
                return false
            }
            refreshTokens.append((id, grant, until))
        case .messages:
            // A number that more can follow.
            guard let number = Int(key), (0..<(1 << 53)).contains(number), let message = OutboxMessage(json: json),
                messages.last.map({ $0.number + 1 == number }) ?? true
            else { return false }
            messages.append((number, message))
        case .keys:
            guard let sets = json.objectValue else { return false }
            for (set, keys) in sets.members {
                for (kid, since) in keys.objectValue?.members ?? [] {
                    guard let seconds = since.intValue else { return false }
                    keyAges[set, default: [:]][kid] = seconds
                }
            }
        default: return false
        }
        return true
    }
}

extension Authority {
    /// Goes on where an earlier run ended. Only on an authority that has just been made.
    ///
    /// - Returns: Rows that have lost their meaning since, to be removed.
    public mutating func resume(_ kept: KeptState) -> [RowChange] {
        // The first run draws as it would without a state.
        if kept.run > 1 { random = seed.stream("authority/run \(kept.run)") }
        if !kept.keyAges.isEmpty {
            configuration = Configuration(
                tenant: configuration.tenant, policies: configuration.resolved,
                keys: KeyRing(tenant: configuration.tenant, known: kept.keyAges, otherwise: KeyRing.firstKeySince))
        }
        let known = tenancy.directory.resume(kept.accounts, removed: kept.removedAccounts, lockouts: kept.lockouts)
        tenancy.resume(kept.sessions)
        tenancy.outbox.resume(kept.messages)
        var stale = kept.removedAccounts.filter { !known.contains($0) }.map { id in
            RowChange.remove(.accounts, key: id.description)
        }
        for code in kept.codes {
            // A policy that is gone, or has another issuer, redeems none of its codes.
            guard let issuer = configuration.policy(code.policyID)?.resolved.profile(code.issuer),
                let grant = CodeGrant(json: code.document, issuer: issuer)
            else {
                stale.append(.remove(.codes, key: code.id.description))
                continue
            }
            codes.insert(code.id, grant, expires: grant.expires)
        }
        for (id, code) in kept.spentCodes { spentCodes.insert(id, code, expires: code.expires + SpentCode.kept) }
        for token in kept.refreshTokens { keepRefreshToken(token.id, token.grant, until: token.until) }
        // The file has these rows already. Only rows that a limit has pushed out are a change.
        let limited: [RowChange.TableName] = [.sessions, .codes, .refreshTokens]
        for case .remove(let table, let key) in drainChanges() where limited.contains(table) {
            stale.append(.remove(table, key: key))
        }
        return stale
    }

    /// Everything that has changed since it was last asked.
    mutating func drainChanges() -> [RowChange] {
        let directory = takeDirectoryChanges()
        guard recordsChanges else { return [] }
        var changes: [RowChange] = []
        swap(&changes, &ownChanges)
        changes += directory
        for number in tenancy.outbox.drainTouched() {
            let row = tenancy.outbox[number: number].map { KeptRow(.message($0)) }
            changes.append(RowChange(.messages, String(number), row))
        }
        for id in touched(codes.drainTouched(), spentCodes.drainTouched()) {
            let live = codes.kept(id).map { code in
                let policy = configuration.policy(code.row.policyID)?.resolved
                let issuer = policy.map { $0[code.row.issuance.issuer].id } ?? ""
                return KeptRow(.code(code.row, issuer: issuer))
            }
            let row = live ?? spentCodes.kept(id).map { KeptRow(.spentCode($0.row)) }
            changes.append(RowChange(.codes, id.description, row))
        }
        for id in touched(refreshTokens.drainTouched(), spentRefreshTokens.drainTouched()) {
            let row = (refreshTokens.kept(id) ?? spentRefreshTokens.kept(id)).map {
                KeptRow(.refreshToken($0.row, until: $0.expires))
            }
            changes.append(RowChange(.refreshTokens, id.description, row))
        }
        return changes
    }

    /// The ids of both; of a row that went from one table to the other once.
    private func touched(_ ids: [GUID], _ spent: [GUID]) -> [GUID] {
        guard !ids.isEmpty, !spent.isEmpty else { return ids + spent }
        let both = Set(spent)
        return ids.filter { !both.contains($0) } + spent
    }

    /// Changes of accounts and sessions, which are noted whether anybody asks or not.
    mutating func takeDirectoryChanges() -> [RowChange] {
        let accounts = tenancy.directory.drainTouched()
        let lockouts = tenancy.directory.drainTouchedLockouts()
        let sessions = tenancy.sessions.drainTouched()
        guard recordsChanges else { return [] }
        var changes: [RowChange] = []
        for id in accounts {
            let account = tenancy.directory[id]
            changes.append(
                .put(.accounts, key: id.description, KeptRow(account.map { .account($0) } ?? .removedAccount)))
        }
        for id in accounts + lockouts {
            let lockout = tenancy.directory[id].map(\.lockout).flatMap { $0 == SmartLockout() ? nil : $0 }
            changes.append(RowChange(.lockouts, id.description, lockout.map { KeptRow(.lockout($0)) }))
        }
        for id in sessions {
            changes.append(
                RowChange(.sessions, id.description, tenancy.sessions[id].map { KeptRow(.session($0)) }))
        }
        return changes
    }
}

extension RowChange {
    fileprivate init(_ table: TableName, _ key: String, _ row: KeptRow?) {
        self = row.map { .put(table, key: key, $0) } ?? .remove(table, key: key)
    }
}
