import Testing

@testable import Diagnosis

/// A text that ends in twice as many dots takes twice the work.
struct TrailingDotsTests {
    private final class Reads {
        var count = 0
    }

    /// Bytes that count how often one is read.
    private struct CountedBytes: BidirectionalCollection {
        let bytes: [UInt8]
        let reads: Reads
        var startIndex: Int { bytes.startIndex }
        var endIndex: Int { bytes.endIndex }
        func index(after index: Int) -> Int { index + 1 }
        func index(before index: Int) -> Int { index - 1 }
        subscript(index: Int) -> UInt8 {
            reads.count += 1
            return bytes[index]
        }
    }

    @Test(arguments: [
        ("", 0), (".", 1), ("...", 3), ("a", 0), ("a.", 1), (".a", 0), ("a.b..", 2), ("e\u{301}..", 2),
    ])
    func `dots at the end are counted`(_ row: (text: String, dots: Int)) {
        #expect(TokenFacts.dots(atEndOf: row.text.utf8) == row.dots)
    }

    @Test func `many dots take linear work`() {
        func steps(_ count: Int) -> Int {
            let bytes = CountedBytes(bytes: Array(("eyJ" + String(repeating: ".", count: count)).utf8), reads: Reads())
            #expect(TokenFacts.dots(atEndOf: bytes) == count)
            return bytes.reads.count
        }
        let few = steps(1000)
        #expect(few > 1000)
        #expect(steps(2000) < few * 21 / 10)
    }
}
