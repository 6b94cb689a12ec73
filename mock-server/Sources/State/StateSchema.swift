/// The form of a state file. Its version is `PRAGMA user_version`, and `application_id` distinguishes it from other databases.
struct StateSchema: Sendable {
    /// `b2cs`.
    static let applicationID: Int32 = 0x6232_6373

    /// What leads from one version to the next; the first step makes version 1 of nothing.
    let steps: [@Sendable (Database.Connection) throws -> Void]

    /// The version that this program writes.
    var version: Int { steps.count }

    static let current = StateSchema(steps: [
        { db in
            // `number` keeps the order in which rows were first written: a row that is written again keeps its place.
            try db.execute(
                sql: """
                    CREATE TABLE rows (
                        number INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
                        UNIQUE (kind, key)
                    );
                    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    """)
        }
    ])

    /// The version of an open file.
    static func version(of db: Database.Connection) throws -> Int {
        try db.rows(sql: "PRAGMA user_version").first?.first.flatMap { Int($0) } ?? 0
    }

    /// Brings a file to this version, in the transaction that is open.
    func upgrade(_ db: Database.Connection) throws {
        let known = try max(0, Self.version(of: db))
        for step in steps.dropFirst(known) { try step(db) }
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }
}
