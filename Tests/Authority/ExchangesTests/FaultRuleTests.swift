import Determinism
import HTTPMessages
import JSON
import Testing

@testable import Exchanges

@Suite struct FaultRuleTests {
    @Test func `a rule is read with all its keys`() throws {
        let rules = try FaultRule.rules(
            from: try JSONParser.parse(
                #"""
                [{"match": {"endpoint": "token"}, "times": 2, "skip": 1, "optional": true, "network": "timeout", "delay": "PT5S"},
                 {"respond": {"status": 503, "headers": {"retry-after": 5}, "json": {"error": "x"}}},
                 {"response": {"status": 400, "headers": {"etag": null}, "json": {"a": null},
                   "location": {"query": {"code": null, "error": "e"}, "fragment": {"x": "y"}}}}]
                """#), at: "/steps/0/faults")
        #expect(rules.count == 3)
        #expect(rules[0].pointer == "/steps/0/faults/0")
        #expect(rules[0].times == 2 && rules[0].skip == 1 && rules[0].optional)
        #expect(rules[0].network == .timeout && rules[0].delay == .seconds(5))
        #expect(rules[0].meets(["endpoint": "token"]) && !rules[0].meets(["endpoint": "keys"]))
        #expect(rules[1].meets(["endpoint": "keys"]) && !rules[1].meets(["endpoint": "callback"]))
        let answer = try #require(rules[1].respond).message
        #expect(answer.status == 503 && answer.text == #"{"error":"x"}"#)
        #expect(answer.headers["Retry-After"] == "5")
        #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
    }

    @Test func `an answer is rewritten`() throws {
        let rules = try FaultRule.rules(
            from: try JSONParser.parse(
                #"""
                [{"response": {"status": 400, "headers": {"etag": null, "x-a": "1"}, "json": {"a": null, "b": 2},
                   "location": {"query": {"code": null, "error": "e d"}, "fragment": {"x": "y"}}}}]
                """#))
        let patch = try #require(rules[0].response)
        var message = ResponseMessage.json(200, ["a": 1, "c": 3])
        message.headers["ETag"] = "1"
        message.headers["Location"] = "msauth.com.contoso://auth?code=c&state=s"
        var effect = ChangeEffect()
        let changed = patch.applied(to: message, &effect)
        #expect(Set(effect.held) == Set(patch.parts) && effect.idle.isEmpty)
        #expect(changed.status == 400)
        #expect(changed.headers["etag"] == nil && changed.headers["X-A"] == "1")
        #expect(changed.text == #"{"c":3,"b":2}"#)
        #expect(changed.headers["location"] == "msauth.com.contoso://auth?state=s&error=e+d#x=y")
    }

    @Test(arguments: [
        (#"{}"#, "`faults` must be a list of rules, not an object"),
        (#"[{}]"#, "/0: the rule has no effect"),
        (#"[{"network": "slow"}]"#, "/0/network: `slow` is not a network failure"),
        (#"[{"netwrok": "tls"}]"#, "/0/netwrok: a fault rule has no key `netwrok`; did you mean `network`?"),
        (#"[{"network": "tls", "times": "2"}]"#, #"/0/times: `times` must be a number from 0 to 1000000, not "2""#),
        (#"[{"delay": "soon"}]"#, #"/0/delay: `delay` must be a duration such as PT5S, not "soon""#),
        (#"[{"delay": "-PT5S"}]"#, #"/0/delay: `delay` must be a duration such as PT5S, not "-PT5S""#),
        (#"[{"network": "tls", "respond": {}}]"#, "/0/respond: `network` and `respond` exclude each other"),
        (
            #"[{"b2cError": "90035"}]"#,
            "/0/b2cError: `90035` is not a code of the service; codes look like AADB2C90035"
        ),
        (
            #"[{"b2cError": {"code": "AADB2C90035", "delivery": "fax"}}]"#,
            "/0/b2cError: `delivery` is redirect, page or json, not `fax`"
        ),
        (#"[{"network": "tls", "rate": 1.5}]"#, "/0/rate: `rate` must be a number above 0 and up to 1, not 1.5"),
        (#"[{"network": "tls", "rate": 0}]"#, "/0/rate: `rate` must be a number above 0 and up to 1, not 0"),
        (#"[{"request": {}}]"#, "/0/request: `request` changes nothing"),
        (
            #"[{"request": {"headers": {"X-Y": "a\r\nb"}}}]"#,
            "/0/request/headers: the value of the header field `X-Y` contains a carriage return (U+000D)"
                + ", which cannot be sent: control characters are not allowed in header values"
        ),
        (
            #"[{"response": {"headers": {"Set-Cookie": "a\nb"}}}]"#,
            "/0/response/headers: the value of the header field `Set-Cookie` contains a line feed (U+000A)"
                + ", which cannot be sent: control characters are not allowed in header values"
        ),
        (
            #"[{"respond": {"headers": {"X Y": "a"}}}]"#,
            "/0/respond/headers: the header field name `X Y` is not valid: letters, digits and "
                + "!#$%&'*+-.^_`|~ are allowed"
        ),
        (#"[{"request": {"url": "no url"}}]"#, "/0/request/url: `no url` is not a URL"),
        (#"[{"request": {"host": "a/b"}}]"#, "/0/request/host: `a/b` is not a host"),
        (
            #"[{"request": {"path": "a"}}]"#,
            "/0/request/path: `a` is not a path: it begins with / and has no ?, # or space"
        ),
        (#"[{"request": {"form": {}, "body": ""}}]"#, "/0/request/body: `form` and `body` exclude each other"),
        (#"[{"claims": {}}]"#, "/0/claims: `claims` patches `idToken`, `accessToken` or both"),
        (#"[{"claims": {"idTokn": {}}}]"#, "/idTokn: a claims has no key `idTokn`; did you mean `idToken`?"),
        (
            #"[{"match": {"endpoint": "keys"}, "claims": {"idToken": {}}}]"#,
            "/0/claims: no token is signed at `keys`, so `claims` has no hold on it"
        ),
        (
            #"[{"match": {"endpoint": "rest"}, "b2cError": "AADB2C90035"}]"#,
            "/0/b2cError: `rest` is not the authority, so it cannot refuse with a code of B2C; use `respond`"
        ),
        (
            #"[{"match": {"endpoint": "callback"}, "network": "tls"}]"#,
            "/0/network: a callback is handed over, not answered: `network` has no hold on it"
        ),
        (
            #"[{"to": "b"}]"#,
            "/0/to: `to` hands a callback to another client: it needs \"match\": {\"endpoint\": \"callback\"};"
                + " `request` with `host` or `url` sends a request elsewhere"
        ),
        (#"[{"copies": 0}]"#, "/0/copies: `copies` can be 0 for the callback only: that loses it"),
        (#"[{"respond": {}, "b2cError": "AADB2C90035"}]"#, "/0/b2cError: `respond` and `b2cError` exclude each other"),
    ])
    func `a filled-in rule that is wrong is refused`(text: String, message: String) throws {
        let value = try JSONParser.parse(text)
        do {
            _ = try FaultRule.rules(from: value)
            Issue.record("accepted")
        } catch {
            #expect(error.description == message)
        }
    }
}
