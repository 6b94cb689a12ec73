/// The places of all values of a text that jansson has accepted, found in one pass: for texts of which many places are
/// asked, where a walk from the front for each would take quadratic time.
struct PlaceIndex {
    private struct Entry {
        /// The name of the member, quotes included; empty for elements and the root.
        var key: Range<Int>
        var value: Range<Int>
        /// The range of the members or elements in `entries`; empty for other values.
        var children = 0..<0
        var isObject = false
    }

    /// Larger objects get an index of their names at the first question.
    private static let linearLimit = 32

    private let scanner: JSONScanner
    private let root: Entry
    /// Members and elements, those of one container side by side.
    private let entries: [Entry]
    /// Names of large objects to places in `entries`, by where their members begin.
    private var names: [Int: [String: Int]] = [:]
    /// Entries looked at so far: what questions cost.
    private(set) var steps = 0

    /// Reads the whole text.
    init(_ scanner: JSONScanner) {
        var builder = Builder(scanner: scanner)
        _ = scanner.walk(&builder)
        self.scanner = scanner
        root = builder.root
        entries = builder.entries
    }

    private struct Builder: JSONVisitor {
        let scanner: JSONScanner
        var root: Entry
        var entries: [Entry] = []
        private var levels: [(entry: Entry, children: [Entry])] = []
        private var key = 0..<0

        init(scanner: JSONScanner) {
            self.scanner = scanner
            let start = scanner.skipBlanks(scanner.start)
            root = Entry(key: 0..<0, value: start..<start)
        }

        mutating func open(_ offset: Int) {
            let isObject = scanner.bytes[offset] == UInt8(ascii: "{")
            levels.append((Entry(key: key, value: offset..<offset, isObject: isObject), []))
            key = 0..<0
        }

        mutating func close(_ offset: Int) {
            var level = levels.removeLast()
            level.entry.value = level.entry.value.lowerBound..<offset
            level.entry.children = entries.count..<(entries.count + level.children.count)
            entries += level.children
            add(level.entry)
        }

        mutating func key(_ range: Range<Int>) { key = range }

        mutating func scalar(_ range: Range<Int>) { add(Entry(key: key, value: range)) }

        private mutating func add(_ entry: Entry) {
            if levels.isEmpty { root = entry } else { levels[levels.count - 1].children.append(entry) }
            key = 0..<0
        }
    }

    /// The place of the value at a pointer, or of the nearest value around it that exists.
    mutating func locate(_ tokens: [String]) -> JSONScanner.Place {
        var entry = root
        var depth = 0
        for token in tokens {
            guard let next = child(token, of: entry) else { break }
            entry = entries[next]
            depth += 1
        }
        return JSONScanner.Place(key: entry.key.isEmpty ? nil : entry.key, value: entry.value, depth: depth)
    }

    private mutating func child(_ token: String, of entry: Entry) -> Int? {
        guard entry.isObject else {
            steps += 1
            guard let index = JSONPointer.arrayIndex(token), index < entry.children.count else { return nil }
            return entry.children.lowerBound + index
        }
        guard entry.children.count > Self.linearLimit else {
            let wanted = Array(token.utf8)
            steps += entry.children.count
            return entry.children.first { scanner.isKey(entries[$0].key, token, wanted) }
        }
        let begin = entry.children.lowerBound
        if names[begin] == nil {
            steps += entry.children.count
            names[begin] = Dictionary(
                entry.children.map { (scanner.decode(entries[$0].key), $0) }, uniquingKeysWith: { first, _ in first })
        }
        steps += 1
        return names[begin]?[token]
    }
}
