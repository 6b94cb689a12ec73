import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import Synchronization
import TenantFiles

/// Everything that happens in one world, in one order: exchanges, what journeys did, messages, refusals and control
/// commands. Bounded; readers ask for what came after a place, or get a sign when it happens.
///
/// Entries are kept as values and become JSON only when somebody looks: writing them down costs a request next to
/// nothing.
final class Journal: Sendable {
    /// What an entry says. Indirect: an exchange takes half a kilobyte, and places in the journal are made in advance.
    indirect enum Content: Sendable {
        case exchange(Exchange)
        case event(AuthorityEvent)
        /// Anything else, under its type.
        case note(type: String, JSONObject)

        /// The entry's type, by which readers filter.
        var type: String {
            switch self {
            case .exchange: "request"
            case .event(let event):
                switch event {
                case .traced: "trace"
                case .message: "message"
                case .refused: "refusal"
                case .notSimulated: "notSimulated"
                }
            case .note(let type, _): type
            }
        }

        /// The one-time code of a message.
        var code: String? {
            guard case .event(.message(let message)) = self, let code = message.code, code.utf8.count >= 4 else {
                return nil
            }
            return code
        }

        /// About how many bytes it keeps.
        var weight: Int {
            // A patch may be as large as a whole tenant.
            if case .note(_, let members) = self { return 500 + JSONWriter.compact(.object(members)).utf8.count }
            guard case .exchange(let exchange) = self else { return 500 }
            let (request, response) = (exchange.request, exchange.response)
            // Bodies may have grown in steps, so that they take more than they are long.
            var bytes = 1500 + request.body.capacity + (response?.body.capacity ?? 0)
            bytes += request.url.path.utf8.count + (request.url.query?.utf8.count ?? 0)
            for headers in [request.headers, response?.headers ?? [:]] {
                for field in headers.fields {
                    // Short texts are within the field, others in memory of their own.
                    let length = field.value.utf8.count
                    bytes += length < 16 ? 32 : 64 + length
                }
            }
            return bytes
        }
    }

    /// One entry with its place.
    struct Entry: Sendable {
        var sequence: Int
        var content: Content
        /// What it counts for in the bound of the journal.
        fileprivate var weight: Int

        /// The whole entry.
        ///
        /// - Parameter classifier: Names the endpoint and policy of an exchange, which nobody needed until now.
        func json(_ classifier: ExchangeClassifier) -> JSONObject {
            var object: JSONObject = ["seq": .integer(Int64(sequence)), "type": .string(content.type)]
            switch content {
            case .exchange(let exchange):
                object["request"] = exchange.classified(by: classifier, namingClient: true).json
            case .event(let event):
                for (name, value) in event.json.members where name != "type" { object[name] = value }
            case .note(_, let members):
                for (name, value) in members.members { object[name] = value }
            }
            return object
        }
    }

    /// Entries after a place.
    struct EntryPage: Sendable {
        var entries: [Entry]
        /// The place after the last of them, to ask from next.
        var next: Int
        /// Whether entries between the place asked for and the first one here are gone already.
        var dropped: Bool
    }

    private struct State {
        var entries: [Entry] = []
        /// Entries before this index are gone.
        var first = 0
        var last = 0
        var weight = 0
        /// The one-time codes that went out, each with the place of its message.
        var codes: [(sequence: Int, code: String)] = []
        var readers: [(id: Int, news: AsyncStream<WakeReason>.Continuation)] = []
        var lastReader = 0
    }

    /// Why a reader looks again.
    enum WakeReason: Sendable {
        case news
        /// Nothing happened for long.
        case silence
    }

    /// At most so many entries are kept.
    static let mostEntries = 20_000
    /// At most so many listen at a time.
    static let mostReaders = 64
    /// Older one-time codes are spent.
    static let mostCodes = 64
    private static let gone = Content.note(type: "", JSONObject())
    private let mostBytes: Int
    private let state = Mutex(State())

    /// - Parameter mostBytes: The oldest entries go when all together keep more.
    init(mostBytes: Int = 12_000_000) {
        self.mostBytes = mostBytes
    }

    /// The place after the newest entry.
    var end: Int { state.withLock { $0.last } }

    /// Writes an entry down and gives a sign to those who listen.
    @discardableResult
    func append(_ content: Content) -> Int {
        let weight = content.weight
        return state.withLock { state in
            state.last += 1
            let entry = Entry(sequence: state.last, content: content, weight: weight)
            state.entries.append(entry)
            state.weight += weight
            if let code = content.code { state.codes.append((entry.sequence, code)) }
            while state.entries.count - state.first > Self.mostEntries
                || state.weight > mostBytes && state.entries.count - state.first > 1
            {
                state.weight -= state.entries[state.first].weight
                // The content goes at once, the array is closed up now and then.
                state.entries[state.first].content = Self.gone
                state.first += 1
            }
            if state.first > 1024, state.first * 2 > state.entries.count {
                state.entries.removeFirst(state.first)
                state.first = 0
                // What is left of the journal needs the codes of its own messages, and the latest of those before them.
                let oldest = state.entries[0].sequence
                let gone = (state.codes.firstIndex { $0.sequence >= oldest } ?? state.codes.count) - Self.mostCodes
                if gone > 0 { state.codes.removeFirst(gone) }
            }
            for reader in state.readers { reader.news.yield(.news) }
            return entry.sequence
        }
    }

    /// The entries after a place, oldest first.
    ///
    /// - Parameter types: Only entries of these types; all when there are none.
    func page(since: Int, limit: Int = 1000, types: [String] = []) -> EntryPage {
        state.withLock { state in
            let living = state.entries[state.first...]
            let oldest = living.first?.sequence ?? state.last + 1
            let since = min(max(0, since), state.last)
            var index = state.first + max(0, since + 1 - oldest)
            var found: [Entry] = []
            var next = since
            while index < state.entries.endIndex, found.count < limit {
                let entry = state.entries[index]
                next = entry.sequence
                if types.isEmpty || types.contains(entry.content.type) { found.append(entry) }
                index += 1
            }
            return EntryPage(entries: found, next: max(next, since), dropped: since + 1 < oldest)
        }
    }

    /// The latest one-time codes that went out up to a place: each is in the traces and requests that follow its message.
    func codes(upTo sequence: Int) -> [String] {
        state.withLock { state in
            let end = state.codes.lastIndex { $0.sequence <= sequence }.map { $0 + 1 } ?? 0
            return state.codes[..<end].suffix(Self.mostCodes).map(\.code)
        }
    }

    /// Signs that something is new, for somebody who reads pages; `nil` if too many listen. A sign that nobody has taken yet
    /// stands for all that follow it.
    func signs() -> (id: Int, stream: AsyncStream<WakeReason>, news: AsyncStream<WakeReason>.Continuation)? {
        let (stream, news) = AsyncStream.makeStream(of: WakeReason.self, bufferingPolicy: .bufferingNewest(1))
        return state.withLock { state in
            guard state.readers.count < Self.mostReaders else { return nil }
            state.lastReader += 1
            state.readers.append((state.lastReader, news))
            return (state.lastReader, stream, news)
        }
    }

    /// Forgets a reader.
    ///
    /// - Returns: Whether others listen.
    func leave(_ id: Int) -> Bool {
        state.withLock { state in
            state.readers.removeAll { $0.id == id }
            return !state.readers.isEmpty
        }
    }

    /// Shows all who listen that nothing more comes: the world is gone.
    func finish() {
        // They leave by themselves once they have read the rest.
        for reader in state.withLock({ $0.readers }) { reader.news.finish() }
    }
}
