import Synchronization

/// Reads the object literals that a page's scripts assign to known names.
///
/// A hosted page says what it is in `var SETTINGS = {...};` and its like. Most are JSON, but some captured pages write
/// JavaScript: bare keys, single quotes, functions as values. Members that only a JavaScript engine could evaluate are
/// left out (in arrays they are `null`); nothing is ever executed.
public enum LooseScript {
    /// Literals read before, by the name they are assigned to: the texts of a page are the same at every showing.
    private static let known = Mutex<[String: [(literal: [UInt8], value: JSONValue)]]>([:])
    /// The most literals kept for a name, and the longest one.
    private static let knownLimit = 4
    private static let longestKnown = 16_384
    private static let mostNames = 16

    /// The values assigned to `names` inside the `script` elements of a page; a text without such an element is taken
    /// for a script as a whole. Of several assignments to a name the first that is a literal counts; a name that is
    /// assigned no literal is absent.
    ///
    /// - Parameter recurring: Those of the names whose literals are likely to come again: what a few of them were found
    ///   to be is kept.
    public static func assignments(
        in html: String, names: [String], recurring: [String] = []
    ) -> [String: JSONValue] {
        var html = html
        return html.withUTF8 { assignments(in: $0, names: names, recurring: recurring) }
    }

    /// The same in the bytes of a page.
    public static func assignments(
        in html: [UInt8], names: [String], recurring: [String] = []
    ) -> [String: JSONValue] {
        html.withUnsafeBufferPointer { assignments(in: $0, names: names, recurring: recurring) }
    }

    private static func assignments(
        in bytes: UnsafeBufferPointer<UInt8>, names: [String], recurring: [String]
    ) -> [String: JSONValue] {
        let wanted = names.map { Wanted(name: $0, utf8: Array($0.utf8), recurs: recurring.contains($0)) }
            .filter { !$0.utf8.isEmpty }
        var found: [String: JSONValue] = [:]
        for region in scripts(in: bytes) where found.count < wanted.count {
            search(bytes, in: region, for: wanted, into: &found)
        }
        return found
    }

    private struct Wanted {
        var name: String
        var utf8: [UInt8]
        var recurs: Bool
    }

    private static func search(
        _ bytes: UnsafeBufferPointer<UInt8>, in region: Range<Int>, for wanted: [Wanted],
        into found: inout [String: JSONValue]
    ) {
        // A page has thousands of words; the length and the first letter exclude nearly all.
        var lengths = Array(repeating: 0 as UInt64, count: 256)
        for name in wanted { lengths[Int(name.utf8[0])] |= 1 << UInt64(min(name.utf8.count, 63)) }
        var offset = region.lowerBound
        while offset < region.upperBound, found.count < wanted.count {
            guard LooseReader.isIdentifier(bytes[offset]) else {
                offset += 1
                continue
            }
            let start = offset
            while offset < region.upperBound, LooseReader.isIdentifier(bytes[offset]) { offset += 1 }
            guard lengths[Int(bytes[start])] & 1 << UInt64(min(offset - start, 63)) != 0,
                let name = wanted.first(where: {
                    UnsafeBufferPointer(rebasing: bytes[start..<offset]).elementsEqual($0.utf8)
                }),
                found[name.name] == nil
            else { continue }
            var reader = LooseReader(bytes, at: offset, end: region.upperBound)
            if let value = name.recurs ? reader.assigned(orKnown: name.name) : reader.assigned() {
                found[name.name] = value
                offset = reader.offset
            }
        }
    }

    /// The value of a literal that was read before and stands here again, and its length. An object ends at its own
    /// brace, so that what follows makes no difference.
    static func known(
        _ name: String, in bytes: UnsafeBufferPointer<UInt8>, at offset: Int, end: Int
    ) -> (value: JSONValue, length: Int)? {
        known.withLock { known in
            for entry in known[name] ?? [] where offset + entry.literal.count <= end {
                let here = UnsafeBufferPointer(rebasing: bytes[offset..<offset + entry.literal.count])
                if entry.literal.withUnsafeBufferPointer({ ByteSearch.areEqual($0, here) }) {
                    return (entry.value, entry.literal.count)
                }
            }
            return nil
        }
    }

    /// Keeps the value of a literal, and drops the oldest of the name.
    static func keep(_ value: JSONValue, of literal: UnsafeBufferPointer<UInt8>, as name: String) {
        guard literal.count <= longestKnown else { return }
        known.withLock { known in
            guard known[name] != nil || known.count < mostNames else { return }
            if known[name, default: []].count >= knownLimit { known[name]?.removeFirst() }
            known[name, default: []].append((Array(literal), value))
        }
    }

    /// The text between `<script ...>` and `</script`.
    private static func scripts(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var regions: [Range<Int>] = []
        var hasElement = false
        var offset = 0
        while true {
            offset = ByteSearch.offset(of: UInt8(ascii: "<"), in: bytes, from: offset)
            guard offset < bytes.count else { break }
            guard follows(bytes, offset + 1, "script") else {
                offset += 1
                continue
            }
            hasElement = true
            let close = ByteSearch.offset(of: UInt8(ascii: ">"), in: bytes, from: offset + 7)
            let begin = min(close + 1, bytes.count)
            var end = ByteSearch.offset(of: UInt8(ascii: "<"), in: bytes, from: begin)
            while end < bytes.count, !follows(bytes, end + 1, "/script") {
                end = ByteSearch.offset(of: UInt8(ascii: "<"), in: bytes, from: end + 1)
            }
            regions.append(begin..<end)
            offset = max(end, offset + 1)
        }
        return hasElement ? regions : [0..<bytes.count]
    }

    private static func follows(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ word: StaticString) -> Bool {
        guard start + word.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            let byte = bytes[start + index]
            let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            if lower != word.utf8Start[index] { return false }
        }
        return true
    }
}
