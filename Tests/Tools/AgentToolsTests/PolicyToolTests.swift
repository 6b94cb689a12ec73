import CommandKit
import JSON
import ModelContext
import TestSupport
import Testing

@testable import AgentTools

/// The tools of policies, on the samples with a loyalty service.
struct PolicyToolTests {
    private static let tier: JSONValue = [
        "tier": [
            "match": ["url": ["$startsWith": "https://loyalty.contoso.test/"]], "reply": ["json": ["tier": "gold"]],
        ]
    ]

    private static func trace(_ world: AgentWorld, _ more: JSONObject = [:]) async -> ContextAnswer {
        var arguments: JSONObject = ["folder": "policies", "policy": "B2C_1A_loyalty", "person": "nina"]
        for (name, value) in more.members { arguments[name] = value }
        return await world.call(PolicyTraceTool.tool, arguments)
    }

    // MARK: policy_check

    @Test func `a reference that leads nowhere is a finding with its line and remedy`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let before = await world.call(PolicyCheckTool.tool, ["folder": "policies"])
        #expect(!before.isError && before.structured["files"] == 2)
        #expect(before.list("findings").allSatisfy { $0["severity"] != "error" })
        let line = try world.replace(
            #"<ValidationTechnicalProfile ReferenceId="REST-Tier" />"#,
            with: #"<ValidationTechnicalProfile ReferenceId="REST-Tyer" />"#, in: "policies/Loyalty.xml")
        let after = await world.call(PolicyCheckTool.tool, ["folder": "policies"])
        #expect(!after.isError && after.verdict.contains("1 error"))
        let finding = try #require(after.list("findings").first { $0["severity"] == "error" })
        #expect(finding["line"]?.intValue == Int64(line) && finding["column"]?.intValue != nil)
        #expect(finding["file"]?.stringValue?.hasSuffix("policies/Loyalty.xml") == true)
        #expect(finding["remedy"]?.stringValue?.contains("REST-Tier") == true)
    }

    // MARK: policy_show

