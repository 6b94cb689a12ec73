/// A regular expression of a policy as a tree. The language is .NET's, without what nobody writes in a policy (balancing
/// groups, conditionals, right-to-left); such a construct is an error by name, never read as something else. As in .NET
/// a character is a UTF-16 code unit.
indirect enum TextPatternNode {
    case empty
    case character(UInt32)
    /// `.`
    case any
    case set(CharacterSet)
    case sequence([TextPatternNode])
    case alternatives([TextPatternNode])
    case group(TextPatternNode, index: Int?)
    case atomic(TextPatternNode)
    case look(TextPatternNode, ahead: Bool, negative: Bool)
    case repeated(TextPatternNode, least: Int, most: Int?, lazy: Bool)
    case backReference(Int)
    case anchor(Anchor)
    /// The node under other options.
    case options(PatternOptions, TextPatternNode)

    enum Anchor {
        case start, end, inputStart, inputEnd, inputEndOrNewline, searchStart, boundary, notBoundary
    }

    /// Characters of a class.
    struct CharacterSet {
        var ranges: [ClosedRange<UInt32>] = []
        var classes: [CharacterClass] = []
        var negated = false
        /// `[a-z-[aeiou]]`
        var subtracted: [CharacterSet] = []
    }

    /// `\d`, `\w`, `\s`, `\p{L}` and their opposites.
    struct CharacterClass {
        enum Kind {
            case digit, word, space, category([Unicode.GeneralCategory]), block(ClosedRange<UInt32>)
        }
        var kind: Kind
        var negated: Bool
    }
}

/// `RegexOptions` that a pattern can switch.
struct PatternOptions: Equatable {
    var ignoresCase = false
    var multiline = false
    var dotMatchesNewline = false
    var ignoresSpace = false
    var explicitCapture = false
}

/// Why a regular expression cannot be used.
public struct TextPatternError: Error, Sendable, Hashable {
    public var message: String
    /// Offset in UTF-16 code units.
    public var offset: Int
}

/// Reads a pattern.
struct TextPatternParser {
    private let text: [UInt32]
    private var place = 0
    private var depth = 0
    var groups = 0
    var names: [(name: String, index: Int)] = []
    private var options: PatternOptions
    /// `\k<name>` before its group: checked at the end.
    private var forward: [(name: String, offset: Int)] = []

    init(_ pattern: String, options: PatternOptions) {
        text = pattern.utf16.map(UInt32.init)
        self.options = options
    }

    mutating func parse() throws(TextPatternError) -> TextPatternNode {
        collectNames()
        let node = try alternatives()
        if place < text.count { throw error("unmatched )") }
        return node
    }

    private func error(_ message: String) -> TextPatternError {
        TextPatternError(message: message, offset: place)
    }

    private var next: UInt32? { place < text.count ? text[place] : nil }

    private func at(_ word: String) -> Bool {
        let wanted = word.unicodeScalars.map(\.value)
        return place + wanted.count <= text.count
            && Array(text[place..<(place + wanted.count)]) == wanted
    }

    private mutating func take(_ word: String) -> Bool {
        guard at(word) else { return false }
        place += word.unicodeScalars.count
        return true
    }

    /// Numbers of named groups follow those of the unnamed ones, as in .NET; they are needed before they are met.
    private mutating func collectNames() {
        var unnamed = 0
        var found: [String] = []
        var index = 0
        var inClass = false
        while index < text.count {
            let scalar = text[index]
            if scalar == 92 {
                index += 2
                continue
            }
            if inClass {
                if scalar == 93 { inClass = false }
            } else if scalar == 91 {
                inClass = true
                if index + 1 < text.count, text[index + 1] == 94 { index += 1 }
                if index + 1 < text.count, text[index + 1] == 93 { index += 1 }
            } else if scalar == 40 {
                if index + 1 < text.count, text[index + 1] == 63 {
                    if let name = Self.groupName(text, index + 2) {
                        if !found.contains(name) { found.append(name) }
                    }
                } else if !options.explicitCapture {
                    unnamed += 1
                }
            }
            index += 1
        }
        names = found.enumerated().map { (offset, name) in
            Self.groupNumber(name).map { (name, $0) } ?? (name, unnamed + offset + 1)
        }
        namedTotal = max(names.map(\.index).max() ?? 0, unnamed)
    }

