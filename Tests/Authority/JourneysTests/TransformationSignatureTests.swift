import Testing
import TrustFramework

@testable import Journeys

/// The table of transformations says of each method what it takes and gives.
struct TransformationSignatureTests {
    @Test func `nothing of the table is passed over when it is read`() {
        for row in Transformations.signatures {
            let signature = TransformationSignature.of(row.method.uppercased())
            #expect(signature?.method == row.method)
            #expect(signature?.text == row.text, "\(row.method)")
        }
    }

    @Test func `what a method takes can be asked for by name`() throws {
        let add = try #require(TransformationSignature.of("addItemToStringCollection"))
        #expect(add.inputClaims.slot("Collection")?.types == [.stringCollection])
        #expect(add.inputClaims.slot("key") == nil)
        let random = try #require(TransformationSignature.of("CreateRandomString"))
        #expect(random.parameters.slot("randomGeneratorType")?.words == ["GUID", "INTEGER"])
        #expect(random.parameters.slot("seed")?.isRequired == false)
        let json = try #require(TransformationSignature.of("GenerateJson"))
        #expect(json.inputClaims.allows("from.email") && json.parameters.allows("template_id"))
        let uri = try #require(TransformationSignature.of("BuildUri"))
        #expect(uri.parameters.allows("query.issuer") && !uri.parameters.allows("issuer"))
        #expect(TransformationSignature.of("DateTimeComparison")?.parameters.slot("operator")?.words[1] == "later than")
        #expect(TransformationSignature.of("CreateRandomText") == nil)
    }
}
