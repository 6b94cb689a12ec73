import Diagnostics
import TrustFramework

extension FuzzTarget {
    static let textPack = FuzzTarget(
        name: "textpack", meaning: "files with the texts of a page in one language",
        longest: 2048,
        words: [
            "\"LocalizedStrings\":[", "\"LocalizedCollections\":[", "\"ElementType\":\"UxElement\"",
            "\"ElementId\":null",
            "\"StringId\":\"heading\"", "\"Override\":true", "\"Value\":\"\"", "\"TargetCollection\":\"Restriction\"",
            "\"Items\":[",
            "\"Name\":\"a\"", "@odata.context", "ClaimType", "ErrorMessage", "DisplayName",
        ],
        seeds: {
            Seeds.files("scenarios/tenants/texts", [".json"], upTo: 2048)
                + Seeds.texts(
                    #"{"@odata.context": "x", "LocalizedStrings": [{"ElementType": "ClaimType", "ElementId": "city", "StringId": "DisplayName", "Override": false, "Value": "Stadt"}], "LocalizedCollections": [{"ElementType": "ClaimType", "ElementId": "city", "TargetCollection": "Restriction", "Override": true, "Items": [{"Name": "Berlin", "Value": "b"}]}]}"#
                )
        },
        run: { bytes in
            let file = "api.signuporsignin.de.json"
            do throws(InvalidInput) {
                let pack = try TextPack.read(file: file, bytes: bytes, language: "DE")
                check(pack.language == "de" && pack.page == "api.signuporsignin", "the file's name says what it is for")
                checkFindings(InvalidInput(diagnostics: pack.findings), bytes, file: file, haveErrors: false)
            } catch {
                checkFindings(error, bytes, file: file)
            }
        })
}
