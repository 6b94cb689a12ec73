import CommandKit
import PolicyTools
import Testing

/// Policies of a folder as commands find them.
struct PolicySourceTests {
    @Test(arguments: [
        ("B2C_1A_SignIn", "B2C_1A_SignIn"), ("B2C_1A_{Settings:Team}_SignIn", "B2C_1A_blue_SignIn"),
        ("B2C_1A_{Settings:Other}", "B2C_1A_Other"),
    ])
    func `an id has the values of its placeholders, else their names`(_ written: String, _ id: String) {
        #expect(PlacedPolicies.id(written, [(name: "Team", value: "blue")]) == id)
    }

    @Test func `a folder's relying parties are its policies, with the environment's values`() throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(folder) }
        func save(_ name: String, _ text: String) throws {
            try FileSystem.write(Array(text.utf8), to: FilePath.join(folder, name))
        }
        let root =
            #"<TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" "#
            + #"TenantId="{Settings:Tenant}" PolicySchemaVersion="0.3.0.0" PolicyId="#
        try save("Base.xml", root + #""B2C_1A_Base"></TrustFrameworkPolicy>"#)
        try save(
            "SignIn.xml",
            root + #""B2C_1A_{Settings:Team}_SignIn"><RelyingParty></RelyingParty></TrustFrameworkPolicy>"#)
        try save(
            "appsettings.json",
            """
            { "Environments": [
                { "Name": "Test", "Tenant": "fabrikam.onmicrosoft.com", "PolicySettings": { "Team": "blue" } } ] }
            """)
        let found = try PolicySource(place: folder).read()
        #expect(found.tenant.policies.map(\.id) == ["B2C_1A_blue_SignIn"])
        #expect(found.tenant.domain == "fabrikam.onmicrosoft.com")
        #expect(found.files.map(\.isCallable) == [false, true])
    }
}
