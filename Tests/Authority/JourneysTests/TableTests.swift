import Determinism
import Testing

@testable import Journeys

@Suite struct TableTests {
    private static let start = Timestamp(seconds: 1000)

    @Test func `rows expire when read and when swept`() {
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

    @Test func `the oldest row goes at the limit`() {
        var table = Table<Int, Int>(limit: 3)
        for key in 1...5 { table.insert(key, key, expires: Self.start + .hours(1)) }
        #expect(table.keysInOrder() == [3, 4, 5])
    }

    @Test func `taken rows keep their place`() {
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
    @Test(arguments: 0..<20) func `a table behaves like a list`(_ seed: UInt64) {
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

    @Test func `a row past its expiry is kept until it is read`() {
        var table = Table<Int, String>(limit: 10)
        table.insert(1, "one", expires: Self.start + .seconds(5))
        #expect(!table.isPast(1, at: Self.start + .seconds(4)) && table.isPast(1, at: Self.start + .seconds(5)))
        #expect(!table.isPast(2, at: Self.start))
        #expect(table.kept(1)?.row == "one")
        let dropped = table.sweep(at: Self.start + .seconds(5))
        #expect(dropped.map(\.row) == ["one"] && !table.isPast(1, at: Self.start + .seconds(5)))
    }

    /// Rows that come and go take no more places than rows that are there at a time.
    @Test(arguments: [1000, 2000]) func `places are used again`(_ rounds: Int) {
        var table = Table<Int, Int>(limit: 1000)
        for key in 0..<rounds {
            table.insert(key, key, expires: Self.start + .seconds(Int64(key)))
            if key >= 50 { table.remove(key - 50) }
        }
        #expect(table.count == 50 && table.slotCount == 51)
        #expect(table.keysInOrder() == Array((rounds - 50)..<rounds))
    }

    /// What a load took comes back when its rows have expired, and the rows that stay are in their order.
    @Test func `places of many rows are freed`() {
        var table = Table<Int, Int>(limit: 10_000)
        for key in 0..<5000 {
            table.insert(key, key, expires: Self.start + (key % 100 == 7 ? .hours(2) : .seconds(Int64(key % 60))))
        }
        for _ in 0..<1000 { table.sweep(at: Self.start + .hours(1)) }
        #expect(table.count == 50 && table.slotCount <= 4 * 50 + 256)
        #expect(table.keysInOrder() == (0..<50).map { 100 * $0 + 7 })
        table.insert(5000, 5000, expires: Self.start + .hours(1))
        let dropped = table.sweep(at: Self.start + .hours(2), most: 100)
        #expect(dropped.map(\.key) == [5000] + (0..<50).map { 100 * $0 + 7 })
        #expect(table.count == 0)
    }

    /// Swift takes the two forms of a letter for equal; what a person typed stays as it is.
    @Test func `texts stay byte for byte`() {
        let (composed, decomposed) = ("Zo\u{eb}", "Zoe\u{308}")
        var texts = Interner<String>()
        var claims = Interner<[ClaimValue]>()
        for text in [composed, decomposed, composed, decomposed] {
            #expect(Array(texts.intern(text).utf8) == Array(text.utf8))
            for value in [ClaimValue.text(text), .list([text])] {
                let kept = claims.intern([value])
                let back = kept[0].text ?? kept[0].listValue?.first
                #expect(back.map { Array($0.utf8) } == Array(text.utf8))
            }
        }
    }

    @Test func `equal values are kept once`() {
        var interner = Interner<[String]>(limit: 2)
        func address(_ list: [String]) -> UnsafeRawPointer? { list.withUnsafeBytes { $0.baseAddress } }
        let first = interner.intern(["a", "b"].map { $0 + "" })
        #expect(address(interner.intern(["a", "b"])) == address(first))
        _ = interner.intern(["c"])
        _ = interner.intern(["d"])
        // The third value made it forget the others: what is handed out afterwards is equal and new.
        let later = interner.intern(["a", "b"].map { $0 + "" })
        #expect(later == first && address(later) != address(first))
    }
}
