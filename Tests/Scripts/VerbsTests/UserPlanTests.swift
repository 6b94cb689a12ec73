import Determinism
import Exchanges
import JSON
import Testing
import Verbs

@Suite struct UserPlanTests {
    private struct Values: ValueScope {
        func value(of reference: ValueReference) async throws(ValueError) -> JSONValue {
            switch reference.root {
            case "tier": return "silver"
            case "calls": return 2
            default: throw ValueError(reference: reference.description, message: "is not defined")
            }
        }
    }

    private func read(_ text: String) async throws -> UserPlan {
        try await UserPlan.read(try JSONParser.parse(text), in: Values())
    }

    @Test func `a name is that person until the flow ends`() async throws {
        #expect(try await read(#""ada""#).actions == [.person("ada")])
        #expect(try await read(#"[{"press": "signUp"}, "nina"]"#).actions.last == .person("nina"))
    }

    @Test func `an action is read with all its keys, codes are left for later`() async throws {
        let plan = try await read(
            #"""
            [{"on": {"name": "signUp", "text": "{{tier}}"}, "as": "ada", "fill": {"code": "{{inbox/ada/code}}", "city": "Bonn"},
              "press": "verifyCode", "window": "reload", "wait": "PT{{calls}}S", "barrier": "both", "repeat": "{{calls}}"}]
            """#)
        guard case .action(let action) = plan.actions[0] else {
            Issue.record("no action")
            return
        }
        #expect(action.pointer == "/0")
        #expect(action.on == ["name": "signUp", "text": "silver"])
        #expect(action.fill == ["code": "{{inbox/ada/code}}", "city": "Bonn"])
        #expect(action.person == "ada" && action.press == "verifyCode" && action.window == .reload)
        #expect(action.wait == .seconds(2) && action.barrier == "both" && action.repeatCount == 2)
        #expect(action.mismatches(page: ["name": "signUp", "text": "silver"]).isEmpty)
        #expect(action.mismatches(page: ["name": "signIn", "text": "silver"]).count == 1)
    }

    @Test(arguments: [
        (#"3"#, "`user` must be a person's name or a list of actions, not a number"),
        (#"[{"pres": "x"}]"#, "/0/pres: a user action has no key `pres`; did you mean `press`?"),
        (#"[{"window": "shut"}]"#, "/0/window: `shut` is nothing that can happen to a window"),
        (#"[{"fill": "x"}]"#, "/0/fill: `fill` must be an object of fields and values"),
        (#"[{"repeat": 0}]"#, "/0/repeat: `repeat` must be a number from 1 to 1000000, not 0"),
        (#"["ada", {"press": "{{teir}}"}]"#, "{{teir}}: is not defined"),
    ])
    func `what cannot be done is said`(text: String, message: String) async throws {
        do {
            _ = try await read(text)
            Issue.record("accepted")
        } catch UserPlanError.malformed(let error) {
            #expect(error.description == message)
        } catch UserPlanError.value(let error) {
            #expect(error.description == message)
        }
    }
}
