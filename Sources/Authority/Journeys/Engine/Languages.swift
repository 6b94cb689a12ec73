import TrustFramework

/// The language of a journey's pages: `ui_locales`, else the browser's languages, else the policy's default (Microsoft
/// docs: language-customization).
public enum Languages {
    static func chosen(_ call: JourneyCall) -> String {
        chosen(uiLocales: call.request.uiLocales, acceptLanguage: call.request.acceptLanguage, in: call.policy)
    }

    /// The same from `ui_locales` and an `Accept-Language` header as they came.
    public static func chosen(uiLocales: String?, acceptLanguage: String?, in policy: ResolvedPolicy) -> String {
        policy.language(asked: asked(uiLocales ?? ""), accepted: accepted(acceptLanguage ?? ""))
    }

    /// The language of a tag without its region: `de` of `de-AT`.
    static func base(_ tag: String) -> String {
        tag.split(separator: "-").first.map { $0.lowercased() } ?? ""
    }

    /// Language tags, most wanted first.
    static func wanted(_ request: RequestFacts) -> [String] {
        wanted(uiLocales: request.uiLocales, acceptLanguage: request.acceptLanguage)
    }

    /// The same from `ui_locales` and an `Accept-Language` header as they came.
    public static func wanted(uiLocales: String?, acceptLanguage: String?) -> [String] {
        if uiLocales == nil, acceptLanguage == nil { return [] }
        return asked(uiLocales ?? "") + accepted(acceptLanguage ?? "")
    }

    /// The tags of `ui_locales` (OpenID Connect Core, section 3.1.2.1).
    private static func asked(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    }

    /// The tags of an `Accept-Language` header by weight (RFC 9110, section 12.5.4); equal weights keep their order.
    static func accepted(_ header: String) -> [String] {
        var ranked: [(tag: String, weight: Int, place: Int)] = []
        for (place, part) in header.split(separator: ",").enumerated() {
            let pieces = part.split(separator: ";").map { $0.trimmingSpaces }
            guard let tag = pieces.first, !tag.isEmpty, tag != "*" else { continue }
            var weight = 1000
            for piece in pieces.dropFirst() where piece.lowercased().hasPrefix("q=") {
                weight = thousandths(piece.dropFirst(2))
            }
            if weight > 0 { ranked.append((tag, weight, place)) }
        }
        ranked.sort { ($0.weight, $1.place) > ($1.weight, $0.place) }
        return ranked.map(\.tag)
    }

    /// `0.8` as 800; a weight above 1 counts as 1, and what is not a number as 0.
    ///
    /// The digits are read and never calculated with: any page can send a number of any size.
    private static func thousandths(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return 0 }
        if parts[0].contains(where: { $0 != "0" }) { return 1000 }
        return parts.count > 1 ? Int((parts[1] + "000").prefix(3)) ?? 0 : 0
    }
}

/// What the `Culture` resolvers say of a language tag.
struct Culture {
    var language: String
    var region: String
    var tag: String
    var lcid: Int

    /// The region and number that Windows gives a language alone; others keep what the tag says.
    private static let known: [(language: String, region: String, lcid: Int)] = [
        ("en", "US", 1033), ("de", "DE", 1031), ("fr", "FR", 1036), ("es", "ES", 3082), ("it", "IT", 1040),
        ("ja", "JP", 1041), ("ko", "KR", 1042), ("nl", "NL", 1043), ("pl", "PL", 1045), ("pt", "BR", 1046),
        ("ru", "RU", 1049), ("sv", "SE", 1053), ("tr", "TR", 1055), ("zh", "CN", 2052), ("cs", "CZ", 1029),
        ("da", "DK", 1030), ("fi", "FI", 1035), ("el", "GR", 1032), ("hu", "HU", 1038), ("nb", "NO", 1044),
    ]

    init(_ language: String) {
        let parts = language.split(separator: "-").map(String.init)
        let base = parts.first?.lowercased() ?? "en"
        let row = Self.known.first { $0.language == base }
        let region = parts.count > 1 ? parts[parts.count - 1].uppercased() : row?.region ?? ""
        self.language = base
        self.region = region
        self.tag = region.isEmpty ? base : "\(base)-\(region)"
        self.lcid = row.map { $0.region == region ? $0.lcid : 4096 } ?? 4096
    }
}
