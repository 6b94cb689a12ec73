import JSON
import Synchronization

/// Journal entries as server-sent events (WHATWG HTML, section 9.2).
enum EventStream {
    /// Between two signs of life on a silent stream, so that a reader that is gone is noticed.
    static let silence = Duration.seconds(15)

    /// One event. Compact JSON has no line ends, so one data line is enough.
    static func bytes(id: Int, type: String, data: JSONValue) -> [UInt8] {
        var bytes = Array("id: \(id)\nevent: \(type)\ndata: ".utf8)
        bytes += JSONWriter.compactBytes(data)
        bytes += [10, 10]
        return bytes
    }

    /// The bytes of a stream: how long a reader should wait before it comes again, then the entries after a place and each
    /// new one, and a comment when nothing happens for long. `nil` if too many listen already.
    ///
    /// Nothing is made before the reader takes it: one that is slow or gone costs nothing. Entries that leave the journal
    /// before a slow reader gets to them are lost to it.
    static func chunks(_ world: ServerWorld, since: Int, showsSecrets: Bool) -> AsyncStream<[UInt8]>? {
        guard let signs = world.journal.signs() else { return nil }
        let reader = EventReader(world: world, since: since, showsSecrets: showsSecrets, signs: signs)
        return AsyncStream { await reader.next() }
    }
}

/// Somebody who reads the journal of a world as a stream. It leaves when nobody holds it any more.
private final class EventReader: Sendable {
    /// So many entries are masked and sent at a time.
    private static let most = 32

    private let world: ServerWorld
    private let showsSecrets: Bool
    private let id: Int
    private let signs: AsyncStream<Journal.WakeReason>
    private let pulse: Task<Void, Never>
    /// The place that was read up to, and whether the first piece went out.
    private let state: Mutex<(place: Int, hasBegun: Bool)>

    init(
        world: ServerWorld, since: Int, showsSecrets: Bool,
        signs: (id: Int, stream: AsyncStream<Journal.WakeReason>, news: AsyncStream<Journal.WakeReason>.Continuation)
    ) {
        self.world = world
        // A reader may come back from a server that has begun again since.
        state = Mutex((min(since, world.journal.end), false))
        self.showsSecrets = showsSecrets
        id = signs.id
        self.signs = signs.stream
        let news = signs.news
        pulse = Task {
            while !Task.isCancelled {
                do { try await Task.sleep(for: EventStream.silence) } catch { return }
                news.yield(.silence)
            }
        }
    }

    deinit {
        pulse.cancel()
        if !world.journal.leave(id) { world.shown.clear() }
    }

    /// The next piece; `nil` when the world or the reader is gone.
    func next() async -> [UInt8]? {
        let (from, hasBegun) = state.withLock { state in
            defer { state.hasBegun = true }
            return state
        }
        guard hasBegun else { return Array("retry: 1000\n\n".utf8) }
        var isOver = false
        while !Task.isCancelled {
            let page = world.journal.page(since: from, limit: Self.most)
            if !page.entries.isEmpty {
                state.withLock { $0.place = page.next }
                return await world.shown.events(page.entries, of: world, showsSecrets: showsSecrets)
            }
            if isOver { return nil }
            var iterator = signs.makeAsyncIterator()
            switch await iterator.next() {
            case nil: isOver = true
            case .news: continue
            case .silence: if world.journal.end <= from { return Array(": still here\n\n".utf8) }
            }
        }
        return nil
    }
}

/// The entries of a journal as events without secrets: each is masked once, for all readers, and kept as long as somebody
/// reads.
final class ShownEntries: Sendable {
    private struct State {
        var events: [Int: [UInt8]] = [:]
        /// The places of what is kept, the first made first.
        var order: [Int] = []
        var first = 0
        var weight = 0
    }

    /// The first made go when all together have more bytes.
    private let mostBytes: Int
    private let state = Mutex(State())

    init(mostBytes: Int = 32_000_000) {
        self.mostBytes = mostBytes
    }

    /// How many entries were masked so far.
    var masked: Int { count.withLock { $0 } }
    private let count = Mutex(0)

    /// The events of entries that follow one another.
    func events(_ entries: [Journal.Entry], of world: ServerWorld, showsSecrets: Bool) async -> [UInt8] {
        if !showsSecrets, let kept = kept(entries) { return kept }
        return await ControlMask.aside { [self] in
            // Another reader may have asked for the same in the meantime.
            if !showsSecrets, let kept = kept(entries) { return kept }
            return made(entries, of: world, showsSecrets: showsSecrets)
        }
    }

    /// Forgets everything.
    func clear() { state.withLock { $0 = State() } }

    private func kept(_ entries: [Journal.Entry]) -> [UInt8]? {
        state.withLock { state in
            var bytes: [UInt8] = []
            for entry in entries {
                guard let event = state.events[entry.sequence] else { return nil }
                bytes += event
            }
            return bytes
        }
    }

    private func made(_ entries: [Journal.Entry], of world: ServerWorld, showsSecrets: Bool) -> [UInt8] {
        let known = state.withLock { state in entries.map { state.events[$0.sequence] } }
        let new = zip(entries, known).filter { $0.1 == nil }.map(\.0)
        var values = new.map { JSONValue.object($0.json(world.classifier)) }
        if !showsSecrets, let last = new.last {
            let codes = world.journal.codes(upTo: last.sequence)
            values = ControlMask.masked(.array(values), world.tenant.tenant, codes: codes).arrayValue ?? []
            count.withLock { $0 += values.count }
        }
        var made: [Int: [UInt8]] = [:]
        for (entry, value) in zip(new, values) {
            made[entry.sequence] = EventStream.bytes(id: entry.sequence, type: entry.content.type, data: value)
        }
        if !showsSecrets { keep(new.map(\.sequence), made) }
        return zip(entries, known).flatMap { $0.1 ?? made[$0.0.sequence] ?? [] }
    }

    private func keep(_ order: [Int], _ events: [Int: [UInt8]]) {
        state.withLock { state in
            for sequence in order where state.events[sequence] == nil {
                guard let event = events[sequence] else { continue }
                state.events[sequence] = event
                state.order.append(sequence)
                state.weight += event.count
            }
            while state.weight > mostBytes, state.first < state.order.count {
                state.weight -= state.events.removeValue(forKey: state.order[state.first])?.count ?? 0
                state.first += 1
            }
            if state.first > 1024, state.first * 2 > state.order.count {
                state.order.removeFirst(state.first)
                state.first = 0
            }
        }
    }
}
