import Diagnostics
import JSON

/// A text with which the service refused an upload, received or pasted, split into its errors.
///
/// The service writes `Validation failed: N validation error(s) found in policy "P" of tenant "T".` and the errors behind
/// it without anything between them. The portal prints the list twice. Graph wraps the text in JSON.
public struct ServiceRefusalText: Hashable, Sendable {
    /// One error of the text.
    public struct Item: Hashable, Sendable {
        /// The error as the service wrote it.
        public var text: String
        /// The rules that it is about; empty if the text is not known.
        public var rules: [String]
        /// What is in quotes in it: ids, orders, values. The policy and the tenant are not among them.
        public var names: [String]
    }

    /// The policy that was refused, as the text writes it: a heading has it in upper case. A text without a heading may
    /// not name it; set it if you know it, so that its file and its parents are searched.
    public var policy: String?
    /// The tenant that the text names.
    public var tenant: String?
    /// The errors, each once.
    public var items: [Item]
    /// Whether the text has the heading `Validation failed: N validation error(s)`.
    public var hasHeading: Bool

    /// Reads a text. Only its first 256 KB are read.
    ///
    /// - Returns: `nil` if the text has no heading and no error that is known.
    public init?(_ text: String) {
        let bytes = text.utf8.prefix(Self.limit)
        let plain = Self.plain(Self.message(in: String(decoding: bytes, as: UTF8.self), depth: 0))
        let parts = Self.parts(plain)
        hasHeading = parts.contains { $0.count != nil }
        var texts: [String] = []
        var seen: Set<String> = []
        for part in parts where part.count != nil || !hasHeading {
            for text in Self.split(part.text, count: part.count) where seen.insert(Self.folded(text)).inserted {
                texts.append(text)
            }
        }
        let heading = parts.first { $0.policy != nil }
        policy = heading?.policy ?? Self.policy(in: plain)
        tenant = heading?.tenant ?? plain.firstMatch(of: /[Tt]enant ["']([^"']+)["']/).map { String($0.1) }
        let others = [policy, tenant].compactMap { $0?.lowercased() }
        items = texts.map { text in
            let found = ServiceText.found(in: text).flatMap(\.rules)
            var rules: [String] = []
            for rule in found where !rules.contains(rule) { rules.append(rule) }
            return Item(
                text: text, rules: rules,
                names: Self.quoted(in: text).filter { !others.contains($0.lowercased()) })
        }
        if !hasHeading {
            items.removeAll { $0.rules.isEmpty }
            guard !items.isEmpty else { return nil }
        }
    }

    private static let limit = 256 << 10

    // MARK: What is around the text

    /// The message in a JSON text of the service, which may hold a JSON text itself; any other text as it is.
    private static func message(in text: String, depth: Int) -> String {
        guard depth < 4, let open = text.firstIndex(of: "{"), let close = text.lastIndex(of: "}"), open < close,
            let value = try? JSONDocument(file: "", bytes: Array(text[open...close].utf8)).root
        else { return text }
        let inner = value["error"]?["message"] ?? value["error"]?["innererror"]?["message"] ?? value["message"]
        guard let message = inner?.stringValue ?? value["Message"]?.stringValue else { return text }
        return Self.message(in: message, depth: depth + 1)
    }

