/// The table as a page of documentation: `docs/simulated.md`.
public enum FeaturePage {
    /// The page as Markdown, the same on every machine.
    public static var markdown: String {
        var text = """
            # What of custom policies is simulated

            Printed from the table in `Sources/Authority/TrustFramework/Simulated`; a test holds this page to it.

            | word | meaning |
            | --- | --- |
            | simulated | as documented |
            | approximated | carried out, but not in every detail; the note says what differs |
            | no effect | legal and read; nothing here depends on it |
            | refused | a journey that comes there fails with `not simulated: WHAT at FILE:LINE` |

            What a policy has and none of these lists is reported as a warning (`B2C-POL-090`) when the policy is
            linked. An element or attribute that the schema does not know is an error, or a warning with
            `authority.unknownElements` set to `warn`.

            """
        for kind in Feature.Kind.allCases {
            let features = FeatureTable.all.filter { $0.kind == kind }
            text += "\n## \(kind.rawValue)\n"
            var owners: [String] = []
            for feature in features where !owners.contains(feature.owner) { owners.append(feature.owner) }
            for owner in owners {
                if !owner.isEmpty { text += "\n### \(owner)\n" }
                text += section(features.filter { $0.owner == owner })
            }
        }
        return text
    }

    private static func section(_ features: [Feature]) -> String {
        var text = ""
        let plain = features.filter { $0.extent == .simulated }.map { "`\($0.name)`" }
        if !plain.isEmpty { text += "\nSimulated: \(plain.joined(separator: ", ")).\n" }
        let rest = features.filter { $0.extent != .simulated }
        if !rest.isEmpty {
            text += "\n| name | | note |\n| --- | --- | --- |\n"
            for feature in rest {
                let note = feature.extent.note.replacing("|", with: "\\|")
                text += "| `\(feature.name)` | \(feature.extent.word) | \(note) |\n"
            }
        }
        return text
    }
}
