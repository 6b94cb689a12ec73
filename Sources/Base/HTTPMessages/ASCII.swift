import JSON

extension String {
    /// A to Z in lower case, all else as it is: what hosts, schemes and field names are compared by. The standard
    /// library's `lowercased()` also folds letters outside ASCII, which the protocols do not.
    public var asciiLowercased: String {
        var text = self
        guard text.withUTF8({ ByteSearch.hasUppercase($0) }) else { return self }
        return String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Equality that ignores the case of A to Z.
    public func equalsIgnoringASCIICase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (own, their) = (self, other)
        if own.withUTF8({ own in their.withUTF8 { ByteSearch.areEqual(own, $0) } }) { return true }
        var left = utf8.makeIterator()
        var right = other.utf8.makeIterator()
        while let a = left.next(), let b = right.next() {
            guard a == b || ((65...90).contains(a & 0xdf) && a | 0x20 == b | 0x20) else { return false }
        }
        return true
    }

    /// Without spaces and tabs at either end: the optional white space of HTTP fields.
    var trimmedOptionalWhitespace: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { $0 != 32 && $0 != 9 }),
            let last = bytes.lastIndex(where: { $0 != 32 && $0 != 9 })
        else { return "" }
        if first == bytes.startIndex, bytes.index(after: last) == bytes.endIndex { return self }
        return String(self[first...last])
    }
}
