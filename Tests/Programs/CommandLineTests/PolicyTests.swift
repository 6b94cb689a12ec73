import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy` on a folder of policy files, as somebody has it who has no tenant file.
@Suite(.blocking) struct PolicyTests {
    private let tool: Tool
    private let policies: String

    init() throws {
        tool = try Tool()
        policies = TestFiles.root().appendingPathComponent("scenarios/policies").path
    }

    @Test func `a folder is listed with inheritance and journeys`() throws {
        let outcome = try tool.run(["policy", "list", policies])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.out.contains("B2C_1A_SampleBase > B2C_1A_HarnessTexts > B2C_1A_HarnessBase"))
        #expect(outcome.out.contains("SignUpOrSignIn (3 steps)"))
        #expect(outcome.out.contains("no relying party"))
    }

    @Test func `a broken file stops only the policies that need it`() throws {
        for name in ["Base", "Defaults"] {
            let text = try String(contentsOfFile: policies + "/\(name).xml", encoding: .utf8)
            try tool.write(text, to: "some/\(name).xml")
            if name == "Defaults" {
                let broken = text.replacingOccurrences(of: "B2C_1A_Defaults", with: "B2C_1A_Broken")
                try tool.write(
                    broken.replacingOccurrences(of: "</UserJourneys>", with: ""), to: "some/Broken.xml")
            }
        }
        let run = try tool.run(["policy", "run", "some", "--policy", "B2C_1A_Defaults"])
        #expect(run.status == 0, "\(run.error)")
        // What the policy does not inherit from is not even linked, unless the inputs name it.
        #expect(run.error.isEmpty, "\(run.error)")
        try tool.write(
            #"{"request": {"extraQueryParameters": {"next": "B2C_1A_Broken"}}}"#, to: "inputs.json")
        let named = try tool.run(["policy", "run", "some", "--policy", "B2C_1A_Defaults", "--inputs", "inputs.json"])
        #expect(named.status == 0, "\(named.error)")
        #expect(named.error.contains("warning: B2C_1A_Broken of some does not link"))
        let list = try tool.run(["policy", "list", "some"])
        #expect(list.status != 0 && list.error.contains("B2C-POL-001"))
        let one = try tool.run(["policy", "list", "some", "--policy", "B2C_1A_Defaults"])
        #expect(one.status == 0 && !one.out.contains("Broken"), "\(one.error)")
    }

    @Test func `what of SAML is not simulated is said`() throws {
        for name in ["Base", "Defaults", "ProviderOidc"] {
            var text = try String(contentsOfFile: policies + "/\(name).xml", encoding: .utf8)
            let openID = "<Protocol Name=\"OpenIdConnect\" />"
            if name == "ProviderOidc", let place = text.range(of: openID) {
                text.replaceSubrange(place, with: "<Protocol Name=\"SAML2\" />")
            } else if name == "Defaults", let place = text.range(of: openID, options: .backwards) {
                text.replaceSubrange(place, with: "<Protocol Name=\"SAML2\" />")
            }
            try tool.write(text, to: "saml/\(name).xml")
        }
        let run = try tool.run(["policy", "run", "saml", "--policy", "B2C_1A_Defaults"])
        #expect(run.status != 0)
        #expect(
            run.error.contains("a relying party that speaks SAML2, whose issuer JwtIssuer makes JWTs"), "\(run.error)")
        let tenant = try tool.run(["policy", "tenant", "saml"])
        #expect(tenant.status == 0, "\(tenant.error)")
        #expect(tenant.error.contains("warning: the SAML identity provider Work-OIDC is not simulated"))
        #expect(tenant.error.contains("warning: B2C_1A_Defaults is a relying party that speaks SAML2"))
        #expect(try JSONParser.parse(tenant.out)["providers"]?.objectValue?.keys.isEmpty == true)
        let validated = try tool.run(["validate", "saml"])
        #expect(validated.out.contains("the protocol SAML2 of the relying party is not simulated [B2C-POL-090]"))
        #expect(
            validated.out.contains(
                "the relying party speaks SAML2, and its issuer JwtIssuer makes JWTs [B2C-POL-067]"), "\(validated.out)"
        )
    }

    @Test func `a list says which file cannot be read, and fits a terminal`() throws {
        let text = try String(contentsOfFile: policies + "/Base.xml", encoding: .utf8)
        try tool.write(
            text.replacingOccurrences(of: "DisplayControlReferenceId=\"", with: "DisplayControlReferenceId=\"<"),
            to: "one/Base.xml")
        let list = try tool.run(["policy", "list", "one"])
        #expect(list.status != 0 && list.error.contains("B2C-POL-001"), "\(list.out)")
        let wide = try tool.run(["policy", "list", policies])
        #expect(wide.out.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }

    @Test func `settings beside the policies are used`() throws {
        let run = try tool.run(["policy", "run", policies, "--policy", "B2C_1A_SettingsText"])
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["claims", "level"] == 7)
        let text = try String(contentsOfFile: policies + "/Base.xml", encoding: .utf8)
        try tool.write(
            text.replacingOccurrences(of: "B2C_1A_SampleBase", with: "B2C_1A_{Settings:Name}"), to: "two/Base.xml")
        let valid = try tool.run(["validate", "two"])
        #expect(valid.out.contains("{Settings:Name} has no value"), "\(valid.out)")
        try tool.write(
            "{\"Environments\": [{\"Name\": \"A\", \"PolicySettings\": {\"Name\": \"SampleBase\"}}]}",
            to: "two/appsettings.json")
        let filled = try tool.run(["validate", "two"])
        #expect(!filled.out.contains("has no value"), "\(filled.out)")
    }

    @Test func `a sign-in is traced, with where claims came from`() throws {
        let outcome = try tool.run([
            "policy", "trace", policies, "--policy", "b2c_1a_TRANSFORMATIONS", "--html", "trace.html",
        ])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.out.contains("step 2 ClaimsExchange skipped: objectId exists"))
        #expect(outcome.out.contains("transformation UpperDomain (ChangeCase)"))
        #expect(outcome.out.contains("domain = \"example.test\"  from GetDomain"))
        #expect(outcome.out.contains("\"label\": \"Ada Lovelace of EXAMPLE.TEST\""))
        #expect(!outcome.out.contains("Password-1843"))
        let page = try tool.read("trace.html")
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("\\u003csvg") && !page.contains("Password-1843"))
        // The XML of what ran, with its file and line, and of nothing else.
        #expect(page.contains("\"kind\":\"ClaimsTransformation\",\"id\":\"UpperDomain\",\"file\":"), "\(page)")
        #expect(page.contains("\"kind\":\"OrchestrationStep\",\"id\":\"SignUpOrSignIn 3\""), "\(page)")
    }

    @Test func `a claim of a web API has the number of the exchange`() throws {
        try tool.write(
            """
            { "configure": { "rest": { "tier": { "match": { "url": { "$contains": "/tier" } }, "reply": { "json": { "tier": "gold" } } } } } }
            """, to: "inputs.json")
        let outcome = try tool.run([
            "policy", "trace", policies, "--policy", "B2C_1A_RestInUrl", "--inputs", "inputs.json",
        ])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.out.contains("tier = \"gold\"  from REST-Tier, step 3, exchange 4.1\n"), "\(outcome.out)")
    }

    @Test func `inputs bring the request and the answers of web APIs`() throws {
        try tool.write(
            """
            { "configure": { "rest": { "tier": { "match": { "url": { "$contains": "/tier" } }, "reply": { "json": { "tier": "gold" } } } } } }
            """, to: "inputs.json")
        let outcome = try tool.run([
            "policy", "run", policies, "--policy", "B2C_1A_RestBearer", "--inputs", "inputs.json", "--refresh",
        ])
        #expect(outcome.status == 0, "\(outcome.error)")
        let result = try JSONParser.parse(outcome.out)
        #expect(result["claims", "tier"] == "gold")
        #expect(result["calls"]?.arrayValue?.first?["status"] == 200)
        #expect(result["afterRefresh", "sub"] == result["claims", "sub"])
        let without = try tool.run(["policy", "run", policies, "--policy", "B2C_1A_RestBearer"])
        #expect(without.status == 4)
        #expect(without.error.contains("no REST stub answers GET https://loyalty.contoso.test/tier"))
        #expect(without.error.contains("of technical profile REST-Tier"))
        #expect(!without.error.contains("policy-play"))
        try tool.write("{ \"configur\": {} }", to: "wrong.json")
        let wrong = try tool.run(["policy", "run", policies, "--policy", "B2C_1A_RestBearer", "--inputs", "wrong.json"])
        #expect(wrong.status == 2 && wrong.error.contains("Did you mean configure?"))
    }

    @Test func `what a failed call says to save makes it succeed`() throws {
        let policy = policies + "/RestBasic.xml"
        let failed = try tool.run(["policy", "trace", policy])
        #expect(failed.status == 4)
        let start = try #require(failed.error.firstRange(of: "{\n"))
        try tool.write(String(failed.error[start.lowerBound...]), to: "saved.json")
        let fixed = try tool.run(["policy", "trace", policy, "--inputs", "saved.json"])
        #expect(fixed.status == 0, "\(fixed.error)")
        #expect(
            fixed.out.contains(/call POST https:\/\/loyalty\.contoso\.test\/tier -> 200  exchange \d+\.1\n/),
            "\(fixed.out)")
    }

    @Test func `a trace that ends without a token says in one place what is wrong`() throws {
        let failed = try tool.run(["policy", "trace", policies + "/RestBearer.xml"])
        #expect(failed.status == 4)
        #expect(failed.error.hasPrefix("no token: ") && !failed.error.contains("FAIL"))
        #expect(failed.out.contains("step 3 was not finished\n    profile REST-Tier"))
        #expect(failed.out.contains("page signIn (api.signuporsignin): "))
    }

    @Test func `journeys are drawn, and policies shown whole or alone`() throws {
        let mermaid = try tool.run(["policy", "graph", policies, "--policy", "B2C_1A_SubJourneyCall"])
        #expect(mermaid.status == 0 && mermaid.out.hasPrefix("flowchart TD\n"))
        #expect(mermaid.out.contains("Greeting: sub-journey, call"))
        let drawn = try tool.run(["policy", "graph", policies, "--policy", "B2C_1A_Refresh", "--svg", "j.svg"])
        #expect(drawn.status == 0, "\(drawn.error)")
        #expect(try tool.read("j.svg").contains("REST-Tier"))
        let whole = try tool.run(["policy", "show", policies + "/Refresh.xml"])
        #expect(whole.out.contains("AAD-UserReadUsingObjectId") && whole.out.contains("REST-Tier"))
        let own = try tool.run(["policy", "show", policies + "/Refresh.xml", "--own"])
        #expect(!own.out.contains("SelfAsserted-LocalAccountSignin-Email") && own.out.contains("REST-Tier"))
    }

    @Test func `what is wrong is said with its place`() throws {
        let source = try String(contentsOfFile: policies + "/Refresh.xml", encoding: .utf8)
        try tool.write(source.replacingOccurrences(of: "B2C_1A_SampleBase", with: "B2C_1A_Missing"), to: "Refresh.xml")
        let outcome = try tool.run(["policy", "trace", "Refresh.xml"])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("Refresh.xml:5:5: error: there is no policy \"B2C_1A_Missing\" among the files"))
        let fixed = try tool.run(["policy", "list", ".", "--base", policies])
        #expect(fixed.error.contains("B2C_1A_Missing"))
        #expect(try tool.run(["policy", "trace", "nowhere"]).status == 1)
        let several = try tool.run(["policy", "trace", policies])
        #expect(several.status == 1 && several.error.contains("name one by --policy"))
    }

    @Test func `parents may lie in another folder`() throws {
        let source = try String(contentsOfFile: policies + "/Transformations.xml", encoding: .utf8)
        try tool.write(source, to: "Transformations.xml")
        #expect(try tool.run(["policy", "run", "."]).status == 2)
        #expect(try tool.run(["policy", "run", ".", "--base", policies]).status == 0)
    }

    @Test func `settings come from an environment`() throws {
        let source = try String(contentsOfFile: policies + "/Transformations.xml", encoding: .utf8)
        try tool.write(
            source.replacingOccurrences(of: "Value=\"reader\"", with: "Value=\"{Settings:Role}\""), to: "T.xml")
        try tool.write(
            """
            { "Environments": [ { "Name": "A", "Tenant": "fabrikam.onmicrosoft.com", "PolicySettings": { "Role": "owner" } }, { "Name": "B", "PolicySettings": { "Role": "guest" } } ] }
            """, to: "appsettings.json")
        func role(_ environment: String) throws -> JSONValue? {
            let outcome = try tool.run([
                "policy", "run", "T.xml", "--base", policies, "--settings", "appsettings.json", "--environment",
                environment,
            ])
            return try JSONParser.parse(outcome.out)["claims", "firstRole"]
        }
        #expect(try role("A") == "owner")
        #expect(try role("b") == "guest")
    }

    @Test func `a run counts what it exercised`() throws {
        let scenarios = TestFiles.root().appendingPathComponent("scenarios/custom-policies/preconditions.json").path
        let outcome = try tool.run([
            "run", scenarios, "--coverage-text", "c.txt", "--coverage-json", "c.json", "--coverage-cobertura", "c.xml",
        ])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try tool.read("c.txt").contains("orchestration steps"))
        #expect(try JSONParser.parse(tool.read("c.json"))["totals", "step", "all"]?.intValue ?? 0 > 10)
        #expect(try tool.read("c.xml").contains("<!DOCTYPE coverage SYSTEM"))
    }

    /// Each report to the standard output is what its file would hold, and people read the other output.
    @Test func `a report may go to the standard output`() throws {
        let scenarios = TestFiles.root().appendingPathComponent("scenarios/custom-policies/preconditions.json").path
        for (option, start) in [
            ("--coverage-text", "policies:"), ("--coverage-json", "{"), ("--coverage-cobertura", "<?xml"),
            ("--report-junit", "<?xml"), ("--report-json", "{"), ("--trace-json", "{"), ("--trace-har", "{"),
            ("--report-html", "<!DOCTYPE html>"),
        ] {
            let filed = try tool.run(["run", scenarios, "--seed", "1", option, "report"])
            let piped = try tool.run(["run", scenarios, "--seed", "1", option, "-"])
            #expect(piped.status == 0 && filed.status == 0, "\(piped.error)")
            // JUnit XML and the page have wall times.
            let texts = [piped.out, try tool.read("report")].map {
                $0.replacing(/time="[0-9.]+"/, with: "").replacing(/"wall":\{[^}]*\},/, with: "")
            }
            #expect(texts[0] == texts[1], "\(option)")
            if option != "--coverage-text" { #expect(piped.out.hasPrefix(start), "\(option)") }
            #expect(piped.error.contains("passed") && filed.out.contains("passed"), "\(piped.error)")
        }
        let drawn = try tool.run(["policy", "graph", policies, "--policy", "B2C_1A_Refresh", "--svg", "-"])
        #expect(drawn.status == 0 && drawn.out.hasPrefix("<svg") && drawn.out.hasSuffix("</svg>\n"))
        let page = try tool.run(["policy", "trace", policies, "--policy", "B2C_1A_Transformations", "--html", "-"])
        #expect(page.status == 0 && page.out.hasPrefix("<!DOCTYPE html>"), "\(page.error)")
        let found = try tool.run(["validate", policies, "--format", "json", "--output", "-"])
        #expect((try? JSONParser.parse(found.out)) != nil)
        let baseline = try tool.run(["validate", policies, "--write-baseline", "-"])
        #expect((try? JSONParser.parse(baseline.out)) != nil && baseline.error.contains("findings"))
        let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        #expect(!left.contains("-"), "\(left)")
    }

    /// A policy may inherit from the built-in base, as the shipped ones do: no file is missing, and the whole chain is
    /// checked.
    @Test func `parents that are built in are not files`() throws {
        let found = try tool.run(["validate", policies])
        #expect(found.status == 0, "\(found.out)")
        #expect(!found.out.contains("B2C-POL-006") && !found.out.contains("among the files"), "\(found.out)")
        #expect(!found.out.contains("built-in"), "\(found.out)")
    }
}
