import B2CProtocol
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import JourneyLogs
import Reports
import TrustFramework

/// A session of a log, with stand-ins for personal data, as it is shown.
package struct LogView {
    package let correlation: String
    package let session: LogSession
    package let story: LoggedSession
    package let mask: LogMask
    /// `person 1`; `nil` if no claim identifies a person.
    package let person: String?

    package init(
        correlation: String, session: LogSession, story: LoggedSession, mask: LogMask, person: String?
    ) {
        self.correlation = correlation
        self.session = session
        self.story = story
        self.mask = mask
        self.person = person
    }

    /// Story and trace in the form of `b2c policy trace`.
    package var outcome: JSONValue { mask.masked(story.outcome) }

    package var end: (word: String, error: String?, text: String) { Self.end(story, mask) }

    /// For `--format json`.
    package var record: JSONObject {
        [
            "correlationId": .string(correlation),
            "policy": session.policyID.map { .string($0) } ?? .null,
            "person": person.map { .string($0) } ?? .null, "end": .string(end.word),
            "errors": .array(story.raised.map(record)), "trace": outcome["trace"] ?? [],
        ]
    }

    private func record(_ raised: LoggedSession.Raised) -> JSONValue {
        [
            "step": .integer(Int64(raised.step)), "element": raised.element.map { .string($0) } ?? .null,
            "message": .string(mask.masked(raised.text)), "handled": .bool(raised.isHandled),
            "causes": .array(raised.exception.texts.dropFirst().map { .string(mask.masked($0)) }),
        ]
    }

    /// For `--format text`.
    package func text(_ style: Style) -> String {
        var text =
            (correlation.isEmpty ? "a session without an id" : "session \(correlation)")
            + " of \(session.policyID ?? "a policy without a name"), \(person ?? "nobody"), "
            + "\(session.requests.count) \(session.requests.count == 1 ? "request" : "requests")\n"
        text += TraceText(style: style).text(TraceModel(outcome: outcome))
        for raised in story.raised {
            let message = mask.masked(raised.text)
            let place = raised.element.map { " in \($0)" } ?? ""
            text +=
                "\(raised.isHandled ? "message" : style.heading("error")) at step \(raised.step)\(place): "
                + "\(VisibleText.of(message, keeping: []))\n"
            for cause in raised.exception.texts.dropFirst() {
                text += "  cause  \(VisibleText.of(mask.masked(cause), keeping: []))\n"
            }
            if let code = AADB2C.firstCode(in: message), let known = B2CErrorCode.named(code) {
                text += "  means  \(known.meaning)\n  do     \(known.remedy)\n"
            }
        }
        return text + "end: \(VisibleText.of(end.text, keeping: []))\n"
    }

    /// For `--html`.
    package func page(of files: String, difference: JSONValue? = nil) -> String {
        var page = TraceHTML(
            title: "\(session.policyID ?? "policy"), \(correlation)",
            facts: [("log", files), ("person", person ?? "nobody"), ("end", end.text)], failure: end.error
        )
        page.difference = difference
        return page.text(outcome, version: ToolVersion.text)
    }

    package static func end(_ story: LoggedSession, _ mask: LogMask) -> (word: String, error: String?, text: String) {
        switch story.end {
        case .token: return ("token", nil, "token")
        case .waiting: return ("waiting", nil, "waits for the person")
        case .unknown: return ("unknown", nil, "not known: the log breaks off")
        case .error(let message):
            let line = message.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
            let shown = mask.masked(line)
            return ("error", shown, "error: \(shown)")
        }
    }
}