    @Test func `a list names parents and journeys, a policy its steps and claims`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let all = await world.call(PolicyShowTool.tool, ["folder": "policies"])
        let entry = try #require(all.list("policies").first { $0["id"] == "B2C_1A_loyalty" })
        #expect(entry["parents"]?.arrayValue?.first == "B2C_1A_SampleBase")
        #expect(entry["journeys"]?.arrayValue?.first == "SignUpOrSignIn")
        let one = await world.call(PolicyShowTool.tool, ["folder": "policies", "policy": "B2C_1A_loyalty"])
        #expect(one.verdict.contains("SignUpOrSignIn") && one.structured["note"] != nil)
        let steps = one.list("steps")
        #expect(steps.allSatisfy { $0["file"]?.stringValue?.hasSuffix(".xml") == true && $0["line"] != nil })
        #expect(steps[1]["skippedIf"] == ["objectId exists"])
        let signUp = try #require(
            steps.flatMap { $0["exchanges"]?.arrayValue ?? [] }.first {
                $0["profile"] == "LocalAccountSignUpWithLogonEmail"
            })
        #expect(signUp["claimsOut"]?.arrayValue?.contains("tier") == true)
        #expect(signUp["validation"]?.arrayValue?.contains { $0["profile"] == "REST-Tier" } == true)
        let whole = try #require(world.context.reports.read(one.links.last?.uri ?? ""))
        #expect(whole.mimeType == "application/xml" && whole.text.contains("<TrustFrameworkPolicy"))
    }

    @Test func `a changed file is read again, an unchanged one is not linked again`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let arguments: JSONObject = ["folder": "policies", "policy": "B2C_1A_loyalty"]
        _ = await world.call(PolicyShowTool.tool, arguments)
        let first = try world.context.policies(arguments)
        let links = first.shelf.linkedPolicies
        _ = await world.call(PolicyShowTool.tool, arguments)
        #expect(try world.context.policies(arguments).shelf === first.shelf && first.shelf.linkedPolicies == links)
        try world.replace("Tier of a person", with: "Tier of everybody", in: "policies/Loyalty.xml")
        let after = await world.call(PolicyShowTool.tool, arguments)
        let whole = try #require(world.context.reports.read(after.links.last?.uri ?? ""))
        #expect(whole.text.contains("Tier of everybody"))
    }

    // MARK: policy_trace

    @Test func `a sign-in has its steps, the origin of claims, calls and the token`() async throws {
        let answer = await Self.trace(try AgentWorld("Base", "Loyalty"), ["rest": Self.tier])
        #expect(!answer.isError && answer.verdict.contains("nina gets a token"))
        #expect(answer.structured["token"]?["tier"] == "gold")
        let call = try #require(answer.list("calls").first)
        #expect(call["profile"] == "REST-Tier" && call["received"] == ["tier": "gold"])
        #expect(answer.list("pages").count >= 2)
        let issued = answer.list("steps").flatMap { $0["issued"]?.arrayValue ?? [] }
        let tier = try #require(issued.first { $0["tier"] != nil })
        #expect(tier["from"]?.stringValue?.contains("REST-Tier") == true)
    }

    @Test func `a sign-in without a token is a verdict with what to do next`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let answer = await Self.trace(world)
        #expect(!answer.isError && answer.structured["token"] == nil)
        #expect(answer.structured["next"]?.stringValue?.contains("`makeUpServices`") == true)
        let madeUp = await Self.trace(world, ["makeUpServices": true])
        #expect(madeUp.structured["token"]?["tier"] != nil && madeUp.list("madeUp").count == 1)
    }

    @Test func `a policy that does not link is an error with its findings`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let line = try world.replace(
            #"ClaimTypeReferenceId="tier" />"#, with: #"ClaimTypeReferenceId="tyer" />"#, in: "policies/Loyalty.xml")
        let answer = await Self.trace(world)
        #expect(answer.isError && answer.verdict.contains("1 error"))
        let finding = try #require(answer.list("findings").first { $0["severity"] == "error" })
        #expect(finding["line"]?.intValue == Int64(line))
        #expect(finding["file"]?.stringValue?.hasSuffix("policies/Loyalty.xml") == true)
    }

    @Test func `a password is in no answer`() async throws {
        let canary = "Canary-Pass-5127"
        let world = try AgentWorld("Base", "Loyalty")
        try world.replace("Loyalty tier", with: "password=\(canary)", in: "policies/Loyalty.xml")
        let person: JSONValue = ["email": "zoe@example.test", "password": .string(canary)]
        let trace = await Self.trace(world, ["person": person, "rest": Self.tier])
        let show = await world.call(PolicyShowTool.tool, ["folder": "policies", "policy": "B2C_1A_loyalty"])
        let reports = world.context.reports.resources.compactMap { world.context.reports.read($0.uri)?.text }
        #expect(reports.count == show.links.count + trace.links.count && !reports.isEmpty)
        for text in [JSONWriter.compact(trace.json), JSONWriter.compact(show.json)] + reports {
            #expect(!text.contains(canary))
        }
    }

    // MARK: policy_explore

    @Test func `an exploration counts states, and a finding has its path`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let invariants: JSONValue = [
            "invariants": [["name": "everybody is gold", "always": ["claims": ["tier": "gold"]]]]
        ]
        let answer = await world.call(
            PolicyExploreTool.tool,
            ["folder": "policies", "policy": "B2C_1A_loyalty", "invariants": invariants, "seconds": 600])
        #expect(!answer.isError)
        #expect((answer.list("policies").first?["states"]?.intValue ?? 0) > 1)
        let finding = try #require(
            world.whole(answer)["findings"]?.arrayValue?.first {
                $0["message"]?.stringValue?.contains("everybody is gold") == true
            })
        #expect(finding["path"]?.arrayValue?.isEmpty == false && finding["policies"] == ["B2C_1A_loyalty"])
        #expect(finding["remedy"]?.stringValue?.contains("Path:") != true)
    }

    @Test func `a cancelled exploration ends`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await world.call(PolicyExploreTool.tool, ["folder": "policies", "seconds": 86400])
        }
        task.cancel()
        let answer = await task.value
        #expect(answer.isError && answer.verdict == "the call was cancelled.")
    }

    // MARK: policy_diff

    @Test func `a claim that the token loses is a change with its place and path`() async throws {
        let world = try AgentWorld("Base", "Loyalty")
        for name in ["Base", "Loyalty"] { try world.save("old/\(name).xml", try world.text("policies/\(name).xml")) }
        let same = await world.call(PolicyDiffTool.tool, ["before": "old", "after": "policies"])
        #expect(same.verdict.hasPrefix("No difference") && same.list("policies").first?["status"] == "same")
        let line = try world.replace(
            #"<OutputClaim ClaimTypeReferenceId="displayName" />"#,
            with: #"<OutputClaim ClaimTypeReferenceId="displayName" PartnerClaimType="label" />"#,
            in: "policies/Loyalty.xml")
        let answer = await world.call(PolicyDiffTool.tool, ["before": "old", "after": "policies"])
        #expect(!answer.isError && answer.verdict.contains("1 of 1"))
        let policy = try #require(answer.list("policies").first)
        #expect(policy["status"] == "changed")
        #expect(policy["structure"]?.arrayValue?.contains { $0["newPlace", "line"]?.intValue == Int64(line) } == true)
        #expect(policy["behaviour"]?.arrayValue?.first?["path"]?.stringValue?.isEmpty == false)
    }
}
