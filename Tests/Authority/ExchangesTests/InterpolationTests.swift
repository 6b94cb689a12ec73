import Determinism
import Exchanges
import JSON
import Testing

/// A world that stands still.
struct StillWorld: LiveValues {
    func now() async -> Timestamp { Timestamp(seconds: 1_768_478_400) }
    func tenant() async -> JSONValue {
        [
            "name": "contoso", "hosts": ["contoso.b2clogin.com"],
            "users": ["ada": ["email": "ada@example.test"]], "apps": ["ios": [:]],
            "policies": ["susi": ["id": "B2C_1_susi"]],
        ]
    }
    func newestMessage(to person: String) async -> JSONValue? {
        person == "ada" ? ["to": "ada@example.test", "code": "123456"] : nil
    }
    func key(named name: String) async -> JSONValue? { name == "k1" ? ["kid": "abc"] : nil }
}

@Suite struct InterpolationTests {
    static let scope: ScenarioScope = {
        var table = ValueTable()
        table.variables = ["tier": "gold", "greeting": "Hello {{who}}", "loop": "{{loop}}"]
        table.caseValues = ["calls": 2, "who": "{{users/ada/email}}", "tier": "silver", "list": [1, "{{calls}}"]]
        table.caseName = "two"
        table.index = 3
        table.outcomes = [
            "first": [
                "result": [
                    "account": ["identifier": "id-1"], "scopes": ["read", "write"], "expires": 1.5, "a/b": true,
                ]
            ]
        ]
        table.unique = "w7"
        table.environment = ["HOME": "/root"]
        table.secrets = ["PASSWORD": "p"]
        return ScenarioScope(table: table, live: StillWorld())
    }()

    @Test(arguments: [
        (#""plain""#, #""plain""#),
        (#""{{calls}}""#, "2"),
        (#""{{ calls }}""#, "2"),
        (#""n={{calls}}""#, #""n=2""#),
        (#""{{first/result/scopes}}""#, #"["read","write"]"#),
        (#""{{first/result/scopes/1}}""#, #""write""#),
        (#""all: {{first/result/scopes}}""#, #""all: [\"read\",\"write\"]""#),
        (#""{{first/result/expires}} {{first/result/a~1b}}""#, #""1.5 true""#),
        (#"{"a": ["{{calls}}", {"b": "{{tier}}"}]}"#, #"{"a":[2,{"b":"silver"}]}"#),
        (#""{{greeting}}""#, #""Hello ada@example.test""#),
        (#""{{list}}""#, "[1,2]"),
        (#""{{users/ada/email}}""#, #""ada@example.test""#),
        (#""{{tenant/name}} {{hosts/0}} {{policies/susi/id}}""#, #""contoso contoso.b2clogin.com B2C_1_susi""#),
        (#""{{inbox/ada/code}}""#, #""123456""#),
        (#""{{keys/k1/kid}}""#, #""abc""#),
        (#""{{now}}""#, #""2026-01-15T12:00:00Z""#),
        (#""{{now+PT1H}}""#, #""2026-01-15T13:00:00Z""#),
        (#""{{now-P1D}}""#, #""2026-01-14T12:00:00Z""#),
        (#""{{now+PT1S/epoch}}""#, "1768478401"),
        (#""{{unique}}-{{index}}-{{case}}""#, #""w7-3-two""#),
        (#""{{env/HOME}} {{secret/PASSWORD}} {{secret/HOME}}""#, #""/root p /root""#),
        (#""{{{{calls}}""#, #""{{calls}}""#),
        (#""{{{{{{calls}}""#, #""{{2""#),
        (#""{a:{b:1}}""#, #""{a:{b:1}}""#),
        (#""{{calls}}{{calls}}""#, #""22""#),
    ])
    func `a reference becomes its value`(text: String, expected: String) async throws {
        let resolved = try await Interpolation.resolve(try JSONParser.parse(text), in: Self.scope)
        #expect(JSONWriter.compact(resolved) == JSONWriter.compact(try JSONParser.parse(expected)))
    }

    @Test(arguments: [
        (#""{{nothing}}""#, "{{nothing}}: is not defined here; a step that has not run yet has no outcome"),
        (#""{{teir}}""#, "{{teir}}: is not defined; did you mean `tier`?"),
        (
            #"{"a": ["{{first/result/acount}}"]}"#,
            "{{first/result/acount}}: `first/result` has no `acount`; did you mean `account`?"
        ),
        (
            #""{{first/result/scopes/2}}""#,
            "{{first/result/scopes/2}}: `first/result/scopes` is an array of 2; `2` is not one of its indices 0 to 1"
        ),
        (
            #""{{first/result/expires/x}}""#,
            "{{first/result/expires/x}}: `first/result/expires` is a number and has no `x`"
        ),
        (#""{{loop}}""#, "{{loop}}: its value refers to itself"),
        (#""{{inbox/bob/code}}""#, "{{inbox/bob/code}}: no message came for bob"),
        (#""{{inbox}}""#, "{{inbox}}: needs the name of a person: `inbox/NAME`"),
        (#""{{keys/k9}}""#, "{{keys/k9}}: there is no key `k9`"),
        (#""{{secret/X}}""#, "{{secret/X}}: is not set; give it with --secret X=VALUE or in the environment"),
        (#""{{env/X}}""#, "{{env/X}}: is not set in the environment"),
        (#""{{}}""#, "`{{}}` names nothing; write a name between the braces"),
        (#""a {{b""#, "`{{` is not closed; write `{{{{` for two braces themselves"),
        (#""{{a b}}""#, "`a b` is not a name: names are made of letters, digits and `_`"),
        (#""{{now+5}}""#, "`5` is not a duration; write `now+PT5M`, `now-P1D` (ISO 8601, no months and years)"),
        (#""{{now/year}}""#, "`{{now}}` has one part, `epoch`, and no `year`"),
        (#""{{first/~2}}""#, "`/~2` is not a JSON pointer: `~` is allowed only before `0` or `1` (RFC 6901)"),
    ])
    func `what has no value says why`(text: String, message: String) async throws {
        do {
            let value = try await Interpolation.resolve(try JSONParser.parse(text), in: Self.scope)
            Issue.record("resolved to \(value)")
        } catch let error as ValueError {
            #expect(error.description == message)
        }
    }

    @Test func `the place of a failure is known`() async throws {
        do {
            _ = try await Interpolation.resolve(["a": ["x", "{{nothing}}"]], in: Self.scope)
            Issue.record("resolved")
        } catch let error {
            #expect(error.pointer == "/a/1")
        }
    }

    @Test func `substitution leaves what it does not know`() {
        let value: JSONValue = ["a": "{{x}}", "b": "{{y}}", "c": "{{x}}{{y}}", "d": "{{x}}!"]
        let result = Interpolation.substituting(in: value) { $0.root == "x" ? 1 : nil }
        #expect(result == ["a": 1, "b": "{{y}}", "c": "{{x}}{{y}}", "d": "1!"])
    }

    @Test func `a reference is written as it was read`() throws {
        for text in ["a", "a/b/c", "a/b~1c/~0", "now", "now+PT5M", "now-P1D/epoch"] {
            #expect(try ValueReference(parsing: text).description == text)
        }
    }
}
