import Testing
import Verbs

@testable import ScenarioRunner

/// What verbs have in common when they run.
@Suite struct VerbTests {
    @Test func `every verb except groups can run`() {
        let idle = Verb.allCases.filter { !($0.record is any RunnableVerb.Type) }
        #expect(idle == [.steps, .parallel])
    }

    @Test func `a value that does not fit its parameter fails the step, with its place and what was expected`()
        async throws
    {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
              "steps": [
                { "id": "fetched", "callApi": { "api": "tasks", "path": "/tasks", "token": null },
                  "faults": [ { "match": { "endpoint": "api" }, "respond": { "json": { "v": "yes" } } } ] },
                { "acquireTokenSilent": { "forceRefresh": "{{fetched/result/json/v}}" }, "expect": { "error": {} } } ] }
            """)
        #expect(
            Running.failures(report).contains(
                "acquireTokenSilent at /steps/1: acquireTokenSilent/forceRefresh: expected true or false, found \"yes\""
            ),
            "\(Running.failures(report))")
    }

    private static func extensionCall(_ parameters: String, answer: String, _ expect: String) -> String {
        """
        { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
          "configure": { "rest": { "e": { "match": { "url": "https://e.test/" }, "reply": { "json": \(answer) } } } },
          "steps": [ { "callExtension": { \(parameters) }, "expect": \(expect) } ] }
        """
    }

    @Test func `what an extension repeats of a password is masked`() async throws {
        let modulus =
            "vxAnmMvR8Oc1xymaOuEtbFxcpPQSYG1IxIgVurMztVpkpr3viZfefl1npcw5R0kLvQXGEwFTlZLzUNWdWqIVpa"
            + "ESdZlZhLNAUGnrXaXaGJh89xMxWOocXvIj0YFacOTAh8EE__lhga8Ro1tcXPsa3M6vFn92AJDiOpFN17JcdZf4"
            + "wOGcJ9rJuoKp5zMo09koJIJ13Xxl73Vzy-hGGk2rjJqOcGBMOdWStBXJHC_dQJFIYAMgQp--1FiCt8Js7NAp4P"
            + "rLXb8NYIH5XX0OaMUFVoz_SzOEXNDox_GgGQkPHkGVNNJF2BlvYF6NSpJyq_7Ys1jBmRlTed6j3SKS5ry4-Q"
        let report = try await Running.run(
            Self.extensionCall(
                #"""
                "url": "https://e.test/", "event": "passwordSubmit", "user": "ada",
                "key": { "kty": "RSA", "e": "AQAB", "n": "\#(modulus)" }
                """#,
                answer: #"""
                    { "data": { "@odata.type": "microsoft.graph.onPasswordSubmitResponseData", "actions": [ {
                      "@odata.type": "microsoft.graph.passwordSubmit.Block",
                      "title": "No", "message": "Analytical-1843 is wrong" } ] } }
                    """#,
                #"""
                { "result": { "members": { "message": "*** is wrong" },
                  "whatPersonSees": { "$contains": "\"*** is wrong\"" } } }
                """#))
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test func `a call of an extension that no stub answers fails the step`() async throws {
        let call = Self.extensionCall(
            #""url": "https://other.test/", "event": "emailOtpSend", "user": "ada""#, answer: "{}",
            #"{ "result": { "findings": [] } }"#)
        let failures = Running.failures(try await Running.run(call))
        #expect(failures.contains("no REST stub answers POST https://other.test/"), "\(failures)")
    }

    @Test(arguments: [
        (#""token": null"#, #"{ "$exists": false }"#), (#""host": "external""#, #"{ "$startsWith": "Bearer ey" }"#),
    ])
    func `the token of a call is as the script says`(parameter: String, header: String) async throws {
        let report = try await Running.run(
            Self.extensionCall(
                #""url": "https://e.test/", "event": "emailOtpSend", "user": "ada", \#(parameter)"#, answer: "{}",
                #"{ "result": {}, "requests": [ { "headers": { "authorization": \#(header) } } ] }"#))
        #expect(report.status == .passed, "\(Running.failures(report))")
    }
}
