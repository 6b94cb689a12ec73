import Determinism
import Testing

@Suite struct GUIDTests {
    @Test func `a GUID is read and written`() throws {
        let guid = try #require(GUID("A3E25DDA-0371-43d8-8fd9-5ab94c244d53"))
        #expect(guid.description == "a3e25dda-0371-43d8-8fd9-5ab94c244d53")
        #expect(guid.uppercase == "A3E25DDA-0371-43D8-8FD9-5AB94C244D53")
        #expect(guid.bytes.prefix(5) == [0xa3, 0xe2, 0x5d, 0xda, 0x03])
        #expect(GUID(bytes: guid.bytes) == guid)
        // The order a B2C cache cookie's name is made from.
        #expect(
            guid.dotNetBytes == [
                0xda, 0x5d, 0xe2, 0xa3, 0x71, 0x03, 0xd8, 0x43, 0x8f, 0xd9, 0x5a, 0xb9, 0x4c, 0x24, 0x4d, 0x53,
            ])
    }

    /// Each digit in turn at each place, beside the standard library's own digits.
    @Test func `writes every digit at every place`() {
        for place in 0..<32 {
            for digit in UInt64(0)..<16 {
                let bits = digit << UInt64(60 - place % 16 * 4)
                let guid = GUID(high: place < 16 ? bits : 0, low: place < 16 ? 0 : bits)
                var digits = [Character](repeating: "0", count: 32)
                digits[place] = Character(String(digit, radix: 16))
                let plain = guid.description.filter { $0 != "-" }
                #expect(plain == String(digits))
                #expect(guid.uppercase == guid.description.uppercased())
                #expect(GUID(guid.description) == guid)
            }
        }
    }

    @Test(arguments: [
        "", "a3e25dda037143d88fd95ab94c244d53", "{a3e25dda-0371-43d8-8fd9-5ab94c244d53}",
        "a3e25dda-0371-43d8-8fd9-5ab94c244d5", "a3e25dda-0371-43d8-8fd9-5ab94c244d533",
        "g3e25dda-0371-43d8-8fd9-5ab94c244d53", "a3e25dda-0371-43d8-8fd95-ab94c244d53",
    ])
    func `other texts are refused`(text: String) {
        #expect(GUID(text) == nil)
    }

    @Test func `derived GUIDs are stable and differ`() {
        #expect(GUID.derived(from: "contoso").description == "ab886a31-82f5-4555-9a66-8eb09938c5f5")
        var seen: Set<GUID> = []
        for n in 0..<20_000 {
            let guid = GUID.derived(from: "user \(n)")
            #expect(guid.bytes[6] >> 4 == 4 && guid.bytes[8] >> 6 == 2)
            seen.insert(guid)
        }
        #expect(seen.count == 20_000)
    }

    @Test func `the order is that of the text`() {
        var random = SeededGenerator(seed: 5)
        let guids = (0..<200).map { _ in random.guid() }
        #expect(guids.sorted().map(\.description) == guids.map(\.description).sorted())
    }
}
