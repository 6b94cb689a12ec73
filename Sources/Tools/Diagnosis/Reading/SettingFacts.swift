import HTTPMessages

/// Settings of a client that were pasted with an error: the authority, and the hosts that it trusts.
enum SettingFacts {
    static func read(_ places: PhraseIndex.Places, _ text: SymptomText, into facts: inout SymptomFacts) {
        guard let place = places[known] else { return }
        let line = text.line(ofPlain: place)
        let list = text.window(place, upTo: min(place + 800, text.plain.count))
        guard let open = list.firstIndex(of: "["), list[..<open].utf8.count < known.utf8.count + 6,
            let close = list[open...].firstIndex(of: "]")
        else { return }
        let entries = quoted(list[open..<close])
        guard !entries.isEmpty else { return }
        facts.add("known authorities", entries.joined(separator: ", "), line: line)
        // The native libraries take whole authorities there, with their policies.
        guard !facts.hasLibrary(.msalIOS), !facts.hasLibrary(.msalAndroid) else {
            if let name = entries.first(where: { !$0.contains(".") }) {
                facts.add(.knownAuthorityIsPolicy, line, "knownAuthorities: \(name)")
            }
            return
        }
        if let entry = entries.first(where: { $0.contains("/") }) {
            facts.add(.knownAuthorityIsURL, line, "knownAuthorities: \(entry)")
        }
        for place in places.all(authority) {
            let window = text.window(place, upTo: min(place + 300, text.plain.count)).dropFirst(authority.utf8.count)
            let value = window.drop { " \"'`:=".contains($0) }.prefix { !" \"'`,;})".contains($0) }
            guard value.hasPrefix("http"), let host = WebURL(String(value))?.host else { continue }
            let isKnown = entries.contains { $0 == host }
            let isListed = entries.contains { $0.contains(host) }
            if isKnown {
                facts.add(.hostIsKnown, line, "knownAuthorities has \(host)")
            } else if !isListed {
                facts.add(.hostIsNotKnown, line, "the authority is at \(host), knownAuthorities has \(entries[0])")
                facts.add("compare", "the authority's host \(host) is not in knownAuthorities", line: line)
            }
            return
        }
    }

    private static let known = "knownauthorities"
    private static let authority = "authority"

    /// What is looked up.
    static let phrases = [known, authority]

    /// The values in quotation marks.
    private static func quoted(_ list: Substring) -> [String] {
        var values: [String] = []
        var rest = list
        while let open = rest.firstIndex(where: { "'\"`".contains($0) }) {
            let mark = rest[open]
            let value = rest[rest.index(after: open)...].prefix { $0 != mark }
            if !value.isEmpty { values.append(String(value)) }
            rest = rest[value.endIndex...].dropFirst()
        }
        return values
    }
}
