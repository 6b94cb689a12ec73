import Foundation
import HTTPMessages
import JSON
import TestSupport
import Testing

/// `b2c run` and `b2c compare` as typed, against a stand-in tenant of real HTTP.
@Suite(.blocking) struct LiveTargetTests {
    /// A stand-in and the files that describe it, in the tool's folder.
    private struct Stage {
        let tool: Tool
        let tenant: StandInTenant

        static let secrets = [
            "B2C_SECRET_ADA": "Analytical-1843", "B2C_SECRET_NEW": "Difference-1822",
            "B2C_SECRET_NINA": "Newcomer-2026",
        ]

        init(_ more: String = "", interruption: @escaping StandInTenant.Interruption = { _, _ in nil }) throws {
            let tool = try Tool()
            self.tool = tool
            tenant = try StandInTenant(
                accounts: ["ada@example.test": .init(password: "Analytical-1843", name: "Ada")],
                interruption: interruption
            ) { address, code in try? tool.write("Your code is \(code)\n", to: "code-\(address)") }
            try tool.write(Self.file, to: "tenant.json")
            try tool.write(
                """
                { "kind": "live", "tenant": "tenant.json", "pacing": { "requests": 10000 }, \(more)
                  "connectTimeout": "PT10M", "timeout": "PT10M",
                  "connectTo": { "\(StandInTenant.host)": "http://127.0.0.1:\(tenant.port)" } }
                """, to: "live.json")
            try script(#"{ "id": "in", "acquireToken": {}, "user": "ada" }"#, to: "in.json")
        }

        static let file = """
            { "name": "contoso",
              "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" },
                "reset": { "id": "B2C_1_reset", "type": "passwordReset" } },
              "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" },
                "platform": { "bundleId": "com.contoso.tasks" },
                "registration": { "clientId": "8a3f1f6a-6c0e-4a6b-9f0e-2f1d3c4b5a69" } } },
              "users": {
                "ada": { "email": "ada@example.test", "password": "{{secret/ADA}}", "newPassword": "{{secret/NEW}}",
                  "displayName": "Ada" },
                "nina": { "registered": false, "email": "nina@example.test", "password": "{{secret/NINA}}" } } }
            """

        func script(_ steps: String, to file: String) throws {
            try tool.write(
                "{ \"name\": \"\(file)\", \"tenant\": \"tenant.json\", \"app\": \"ios\", \"steps\": [ \(steps) ] }",
                to: file)
        }

        func program(_ text: String, to file: String) throws {
            try tool.write("#!/bin/sh\n" + text + "\n", to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: tool.folder.appendingPathComponent(file).path)
        }

        func run(_ arguments: String..., environment: [String: String] = Self.secrets) throws -> Tool.Outcome {
            try tool.run(["run", "--target", "live.json"] + arguments, environment: environment)
        }
    }

    private func staged(_ stage: Stage, _ body: (Stage) throws -> Void) throws {
        defer { stage.tool.remove() }
        try body(stage)
    }

    @Test func `a sign-in prints no password`() throws {
        try staged(try Stage()) { stage in
            let run = try stage.run("-v", "in.json", "--trace-json", "t.json")
            #expect(run.status == 0, "\(run.out)\(run.error)")
            let text = try run.out + run.error + stage.tool.read("t.json")
            #expect(!text.contains("Analytical-1843"))
            #expect(stage.tenant.complaints == [])
        }
    }

    @Test func `a secret that nobody gave is named, and nothing is sent`() throws {
        try staged(try Stage()) { stage in
            let run = try stage.run("in.json", environment: [:])
            #expect(run.status == 2, "\(run.out)\(run.error)")
            #expect(run.error.contains("ADA"), "\(run.error)")
            #expect(run.error.contains("B2C_SECRET_ADA"), "\(run.error)")
            #expect(stage.tenant.requests.isEmpty)
        }
    }

