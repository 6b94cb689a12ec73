import Determinism
import JSON

/// A value that has a place on a scale: a number, an instant or a duration.
package enum Amount {
    case number(JSONValue)
    case instant(Timestamp)
    case span(TimeSpan)

    /// Reads a value. With `like` given, a bare number (or its digits, as the token cache holds them) is taken as
    /// seconds since 1970 beside an instant and as seconds beside a duration: tokens and clients count so.
    package init?(_ value: JSONValue, like other: Amount?) {
        switch (value, other) {
        case (.integer, .instant), (.number, .instant):
            guard let seconds = value.doubleValue else { return nil }
            self = .instant(Timestamp(milliseconds: TimeSpan.seconds(seconds).milliseconds))
        case (.integer, .span), (.number, .span):
            guard let seconds = value.doubleValue else { return nil }
            self = .span(.seconds(seconds))
        case (.integer, _), (.number, _):
            self = .number(value)
        case (.string(let text), _):
            if let instant = Timestamp(rfc3339: text) {
                self = .instant(instant)
            } else if let span = TimeSpan(iso8601: text) {
                self = .span(span)
            } else if case .instant? = other, let seconds = Int64(text) {
                self = .instant(Timestamp(seconds: seconds))
            } else {
                return nil
            }
        default:
            return nil
        }
    }

    /// Negative, zero or positive as this lies before, at or after the other; `nil` on different scales.
    package func order(to other: Amount) -> Int? {
        switch (self, other) {
        case (.number(.integer(let left)), .number(.integer(let right))): Self.order(left, right)
        case (.number(let left), .number(let right)):
            if let left = left.doubleValue, let right = right.doubleValue { Self.order(left, right) } else { nil }
        case (.instant(let left), .instant(let right)): Self.order(left, right)
        case (.span(let left), .span(let right)): Self.order(left, right)
        default: nil
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }
}
