import JSON

/// The values that a matcher distinguishes, one for each class. Finds matchers that no value passes, matchers that every
/// value passes, and alternatives that decide nothing.
///
/// Tests of texts count as independent unless one follows from the other, so there can be classes without a value. What
/// holds for all classes holds for all values.
struct MatcherSpace {
    /// The values of a place.
    struct Domain {
        var types: MatcherReach.Types
        /// The only texts that can be there; `nil` if any text can.
        var words: [String]?
        var numbers: AmountReach.Domain
    }

    /// A part of `$any` or `$all` without which the matcher accepts the same values.
    struct IdlePart: Hashable {
        /// The place of the part in the matcher.
        var pointer: JSONPointer
        var test: MatcherTest
    }

    /// A test that is not made of other tests.
    private struct Leaf {
        /// The matcher that makes only this test.
        var matcher: JSONValue
        /// `nil` for a literal and for members.
        var test: MatcherTest?
        var argument: JSONValue
        /// Whether the argument is filled in later.
        var isOpen: Bool
    }

    /// A part of the matcher. Parts come before what they are parts of, so the last node is the matcher itself.
    private struct Node {
        enum Kind {
            case leaf(Int)
            case not
            /// What one object asks for, a list of `$all`, or one of `$any`.
            case conditions, all, any
        }

        var kind: Kind
        /// Places of its parts among the nodes.
        var parts: [Int] = []
        /// The place in the matcher of a list.
        var pointer = JSONPointer.root
        /// The place among the nodes of what it is a part of, and which part it is; `nil` for the matcher itself.
        var owner: (place: Int, part: Int)?

        /// What it says if its parts say that much.
        func verdict(of tally: Tally) -> Verdict {
            switch kind {
            case .any: tally.any
            case .not: MatcherSpace.negation(tally.all)
            case .leaf, .conditions, .all: tally.all
            }
        }
    }

    /// How many parts say what, and the sum of their numbers, which is the number of the only one.
    private struct Tally {
        private var match = (parts: 0, numbers: 0)
        private var different = (parts: 0, numbers: 0)
        private var inapplicable = (parts: 0, numbers: 0)

        private(set) subscript(verdict: Verdict) -> (parts: Int, numbers: Int) {
            get {
                switch verdict {
                case .match: match
                case .different: different
                case .inapplicable: inapplicable
                }
            }
            set {
                switch verdict {
                case .match: match = newValue
                case .different: different = newValue
                case .inapplicable: inapplicable = newValue
                }
            }
        }

        mutating func add(_ verdict: Verdict, of part: Int) {
            let known = self[verdict]
            self[verdict] = (known.parts + 1, known.numbers + part)
        }

        mutating func remove(_ verdict: Verdict, of part: Int) {
            let known = self[verdict]
            self[verdict] = (known.parts - 1, known.numbers - part)
        }

        var all: Verdict { different.parts > 0 ? .different : inapplicable.parts > 0 ? .inapplicable : .match }
        var any: Verdict { match.parts > 0 ? .match : inapplicable.parts > 0 ? .inapplicable : .different }
    }

    /// What each node says of a probe. From one probe to the next only what differs is worked out.
    private struct Answers {
        private let nodes: [Node]
        /// The nodes of each leaf.
        private var places: [[Int]]
        private(set) var said: [Verdict] = []
        private(set) var tallies: [Tally]

        init(_ nodes: [Node], leaves: Int) {
            self.nodes = nodes
            places = Array(repeating: [], count: leaves)
            tallies = Array(repeating: Tally(), count: nodes.count)
            said.reserveCapacity(nodes.count)
            for (place, node) in nodes.enumerated() {
                if case .leaf(let number) = node.kind {
                    places[number].append(place)
                    said.append(.different)
                } else {
                    said.append(node.verdict(of: tallies[place]))
                }
                if let owner = node.owner { tallies[owner.place].add(said[place], of: owner.part) }
            }
        }

        mutating func set(_ leaf: Int, _ verdict: Verdict) {
            for place in places[leaf] {
                var (place, verdict) = (place, verdict)
                while said[place] != verdict {
                    let last = said[place]
                    said[place] = verdict
                    guard let owner = nodes[place].owner else { break }
                    tallies[owner.place].remove(last, of: owner.part)
                    tallies[owner.place].add(verdict, of: owner.part)
                    place = owner.place
                    verdict = nodes[place].verdict(of: tallies[place])
                }
            }
        }
    }

