import Determinism
import Testing

@testable import MockAuthority

@Suite struct OpaqueTextTests {
    private let texts = OpaqueText(secret: 0xC0FFEE)

    @Test(arguments: 0..<50) func `grants come back`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let id = random.guid()
        let text = texts.grant(id, header: "eyJraWQiOiJ4In0", ciphertextLength: 540)
        let parts = try #require(texts.parts(ofGrant: text))
        #expect(parts.id == id)
        #expect(parts.header == "eyJraWQiOiJ4In0")
        #expect((880...1500).contains(text.utf8.count))
    }

    @Test(arguments: 0..<50) func `cookies come back, and no altered one does`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let id = random.guid()
        let round = random.below(1000)
        let text = texts.cookie(id, round: round)
        let read = try #require(texts.read(cookie: text))
        #expect(read.id == id)
        #expect(read.round == round)
        var bytes = Array(text.utf8)
        let place = random.below(bytes.count)
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(texts.read(cookie: String(decoding: bytes, as: UTF8.self)) == nil)
        #expect(OpaqueText(secret: 1).read(cookie: text) == nil)
    }
}
