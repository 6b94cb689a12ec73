/// The regular expressions of shapes, in the part of ECMAScript's grammar that tables need: literals, `.`, classes,
/// `\d \w \s`, groups, alternatives, `* + ? {m,n}`, `^ $` and look-ahead. JSON Schema takes the same text.
///
/// Matching works on Unicode scalars with a bound on its steps, so that no value of a file can make it slow.
struct ShapePattern: Sendable {
    private indirect enum Node: Sendable {
        case set(CharacterSet)
        case sequence([Node])
        case choice([Node])
        case repeated(Node, ClosedRange<Int>)
        case start, end
        case ahead(Node, negative: Bool)
    }

    private struct CharacterSet: Sendable {
        var ranges: [ClosedRange<UInt32>] = []
        var isNegated = false

        func contains(_ scalar: UInt32) -> Bool {
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    private let root: Node

    /// `nil` where the text uses what is not supported.
    init?(_ text: String) {
        var parser = Parser(rest: Array(text.unicodeScalars)[...])
        guard let node = parser.choice(), parser.rest.isEmpty else { return nil }
        root = node
    }

    /// Whether the expression matches somewhere in the text; false as well when that takes too many steps.
    func matches(_ text: String) -> Bool {
        let run = Run(text: text.unicodeScalars.map(\.value))
        for start in 0...run.text.count {
            if run.match(root, at: start, depth: 0, then: { _ in true }) { return true }
            if run.steps > Run.limit { return false }
        }
        return false
    }

    private struct Parser {
        var rest: ArraySlice<Unicode.Scalar>
        private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
        private static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        private static let blanks: [ClosedRange<UInt32>] = [0x09...0x0D, 0x20...0x20, 0xA0...0xA0]

        init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

        mutating func choice() -> Node? {
            var options: [Node] = []
            repeat {
                guard let option = sequence() else { return nil }
                options.append(option)
            } while skip("|")
            return options.count == 1 ? options[0] : .choice(options)
        }

        private mutating func sequence() -> Node? {
            var nodes: [Node] = []
            while let next = rest.first, next != "|", next != ")" {
                guard let atom = atom() else { return nil }
                guard let bounds = quantifier() else { return nil }
                nodes.append(bounds == 1...1 ? atom : .repeated(atom, bounds))
            }
            return nodes.count == 1 ? nodes[0] : .sequence(nodes)
        }

        private mutating func atom() -> Node? {
            guard let next = rest.popFirst() else { return nil }
            switch next {
            case "^": return .start
            case "$": return .end
            case ".": return .set(CharacterSet(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true))
            case "(": return group()
            case "[": return characterClass()
            case "\\": return escape().map { .set(CharacterSet(ranges: $0)) }
            case "*", "+", "?", "{", ")": return nil
            default: return .set(CharacterSet(ranges: [next.value...next.value]))
            }
        }

        private mutating func group() -> Node? {
            var ahead: Bool?
            if skip("?") {
                if skip("=") { ahead = false } else if skip("!") { ahead = true } else if !skip(":") { return nil }
            }
            guard let inner = choice(), skip(")") else { return nil }
            return ahead.map { .ahead(inner, negative: $0) } ?? inner
        }

        private mutating func characterClass() -> Node? {
            var set = CharacterSet()
            set.isNegated = skip("^")
            while let next = rest.popFirst() {
                if next == "]" { return .set(set) }
                if next == "\\" {
                    guard let ranges = escape() else { return nil }
                    set.ranges += ranges
                    continue
                }
                if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                    guard end != "\\", next.value <= end.value else { return nil }
                    rest = rest.dropFirst(2)
                    set.ranges.append(next.value...end.value)
                } else {
                    set.ranges.append(next.value...next.value)
                }
            }
            return nil
        }

        private mutating func escape() -> [ClosedRange<UInt32>]? {
            guard let mark = rest.popFirst() else { return nil }
            switch mark {
            case "d": return Self.digits
            case "w": return Self.word
            case "s": return Self.blanks
            case "n": return [0x0A...0x0A]
            case "t": return [0x09...0x09]
            default:
                let isLetter = mark.isASCII && mark.properties.isAlphabetic
                return isLetter || Self.digits[0].contains(mark.value) ? nil : [mark.value...mark.value]
            }
        }

        private mutating func quantifier() -> ClosedRange<Int>? {
            let unbounded = 1 << 30
            if skip("*") { return 0...unbounded }
            if skip("+") { return 1...unbounded }
            if skip("?") { return 0...1 }
            guard skip("{") else { return 1...1 }
            guard let least = number() else { return nil }
            var most = least
            if skip(",") { most = rest.first == "}" ? unbounded : number() ?? -1 }
            guard skip("}"), least <= most else { return nil }
            return least...most
        }

        private mutating func number() -> Int? {
            let digits = rest.prefix { Self.digits[0].contains($0.value) }.prefix(6)
            rest = rest.dropFirst(digits.count)
            return Int(String(String.UnicodeScalarView(digits)))
        }

        private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == scalar else { return false }
            rest = rest.dropFirst()
            return true
        }
    }

    /// One search in one text: backtracking with the rest of the pattern as a continuation.
    private final class Run {
        static let limit = 200_000
        static let deepest = 400
        let text: [UInt32]
        var steps = 0

        init(text: [UInt32]) { self.text = text }

        func match(_ node: Node, at place: Int, depth: Int, then next: (Int) -> Bool) -> Bool {
            steps += 1
            guard steps <= Self.limit, depth < Self.deepest else { return false }
            switch node {
            case .set(let set): return place < text.count && set.contains(text[place]) && next(place + 1)
            case .start: return place == 0 && next(place)
            case .end: return place == text.count && next(place)
            case .sequence(let nodes): return match(nodes[...], at: place, depth: depth + 1, then: next)
            case .choice(let nodes):
                return nodes.contains { match($0, at: place, depth: depth + 1, then: next) }
            case .ahead(let inner, let negative):
                return match(inner, at: place, depth: depth + 1, then: { _ in true }) != negative && next(place)
            case .repeated(.set(let set), let bounds):
                // Without recursion, so that the length of the text does not become the depth of the stack.
                var count = 0
                while count < bounds.upperBound, place + count < text.count, set.contains(text[place + count]) {
                    count += 1
                }
                steps += count
                while count >= bounds.lowerBound {
                    if next(place + count) { return true }
                    count -= 1
                    steps += 1
                    if steps > Self.limit { return false }
                }
                return false
            case .repeated(let inner, let bounds):
                return matchRepeated(inner, bounds, count: 0, at: place, depth: depth + 1, then: next)
            }
        }

        private func match(_ nodes: ArraySlice<Node>, at place: Int, depth: Int, then next: (Int) -> Bool) -> Bool {
            guard let first = nodes.first else { return next(place) }
            return match(first, at: place, depth: depth) {
                self.match(nodes.dropFirst(), at: $0, depth: depth + 1, then: next)
            }
        }

        private func matchRepeated(
            _ inner: Node, _ bounds: ClosedRange<Int>, count: Int, at place: Int, depth: Int, then next: (Int) -> Bool
        ) -> Bool {
            if count < bounds.upperBound,
                match(
                    inner, at: place, depth: depth + 1,
                    then: { end in
                        // A round that takes nothing would go on for ever.
                        end > place
                            && self.matchRepeated(
                                inner, bounds, count: count + 1, at: end, depth: depth + 1, then: next)
                    })
            {
                return true
            }
            return count >= bounds.lowerBound && next(place)
        }
    }
}
