import JSON
import Testing

/// What a newcomer does in the first five minutes.
@Suite(.blocking) struct StarterTests {
    private func started(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let outcome = try tool.run("init")
        #expect(outcome.status == 0, "\(outcome.error)")
        try body(tool)
    }

    @Test func `what init writes is good, runs and passes`() throws {
        try started { tool in
            #expect(try tool.run("check").out == "1 scenario file and 1 tenant file are good\n")
            let run = try tool.run("run", "--seed", "7")
            #expect(run.status == 0, "\(run.out)\(run.error)")
            #expect(
                run.out.wholeMatch(of: /1 scenario in 1 file: 1 passed \(seed 7, \d+\.\d s\)\n/) != nil, "\(run.out)")
        }
    }

    @Test func `schemas are for editors, in a folder that git ignores`() throws {
        try started { tool in
            #expect(try tool.read(".b2c/.gitignore") == "*\n")
            for (file, schema) in [
                ("scenarios/first-sign-in.json", "../.b2c/schemas/scenario.schema.json"),
                ("scenarios/tenants/contoso.json", "../../.b2c/schemas/tenant.schema.json"),
                ("b2c.json", ".b2c/schemas/project.schema.json"),
            ] {
                #expect(try tool.read(file).contains("\"$schema\": \"\(schema)\""), "\(file)")
                let name = try #require(schema.split(separator: "/").last)
                #expect(try JSONParser.parse(try tool.read(".b2c/schemas/\(name)"))["$schema"] != nil)
            }
            // What is committed is small.
            let listed = try tool.shell("find . -type f -not -path './.b2c/*' -size +16k")
            #expect(listed.out.isEmpty, "\(listed.out)")
        }
    }

    @Test func `a pipeline names the repository, or says what to edit`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        for (service, file) in [
            ("github", ".github/workflows/b2c.yml"), ("azure", "azure-pipelines-b2c.yml"), ("gitlab", ".gitlab-ci.yml"),
        ] {
            let named = try tool.run("init", service, "--ci", service, "--repository", "contoso/b2c")
            #expect(named.status == 0 && !named.out.contains("OWNER"), "\(named)")
            let text = try tool.read("\(service)/\(file)")
            #expect(text.contains("https://github.com/contoso/b2c/releases/download") && !text.contains("OWNER"))
            let unnamed = try tool.run("init", "other-\(service)", "--ci", service)
            #expect(unnamed.out.contains("Edit other-\(service)/\(file): set OWNER"), "\(unnamed.out)")
        }
        let wrong = try tool.run("init", "--ci", "github", "--repository", "a b")
        #expect(wrong.status == 1 && wrong.error.contains("expected ACCOUNT/NAME"))
    }

    @Test(arguments: ["ios", "android", "spa", "web", "web,ios,android,spa"])
    func `init writes the apps that are named, and the first signs in`(_ apps: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        #expect(try tool.run("init", "--app", apps).status == 0)
        let tenant = try JSONParser.parse(try tool.read("scenarios/tenants/contoso.json"))
        let names = apps.split(separator: ",").map(String.init)
        #expect(tenant["apps"]?.objectValue?.keys == names)
        #expect(try tool.read("scenarios/first-sign-in.json").contains("\"app\": \"\(names[0])\""))
        let run = try tool.run("run", "--profile", "ci")
        #expect(run.status == 0, "\(run.out)\(run.error)")
        // Reports are not for the repository.
        #expect(try tool.read("reports/.gitignore") == "*\n")
        let again = try tool.run("init", "--app", "ios")
        #expect(
            again.out.contains("kept   scenarios/tenants/contoso.json, which --app does not change\n"), "\(again.out)")
        let wrong = try tool.run("init", "other", "--app", "iphone")
        #expect(wrong.status == 1 && wrong.error.hasPrefix("b2c: "), "\(wrong.error)")
    }

    @Test func `init never overwrites`() throws {
        try started { tool in
            try tool.write("mine", to: "scenarios/first-sign-in.json")
            let again = try tool.run("init")
            #expect(again.status == 0)
            #expect(again.out.contains("kept   scenarios/first-sign-in.json"))
            #expect(try tool.read("scenarios/first-sign-in.json") == "mine")
        }
    }

    @Test func `a failure says what was expected and found, and how to repeat it`() throws {
        try started { tool in
            let script = try tool.read("scenarios/first-sign-in.json")
            let changed = script.split(separator: "\n", omittingEmptySubsequences: false)
                .map {
                    $0.contains("\"tfp\"") ? $0.split(separator: "\"Ada\"").joined(separator: "\"Eve\"") : String($0)
                }
            try tool.write(changed.joined(separator: "\n"), to: "scenarios/first-sign-in.json")
            let run = try tool.run(
                "run", "--seed", "7", "--report-junit", "junit.xml", "--report-json", "report.json", "--trace-json",
                "trace.json")
            #expect(run.status == 4)
            for line in [
                "FAIL scenarios/first-sign-in.json: Ada signs in, and the second call needs no network",
                "  step signIn (acquireToken) at scenarios/first-sign-in.json:8",
                "    /result/idToken/claims/name", "      expected \"Eve\"", "      actual   \"Ada\"",
                "  repeat  b2c run scenarios/first-sign-in.json --seed 7",
            ] {
                #expect(run.out.contains(line + "\n"), "\(line) is not in\n\(run.out)")
            }
            #expect(run.out.contains("1 scenario in 1 file: 0 passed, 1 failed (seed 7, "), "\(run.out)")
            #expect(try tool.read("junit.xml").contains("<failure type=\"failed\" message=\"signIn: /result/idToken"))
            let report = try JSONParser.parse(try tool.read("report.json"))
            #expect(report["counts", "failed"] == 1)
            for file in ["report.json", "trace.json", "junit.xml"] {
                let text = try tool.read(file)
                #expect(!text.contains("Analytical-1843"), "\(file) holds a secret")
                #expect(!text.contains(/eyJ[\w-]+\.[\w-]+/), "\(file) holds a secret")
                #expect(!text.contains(tool.folder.path), "\(file) holds an absolute path")
            }
        }
    }

    @Test func `the same seed gives the same bytes, also from an absolute path`() throws {
        try started { tool in
            let reports = try [["run"], ["run", tool.folder.appendingPathComponent("scenarios").path, "--jobs", "2"]]
                .map {
                    let run = try tool.run($0 + ["--seed", "3", "--trace-json", "trace.json"])
                    #expect(run.status == 0)
                    return try tool.read("trace.json")
                }
            #expect(reports[0] == reports[1])
            #expect(try tool.run("run", "--seed", "4", "--trace-json", "trace.json").status == 0)
            #expect(try tool.read("trace.json") != reports[0])
        }
    }

    @Test func `a policy can be listed, shown and traced`() throws {
        try started { tool in
            let file = "scenarios/tenants/contoso.json"
            #expect(
                try tool.run("policy", "list", "--tenant", file).out.contains("susi   B2C_1_susi   signUpOrSignIn\n"))
            let shown = try tool.run("policy", "show", "b2c_1_SUSI", "--tenant", file)
            #expect(shown.status == 0)
            #expect(shown.out.hasPrefix("<?xml") && shown.out.contains("PolicyId=\"B2C_1_susi\""))
            let traced = try tool.run("policy", "trace", "susi", "--tenant", file, "--as", "ada")
            #expect(traced.status == 0, "\(traced.error)")
            #expect(traced.out.contains("\n  step 1 ") && traced.out.contains("profile "))
            #expect(!traced.out.contains("Analytical-1843"))
            let signUp = try tool.run("policy", "trace", "susi", "--tenant", file, "--as", "nina", "--json")
            #expect(signUp.status == 0, "\(signUp.error)")
            #expect(try JSONParser.parse(signUp.out)["trace"]?.arrayValue?.isEmpty == false)
            let unknown = try tool.run("policy", "show", "susy", "--tenant", file)
            #expect(unknown.status == 1 && unknown.error.contains("Did you mean susi?"))
        }
    }

    @Test func `the JSON report goes to the output alone`() throws {
        try started { tool in
            let run = try tool.run("run", "--json", environment: ["B2C_SEED": "5"])
            #expect(run.status == 0)
            #expect(try JSONParser.parse(run.out)["seed"] == "5")
            #expect(run.error.contains("1 passed (seed 5, "))
        }
    }
}