    /// Whether the matcher accepts a value, by what a node of it says.
    private struct Acceptance {
        var match = true
        var different = false
        var inapplicable = false

        init() {}

        init(_ accepts: (Verdict) -> Bool) {
            match = accepts(.match)
            different = accepts(.different)
            inapplicable = accepts(.inapplicable)
        }

        subscript(verdict: Verdict) -> Bool {
            switch verdict {
            case .match: match
            case .different: different
            case .inapplicable: inapplicable
            }
        }
    }

    /// One class of values.
    private struct Probe {
        var type: MatcherReach.Types
        /// A value of the class; `nil` for an absent one.
        var value: JSONValue?
        /// The size that `$length` sees; `nil` for that of `value`.
        var length: Int64?
        /// What tests say of the class that `value` does not decide, by their numbers.
        var choices: [Int: Verdict] = [:]
    }

    private var nodes: [Node] = []
    private var leaves: [Leaf] = []
    private var numbers: [JSONValue: Int] = [:]
    /// The leaves that compare with one text, number or other single value, by that value. Of any value but that one they
    /// say the same.
    private var constants: [JSONValue: [Int]] = [:]
    /// The other leaves.
    private var tests: [Int] = []
    private var probes: [Probe] = []
    /// What the matcher says of each probe.
    private var verdicts: [Verdict] = []
    /// Of each node, which of its parts decide nothing.
    private var isIdle: [[Bool]] = []
    /// How many tests and nodes were looked at for all probes, for tests of how the work grows.
    private(set) var comparisons = 0

    /// - Returns: `nil` if the matcher has too many tests, or a test or word that is not known.
    init?(_ matcher: JSONValue, _ domain: Domain) {
        guard add(matcher, at: .root) != nil else { return nil }
        for (number, leaf) in leaves.enumerated() {
            if leaf.test == nil || leaf.test == .equals, !leaf.isOpen, leaf.argument.isScalar {
                constants[leaf.argument.ordered, default: []].append(number)
            } else {
                tests.append(number)
            }
        }
        guard let probes = probes(domain) else { return nil }
        self.probes = probes
        isIdle = nodes.map { [Bool](repeating: $0.parts.count > 1, count: $0.parts.count) }
        ask()
    }

    /// No value passes.
    var holdsNever: Bool { verdicts.allSatisfy { $0 != .match } }

    /// Every value that is present passes, of the types that the matcher applies to. Tests of presence and type alone say
    /// something.
    var holdsAlways: Bool {
        let namesType = leaves.contains { $0.test == .type }
        let namesNull = leaves.contains { ($0.test == nil || $0.test == .equals) && $0.argument.isNull }
        guard leaves.contains(where: { $0.test != .exists }) else { return false }
        var applicable: MatcherReach.Types = []
        for (probe, verdict) in zip(probes, verdicts) where verdict != .inapplicable {
            applicable.formUnion(probe.type)
        }
        let relevant = zip(probes, verdicts).filter { probe, _ in
            if probe.type == .absent { return false }
            if probe.type == .null, !namesNull, !namesType { return false }
            return namesType || applicable.contains(probe.type)
        }
        return !relevant.isEmpty && relevant.allSatisfy { $0.1 == .match }
    }

    /// The parts of `$any` and `$all` that decide nothing: of two equal ones the later.
    var idleParts: [IdlePart] {
        var found: [IdlePart] = []
        gather(nodes.count - 1, &found)
        return found
    }

    private func gather(_ place: Int, _ found: inout [IdlePart]) {
        let node = nodes[place]
        let test: MatcherTest
        switch node.kind {
        case .all: test = .all
        case .any: test = .any
        case .leaf, .not, .conditions:
            for part in node.parts { gather(part, &found) }
            return
        }
        let idle = isIdle[place].lastIndex(of: true)
        if let idle { found.append(IdlePart(pointer: node.pointer.appending(idle), test: test)) }
        for (index, part) in node.parts.enumerated() where index != idle { gather(part, &found) }
    }

