import AuthorityHosting
import CommandKit
import Diagnostics
import Foundation
import JSON
import TestSupport
import Testing
import TrustFramework

@testable import MockServerCore

/// Which files settings can name that are changed while the server runs.
@Suite struct TenantLoadingTests {
    private static let policy = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_x" \
        PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_x"/>
        """

    /// A folder `tenant` with a tenant file, a policy and a pipe, beside a folder with a secret.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "b2c-files-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["tenant", "other"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try "{\"name\": \"contoso\"}".write(toFile: folder + "/tenant/t.json", atomically: true, encoding: .utf8)
        try Self.policy.write(toFile: folder + "/tenant/x.xml", atomically: true, encoding: .utf8)
        try "secret-word of another".write(toFile: folder + "/other/secret.xml", atomically: true, encoding: .utf8)
        try #require(mkfifo(folder + "/tenant/pipe.xml", 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/tenant/linked", withDestinationPath: folder + "/other")
        for (name, target) in [("out.xml", "../other/secret.xml"), ("twice.xml", "out.xml"), ("in.xml", "x.xml")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/tenant/" + name, withDestinationPath: target)
        }
        try body(folder)
    }

    @Test(arguments: [
        ("FOLDER/other/secret.xml", "lies outside"), ("../other/secret.xml", "lies outside"),
        ("linked/secret.xml", "lies outside"), ("/etc/passwd", "lies outside"), ("/dev/zero", "lies outside"),
        ("../other/nothing.xml", "lies outside"), ("pipe.xml", "is not a regular file"),
        ("nothing.xml", "there is no policy file"), ("x.xml", ""), ("in.xml", ""),
        ("out.xml", "is a link to"), ("twice.xml", "other/secret.xml, outside the folders of the tenant file"),
    ])
    func `a patch names a file of the tenant's folder, or is refused by name`(file: String, words: String) throws {
        try inFolder { folder in
            let tenant = try TenantLoading.tenant(at: folder + "/tenant/t.json")
            let path = file.replacing("FOLDER", with: folder)
            let error = #expect(throws: InvalidInput.self) {
                try tenant.patched([
                    "policies": ["x": ["id": "B2C_1A_y", "type": "custom", "file": .string(path)]]
                ])
            }
            let text = error?.diagnostics.map { "\($0.message) \($0.remedy ?? "")" }.joined(separator: "\n") ?? ""
            #expect(words.isEmpty ? !text.contains("policy file") : text.contains(words), "\(text)")
            #expect(!text.contains("secret-word"))
        }
    }

    @Test(arguments: [
        #""policies": {"x": {"id": "B2C_1A_x", "type": "custom", "file": "out.xml"}}"#,
        #""policies": {"x": {"id": "B2C_1_x", "type": "signIn", "languages": ["de"], "texts": {"de": "out.xml"}}}"#,
        #""policySettingsFile": "out.xml", "policies": {"x": {"id": "B2C_1A_x", "type": "custom", "file": "x.xml"}}"#,
        #""policies": {"x": {"id": "B2C_1A_x", "type": "custom", "file": "child.xml"}}"#,
    ])
    func `no file of the tenant is a link that leads out of its folder`(member: String) throws {
        try inFolder { folder in
            let base =
                "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_out</PolicyId></BasePolicy>"
            try Self.policy.replacing("_x\"/>", with: "_x\">\(base)</TrustFrameworkPolicy>")
                .write(toFile: folder + "/tenant/child.xml", atomically: true, encoding: .utf8)
            try Self.policy.replacing("_x", with: "_out")
                .write(toFile: folder + "/other/secret.xml", atomically: true, encoding: .utf8)
            try FileManager.default.removeItem(atPath: folder + "/tenant/pipe.xml")
            let json = try JSONParser.parse(#"{"name": "contoso", \#(member)}"#)
            let shelf = PolicyShelf(files: .disk(below: [folder + "/tenant"]))
            let error = #expect(throws: InvalidInput.self) {
                try CompiledTenant.compile(json, shelf: shelf, folder: folder + "/tenant")
            }
            let text = error?.diagnostics.map(\.description).joined(separator: "\n") ?? ""
            #expect(text.contains("is a link to") && text.contains("other/secret.xml, outside"), "\(text)")
        }
    }

    @Test func `placeholders of --policies have the values of the file beside them, or of the one that is named`()
        throws
    {
        try inFolder { folder in
            let place = folder + "/other"
            for (name, id) in [("Base", "SampleBase"), ("Loyalty", "{Settings:Prefix}_susi")] {
                let text = String(decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self)
                try text.replacing("PolicyId=\"B2C_1A_loyalty\"", with: "PolicyId=\"B2C_1A_\(id)\"")
                    .write(toFile: "\(place)/\(name).xml", atomically: true, encoding: .utf8)
            }
            func settings(_ text: String, _ name: String = "appsettings.json") throws {
                try text.write(toFile: place + "/" + name, atomically: true, encoding: .utf8)
            }
            let environments = """
                {"Environments": [
                  {"Name": "Test", "Tenant": "contoso.onmicrosoft.com", "PolicySettings": {"Prefix": "Test"}},
                  {"Name": "Live", "Tenant": "contoso.onmicrosoft.com", "PolicySettings": {"Prefix": "Live"}}]}
                """
            try settings(environments)
            func ids(_ source: ServedPolicies) throws -> [String] {
                try TenantLoading.tenant(at: nil, policies: source).tenant.policies.map(\.id).filter {
                    $0.contains("1A")
                }
            }
            #expect(try ids(ServedPolicies(folder: place)) == ["B2C_1A_Test_susi"])
            #expect(try ids(ServedPolicies(folder: place, environment: "Live")) == ["B2C_1A_Live_susi"])
            try settings(environments.replacing("\"Live\"}", with: "\"Named\"}"), "named.json")
            #expect(
                try ids(ServedPolicies(folder: place, settings: place + "/named.json", environment: "Live"))
                    == ["B2C_1A_Named_susi"])
            // A broken file is not one of another program.
            try settings("{\"Environments\": [}")
            #expect(throws: Failure.self) { try ids(ServedPolicies(folder: place)) }
            #expect(PolicySettingsFile.path(beside: place) == place + "/appsettings.json")
            try settings("{\"AzureAdB2C\": {}}")
            #expect(PolicySettingsFile.path(beside: place) == nil)
        }
    }

    @Test func `a link that leads out of the folder of --policies is named`() throws {
        try inFolder { folder in
            #expect(throws: Failure.self) {
                try TenantLoading.tenant(
                    at: folder + "/tenant/t.json", policies: ServedPolicies(folder: folder + "/tenant"))
            }
            for name in ["out.xml", "twice.xml", "pipe.xml"] {
                try FileManager.default.removeItem(atPath: folder + "/tenant/" + name)
            }
            _ = try TenantLoading.tenant(
                at: folder + "/tenant/t.json", policies: ServedPolicies(folder: folder + "/tenant"))
        }
    }
}
