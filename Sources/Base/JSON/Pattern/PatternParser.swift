/// Reads the text of a regular expression.
struct PatternParser {
    private(set) var flags = PatternFlags()
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    private static let deepest = 100
    /// As JavaScript engines allow far more, the bound is only there to keep the program small.
    private static let mostRepeats = 1000

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    /// - Parameter flags: Whether the expression may begin with flags.
    mutating func parse(flags mayHaveFlags: Bool) throws(PatternError) -> PatternNode {
        if mayHaveFlags { try readFlags() }
        let node = try choice()
        if let next = peek { throw fault("`\(next)` closes no group") }
        return node
    }

    // MARK: Reading

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func peek(_ ahead: Int) -> Unicode.Scalar? {
        position + ahead < scalars.count ? scalars[position + ahead] : nil
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skip(text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard position + wanted.count <= scalars.count,
            Array(scalars[position..<(position + wanted.count)]) == wanted
        else { return false }
        position += wanted.count
        return true
    }

    private func fault(_ message: String, at offset: Int? = nil) -> PatternError {
        PatternError(message: message, offset: offset ?? position)
    }

    private mutating func readFlags() throws(PatternError) {
        guard peek == "(", peek(1) == "?", let letter = peek(2), "ism".unicodeScalars.contains(letter) else { return }
        position += 2
        while let letter = peek, letter != ")" {
            switch letter {
            case "i": flags.ignoresCase = true
            case "s": flags.dotMatchesLineEnds = true
            case "m": flags.anchorsMatchAtLines = true
            default: throw fault("the flag `\(letter)` is not supported; `i`, `s` and `m` are")
            }
            position += 1
        }
        guard skip(")") else { throw fault("the flags are not closed with `)`") }
    }

    // MARK: Grammar

    private mutating func choice() throws(PatternError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw fault("groups are nested more than \(Self.deepest) deep") }
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let next = peek, next != "|", next != ")" {
            parts.append(try quantified(try atom()))
        }
        return parts.isEmpty ? .empty : (parts.count == 1 ? parts[0] : .sequence(parts))
    }

