import B2CProtocol
import Diagnostics
import TrustFramework

extension FuzzTarget {
    static let policy = FuzzTarget(
        name: "policy", meaning: "policy files: the reader, the writer, inheritance and the linker",
        longest: 8192,
        words: [
            "<BuildingBlocks>", "<ClaimsSchema>", "<ClaimType Id=\"a\">", "<DataType>string</DataType>",
            "<ClaimsProviders>",
            "<TechnicalProfile Id=\"a\">", "<Protocol Name=\"Proprietary\"/>", "<Metadata>", "<Item Key=\"a\">",
            "<OutputClaims>",
            "<IncludeTechnicalProfile ReferenceId=\"a\"/>", "<OrchestrationStep Order=\"1\" Type=\"SendClaims\"/>",
            "<RelyingParty>",
            "<DefaultUserJourney ReferenceId=\"a\"/>", "<![CDATA[", "]]>", "<!--", "-->", "<?xml ", "<!DOCTYPE ",
            "&#x41;", "&amp;",
            "{Settings:", "{OIDC:LoginHint}", "<Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\">",
            "<SubJourneys>",
        ],
        seeds: {
            Seeds.files("scenarios/policies", [".xml"], upTo: 8192)
                + Seeds.files("Tests/Golden/TrustFrameworkTests", [".xml"], upTo: 8192)
        },
        run: { bytes in
            let id = PolicyReader.policyID(bytes: bytes)
            let document: PolicyDocument
            do throws(InvalidInput) {
                document = try PolicyReader.read(
                    file: policyFile, bytes: bytes, settings: [("A", "b")], tenantDomain: "contoso.onmicrosoft.com")
            } catch {
                checkFindings(error, bytes, file: policyFile)
                return
            }
            check(
                id == nil || id == document.policyID || Seeds.contains(bytes, "{") || Seeds.contains(bytes, "&"),
                "a glance sees the id that reading sees")
            let text = PolicyWriter.xml(document)
            do throws(InvalidInput) {
                let again = try PolicyReader.read(file: policyFile, bytes: Array(text.utf8))
                check(PolicyWriter.xml(again) == text, "a policy that is written and read stays the same")
            } catch {
                check(false, "a policy that is written can be read: \(error.diagnostics.first?.description ?? "")")
            }
            for chain in [[document], [document, document]] {
                do throws(InvalidInput) {
                    _ = try PolicyLinker.link(PolicyInheritance.merge(chain), personality: .customPolicy)
                } catch {
                    checkFindings(error, bytes, file: policyFile)
                }
            }
        })

    private static let policyFile = "fuzz.xml"
}
