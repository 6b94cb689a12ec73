import Testing

@Suite(.blocking) struct BadInputTests {
    private let good = """
        { "name": "Good", "tags": ["smoke"], "tenant": "tenants/contoso.json", "app": "ios",
          "cases": { "one": {}, "two": { "configure": { "users": { "ada": { "city": "London" } } } } },
          "steps": [ { "id": "first", "acquireToken": {}, "user": "ada" }, { "accounts": {} } ] }
        """

    private func withTool(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        _ = try tool.run("init")
        try tool.write(good, to: "scenarios/good.json")
        try body(tool)
    }

    @Test func `everything wrong in every file is said at once, and nothing runs`() throws {
        try withTool { tool in
            try tool.write(
                """
                { "name": "Bad", "tenant": "tenants/contoso.json",
                  "steps": [ { "acquireToken": { "polcy": "susi" }, "user": "adda" } ] }
                """, to: "scenarios/bad.json")
            try tool.write("{ \"name\": \"Broken\", \"steps\": [ ], }", to: "scenarios/broken.json")
            for command in ["run", "check"] {
                let outcome = try tool.run(command)
                #expect(outcome.status == 2)
                for text in [
                    "scenarios/bad.json:2:", "polcy", "`adda`", "Did you mean `ada`?", "^^^^",
                    "scenarios/broken.json:1:",
                ] {
                    #expect(outcome.error.contains(text), "\(text) is not in\n\(outcome.error)")
                }
                #expect(!outcome.out.contains("ok"))
            }
        }
    }

