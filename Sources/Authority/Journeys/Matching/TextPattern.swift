import Diagnostics
import Synchronization

/// A regular expression of a policy: .NET's language and meaning, with bounded work. Matching takes a number of steps
/// and then gives up, so that no pattern and no input can hold the authority.
public struct TextPattern: Sendable {
    /// A named group of a match.
    public struct Group: Sendable, Hashable {
        public let name: String
        public let text: String
    }

    /// What a match found.
    public struct Match: Sendable, Hashable {
        /// Offsets in UTF-16 code units.
        public let range: Range<Int>
        /// Named groups that took part, in the order of the pattern.
        public let groups: [Group]
    }

    public enum Outcome: Sendable, Hashable {
        case match(Match)
        case noMatch
        /// The steps ran out.
        case exhausted
    }

    /// Steps that one search may take. A plain match of 100 characters takes a few hundred.
    public static let stepLimit = 200_000

    let program: TextPatternProgram

    public init(_ pattern: String, ignoresCase: Bool = false) throws(TextPatternError) {
        var parser = TextPatternParser(pattern, options: PatternOptions(ignoresCase: ignoresCase))
        let tree = try parser.parse()
        program = try TextPatternProgram(tree, parser: parser, ignoresCase: ignoresCase)
    }

    /// The first match anywhere in the text: patterns are not anchored.
    public func firstMatch(in text: String, steps: Int = stepLimit) -> Outcome {
        var machine = PatternMachine(program: program, text: text.utf16.map(UInt32.init), steps: steps)
        return machine.search(from: 0)
    }

    /// Whether it matches anywhere. A search that runs out of steps does not match.
    public func matches(_ text: String) -> Bool {
        if case .match = firstMatch(in: text) { true } else { false }
    }

    /// The text with every match replaced by a literal; `nil` when the steps run out.
    public func replacing(in text: String, with replacement: String) -> String? {
        let units = text.utf16.map(UInt32.init)
        var machine = PatternMachine(program: program, text: units, steps: Self.stepLimit)
        var result: [UInt32] = []
        var place = 0
        search: while place <= units.count {
            switch machine.search(from: place) {
            case .exhausted: return nil
            case .noMatch: break search
            case .match(let match):
                result += units[place..<match.range.lowerBound]
                result += replacement.utf16.map(UInt32.init)
                place = match.range.upperBound
                if match.range.isEmpty {
                    if place < units.count { result.append(units[place]) }
                    place += 1
                }
            }
        }
        if place < units.count { result += units[place...] }
        return Self.string(result[...])
    }

    static func string(_ units: ArraySlice<UInt32>) -> String {
        String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
    }
}

extension TextPattern {
    /// Patterns of policies, read once: a sign-in page checks every name against one.
    private static let known = Mutex<[String: TextPattern]>([:])
    private static let knownLimit = 1024

    /// A pattern that a policy holds; one that cannot be read is not simulated, with its place.
    static func inPolicy(_ expression: String, at location: SourceLocation) throws(ProfileFailure)
        -> TextPattern
    {
        if let pattern = known.withLock({ $0[expression] }) { return pattern }
        let pattern: TextPattern
        do throws(TextPatternError) {
            pattern = try TextPattern(expression)
        } catch {
            throw .notSimulated("regular expression \(expression) (\(error.message))", at: location)
        }
        known.withLock { patterns in
            if patterns.count >= knownLimit { patterns.removeAll() }
            patterns[expression] = pattern
        }
        return pattern
    }

    /// Whether a pattern that a policy holds matches somewhere; one that takes too many steps is not simulated.
    static func matches(
        _ expression: String, _ text: String, at location: SourceLocation
    ) throws(ProfileFailure) -> Bool {
        switch try inPolicy(expression, at: location).firstMatch(in: text) {
        case .match: return true
        case .noMatch: return false
        case .exhausted: throw tooLong(expression, at: location)
        }
    }

    static func tooLong(_ expression: String, at location: SourceLocation) -> ProfileFailure {
        .notSimulated(
            "regular expression \(expression) (more than \(stepLimit) steps on this text)", at: location)
    }
}
