import Determinism
import JSON
import JourneyLogs

/// Reads the operators of a query, with the columns that each leaves.
struct LogQueryParser {
    private let tokens: [LogQueryToken]
    private var place = 0
    private(set) var columns: [LogTable.Column]

    /// Expressions within expressions at most.
    private static let deepest = 64
    private var depth = 0

    init(tokens: [LogQueryToken], columns: [LogTable.Column]) {
        self.tokens = tokens
        self.columns = columns
    }

    // MARK: Tokens

    private var next: LogQueryToken { tokens[place] }

    private mutating func take() -> LogQueryToken {
        defer { if place < tokens.count - 1 { place += 1 } }
        return tokens[place]
    }

    private mutating func takes(_ symbol: String) -> Bool {
        guard next.kind == .symbol(symbol) else { return false }
        _ = take()
        return true
    }

    /// Names of operators are written in lower case.
    private mutating func takes(word: String) -> Bool {
        guard case .name(let name) = next.kind, name == word else { return false }
        _ = take()
        return true
    }

    private mutating func need(_ symbol: String) throws(LogQueryFault) {
        guard takes(symbol) else { throw next.fault("\(next.written) is at a place where \(symbol) is expected") }
    }

    // MARK: Operators

    mutating func query(on table: String) throws(LogQueryFault) -> [LogQuery.Operator] {
        let source = take()
        guard case .name(let name) = source.kind else {
            throw source.fault("\(source.written) is at a place where the table \(table) is expected")
        }
        guard name == table else {
            throw source.fault(
                "the table \(name) is not simulated: a query begins with \(table), which has the rows of the journey "
                    + "recorder", .semantic)
        }
        var operators: [LogQuery.Operator] = []
        while takes("|") { operators += try operation() }
        _ = takes(";")
        guard next.kind == .end else {
            throw next.fault("\(next.written) is at a place where | or the end of the query is expected")
        }
        return operators
    }

    private mutating func operation() throws(LogQueryFault) -> [LogQuery.Operator] {
        let word = take()
        guard case .name(let name) = word.kind else {
            throw word.fault("\(word.written) is at a place where an operator is expected: \(LogQuery.understood)")
        }
        switch name {
        case "where", "filter": return [.filter(try expression())]
        case "order", "sort":
            guard takes(word: "by") else { throw next.fault("\(next.written) is at a place where by is expected") }
            return [.sort(try keys())]
        case "take", "limit": return [.take(try number())]
        case "top":
            let count = try number()
            guard takes(word: "by") else { throw next.fault("\(next.written) is at a place where by is expected") }
            return [.sort(try keys()), .take(count)]
        case "count":
            columns = [LogTable.Column(name: "Count", type: "long")]
            return [.count]
        case "project":
            let list = try fields()
            columns = list.map { LogTable.Column(name: $0.name, type: $0.type) }
            return [.project(list)]
        case "extend": return [.project(try extended())]
        case "distinct":
            let list = try fields()
            columns = list.map { LogTable.Column(name: $0.name, type: $0.type) }
            return [.project(list), .distinct]
        case "summarize": return [try summary()]
        default:
            throw word.fault(
                "the operator \(name) is not simulated; understood are \(LogQuery.understood)", .semantic)
        }
    }

    private mutating func number() throws(LogQueryFault) -> Int {
        let token = take()
        guard case .long(let number) = token.kind, let count = Int(exactly: number) else {
            throw token.fault("\(token.written) is at a place where a whole number is expected")
        }
        return count
    }

    private mutating func keys() throws(LogQueryFault) -> [(key: LogExpression, isAscending: Bool)] {
        var keys: [(key: LogExpression, isAscending: Bool)] = []
        repeat {
            let key = try expression()
            var isAscending = false
            if takes(word: "asc") { isAscending = true } else { _ = takes(word: "desc") }
            if next.kind == .name("nulls") {
                throw next.fault("nulls first and nulls last are not simulated", .semantic)
            }
            keys.append((key, isAscending))
        } while takes(",")
        return keys
    }

    private typealias Field = (name: String, type: String, value: LogExpression)

    private mutating func fields() throws(LogQueryFault) -> [Field] {
        var fields: [Field] = []
        repeat { fields.append(try field(number: fields.count + 1)) } while takes(",")
        return fields
    }

