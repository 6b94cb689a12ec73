import Determinism
import JSON
import JourneyLogs

/// An expression of a query.
indirect enum LogExpression {
    case value(LogValue)
    case column(Int)
    case member(LogExpression, String)
    case element(LogExpression, Int)
    case not(LogExpression)
    case and(LogExpression, LogExpression)
    case or(LogExpression, LogExpression)
    case compare(LogExpression, LogComparison, LogExpression)
    case text(LogExpression, LogTextTest, LogExpression, isNegated: Bool)
    case among(LogExpression, [LogExpression], ignoresCase: Bool, isNegated: Bool)
    case between(LogExpression, LogExpression, LogExpression, isNegated: Bool)
    case sum(LogExpression, LogExpression, isDifference: Bool)
    case call(LogFunction, [LogExpression])

    func value(_ row: [LogValue], _ now: RecorderTime) -> LogValue {
        switch self {
        case .value(let value): return value
        case .column(let place): return row[place]
        case .member(let base, let name):
            guard case .dynamic(let value) = base.value(row, now) else { return .null }
            return value[name].map(LogValue.dynamic) ?? .null
        case .element(let base, let place):
            guard case .dynamic(let value) = base.value(row, now) else { return .null }
            return value[place].map(LogValue.dynamic) ?? .null
        case .not(let inner): return .bool(!inner.value(row, now).isTrue)
        case .and(let left, let right): return .bool(left.value(row, now).isTrue && right.value(row, now).isTrue)
        case .or(let left, let right): return .bool(left.value(row, now).isTrue || right.value(row, now).isTrue)
        case .compare(let left, let comparison, let right):
            return .bool(comparison.holds(left.value(row, now), right.value(row, now)))
        case .text(let left, let test, let right, let isNegated):
            return .bool(test.holds(left.value(row, now).text, right.value(row, now).text) != isNegated)
        case .among(let left, let list, let ignoresCase, let isNegated):
            let value = left.value(row, now)
            let comparison: LogComparison = ignoresCase ? .same : .equal
            return .bool(list.contains { comparison.holds(value, $0.value(row, now)) } != isNegated)
        case .between(let middle, let low, let high, let isNegated):
            let value = middle.value(row, now)
            let low = low.value(row, now)
            var high = high.value(row, now)
            // A span counts from the lower end.
            if case .datetime(let start) = low, case .timespan(let span) = high {
                high = .datetime(RecorderTime(start.timestamp + span, rest: start.rest))
            }
            guard let first = value.compared(with: low), let second = value.compared(with: high) else {
                return .bool(false)
            }
            return .bool((first >= 0 && second <= 0) != isNegated)
        case .sum(let left, let right, let isDifference):
            return Self.sum(left.value(row, now), right.value(row, now), isDifference)
        case .call(let function, let arguments):
            return function.value(arguments.map { $0.value(row, now) }, now)
        }
    }

    private static func sum(_ left: LogValue, _ right: LogValue, _ isDifference: Bool) -> LogValue {
        switch (left, right) {
        case (.datetime(let time), .timespan(let span)):
            let moved = isDifference ? time.timestamp - span : time.timestamp + span
            return .datetime(RecorderTime(moved, rest: time.rest))
        case (.datetime(let first), .datetime(let second)) where isDifference:
            return .timespan(first.timestamp - second.timestamp)
        case (.timespan(let first), .timespan(let second)):
            return .timespan(isDifference ? first - second : first + second)
        case (.long(let first), .long(let second)):
            let (sum, overflow) =
                isDifference
                ? first.subtractingReportingOverflow(second) : first.addingReportingOverflow(second)
            return overflow ? .null : .long(sum)
        default: return .null
        }
    }
}

/// A comparison of values. One with absence does not hold, except that absence differs from every value.
enum LogComparison: String {
    case equal = "=="
    case different = "!="
    case same = "=~"
    case notSame = "!~"
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    func holds(_ left: LogValue, _ right: LogValue) -> Bool {
        switch self {
        case .same: return left.text.lowercased() == right.text.lowercased()
        case .notSame: return left.text.lowercased() != right.text.lowercased()
        case .equal: return left.compared(with: right) == 0
        case .different: return left.compared(with: right) != 0
        case .less, .atMost, .greater, .atLeast:
            guard let order = left.compared(with: right) else { return false }
            switch self {
            case .less: return order < 0
            case .atMost: return order <= 0
            case .greater: return order > 0
            default: return order >= 0
            }
        }
    }
}