    // MARK: Verdicts

    /// Finds what the matcher says of each probe, and which parts decide that.
    private mutating func ask() {
        var answers = Answers(nodes, leaves: leaves.count)
        let owners = nodes.indices.reversed().filter { !nodes[$0].parts.isEmpty }
        var accepts = [Acceptance](repeating: Acceptance(), count: nodes.count)
        for probe in probes {
            let value = probe.value
            let equal = value.flatMap { $0.isScalar ? constants[$0.ordered] : nil } ?? []
            if value == nil { for number in constants.values.joined() { answers.set(number, .inapplicable) } }
            for number in equal { answers.set(number, .match) }
            for number in tests { answers.set(number, verdict(of: number, probe)) }
            verdicts.append(answers.said.last ?? .match)
            for place in owners { look(at: place, answers, &accepts) }
            comparisons += 1 + equal.count + tests.count + owners.count
            if value == nil { for number in constants.values.joined() { answers.set(number, .different) } }
            for number in equal { answers.set(number, .different) }
        }
    }

    /// Notes the part of a node without which the matcher says another thing of a probe. That is only one which no other
    /// part agrees with.
    private mutating func look(at place: Int, _ answers: Answers, _ accepts: inout [Acceptance]) {
        let node = nodes[place]
        if let owner = node.owner {
            let outer = accepts[owner.place]
            var rest = answers.tallies[owner.place]
            rest.remove(answers.said[place], of: owner.part)
            accepts[place] = Acceptance { verdict in
                var tally = rest
                tally.add(verdict, of: owner.part)
                return outer[nodes[owner.place].verdict(of: tally)]
            }
        }
        guard node.parts.count > 1 else { return }
        let passes = answers.said.last == .match
        for verdict in [Verdict.match, .different, .inapplicable] {
            var tally = answers.tallies[place]
            let sole = tally[verdict]
            guard sole.parts == 1 else { continue }
            tally.remove(verdict, of: sole.numbers)
            if accepts[place][node.verdict(of: tally)] != passes { isIdle[place][sole.numbers] = false }
        }
    }

    private func verdict(of number: Int, _ probe: Probe) -> Verdict {
        if let chosen = probe.choices[number] { return chosen }
        let leaf = leaves[number]
        if leaf.test == .length, let length = probe.length {
            return Matcher.verdict(of: .integer(length), leaf.argument)
        }
        return Matcher.verdict(of: probe.value, leaf.matcher)
    }

    private static func negation(_ verdict: Verdict) -> Verdict {
        switch verdict {
        case .match: .different
        case .different: .match
        case .inapplicable: .inapplicable
        }
    }

    // MARK: Leaves

    private static func leaf(_ literal: JSONValue) -> Leaf {
        Leaf(matcher: literal, test: nil, argument: literal, isOpen: Interpolation.isNeeded(in: literal))
    }

    private static func leaf(_ test: MatcherTest, _ argument: JSONValue) -> Leaf {
        Leaf(
            matcher: .object(JSONObject([(test.rawValue, argument)])), test: test, argument: argument,
            isOpen: Interpolation.isNeeded(in: argument))
    }

    /// The members that an object tests, as one test.
    private static func members(_ object: JSONObject) -> Leaf? {
        let named = object.members.filter { !$0.key.hasPrefix("$") }
        return named.isEmpty ? nil : leaf(.object(JSONObject(named.map { ($0.key, $0.value) })))
    }