    /// `name`, `name = expression`, or an expression, which is named after its last word.
    private mutating func field(number: Int) throws(LogQueryFault) -> Field {
        if case .name(let name) = next.kind, tokens[min(place + 1, tokens.count - 1)].kind == .symbol("=") {
            _ = take()
            _ = take()
            let value = try expression()
            return (name, typeName(of: value), value)
        }
        let start = place
        let value = try expression()
        var name = "Column\(number)"
        switch value {
        case .column(let place): name = columns[place].name
        case .member:
            // `customDimensions.EventName` becomes `customDimensions_EventName`.
            name = tokens[start..<place].compactMap {
                switch $0.kind {
                case .name(let name), .text(let name): name
                default: nil
                }
            }.joined(separator: "_")
        default: break
        }
        return (name, typeName(of: value), value)
    }

    private mutating func extended() throws(LogQueryFault) -> [Field] {
        var all: [Field] = columns.enumerated().map { ($0.element.name, $0.element.type, .column($0.offset)) }
        for field in try fields() {
            if let place = all.firstIndex(where: { $0.name == field.name }) {
                all[place] = field
            } else {
                all.append(field)
            }
        }
        columns = all.map { LogTable.Column(name: $0.name, type: $0.type) }
        return all
    }

    private mutating func summary() throws(LogQueryFault) -> LogQuery.Operator {
        var aggregates: [LogQuery.Aggregate] = []
        if next.kind != .name("by") { repeat { aggregates.append(try aggregate()) } while takes(",") }
        let groups = takes(word: "by") ? try fields() : []
        columns =
            groups.map { LogTable.Column(name: $0.name, type: $0.type) }
            + aggregates.map { LogTable.Column(name: $0.name, type: $0.type) }
        return .summarize(aggregates, by: groups)
    }

    private mutating func aggregate() throws(LogQueryFault) -> LogQuery.Aggregate {
        var name: String?
        if case .name(let given) = next.kind, tokens[min(place + 1, tokens.count - 1)].kind == .symbol("=") {
            name = given
            _ = take()
            _ = take()
        }
        let word = take()
        guard case .name(let function) = word.kind, let kind = LogQuery.Aggregate.Kind(rawValue: function) else {
            throw word.fault(
                "\(word.written) is not simulated as an aggregation; understood are "
                    + LogQuery.Aggregate.Kind.allCases.map(\.rawValue).joined(separator: ", "), .semantic)
        }
        try need("(")
        let argument = kind == .count ? nil : try expression()
        try need(")")
        var last = "_"
        if case .column(let place)? = argument { last += columns[place].name }
        let type = [.min, .max, .sum].contains(kind) ? argument.map { typeName(of: $0) } ?? "long" : "long"
        return LogQuery.Aggregate(name: name ?? kind.rawValue + last, kind: kind, argument: argument, type: type)
    }

    private func typeName(of expression: LogExpression) -> String {
        switch expression {
        case .value(let value): value.type
        case .column(let place): columns[place].type
        case .member, .element: "dynamic"
        case .not, .and, .or, .compare, .text, .among, .between: "bool"
        case .sum(let left, let right, let isDifference):
            isDifference && typeName(of: left) == "datetime" && typeName(of: right) == "datetime"
                ? "timespan" : typeName(of: left)
        case .call(.bin, let arguments): arguments.first.map { typeName(of: $0) } ?? "long"
        case .call(let function, _): function.type
        }
    }

    // MARK: Expressions