    /// Highest group number there is.
    private(set) var namedTotal = 0

    private static func groupName(_ text: [UInt32], _ start: Int) -> String? {
        guard start < text.count, text[start] == 60 || text[start] == 39 else { return nil }
        let close: UInt32 = text[start] == 60 ? 62 : 39
        guard start + 1 < text.count, text[start + 1] != 61, text[start + 1] != 33 else { return nil }
        guard let end = text[(start + 1)...].firstIndex(of: close) else { return nil }
        let name = Self.string(text[(start + 1)..<end])
        return name.isEmpty || name.contains("-") ? nil : name
    }

    /// The highest number that a group can be given: each number below it has a place in every match.
    private static let mostGroups = 1000

    /// The number that a group's name is; `nil` for a name that is not one.
    private static func groupNumber(_ name: String) -> Int? {
        guard !name.isEmpty, name.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(name) ?? .max, mostGroups + 1)
    }

    private static func string(_ scalars: ArraySlice<UInt32>) -> String {
        String(decoding: scalars.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
    }

    // MARK: Structure

    private mutating func alternatives() throws(TextPatternError) -> TextPatternNode {
        depth += 1
        defer { depth -= 1 }
        if depth > 100 { throw error("groups nested more than 100 deep") }
        let outer = options
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        options = outer
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(TextPatternError) -> TextPatternNode {
        var items: [TextPatternNode] = []
        while let scalar = next, scalar != 124, scalar != 41 {
            if options.ignoresSpace {
                if scalar == 32 || (9...13).contains(scalar) {
                    place += 1
                    continue
                }
                if scalar == 35 {
                    while let scalar = next, scalar != 10 {
                        _ = scalar
                        place += 1
                    }
                    continue
                }
            }
            let before = options
            let atom = try atom()
            guard let atom else { continue }
            let item = try quantified(atom)
            items.append(.options(before, item))
        }
        return items.isEmpty ? .empty : items.count == 1 ? items[0] : .sequence(items)
    }

    private mutating func quantified(_ atom: TextPatternNode) throws(TextPatternError) -> TextPatternNode {
        var node = atom
        var isQuantified = false
        while let (least, most) = quantifier() {
            if isQuantified { throw error("nested quantifier") }
            isQuantified = true
            if let most, least > most { throw error("quantifier with its ends exchanged") }
            node = .repeated(node, least: least, most: most, lazy: take("?"))
        }
        return node
    }

    private mutating func quantifier() -> (Int, Int?)? {
        switch next {
        case 42:
            place += 1
            return (0, nil)
        case 43:
            place += 1
            return (1, nil)
        case 63:
            place += 1
            return (0, 1)
        case 123:
            // Anything else than {n}, {n,} or {n,m} is literal text.
            let start = place
            place += 1
            guard let least = number() else {
                place = start
                return nil
            }
            var most: Int? = least
            if take(",") { most = number() }
            guard take("}") else {
                place = start
                return nil
            }
            return (least, most)
        default: return nil
        }
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = next, (48...57).contains(scalar) {
            value = min((value ?? 0) * 10 + Int(scalar - 48), 1_000_000)
            place += 1
        }
        return value
    }

    /// One atom; `nil` for something that only changes options.
    private mutating func atom() throws(TextPatternError) -> TextPatternNode? {
        guard let scalar = next else { return .empty }
        place += 1
        switch scalar {
        case 94: return .anchor(options.multiline ? .start : .inputStart)
        case 36: return .anchor(options.multiline ? .end : .inputEndOrNewline)
        case 46: return .any
        case 40: return try group()
        case 91: return .set(try set())
        case 92: return try escape()
        case 42, 43, 63: throw error("quantifier with nothing before it")
        default: return .character(scalar)
        }
    }

    private mutating func group() throws(TextPatternError) -> TextPatternNode? {
        guard take("?") else {
            var index: Int?
            if !options.explicitCapture {
                groups += 1
                index = groups
            }
            return .group(try closed(), index: index)
        }
        if take("#") {
            while let scalar = next, scalar != 41 {
                _ = scalar
                place += 1
            }
            guard take(")") else { throw error("comment without end") }
            return nil
        }
        if take(":") { return try closed() }
        if at("(") { throw error("a conditional group (?(...)) is not simulated") }
        if take(">") { return .atomic(try closed()) }
        if take("=") { return .look(try closed(), ahead: true, negative: false) }
        if take("!") { return .look(try closed(), ahead: true, negative: true) }
        if take("<=") { return .look(try closed(), ahead: false, negative: false) }
        if take("<!") { return .look(try closed(), ahead: false, negative: true) }
        if let name = Self.groupName(text, place) {
            if let number = Self.groupNumber(name), number > Self.mostGroups {
                throw error("a group with a number of more than \(Self.mostGroups)")
            }
            place += name.utf16.count + 2
            return .group(try closed(), index: names.first { $0.name == name }?.index)
        }
        return try inlineOptions()
    }

    private mutating func closed() throws(TextPatternError) -> TextPatternNode {
        let node = try alternatives()
        guard take(")") else { throw error("group without end") }
        return node
    }

    /// `(?i)` and `(?i-m:...)`.
    private mutating func inlineOptions() throws(TextPatternError) -> TextPatternNode? {
        var changed = options
        var on = true
        while let scalar = next {
            place += 1
            switch scalar {
            case 45: on = false
            case 105: changed.ignoresCase = on
            case 109: changed.multiline = on
            case 115: changed.dotMatchesNewline = on
            case 120: changed.ignoresSpace = on
            case 110: changed.explicitCapture = on
            case 41:
                options = changed
                return nil
            case 58:
                let outer = options
                options = changed
                let inner = options
                let node = try closed()
                options = outer
                return .options(inner, node)
            case 60, 39:
                throw error(
                    "a balancing group (?<a-b>...) is not simulated, or a group's name is not well formed")
            default: throw error("group construct that .NET does not know")
            }
        }
        throw error("group without end")
    }

    // MARK: Characters

    private mutating func escape() throws(TextPatternError) -> TextPatternNode {
        guard let scalar = next else { throw error("backslash at the end") }
        switch scalar {
        case 98:
            place += 1
            return .anchor(.boundary)
        case 66:
            place += 1
            return .anchor(.notBoundary)
        case 65:
            place += 1
            return .anchor(.inputStart)
        case 90:
            place += 1
            return .anchor(.inputEndOrNewline)
        case 122:
            place += 1
            return .anchor(.inputEnd)
        case 107:
            place += 1
            guard let name = Self.groupName(text, place),
                let group = names.first(where: { $0.name == name })
            else {
                throw error("reference to a group that is not there")
            }
            place += name.utf16.count + 2
            return .backReference(group.index)
        case 49...57:
            let start = place
            let index = number() ?? 0
            if index <= namedTotal { return .backReference(index) }
            if index <= 9 { throw error("reference to a group that is not there") }
            place = start
            return .character(try characterEscape())
        case 71:
            place += 1
            return .anchor(.searchStart)
        default: break
        }
        if let kind = try classEscape() { return .set(TextPatternNode.CharacterSet(classes: [kind])) }
        return .character(try characterEscape())
    }

    /// `\d` and the like, after the backslash.
    private mutating func classEscape() throws(TextPatternError) -> TextPatternNode.CharacterClass? {
        guard let scalar = next else { return nil }
        let kind: TextPatternNode.CharacterClass.Kind
        switch scalar {
        case 100, 68: kind = .digit
        case 119, 87: kind = .word
        case 115, 83: kind = .space
        case 112, 80:
            place += 1
            guard take("{"), let end = text[place...].firstIndex(of: 125) else {
                throw error("\\p without a name")
            }
            let name = Self.string(text[place..<end])
            place = end + 1
            if let block = PatternBlocks.range(name) {
                return .init(kind: .block(block), negated: scalar == 80)
            }
            guard let categories = Self.categories[name] else {
                throw error("\\p{\(name)} is not simulated")
            }
            return .init(kind: .category(categories), negated: scalar == 80)
        default: return nil
        }
        place += 1
        return .init(kind: kind, negated: scalar < 97)
    }

    private mutating func characterEscape() throws(TextPatternError) -> UInt32 {
        guard let scalar = next else { throw error("backslash at the end") }
        place += 1
        switch scalar {
        case 116: return 9
        case 110: return 10
        case 118: return 11
        case 102: return 12
        case 114: return 13
        case 97: return 7
        case 101: return 27
        case 98: return 8
        case 120: return try hexadecimal(2)
        case 117: return try hexadecimal(4)
        case 99:
            guard let control = next, (64...127).contains(control) else {
                throw error("\\c without a letter")
            }
            place += 1
            return control & 31
        case 48...55:
            place -= 1
            return octal() ?? 0
        default:
            if PatternMachine.isWord(scalar) { throw error("escape that .NET does not know") }
            return scalar
        }
    }

    private mutating func hexadecimal(_ digits: Int) throws(TextPatternError) -> UInt32 {
        // `UInt32` would take a sign.
        guard place + digits <= text.count, text[place] != 43, text[place] != 45,
            let value = UInt32(Self.string(text[place..<(place + digits)]), radix: 16)
        else { throw error("\(digits) hexadecimal digits are expected") }
        place += digits
        return value
    }

    private mutating func octal() -> UInt32? {
        var value: UInt32?
        var digits = 0
        while digits < 3, let scalar = next, (48...55).contains(scalar) {
            value = (value ?? 0) * 8 + (scalar - 48)
            digits += 1
            place += 1
        }
        return value
    }

    private mutating func set() throws(TextPatternError) -> TextPatternNode.CharacterSet {
        depth += 1
        defer { depth -= 1 }
        if depth > 100 { throw error("character classes nested more than 100 deep") }
        var set = TextPatternNode.CharacterSet()
        set.negated = take("^")
        var isFirst = true
        while true {
            guard let scalar = next else { throw error("character class without end") }
            if scalar == 93, !isFirst {
                place += 1
                return set
            }
            isFirst = false
            if at("-["), !set.ranges.isEmpty || !set.classes.isEmpty {
                place += 2
                set.subtracted.append(try self.set())
                guard next == 93 else {
                    throw error("a subtraction must be the last part of a character class")
                }
                continue
            }
            place += 1
            var low = scalar
            if scalar == 92 {
                if let kind = try classEscape() {
                    set.classes.append(kind)
                    continue
                }
                low = try characterEscape()
            }
            guard at("-"), place + 1 < text.count, text[place + 1] != 93, text[place + 1] != 91 else {
                set.ranges.append(low...low)
                continue
            }
            place += 1
            var high = text[place]
            place += 1
            if high == 92 {
                if try classEscape() != nil { throw error("a range that ends in a class") }
                high = try characterEscape()
            }
            guard low <= high else { throw error("range with its ends exchanged") }
            set.ranges.append(low...high)
        }
    }

    /// Unicode categories by .NET's names.
    private static let categories: [String: [Unicode.GeneralCategory]] = [
        "L": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter],
        "Lu": [.uppercaseLetter], "Ll": [.lowercaseLetter], "Lt": [.titlecaseLetter],
        "Lm": [.modifierLetter],
        "Lo": [.otherLetter], "M": [.nonspacingMark, .spacingMark, .enclosingMark],
        "Mn": [.nonspacingMark],
        "Mc": [.spacingMark], "Me": [.enclosingMark],
        "N": [.decimalNumber, .letterNumber, .otherNumber],
        "Nd": [.decimalNumber], "Nl": [.letterNumber], "No": [.otherNumber],
        "P": [
            .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation,
            .finalPunctuation, .otherPunctuation,
        ],
        "Pc": [.connectorPunctuation], "Pd": [.dashPunctuation], "Ps": [.openPunctuation],
        "Pe": [.closePunctuation],
        "Pi": [.initialPunctuation], "Pf": [.finalPunctuation], "Po": [.otherPunctuation],
        "S": [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol], "Sm": [.mathSymbol],
        "Sc": [.currencySymbol], "Sk": [.modifierSymbol], "So": [.otherSymbol],
        "Z": [.spaceSeparator, .lineSeparator, .paragraphSeparator], "Zs": [.spaceSeparator],
        "Zl": [.lineSeparator], "Zp": [.paragraphSeparator],
        "C": [.control, .format, .surrogate, .privateUse, .unassigned], "Cc": [.control],
        "Cf": [.format],
        "Co": [.privateUse], "Cn": [.unassigned], "Cs": [.surrogate],
    ]
}
