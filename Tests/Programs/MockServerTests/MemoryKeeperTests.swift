import Synchronization
import Testing

@testable import MockServerCore

@Suite struct MemoryKeeperTests {
    @Test func `memory is given back once for each pause after something was answered`() {
        var idleness = MemoryKeeper.Idleness()
        let answered = [0, 0, 3, 7, 7, 7, 8, 8, 8]
        let begun = answered.map { idleness.hasBegun(answered: $0) }
        #expect(begun == [false, false, false, false, true, false, false, true, false])
    }

    @Test func `requests are counted`() async throws {
        let stage = try await Stage()
        _ = await stage.send("/health")
        _ = await stage.send("/health")
        #expect(stage.front.answered.load(ordering: .relaxed) == 2)
    }
}
