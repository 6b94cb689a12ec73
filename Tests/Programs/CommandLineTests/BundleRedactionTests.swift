import Foundation
import HTTPMessages
import JSON
import TestSupport
import Testing

/// What a bundle says of the secrets in the files that it holds.
@Suite(.blocking) struct BundleRedactionTests {
    /// A folder with the scripts, tenants and policies of this project.
    private func project() throws -> Tool {
        let tool = try Tool()
        try FileManager.default.copyItem(
            at: TestFiles.root().appendingPathComponent("scenarios"),
            to: tool.folder.appendingPathComponent("scenarios"))
        return tool
    }

    /// Every text that has the name of a secret in the JSON files of a folder, and is more than a word.
    private func secrets(in tool: Tool, _ folder: String) throws -> Set<String> {
        var found: Set<String> = []
        func walk(_ value: JSONValue, _ name: String) {
            switch value {
            case .object(let object): for (key, member) in object.members { walk(member, key) }
            case .array(let elements): for element in elements { walk(element, name) }
            case .string(let text):
                let names = [
                    "password", "newPassword", "confirmPassword", "totpSecret", "secret", "secrets", "client_secret",
                    "clientSecret",
                ]
                let isWord = text.count < 6 || (text.count <= 12 && text.allSatisfy(\.isLetter))
                if names.contains(name), !isWord, !text.contains("{{") { found.insert(text) }
            default: break
            }
        }
        let base = tool.folder.appendingPathComponent("scenarios")
        for part in [folder, "tenants"] {
            let names = FileManager.default.enumerator(atPath: base.appendingPathComponent(part).path)
            for name in names?.compactMap({ $0 as? String }).sorted() ?? [] where name.hasSuffix(".json") {
                let data = try Data(contentsOf: base.appendingPathComponent("\(part)/\(name)"))
                walk(try JSONParser.parse(Array(data)), "")
            }
        }
        return found
    }

    /// As it is, in URLs and forms, and in Base64 wherever it begins in a group of three bytes.
    private func spellings(_ secret: String) -> [String] {
        var all = [secret, PercentCoding.encodeComponent(secret), secret.replacing("-", with: "%2D")]
        for lead in 0..<3 {
            let data = Data(repeating: UInt8(ascii: "x"), count: lead) + Data(secret.utf8)
            // The first and last characters hold bits of the neighbouring bytes.
            all.append(String(data.base64EncodedString().dropFirst(lead == 0 ? 0 : 4).filter { $0 != "=" }.dropLast(2)))
        }
        return all
    }

