/// Reads the object literals that a page's scripts assign to known names.
///
/// A hosted page says what it is in `var SETTINGS = {...};` and its like. Most are JSON, but some captured pages write
/// JavaScript: bare keys, single quotes, functions as values. Members that only a JavaScript engine could evaluate are
/// left out (in arrays they are `null`); nothing is ever executed.
public enum LooseScript {
    /// The values assigned to `names` inside the `script` elements of a page; a text without such an element is taken
    /// for a script as a whole. Of several assignments to a name the first that is a literal counts; a name that is
    /// assigned no literal is absent.
    public static func assignments(in html: String, names: [String]) -> [String: JSONValue] {
        var html = html
        return html.withUTF8 { assignments(in: $0, names: names) }
    }

    /// The same in the bytes of a page.
    public static func assignments(in html: [UInt8], names: [String]) -> [String: JSONValue] {
        html.withUnsafeBufferPointer { assignments(in: $0, names: names) }
    }

    private static func assignments(in bytes: UnsafeBufferPointer<UInt8>, names: [String]) -> [String: JSONValue] {
        let wanted = names.map { (name: $0, utf8: Array($0.utf8)) }.filter { !$0.utf8.isEmpty }
        var found: [String: JSONValue] = [:]
        for region in scripts(in: bytes) where found.count < wanted.count {
            search(bytes, region, wanted, &found)
        }
        return found
    }

    private static func search(
        _ bytes: UnsafeBufferPointer<UInt8>, _ region: Range<Int>, _ wanted: [(name: String, utf8: [UInt8])],
        _ found: inout [String: JSONValue]
    ) {
        // A page has thousands of words; nearly all are turned away by their length and first letter.
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
                })?.name,
                found[name] == nil
            else { continue }
            var reader = LooseReader(bytes, at: offset, end: region.upperBound)
            if let value = reader.assigned() {
                found[name] = value
                offset = reader.offset
            }
        }
    }

    /// What stands between `<script ...>` and `</script`.
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
