/// Runs a pattern's program over a text: backtracking with its stack and its steps counted.
struct PatternMachine {
    let program: TextPatternProgram
    let text: [UInt32]
    /// Steps left.
    var steps: Int
    private var slots: [Int]
    /// Where the search began: `\G`.
    private var searchStart = 0

    private enum Undo {
        case branch(pc: Int, place: Int)
        case slot(Int, Int)
    }

    init(program: TextPatternProgram, text: [UInt32], steps: Int) {
        self.program = program
        self.text = text
        self.steps = steps
        self.slots = Array(repeating: -1, count: program.slots)
    }

    mutating func search(from start: Int) -> TextPattern.Outcome {
        searchStart = start
        var place = start
        while place <= text.count {
            for slot in slots.indices { slots[slot] = -1 }
            if run(0, from: place) != nil {
                return .match(
                    TextPattern.Match(range: slots[0]..<max(slots[0], slots[1]), groups: groups()))
            }
            if steps <= 0 { return .exhausted }
            place += 1
        }
        return .noMatch
    }

    private func groups() -> [TextPattern.Group] {
        program.names.compactMap { name, index in
            let low = slots[2 * index]
            let high = slots[2 * index + 1]
            guard low >= 0, high >= low else { return nil }
            return TextPattern.Group(name: name, text: TextPattern.string(text[low..<high]))
        }
    }

    /// Runs from an instruction to the next `match`; the place reached, or `nil`. Slots keep what the match set.
    ///
    /// One loop on purpose: with functions for look-arounds, groups and backtracking it takes 5 to 8 percent longer.
    ///
    /// - Parameter end: Only a match that ends here counts (for what lies behind).
    private mutating func run(_ start: Int, from origin: Int, endingAt end: Int? = nil) -> Int? {
        var stack: [Undo] = []
        var pc = start
        var place = origin
        while true {
            steps -= 1
            guard steps > 0, stack.count < 100_000 else { return unwind(&stack) }
            var fits = true
            switch program.code[pc] {
            case .character(let scalar):
                fits = place < text.count && text[place] == scalar
                if fits { place += 1 }
                pc += 1
            case .folded(let scalar):
                fits = place < text.count && Self.fold(text[place]) == scalar
                if fits { place += 1 }
                pc += 1
            case .any(let newline):
                fits = place < text.count && (newline || text[place] != 10)
                if fits { place += 1 }
                pc += 1
            case .set(let index, let folded):
                fits = place < text.count && contains(program.sets[index], text[place], folded)
                if fits { place += 1 }
                pc += 1
            case .anchor(let index):
                fits = holds(program.anchors[index], at: place)
                pc += 1
            case .save(let slot), .mark(let slot):
                stack.append(.slot(slot, slots[slot]))
                slots[slot] = place
                pc += 1
            case .progress(let slot):
                fits = slots[slot] != place
                pc += 1
            case .split(let first, let second):
                stack.append(.branch(pc: second, place: place))
                pc = first
            case .jump(let target): pc = target
            case .backReference(let index, let folded):
                let low = slots[2 * index]
                let high = slots[2 * index + 1]
                fits = low >= 0 && high >= low && equal(low..<high, place, folded)
                if fits { place += high - low }
                pc += 1
            case .look(let start, let ahead, let negative, let next):
                let before = slots
                let found = ahead ? run(start, from: place) != nil : behind(start, place)
                let after = slots
                slots = before
                fits = found != negative
                if fits, !negative {
                    for slot in slots.indices where after[slot] != before[slot] {
                        stack.append(.slot(slot, before[slot]))
                        slots[slot] = after[slot]
                    }
                }
                pc = next
            case .atomic(let start, let next):
                let before = slots
                if let reached = run(start, from: place) {
                    for slot in slots.indices where slots[slot] != before[slot] {
                        stack.append(.slot(slot, before[slot]))
                    }
                    place = reached
                } else {
                    fits = false
                }
                pc = next
            case .match:
                if let end, place != end { fits = false } else { return place }
            }
            if fits { continue }
            var resumed = false
            while let undo = stack.popLast() {
                switch undo {
                case .slot(let slot, let old): slots[slot] = old
                case .branch(let target, let old):
                    pc = target
                    place = old
                    resumed = true
                }
                if resumed { break }
            }
            if !resumed { return nil }
        }
    }

    private mutating func unwind(_ stack: inout [Undo]) -> Int? {
        while let undo = stack.popLast() {
            if case .slot(let slot, let old) = undo { slots[slot] = old }
        }
        steps = 0
        return nil
    }

    /// Whether something that ends here matches.
    private mutating func behind(_ start: Int, _ place: Int) -> Bool {
        var from = place
        while from >= 0 {
            if run(start, from: from, endingAt: place) != nil { return true }
            if steps <= 0 { return false }
            from -= 1
        }
        return false
    }

    private func holds(_ anchor: TextPatternNode.Anchor, at place: Int) -> Bool {
        switch anchor {
        case .inputStart: place == 0
        case .inputEnd: place == text.count
        case .inputEndOrNewline: place == text.count || (place == text.count - 1 && text[place] == 10)
        case .searchStart: place == searchStart
        case .start: place == 0 || text[place - 1] == 10
        case .end: place == text.count || text[place] == 10
        case .boundary: isBoundary(place)
        case .notBoundary: !isBoundary(place)
        }
    }

    private func isBoundary(_ place: Int) -> Bool {
        let before = place > 0 && Self.isBoundaryWord(text[place - 1])
        let after = place < text.count && Self.isBoundaryWord(text[place])
        return before != after
    }

    private func contains(_ set: TextPatternProgram.Set, _ scalar: UInt32, _ folded: Bool) -> Bool {
        if set.contains(scalar) { return true }
        guard folded else { return false }
        return set.contains(Self.fold(scalar)) || set.contains(Self.raise(scalar))
    }

    private func equal(_ range: Range<Int>, _ place: Int, _ folded: Bool) -> Bool {
        guard place + range.count <= text.count else { return false }
        for (offset, index) in range.enumerated() {
            let a = text[index]
            let b = text[place + offset]
            if a != b, !folded || Self.fold(a) != Self.fold(b) { return false }
        }
        return true
    }

    /// A letter's lower case, if that is one character.
    static func fold(_ value: UInt32) -> UInt32 {
        if value < 128 { return (65...90).contains(value) ? value + 32 : value }
        guard let lower = Unicode.Scalar(value)?.properties.lowercaseMapping.unicodeScalars,
            lower.count == 1
        else {
            return value
        }
        return lower.first?.value ?? value
    }

    private static func raise(_ value: UInt32) -> UInt32 {
        guard let upper = Unicode.Scalar(value)?.properties.uppercaseMapping.unicodeScalars,
            upper.count == 1
        else {
            return value
        }
        return upper.first?.value ?? value
    }

    /// What `\b` takes for a word: `\w` and the two joiners.
    private static func isBoundaryWord(_ value: UInt32) -> Bool {
        value == 0x200C || value == 0x200D || isWord(value)
    }

    /// `\w`: letters, nonspacing marks, decimal digits and connectors.
    static func isWord(_ value: UInt32) -> Bool {
        if value < 128 {
            return (48...57).contains(value) || (65...90).contains(value) || (97...122).contains(value)
                || value == 95
        }
        guard let scalar = Unicode.Scalar(value) else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark,
            .decimalNumber, .connectorPunctuation:
            return true
        default: return false
        }
    }
}
