import Determinism
import JSON
import JourneyLogs

/// A value of the query language, with the scalar types of the tables (Microsoft docs: Kusto scalar data types).
enum LogValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case long(Int64)
    case real(Double)
    case string(String)
    case datetime(RecorderTime)
    case timespan(TimeSpan)
    case dynamic(JSONValue)

    /// The name that a column has for it.
    var type: String {
        switch self {
        case .null, .string: "string"
        case .bool: "bool"
        case .long: "long"
        case .real: "real"
        case .datetime: "datetime"
        case .timespan: "timespan"
        case .dynamic: "dynamic"
        }
    }

    /// The value as an answer of the API has it: values of the type `dynamic` as the text of their JSON.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .long(let number): .integer(number)
        case .real(let number): .number(number)
        case .string(let text): .string(text)
        case .datetime(let time): .string(time.text)
        case .timespan(let span): .string(Self.text(span))
        case .dynamic(let value): value.stringValue.map { .string($0) } ?? .string(JSONWriter.compact(value))
        }
    }

    /// The value as `tostring` gives it; absence is an empty text.
    var text: String {
        switch self {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .long(let number): String(number)
        case .real(let number): JSONWriter.compact(.number(number))
        case .string(let text): text
        case .datetime(let time): time.text
        case .timespan(let span): Self.text(span)
        case .dynamic(.null): ""
        case .dynamic(let value): value.stringValue ?? JSONWriter.compact(value)
        }
    }

    /// `1.02:03:04.5000000`, as .NET writes a time span.
    private static func text(_ span: TimeSpan) -> String {
        func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + String(number) }
        let all = span.milliseconds.magnitude
        let (seconds, rest) = all.quotientAndRemainder(dividingBy: 1000)
        let days = seconds / 86_400
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        let fraction = rest == 0 ? "" : "." + String(String(rest + 1000).dropFirst()) + "0000"
        return (span < .zero ? "-" : "") + (days == 0 ? "" : "\(days).") + clock + fraction
    }

    var isNull: Bool {
        switch self {
        case .null, .dynamic(.null): true
        default: false
        }
    }

    /// Whether a condition holds; absence does not.
    var isTrue: Bool {
        switch self {
        case .bool(let flag): flag
        case .dynamic(let value): value.boolValue ?? false
        default: false
        }
    }

    private var number: Double? {
        switch self {
        case .long(let number): Double(number)
        case .real(let number): number
        case .bool(let flag): flag ? 1 : 0
        case .dynamic(let value): value.doubleValue
        default: nil
        }
    }

    /// The sum of numbers or time spans; absent values do not count, and a sum that is too large is absent.
    static func sum(_ values: [LogValue]) -> LogValue {
        var sum = LogValue.long(0)
        for value in values where !value.isNull {
            switch (sum, value) {
            case (.long(let first), .long(let second)):
                let (total, overflow) = first.addingReportingOverflow(second)
                guard !overflow else { return .null }
                sum = .long(total)
            case (.timespan(let first), .timespan(let second)): sum = .timespan(first + second)
            case (.long(0), .timespan): sum = value
            default:
                guard let first = sum.number, let second = value.number else { return .null }
                sum = .real(first + second)
            }
        }
        return sum
    }

    /// The order of two values; `nil` if their types have none. Texts are compared by their characters, with case.
    func compared(with other: LogValue) -> Int? {
        func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left > right ? 1 : 0 }
        switch (self, other) {
        case (.datetime(let left), .datetime(let right)): return order(left, right)
        case (.timespan(let left), .timespan(let right)): return order(left, right)
        case (.string(let left), .string(let right)): return order(left, right)
        case (.dynamic, .string(let right)): return order(text, right)
        case (.string(let left), .dynamic): return order(left, other.text)
        case (.dynamic(let left), .dynamic(let right)) where left.stringValue != nil && right.stringValue != nil:
            return order(text, other.text)
        default:
            guard let left = number, let right = other.number else { return nil }
            return order(left, right)
        }
    }
}

/// A row while a query is carried out: values by the names of columns.
struct LogTable: Sendable {
    struct Column: Hashable, Sendable {
        var name: String
        var type: String
    }