    private mutating func add(_ node: Node) -> Int {
        for (number, part) in node.parts.enumerated() { nodes[part].owner = (nodes.count, number) }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func add(_ leaf: Leaf) -> Int {
        let number = numbers[leaf.matcher] ?? leaves.count
        if number == leaves.count {
            numbers[leaf.matcher] = number
            leaves.append(leaf)
        }
        return add(Node(kind: .leaf(number)))
    }

    /// Adds a matcher to the nodes, and returns its place; `nil` if there is a test that is not known.
    private mutating func add(_ matcher: JSONValue, at pointer: JSONPointer) -> Int? {
        guard case .object(let object) = matcher, !object.isEmpty else { return add(Self.leaf(matcher)) }
        var conditions: [Int] = []
        for (name, argument) in object.members where name.hasPrefix("$") && name != MatcherTest.times {
            guard let test = MatcherTest(rawValue: name) else { return nil }
            let inside = pointer.appending(name)
            switch test {
            case .not:
                guard let part = add(argument, at: inside) else { return nil }
                conditions.append(add(Node(kind: .not, parts: [part])))
            case .all, .any:
                guard let elements = argument.arrayValue else { return nil }
                var parts: [Int] = []
                for (index, element) in elements.enumerated() {
                    guard let part = add(element, at: inside.appending(index)) else { return nil }
                    parts.append(part)
                }
                conditions.append(add(Node(kind: test == .any ? .any : .all, parts: parts, pointer: inside)))
            default: conditions.append(add(Self.leaf(test, argument)))
            }
        }
        if let tested = Self.members(object) { conditions.append(add(tested)) }
        return conditions.count == 1 ? conditions[0] : add(Node(kind: .conditions, parts: conditions))
    }

    // MARK: Classes

    private static let mostProbes = 4096
    private static let otherText = "\u{F8FF}\u{F8FE}"
    private static let otherNumber = 0.618_033

    private func probes(_ domain: Domain) -> [Probe]? {
        var probes: [Probe] = []
        func add(_ type: MatcherReach.Types, _ value: JSONValue?, isExact: Bool = true, lengths: [Int64?] = [nil])
            -> Bool
        {
            for length in lengths {
                let made = vary(Probe(type: type, value: value, length: length), isExact: isExact)
                guard let made, probes.count + made.count <= Self.mostProbes else { return false }
                probes += made
            }
            return true
        }
        let lengths = Self.lengths(leaves)
        let constants = leaves.filter { !$0.isOpen && ($0.test == nil || $0.test == .equals) }.map(\.argument)
        // A word that does not exist has a finding of its own.
        guard domain.words.map({ Set($0).isSuperset(of: constants.compactMap(\.stringValue)) }) ?? true else {
            return nil
        }
        if domain.types.contains(.string) {
            for text in domain.words ?? constants.compactMap(\.stringValue) {
                guard add(.string, .string(text)) else { return nil }
            }
            if domain.words == nil {
                guard add(.string, .string(Self.otherText), isExact: false, lengths: lengths) else { return nil }
            }
        }
        if domain.types.contains(.number) {
            for number in Self.numbers(leaves, domain.numbers) { guard add(.number, number) else { return nil } }
        }
        if domain.types.contains(.boolean) {
            guard add(.boolean, .bool(true)), add(.boolean, .bool(false)) else { return nil }
        }
        if domain.types.contains(.array) {
            guard add(.array, .array([.string(Self.otherText)]), isExact: false, lengths: lengths) else { return nil }
        }
        if domain.types.contains(.object) {
            let other = JSONValue.object(JSONObject([(Self.otherText, .integer(1))]))
            guard add(.object, other, isExact: false, lengths: lengths) else { return nil }
        }
        if domain.types.contains(.null) { guard add(.null, .null) else { return nil } }
        if domain.types.contains(.absent) { guard add(.absent, nil) else { return nil } }
        return probes
    }

    /// Numbers around each one that a test names, within the place's own limits.
    private static func numbers(_ leaves: [Leaf], _ domain: AmountReach.Domain) -> [JSONValue] {
        let compared: [MatcherTest?] = [nil, .equals, .lessThan, .atMost, .greaterThan, .atLeast]
        let named = leaves.filter { compared.contains($0.test) && !$0.isOpen }.compactMap(\.argument.doubleValue)
        return domain.samples(around: named.filter { $0.magnitude < 1e15 } + [otherNumber])
    }

    private static func lengths(_ leaves: [Leaf]) -> [Int64?] {
        var named: [Int64] = []
        func gather(_ value: JSONValue) {
            switch value {
            case .integer(let number): named.append(number)
            case .array(let elements): elements.forEach(gather)
            case .object(let object): object.members.forEach { gather($0.value) }
            default: break
            }
        }
        for leaf in leaves where leaf.test == .length { gather(leaf.argument) }
        guard !named.isEmpty else { return [nil] }
        let around = named.filter { $0.magnitude < 1 << 40 }.flatMap { [$0 - 1, $0, $0 + 1] }
        return Set([0] + around).filter { $0 >= 0 }.sorted()
    }

    /// The classes that the tests which `probe.value` does not decide make of one.
    private func vary(_ probe: Probe, isExact: Bool) -> [Probe]? {
        var open: [(number: Int, verdicts: [Verdict])] = []
        var count = 1
        for number in tests {
            guard let verdicts = Self.choices(leaves[number], probe, isExact: isExact) else { continue }
            open.append((number, verdicts))
            count *= verdicts.count
            guard count <= Self.mostProbes else { return nil }
        }
        var made = [probe]
        for (number, verdicts) in open {
            made = made.flatMap { probe in
                verdicts.map { verdict in
                    var probe = probe
                    probe.choices[number] = verdict
                    return probe
                }
            }
        }
        let compared: [MatcherTest?] = [.startsWith, .endsWith, .contains]
        let texts = open.map { (number: $0.number, leaf: leaves[$0.number]) }
            .filter { compared.contains($0.leaf.test) && !$0.leaf.isOpen }
        return texts.count < 2 ? made : made.filter { Self.isPossible($0, texts) }
    }

    /// What a test can say of a class; `nil` if the value of the probe decides it.
    private static func choices(_ leaf: Leaf, _ probe: Probe, isExact: Bool) -> [Verdict]? {
        guard let value = probe.value else { return nil }
        if leaf.isOpen {
            return leaf.test == nil || leaf.test == .equals
                ? [.match, .different] : [.match, .different, .inapplicable]
        }
        if probe.type == .number {
            switch leaf.test {
            case .time: return [.match, .different, .inapplicable]
            case .lessThan, .atMost, .greaterThan, .atLeast:
                return leaf.argument.doubleValue == nil ? [.match, .different, .inapplicable] : nil
            default: return nil
            }
        }
        guard !isExact else { return nil }
        switch (probe.type, leaf.test) {
        case (.string, .startsWith), (.string, .endsWith), (.string, .matches): return [.match, .different]
        case (.string, .contains): return leaf.argument.stringValue == nil ? nil : [.match, .different]
        case (.string, .json), (.string, .jwt), (.string, .url), (.string, .base64url), (.string, .time),
            (.string, .lessThan), (.string, .atMost), (.string, .greaterThan), (.string, .atLeast):
            return [.match, .different, .inapplicable]
        case (.array, .contains):
            return leaf.argument.isScalar ? [.match, .different] : [.match, .different, .inapplicable]
        case (.array, .unordered): return [.match, .different, .inapplicable]
        case (.array, nil), (.array, .equals):
            return leaf.argument.arrayValue == nil ? nil : [.match, .different, .inapplicable]
        case (.object, nil), (.object, .equals):
            let isEmpty = leaf.test == nil && value.objectValue != nil && leaf.argument.objectValue?.isEmpty == true
            return leaf.argument.objectValue == nil || isEmpty ? nil : [.match, .different, .inapplicable]
        default: return nil
        }
    }

    /// Whether some text can pass and fail these tests as chosen.
    private static func isPossible(_ probe: Probe, _ texts: [(number: Int, leaf: Leaf)]) -> Bool {
        guard probe.type == .string else { return true }
        for (number, one) in texts where probe.choices[number] == .match {
            for (otherNumber, other) in texts where otherNumber != number {
                let isImplied = follows(other, from: one)
                if probe.choices[otherNumber] == .different, isImplied { return false }
                if probe.choices[otherNumber] == .match, one.test == other.test, one.test != .contains, !isImplied,
                    !follows(one, from: other)
                {
                    return false
                }
            }
        }
        return true
    }

    /// Whether each text that passes one test passes another.
    private static func follows(_ other: Leaf, from one: Leaf) -> Bool {
        guard let part = other.argument.stringValue, let whole = one.argument.stringValue else { return false }
        switch (other.test, one.test) {
        case (.contains, _): return ValueTest.holds(whole, part)
        case (.startsWith, .startsWith): return whole.utf8.starts(with: part.utf8)
        case (.endsWith, .endsWith): return whole.utf8.reversed().starts(with: part.utf8.reversed())
        default: return false
        }
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool { arrayValue == nil && objectValue == nil }
}