/// A test of a text (Microsoft docs: Kusto string operators). Those without `_cs` ignore case.
enum LogTextTest: String, CaseIterable {
    case contains, startswith, endswith, has
    case containsCase = "contains_cs"
    case startswithCase = "startswith_cs"
    case endswithCase = "endswith_cs"
    case hasCase = "has_cs"

    func holds(_ text: String, _ part: String) -> Bool {
        switch self {
        case .containsCase: return text.contains(part)
        case .startswithCase: return text.hasPrefix(part)
        case .endswithCase: return text.hasSuffix(part)
        case .hasCase: return Self.hasTerm(text, part)
        case .contains: return text.lowercased().contains(part.lowercased())
        case .startswith: return text.lowercased().hasPrefix(part.lowercased())
        case .endswith: return text.lowercased().hasSuffix(part.lowercased())
        case .has: return Self.hasTerm(text.lowercased(), part.lowercased())
        }
    }

    /// Whether a text has a part with no letter or digit beside it.
    private static func hasTerm(_ text: String, _ part: String) -> Bool {
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        if part.isEmpty { return true }
        return text.ranges(of: part).contains { range in
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
            return !isWord(before) && !isWord(after)
        }
    }
}

/// A function of the language.
enum LogFunction: String, CaseIterable {
    case tostring, tolower, toupper, strlen, isempty, isnotempty, isnull, isnotnull, ago, now, todatetime, bin, strcat
    case parseJSON = "parse_json"
    case todynamic, toint, tolong, tobool

    /// How many arguments it takes.
    var arguments: ClosedRange<Int> {
        switch self {
        case .now: 0...1
        case .bin: 2...2
        case .strcat: 1...64
        default: 1...1
        }
    }

    /// The name of its result's type.
    var type: String {
        switch self {
        case .tostring, .tolower, .toupper, .strcat: "string"
        case .strlen, .tolong: "long"
        case .toint: "int"
        case .isempty, .isnotempty, .isnull, .isnotnull, .tobool: "bool"
        case .ago, .now, .todatetime: "datetime"
        case .bin: "dynamic"
        case .parseJSON, .todynamic: "dynamic"
        }
    }

    func value(_ arguments: [LogValue], _ now: RecorderTime) -> LogValue {
        let first = arguments.first ?? .null
        switch self {
        case .tostring: return .string(first.text)
        case .tolower: return .string(first.text.lowercased())
        case .toupper: return .string(first.text.uppercased())
        case .strlen: return .long(Int64(first.text.unicodeScalars.count))
        case .strcat: return .string(arguments.map(\.text).joined())
        case .isempty: return .bool(first.isNull || first.text.isEmpty)
        case .isnotempty: return .bool(!first.isNull && !first.text.isEmpty)
        case .isnull: return .bool(first.isNull)
        case .isnotnull: return .bool(!first.isNull)
        case .now:
            guard case .timespan(let span) = first else { return .datetime(now) }
            return .datetime(RecorderTime(now.timestamp + span, rest: now.rest))
        case .ago:
            guard case .timespan(let span) = first else { return .null }
            return .datetime(RecorderTime(now.timestamp - span, rest: now.rest))
        case .todatetime:
            if case .datetime = first { return first }
            return RecorderTime(first.text).map(LogValue.datetime) ?? .null
        case .toint, .tolong:
            if case .bool(let flag) = first { return .long(flag ? 1 : 0) }
            return Int64(first.text).map(LogValue.long) ?? .null
        case .tobool:
            switch first.text.lowercased() {
            case "true", "1": return .bool(true)
            case "false", "0": return .bool(false)
            default: return .null
            }
        case .parseJSON, .todynamic:
            if case .dynamic(let value) = first, value.stringValue == nil { return first }
            return (try? JSONParser.parse(first.text)).map(LogValue.dynamic) ?? .dynamic(.string(first.text))
        case .bin: return Self.bin(first, arguments.count > 1 ? arguments[1] : .null)
        }
    }

    /// The multiple of a width at or below a value.
    private static func bin(_ value: LogValue, _ width: LogValue) -> LogValue {
        func floor(_ number: Int64, _ width: Int64) -> Int64 {
            let rest = number % width
            let (below, overflow) = number.subtractingReportingOverflow(rest < 0 ? rest + width : rest)
            return overflow ? number : below
        }
        switch (value, width) {
        case (.datetime(let time), .timespan(let span)) where span > .zero:
            return .datetime(
                RecorderTime(Timestamp(milliseconds: floor(time.timestamp.milliseconds, span.milliseconds))))
        case (.long(let number), .long(let width)) where width > 0: return .long(floor(number, width))
        default: return .null
        }
    }
}
