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
    private var root: Entry
    /// Members and elements, those of one container side by side.
    private var entries: [Entry] = []
    /// Names of large objects to places in `entries`, by where their members begin.
    private var names: [Int: [String: Int]] = [:]
    /// Entries looked at so far: what questions cost.
    private(set) var steps = 0

    /// Reads the whole text.
    init(_ scanner: JSONScanner) {
        struct Level {
            var entry: Entry
            var children: [Entry] = []
        }
        self.scanner = scanner
        var offset = scanner.skipBlanks(scanner.start)
        root = Entry(key: 0..<0, value: offset..<offset)
        var levels: [Level] = []
        var key = 0..<0
        var expectsKey = false
        func close(_ entry: Entry) {
            if levels.isEmpty { root = entry } else { levels[levels.count - 1].children.append(entry) }
            key = 0..<0
        }
        while offset < scanner.bytes.count {
            switch scanner.bytes[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                expectsKey = scanner.bytes[offset] == UInt8(ascii: "{")
                levels.append(Level(entry: Entry(key: key, value: offset..<offset, isObject: expectsKey)))
                key = 0..<0
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                offset += 1
                expectsKey = false
                guard var level = levels.popLast() else { continue }
                level.entry.value = level.entry.value.lowerBound..<offset
                level.entry.children = entries.count..<(entries.count + level.children.count)
                entries += level.children
                close(level.entry)
            case UInt8(ascii: ","):
                expectsKey = levels.last?.entry.isObject ?? false
                offset += 1
            case UInt8(ascii: "\"") where expectsKey:
                key = offset..<scanner.skipString(offset)
                offset = key.upperBound
                expectsKey = false
            case 0...0x20, UInt8(ascii: ":"):
                offset += 1
            default:
                let end = max(scanner.skipValue(offset), offset + 1)
                close(Entry(key: key, value: offset..<end))
                offset = end
            }
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
