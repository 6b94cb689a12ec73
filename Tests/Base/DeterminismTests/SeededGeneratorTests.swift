import Determinism
import Testing

@Suite struct SeededGeneratorTests {
    /// A seed written down today must draw the same for ever: these values are the contract.
    @Test func `draws are fixed`() {
        var random = SeededGenerator(seed: 1)
        #expect(
            [random.next(), random.next(), random.next()] == [
                17_154_914_556_750_032_435, 15_481_925_071_032_317_162, 3_049_712_571_244_418_729,
            ])
        #expect(random.guid().description == "9af9091d-9f77-4551-8729-2ff4dcac93cc")
        #expect(random.digits(6) == "048411")
        #expect(random.below(1000) == 455)
        #expect(random.bytes(5) == [122, 113, 16, 45, 202])
        #expect(random.shuffled([1, 2, 3, 4, 5, 6]) == [2, 6, 4, 5, 3, 1])
        var stream = SeededGenerator(seed: 1, stream: "authority/journey 3")
        #expect(stream.next() == 8_589_092_662_360_870_745)
    }

    @Test func `streams are paths, and ignore draws`() {
        var random = SeededGenerator(seed: 42)
        let before = random.stream("authority").stream("journey 3")
        _ = random.bytes(100)
        #expect(random.stream("authority").stream("journey 3") == before)
        #expect(SeededGenerator(seed: 42, stream: "authority/journey 3") == before)
        var a = random.stream("a")
        var b = random.stream("b")
        var other = SeededGenerator(seed: 43, stream: "a")
        #expect(Set([a.next(), b.next(), other.next(), random.next()]).count == 4)
    }

    @Test(arguments: [1, 2, 3, 7, 10, 1000])
    func `numbers below a limit are even and in range`(n: Int) {
        var random = SeededGenerator(seed: 7)
        var counts = Array(repeating: 0, count: n)
        for _ in 0..<(n * 1000) { counts[random.below(n)] += 1 }
        #expect(counts.allSatisfy { (800...1200).contains($0) })
    }

    @Test func `edges do not trap`() {
        var random = SeededGenerator(seed: 9)
        #expect(random.below(0) == 0 && random.below(-5) == 0)
        #expect(random.bytes(-1).isEmpty && random.bytes(0).isEmpty && random.bytes(17).count == 17)
        #expect(random.digits(0).isEmpty && random.digits(-2).isEmpty)
        #expect((0..<1000).allSatisfy { _ in (0..<1).contains(random.unit()) })
        let large = random.below(.max)
        #expect(large >= 0)
        #expect(random.shuffled([Int]()).isEmpty)
    }

    @Test func `shuffles reach every order`() {
        var random = SeededGenerator(seed: 11)
        let orders = Set((0..<600).map { _ in random.shuffled([1, 2, 3, 4]) })
        #expect(orders.count == 24)
    }
}