    var columns: [Column]
    var rows: [[LogValue]]

    func place(of name: String) -> Int? { columns.firstIndex { $0.name == name } }

    /// The table as an answer of the API has it (Microsoft docs: Log Analytics API, response format).
    var json: JSONValue {
        [
            "tables": [
                [
                    "name": "PrimaryResult",
                    "columns": .array(columns.map { ["name": .string($0.name), "type": .string($0.type)] }),
                    "rows": .array(rows.map { row in .array(row.map(\.json)) }),
                ]
            ]
        ]
    }
}

extension LogTable {
    /// The table `traces` of Application Insights (Microsoft docs: the columns of `traces`).
    static func traces(_ rows: [RecorderRow]) -> LogTable {
        table(
            [
                ("timestamp", "datetime"), ("message", "string"), ("severityLevel", "int"), ("itemType", "string"),
                ("customDimensions", "dynamic"), ("customMeasurements", "dynamic"), ("operation_Name", "string"),
                ("operation_Id", "string"), ("operation_ParentId", "string"), ("operation_SyntheticSource", "string"),
                ("session_Id", "string"), ("user_Id", "string"), ("user_AuthenticatedId", "string"),
                ("user_AccountId", "string"), ("application_Version", "string"), ("client_Type", "string"),
                ("client_IP", "string"), ("cloud_RoleName", "string"), ("cloud_RoleInstance", "string"),
                ("appId", "string"), ("appName", "string"), ("iKey", "string"), ("sdkVersion", "string"),
                ("itemId", "string"), ("itemCount", "int"),
            ], rows,
            [
                "timestamp": { .datetime($0.time) }, "message": { .string($0.message) },
                "severityLevel": { _ in .long(1) },
                "itemType": { _ in .string("trace") }, "customDimensions": { .dynamic(.object($0.dimensions.json)) },
                "operation_Id": { .string($0.operationID ?? "") }, "client_Type": { _ in .string("PC") },
                "cloud_RoleInstance": { .string($0.roleInstance ?? "") }, "itemId": { .string($0.itemID ?? "") },
                "itemCount": { .long(Int64($0.itemCount)) },
            ])
    }

    /// The table `AppTraces` of a Log Analytics workspace (Microsoft docs: AppTraces).
    static func appTraces(_ rows: [RecorderRow]) -> LogTable {
        table(
            [
                ("TimeGenerated", "datetime"), ("Message", "string"), ("SeverityLevel", "int"),
                ("Properties", "dynamic"), ("Measurements", "dynamic"), ("OperationName", "string"),
                ("OperationId", "string"), ("ParentId", "string"), ("SyntheticSource", "string"),
                ("SessionId", "string"), ("UserId", "string"), ("UserAuthenticatedId", "string"),
                ("UserAccountId", "string"), ("AppVersion", "string"), ("AppRoleName", "string"),
                ("AppRoleInstance", "string"), ("ClientType", "string"), ("ClientIP", "string"), ("IKey", "string"),
                ("SDKVersion", "string"), ("ItemCount", "int"), ("Type", "string"),
            ], rows,
            [
                "TimeGenerated": { .datetime($0.time) }, "Message": { .string($0.message) },
                "SeverityLevel": { _ in .long(1) }, "Properties": { .dynamic(.object($0.dimensions.json)) },
                "OperationId": { .string($0.operationID ?? "") }, "ClientType": { _ in .string("PC") },
                "AppRoleInstance": { .string($0.roleInstance ?? "") }, "ItemCount": { .long(Int64($0.itemCount)) },
                "Type": { _ in .string("AppTraces") },
            ])
    }

    private static func table(
        _ columns: [(String, String)], _ rows: [RecorderRow], _ values: [String: (RecorderRow) -> LogValue]
    ) -> LogTable {
        LogTable(
            columns: columns.map { Column(name: $0.0, type: $0.1) },
            rows: rows.map { row in
                columns.map { name, type in values[name]?(row) ?? (type == "string" ? .string("") : .null) }
            })
    }
}
