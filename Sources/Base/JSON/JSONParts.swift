/// Finds the parts of a large JSON text without reading it whole into values: of an archive of a browser or a log of
/// 100 MB only one entry at a time is in memory.
package struct JSONParts {
    private let scanner: JSONScanner
    /// Where the text turned out not to be JSON, or to end too early.
    package private(set) var fault: Int?

    package init(_ bytes: [UInt8]) {
        scanner = JSONScanner(bytes)
    }

    /// Where the text begins behind a byte order mark, which HAR 1.2 allows.
    package var start: Int { scanner.start }

    package func afterSpace(_ offset: Int) -> Int { scanner.skipBlanks(offset) }

    /// The members of the object at an offset: names as they are written, with the ranges of their values, up to the end of
    /// the object or to a fault.
    package mutating func members(at offset: Int, _ visit: (String, Range<Int>) -> Void) {
        var children = JSONChildren(scanner, at: offset, isObject: true)
        while let child = children.next(), let key = child.key {
            // What is there of a value that is cut off is worth reading all the same.
            visit(
                String(decoding: scanner.bytes[key].dropFirst().dropLast(), as: UTF8.self),
                child.value..<(children.endOfValue() ?? scanner.bytes.count))
        }
        fault = children.fault ?? fault
    }

    /// The ranges of the elements of the array at an offset, up to its end or to a fault.
    package mutating func elements(at offset: Int, _ visit: (Range<Int>) -> Void) {
        var children = JSONChildren(scanner, at: offset, isObject: false)
        while let child = children.next(), let end = children.endOfValue() { visit(child.value..<end) }
        fault = children.fault ?? fault
    }

    /// The end of the value that begins at an offset; `nil` where that is a fault.
    package mutating func endOfValue(at offset: Int) -> Int? {
        do throws(JSONScanner.Break) {
            return try scanner.endOfValue(offset)
        } catch {
            fault = error.offset
            return nil
        }
    }
}
