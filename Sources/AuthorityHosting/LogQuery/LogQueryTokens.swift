import Determinism

/// The words of a query.
struct LogQueryToken: Hashable {
    enum Kind: Hashable {
        case name(String)
        case text(String)
        case long(Int64)
        case real(Double)
        case span(TimeSpan)
        /// Characters between the parentheses of `datetime(...)`.
        case datetime(String)
        case symbol(String)
        case end
    }

    var kind: Kind
    var written: String
    var line: Int
    var position: Int

    func fault(_ message: String, _ kind: LogQueryFault.Kind = .syntax) -> LogQueryFault {
        LogQueryFault(kind: kind, message: message, line: line, position: position, token: written)
    }

    /// Words of a query at most: expressions are carried out one within the other.
    private static let most = 2_000

    /// Divides a query into its words.
    static func read(_ text: String) throws(LogQueryFault) -> [LogQueryToken] {
        var reader = Reader(text)
        var tokens: [LogQueryToken] = []
        while let token = try reader.next() {
            guard tokens.count < most else { throw token.fault("the query has more than \(most) words") }
            tokens.append(token)
        }
        tokens.append(
            LogQueryToken(kind: .end, written: "end of the query", line: reader.line, position: reader.position))
        return tokens
    }

    private struct Reader {
        private var rest: Substring
        private(set) var line = 1
        private(set) var position = 0

        init(_ text: String) { rest = text[...] }

        private mutating func take() -> Character? {
            guard let character = rest.popFirst() else { return nil }
            if character.isNewline {
                line += 1
                position = 0
            } else {
                position += 1
            }
            return character
        }

        private mutating func take(while holds: (Character) -> Bool) -> String {
            var text = ""
            while let next = rest.first, holds(next) {
                text.append(next)
                _ = take()
            }
            return text
        }

        mutating func next() throws(LogQueryFault) -> LogQueryToken? {
            while let first = rest.first {
                if first.isWhitespace {
                    _ = take()
                } else if rest.hasPrefix("//") {
                    _ = take { !$0.isNewline }
                } else {
                    break
                }
            }
            guard let first = rest.first else { return nil }
            var token = LogQueryToken(kind: .end, written: String(first), line: line, position: position)
            if first.isLetter || first == "_" {
                token.written = take { $0.isLetter || $0.isNumber || $0 == "_" }
                token.kind = .name(token.written)
                let name = token.written.lowercased()
                if ["datetime", "date"].contains(name), rest.drop(while: { $0 == " " }).first == "(" {
                    _ = take { $0 != "(" }
                    _ = take()
                    let text = take { $0 != ")" }
                    guard take() != nil else { throw token.fault("datetime( has no )") }
                    token.kind = .datetime(text)
                }
                return token
            }
            if first == "'" || first == "\"" || rest.hasPrefix("@'") || rest.hasPrefix("@\"") {
                token.kind = .text(try quoted(token))
                return token
            }
            if first.isASCII, first.isNumber { return try number(token) }
            let symbols = ["!=", "==", "=~", "!~", "<=", ">=", ".."]
            token.written = symbols.first { rest.hasPrefix($0) } ?? String(first)
            for _ in token.written { _ = take() }
            token.kind = .symbol(token.written)
            return token
        }

        private mutating func quoted(_ token: LogQueryToken) throws(LogQueryFault) -> String {
            let isVerbatim = rest.first == "@"
            if isVerbatim { _ = take() }
            guard let quote = take() else { throw token.fault("a text has no end") }
            var text = ""
            while let character = take() {
                if character == quote {
                    guard isVerbatim, rest.first == quote else { return text }
                    _ = take()
                    text.append(quote)
                } else if character == "\\", !isVerbatim, let escaped = take() {
                    switch escaped {
                    case "n": text.append("\n")
                    case "r": text.append("\r")
                    case "t": text.append("\t")
                    default: text.append(escaped)
                    }
                } else {
                    text.append(character)
                }
            }
            throw token.fault("a text has no end: expected \(quote)")
        }

        private mutating func number(_ token: LogQueryToken) throws(LogQueryFault) -> LogQueryToken {
            var token = token
            var digits = take { $0.isASCII && $0.isNumber }
            if rest.first == ".", rest.dropFirst().first?.isNumber == true {
                _ = take()
                digits += "." + take { $0.isASCII && $0.isNumber }
            }
            let unit = take { $0.isLetter }
            token.written = digits + unit
            guard let value = Double(digits) else { throw token.fault("\(digits) is not a number") }
            if unit.isEmpty {
                if !digits.contains("."), let whole = Int64(digits) {
                    token.kind = .long(whole)
                } else {
                    token.kind = .real(value)
                }
                return token
            }
            let units: [String: Double] = [
                "d": 86_400, "day": 86_400, "days": 86_400, "h": 3600, "hour": 3600, "hours": 3600, "hr": 3600, "m": 60,
                "min": 60, "minute": 60, "minutes": 60, "s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 0.001,
                "milli": 0.001, "millis": 0.001,
            ]
            guard let length = units[unit.lowercased()] else {
                throw token.fault("\(token.written) is not a time span: expected a number with d, h, m, s or ms")
            }
            token.kind = .span(.seconds(value * length))
            return token
        }
    }
}