    @Test(arguments: ["cases", "set", "clients"])
    func `a number as a name is one finding`(member: String) throws {
        try withTool { tool in
            let key = "9223372036854775807"
            try tool.write(#"{ "\#(member)": { "\#(key)": "x" } }"#, to: "scenarios/number.json")
            for command in ["run", "check"] {
                let outcome = try tool.run(command, "scenarios/number.json")
                #expect(outcome.status == 2 && outcome.error.contains("scenarios/number.json:1:"), "\(outcome.error)")
            }
            let outcome = try tool.run("validate", "scenarios/number.json")
            #expect((0...4).contains(outcome.status), "\(outcome.error)")
        }
    }

    /// What a run would say of the start of a scenario, the check says too; and nothing runs, not even the good ones.
    @Test(arguments: [
        (
            #""configure": { "policies": { "extra": { "id": "B2C_1A_extra", "type": "custom", "file": "none.xml" } } }"#,
            "none.xml"
        ),
        (
            #""cases": { "odd": { "configure": { "policies": { "extra": { "id": "B2C_1A_extra", "type": "custom", "file": "none.xml" } } } } }"#,
            "none.xml"
        ),
        (#""cases": { "odd": { "set": { "start": "soon" } } }, "clock": "{{start}}""#, "clock"),
        (
            #""cases": { "odd": { "set": { "skew": "ten minutes" } } }, "configure": { "device": { "clock": { "skew": "{{skew}}" } } }"#,
            "skew"
        ),
        (
            #""cases": { "odd": { "set": { "policy": "sussi" } } }, "finally": [ { "acquireToken": { "policy": "{{policy}}" } } ]"#,
            "sussi"
        ),
    ])
    func `what cannot start is an error before anything runs`(member: String, named: String) throws {
        try withTool { tool in
            try tool.write(
                """
                { "name": "Bad start", "tenant": "tenants/contoso.json", "app": "ios",
                  \(member),
                  "steps": [ { "accounts": {} } ] }
                """, to: "scenarios/start.json")
            let check = try tool.run("check")
            let run = try tool.run("run")
            #expect(check.status == 2 && run.status == 2)
            #expect(check.error.contains("scenarios/start.json:2:") && check.error.contains(named), "\(check.error)")
            #expect(run.error.contains("nothing ran") && run.out.isEmpty)
            for line in check.error.split(separator: "\n") { #expect(run.error.contains(line), "\(line)") }
        }
    }

    @Test func `warnings are errors where that is asked for`() throws {
        try withTool { tool in
            try tool.write(
                """
                { "name": "Good", "variables": { "unused": 1 }, "tenant": "tenants/contoso.json", "app": "ios",
                  "steps": [ { "accounts": {} } ] }
                """, to: "scenarios/warned.json")
            for command in ["check", "run"] {
                let usual = try tool.run(command)
                #expect(usual.status == 0)
                #expect(usual.error.contains("B2C-SCN-080") && usual.error.contains("B2C-SCN-083"), "\(usual.error)")
                #expect(try tool.run(command, "--strict").status == 2)
                #expect(try tool.run(command, environment: ["B2C_STRICT": "1"]).status == 2)
            }
        }
    }

    @Test func `a variable nobody declares is an error before anything runs`() throws {
        try withTool { tool in
            let outcome = try tool.run("run", "--variable", "host=x")
            #expect(outcome.status == 2)
            #expect(outcome.error.contains("`host`") && outcome.error.contains("nothing ran") && outcome.out.isEmpty)
        }
    }

    @Test func `a secret of the environment is masked everywhere`() throws {
        try withTool { tool in
            try tool.write(
                """
                { "name": "Secret", "tenant": "tenants/contoso.json", "app": "ios",
                  "steps": [ { "acquireToken": { "extraQueryParameters": { "hint": "{{secret/HINT}}" } }, "user": "ada",
                               "expect": { "requests": 0 } } ] }
                """, to: "scenarios/secret.json")
            let missing = try tool.run("run", "scenarios/secret.json")
            #expect(missing.status == 2 && missing.error.contains("HINT"))
            for environment in [["HINT": "very secret word"], ["B2C_SECRET_HINT": "very secret word"]] {
                let run = try tool.run(
                    "run", "scenarios/secret.json", "--report-json", "report.json", environment: environment)
                #expect(run.status == 4)
                let text = try run.out + run.error + tool.read("report.json")
                #expect(
                    !text.contains("very secret word") && !text.contains("very+secret") && !text.contains("very%20"))
                #expect(text.contains("<secret HINT>"))
            }
        }
    }

    @Test func `filters choose`() throws {
        let good = ["one", "two"].map { "scenarios/good.json: Good [\($0)]  #smoke\n" }
        let first = "scenarios/first-sign-in.json: Ada signs in, and the second call needs no network  #first\n"
        let cases: [(filter: [String], lines: String)] = [
            (["--tags", "smoke"], good[0] + good[1]), (["--tags", "!smoke"], first),
            (["--tags", "first,smoke"], first + good[0] + good[1]), (["--name", "gOOd"], good[0] + good[1]),
            (["--case", "two"], good[1]),
        ]
        try withTool { tool in
            for (filter, lines) in cases {
                let list = try tool.run(["run", "--list"] + filter)
                #expect(list.status == 0 && list.out == lines, "\(filter)")
            }
        }
    }

    @Test func `a filter that nothing matches is an error`() throws {
        try withTool { tool in
            for filter in [
                ["--tags", "smok"], ["--name", "nothing like it"], ["--case", "three"], ["scenarios/good.json#frst"],
            ] {
                let outcome = try tool.run(["run"] + filter)
                #expect(outcome.status == 1 && outcome.out.isEmpty, "\(filter) \(outcome.out)\(outcome.error)")
            }
        }
    }

    @Test func `a scenario can be cut after a step`() throws {
        try withTool { tool in
            let run = try tool.run("run", "scenarios/good.json#first", "--case", "one", "-v", "--seed", "1")
            #expect(run.status == 0, "\(run.out)\(run.error)")
            #expect(run.out.contains("ok   first acquireToken") && !run.out.contains("accounts"))
        }
    }

    @Test func `a tenant file is not run, and a missing file is said to be missing`() throws {
        try withTool { tool in
            let tenant = try tool.run("run", "scenarios/tenants/contoso.json")
            #expect(tenant.status == 2 && tenant.error.contains("this is a tenant file"))
            let missing = try tool.run("run", "scenarios/god.json")
            #expect(missing.status == 2 && missing.error.contains("Did you mean scenarios/good.json?"))
        }
    }
}