    /// Two folders: the conformance part `bundles` takes the large ones, with a release build.
    @Test(arguments: ["mfa", "tokens"])
    func `shipped scripts repeat without the secrets of their files`(_ folder: String) throws {
        let tool = try project()
        defer { tool.remove() }
        let made = try tool.run("run", "scenarios/\(folder)", "--seed", "5", "--bundle", "b.zip")
        #expect(made.status == 0, "\(made.out.suffix(2000))\(made.error)")
        #expect(made.out.contains(" replaced"), "\(made.out.suffix(500))")
        let secrets = try secrets(in: tool, folder)
        #expect(secrets.contains("Analytical-1843") && secrets.count > 5, "\(secrets)")
        // Entries are stored as they are, so the archive holds what the files hold.
        let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("b.zip"))
        for secret in secrets.sorted() {
            for spelling in spellings(secret) where spelling.count >= 6 {
                #expect(!bytes.holds(spelling), "\(secret) as \(spelling)")
            }
        }
        let other = try Tool()
        defer { other.remove() }
        try bytes.write(to: other.folder.appendingPathComponent("here.zip"))
        let again = try other.run("run", "here.zip")
        #expect(again.status == 0, "\(again.out.suffix(2000))\(again.error)")
        #expect(again.out.hasSuffix("repeated byte for byte: report and trace are those in here.zip\n"))
    }

    /// The password is put together of parts, so nothing can stand for the whole of it.
    private static let parts = """
        { "name": "Ada types it in two parts", "tenant": "tenants/contoso.json", "app": "ios",
          "variables": { "first": "Analytical-", "second": "1843" },
          "steps": [ { "acquireToken": {},
            "user": [ { "as": "ada", "fill": { "password": "{{first}}{{second}}" } } ] } ] }
        """

    @Test func `what cannot be replaced is named, and nothing is written`() throws {
        let tool = try project()
        defer { tool.remove() }
        try tool.write(Self.parts, to: "scenarios/parts.json")
        let run = try tool.run("run", "scenarios/parts.json", "--seed", "5", "--bundle", "b.zip")
        #expect(run.status == 3, "\(run.out)\(run.error)")
        #expect(
            run.error.hasPrefix(
                "b2c: b.zip is not written: the run differs: something else is in place of what is at "
                    + "scenarios/tenants/contoso.json:"), "\(run.error)")
        #expect(run.error.contains(" (users/ada/password): report.json at /") && run.error.contains("--keep-secrets"))
        #expect(!run.error.contains("Analytical"))
        #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("b.zip").path))

        let kept = try tool.run("run", "scenarios/parts.json", "--seed", "5", "--bundle", "b.zip", "--keep-secrets")
        #expect(kept.status == 0, "\(kept.out)\(kept.error)")
        #expect(kept.out.hasSuffix("; passwords and keys in its files are as they are written\n"))
        let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("b.zip"))
        #expect(bytes.holds("Passwords and keys in its scripts and tenant files are as"))
        let again = try tool.run("run", "b.zip")
        #expect(again.out.contains("repeated byte for byte"), "\(again.out)\(again.error)")
    }

    /// The service signs in at a web API with the key as its password, and the answer holds it too.
    private static let keyScript = """
        { "name": "A private key goes to a web API", "tenant": "tenants/samples.json", "app": "ios",
          "variables": { "signing": "KEY" },
          "configure": { "policyKeys": { "B2C_1A_TierPassword": { "secret": "KEY" } },
            "rest": { "tier": { "match": { "url": "https://loyalty.contoso.test/tier" },
              "reply": { "status": 200, "json": { "member": { "tier": "gold" }, "note": "KEY" } } } } },
          "steps": [ { "acquireToken": { "policy": "restBasic" }, "user": "ada",
            "expect": { "result": { "idToken": { "claims": { "tier": "gold" } } },
              "requests": [ { "endpoint": "rest", "response": { "json": { "note": "{{signing}}" } } } ] } } ] }
        """

    @Test func `private keys in PEM form are replaced, and the run repeats`() throws {
        let tool = try project()
        defer { tool.remove() }
        let lines = [
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
            "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu", "Nmoy+HwPQg==",
        ]
        let key = "-----BEGIN PRIVATE KEY-----\\n\(lines.joined(separator: "\\n"))\\n-----END PRIVATE KEY-----\\n"
        try tool.write(Self.keyScript.replacing("KEY", with: key), to: "scenarios/key.json")
        let made = try tool.run("run", "scenarios/key.json", "--seed", "5", "--bundle", "b.zip")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        #expect(made.out.contains(" replaced"), "\(made.out)")
        let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("b.zip"))
        for line in lines { #expect(!bytes.holds(line), "\(line)") }
        let again = try tool.run("run", "b.zip")
        #expect(again.status == 0, "\(again.out)\(again.error)")
        #expect(again.out.contains("repeated byte for byte"), "\(again.out)\(again.error)")
    }

    @Test func `people are replaced where that is asked for`() throws {
        let tool = try project()
        defer { tool.remove() }
        let script = "scenarios/happy-sign-in.json"
        for (option, isKept) in [([], true), (["--redact-people"], false)] {
            let made = try tool.run(["run", script, "--seed", "5", "--bundle", "b.zip"] + option)
            #expect(made.status == 0, "\(made.out)\(made.error)")
            let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("b.zip"))
            for text in ["ada@example.test", "ada%40example.test", "Lovelace"] {
                if bytes.holds(text) { #expect(isKept, "\(text)") }
            }
            #expect(bytes.holds("ada@example.test") == isKept)
            let again = try tool.run("run", "b.zip")
            #expect(again.out.contains("repeated byte for byte"), "\(again.out)\(again.error)")
        }
    }

    @Test func `options about bundles need one`() throws {
        let tool = try project()
        defer { tool.remove() }
        let script = "scenarios/happy-sign-in.json"
        for (arguments, text) in [
            ([script, "--keep-secrets"], "--keep-secrets is about a bundle: name one by --bundle FILE.zip"),
            ([script, "--redact-people"], "--redact-people is about a bundle"),
            ([script, "--bundle", "b.zip", "--keep-secrets", "--redact-people"], "leave --redact-people out"),
        ] {
            let run = try tool.run(["run"] + arguments)
            #expect(run.status == 1 && run.error.contains(text), "\(arguments): \(run.status) \(run.error)")
        }
        #expect(try tool.run("run", script, "--bundle", "b.zip").status == 0)
        for option in ["--keep-secrets", "--redact-people"] {
            let run = try tool.run("run", "b.zip", option)
            #expect(run.status == 1 && run.error.contains("leave \(option) out"), "\(run.error)")
        }
    }
}
