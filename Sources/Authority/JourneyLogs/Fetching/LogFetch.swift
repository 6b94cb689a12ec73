import AzureSignIn
import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// Fetches the rows of the journey recorder over a query API.
///
/// The service returns 500,000 rows or 64 MB at most (Microsoft docs: query limits), and it may do so in silence. So the rows are
/// counted first and then fetched in windows of time that stay far below these limits. A window whose answer is not whole is
/// divided, and rows that are missing in the end are reported.
public struct LogFetch {
    /// What was fetched.
    public struct Result: Sendable {
        /// The answers as they came, one after the other, for `RecorderLog` and for a file.
        public var bytes: [UInt8] = []
        /// Rows in it.
        public var rows = 0
        /// Rows that the service counted.
        public var counted = 0
        /// How many requests brought them.
        public var requests = 0
        /// What is worth knowing about the answers.
        public var findings: [Diagnostic] = []
    }

    /// Rows and characters of a window at most: below the limits of the service even if each character has four bytes.
    static let mostRows: Int64 = 20_000
    static let mostCharacters: Int64 = 12_000_000
    /// Requests of a fetch at most, and windows that are divided. A log of ``RecorderLog/limit`` needs far fewer.
    private static let mostRequests = 1_000
    private static let mostDivided = 300
    /// Into how many spans a range is divided to count its rows.
    private static let spans: Int64 = 240

    private let source: LogSource
    private let range: LogRange
    private let question: LogQuestion
    private let surroundings: AzureSurroundings
    private var tokens: AzureTokens
    private var sender: AzureSender
    private var token: String?
    /// How many windows were divided.
    private var divided = 0
    private var result = Result()

    /// - Parameters:
    ///   - correlation: The beginning of a correlation id: only rows of such sessions are fetched.
    ///   - policy: Only rows of this policy are fetched.
    public init(
        _ source: LogSource, _ range: LogRange, correlation: String? = nil, policy: String? = nil,
        surroundings: AzureSurroundings
    ) throws(AzureProblem) {
        self.source = source
        self.range = range
        self.surroundings = surroundings
        question = LogQuestion(source: source, correlation: correlation, policy: policy)
        tokens = try AzureTokens(source, surroundings)
        sender = AzureSender(source, surroundings)
    }

    /// Fetches all rows of the range.
    ///
    /// - Throws: ``AzureProblem``, also if the range has no rows.
    public mutating func run() async throws(AzureProblem) -> Result {
        let windows = try await plan()
        for (index, window) in windows.enumerated() {
            if windows.count > 1 { surroundings.say("fetching part \(index + 1) of \(windows.count)") }
            try await fetch(window)
        }
        if result.rows < result.counted {
            result.findings.append(
                Diagnostic(
                    .warning, rule: "B2C-LOG-008",
                    "the service returned \(result.rows) of the \(result.counted) rows that it counted",
                    remedy: "Run the command again, or ask for a shorter time with --since and --until."))
        }
        return result
    }

    // MARK: Windows

    /// The windows in which the rows are fetched.
    private mutating func plan() async throws(AzureProblem) -> [LogRange] {
        let length = (range.until - range.since).milliseconds / 1000
        let seconds = max(1, (length + Self.spans - 1) / Self.spans)
        let answer = try await ask(question.counts(range, seconds: seconds), readsValues: true)
        guard case .answer(let counts, _) = answer else {
            throw tooLarge(range)
        }
        var spans: [(start: Timestamp, rows: Int64, characters: Int64)] = []
        for row in counts.values {
            guard let start = row["Start"]?.stringValue.flatMap({ RecorderTime($0) }),
                let rows = row["Found"]?.intValue,
                rows > 0
            else { continue }
            spans.append((start.timestamp, rows, row["Characters"]?.intValue ?? 0))
        }
        spans.sort { $0.start < $1.start }
        for span in spans {
            let (sum, overflow) = result.counted.addingReportingOverflow(Int(clamping: span.rows))
            result.counted = overflow ? Int.max : sum
        }
        guard result.counted > 0 else { throw nothing() }
        var starts = [range.since]
        var (rows, characters): (Int64, Int64) = (0, 0)
        for span in spans {
            if rows > 0,
                rows.saturated(plus: span.rows) > Self.mostRows
                    || characters.saturated(plus: span.characters) > Self.mostCharacters
            {
                starts.append(max(span.start, range.since))
                (rows, characters) = (0, 0)
            }
            rows = rows.saturated(plus: span.rows)
            characters = characters.saturated(plus: span.characters)
        }
        let ends = starts.dropFirst() + [range.until]
        return zip(starts, ends).map { LogRange(since: $0, until: $1) }
    }

