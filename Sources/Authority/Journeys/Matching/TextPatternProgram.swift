/// A pattern as instructions for the machine.
struct TextPatternProgram: Sendable {
    enum Instruction: Sendable {
        case character(UInt32)
        case folded(UInt32)
        case any(newline: Bool)
        case set(Int, folded: Bool)
        case anchor(Int)
        case save(Int)
        /// Tries the first, then the second.
        case split(Int, Int)
        case jump(Int)
        case backReference(Int, folded: Bool)
        /// Runs the instructions up to its own `match` at this place.
        case look(start: Int, ahead: Bool, negative: Bool, next: Int)
        case atomic(start: Int, next: Int)
        /// Keeps a loop whose body matches an empty text from running forever.
        case mark(Int)
        case progress(Int)
        case match
    }

    struct Set: Sendable {
        var ranges: [ClosedRange<UInt32>]
        var classes: [Class]
        var negated: Bool
        var subtracted: [Set]

        func contains(_ scalar: UInt32) -> Bool {
            let inside =
                ranges.contains { $0.contains(scalar) } || classes.contains { $0.contains(scalar) }
            return inside != negated && !subtracted.contains { $0.contains(scalar) }
        }
    }

    struct Class: Sendable {
        enum Kind: Sendable {
            case digit, word, space
            case category([Unicode.GeneralCategory])
            case block(ClosedRange<UInt32>)
        }
        var kind: Kind
        var negated: Bool

        func contains(_ value: UInt32) -> Bool {
            // Half of a surrogate pair is not a scalar; .NET gives it the category Cs.
            let properties = Unicode.Scalar(value)?.properties
            let category = properties?.generalCategory ?? .surrogate
            let inside =
                switch kind {
                case .digit: category == .decimalNumber
                case .word: PatternMachine.isWord(value)
                case .space: properties?.isWhitespace ?? false
                case .category(let categories): categories.contains(category)
                case .block(let range): range.contains(value)
                }
            return inside != negated
        }
    }

    private(set) var code: [Instruction] = []
    private(set) var sets: [Set] = []
    let anchors: [TextPatternNode.Anchor] = [
        .start, .end, .inputStart, .inputEnd, .inputEndOrNewline, .searchStart, .boundary, .notBoundary,
    ]
    /// Captures take two slots a group, group 0 first; loop marks follow.
    private(set) var slots: Int
    let names: [(name: String, index: Int)]

    private static let sizeLimit = 20_000

    init(_ tree: TextPatternNode, parser: TextPatternParser, ignoresCase: Bool) throws(TextPatternError) {
        names = parser.names
        slots = 2 * (max(parser.groups, parser.namedTotal) + 1)
        code.append(.save(0))
        try emit(tree, PatternOptions(ignoresCase: ignoresCase))
        code.append(.save(1))
        code.append(.match)
    }

    private mutating func emit(_ node: TextPatternNode, _ options: PatternOptions) throws(TextPatternError) {
        if code.count > Self.sizeLimit {
            throw TextPatternError(message: "the pattern is too large", offset: 0)
        }
        switch node {
        case .empty: break
        case .character(let scalar):
            code.append(options.ignoresCase ? .folded(PatternMachine.fold(scalar)) : .character(scalar))
        case .any: code.append(.any(newline: options.dotMatchesNewline))
        case .set(let set):
            sets.append(Self.set(set))
            code.append(.set(sets.count - 1, folded: options.ignoresCase))
        case .sequence(let nodes): for node in nodes { try emit(node, options) }
        case .options(let inner, let node): try emit(node, inner)
        case .alternatives(let branches): try emit(branches: branches, options)
        case .group(let node, let index):
            guard let index else { return try emit(node, options) }
            code.append(.save(2 * index))
            try emit(node, options)
            code.append(.save(2 * index + 1))
        case .atomic(let node):
            let place = code.count
            code.append(.match)
            try emit(node, options)
            code.append(.match)
            code[place] = .atomic(start: place + 1, next: code.count)
        case .look(let node, let ahead, let negative):
            let place = code.count
            code.append(.match)
            try emit(node, options)
            code.append(.match)
            code[place] = .look(start: place + 1, ahead: ahead, negative: negative, next: code.count)
        case .backReference(let index):
            code.append(.backReference(index, folded: options.ignoresCase))
        case .anchor(let anchor):
            code.append(.anchor(anchors.firstIndex { $0 == anchor } ?? 0))
        case .repeated(let node, let least, let most, let lazy):
            try emit(node, least: least, most: most, lazy: lazy, options)
        }
    }

    private mutating func emit(branches: [TextPatternNode], _ options: PatternOptions)
        throws(TextPatternError)
    {
        var jumps: [Int] = []
        for (place, branch) in branches.enumerated() {
            guard place + 1 < branches.count else {
                try emit(branch, options)
                break
            }
            let split = code.count
            code.append(.match)
            try emit(branch, options)
            jumps.append(code.count)
            code.append(.match)
            code[split] = .split(split + 1, code.count)
        }
        for jump in jumps { code[jump] = .jump(code.count) }
    }

    private mutating func emit(
        _ node: TextPatternNode, least: Int, most: Int?, lazy: Bool, _ options: PatternOptions
    ) throws(TextPatternError) {
        guard least <= 2000, (most ?? 0) <= 2000 else {
            throw TextPatternError(message: "a quantifier of more than 2000", offset: 0)
        }
        for _ in 0..<least {
            let before = code.count
            try emit(node, options)
            // An empty body stays empty when repeated; without this, nested repetitions of it would take forever to
            // emit.
            if code.count == before { break }
        }
        if let most {
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(code.count)
                code.append(.match)
                try emit(node, options)
            }
            for split in splits {
                code[split] = lazy ? .split(code.count, split + 1) : .split(split + 1, code.count)
            }
            return
        }
        let slot = slots
        slots += 1
        let split = code.count
        code.append(.match)
        code.append(.mark(slot))
        try emit(node, options)
        code.append(.progress(slot))
        code.append(.jump(split))
        code[split] = lazy ? .split(code.count, split + 1) : .split(split + 1, code.count)
    }

    static func set(_ set: TextPatternNode.CharacterSet) -> Set {
        Set(
            ranges: set.ranges,
            classes: set.classes.map { item in
                let kind: Class.Kind =
                    switch item.kind {
                    case .digit: .digit
                    case .word: .word
                    case .space: .space
                    case .category(let categories): .category(categories)
                    case .block(let range): .block(range)
                    }
                return Class(kind: kind, negated: item.negated)
            }, negated: set.negated, subtracted: set.subtracted.map(Self.set))
    }
}
