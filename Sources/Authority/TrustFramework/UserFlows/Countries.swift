import CAssets
import Diagnostics

/// Countries and regions that a page offers for the attribute Country/Region.
///
/// User flows show a list whose values are the English names (the portal's input type `DropdownSingleSelect`; that the
/// value is the name is inferred from tokens in public documents). Codes and names: ISO 3166-1, in plain English and
/// German.
enum Countries {
    /// Name in English, which is the value too, and in German.
    static let all: [(english: String, german: String)] = asset_countries().text.split(separator: "\n").compactMap {
        line in
        let parts = line.split(separator: "|")
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// The choices of a claim in English.
    static func english(_ location: SourceLocation) -> [EnumerationItemElement] {
        all.map { EnumerationItemElement(text: $0.english, value: $0.english, location: location) }
    }

    /// The same in German, in the order of that language.
    static func german(_ location: SourceLocation) -> [EnumerationItemElement] {
        all.sorted { sortKey($0.german) < sortKey($1.german) }
            .map { EnumerationItemElement(text: $0.german, value: $0.english, location: location) }
    }

    /// Umlauts stand with their vowels (DIN 5007-1).
    private static func sortKey(_ name: String) -> String {
        let plain: [Character: Character] = [
            "ä": "a", "ö": "o", "ü": "u", "å": "a", "ç": "c", "é": "e", "ô": "o", "ã": "a",
        ]
        return String(name.lowercased().map { plain[$0] ?? $0 })
    }
}
