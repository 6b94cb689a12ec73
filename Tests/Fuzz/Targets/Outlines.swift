import Diagnostics
import JSON
import LanguageService
import Markup

extension FuzzTarget {
    static let outlines = FuzzTarget(
        name: "outlines",
        meaning: "broken XML and JSON as editors have them: elements, values and names inside of the text",
        longest: 4096,
        words: [
            "<TrustFrameworkPolicy ", "<ClaimType Id=\"a\">", "</ClaimType>", "<!--", "-->", "<![CDATA[", "]]>", "=\"",
            "{Settings:A}", "&amp;", "{\"steps\": [", "\"id\": \"a\"", "{{users/ada/email}}", "\\uD83D", "//", "/*",
        ],
        seeds: {
            Seeds.files("scenarios/policies", [".xml"], upTo: 4096)
                + Seeds.files("scenarios", [".json"], upTo: 1024).prefix(50)
        },
        run: { bytes in
            for path in ["a.xml", "a.json"] {
                let file = LanguageFile(path: path, bytes: bytes, known: path == "a.xml" ? .policy : .scenario)
                var last = 0
                for occurrence in file.occurrences {
                    check(occurrence.range.upperBound <= bytes.count, "a name is inside of the text")
                    check(occurrence.range.lowerBound >= last, "names are in the order of the text")
                    last = occurrence.range.lowerBound
                }
                for element in file.markup?.elements ?? [] {
                    check(
                        element.start < element.tagEnd && element.tagEnd <= element.end, "an element ends after its tag"
                    )
                    check(element.end <= bytes.count, "an element is inside of the text")
                }
                for node in file.json?.nodes ?? [] {
                    check(node.value.upperBound <= bytes.count, "a value is inside of the text")
                }
                for offset in [0, bytes.count / 2, bytes.count] {
                    _ = file.markup?.spot(at: offset)
                    _ = file.json?.spot(at: offset)
                }
            }
        })
}
