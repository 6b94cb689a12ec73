/// A regular expression as instructions for ``PatternRun``.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        /// One character of the set, then the next instruction.
        case set(PatternTest)
        /// Both ways at once.
        case split(Int, Int)
        case jump(Int)
        case assertion(PatternAssertion)
        /// Goes on where the inner program matches from here on, or where it does not.
        case look(PatternProgram, negative: Bool)
        case match
    }

    private(set) var instructions: [Instruction] = []
    let flags: PatternFlags
    /// How many instructions there are, those of the programs within included.
    private var size: Int { instructions.count + inner }
    private var inner = 0
    private let most: Int

    /// - Parameter most: How many instructions there may be.
    init(_ node: PatternNode, flags: PatternFlags, most: Int = 20_000) throws(PatternError) {
        self.flags = flags
        self.most = most
        try emit(node)
        instructions.append(.match)
    }

    private mutating func emit(_ node: PatternNode) throws(PatternError) {
        guard size < most else {
            throw PatternError(message: "the expression is too large; use smaller repetitions", offset: nil)
        }
        switch node {
        case .empty: break
        case .set(let set): emit(set)
        case .dot:
            emit(
                flags.dotMatchesLineEnds ? .all : PatternSet(ranges: PatternSet.lineEnds.ranges, negated: true))
        case .sequence(let parts):
            for part in parts { try emit(part) }
        case .choice(let branches): try emit(choice: branches)
        case .times(let inner, let min, let max): try emit(inner, min: min, max: max)
        case .assertion(let assertion): instructions.append(.assertion(assertion))
        case .look(let inner, let negative):
            let program = try PatternProgram(inner, flags: flags, most: most - size)
            self.inner += program.size
            instructions.append(.look(program, negative: negative))
        }
    }

    private mutating func emit(_ set: PatternSet) {
        instructions.append(.set(PatternTest(set, ignoresCase: flags.ignoresCase)))
    }

    /// Whether a match can begin at the start of the text alone.
    var isAnchored: Bool {
        guard case .assertion(.start) = instructions[0] else { return false }
        return !flags.anchorsMatchAtLines
    }

    private mutating func emit(choice branches: [PatternNode]) throws(PatternError) {
        var ends: [Int] = []
        for (index, branch) in branches.enumerated() {
            guard index < branches.count - 1 else {
                try emit(branch)
                break
            }
            let split = instructions.count
            instructions.append(.split(split + 1, 0))
            try emit(branch)
            ends.append(instructions.count)
            instructions.append(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func emit(_ inner: PatternNode, min: Int, max: Int?) throws(PatternError) {
        for _ in 0..<min {
            let before = instructions.count
            try emit(inner)
            // An empty body stays empty when repeated; without this, nested repetitions of it would take forever to
            // emit.
            if instructions.count == before { break }
        }
        guard let max else {
            let split = instructions.count
            instructions.append(.split(split + 1, 0))
            try emit(inner)
            instructions.append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return
        }
        var splits: [Int] = []
        for _ in min..<max {
            splits.append(instructions.count)
            instructions.append(.split(instructions.count + 1, 0))
            try emit(inner)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }
}

/// Whether a character is one of a set.
struct PatternTest: Sendable {
    private let set: PatternSet
    private let ignoresCase: Bool
    /// A bit for each ASCII character that is. Most characters are ASCII, and some sets have ten ranges.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ set: PatternSet, ignoresCase: Bool) {
        self.set = set
        self.ignoresCase = ignoresCase
        for range in set.ranges {
            low |= Self.bits(range, from: 0)
            high |= Self.bits(range, from: 64)
        }
        if set.negated {
            low = ~low
            high = ~high
        }
    }

    /// The bits of those of the 64 characters from `first` on that are in the range.
    private static func bits(_ range: ClosedRange<UInt32>, from first: UInt32) -> UInt64 {
        guard range.upperBound >= first, range.lowerBound < first + 64 else { return 0 }
        let start = max(range.lowerBound, first) - first
        let end = min(range.upperBound, first + 63) - first
        return (UInt64.max >> UInt64(63 - (end - start))) << UInt64(start)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 128, !ignoresCase else { return set.contains(scalar, ignoringCase: ignoresCase) }
        return (scalar.value < 64 ? low : high) >> UInt64(scalar.value & 63) & 1 == 1
    }
}

/// Follows all ways through a program at once, character by character.
struct PatternRun {
    let text: [Unicode.Scalar]
    private var stepsLeft = 5_000_000

    init(text: [Unicode.Scalar]) {
        self.text = text
    }

    /// - Parameter anywhere: Whether a match may begin later than `start`.
    mutating func matches(_ program: PatternProgram, from start: Int, anywhere: Bool) throws(PatternError) -> Bool {
        let anywhere = anywhere && !program.isAnchored
        // Where many places look ahead, making the states is most of the work.
        stepsLeft -= program.instructions.count
        guard stepsLeft > 0 else { throw Self.tooMuch }
        var current = States(count: program.instructions.count)
        var next = States(count: program.instructions.count)
        var position = start
        if try add(0, to: &current, program, at: position) { return true }
        while position < text.count {
            let scalar = text[position]
            next.clear()
            for state in current.list {
                stepsLeft -= 1
                guard case .set(let test) = program.instructions[state], test.contains(scalar) else { continue }
                if try add(state + 1, to: &next, program, at: position + 1) { return true }
            }
            position += 1
            swap(&current, &next)
            if anywhere {
                if try add(0, to: &current, program, at: position) { return true }
            } else if current.list.isEmpty {
                return false
            }
            guard stepsLeft > 0 else { throw Self.tooMuch }
        }
        return false
    }

    private static let tooMuch = PatternError(
        message: "the text is too long for so large an expression", offset: nil)

    /// Adds the state and all that are reached from it without a character; true when the end is among them.
    private mutating func add(
        _ first: Int, to states: inout States, _ program: PatternProgram, at position: Int
    ) throws(PatternError) -> Bool {
        states.waiting.append(first)
        while let state = states.waiting.popLast() {
            guard states.insert(state) else { continue }
            stepsLeft -= 1
            switch program.instructions[state] {
            case .match: return true
            case .set: states.list.append(state)
            case .jump(let target): states.waiting.append(target)
            case .split(let one, let other):
                states.waiting.append(other)
                states.waiting.append(one)
            case .assertion(let assertion):
                if holds(assertion, at: position, program.flags) { states.waiting.append(state + 1) }
            case .look(let inner, let negative):
                if try matches(inner, from: position, anywhere: false) != negative { states.waiting.append(state + 1) }
            }
        }
        return false
    }

    private func holds(_ assertion: PatternAssertion, at position: Int, _ flags: PatternFlags) -> Bool {
        switch assertion {
        case .start:
            position == 0 || (flags.anchorsMatchAtLines && PatternSet.lineEnds.contains(text[position - 1]))
        case .end:
            position == text.count || (flags.anchorsMatchAtLines && PatternSet.lineEnds.contains(text[position]))
        case .wordBoundary: isWord(position - 1) != isWord(position)
        case .noWordBoundary: isWord(position - 1) == isWord(position)
        }
    }

    private func isWord(_ position: Int) -> Bool {
        text.indices.contains(position) && PatternSet.word.contains(text[position])
    }

    private struct States {
        /// States that wait for a character.
        var list: [Int] = []
        /// States whose turn comes while one is added; kept for its memory.
        var waiting: [Int] = []
        private var marks: [Int]
        private var round = 1

        init(count: Int) {
            marks = [Int](repeating: 0, count: count)
        }

        mutating func insert(_ state: Int) -> Bool {
            guard marks[state] != round else { return false }
            marks[state] = round
            return true
        }

        mutating func clear() {
            list.removeAll(keepingCapacity: true)
            round += 1
        }
    }
}
