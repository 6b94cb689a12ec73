import JSON

/// A REST stub in the text of a problem: JSON to paste, as `"rest": {...}` at the end.
package enum StubText {
    private static let start = "\"rest\": "

    /// The masked text of a problem with a stub that still matches the call when somebody pastes it.
    ///
    /// A label such as `<password of ada>` is not what the policy sends. Where a member of `match` is masked, the stub
    /// asks for what comes before the label, or only that the member is there.
    ///
    /// - Parameters:
    ///   - masked: The text with labels in place of secrets.
    ///   - original: The text as it was.
    package static func usable(_ masked: String, original: String) -> String {
        guard masked != original, let place = masked.firstRange(of: start),
            let before = original.firstRange(of: start),
            let shown = try? JSONParser.parse(String(masked[place.upperBound...])),
            let sent = try? JSONParser.parse(String(original[before.upperBound...]))
        else { return masked }
        return masked[..<place.upperBound] + JSONWriter.compact(matching(shown, sent))
    }

    private static func matching(_ shown: JSONValue, _ sent: JSONValue) -> JSONValue {
        switch (shown, sent) {
        case (.object(let shown), .object(let sent)) where shown.count == sent.count:
            var result = JSONObject()
            for (member, other) in zip(shown.members, sent.members) {
                result.append(member.key, matching(member.value, other.value))
            }
            return .object(result)
        case (.array(let shown), .array(let sent)) where shown.count == sent.count:
            return .array(zip(shown, sent).map { matching($0, $1) })
        case (.string(let shown), .string(let sent)) where shown != sent:
            let start = String(zip(shown, sent).prefix { $0 == $1 }.map(\.0))
            return start.isEmpty ? ["$exists": true] : ["$startsWith": .string(start)]
        case _ where shown != sent:
            return ["$exists": true]
        default:
            return shown
        }
    }
}
