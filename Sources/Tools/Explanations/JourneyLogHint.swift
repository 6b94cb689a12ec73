import Diagnostics
import JourneyLogs

/// Recognises a log of the journey recorder among the texts that `b2c explain` is given.
struct JourneyLogHint {
    /// What it is, and the commands that show it.
    let explanation: Explanation
    /// What the journeys failed with, each message in the line of its row, without the values of people's claims. The
    /// rest of a log quotes requests and tokens of all kinds, which would be taken for causes.
    let failures: [UInt8]

    /// `nil` for another text.
    init?(_ bytes: [UInt8], name: String) {
        let head = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
        guard head.contains("Kind"), head.contains("UserJourneyRecorderEndpoint") || head.contains(Self.eventName),
            let log = try? RecorderLog(files: [(name, bytes)])
        else { return nil }
        let file = name == "the standard input" ? "-" : name
        let policies = Set(log.entries.compactMap { $0.policyID ?? log.session($0).policyID }).sorted()
        let count = log.entries.count
        explanation = Explanation(
            title: "a log of the journey recorder",
            facts: [
                ("has", "\(count) \(count == 1 ? "session" : "sessions") of \(namesList(policies, limit: 5))"),
                ("lists them", "b2c policy log \(file)"),
                ("shows one", "b2c policy log \(file) --correlation \(log.entries.first?.correlationID ?? "ID")"),
                ("compares", "add --policies FOLDER: the first difference to what the policy does in the simulator"),
            ])
        failures = Self.failures(of: log)
    }

    private static let eventName = RecorderDimensions.eventPrefix
    /// So many different messages are explained.
    private static let mostFailures = 50

    private static func failures(of log: RecorderLog) -> [UInt8] {
        var mask = LogMask(showsClaims: false)
        var met: Set<String> = []
        var text: [UInt8] = []
        var line = 1
        for entry in log.entries where met.count < mostFailures {
            let session = log.session(entry)
            mask.learn(LoggedSession(session))
            for request in session.requests {
                let messages = messages(of: request.message).filter { met.insert($0).inserted }
                guard !messages.isEmpty else { continue }
                // Rows are not always in the order of their sessions; a line that is behind is not counted back.
                let place = max(line, request.location.line ?? line)
                text += Array(repeating: UInt8(ascii: "\n"), count: place - line)
                line = place
                text += Array(messages.map { mask.masked($0).replacing("\n", with: " ") }.joined(separator: " ").utf8)
            }
        }
        return text
    }

    /// Of the exceptions that ended the request; of those that handlers recorded only where none did.
    private static func messages(of message: RecorderMessage) -> [String] {
        func texts(_ exceptions: [RecorderException]) -> [String] {
            exceptions.flatMap { $0.chain.compactMap(\.message) }
        }
        let fatal = message.clips.compactMap { clip in
            if case .fatalException(let exception, _) = clip { exception } else { nil }
        }
        guard fatal.isEmpty else { return texts(fatal) }
        let hasFailed = message.clips.contains { clip in
            if case .transition(let transition) = clip { transition.isFailure } else { false }
        }
        return hasFailed
            ? texts(
                message.clips.compactMap { clip in
                    if case .handlerResult(let result) = clip { result.exception } else { nil }
                }) : []
    }
}
