import Determinism
import Testing

@testable import MockAuthority

@Suite struct TableTests {
    private static let start = Timestamp(seconds: 1000)

    @Test func rowsExpireWhenReadAndWhenSwept() {
        var table = Table<Int, String>(limit: 10)
        table.insert(1, "one", expires: Self.start + .seconds(5))
        table.insert(2, "two", expires: Self.start + .seconds(9))
        #expect(table.row(1, at: Self.start + .seconds(4)) == "one")
        #expect(table.row(1, at: Self.start + .seconds(5)) == nil)
        table.sweep(at: Self.start + .seconds(5))
        #expect(table.count == 1)
        table.sweep(at: Self.start + .seconds(9))
        #expect(table.count == 0)
    }

    @Test func oldestGoesAtTheLimit() {
        var table = Table<Int, Int>(limit: 3)
        for key in 1...5 { table.insert(key, key, expires: Self.start + .hours(1)) }
        #expect(table.keysInOrder() == [3, 4, 5])
    }

    @Test func takenRowsKeepTheirPlace() {
        var table = Table<Int, Int>(limit: 3)
        table.insert(1, 10, expires: Self.start + .hours(1))
        table.insert(2, 20, expires: Self.start + .hours(1))
        let row = table.take(1, at: Self.start)
        #expect(row == 10)
        #expect(table.row(1, at: Self.start) == nil)
        table.putBack(1, 11, expires: Self.start + .hours(2))
        #expect(table.row(1, at: Self.start + .minutes(90)) == 11)
        #expect(table.keysInOrder() == [1, 2])
        // The queue's entry for the old expiry does not take the row away.
        table.sweep(at: Self.start + .minutes(61))
        #expect(table.row(1, at: Self.start + .minutes(61)) == 11)
    }

    /// Against a plain list: whatever is done, the same rows are there in the same order.
    @Test(arguments: 0..<20) func behavesLikeAList(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = Table<Int, Int>(limit: 20)
        var model: [(key: Int, row: Int, expires: Timestamp)] = []
        var now = Self.start
        for step in 0..<2000 {
            let key = random.below(40)
            switch random.below(5) {
            case 0:
                model.removeAll { $0.expires <= now }
                table.sweep(at: now, most: 1000)
                if model.contains(where: { $0.key == key }) { continue }
                let expires = now + .seconds(Int64(1 + random.below(50)))
                if model.count >= 20 { model.removeFirst() }
                model.append((key, step, expires))
                table.insert(key, step, expires: expires)
            case 1:
                model.removeAll { $0.key == key }
                table.remove(key)
            case 2:
                guard let place = model.firstIndex(where: { $0.key == key && $0.expires > now }) else { continue }
                let expires = now + .seconds(Int64(1 + random.below(50)))
                #expect(table.take(key, at: now) == model[place].row)
                model[place].row = step
                model[place].expires = expires
                table.putBack(key, step, expires: expires)
            case 3:
                now += .seconds(Int64(random.below(4)))
            default:
                let wanted = model.first { $0.key == key && $0.expires > now }?.row
                #expect(table.row(key, at: now) == wanted)
            }
        }
        model.removeAll { $0.expires <= now }
        table.sweep(at: now, most: 1000)
        #expect(table.keysInOrder() == model.map(\.key))
    }
}

@Suite struct OpaqueTextTests {
    private let texts = OpaqueText(secret: 0xC0FFEE)

    @Test(arguments: 0..<50) func grantsComeBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let id = random.guid()
        let text = texts.grant(id, header: "eyJraWQiOiJ4In0", ciphertextLength: 540)
        let parts = try #require(texts.parts(ofGrant: text))
        #expect(parts.id == id)
        #expect(parts.header == "eyJraWQiOiJ4In0")
        #expect((880...1500).contains(text.utf8.count))
    }

    @Test(arguments: 0..<50) func cookiesComeBackAndNoAlteredOneDoes(_ seed: UInt64) throws {
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
