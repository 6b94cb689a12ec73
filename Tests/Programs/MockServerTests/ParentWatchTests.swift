import Foundation
import HTTPMessages
import Synchronization
import Testing

@testable import MockServerCore

/// The server ends with the process that started it.
@Suite struct ParentWatchTests {
    /// Looks until the parent is another one, and no longer.
    @Test(arguments: [(40, [40, 40, 1]), (1, [1, 1, 7]), (40, [1])] as [(Int32, [Int32])])
    func `the server ends when its parent is another`(first: Int32, looks: [Int32]) async {
        let left = Mutex(looks)
        let rests = Mutex(0)
        let watch = ParentWatch(
            parent: first, current: { left.withLock { $0.isEmpty ? -1 : $0.removeFirst() } },
            rest: { rests.withLock { $0 += 1 } })
        await watch.wait()
        #expect(rests.withLock { $0 } == looks.count - 1)
        #expect(left.withLock { $0.isEmpty })
    }

    /// Ends at the first look that shows the end; `nil`: the starter lives, so that only another parent ends it.
    @Test(
        arguments: [
            // The starter is the parent.
            (40, 40, [], [40, 40, 1], 2), (1, 1, [], [1, 1, 7], 2),
            // It had ended before the first look, and the system's first process or another one has the server.
            (40, 1, [40], [1], 0), (40, 7, [], [7], 0),
            // A program is between the two.
            (40, 50, [40], [50, 50, 1], 2),
        ] as [(Int32, Int32, [Int32], [Int32], Int)])
    func `the server ends when its starter has ended`(
        starter: Int32, parent: Int32, running: [Int32], looks: [Int32], count: Int
    ) async {
        let left = Mutex(looks)
        let rests = Mutex(0)
        let watch = ParentWatch(
            parent: parent, starter: starter, current: { left.withLock { $0.isEmpty ? -1 : $0.removeFirst() } },
            isRunning: { running.contains($0) }, rest: { rests.withLock { $0 += 1 } })
        await watch.wait()
        #expect(rests.withLock { $0 } == count)
    }

    /// The folder of the kits has the certificate authority's key.
    @Test(arguments: [("b2c-1a2B", true, false), ("b2c-1a2B", false, true), ("home", true, true)])
    func `the folder of a starter that has ended is removed, and no other`(
        name: String, hasEnded: Bool, isThere: Bool
    ) throws {
        let above = NSTemporaryDirectory() + "parent-" + UUID().uuidString
        let folder = "\(above)/\(name)"
        defer { try? FileManager.default.removeItem(atPath: above) }
        try FileManager.default.createDirectory(atPath: folder + "/certificates", withIntermediateDirectories: true)
        try Data("key".utf8).write(to: URL(fileURLWithPath: folder + "/certificates/ca.key"))
        let now: Int32 = hasEnded ? 1 : 40
        ParentWatch(parent: 40, starter: 40, folder: folder, current: { now }).cleanUp()
        #expect(FileManager.default.fileExists(atPath: folder) == isThere)
    }

    @Test func `a body that is too large is refused with the limit`() {
        let state = IncomingRequest(
            method: "PUT", scheme: "http", host: "localhost", target: "\(ControlAPI.prefix)/state?x=1", headers: [:],
            body: [],
            peer: "127.0.0.1", isLoopback: true)
        let text = Front.tooLarge(limit: Limits().controlBodySize, for: state)
        #expect(text.status == 413)
        #expect(
            text.text.contains("33554432 bytes (32 MB, about 50000 accounts)") && text.text.contains("--state FILE"))
        var other = state
        other.target = "/x"
        #expect(Front.tooLarge(limit: 5, for: other).text == "the body is larger than 5 bytes\n")
    }
}
