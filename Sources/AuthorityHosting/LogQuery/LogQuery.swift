import Determinism
import JSON
import JourneyLogs

/// A query: a table and what is done with it, one operator after the other.
///
/// This is the part of the Kusto query language that reads logs of the journey recorder and counts them. Everything else is
/// refused with its place, so that no answer is a wrong one.
struct LogQuery {
    enum Operator {
        case filter(LogExpression)
        case sort([(key: LogExpression, isAscending: Bool)])
        case take(Int)
        case count
        case project([(name: String, type: String, value: LogExpression)])
        case distinct
        case summarize([Aggregate], by: [(name: String, type: String, value: LogExpression)])
    }

    struct Aggregate {
        enum Kind: String, CaseIterable {
            case count, countif, dcount, min, max, sum
        }

        var name: String
        var kind: Kind
        var argument: LogExpression?
        var type: String
    }

    /// Names of operators, for messages.
    static let understood =
        "where, order by, sort by, top, take, limit, project, extend, distinct, count, summarize (count, countif, dcount, "
        + "min, max, sum)"

    private let operators: [Operator]
    /// The columns of the result.
    private let columns: [LogTable.Column]

    /// Reads a query on one table.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - columns: Its columns.
    init(_ text: String, on name: String, columns: [LogTable.Column]) throws(LogQueryFault) {
        var parser = LogQueryParser(tokens: try LogQueryToken.read(text), columns: columns)
        operators = try parser.query(on: name)
        self.columns = parser.columns
    }

    /// Carries the query out.
    func run(on table: LogTable, now: RecorderTime) -> LogTable {
        var rows = table.rows
        for step in operators {
            switch step {
            case .filter(let condition): rows = rows.filter { condition.value($0, now).isTrue }
            case .sort(let keys): rows = Self.sorted(rows, by: keys, now)
            case .take(let count): rows = Array(rows.prefix(count))
            case .count: rows = [[.long(Int64(rows.count))]]
            case .project(let list): rows = rows.map { row in list.map { $0.value.value(row, now) } }
            case .distinct:
                var seen: Set<[LogValue]> = []
                rows = rows.filter { seen.insert($0).inserted }
            case .summarize(let aggregates, let groups): rows = Self.summarized(rows, by: groups, aggregates, at: now)
            }
        }
        return LogTable(columns: columns, rows: rows)
    }

    private static func sorted(
        _ rows: [[LogValue]], by keys: [(key: LogExpression, isAscending: Bool)], _ now: RecorderTime
    ) -> [[LogValue]] {
        let keyed = rows.enumerated().map { place, row in
            (place: place, row: row, keys: keys.map { $0.key.value(row, now) })
        }
        return keyed.sorted { left, right in
            for (index, key) in keys.enumerated() {
                let (first, second) = (left.keys[index], right.keys[index])
                // Absent values come first in ascending order.
                let order =
                    first.isNull || second.isNull
                    ? (first.isNull ? 0 : 1) - (second.isNull ? 0 : 1) : first.compared(with: second) ?? 0
                if order != 0 { return key.isAscending ? order < 0 : order > 0 }
            }
            return left.place < right.place
        }.map(\.row)
    }

    private static func summarized(
        _ rows: [[LogValue]], by groups: [(name: String, type: String, value: LogExpression)],
        _ aggregates: [Aggregate], at now: RecorderTime
    ) -> [[LogValue]] {
        var order: [[LogValue]] = groups.isEmpty ? [[]] : []
        var members: [[LogValue]: [[LogValue]]] = groups.isEmpty ? [[]: []] : [:]
        for row in rows {
            let key = groups.map { $0.value.value(row, now) }
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(row)
        }
        return order.map { key in key + aggregates.map { $0.value(members[key] ?? [], now) } }
    }
}

extension LogQuery.Aggregate {
    fileprivate func value(_ rows: [[LogValue]], _ now: RecorderTime) -> LogValue {
        let values = argument.map { argument in rows.map { argument.value($0, now) } } ?? []
        switch kind {
        case .count: return .long(Int64(rows.count))
        case .countif: return .long(Int64(values.count { $0.isTrue }))
        case .dcount: return .long(Int64(Set(values.filter { !$0.isNull }).count))
        case .sum: return LogValue.sum(values)
        case .min, .max:
            let wanted = kind == .min ? -1 : 1
            return values.filter { !$0.isNull }.reduce(LogValue.null) { best, value in
                best.isNull || value.compared(with: best) == wanted ? value : best
            }
        }
    }
}