    private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
        guard let (min, max) = try quantifier() else { return node }
        if case .assertion = node { throw fault("a quantifier follows an anchor") }
        if skip("+") { throw fault("possessive quantifiers are not supported", at: position - 1) }
        // Lazy or greedy makes no difference to whether there is a match.
        _ = skip("?")
        if let next = peek, next == "*" || next == "+" || next == "?" {
            throw fault("`\(next)` follows another quantifier")
        }
        return .times(node, min: min, max: max)
    }

    private mutating func quantifier() throws(PatternError) -> (Int, Int?)? {
        switch peek {
        case "*":
            position += 1
            return (0, nil)
        case "+":
            position += 1
            return (1, nil)
        case "?":
            position += 1
            return (0, 1)
        case "{":
            let start = position
            position += 1
            guard let min = number() else { throw fault("write `\\{` for a brace itself", at: start) }
            var max: Int? = min
            if skip(",") { max = number() }
            guard skip("}") else { throw fault("`{` is not closed", at: start) }
            guard min <= Self.mostRepeats, max ?? 0 <= Self.mostRepeats else {
                throw fault("more than \(Self.mostRepeats) repetitions are not supported", at: start)
            }
            if let max, max < min { throw fault("`{\(min),\(max)}` has its bounds the wrong way round", at: start) }
            return (min, max)
        default:
            return nil
        }
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek, digit.value >= 0x30, digit.value <= 0x39 {
            value = Swift.min((value ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
            position += 1
        }
        return value
    }

    private mutating func atom() throws(PatternError) -> PatternNode {
        guard let next = peek else { return .empty }
        switch next {
        case "*", "+", "?": throw fault("`\(next)` has nothing before it to repeat")
        case "{": throw fault("write `\\{` for a brace itself")
        case "(": return try group()
        case "[": return .set(try bracket())
        case "\\": return try escape()
        default:
            position += 1
            switch next {
            case ".": return .dot
            case "^": return .assertion(.start)
            case "$": return .assertion(.end)
            default: return .set(.one(next))
            }
        }
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        let start = position
        position += 1
        var look: Bool?
        if skip("?") {
            if skip(text: "<=") || skip(text: "<!") { throw fault("lookbehind is not supported", at: start) }
            if skip("=") {
                look = false
            } else if skip("!") {
                look = true
            } else if skip(text: "<") || skip(text: "P<") {
                throw fault("named groups are not supported; use `(?:...)`", at: start)
            } else if skip(">") {
                throw fault("atomic groups are not supported", at: start)
            } else if !skip(":") {
                throw fault("flags are allowed only at the start of the expression", at: start)
            }
        }
        let node = try choice()
        guard skip(")") else { throw fault("`(` is not closed", at: start) }
        return look.map { .look(node, negative: $0) } ?? node
    }

    // MARK: Characters

    private mutating func escape() throws(PatternError) -> PatternNode {
        if peek(1) == "b" || peek(1) == "B" {
            position += 2
            return .assertion(scalars[position - 1] == "b" ? .wordBoundary : .noWordBoundary)
        }
        return .set(try escapedSet())
    }

    /// After a backslash: a class such as `\d`, or one character.
    private mutating func escapedSet() throws(PatternError) -> PatternSet {
        let start = position
        position += 1
        guard let letter = peek else { throw fault("a backslash is at the end", at: start) }
        position += 1
        switch letter {
        case "d": return .digits
        case "D": return PatternSet(ranges: PatternSet.digits.ranges, negated: true)
        case "w": return .word
        case "W": return PatternSet(ranges: PatternSet.word.ranges, negated: true)
        case "s": return .space
        case "S": return PatternSet(ranges: PatternSet.space.ranges, negated: true)
        case "t": return .one("\t")
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "f": return .one("\u{0C}")
        case "v": return .one("\u{0B}")
        case "x": return .one(try hex(2, at: start))
        case "u": return .one(try hex(4, at: start))
        case "1"..."9": throw fault("back references are not supported", at: start)
        case "p", "P": throw fault("Unicode properties are not supported; list the characters in `[...]`", at: start)
        case "a"..."z", "A"..."Z", "0": throw fault("`\\\(letter)` is not supported", at: start)
        default: return .one(letter)
        }
    }

    private mutating func hex(_ count: Int, at start: Int) throws(PatternError) -> Unicode.Scalar {
        guard position + count <= scalars.count else {
            throw fault("\(count) hexadecimal digits are needed", at: start)
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[position..<(position + count)])
        guard text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }), let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw fault("`\(text)` is not the number of a character", at: start) }
        position += count
        return scalar
    }

    private mutating func bracket() throws(PatternError) -> PatternSet {
        let start = position
        position += 1
        var set = PatternSet(ranges: [], negated: skip("^"))
        while let next = peek, next != "]" {
            let low = try member()
            guard low.negated || low.ranges.count != 1 || low.ranges[0].count != 1 || peek != "-" || peek(1) == "]"
            else {
                position += 1
                guard peek != nil else { break }
                let high = try member()
                guard !high.negated, high.ranges.count == 1, let top = high.ranges[0].last, high.ranges[0].count == 1
                else { throw fault("a range ends in a class of characters") }
                guard low.ranges[0].lowerBound <= top else { throw fault("a range has its ends the wrong way round") }
                set.ranges.append(low.ranges[0].lowerBound...top)
                continue
            }
            set.ranges += low.negated ? Self.complement(low.ranges) : low.ranges
        }
        guard skip("]") else { throw fault("`[` is not closed", at: start) }
        return set
    }

    private mutating func member() throws(PatternError) -> PatternSet {
        guard let next = peek else { return PatternSet(ranges: []) }
        if next == "\\" {
            if peek(1) == "b" {
                position += 2
                return .one("\u{08}")
            }
            return try escapedSet()
        }
        position += 1
        return .one(next)
    }

    private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
            next = max(next, range.upperBound + 1)
        }
        if next <= 0x10FFFF { result.append(next...0x10FFFF) }
        return result
    }
}
