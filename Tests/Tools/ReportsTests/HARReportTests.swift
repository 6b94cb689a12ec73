import JSON
import Reports
import ScenarioRunner
import TestSupport
import Testing

/// The archive held against the rules of HTTP Archive 1.2, over records with everything a run leaves in them.
struct HARReportTests {
    private static let callback: JSONValue = [
        "number": "6", "at": "2026-01-15T12:00:01.500Z", "from": "browser", "client": "ios", "endpoint": "callback",
        "method": "GET", "url": .string("msauth.com.contoso.app://auth?code=\(Sample.grant)&state=s#frag"),
        "headers": [:],
        "frame": false, "altered": false, "response": [:], "step": "signIn",
    ]

    private static var slow: JSONValue {
        guard var record = Sample.post.objectValue else { return .null }
        record["arrived"] = "2026-01-15T12:00:00.250Z"
        record["step"] = "signIn"
        record["refusal"] = "the password is wrong"
        record["response"] = [
            "status": 200,
            "headers": [
                "content-type": "application/json",
                "set-cookie": .array([
                    .string(
                        "x-ms-cpim-csrf=\(Sample.csrf); domain=contoso.b2clogin.com; path=/; expires=Thu, 15 Jan 2026 13:00:00 GMT; SameSite=None; Secure; HttpOnly"
                    ),
                    "a=b",
                ]),
            ],
            "body": "{\"status\":\"400\"}",
        ]
        record["tokens"] = ["id_token": ["header": ["alg": "RS256"], "claims": ["name": "Ada"]]]
        return .object(record)
    }

    private static let report: RunReport = {
        var one = Sample.scenario("scenarios/a.json", "Signs in", status: .passed)
        var last = Sample.redemption.objectValue ?? JSONObject()
        last["at"] = "2026-01-15T12:00:02Z"
        one.log = [slow, .object(last), callback]
        var two = Sample.scenario("scenarios/b.json", "Nothing was sent", status: .passed)
        two.log = []
        var three = Sample.scenario("scenarios/c.json", "Again", caseName: "x", status: .failed)
        three.log = [slow]
        return Redaction().redacted(RunReport(seed: 7, target: "in process", scenarios: [one, two, three]))
    }()

    private let json = HARReportTests.archive(HARReportTests.report, version: "1.0")

    private static func archive(_ report: RunReport, version: String) -> JSONValue {
        (try? JSONParser.parse(HARReport.text(report, version: version))) ?? .null
    }

