import Determinism
import Testing
import TrustFramework

@Suite struct RecentlyUsedTests {
    /// Against a list in which the latest stands last.
    @Test(arguments: 0..<20) func `keeps what was asked for last`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = 1 + random.below(6)
        var kept = RecentlyUsed<Int, String>(limit: limit)
        var model: [(key: Int, value: String)] = []
        for turn in 0..<400 {
            let key = random.below(10)
            let known = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
            if random.below(2) == 0 {
                kept.keep("\(turn)", for: key)
                model.append((key, "\(turn)"))
                if model.count > limit { model.removeFirst() }
            } else {
                #expect(kept.value(key) == known?.value)
                if let known { model.append(known) }
            }
            #expect(kept.count == model.count)
        }
    }

    @Test func `one value is kept in any case`() {
        var kept = RecentlyUsed<String, Int>(limit: 0)
        kept.keep(1, for: "a")
        #expect(kept.value("a") == 1)
        kept.keep(2, for: "b")
        #expect(kept.value("a") == nil && kept.value("b") == 2)
    }

    @Test func `a raised limit keeps more, and a lower one changes nothing`() {
        var kept = RecentlyUsed<Int, Int>(limit: 2)
        for key in 0..<3 { kept.keep(key, for: key) }
        #expect(kept.count == 2 && kept.value(0) == nil)
        kept.allow(4)
        for key in 3..<5 { kept.keep(key, for: key) }
        #expect(kept.count == 4 && kept.value(1) == 1)
        kept.allow(1)
        kept.keep(5, for: 5)
        #expect(kept.count == 4 && kept.value(2) == nil)
        #expect([1, 3, 4, 5].allSatisfy { kept.value($0) == $0 })
    }
}
