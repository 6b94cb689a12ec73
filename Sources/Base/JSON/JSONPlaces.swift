/// Where the values of a text are that jansson has accepted. Any bytes are safe: a search stops at the end of the text.
extension JSONScanner {
    /// Where a value is, and where the name of the member is that holds it; `key` is nil for elements and the root.
    struct Place: Hashable {
        var key: Range<Int>?
        var value: Range<Int>
        /// How many tokens of the pointer lead here: fewer than asked when the rest does not exist.
        var depth: Int
    }

    /// The place of the value at a pointer, or of the nearest value around it that exists.
    func locate(_ tokens: [String]) -> Place {
        var found = JSONChildren.Child(key: nil, value: skipBlanks(start))
        var depth = 0
        for token in tokens {
            guard let next = child(token, at: found.value) else { break }
            found = next
            depth += 1
        }
        let end = (try? endOfValue(found.value)) ?? bytes.count
        return Place(key: found.key, value: found.value..<max(found.value, end), depth: depth)
    }

    private func child(_ token: String, at offset: Int) -> JSONChildren.Child? {
        switch byte(offset) {
        case UInt8(ascii: "{"):
            let wanted = Array(token.utf8)
            var children = JSONChildren(self, at: offset, isObject: true)
            while let child = children.next(), let key = child.key {
                if isKey(key, token, wanted) { return child }
            }
            return nil
        case UInt8(ascii: "["):
            guard var left = JSONPointer.arrayIndex(token) else { return nil }
            var children = JSONChildren(self, at: offset, isObject: false)
            while let child = children.next() {
                if left == 0 { return child }
                left -= 1
            }
            return nil
        default: return nil
        }
    }

    /// Every member whose key stands earlier in the same object: where, the earlier one, and the pointer to it.
    struct Duplicate: Hashable {
        var key: String
        var range: Range<Int>
        var first: Int
        var pointer: JSONPointer
    }

    /// All of them, in the order of the text.
    func duplicates() -> [Duplicate] {
        var visitor = Duplicates(scanner: self)
        _ = walk(&visitor)
        return visitor.found
    }

    private struct Duplicates: JSONVisitor {
        let scanner: JSONScanner
        var found: [Duplicate] = []
        private var trail = JSONTrail()
        /// The keys of each open object or array, by where they are.
        private var seen: [[ExactText: Int]] = []

        init(scanner: JSONScanner) { self.scanner = scanner }

        mutating func open(_ offset: Int) {
            trail.open(isObject: scanner.bytes[offset] == UInt8(ascii: "{"))
            seen.append([:])
        }

        mutating func close(_ offset: Int) {
            trail.close()
            seen.removeLast()
        }

        mutating func comma() { trail.comma() }

        mutating func key(_ range: Range<Int>) {
            let key = scanner.decode(range)
            trail.key(key)
            if let first = seen[seen.count - 1][ExactText(key)] {
                found.append(
                    Duplicate(key: key, range: range, first: first, pointer: JSONPointer(tokens: trail.tokens)))
            } else {
                seen[seen.count - 1][ExactText(key)] = range.lowerBound
            }
        }

        mutating func scalar(_ range: Range<Int>) {}
    }
}

/// The way from the root to where a walk is.
struct JSONTrail {
    private var levels: [(isObject: Bool, key: String, index: Int)] = []

    mutating func open(isObject: Bool) { levels.append((isObject, "", 0)) }
    mutating func close() { levels.removeLast() }
    mutating func comma() { levels[levels.count - 1].index += 1 }
    mutating func key(_ key: String) { levels[levels.count - 1].key = key }

    /// Names and indices; the last one is that of the member or element that the walk is in.
    var tokens: [String] { levels.map { $0.isObject ? $0.key : String($0.index) } }
}