    private func entry(_ index: Int) throws -> JSONValue { try #require(json["log", "entries"]?[index]) }

    @Test func `the archive keeps the rules of its format`() {
        #expect(HARSpecification.problems(in: json) == [])
    }

    @Test func `the rules find what is wrong`() throws {
        for (path, value) in [
            (["log", "version"], "1.1"), (["log", "creator"], JSONValue.null), (["log", "entries", "0", "time"], 3),
            (["log", "entries", "0", "request", "cookies"], .null), (["log", "entries", "0", "extra"], 1),
            (["log", "entries", "0", "startedDateTime"], "yesterday"), (["log", "entries", "0", "pageref"], "page_9"),
            (["log", "entries", "0", "request", "headers", "0", "value"], .null),
        ] {
            #expect(HARSpecification.problems(in: changed(json, path[...], to: value)) != [], "\(path)")
        }
    }

    private func changed(_ value: JSONValue, _ path: ArraySlice<String>, to new: JSONValue) -> JSONValue {
        guard let first = path.first else { return new }
        if var object = value.objectValue {
            object[first] = changed(object[first] ?? .null, path.dropFirst(), to: new)
            return .object(object)
        }
        guard var elements = value.arrayValue, let index = Int(first), elements.indices.contains(index) else {
            return value
        }
        elements[index] = changed(elements[index], path.dropFirst(), to: new)
        return .array(elements)
    }

    @Test func `each case with requests is a page`() {
        let pages = json["log", "pages"]?.arrayValue ?? []
        #expect(pages.map { $0["id"] } == ["page_1", "page_3"])
        #expect(pages.last?["title"] == "scenarios/c.json: Again [x]")
    }

    @Test func `time is the world's, and step, endpoint and reason are written`() throws {
        let entry = try entry(0)
        #expect(entry["startedDateTime"] == "2026-01-15T12:00:00.000Z")
        #expect(entry["time"] == 250)
        #expect(entry["_step"] == "signIn")
        #expect(entry["_endpoint"] == "page")
        #expect(entry["_refusal"] == "the password is wrong")
        #expect(entry["_tokens", "id_token", "claims", "name"] == "Ada")
    }

    /// Times are written without a fraction where there is none, so their texts do not sort.
    @Test func `half a second later is later`() throws {
        var later = try #require(Sample.redemption.objectValue)
        later["at"] = "2026-01-15T12:00:00.5Z"
        var sooner = try #require(Sample.post.objectValue)
        sooner["at"] = "2026-01-15T12:00:00Z"
        var one = Sample.scenario("scenarios/a.json", "One", status: .passed)
        one.log = [.object(later), .object(sooner)]
        let json = Self.archive(RunReport(seed: 7, target: "t", scenarios: [one]), version: "1")
        let starts = (json["log", "entries"]?.arrayValue ?? []).map {
            $0["startedDateTime"]?.stringValue?.dropFirst(17)
        }
        #expect(starts == ["00.000Z", "00.500Z"])
    }

    @Test func `a request begins after the previous one, and so does a scenario`() throws {
        var one = Sample.scenario("scenarios/a.json", "One", status: .passed)
        one.log = [Sample.post, Sample.post, Self.callback, Sample.post]
        var two = Sample.scenario("scenarios/b.json", "Two", status: .passed)
        two.log = [Self.slow, Sample.post]
        let json = Self.archive(RunReport(seed: 7, target: "t", scenarios: [one, two]), version: "1")
        #expect(HARSpecification.problems(in: json) == [])
        let entries = json["log", "entries"]?.arrayValue ?? []
        #expect(
            entries.map { $0["startedDateTime"]?.stringValue?.dropFirst(17) } == [
                // The callback is of another moment and keeps its place.
                "00.000Z", "00.001Z", "00.002Z", "01.500Z",
                // A second after the end of the first.
                "02.501Z", "02.502Z",
            ])
        #expect(entries.map { $0["time"] } == [1, 1, 1, 1, 250, 1])
        #expect(
            entries.map { $0["_at"]?.stringValue?.dropFirst(17) } == [
                nil, "00.000Z", "00.000Z", nil, "00.000Z", "00.000Z",
            ])
        #expect(json["log", "pages"]?[1]?["startedDateTime"] == "2026-01-15T12:00:02.501Z")
    }

    @Test(
        arguments: [
            (["method": "OPTIONS", "headers": ["access-control-request-method": "POST"]], "preflight"),
            (["from": "browser"], "document"),
            (["from": "browser", "headers": ["x-requested-with": "XMLHttpRequest"]], "xhr"),
            (["from": "client"], "fetch"), (["from": "authority"], "fetch"),
        ] as [(JSONObject, String)])
    func `the kind of request is in the member that browsers read`(_ change: JSONObject, _ wanted: String) throws {
        var record = try #require(Sample.post.objectValue)
        record["headers"] = [:]
        for (name, value) in change.members { record[name] = value }
        var one = Sample.scenario("scenarios/a.json", "One", status: .passed)
        one.log = [.object(record)]
        let json = Self.archive(RunReport(seed: 7, target: "t", scenarios: [one]), version: "1")
        #expect(json["log", "entries"]?[0]?["_resourceType"]?.stringValue == wanted)
    }

    @Test func `sizes are those of what is written`() throws {
        let entry = try entry(0)
        let form = try #require(entry["request", "postData", "text"]?.stringValue)
        #expect(entry["request", "bodySize"]?.intValue == Int64(form.utf8.count))
        #expect(entry["response", "bodySize"]?.intValue == 16)
        #expect(entry["response", "content", "size"]?.intValue == 16)
        // Status line, three fields, an empty line.
        let fields = entry["response", "headers"]?.arrayValue ?? []
        let size = fields.reduce(0) {
            $0 + "\($1["name"]?.stringValue ?? ""): \($1["value"]?.stringValue ?? "")\r\n".utf8.count
        }
        #expect(entry["response", "headersSize"]?.intValue == Int64("HTTP/1.1 200 OK\r\n\r\n".utf8.count + size))
        #expect(try self.entry(1)["response", "bodySize"] == -1)
    }

    @Test func `queries, forms and cookies are taken apart`() throws {
        let entry = try entry(0)
        #expect(entry["request", "queryString"] == [["name": "p", "value": "B2C_1_susi"]])
        #expect(entry["request", "postData", "params"]?[1] == ["name": "signInName", "value": "ada@example.test"])
        #expect(entry["request", "cookies"]?[0]?["name"] == "x-ms-cpim-sso")
        let cookie = try #require(entry["response", "cookies"]?[0])
        #expect(cookie["path"] == "/")
        #expect(cookie["domain"] == "contoso.b2clogin.com")
        #expect(cookie["expires"] == "2026-01-15T13:00:00.000Z")
        #expect(cookie["secure"] == true && cookie["httpOnly"] == true)
        #expect(cookie["_sameSite"] == "None")
        #expect(entry["response", "cookies"]?[1]?["name"] == "a")
    }

    @Test func `a callback has no answer, and its fragment is a separate member`() throws {
        let entry = try entry(1)
        #expect(entry["response", "status"] == 0)
        #expect(entry["response", "_error"] == "not answered: handed to the app")
        #expect(entry["response", "statusText"] == "handed to the app")
        #expect(entry["request", "_fragment"] == "frag")
        #expect(entry["request", "url"]?.stringValue?.contains("%3C") == true)
    }

    @Test func `nothing secret is in it, and equal runs give equal bytes`() {
        let text = HARReport.text(Self.report, version: "1.0")
        for secret in [Sample.grant, Sample.cookie, Sample.csrf, Sample.verifier, Sample.clientSecret, "YXBwOnBhc3M"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text == HARReport.text(Self.report, version: "1.0"))
        #expect(text.hasSuffix("}\n"))
    }
}