    /// Straight quotation marks, no backslashes before them, one blank for each run of white space.
    private static func plain(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var isBlank = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": continue
            case " ", "\t", "\n", "\r", "\u{A0}":
                if !isBlank { result.unicodeScalars.append(" ") }
                isBlank = true
                continue
            case "\u{201C}", "\u{201D}": result.append("\"")
            case "\u{2018}", "\u{2019}": result.append("'")
            default: result.unicodeScalars.append(scalar)
            }
            isBlank = false
        }
        return result
    }

    /// The text behind each heading; the whole text if it has none.
    private static func parts(_ text: String) -> [(text: Substring, count: Int?, policy: String?, tenant: String?)] {
        let headings = text.matches(
            of:
                /Validation failed: (\d+) validation error\(s\) found in policy "?([^" ]+)"? of tenant (?:"([^"]+)"\.?|([^" ]+?)\.(?=\s|[A-Z]|$)) ?/
        )
        guard !headings.isEmpty else { return [(text[...], nil, nil, nil)] }
        return headings.enumerated().map { place, heading in
            let end = place + 1 < headings.count ? headings[place + 1].range.lowerBound : text.endIndex
            let tenant = heading.3 ?? heading.4
            return (
                text[heading.range.upperBound..<end], Int(heading.1) ?? 1, String(heading.2), tenant.map { String($0) }
            )
        }
    }

    private static func policy(in text: String) -> String? {
        let match = text.firstMatch(of: /[Pp]olicy ["']([^"']+)["']/)
        return match.map { String($0.1) }
    }

    // MARK: The errors

    /// How an error of the service begins.
    private static let beginnings: [String] =
        [
            "Schema validation error found", "There is a duplicate key sequence", "Policy with 'policyId'", "Policy \"",
            "Policy '", "TenantId in the policy xml", "Tenant \"", "Technical profile \"", "Technical Profile \"",
            "TechnicalProfile \"", "Profile '", "Claim type \"", "Output claim type \"", "Output Claim '",
            "Persisted Claim '", "Input Claim '", "User journey \"", "UserJourney \"", "Orchestration step order",
            "OrchestrationStep ", "The InputClaims mismatched", "The OutputClaims mismatched",
            "The InputParameters mismatched", "Input string was not in a correct format",
            "A required Metadata item", "DisableStrongPassword is required", "The element specified by id",
            "Object reference not set", "Claims transformation \"", "The policy being uploaded is not XML",
            "Relying party ", "The relying party", "Attribute UserJourneyRecorderEndpoint",
        ] + UploadText.containers.map { "\($0.1) \"" }

    /// Splits errors that were run together.
    private static func split(_ text: Substring, count: Int?) -> [String] {
        var starts: [Substring.Index] = []
        var ends: [Substring.Index] = []
        var inQuotes = false
        var before: Character = "."
        var afterBlank = false
        var word = 0
        var at = text.startIndex
        while at < text.endIndex {
            let character = text[at]
            if character == "\"" { inQuotes.toggle() }
            // An error begins behind the end of another, or behind the id that ends an internal one.
            let isFree = before == "." || before == ")" || (word == 36 && !afterBlank)
            if character.isUppercase, isFree {
                let rest = text[at...]
                if beginnings.contains(where: { rest.hasPrefix($0) }) {
                    starts.append(at)
                } else if before == ".", !afterBlank, !inQuotes {
                    ends.append(at)
                }
            }
            if character == " " {
                afterBlank = true
            } else {
                before = character
                word = character.isHexDigit || character == "-" ? (afterBlank ? 1 : word + 1) : 0
                afterBlank = false
            }
            at = text.index(after: at)
        }
        // Errors that are not known end where the next begins without a blank.
        if let count, Set(pieces(text, starts).map(folded)).count < count { starts = (starts + ends).sorted() }
        return pieces(text, starts)
    }

    private static func pieces(_ text: Substring, _ starts: [Substring.Index]) -> [String] {
        var cuts = starts.filter { $0 > text.startIndex }
        cuts.append(text.endIndex)
        var pieces: [String] = []
        var from = text.startIndex
        for cut in cuts {
            let piece = String(text[from..<cut]).trimmingWhitespace
            if !piece.isEmpty { pieces.append(piece) }
            from = cut
        }
        return pieces
    }

    /// Texts that differ in letter case, quotation marks and final points are one.
    static func folded(_ text: String) -> String {
        String(text.lowercased().filter { !" .\"'".contains($0) })
    }

    /// What is in quotation marks. An apostrophe inside a word is not one.
    static func quoted(in text: String) -> [String] {
        var names: [String] = []
        for match in text.matches(of: /"([^"]*)"|(?:^|[ (:>])'([^']*)'/) {
            let name = String(match.1 ?? match.2 ?? "")
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}
