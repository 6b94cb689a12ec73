import Diagnostics
import JourneyLogs

/// Recognises a log of the journey recorder among the texts that `b2c explain` is given.
enum JourneyLogHint {
    /// What it is, and the command that shows it; empty for another text.
    static func explanations(_ bytes: [UInt8], name: String) -> [Explanation] {
        let head = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
        guard head.contains("Kind"), head.contains("UserJourneyRecorderEndpoint") || head.contains(eventName),
            let log = try? RecorderLog(files: [(name, bytes)])
        else { return [] }
        let file = name == "the standard input" ? "-" : name
        let policies = Set(log.entries.compactMap { $0.policyID ?? log.session($0).policyID }).sorted()
        let count = log.entries.count
        return [
            Explanation(
                title: "a log of the journey recorder",
                facts: [
                    ("has", "\(count) \(count == 1 ? "session" : "sessions") of \(namesList(policies, limit: 5))"),
                    ("lists them", "b2c policy log \(file)"),
                    ("shows one", "b2c policy log \(file) --correlation \(log.entries.first?.correlationID ?? "ID")"),
                    (
                        "compares",
                        "add --policies FOLDER: the first difference to what the policy does in the simulator"
                    ),
                ])
        ]
    }

    private static let eventName = RecorderDimensions.eventPrefix
}
