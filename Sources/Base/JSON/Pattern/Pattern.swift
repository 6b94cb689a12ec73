/// Why a regular expression cannot be read or used.
public struct PatternError: Error, Hashable, Sendable {
    /// What is wrong, without a full stop.
    public var message: String
    /// Where in the expression, in code points from 0; `nil` when it took too much work.
    public var offset: Int?
}

/// A regular expression whose work is bounded.
///
/// It understands what scripts and shapes need: literals, `.`, classes, `\d \w \s \b` and their opposites, groups,
/// alternatives, `* + ? {n,m}` (also lazy), `^ $`, lookahead, and in scripts flags. Only whether it matches is asked, so
/// all ways are followed at the same time: work grows with the length of the text times the size of the expression, never
/// worse. What would need backtracking (back references, lookbehind, atomic groups) is refused by name.
public struct Pattern: Sendable {
    /// Whose expressions are read.
    public enum Dialect: Sendable {
        /// Those of scripts, which may begin with the flags `(?i)`, `(?s)` and `(?m)`.
        case script
        /// Those of shapes. JSON Schemas have the same text, so all of it is ECMAScript, which has no flags within.
        case schema
    }

    private let program: PatternProgram

    /// Reads an expression.
    ///
    /// - Throws: ``PatternError`` with what is wrong and where.
    public init(_ source: String, dialect: Dialect = .script) throws(PatternError) {
        var parser = PatternParser(source)
        let node = try parser.parse(flags: dialect == .script)
        program = try PatternProgram(node, flags: parser.flags)
    }

    /// Whether it matches anywhere in the text.
    ///
    /// - Throws: ``PatternError`` when that takes more than a few million steps.
    public func hasMatch(in text: String) throws(PatternError) -> Bool {
        var run = PatternRun(text: Array(text.unicodeScalars))
        return try run.matches(program, from: 0, anywhere: true)
    }
}

/// Switches at the start of an expression.
struct PatternFlags: Sendable {
    /// `i`: letter case does not count.
    var ignoresCase = false
    /// `s`: `.` matches line ends too.
    var dotMatchesLineEnds = false
    /// `m`: `^` and `$` match at line ends too.
    var anchorsMatchAtLines = false
}

/// A set of characters.
struct PatternSet: Hashable, Sendable {
    var ranges: [ClosedRange<UInt32>]
    var negated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != negated
    }

    func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Bool {
        guard ignoringCase else { return contains(scalar) }
        let forms =
            [scalar] + Self.single(scalar.properties.lowercaseMapping)
            + Self.single(scalar.properties.uppercaseMapping)
        return forms.contains { form in ranges.contains { $0.contains(form.value) } } != negated
    }

    private static func single(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.count == 1 ? Array(text.unicodeScalars) : []
    }

    static func one(_ scalar: Unicode.Scalar) -> PatternSet { PatternSet(ranges: [scalar.value...scalar.value]) }
    static let digits = PatternSet(ranges: [0x30...0x39])
    static let word = PatternSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = PatternSet(ranges: [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let lineEnds = PatternSet(ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
    static let all = PatternSet(ranges: [0...0x10FFFF])
}

/// A place in the text that takes no character.
enum PatternAssertion: Sendable {
    case start, end, wordBoundary, noWordBoundary
}

/// An expression as read.
indirect enum PatternNode: Sendable {
    case empty
    case set(PatternSet)
    case dot
    case sequence([PatternNode])
    case choice([PatternNode])
    case times(PatternNode, min: Int, max: Int?)
    case assertion(PatternAssertion)
    case look(PatternNode, negative: Bool)
}
