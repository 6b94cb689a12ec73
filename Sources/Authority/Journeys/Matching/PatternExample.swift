extension TextPattern {
    /// Texts that a pattern matches, the plainest first. Each was tried on the pattern: what a look-ahead or an anchor
    /// excludes is not among them. Empty where the pattern cannot be read, or where none of the usual ways leads to one.
    public static func examples(of pattern: String, ignoresCase: Bool = false) -> [String] {
        var parser = TextPatternParser(pattern, options: PatternOptions(ignoresCase: ignoresCase))
        guard let tree = try? parser.parse(), let matcher = try? TextPattern(pattern, ignoresCase: ignoresCase) else {
            return []
        }
        var examples: [String] = []
        for branch in 0..<3 {
            for repeats in [3, 0, 7, 1, 11] {
                for alphabet in PatternExample.alphabets {
                    var writer = PatternExample(alphabet: alphabet, repeats: repeats, branch: branch)
                    writer.write(tree)
                    let text = Self.string(writer.text[...])
                    if !text.isEmpty, !examples.contains(text), matcher.matches(text) { examples.append(text) }
                }
            }
        }
        return examples
    }
}

/// Writes a text along the tree of a pattern. It takes the same way at each choice, so that a few of them, tried on the
/// pattern afterwards, are enough for what people write in policies.
private struct PatternExample {
    /// What is written where a class allows it: letters, digits, capitals, and a mixture for rules that want some of each.
    static let alphabets: [[UInt32]] = [
        "abcdefghijkmnpqrstuvwxyz", "2079460135", "ABCDEFGHJKLMNPQRSTUVWXYZ", "aB3!cD4#eF5$gH6%",
    ]
    .map { text in text.unicodeScalars.map(\.value) }

    private static let longest = 256
    /// Nodes that are visited at most: repetitions of nothing cost time too.
    private static let mostWork = 4_000

    let alphabet: [UInt32]
    /// How often beyond the least something is repeated, as far as the pattern allows.
    let repeats: Int
    /// Which alternative is taken.
    let branch: Int
    private(set) var text: [UInt32] = []
    private var groups: [Int: [UInt32]] = [:]
    private var turn = 0
    private var work = 0

    init(alphabet: [UInt32], repeats: Int, branch: Int) {
        self.alphabet = alphabet
        self.repeats = repeats
        self.branch = branch
    }

    mutating func write(_ node: TextPatternNode) {
        work += 1
        guard text.count < Self.longest, work < Self.mostWork else { return }
        switch node {
        case .empty, .anchor, .look: break
        case .character(let character): text.append(character)
        case .any: put { _ in true }
        case .set(let set):
            let set = TextPatternProgram.set(set)
            put(set.contains, besides: set.ranges.map(\.lowerBound))
        case .sequence(let nodes): for node in nodes { write(node) }
        case .alternatives(let nodes): if !nodes.isEmpty { write(nodes[branch % nodes.count]) }
        case .group(let node, let index):
            let start = text.count
            write(node)
            if let index { groups[index] = Array(text[start...]) }
        case .atomic(let node), .options(_, let node): write(node)
        case .repeated(let node, let least, let most, _):
            let (wanted, isTooMany) = least.addingReportingOverflow(repeats)
            let count = min(isTooMany ? least : wanted, most ?? Int.max, Self.longest)
            for _ in 0..<max(0, count) { write(node) }
        case .backReference(let index): text += groups[index] ?? []
        }
    }

    /// The next character of the alphabet that is allowed, else any other.
    private mutating func put(_ isAllowed: (UInt32) -> Bool, besides others: [UInt32] = []) {
        for offset in alphabet.indices {
            let character = alphabet[(turn + offset) % alphabet.count]
            guard isAllowed(character) else { continue }
            turn = (turn + offset + 1) % alphabet.count
            text.append(character)
            return
        }
        let rest = Array(UInt32(97)...122) + Array(48...57) + Array(65...90) + Array(33...126) + [32] + others
        if let character = rest.first(where: isAllowed) { text.append(character) }
    }
}
