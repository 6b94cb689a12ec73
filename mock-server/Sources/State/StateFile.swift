import AuthorityHosting
import CSQLite
import CommandKit
import Determinism
import JSON
import MockAuthority
import Synchronization
import TenantFiles

/// The file that keeps the default world over restarts: SQLite, one row for each account, grant, session, message and
/// so on, written before the reply that shows it.
///
/// It is locked while a server uses it. Its owner alone may read it: it has passwords as they are.
final class StateFile: StateStore {
    /// What an earlier run has left.
    struct Kept: Sendable {
        var authority: KeptState
        var tenant = KeptTenant()
        var clock = WorldTime.Clock()
    }

    let path: String
    /// Everything is drawn from it, and texts of grants and cookies are made of it: it stays the same for ever.
    let seed: UInt64
    let kept: Kept
    /// The clock of the world, which is kept with it.
    let time: WorldTime
    /// What ended the file's use, if anything did.
    let failures: AsyncStream<Failure>

    private let database: Database
    /// Which files have the names of the database and its log.
    private let identities: [FileSystem.Identity?]
    private let failed: AsyncStream<Failure>.Continuation

    private init(path: String, database: Database, seed: UInt64, kept: Kept, system: any WallClock) {
        self.path = path
        self.database = database
        identities = Self.identities(path)
        self.seed = seed
        self.kept = kept
        time = WorldTime(kept.clock, system: system)
        (failures, failed) = AsyncStream.makeStream(of: Failure.self, bufferingPolicy: .bufferingOldest(1))
    }

    /// One line for who starts the server.
    var greeting: String {
        "state is kept in \(path), run \(kept.authority.run); it contains passwords and grants: keep it to yourself"
    }

    private static func identities(_ path: String) -> [FileSystem.Identity?] {
        [path, path + "-wal"].map { FileSystem.identity($0) }
    }

    // MARK: Writing

    var keepsState: Bool { true }

    func drainOwnChanges() -> [RowChange] {
        guard let setting = time.takeChange() else { return [] }
        let key = RowChange.TableName.onlyKey
        return [
            setting == WorldTime.Clock() ? .remove(.clock, key: key) : .put(.clock, key: key, KeptRow(setting.json))
        ]
    }

    func commit(_ changes: [RowChange], upTo sequence: UInt64) async throws {
        let batch = Batch(changes)
        do {
            try await database.write { db in try batch.write(to: db) }
        } catch {
            failed.yield(.machine("the state file \(path) cannot be written: \(Self.words(error))"))
            throw error
        }
        // SQLite goes on writing to a file that has lost its name: nothing of that would be found at the next start.
        guard Self.identities(path) == identities else {
            let failure = Failure.machine(
                "the state file \(path) was removed or replaced while the server ran: what has changed since is lost")
            failed.yield(failure)
            throw failure
        }
    }

    /// Ends the use of the file: another server may open it.
    func close() {
        failed.finish()
        database.close()
    }

    /// Many changes as the few statements that they come to.
    private struct Batch: Sendable {
        private struct Name: Hashable {
            var table: RowChange.TableName
            var key: String
        }
        private struct Write: Sendable {
            var table: RowChange.TableName
            var key: String
            /// The row's JSON; `nil` for a row that goes.
            var text: String?
        }

        private var clears = false
        private var writes: [Write] = []

        init(_ changes: [RowChange]) {
            var rows: [(table: RowChange.TableName, key: String, row: KeptRow?)] = []
            var places: [Name: Int] = [:]
            func note(_ table: RowChange.TableName, _ key: String, _ row: KeptRow?) {
                if let place = places[Name(table: table, key: key)] {
                    rows[place].row = row
                } else {
                    places[Name(table: table, key: key)] = rows.count
                    rows.append((table, key, row))
                }
            }
            for change in changes {
                switch change {
                case .put(let table, let key, let row): note(table, key, row)
                case .remove(let table, let key): note(table, key, nil)
                case .clear:
                    clears = true
                    rows = []
                    places = [:]
                }
            }
            writes = rows.map { Write(table: $0.table, key: $0.key, text: $0.row.map { JSONWriter.compact($0.json) }) }
        }

        func write(to db: Database.Connection) throws {
            if clears { try db.execute(sql: "DELETE FROM rows") }
            for write in writes {
                if let text = write.text {
                    try db.execute(
                        sql: """
                            INSERT INTO rows (kind, key, value) VALUES (?, ?, ?)
                            ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value
                            """, values: [write.table.rawValue, write.key, text])
                } else {
                    try db.execute(
                        sql: "DELETE FROM rows WHERE kind = ? AND key = ?", values: [write.table.rawValue, write.key])
                }
            }
        }
    }

