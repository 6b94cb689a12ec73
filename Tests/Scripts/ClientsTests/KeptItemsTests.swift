import Determinism
import Testing

@testable import Clients

/// The lists of the cache behave like plain arrays, and finding, adding and removing cost the same in a longer list.
struct KeptItemsTests {
    struct Entry: KeptItem {
        var key: String
        var homeAccountID: String
        var value = 0
    }

    private static func kept(_ entries: [Entry]) -> KeptItems<Entry> {
        var items = KeptItems<Entry>()
        for entry in entries { items.put(entry) }
        return items
    }

    /// What is done to the letters `a` to `f`, each an item of the account of its place modulo 2, and what is left.
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var left: String
        var change: @Sendable (inout KeptItems<Entry>) -> Void

        init(_ name: String, _ left: String, _ change: @escaping @Sendable (inout KeptItems<Entry>) -> Void) {
            testDescription = name
            self.left = left
            self.change = change
        }
    }

    static let cases: [Case] = [
        Case("nothing", "abcdef") { _ in },
        Case("an unknown key", "abcdef") { $0.remove("x") },
        Case("a gap in front", "bcdef") { $0.remove("a") },
        Case("a gap inside", "abdef") { $0.remove("c") },
        Case("a gap at the end", "abcde") { $0.remove("f") },
        Case("more gaps than items", "bf") { items in for key in ["c", "d", "a", "e"] { items.remove(key) } },
        Case("an account", "bdf") { $0.remove(of: "0") { _ in true } },
        Case("some of an account", "abdef") { $0.remove(of: "0") { $0.key == "c" } },
        Case("an unknown account", "abcdef") { $0.remove(of: "7") { _ in true } },
        Case("all", "") { items in for key in ["a", "b", "c", "d", "e", "f"] { items.remove(key) } },
        Case("removed and put again", "bcdefa") { items in
            items.remove("a")
            items.put(Entry(key: "a", homeAccountID: "0"))
        },
        Case("another account takes a key", "abcdef") { items in
            items.put(Entry(key: "c", homeAccountID: "1"))
            items.put(Entry(key: "c", homeAccountID: "0"))
        },
    ]

    @Test(arguments: cases)
    func `gaps do not count`(_ row: Case) {
        let entries = "abcdef".enumerated().map { Entry(key: String($0.element), homeAccountID: "\($0.offset % 2)") }
        var items = Self.kept(entries)
        row.change(&items)
        #expect(items.map(\.key).joined() == row.left)
        let fresh = Self.kept(row.left.compactMap { letter in entries.first { $0.key == String(letter) } })
        #expect(items == fresh && items.hashValue == fresh.hashValue)
        #expect(items.items(of: "0") == fresh.items(of: "0") && items.items(of: "1") == fresh.items(of: "1"))
    }

    @Test(arguments: 0..<10)
    func `a list behaves like an array`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var items = KeptItems<Entry>()
        var model: [Entry] = []
        // Some seeds keep the list short, so that it is often packed.
        let keys = 4 + random.below(20)
        for step in 0..<400 {
            let key = "k\(random.below(keys))"
            let home = "h\(random.below(5))"
            switch random.below(4) {
            case 0, 1:
                let entry = Entry(key: key, homeAccountID: home, value: step)
                if let place = model.firstIndex(where: { $0.key == key }) {
                    model[place] = entry
                } else {
                    model.append(entry)
                }
                items.put(entry)
            case 2:
                let isThere = model.contains { $0.key == key }
                model.removeAll { $0.key == key }
                #expect(items.remove(key) == isThere)
            default:
                let parity = random.below(2)
                let gone = model.filter { $0.homeAccountID == home && $0.value % 2 == parity }
                model.removeAll { $0.homeAccountID == home && $0.value % 2 == parity }
                #expect(items.remove(of: home) { $0.value % 2 == parity } == gone)
            }
            #expect(Array(items) == model)
            #expect(items.count == model.count && items.isEmpty == model.isEmpty)
            #expect(items[key] == model.first { $0.key == key })
            #expect(items.items(of: home) == model.filter { $0.homeAccountID == home })
            #expect(items.last { $0.homeAccountID == home } == model.last { $0.homeAccountID == home })
            guard step % 8 == 0 else { continue }
            let fresh = Self.kept(model)
            #expect(items == fresh && items.hashValue == fresh.hashValue)
            if model.count > 1 { #expect(items != Self.kept(model.reversed())) }
        }
    }

    @Test func `twice the items take twice the work`() {
        func steps(_ count: Int) -> Int {
            let counter = OperationCounter()
            OperationCounter.$current.withValue(counter) {
                var items = KeptItems<Entry>()
                for index in 0..<count { items.put(Entry(key: "k\(index)", homeAccountID: "h\(index / 2)")) }
                for index in 0..<count {
                    items.put(Entry(key: "k\(index)", homeAccountID: "h\(index / 2)", value: 1))
                    #expect(items["k\(index)"]?.value == 1)
                    #expect(items.items(of: "h\(index / 2)").count == 2)
                    #expect(items.last { $0.value <= 1 } != nil)
                }
                #expect(items.map(\.value) == Array(repeating: 1, count: count))
                // From the front, with a look at what is first and last each time.
                for index in 0..<count / 2 {
                    items.remove("k\(index)")
                    #expect(items.first { $0.value == 1 }?.key == "k\(index + 1)")
                }
                // From the end.
                for index in (count / 2 + 1..<count).reversed() {
                    items.remove(of: "h\(index / 2)") { $0.key == "k\(index)" }
                    #expect(items.last { $0.value == 1 }?.key == "k\(index - 1)")
                }
                #expect(items.map(\.key) == ["k\(count / 2)"])
            }
            return counter.total()
        }
        let few = steps(200)
        let many = steps(400)
        #expect(few > 200)
        #expect(many < few * 21 / 10)
    }
}