    private func nothing() -> AzureProblem {
        var limits = ""
        if let correlation = question.correlation { limits += " with the correlation id \(correlation)" }
        if let policy = question.policy { limits += " of \(policy)" }
        return AzureProblem(
            .empty, "\(source.shown) has no rows of the journey recorder\(limits) between \(range.shown)",
            remedy: (further.map { "Look further back with --since \($0); rows" } ?? "Rows")
                + " arrive some minutes after the sign-in. Check that the policy has "
                + "UserJourneyRecorderEndpoint and JourneyInsights with the instrumentation key of this resource.")
    }

    /// A beginning that is earlier than the one that was asked for; `nil`: further back there is nothing. A resource keeps
    /// rows for 90 days by default (Microsoft docs: data-retention-configure).
    private var further: String? {
        let length = surroundings.now() - range.since
        return [1, 7, 30, 90].first { TimeSpan.days($0) > length }.map { "\($0)d" }
    }

    private func tooLarge(_ window: LogRange) -> AzureProblem {
        AzureProblem(
            .service,
            "\(source.shown) does not return all rows between \(window.shown): there are too many, or the query takes "
                + "too long",
            remedy: Self.less)
    }

    private static let less =
        "Ask for less with --correlation or --policy, or for a shorter time with --since and --until."

    /// The service goes on and on.
    private func tooMuch(_ limit: String) -> AzureProblem {
        AzureProblem(
            .service,
            "the log of \(source.shown) needs more than \(limit), the limit of a fetch; \(result.rows) of the "
                + "\(result.counted) rows that the service counted were read", remedy: Self.less)
    }

    /// Fetches a window, in halves if its answer would not be whole.
    private mutating func fetch(_ window: LogRange) async throws(AzureProblem) {
        var waiting = [window]
        while let next = waiting.popLast() {
            switch try await ask(question.rows(next), readsValues: false) {
            case .answer(let answer, let body):
                result.rows += answer.rows
                guard result.bytes.count + body.count < RecorderLog.limit else {
                    throw tooMuch("\(RecorderLog.limit >> 20) MB")
                }
                // A window without rows has nothing to read.
                if answer.rows > 0 || result.bytes.isEmpty { result.bytes += body + [0x0A] }
            case .tooLarge:
                guard let halves = next.halves else { throw tooLarge(next) }
                divided += 1
                guard divided <= Self.mostDivided else { throw tooMuch("\(Self.mostDivided) divided windows of time") }
                surroundings.say("too much for one answer: asking for half the time")
                waiting += [halves.1, halves.0]
            }
        }
    }

    // MARK: Requests

    private enum Outcome {
        case answer(LogAnswer, [UInt8])
        /// The answer has a part of the rows, or none: a smaller one would be whole.
        case tooLarge
    }

    private mutating func ask(_ body: JSONValue, readsValues: Bool) async throws(AzureProblem) -> Outcome {
        var isRenewed = false
        var attempts = 0
        while true {
            guard result.requests < Self.mostRequests else { throw tooMuch("\(Self.mostRequests) requests") }
            let bearer = try await bearer()
            result.requests += 1
            let request = RequestMessage.post(
                source.queryURL, json: body,
                headers: ["Authorization": "Bearer \(bearer)", "Accept": "application/json"])
            let response = try await sender.send(request, to: source.shown)
            let isToken = response.status == 401 || LogRefusal.isTokenRefused(response)
            // A token that ended while windows were fetched is renewed once.
            if isToken, !isRenewed, result.requests > 1 {
                isRenewed = true
                token = nil
                continue
            }
            guard response.status == 200 else {
                if LogRefusal.isSize(response) { return .tooLarge }
                throw LogRefusal(response, source, tokens.credential, secrets: sender.secrets).problem
            }
            guard let answer = LogAnswer(response.body, readsValues: readsValues) else {
                throw LogRefusal(response, source, tokens.credential, secrets: sender.secrets).notAnAnswer
            }
            guard let partial = answer.partial else { return .answer(answer, response.body) }
            if partial.isSize { return .tooLarge }
            attempts += 1
            guard attempts < 3 else {
                throw AzureProblem(
                    .service, "\(source.shown) returns a part of the rows only: \(sender.secrets.shown(partial.text))",
                    remedy: "Run the command again later, or ask for a shorter time with --since and --until.")
            }
        }
    }

    private mutating func bearer() async throws(AzureProblem) -> String {
        if let token { return token }
        let new = try await tokens.token(&sender)
        token = new
        return new
    }
}

extension Int64 {
    fileprivate func saturated(plus other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