    // MARK: Opening

    /// Opens a state file, or makes one.
    ///
    /// - Parameters:
    ///   - tenant: The tenant of the tenant file: a state belongs to one.
    ///   - wanted: The seed that was asked for; a state keeps the one it began with.
    ///   - drawn: The seed of a new state when none was asked for.
    ///   - system: The machine's clock.
    /// - Throws: `Failure` with the reason why the file cannot be used; the file is then as it was.
    static func open(
        _ path: String, for tenant: Tenant, seed wanted: UInt64?, drawn: UInt64, system: any WallClock,
        schema: StateSchema = .current
    ) throws -> StateFile {
        let path = FilePath.absolute(path)
        do {
            if FileSystem.kind(path) == nil {
                try make(path, for: tenant, seed: wanted ?? drawn, at: system.now(), schema)
            }
            try inspect(path, schema)
            let database = try Database(path: path)
            do {
                // Taken with the first statement and held to the end: a second server cannot even read.
                try database.run { db in try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
                let file = try use(database, at: path, for: tenant, seed: wanted, system: system, schema)
                FileSystem.keepPrivate(path)
                return file
            } catch {
                database.close()
                throw error
            }
        } catch let error as Database.Problem {
            throw failure(error, path)
        }
    }

    /// Makes a file beside the place and then gives it its name, so that a half-made one is never found there.
    private static func make(
        _ path: String, for tenant: Tenant, seed: UInt64, at now: Timestamp, _ schema: StateSchema
    ) throws {
        let draft = "\(path).\(Machine.processID).new"
        do throws(FileSystem.Problem) {
            // One of this number is what a process left that was killed just here.
            FileSystem.remove(draft)
            try FileSystem.make(draft)
        } catch {
            throw Failure.machine("the state file \(path) cannot be made: \(error.text)") as any Error
        }
        do {
            let database = try Database(path: draft)
            defer { database.close() }
            try database.run { db in
                try db.transaction {
                    try db.execute(sql: "PRAGMA application_id = \(StateSchema.applicationID)")
                    try schema.upgrade(db)
                    for row in [
                        ["seed", String(seed)], ["runs", "0"], ["tenant", tenant.name],
                        ["tenantId", tenant.id.description], ["started", now.rfc3339],
                    ] {
                        try db.execute(sql: "INSERT INTO about (name, value) VALUES (?, ?)", values: row)
                    }
                }
            }
            database.close()
            _ = try FileSystem.publish(draft, as: path)
        } catch let problem as FileSystem.Problem {
            throw Failure.machine("the state file \(path) cannot be made: \(problem.text)")
        } catch {
            FileSystem.remove(draft)
            throw error
        }
    }

    /// Looks at the head of a file (SQLite file format, section 1.3) before SQLite opens it: what is not ours stays
    /// untouched.
    private static func inspect(_ path: String, _ schema: StateSchema) throws {
        guard FileSystem.kind(path) == .file else { throw Failure.input("the state file \(path) is not a file") }
        for place in [path, FilePath.folder(path)] {
            if let problem = FileSystem.problem(writing: place) {
                throw Failure.machine("the state file \(path) cannot be written: \(place): \(problem.text)")
            }
        }
        let head: [UInt8]
        do throws(FileSystem.Problem) {
            head = try FileSystem.read(path, limit: 100)
        } catch {
            throw Failure.machine("the state file \(path) cannot be read: \(error.text)") as any Error
        }
        func number(at offset: Int) -> Int32 {
            head.count < offset + 4 ? 0 : head[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
        }
        guard head.count >= 100, head.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw Failure.input(
                "\(path) is not a state file: it is \(head.isEmpty ? "empty" : "not of SQLite"); name another, or remove it"
            )
        }
        guard number(at: 68) == StateSchema.applicationID else {
            throw Failure.input("\(path) is not a state file: it is a database of another program; name another")
        }
        try check(version: Int(number(at: 60)), path, schema)
    }

    /// Stops if this program cannot know a version: the file says it, and anybody can write to the file.
    private static func check(version: Int, _ path: String, _ schema: StateSchema) throws {
        guard version >= 0 else {
            throw Failure.input(
                "the state file \(path) is damaged: its version is \(version); remove it to start again")
        }
        guard version <= schema.version else { throw newer(path, version, schema) }
    }

    private static func newer(_ path: String, _ version: Int, _ schema: StateSchema) -> Failure {
        .input(
            "the state file \(path) is of version \(version), this program knows \(schema.version): it was written by a "
                + "newer mock-server; use that one, or another file")
    }

    private static func use(
        _ database: Database, at path: String, for tenant: Tenant, seed wanted: UInt64?, system: any WallClock,
        _ schema: StateSchema
    ) throws -> StateFile {
        let about = try database.run { db in
            try check(version: StateSchema.version(of: db), path, schema)
            guard try db.rows(sql: "PRAGMA quick_check(1)") == [["ok"]] else { throw damaged(path) }
            let rows = try db.rows(sql: "SELECT name, value FROM about")
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        }
        guard let seed = about["seed"].flatMap({ UInt64($0) }), let runs = about["runs"].flatMap({ Int($0) }),
            (0..<(1 << 53)).contains(runs),
            let name = about["tenant"], let id = about["tenantId"]
        else { throw damaged(path) }
        guard name == tenant.name, id == tenant.id.description else {
            throw Failure.input(
                "the state file \(path) was made for tenant \(name) (\(id)), and the tenant file describes \(tenant.name) "
                    + "(\(tenant.id)); name another state file")
        }
        if let wanted, wanted != seed {
            throw Failure.input(
                "the state file \(path) began with seed \(seed), which cannot change to \(wanted): leave --seed out")
        }
        // Files of earlier versions do not say when they began: that is before everything that they have.
        let started = about["started"].flatMap { Timestamp(rfc3339: $0) } ?? (runs == 0 ? nil : Timestamp(seconds: 0))
        let state = KeptState(run: runs + 1, kind: tenant.kind, started: started)
        let kept = try database.run { db in try read(db, into: state, path) }
        // From here on the file is known to be good, and is written.
        try database.run { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            try db.transaction {
                try schema.upgrade(db)
                try db.execute(sql: "UPDATE about SET value = ? WHERE name = 'runs'", values: [String(runs + 1)])
            }
            // The head of the file shows the version, which is looked at before SQLite sees it.
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return StateFile(path: path, database: database, seed: seed, kept: kept, system: system)
    }

    private static func read(_ db: Database.Connection, into state: KeptState, _ path: String) throws -> Kept {
        var kept = Kept(authority: state)
        try db.execute(sql: "SELECT kind, key, value FROM rows ORDER BY number", values: []) { row in
            let table = RowChange.TableName(rawValue: row[0])
            guard let json = try? JSONParser.parse(row[2]), kept.add(table, key: row[1], json) else {
                throw Failure.input(
                    "the state file \(path) is damaged: row \(row[1]) of \(table.rawValue) cannot be read; remove the file to "
                        + "start again")
            }
        }
        return kept
    }

    // MARK: What went wrong

    private static func damaged(_ path: String) -> Failure {
        .input("the state file \(path) is damaged; remove it to start again")
    }

    private static func words(_ error: any Error) -> String {
        (error as? Database.Problem)?.message ?? "\(error)"
    }

    private static func failure(_ error: Database.Problem, _ path: String) -> Failure {
        switch error.code {
        case SQLITE_BUSY, SQLITE_LOCKED:
            .machine("the state file \(path) is in use: another server runs with it; stop that, or name another file")
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT: damaged(path)
        default: .machine("the state file \(path) cannot be used: \(words(error))")
        }
    }
}

extension StateFile.Kept {
    fileprivate mutating func add(_ table: RowChange.TableName, key: String, _ json: JSONValue) -> Bool {
        switch table {
        case .settings, .people, .policies, .uploadedPolicies: return tenant.add(table, key: key, json)
        case .clock:
            guard let setting = WorldTime.Clock(json: json) else { return false }
            clock = setting
            return true
        default: return authority.add(table, key: key, json)
        }
    }
}

extension WorldTime.Clock {
    var json: JSONValue {
        var object: JSONObject = ["offset": .string(offset.iso8601)]
        if let frozen { object["frozen"] = .string(frozen.rfc3339) }
        return .object(object)
    }

    init?(json: JSONValue) {
        guard let offset = json["offset"]?.stringValue.flatMap({ TimeSpan(iso8601: $0) }) else { return nil }
        var frozen: Timestamp?
        if let text = json["frozen"] {
            guard let instant = text.stringValue.flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
            frozen = instant
        }
        self.init(offset: offset, frozen: frozen)
    }
}
