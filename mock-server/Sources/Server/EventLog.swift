import MockAuthority
import Synchronization

/// The newest events of a world's authority, in order: traces, messages, refusals with their reasons.
final class EventLog: Sendable {
    /// An event and its number. Numbers count from 1 in the order of what happened.
    struct Entry: Sendable {
        let number: Int
        let event: AuthorityEvent
    }

    /// Events kept.
    static let limit = 4_000

    private let entries = Mutex<[Entry]>([])
    private let watchers = Mutex<[Int: AsyncStream<Entry>.Continuation]>([:])
    private let nextWatcher = Mutex(0)

    init() {}

    /// Puts down events of which the first has this number, counted from 0.
    func append(first: Int, _ events: [AuthorityEvent]) {
        guard !events.isEmpty else { return }
        let new = events.enumerated().map { Entry(number: first + $0.offset + 1, event: $0.element) }
        entries.withLock { entries in
            let wasLast = entries.last?.number ?? 0
            entries += new
            // Two who took events at the same time may come here in either order.
            if first < wasLast { entries.sort { $0.number < $1.number } }
            if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit + Self.limit / 8) }
        }
        watchers.withLock { watchers in
            for watcher in watchers.values { for entry in new { watcher.yield(entry) } }
        }
    }

    /// The events behind a number that are still kept.
    func entries(since number: Int) -> [Entry] {
        entries.withLock { entries in entries.filter { $0.number > number } }
    }

    /// Number of the newest event; 0 when there was none.
    var last: Int { entries.withLock { $0.last?.number ?? 0 } }

    /// Events as they happen, until whoever reads stops. A reader who is slow misses the oldest.
    func stream() -> AsyncStream<Entry> {
        let id = nextWatcher.withLock { next in
            next += 1
            return next
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Entry.self, bufferingPolicy: .bufferingNewest(1_000))
        watchers.withLock { $0[id] = continuation }
        continuation.onTermination = { [weak self] _ in
            self?.watchers.withLock { $0[id] = nil }
        }
        return stream
    }

    /// Ends the streams of all readers.
    func close() {
        let open = watchers.withLock { watchers in
            defer { watchers = [:] }
            return Array(watchers.values)
        }
        for continuation in open { continuation.finish() }
    }
}
