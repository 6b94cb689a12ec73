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

    /// One class of values.
    private struct Probe {
        var type: MatcherReach.Types
        /// A value of the class; `nil` for an absent one.
        var value: JSONValue?
        /// The size that `$length` sees; `nil` for that of `value`.
        var length: Int64?
        /// What tests say of the class that `value` does not decide.
        var choices: [JSONValue: Verdict] = [:]
    }

    private let matcher: JSONValue
    private let leaves: [Leaf]
    private let probes: [Probe]

    /// - Returns: `nil` if the matcher has too many tests, or a test or word that is not known.
    init?(_ matcher: JSONValue, _ domain: Domain) {
        var leaves: [Leaf] = []
        guard Self.collect(matcher, &leaves) else { return nil }
        self.matcher = matcher
        self.leaves = leaves
        guard let probes = Self.probes(leaves, domain) else { return nil }
        self.probes = probes
    }

    /// No value passes.
    var holdsNever: Bool { probes.allSatisfy { verdict(of: matcher, $0) != .match } }

    /// Every value that is present passes, of the types that the matcher applies to. Tests of presence and type alone say
    /// something.
    var holdsAlways: Bool {
        let namesType = leaves.contains { $0.test == .type }
        let namesNull = leaves.contains { ($0.test == nil || $0.test == .equals) && $0.argument.isNull }
        guard leaves.contains(where: { $0.test != .exists }) else { return false }
        var applicable: MatcherReach.Types = []
        for probe in probes where verdict(of: matcher, probe) != .inapplicable { applicable.formUnion(probe.type) }
        let relevant = probes.filter { probe in
            if probe.type == .absent { return false }
            if probe.type == .null, !namesNull, !namesType { return false }
            return namesType || applicable.contains(probe.type)
        }
        return !relevant.isEmpty && relevant.allSatisfy { verdict(of: matcher, $0) == .match }
    }

    /// The parts of `$any` and `$all` that decide nothing: of two equal ones the later.
    var idleParts: [IdlePart] {
        var found: [IdlePart] = []
        idleParts(of: matcher, at: .root, &found)
        return found
    }

    private func idleParts(of part: JSONValue, at pointer: JSONPointer, _ found: inout [IdlePart]) {
        guard case .object(let object) = part else { return }
        for (name, argument) in object.members {
            let inside = pointer.appending(name)
            switch MatcherTest(rawValue: name) {
            case .not: idleParts(of: argument, at: inside, &found)
            case .any, .all:
                guard let test = MatcherTest(rawValue: name), let parts = argument.arrayValue else { continue }
                let idle = idlePart(among: parts.count, at: inside)
                if let idle { found.append(IdlePart(pointer: inside.appending(idle), test: test)) }
                for (index, part) in parts.enumerated() where index != idle {
                    idleParts(of: part, at: inside.appending(index), &found)
                }
            default: continue
            }
        }
    }

    private func idlePart(among count: Int, at pointer: JSONPointer) -> Int? {
        guard count > 1 else { return nil }
        let passed = probes.map { verdict(of: matcher, $0) == .match }
        return (0..<count).reversed().first { index in
            var without = matcher
            without.set(nil, at: pointer.appending(index))
            return zip(probes, passed).allSatisfy { (verdict(of: without, $0) == .match) == $1 }
        }
    }

    // MARK: Verdicts

    private func verdict(of matcher: JSONValue, _ probe: Probe) -> Verdict {
        guard case .object(let object) = matcher, !object.isEmpty else { return verdict(of: Self.leaf(matcher), probe) }
        var parts: [Verdict] = []
        for (name, argument) in object.members {
            switch MatcherTest(rawValue: name) {
            case .not: parts.append(Self.negation(verdict(of: argument, probe)))
            case .all: parts.append(Self.all((argument.arrayValue ?? []).map { verdict(of: $0, probe) }))
            case .any: parts.append(Self.any((argument.arrayValue ?? []).map { verdict(of: $0, probe) }))
            case let test?: parts.append(verdict(of: Self.leaf(test, argument), probe))
            case nil: continue
            }
        }
        if let tested = Self.members(object) { parts.append(verdict(of: tested, probe)) }
        return Self.all(parts)
    }

    private func verdict(of leaf: Leaf, _ probe: Probe) -> Verdict {
        if let chosen = probe.choices[leaf.matcher] { return chosen }
        if leaf.test == .length, let length = probe.length {
            return Verdict(Matcher.mismatches(.integer(length), expected: leaf.argument))
        }
        return Verdict(Matcher.mismatches(probe.value, expected: leaf.matcher))
    }

    private static func negation(_ verdict: Verdict) -> Verdict {
        switch verdict {
        case .match: .different
        case .different: .match
        case .inapplicable: .inapplicable
        }
    }

    private static func all(_ parts: [Verdict]) -> Verdict {
        if parts.contains(.different) { return .different }
        return parts.contains(.inapplicable) ? .inapplicable : .match
    }

    private static func any(_ parts: [Verdict]) -> Verdict {
        if parts.contains(.match) { return .match }
        return parts.contains(.inapplicable) ? .inapplicable : .different
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

    /// False if there is a test that is not known.
    private static func collect(_ matcher: JSONValue, _ leaves: inout [Leaf]) -> Bool {
        func add(_ leaf: Leaf) {
            if !leaves.contains(where: { $0.matcher == leaf.matcher }) { leaves.append(leaf) }
        }
        guard case .object(let object) = matcher, !object.isEmpty else {
            add(leaf(matcher))
            return true
        }
        for (name, argument) in object.members where name.hasPrefix("$") && name != MatcherTest.times {
            guard let test = MatcherTest(rawValue: name) else { return false }
            switch test {
            case .not: guard collect(argument, &leaves) else { return false }
            case .all, .any:
                guard let parts = argument.arrayValue else { return false }
                for part in parts { guard collect(part, &leaves) else { return false } }
            default: add(leaf(test, argument))
            }
        }
        if let tested = members(object) { add(tested) }
        return true
    }

    // MARK: Classes

    private static let mostProbes = 4096
    private static let otherText = "\u{F8FF}\u{F8FE}"
    private static let otherNumber = 0.618_033

    private static func probes(_ leaves: [Leaf], _ domain: Domain) -> [Probe]? {
        var probes: [Probe] = []
        func add(_ type: MatcherReach.Types, _ value: JSONValue?, isExact: Bool = true, lengths: [Int64?] = [nil])
            -> Bool
        {
            for length in lengths {
                let made = vary(Probe(type: type, value: value, length: length), leaves, isExact: isExact)
                guard let made, probes.count + made.count <= mostProbes else { return false }
                probes += made
            }
            return true
        }
        let lengths = Self.lengths(leaves)
        let constants = leaves.filter { !$0.isOpen && ($0.test == nil || $0.test == .equals) }.map(\.argument)
        // A word that does not exist has a finding of its own.
        guard domain.words.map({ words in constants.compactMap(\.stringValue).allSatisfy(words.contains) }) ?? true
        else { return nil }
        if domain.types.contains(.string) {
            for text in domain.words ?? constants.compactMap(\.stringValue) {
                guard add(.string, .string(text)) else { return nil }
            }
            if domain.words == nil {
                guard add(.string, .string(otherText), isExact: false, lengths: lengths) else { return nil }
            }
        }
        if domain.types.contains(.number) {
            for number in numbers(leaves, domain.numbers) { guard add(.number, number) else { return nil } }
        }
        if domain.types.contains(.boolean) {
            guard add(.boolean, .bool(true)), add(.boolean, .bool(false)) else { return nil }
        }
        if domain.types.contains(.array) {
            guard add(.array, .array([.string(otherText)]), isExact: false, lengths: lengths) else { return nil }
        }
        if domain.types.contains(.object) {
            let other = JSONValue.object(JSONObject([(otherText, .integer(1))]))
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
    private static func vary(_ probe: Probe, _ leaves: [Leaf], isExact: Bool) -> [Probe]? {
        var open: [(leaf: Leaf, verdicts: [Verdict])] = []
        var count = 1
        for leaf in leaves {
            guard let verdicts = choices(leaf, probe, isExact: isExact) else { continue }
            open.append((leaf, verdicts))
            count *= verdicts.count
            guard count <= mostProbes else { return nil }
        }
        var made = [probe]
        for (leaf, verdicts) in open {
            made = made.flatMap { probe in
                verdicts.map { verdict in
                    var probe = probe
                    probe.choices[leaf.matcher] = verdict
                    return probe
                }
            }
        }
        let compared: [MatcherTest?] = [.startsWith, .endsWith, .contains]
        let texts = open.map(\.leaf).filter { compared.contains($0.test) && !$0.isOpen }
        return texts.count < 2 ? made : made.filter { isPossible($0, texts) }
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
    private static func isPossible(_ probe: Probe, _ texts: [Leaf]) -> Bool {
        guard probe.type == .string else { return true }
        for one in texts where probe.choices[one.matcher] == .match {
            for other in texts where other.matcher != one.matcher {
                let isImplied = follows(other, from: one)
                if probe.choices[other.matcher] == .different, isImplied { return false }
                if probe.choices[other.matcher] == .match, one.test == other.test, one.test != .contains, !isImplied,
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