    private mutating func expression() throws(LogQueryFault) -> LogExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { throw next.fault("the expression has too many levels") }
        var left = try conjunction()
        while takes(word: "or") { left = .or(left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(LogQueryFault) -> LogExpression {
        var left = try comparison()
        while takes(word: "and") { left = .and(left, try comparison()) }
        return left
    }

    private mutating func comparison() throws(LogQueryFault) -> LogExpression {
        let left = try sum()
        if case .symbol(let symbol) = next.kind, let comparison = LogComparison(rawValue: symbol) {
            _ = take()
            return .compare(left, comparison, try sum())
        }
        let start = place
        let isNegated = takes("!")
        let word = next
        if case .name(let name) = word.kind {
            if let test = LogTextTest(rawValue: name) {
                _ = take()
                return .text(left, test, try sum(), isNegated: isNegated)
            }
            if name == "in" {
                _ = take()
                let ignoresCase = takes("~")
                return .among(left, try list(), ignoresCase: ignoresCase, isNegated: isNegated)
            }
            if name == "between" {
                _ = take()
                try need("(")
                let low = try sum()
                try need("..")
                let high = try sum()
                try need(")")
                return .between(left, low, high, isNegated: isNegated)
            }
            if isNegated || !["and", "or", "asc", "desc", "by", "nulls"].contains(name) {
                throw word.fault(
                    "the string operator \(name) is not simulated; understood are ==, !=, =~, !~, in, between, "
                        + LogTextTest.allCases.map(\.rawValue).joined(separator: ", "), .semantic)
            }
        }
        place = start
        return left
    }

    private mutating func list() throws(LogQueryFault) -> [LogExpression] {
        try need("(")
        var list: [LogExpression] = []
        repeat { list.append(try expression()) } while takes(",")
        try need(")")
        return list
    }

    private mutating func sum() throws(LogQueryFault) -> LogExpression {
        var left = try path()
        while next.kind == .symbol("+") || next.kind == .symbol("-") {
            let isDifference = take().kind == .symbol("-")
            left = .sum(left, try path(), isDifference: isDifference)
        }
        return left
    }

    /// A value and the members of it.
    private mutating func path() throws(LogQueryFault) -> LogExpression {
        var value = try primary()
        while true {
            if takes(".") {
                let token = take()
                guard case .name(let name) = token.kind else {
                    throw token.fault("\(token.written) is at a place where the name of a member is expected")
                }
                value = .member(value, name)
            } else if takes("[") {
                let token = take()
                switch token.kind {
                case .text(let name): value = .member(value, name)
                case .long(let number): value = .element(value, Int(clamping: number))
                default:
                    throw token.fault("\(token.written) is at a place where a name in quotes or a number is expected")
                }
                try need("]")
            } else {
                return value
            }
        }
    }

    private mutating func primary() throws(LogQueryFault) -> LogExpression {
        let token = take()
        switch token.kind {
        case .text(let text): return .value(.string(text))
        case .long(let number): return .value(.long(number))
        case .real(let number): return .value(.real(number))
        case .span(let span): return .value(.timespan(span))
        case .datetime(let text):
            guard let time = Self.datetime(text) else {
                throw token.fault("datetime(\(text)) is not a date: expected ISO 8601, such as 2026-11-02T09:10:11Z")
            }
            return .value(.datetime(time))
        case .symbol("("):
            let inner = try expression()
            try need(")")
            return inner
        case .symbol("-"):
            let number = take()
            switch number.kind {
            case .long(let value): return .value(.long(0 - value))
            case .span(let span): return .value(.timespan(-span))
            default: throw number.fault("\(number.written) is at a place where a number is expected")
            }
        case .name(let name): return try named(name, token)
        case .symbol, .end:
            throw token.fault("\(token.written) is at a place where a value is expected")
        }
    }

    private mutating func named(_ name: String, _ token: LogQueryToken) throws(LogQueryFault) -> LogExpression {
        if next.kind == .symbol("(") {
            if name == "not" {
                try need("(")
                let inner = try expression()
                try need(")")
                return .not(inner)
            }
            guard let function = LogFunction(rawValue: name) else {
                throw token.fault(
                    "the function \(name) is not simulated; understood are not, datetime, "
                        + LogFunction.allCases.map(\.rawValue).joined(separator: ", "), .semantic)
            }
            _ = take()
            var arguments: [LogExpression] = []
            if next.kind != .symbol(")") { repeat { arguments.append(try expression()) } while takes(",") }
            try need(")")
            guard function.arguments.contains(arguments.count) else {
                throw token.fault("\(name) has \(arguments.count) arguments and takes \(function.arguments)", .semantic)
            }
            return .call(function, arguments)
        }
        if name == "true" || name == "false" { return .value(.bool(name == "true")) }
        guard let place = columns.firstIndex(where: { $0.name == name }) else {
            throw token.fault(
                "Failed to resolve column or scalar expression named '\(name)'; the columns are "
                    + columns.map(\.name).joined(separator: ", "), .semantic)
        }
        return .column(place)
    }

    static func datetime(_ text: String) -> RecorderTime? {
        let text = text.filter { $0 != "\"" && $0 != "'" }.trimmingSpaces
        return RecorderTime(text) ?? RecorderTime(text + "T00:00:00Z")
            ?? RecorderTime(text.replacing("Z", with: ":00Z"))
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var view = self[...]
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }
}
