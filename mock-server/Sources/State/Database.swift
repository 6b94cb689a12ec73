import CSQLite
import Dispatch

/// A connection to a file of SQLite. Statements run one after another, on a queue of their own: they wait for the disk.
final class Database: Sendable {
    /// What SQLite says of a statement that failed.
    struct Problem: Error {
        /// The primary result code, such as `SQLITE_BUSY`.
        var code: Int32
        var message: String
    }

    private let queue = DispatchQueue(label: "state file")
    private let connection: Connection

    /// Opens a file, or makes one. A lock that another program holds is an error at once.
    init(path: String) throws {
        connection = try Connection(path: path)
    }

    /// Runs statements in order, and waits for them.
    func run<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
        try queue.sync { try body(connection) }
    }

    /// Runs statements that change the file: all of them, or none.
    func write(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in done.resume(with: Result { try connection.transaction { try body(connection) } }) }
        }
    }

    /// Ends the use of the file. Statements after it fail.
    func close() {
        queue.sync { connection.close() }
    }

    deinit { connection.close() }

    /// What statements run with. `@unchecked`: it is used on its queue alone.
    final class Connection: @unchecked Sendable {
        private var handle: OpaquePointer?
        /// Prepared statements by their text.
        private var statements: [String: OpaquePointer] = [:]

        fileprivate init(path: String) throws {
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            do {
                try check(sqlite3_open_v2(path, &handle, flags, nil))
            } catch {
                close()
                throw error
            }
        }

        fileprivate func close() {
            for statement in statements.values { sqlite3_finalize(statement) }
            statements = [:]
            sqlite3_close_v2(handle)
            handle = nil
        }

        private func check(_ code: Int32) throws {
            guard ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code) else { return }
            let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
            throw Problem(code: code & 0xff, message: message.map { String(cString: $0) } ?? "error \(code)")
        }

        /// Runs statements without values.
        func execute(sql: String) throws {
            guard handle != nil else { throw Problem(code: SQLITE_MISUSE, message: "the file is closed") }
            try check(sqlite3_exec(handle, sql, nil, nil, nil))
        }

        /// Runs one statement with values for its question marks.
        ///
        /// - Parameter row: Gets the columns of each row as texts.
        func execute(sql: String, values: [String], row: ([String]) throws -> Void = { _ in }) throws {
            let statement = try prepared(sql)
            defer {
                sqlite3_reset(statement)
                sqlite3_clear_bindings(statement)
            }
            for (index, value) in values.enumerated() {
                // SQLite keeps a copy.
                let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                try check(sqlite3_bind_text(statement, Int32(index + 1), value, Int32(value.utf8.count), copies))
            }
            while true {
                let code = sqlite3_step(statement)
                try check(code)
                guard code == SQLITE_ROW else { return }
                try row(
                    (0..<sqlite3_column_count(statement)).map { column in
                        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
                        let count = Int(sqlite3_column_bytes(statement, column))
                        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
                    })
            }
        }

        private func prepared(_ sql: String) throws -> OpaquePointer? {
            guard handle != nil else { throw Problem(code: SQLITE_MISUSE, message: "the file is closed") }
            if let known = statements[sql] { return known }
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
            statements[sql] = statement
            return statement
        }

        /// All rows of a query.
        func rows(sql: String) throws -> [[String]] {
            var rows: [[String]] = []
            try execute(sql: sql, values: []) { rows.append($0) }
            return rows
        }

        /// All statements of the body happen, or none.
        func transaction(_ body: () throws -> Void) throws {
            try execute(sql: "BEGIN IMMEDIATE")
            do {
                try body()
                try execute(sql: "COMMIT")
            } catch {
                // Where SQLite has ended the transaction itself this fails, and changes nothing.
                try? execute(sql: "ROLLBACK")
                throw error
            }
        }
    }
}
