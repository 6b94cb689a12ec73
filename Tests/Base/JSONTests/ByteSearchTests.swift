import JSON
import Testing

@Suite struct ByteSearchTests {
    /// Every byte at every place of texts shorter and longer than a word.
    private static let texts: [[UInt8]] = (0..<256).flatMap { byte -> [[UInt8]] in
        (0..<19).map { place in
            var text = [UInt8](repeating: UInt8(ascii: "x"), count: 19)
            text[place] = UInt8(byte)
            return text
        }
    }

    @Test func `capitals are found wherever they stand`() {
        for text in Self.texts {
            let expected = text.contains { (65...90).contains($0) }
            #expect(text.withUnsafeBufferPointer { ByteSearch.hasUppercase($0) } == expected, "\(text)")
        }
        #expect(![UInt8]().withUnsafeBufferPointer { ByteSearch.hasUppercase($0) })
        #expect(!Array("\u{C1}\u{E9}\u{DA}\u{DB}abcdefgh".utf8).withUnsafeBufferPointer { ByteSearch.hasUppercase($0) })
    }

    @Test func `what HTML cannot hold is found wherever it stands`() {
        let special = Set("&<>\"'".utf8)
        for text in Self.texts {
            for start in [0, 1, 8, 19] {
                let expected = text.indices.first { $0 >= start && special.contains(text[$0]) } ?? text.count
                let found = text.withUnsafeBufferPointer { ByteSearch.endOfPlainHTML($0, from: start) }
                #expect(found == expected, "\(text) from \(start)")
            }
        }
        let two = Array("xx<'&xxxxxx".utf8)
        #expect(two.withUnsafeBufferPointer { ByteSearch.endOfPlainHTML($0, from: 0) } == 2)
        #expect(two.withUnsafeBufferPointer { ByteSearch.endOfPlainHTML($0, from: 3) } == 3)
    }
}
