import Capture
import Determinism
import Exchanges
import HTTPMessages
import JSON
import JourneyLogs
import TrustFramework

/// Stand-ins for values that a capture and a log of the same sign-in have: that of the capture's files where it has the value,
/// else one in the same form.
struct JoinedStandIns {
    private var captured: CaptureImport.StandIns
    private var log: LogStandIns

    /// - Parameters:
    ///   - policies: Those that ran. Values that they contain stay as they are.
    ///   - stories: The sessions whose texts are written.
    init(_ captured: CaptureImport.StandIns, policies: [ResolvedPolicy], stories: [LoggedSession]) {
        self.captured = captured
        log = LogStandIns(policies, of: stories)
    }

    /// The stand-in of a claim's value; of lists and objects that of each text in them.
    mutating func replaced(_ value: JSONValue, of claim: String) -> JSONValue {
        value.mappingLeaves(of: claim) { value, claim in
            value.stringValue.map { .string(replaced($0, of: claim)) } ?? log.replaced(value)
        }
    }

    private mutating func replaced(_ text: String, of claim: String) -> String {
        if log.isConstant(text) { return text }
        if let known = captured.standIn(text, of: claim) { return known }
        // A short number, such as a count, is about nobody.
        if text.count < 5, text.allSatisfy(\.isNumber) { return text }
        if text.contains("@") || GUID(text) != nil { return captured.replaced(in: text) }
        return log.replaced(text)
    }

    /// A message or an address with stand-ins for the values in it.
    mutating func replaced(in text: String) -> String { log.replaced(in: captured.replaced(in: text)) }

    /// A path whose segments have stand-ins.
    mutating func replaced(inPath path: String) -> String {
        var segments: [String] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            let text = PercentCoding.decode(String(segment), plusIsSpace: false)
            let shown = replaced(in: text)
            segments.append(shown == text ? String(segment) : PercentCoding.encodeComponent(shown))
        }
        return segments.joined(separator: "/")
    }

    /// Whether a claim holds what no file may have.
    static func isSecret(_ claim: String, _ value: JSONValue) -> Bool {
        if LogMask.isSecret(claim) || claim.lowercased().contains("nonce") { return true }
        guard let text = value.stringValue else { return false }
        return text == "***" || text.isEmpty || text.hasPrefix("eyJ")
    }
}