    @Test func `secrets may come from a file`() throws {
        try staged(try Stage()) { stage in
            try stage.tool.write(#"{ "ADA": "Analytical-1843", "NEW": "y", "NINA": "x" }"#, to: "secrets.json")
            let run = try stage.run("in.json", "--secrets-file", "secrets.json", environment: [:])
            #expect(run.status == 0, "\(run.out)\(run.error)")
            try stage.tool.write(#"{ "ADA": 7 }"#, to: "secrets.json")
            let wrong = try stage.run("in.json", "--secrets-file", "secrets.json", environment: [:])
            #expect(wrong.status == 2 && wrong.error.contains("the secret ADA is not text"), "\(wrong.error)")
        }
    }

    @Test func `a password in the file is refused with its place`() throws {
        try staged(try Stage()) { stage in
            try stage.tool.write(
                Stage.file.replacing("\"{{secret/ADA}}\"", with: "\"Analytical-1843\""), to: "tenant.json")
            let run = try stage.run("in.json")
            #expect(run.status == 2, "\(run.error)")
            #expect(run.error.contains("tenant.json:8:"), "\(run.error)")
            #expect(run.error.contains("the file contains a credential of a real tenant"))
            #expect(run.error.contains("{{secret/NAME}}"))
            #expect(stage.tenant.requests.isEmpty)
        }
    }

    // MARK: How runs end

    @Test func `exit codes: flaky is good, blocked is 3, failed is 4, skipped is 0`() throws {
        let pause = ResponseMessage.text(429, "", headers: ["Retry-After": "0"])
        let isFirst = OnceFlag()
        try staged(
            try Stage { request, _ in request.url.path.hasSuffix("/token") && isFirst.take() ? .response(pause) : nil }
        ) {
            stage in
            let run = try stage.run("in.json", "--report-junit", "j.xml")
            #expect(run.status == 0, "\(run.out)\(run.error)")
            #expect(run.out.contains("flaky") && run.out.contains("passed when it was repeated"), "\(run.out)")
            #expect(try stage.tool.read("j.xml").contains("flaky: the target asked for a pause of PT0S (429)"))
        }
        try staged(
            try Stage { request, _ in
                request.url.path.hasSuffix("/authorize") ? .response(.redirect("https://evil.test/")) : nil
            }
        ) { stage in
            let run = try stage.run("in.json")
            #expect(run.status == 3, "\(run.out)\(run.error)")
            #expect(run.out.contains("evil.test is not a host of this target"), "\(run.out)")
        }
        try staged(try Stage()) { stage in
            try stage.script(#"{ "acquireToken": {}, "user": "ada", "expect": { "pages": 7 } }"#, to: "wrong.json")
            #expect(try stage.run("wrong.json").status == 4)
            try stage.script(#"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#, to: "reset.json")
            let skipped = try stage.run("reset.json")
            #expect(skipped.status == 0, "\(skipped.out)\(skipped.error)")
            #expect(stage.tenant.account("ada@example.test")?.password == "Analytical-1843")
        }
    }

    // MARK: Inbox

    @Test func `a program brings the code, without a shell`() throws {
        try staged(
            try Stage(
                #""live": true, "inbox": { "command": ["./newest", "{to}", "$(touch pwned); touch pwned", "{since}"] },"#
            )
        ) { stage in
            try stage.program(
                #"[ $# = 3 ] && [ "$2" = '$(touch pwned); touch pwned' ] && exec cat "code-$1""#, to: "newest")
            try stage.script(#"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#, to: "reset.json")
            let run = try stage.run("reset.json", "--allow-live-changes")
            #expect(run.status == 0, "\(run.out)\(run.error)")
            #expect(stage.tenant.account("ada@example.test")?.password == "Difference-1822")
            #expect(!FileManager.default.fileExists(atPath: stage.tool.folder.appendingPathComponent("pwned").path))
        }
    }

    @Test(arguments: [
        (#"["./nowhere"]"#, "./nowhere cannot be run"), (#"["yes"]"#, "yes prints more than 1 MiB, so it was stopped"),
    ])
    func `a program that cannot be used is reported at once`(_ row: (command: String, words: String)) throws {
        try staged(try Stage(#""live": true, "inbox": { "command": \#(row.command) },"#)) { stage in
            try stage.script(#"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#, to: "reset.json")
            let run = try stage.run("reset.json", "--allow-live-changes")
            #expect(run.status == 4, "\(run.out)\(run.error)")
            #expect(run.out.contains(row.words), "\(run.out)")
        }
    }

    @Test func `a question without a terminal is reported`() throws {
        try staged(try Stage(#""live": true, "inbox": { "prompt": true },"#)) { stage in
            try stage.script(#"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#, to: "reset.json")
            let run = try stage.run("reset.json", "--allow-live-changes")
            #expect(run.status == 4 && run.out.contains("there is no terminal to ask at"), "\(run.out)\(run.error)")
        }
    }

    // MARK: compare

    @Test func `compare: equal, different, known, not comparable`() throws {
        try staged(try Stage()) { stage in
            func compare(_ second: String, _ more: String...) throws -> Tool.Outcome {
                try stage.tool.run(
                    ["compare", "--target", "in-process", "--target", second, "--seed", "7"] + more,
                    environment: Stage.secrets)
            }
            let equal = try compare("in-process", "in.json")
            #expect(equal.status == 0, "\(equal.out)\(equal.error)")
            #expect(equal.out.contains(": 0 differ, 0 of them expected"), "\(equal.out)")
            let different = try compare("live.json", "in.json", "--write-expected", "known.json")
            #expect(different.status == 4, "\(different.out)\(different.error)")
            #expect(different.out.contains("differs requests/"), "\(different.out)")
            #expect(!different.out.contains("Analytical-1843"))
            let known = try compare("live.json", "in.json", "--expected", "known.json")
            #expect(known.status == 0, "\(known.out)\(known.error)")
            #expect(known.out.contains("expected: recorded, not explained yet"))
            let unused = try compare("in-process", "in.json", "--expected", "known.json", "--json")
            #expect(unused.status == 0)
            let json = try JSONParser.parse(unused.out)
            #expect(json["good"] == true && (json["notFound"]?.arrayValue?.count ?? 0) > 0, "\(unused.out)")
            try stage.script(#"{ "advanceClock": "PT1H" }, { "acquireToken": {}, "user": "ada" }"#, to: "clock.json")
            let skipped = try compare("live.json", "clock.json")
            #expect(skipped.status == 3, "\(skipped.out)\(skipped.error)")
            #expect(skipped.out.contains("not compared: clock.json: skipped on live.json: "), "\(skipped.out)")
        }
    }

    @Test func `compare says what is wrong with how it was called`() throws {
        try staged(try Stage()) { stage in
            for (arguments, status, words) in [
                (["in.json", "--target", "in-process"], 1, "compare takes --target twice"),
                (["in.json", "--target", "in-process", "--target", "nowhere"], 1, "no target of that name"),
                (
                    ["in.json", "--target", "in-process", "--target", "in-process", "--expected", "no.json"], 2,
                    "no.json"
                ),
                (
                    ["in.json", "--target", "in-process", "--target", "in-process", "--expected", "in.json"], 2,
                    "differences"
                ),
                (["none.json", "--target", "in-process", "--target", "in-process"], 2, "none.json"),
            ] as [([String], Int32, String)] {
                let run = try stage.tool.run(["compare"] + arguments, environment: Stage.secrets)
                #expect(run.status == status, "\(arguments) \(run.error)")
                #expect(run.error.contains(words), "\(run.error)")
            }
        }
    }

    // MARK: Real browsers that are none

    @Test(arguments: [
        (["--browser-driver", "/nowhere/chromedriver"], "/nowhere/chromedriver cannot be run"),
        (["--browser-driver", "./silent"], "./silent has ended with status 0 and has not said at which port"),
        (["--browser-driver", "./fails"], "./fails has ended with status 127 and has not said at which port"),
        (["--browser-driver", "./chatty"], "is not a WebDriver server (the WebDriver server answered with HTTP 404"),
        (["--browser-driver", "http://127.0.0.1:1"], "the WebDriver server at http://127.0.0.1:1 cannot be reached"),
    ])
    func `a program that is not a driver is reported`(_ row: (arguments: [String], words: String)) throws {
        try staged(try Stage()) { stage in
            try stage.program("echo hello; exit 0", to: "silent")
            // Something listens there, but it is the stand-in and no driver.
            try stage.program("echo Listening on 127.0.0.1:\(stage.tenant.port); exec sleep 60", to: "chatty")
            try stage.program("echo 'cannot find libX' >&2; exit 127", to: "fails")
            let run = try stage.tool.run(
                ["run", "--target", "live.json", "in.json"] + row.arguments, environment: Stage.secrets)
            #expect(run.status == 3, "\(run.out)\(run.error)")
            #expect((run.out + run.error).contains(row.words), "\(run.out)\(run.error)")
            #expect(stage.tenant.requests.allSatisfy { $0.url.path == "/status" })
        }
    }
}

/// True for the first that asks.
private final class OnceFlag: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false

    func take() -> Bool {
        lock.lock()
        defer {
            isTaken = true
            lock.unlock()
        }
        return !isTaken
    }
}
