import Capture
import Diagnostics
import Testing

/// Files that are not a usable capture, each with what is said about it.
struct HARFileTests {
    static func har(_ entries: String, version: String = "1.2") -> String {
        """
        { "log": { "version": "\(version)", "creator": { "name": "WebInspector", "version": "537.36" }, "entries": [\(entries)] } }
        """
    }

    static let entry = """
        { "startedDateTime": "2026-01-15T12:00:00.250+01:00", "time": 12.5, "cache": {}, "timings": {},
          "request": { "method": "GET", "url": "https://contoso.b2clogin.com/x", "headers": [ { "name": ":path", "value": "/x" }, { "name": "A", "value": "b" } ] },
          "response": { "status": 200, "headers": [], "content": { "size": 2, "mimeType": "text/html", "text": "aGk=", "encoding": "base64" } } }
        """

    private func read(_ text: String) throws -> HARFile { try HARFile(file: "x.har", bytes: Array(text.utf8)) }

    @Test(arguments: [
        ("", "x.har:1:1: error: the file is empty [B2C-IMPORT-001]"),
        ("PK\u{3}\u{4}zipped", "this is a ZIP archive"),
        ("<?xml version=\"1.0\"?>", "this is XML or HTML, not a HAR file"),
        ("4567:9:timestamp", "this is a flow file of mitmproxy"),
        ("[1, 2]", "a JSON object with a member `log` is expected"),
        ("not json", "a JSON object with a member `log` is expected"),
        ("{ \"a\": 1, \"b\": 2 }", "this is JSON, but no HAR file: it has no `log`, it has `a`, `b`"),
        ("{ \"version\": 1, \"seed\": \"1\", \"scenarios\": [] }", "this is a JSON report of `b2c run`"),
        ("{ \"log\": { \"version\": \"1.2\" } }", "`log` has no `entries`"),
        (har(""), "the capture has no entries: nothing was recorded"),
        (har(entry, version: "2.0"), "HAR version \"2.0\" is not known"),
        (String(har("\(entry),\n\(entry)").dropLast(300)), "the file is cut off after 1 whole entry"),
        (String(har(entry).dropLast(30)), "the file is cut off"),
        ("{ \"log\"", "the file is cut off"),
        (har("{ \"request\": { \"method\": \"GET\" \"url\": 1 } }"), "entry 1 cannot be read"),
        (har("1 2"), "this is not JSON after 1 whole entry"),
    ])
    func `what is not a capture is refused in a sentence`(_ text: String, _ wanted: String) {
        do {
            _ = try read(text)
            Issue.record("\(text.prefix(60)) was read")
        } catch let error as InvalidInput {
            #expect(error.description.contains(wanted), "\(error.description)")
            #expect(error.diagnostics.allSatisfy { $0.remedy != nil && $0.location?.file == "x.har" })
        } catch {
            Issue.record(error)
        }
    }

    @Test func `a capture cut at any byte is refused, never read in part`() {
        let whole = Self.har("\(Self.entry), \(Self.entry)")
        for length in 0..<(whole.utf8.count - 1) {
            do throws(InvalidInput) {
                _ = try HARFile(file: "x.har", bytes: Array(whole.utf8.prefix(length)))
                Issue.record("\(length) bytes were read")
            } catch {
                #expect(!error.diagnostics.isEmpty)
            }
        }
    }

    @Test func `an entry is read with its offset of time, without pseudo fields, its body decoded`() throws {
        let file = try read(Self.har(Self.entry))
        let exchange = try #require(file.exchanges.first)
        #expect(exchange.started.rfc3339 == "2026-01-15T11:00:00.250Z")
        #expect(exchange.request.headers.fields.map(\.name) == ["A"])
        #expect(exchange.response?.text == "hi")
        #expect(exchange.response?.headers["Content-Type"] == "text/html")
        #expect(file.creator == "WebInspector 537.36")
    }

    @Test func `a byte order mark is allowed`() throws {
        #expect(
            try HARFile(file: "x.har", bytes: [0xEF, 0xBB, 0xBF] + Array(Self.har(Self.entry).utf8)).exchanges.count
                == 1)
    }

    @Test func `entries that are not requests of the web are skipped and reported`() throws {
        let data = "{ \"request\": { \"method\": \"GET\", \"url\": \"data:text/html,x\" } }"
        let file = try read(Self.har("\(data), \(Self.entry), {}"))
        #expect(file.exchanges.count == 1)
        #expect(file.notes == ["2 entries without a readable request or an address of the web passed over: 1, 3."])
    }

    @Test func `a body that the tool left out is known to be missing`() throws {
        let answer = """
            { "request": { "method": "POST", "url": "https://a.test/", "bodySize": 20, "headers": [] },
              "response": { "status": 200, "headers": [], "content": { "size": 812, "mimeType": "text/html" } } }
            """
        let exchange = try #require(try read(Self.har(answer)).exchanges.first)
        #expect(exchange.lacksRequestBody)
        #expect(exchange.lacksResponseBody)
    }

    @Test func `parameters stand for a body, and a status of 0 for no answer`() throws {
        let entry = """
            { "request": { "method": "post", "url": "https://a.test/",
                "postData": { "mimeType": "application/x-www-form-urlencoded", "params": [ { "name": "a b", "value": "c&d" } ] } },
              "response": { "status": 0, "_error": "net::ERR_FAILED" } }
            """
        let exchange = try #require(try read(Self.har(entry)).exchanges.first)
        #expect(exchange.request.form?["a b"] == "c&d")
        #expect(exchange.response == nil)
        #expect(exchange.failure == "net::ERR_FAILED")
    }

    @Test func `depth of nesting costs no stack`() throws {
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        let text = "{ \"x\": \(deep), \"log\": { \"entries\": [ \(Self.entry) ] } }"
        #expect(try read(text).exchanges.count == 1)
    }

    @Test func `bodies that show nothing of a flow are not kept`() throws {
        let script = Self.entry.split(separator: "text/html").joined(separator: "application/javascript")
        let exchange = try #require(try read(Self.har(script)).exchanges.first)
        #expect(exchange.response?.body.isEmpty == true)
        #expect(!exchange.lacksResponseBody)
    }
}
